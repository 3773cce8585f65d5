# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
"""What the page of tests/fixtures/timeline.txt must show. TAP."""

import re
import sys
import time
import traceback

from browser import MODIFIERS, Browser

# Of the fixture: the page begins at 1 ms and is 59 ms long.
BEGIN, SPAN = 1.0, 59.0
ROW = 21
HOSTILE = '<img src=x onerror="document.title=1">'


class Page:
    def __init__(self, path, **more):
        self.browser = Browser(**more)
        self.seconds = self.browser.open(path)
        self.run = self.browser.run
        box = self.run("(() => { const b = document.getElementById('chart').getBoundingClientRect();"
                       " return [b.left, b.top, b.width] })()")
        self.left, self.top, self.width = box

    def x(self, ms):
        """Where a moment of the fixture is as long as all is shown."""
        return self.left + (ms - BEGIN) / SPAN * self.width

    def texts(self, selector):
        return self.run(f"[...document.querySelectorAll({selector!r})].map((e) => e.textContent)")

    def y(self, name):
        return self.top + (self.texts(".label .name").index(name) + 0.5) * ROW

    def tip(self, ms, name):
        """What the tooltip says of a row: {"": heading, line's name: value}."""
        self.browser.move(self.x(ms), self.y(name))
        return self.run("""(() => { const tip = document.getElementById("tip");
            return tip.hidden ? null : Object.fromEntries([["", tip.querySelector("b").textContent],
                ...[...tip.querySelectorAll("tr")].map((r) => [...r.children].map((c) => c.textContent))]) })()""")

    def pixel(self, ms, name, dy=0):
        x, y = self.x(ms) - self.left, self.y(name) - self.top + dy
        return self.run(f"[...document.getElementById('chart').getContext('2d').getImageData({int(x)}, {int(y)}, 1, 1).data]")

    def shown(self):
        """The length of time that is shown, in ms, and its begin."""
        length, unit, begin = re.match(r"([\d.]+) (\S+) from ([\d.\u202f-]+) s", self.texts("#range")[0]).groups()
        scale = {"s": 1e3, "ms": 1, "µs": 1e-3, "ns": 1e-6}[unit]
        return float(length) * scale, float(begin.replace("\u202f", "")) * 1e3

    def press(self, name):
        """Presses the container's button in the legend."""
        index = self.texts("#legend button span").index(name)
        x, y = self.run(f"(() => {{ const b = document.querySelectorAll('#legend button')[{index}]"
                        ".getBoundingClientRect(); return [b.left + 9, b.top + b.height / 2] })()")
        self.browser.click(x, y)

    def swatch(self, name):
        index = self.texts("#legend button span").index(name)
        colour = self.run(f"getComputedStyle(document.querySelectorAll('#legend button .swatch')[{index}]).backgroundColor")
        return [int(n) for n in re.findall(r"\d+", colour)[:3]]


def near(a, b, by=3):
    return all(abs(x - y) <= by for x, y in zip(a, b))


def opens(page):
    assert page.browser.complaints == [], page.browser.complaints
    assert [u for u in page.browser.requests if not u.startswith("file:")] == [], page.browser.requests
    assert len(page.browser.requests) == 1, page.browser.requests


def names_are_text(page):
    assert "<img src=x oner" in page.texts(".label .name"), page.texts(".label .name")
    assert HOSTILE in page.texts("#legend button span"), page.texts("#legend button span")
    assert "</script>\\u{2028}&lt" in page.texts(".label .name"), page.texts(".label .name")
    assert "</script><i>host" in page.texts("h1")[0], page.texts("h1")
    page.tip(15, HOSTILE)
    assert page.run("document.querySelectorAll('img, i:not([class])').length") == 0
    assert page.run("document.title") != "1", page.run("document.title")


def rows_are_a_tree(page):
    rows = page.texts(".label .name")
    assert rows == ["CPU 0", "CPU 1", "host", HOSTILE, "<img src=x oner", "</script>\\u{2028}&lt",
                    "pid-ns-4026532402", "\\u{202e}inner"], rows
    assert page.texts(".label .ids")[-1] == "210 / 10 / 1", page.texts(".label .ids")


def tooltips_tell(page):
    tip = page.tip(15, "<img src=x oner")
    assert tip[""] == "<img src=x oner" and tip["state"] == "runs on CPU 0", tip
    assert tip["tid"] == "200" and tip["vtids"].startswith("1 "), tip
    assert tip["container"] == "host › " + HOSTILE, tip
    assert tip["cgroup"] == "/box<!--<script>", tip
    assert "for 10 ms" in tip["since"] and tip["since"].startswith("0.009"), tip
    tip = page.tip(50.5, "CPU 1")
    assert tip[""] == "\\u{202e}inner" and tip["vtids"].startswith("10 / 1 "), tip
    tip = page.tip(15, "CPU 1")
    assert tip[""] == "CPU 1: idle", tip


def tooltips_tell_states(page):
    assert "runnable" in page.tip(25, "<img src=x oner")["state"]
    assert page.tip(45, "<img src=x oner")["state"] == "blocked"
    tip = page.tip(50, "</script>\\u{2028}&lt")
    assert "runnable" in tip["state"] and "for 15 ms" in tip["since"], tip
    assert "7 events" in page.tip(53, "<img src=x oner")["not certain"]


def runs_are_coloured(page):
    assert near(page.pixel(12, "CPU 0", -7), page.swatch(HOSTILE)), (page.pixel(12, "CPU 0", -7), page.swatch(HOSTILE))
    assert near(page.pixel(12, "<img src=x oner", -7), page.swatch(HOSTILE))
    assert near(page.pixel(50.5, "CPU 1"), page.swatch("pid-ns-4026532402"))
    assert near(page.pixel(35, "CPU 1"), page.swatch("host"))
    assert page.pixel(45, "CPU 0")[3] < 128, "idle is empty"


def highlight_dims_others(page):
    before = page.pixel(35, "CPU 1")[3]
    page.press(HOSTILE)
    assert page.run("document.querySelectorAll('#legend [aria-pressed=true]').length") == 1
    assert page.pixel(35, "CPU 1")[3] < before / 2, page.pixel(35, "CPU 1")
    assert near(page.pixel(12, "CPU 0", -7), page.swatch(HOSTILE))
    # What is inside of a highlighted container is, too.
    assert page.pixel(50.5, "CPU 1")[3] == 255, page.pixel(50.5, "CPU 1")
    page.browser.key("Escape")
    assert page.pixel(35, "CPU 1")[3] == before


def mouse_zooms(page):
    x, y = page.x(30), page.top + 10
    page.browser.wheel(x, y, -300, MODIFIERS["ctrl"])
    length, begin = page.shown()
    assert abs(length - SPAN / 2.718) < 0.5, length
    # The moment under the pointer stays there.
    assert abs(begin + BEGIN + (x - page.left) / page.width * length - 30) < 0.1, begin
    page.browser.drag((x, y), (x - 100, y))
    moved = page.shown()
    assert abs(moved[1] - begin - 100 / page.width * length) < 0.1, moved
    page.browser.key("0")
    assert page.shown() == (SPAN, 0), page.shown()
    page.browser.drag((page.x(10), y), (page.x(20), y), MODIFIERS["shift"])
    length, begin = page.shown()
    assert abs(length - 10) < 0.2 and abs(begin + BEGIN - 10) < 0.2, (length, begin)
    page.browser.key("0")


def keys_zoom(page):
    page.browser.key("+")
    length, begin = page.shown()
    assert abs(length - SPAN * 0.7) < 0.1, length
    page.browser.key("ArrowRight")
    assert page.shown()[1] > begin, page.shown()
    for _ in range(60):
        page.browser.key("w")
    assert abs(page.shown()[0] - 1e-3) < 1e-6, "not closer than 1 µs"
    page.browser.key("0")
    assert page.shown() == (SPAN, 0), page.shown()


def keys_choose_and_fold(page):
    page.browser.click(page.left - 100, page.y("pid-ns-4026532402"))
    page.browser.key("Escape")
    page.browser.key("Enter")
    assert "\\u{202e}inner" not in page.texts(".label .name"), page.texts(".label .name")
    page.browser.key("Enter")
    page.browser.key("ArrowDown")
    assert "inner" in page.texts(".label.chosen .name")[0], page.texts(".label.chosen .name")
    for _ in range(5):
        page.browser.key("w")
    page.browser.key("n")
    length, begin = page.shown()
    assert abs(begin + BEGIN + length / 2 - 50) < 0.1, (begin, length)
    page.browser.key("0")


def search_finds(page):
    page.browser.key("/")
    for letter in "sleeper":
        page.browser.key(letter)
    page.browser.key("Enter")
    assert page.texts(".label.chosen .name") == ["sleeper"], page.texts(".label.chosen .name")
    page.browser.key("Escape")


def other_code_is_forbidden(page):
    """Last, as the browser complains of it."""
    page.run("""(() => { const s = document.createElement("script"); s.textContent = "document.title = 1";
        document.body.append(s) })()""")
    assert page.run("document.title") != "1"
    answer = page.run("fetch('http://127.0.0.1:9/').then(() => 'fetched', () => 'refused')")
    assert answer == "refused", answer
    assert sum("Content Security Policy" in c for c in page.browser.complaints) >= 2, page.browser.complaints


def path_is_shown(page):
    """From 14 to 20 ms of the fixture the path is db's, which waits for a disk: nothing but a thin line is there."""
    span = page.run("JSON.parse(document.getElementById('head').textContent).span") / 1e6

    def pixel(ms, name, dy):
        x, y = (ms - 1) / span * page.width, page.y(name) - page.top + dy
        return page.run(f"[...document.getElementById('chart').getContext('2d').getImageData({int(x)}, {int(y)}, 1, 1).data]")

    before = pixel(17, "db", 1), pixel(12, "web", 1)
    assert not page.run("document.getElementById('path-label').hidden")
    page.run("document.getElementById('path').click()")
    page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    after = pixel(17, "db", 1), pixel(12, "web", 1)
    assert before[0] != after[0] and after[0][3] == 255, (before, after)
    # web waits then: the path is elsewhere.
    assert before[1] == after[1], (before, after)
    page.run("document.getElementById('path').click()")
    page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert (pixel(17, "db", 1), pixel(12, "web", 1)) == before


def long_path_is_drawn(page):
    """Of 400,000 steps between 40 rows nobody sees more than there are pixels; each row has all of its line, and arrows."""
    calls, rows = page.run("""(() => {
        const calls = [], g = { fillRect: (...at) => calls.push(at), beginPath() {}, moveTo() {}, lineTo() {}, fill() {} };
        const tasks = Array.from({ length: 40 }, () => ({ container: null }));
        const path = Array.from({ length: 400000 }, (_, i) => ({ task: tasks[i % 40], from: i, to: i + 1, cause: "" }));
        drawPath({ context: g, colours: { mark: "" }, x: Painter.prototype.x }, { from: 0, to: 400000, width: 1000 }, { path },
            { list: tasks.map((task) => ({ task })) }, 0);
        return [calls.length, tasks.map((_, row) => {
            const bars = calls.filter(([, y, , height]) => height === 3 && y === row * ROW + ROW / 2 - 1.5);
            return [bars[0][0], Math.max(...bars.map(([x, , width]) => x + width)), bars.length,
                calls.filter(([, y, width]) => width === 1 && y === row * ROW + ROW / 2).length];
        })];
    })()""")
    assert calls < 100000, calls
    for begin, end, bars, arrows in rows[:-1]:
        assert begin < 1 and end > 999 and bars >= 500 and arrows >= 250, rows


def others_are_left_out(page):
    """Of --container: its rows, and what it is in without that one's tasks; all by a switch, and if one is looked for."""
    def names(action):
        page.run(action)
        page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return page.texts(".label .name")

    opens(page)
    few = page.texts(".label .name")
    assert few == ["CPU 0", "CPU 1", "host", HOSTILE, "pid-ns-4026532402", "\\u{202e}inner"], few
    every = names("document.getElementById('others').click()")
    assert len(every) == len(few) + 2 and any("</script>" in name for name in every), every
    assert names("document.getElementById('others').click()") == few
    found = names("(() => { const s = document.getElementById('search'); s.value = '201';"
                  " s.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'})); })()")
    assert set(every) < set(found), found
    assert page.run("document.getElementById('others').checked")


def silent_cpus_are_told(page):
    opens(page)
    warning = page.texts("#warning")[0]
    assert "Nothing was recorded on CPU 0: it was off, or its file is missing." in warning, warning


def many_switches(page):
    opens(page)
    names = page.texts("#legend button span")
    for _ in range(20):
        page.browser.key("w")
    for _ in range(3):
        page.browser.key("d")
    page.browser.key("0")
    opens(page)
    assert len(names) == 9, names
    assert page.run("document.querySelectorAll('.label').length") > 20


def many_losses(page):
    opens(page)
    assert "100000 events were lost" in page.texts("#warning")[0], page.texts("#warning")
    begin = time.time()
    for name in "wwdd0":
        page.browser.key(name)
    # All is drawn by then.
    page.run("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(1))))")
    seconds = page.seconds + time.time() - begin
    assert any(page.pixel(30, "CPU 0", dy)[3] for dy in range(-8, 8)), "it is hatched"
    assert seconds < 10, seconds


def far_axis_ends(page):
    marks = page.run("axisMarks({ from: 2 ** 62, to: 2 ** 62 + 1000, width: 1000 }, 130).times.length", timeout=5000)
    assert 0 < marks < 1000, marks


def nested_containers(page):
    assert page.browser.complaints == [], page.browser.complaints[:1]
    names = page.texts(".label .name")
    assert len(names) > 20, names
    inside = page.texts("#legend button span")[-1]
    assert inside.endswith("#19999"), inside
    title = page.run("[...document.querySelectorAll('#legend button')].at(-1).title")
    assert title.startswith("… › ") and title.endswith(inside) and len(title) < 4000, title
    page.press(inside)
    assert page.run("document.querySelector('#legend button[aria-pressed=true] span').textContent") == inside
    page.browser.key("/")
    for letter in "systemd":
        page.browser.key(letter)
    page.browser.key("Enter")
    chosen = page.run("document.querySelector('.label.chosen .name').textContent")
    assert chosen.startswith("systemd"), chosen


def search_for(page, text):
    """Searches; returns the name of the row that is chosen then."""
    page.run(f"""(() => {{ const s = document.getElementById("search"); s.value = {text!r};
        s.dispatchEvent(new KeyboardEvent("keydown", {{ key: "Enter" }})) }})()""")
    page.browser.frame()
    return (page.texts(".label.chosen .name") or [None])[0]


def crowd_is_listed(page):
    """Of 20,000 in one of thirty containers a few have buttons, each of the thirty has, and what has none is told."""
    opens(page)
    head = page.run("JSON.parse(document.getElementById('head').textContent).containers")
    outermost = [c["title"] for c in head if c and c["parent"] == 1]
    names = page.texts("#legend button span")
    assert len(outermost) == 30 and set(outermost) <= set(names), set(outermost) - set(names)
    assert len(names) == 500 and names[0] == "host", (len(names), names[:3])
    # The host, and all but the one without a task.
    assert page.texts("#legend")[0].endswith(f"and {20030 - 500} more: each has a row, and is found by search")


def crowd_is_found(page):
    """By a task's container, and where there is none by its own name; what is called so as a whole comes first."""
    head = page.run("JSON.parse(document.getElementById('head').textContent)")
    listed = set(page.texts("#legend button span"))
    task = max(head["tasks"], key=lambda t: t["tid"])
    inside = head["containers"][task["container"]]
    assert inside["title"] not in listed, inside
    assert search_for(page, inside["id"]) == task["comm"], page.texts(".label.chosen .name")
    empty, = set(range(2, len(head["containers"]))) - {t["container"] for t in head["tasks"]}
    empty = head["containers"][empty]["title"]
    assert search_for(page, empty) == empty, page.texts(".label.chosen .name")
    assert not page.run("document.getElementById('search').classList.contains('none')")
    # Others have its name in theirs, and ran for longer.
    first = head["containers"][2]
    assert sum(first["title"] in c["title"] for c in head["containers"] if c) > 1000, first
    task = next(t for t in head["tasks"] if t["container"] == 2)
    assert search_for(page, first["title"]) == task["comm"], page.texts(".label.chosen .name")
    search_for(page, "is not there")
    assert page.run("document.getElementById('search').classList.contains('none')")


def crowd_is_drawn(page):
    """Rows of containers that have thousands in them each, of which each is a column wide: no step for every column."""
    search_for(page, "t20030")
    page.run(f"document.getElementById('rows').scrollTop = {100 * ROW}")
    page.browser.frame()
    assert page.run("document.querySelectorAll('.label.group').length") > 10
    begin = time.time()
    steps = page.run("""(() => {
        const upTo = Column.prototype.upTo;
        let steps = 0;
        Column.prototype.upTo = function (...all) { steps++; return upTo.apply(this, all) };
        document.getElementById("whole").click();
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
            Column.prototype.upTo = upTo;
            done(steps);
        })));
    })()""")
    print(f"# drawn in {time.time() - begin:.1f} s")
    assert 20000 * 10 < steps < 20000 * 200, steps
    filled = page.run("""(() => { const c = document.getElementById("chart");
        return c.getContext("2d").getImageData(c.width - 9, 0, 1, 4 * ROW).data.filter((v, i) => i % 4 < 3 && v < 200).length })()""")
    assert filled > 3 * ROW, filled


TESTS = [
    ("the page opens without complaint and fetches nothing", opens),
    ("hostile names are shown as text", names_are_text),
    ("rows are nested as in the tree", rows_are_a_tree),
    ("tooltips tell tid, vtids, name, cgroup and when", tooltips_tell),
    ("tooltips tell running, runnable and blocked", tooltips_tell_states),
    ("runs have the colour of their container", runs_are_coloured),
    ("a highlighted container stands out", highlight_dims_others),
    ("the mouse zooms and moves", mouse_zooms),
    ("keys zoom and move", keys_zoom),
    ("keys choose rows and fold them", keys_choose_and_fold),
    ("search finds a task that never ran", search_finds),
    ("the marks of an axis come to an end, wherever it is", far_axis_ends),
    ("scripts that are put in do not run, and no address is reached", other_code_is_forbidden),
]


def judge(name, test, page):
    try:
        test(page)
        print(f"ok - {name}", flush=True)
        return 0
    except (AssertionError, RuntimeError, ValueError, KeyError, TypeError, AttributeError, IndexError, OSError):
        print(f"not ok - {name}")
        print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()[-6:]), end="", flush=True)
        return 1


def main(small, large, silent, path, inner, nested, losses, crowd):
    failed = 0
    page = Page(small)
    for name, test in TESTS:
        failed += judge(name, test, page)
    page.browser.close()
    page = Page(large, scheme="dark")
    failed += judge("60 thousand switches open and zoom, on a dark screen, too", many_switches, page)
    print(f"# opened in {page.seconds:.1f} s")
    page.browser.close()
    page = Page(silent)
    failed += judge("a CPU without records is told", silent_cpus_are_told, page)
    page.browser.close()
    page = Page(path)
    failed += judge("the critical path can be switched on and off", path_is_shown, page)
    failed += judge("a critical path of 400,000 steps is drawn as far as it is seen", long_path_is_drawn, page)
    page.browser.close()
    page = Page(inner)
    failed += judge("rows of other containers are left out, and can be had", others_are_left_out, page)
    page.browser.close()
    page = Page(nested)
    failed += judge("20,000 containers in one another open", nested_containers, page)
    print(f"# opened in {page.seconds:.1f} s")
    page.browser.close()
    page = Page(crowd)
    failed += judge("whoever makes 20,000 containers leaves others in the legend", crowd_is_listed, page)
    failed += judge("containers that are not in the legend are found", crowd_is_found, page)
    failed += judge("20,000 containers in one another that ran are drawn", crowd_is_drawn, page)
    print(f"# opened in {page.seconds:.1f} s")
    page.browser.close()
    page = Page(losses)
    failed += judge("20,000 times events were lost: the page opens and zooms", many_losses, page)
    print(f"# opened in {page.seconds:.1f} s")
    page.browser.close()
    print(f"1..{len(TESTS) + 10}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
