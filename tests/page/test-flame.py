# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
"""What the page of flame graphs shows, held against the folded stacks of the same trace. TAP."""

import contextlib
import json
import math
import random
import re
import sys
import tempfile
import time
import traceback

from browser import Browser

# px; what is narrower is painted.
SLIVER = 3
UNITS = {"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1, "sample": 1, "samples": 1}


def read(path):
    """[([frame...], value)...] of a file of folded stacks, and what they were before, or None."""
    stacks, before = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            frames, *values = line.rstrip("\n").split(" ")
            names = [f.replace("\\x20", " ").replace("\\x3b", ";") for f in frames.split(";")]
            stacks.append((names, int(values[-1])))
            before.append((names, int(values[0])))
    return stacks, before if len(values) > 1 else None


def turned(frames):
    return frames[:1] + frames[:1:-1] + frames[1:2]


class Page:
    def __init__(self, page, folded):
        self.browser = Browser(width=1280, height=800)
        self.browser.open(page)
        self.run = self.browser.run
        self.stacks, self.before = read(folded)
        self.all = sum(v for _, v in self.stacks)

    def boxes(self):
        """Of each frame that is drawn: name, row, left, width, x and y of its middle."""
        return self.run("""(() => { const at = document.getElementById("graph").getBoundingClientRect();
            return [...document.querySelectorAll("#graph div")].map((d) => { const b = d.getBoundingClientRect();
                return { name: d.textContent || d.ariaLabel, row: Math.round((b.top - at.top) / 18), left: b.left - at.left,
                    width: b.width + 1, x: b.left + b.width / 2, y: b.top + 8,
                    above: d.classList.contains("above"), found: d.classList.contains("found") } }) })()""")

    def data(self, member):
        return self.run(f"JSON.parse(document.getElementById('data').textContent).{member}")

    def width(self):
        return self.run("document.getElementById('graph').clientWidth")

    def status(self):
        return self.run("document.getElementById('status').textContent")

    def value(self):
        """What the line below the graph says of how much, in ns or samples; and the share of all."""
        number, unit, share = re.search(r": ([\d.]+) (\S+), ([\d.]+)% of all", self.status()).groups()
        return float(number) * UNITS[unit], float(share)

    def sums(self, turn=False, stacks=None):
        """Of each path from the container on, what is in it."""
        sums = {}
        for frames, value in stacks or self.stacks:
            names = turned(frames) if turn else frames
            for n in range(len(names)):
                path = tuple(names[:n + 1])
                sums[path] = sums.get(path, 0) + value
        return sums

    def click(self, name, row):
        box, = [b for b in self.boxes() if b["name"] == name and b["row"] == row]
        self.browser.click(box["x"], box["y"])

    def search(self, text):
        self.run(f"""(() => {{ const s = document.getElementById("search"); s.value = {text!r};
            s.dispatchEvent(new Event("input")) }})()""")

    def reset(self):
        self.search("")
        # What the mouse is over would be told.
        self.browser.move(600, 5)
        self.run("document.getElementById('graph').focus()")
        self.browser.key("Escape")


def widths_agree(page, turn):
    """Every frame that is wide enough is drawn, at its row, as wide as its share."""
    width = page.width()
    left = [(path[-1], len(path), width * v / page.all) for path, v in page.sums(turn).items()
            if width * v / page.all >= SLIVER]
    boxes = page.boxes()
    for name, row, wide in left:
        near = [b for b in boxes if b["name"] == name and b["row"] == row and abs(b["width"] - wide) < 1.1]
        assert near, (name, row, wide, [b for b in boxes if b["name"] == name])
        boxes.remove(near[0])
    assert all(b["row"] == 0 or b["width"] <= SLIVER + 1 for b in boxes), boxes
    assert len(left) > 5, left


def opens(page):
    assert page.browser.complaints == [], page.browser.complaints
    assert len(page.browser.requests) == 1, page.browser.requests


def frames_are_as_wide_as_their_shares(page):
    widths_agree(page, False)


def reversed_the_leaf_is_on_top(page):
    page.browser.key("r")
    widths_agree(page, True)
    page.browser.key("r")


def a_frame_that_is_clicked_fills_the_width(page):
    sums = page.sums()
    paths = [p for p in sums if len(p) == 3]
    path = max((p for p in paths if [q[2] for q in paths].count(p[2]) == 1), key=sums.get)
    page.click(path[2], 3)
    boxes = page.boxes()
    assert [b["name"] for b in boxes if b["above"]] == ["all", *path[:2]], boxes
    own = next(b for b in boxes if b["name"] == path[2] and b["row"] == 3)
    assert abs(own["width"] - page.width()) < 1.1, own
    value, share = page.value()
    assert abs(value - sums[path]) <= sums[path] / 1000, (value, sums[path])
    assert abs(share - 100 * sums[path] / page.all) < 0.01, share
    page.reset()
    assert not [b for b in page.boxes() if b["above"]]


def what_is_searched_for_is_added_up_once(page):
    names = {f for frames, _ in page.stacks for f in frames[2:]}
    for text in sorted(names, key=len)[:3] + ["e"]:
        page.search(text)
        want = sum(v for frames, v in page.stacks if any(text.lower() in f.lower() for f in frames))
        said = page.run("document.getElementById('matched').textContent")
        assert abs(float(said.split("%")[0]) - 100 * want / page.all) < 0.01, (text, said, want)
        for box in page.boxes():
            assert box["found"] == (box["row"] > 0 and text.lower() in box["name"].lower()) or box["row"] == 0, box
    page.search("no function is called this")
    assert page.run("document.getElementById('search').classList.contains('none')")
    page.reset()


def a_container_is_shown_alone(page):
    page.reset()
    sums = {}
    for frames, value in page.stacks:
        sums[frames[0]] = sums.get(frames[0], 0) + value
    least = min(sums, key=sums.get)
    index = page.run("[...document.querySelectorAll('#legend span')].map((e) => e.textContent)").index(least)
    page.run(f"document.querySelectorAll('#legend button')[{index}].click()")
    boxes = page.boxes()
    assert {b["name"] for b in boxes if b["row"] == 1} == {least}, boxes
    assert abs(page.value()[0] - sums[least]) <= sums[least] / 1000 + 0.001, page.status()
    page.run("document.getElementById('whole').click()")
    assert len({b["name"] for b in page.boxes() if b["row"] == 1}) > 1


def keys_choose_and_zoom(page):
    page.reset()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.browser.key(key)
    sums = page.sums()
    top = max((p for p in sums if len(p) == 1), key=sums.get)
    second = max((p for p in sums if len(p) == 2 and p[0] == top[0]), key=sums.get)
    assert page.status().startswith(second[-1] + ": "), page.status()
    assert [b["name"] for b in page.boxes() if b["above"]] == ["all", top[0]], page.boxes()
    page.browser.key("0")
    assert not [b for b in page.boxes() if b["above"]]


def names_are_text(page):
    assert page.run("document.querySelectorAll('#graph *:not(div, canvas), #legend img, #status *').length") == 0
    assert page.run("document.title") == "Flame graph of containers"


def policy_forbids_what_is_not_of_the_page(page):
    page.browser.complaints.clear()
    page.run("""(() => { const s = document.createElement("script"); s.textContent = "document.title = 'run'";
        document.body.append(s); const i = document.createElement("img"); i.src = "https://example.org/x";
        document.body.append(i) })()""")
    page.browser.frame()
    assert page.run("document.title") == "Flame graph of containers"
    assert len(page.browser.complaints) >= 2, page.browser.complaints


def two_containers_are_side_by_side(page):
    page.reset()
    names = page.run("[...document.querySelectorAll('#legend span')].map((e) => e.textContent)")[:2]
    for index, held in enumerate(("false", "true")):
        page.run(f"""document.querySelectorAll('#legend button')[{index}].dispatchEvent(
            new MouseEvent("click", {{ ctrlKey: {held} }}))""")
    drawn = {b["name"] for b in page.boxes() if b["row"] == 1}
    sums = {p[0]: v for p, v in page.sums().items() if len(p) == 1}
    assert drawn == {n for n in names if sums[n]}, (drawn, names)
    page.run("document.getElementById('whole').click()")


def what_is_not_known_is_said(page):
    notes = page.run("[...document.querySelectorAll('#notes li')].map((e) => e.textContent)")
    assert any("end after one frame" in n for n in notes), notes


def what_changed_is_red_or_blue(page):
    """Against sums of the two numbers of each line; boxes of the first row are wide enough to be drawn in any case."""
    page.reset()
    now, then = page.sums(), page.sums(stacks=page.before)
    scale = page.data("scale_millionths") / 1e6
    seen = set()
    for box in page.boxes():
        if box["row"] == 0:
            continue
        paths = [p for p in now if len(p) == box["row"] and p[-1] == box["name"]]
        if len(paths) != 1:
            continue
        value, before = now[paths[0]], then[paths[0]] * scale
        page.browser.move(box["x"], box["y"])
        hue = page.run(f"""document.elementFromPoint({box["x"]}, {box["y"]}).style.background""")
        if page.data("unit") == "samples":
            chance = 2 * math.sqrt(value + before * scale)
        else:
            chance = 0
        want = "line" if abs(value - before) <= chance else "red" if value > before else "blue"
        channels = [int(c) for c in re.findall(r"\d+", page.run(
            f"getComputedStyle(document.elementFromPoint({box['x']}, {box['y']})).backgroundColor"))][:3]
        got = "line" if "--line" in hue else "red" if channels[0] > channels[2] else "blue"
        assert got == want, (box, value, before, hue, channels)
        seen.add(got)
    assert len(seen) > 1, seen


def widths_of_before(page):
    page.reset()
    page.browser.key("b")
    was, page.stacks, page.all = (page.stacks, page.all), page.before, sum(v for _, v in page.before)
    try:
        widths_agree(page, False)
    finally:
        page.stacks, page.all = was
        page.browser.key("b")


@contextlib.contextmanager
def made(path, frames, stacks):
    """A browser with the page of other data; how long it took to open."""
    with open(path, encoding="utf-8") as page:
        text = page.read()
    data = {"title": "made", "unit": "samples", "stacks": stacks, "frames": frames, "notes": []}
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".html") as page:
        page.write(re.sub(r'(<script type="application/json" id="data">).*?(</script>)',
                          lambda m: m[1] + json.dumps(data) + m[2], text, count=1, flags=re.S))
        page.flush()
        browser = Browser(width=1280, height=800)
        try:
            seconds = browser.open(page.name)
            print(f"# opened in {seconds:.1f} s")
            assert browser.complaints == [], browser.complaints
            yield browser, seconds
        finally:
            browser.close()


def many_containers_open(path):
    """A page whose data have 150,000 containers: those that have most are listed, and what is there is drawn."""
    number = 150000
    stacks = [[1, i] for i in range(number - 1)] + [[number, number - 1]]
    with made(path, [f"box {i}" for i in range(number)], stacks) as (browser, _):
        listed = browser.run("[...document.querySelectorAll('#legend button')].map((b) => b.textContent)")
        assert len(listed) == 2000 and listed[0] == f"box {number - 1}", (len(listed), listed[:1])
        assert "and 148000 more" in browser.run("document.getElementById('legend').textContent")
        drawn = browser.run("[...document.querySelectorAll('#graph div')].map((d) => d.textContent)")
        assert drawn == ["all", f"box {number - 1}"], drawn


def deep_stacks_of_long_names_open(path):
    """2,400 stacks are each just wide enough to be drawn, and 122 frames deep; each function has a name of kilobytes."""
    number, depth = 2400, 120
    frames = ["box", "task"] + [f"f{i:04}" + "x" * 4000 for i in range(number)]
    stacks = [[1, 0, 1] + [2 + (i + d) % number for d in range(depth)] for i in range(number)]
    with made(path, frames, stacks) as (browser, seconds):
        assert seconds < 30, seconds
        # What is so narrow is painted, in the rows that are in the window.
        assert browser.run("document.querySelectorAll('#graph div').length") == 3
        assert browser.run("document.getElementById('graph').scrollHeight") >= (depth + 3) * 18
        painted = """[...document.querySelector('#graph canvas').getContext('2d').getImageData(600, %s, 1, 1).data]"""
        assert browser.run(painted % (10 * 18 + 5))[3] > 0
        height = browser.run("document.getElementById('graph').clientHeight")
        begin = time.time()
        browser.run("document.getElementById('graph').scrollTop = 1e6")
        browser.frame()
        assert browser.run(painted % 5)[3] > 0
        left, top = browser.run("(() => { const b = document.getElementById('graph').getBoundingClientRect(); return [b.left, b.top] })()")
        browser.move(left + 600, top + 100)
        status = browser.run("document.getElementById('status').textContent")
        assert re.match(r"f\d+x+: 1 sample, 0.04% of all$", status), status[-30:]
        assert browser.run("document.getElementById('graph').clientHeight") > height - 100
        browser.click(left + 600, top + 100)
        drawn = browser.run("[...document.querySelectorAll('#graph div')].map((d) => d.textContent)")
        assert drawn[:3] == ["all", "box", "task"] and len(drawn) > 30 and len(drawn[-1]) < 1300, (len(drawn), drawn[:3])
        assert time.time() - begin < 30, time.time() - begin


def many_stacks_take_little_memory(path):
    """Of 10,000 stacks that differ from their third frame on nobody can see what is further inside."""
    random.seed(1)
    stacks = [[1, 0, 1] + [random.randrange(2, 1002) for _ in range(120)] for _ in range(10000)]
    with made(path, ["box", "task"] + [f"f{i}" for i in range(1000)], stacks) as (browser, _):
        used = browser.call("Runtime.getHeapUsage")["usedSize"] / 1e6
        assert used < 100, used


TESTS = [opens, frames_are_as_wide_as_their_shares, reversed_the_leaf_is_on_top, a_frame_that_is_clicked_fills_the_width,
         what_is_searched_for_is_added_up_once, a_container_is_shown_alone, keys_choose_and_zoom, names_are_text,
         two_containers_are_side_by_side, what_is_not_known_is_said, policy_forbids_what_is_not_of_the_page]
# Of two recordings; the sums of others are those of the second one.
COMPARED = [opens, frames_are_as_wide_as_their_shares, reversed_the_leaf_is_on_top, what_changed_is_red_or_blue,
            widths_of_before, names_are_text]


def main():
    failed = 0
    for page, folded, what in zip(sys.argv[1::3], sys.argv[2::3], sys.argv[3::3]):
        shown = Page(page, folded)
        for test in COMPARED if shown.before else TESTS:
            title = f"flame, {what}: " + test.__name__.replace("_", " ")
            try:
                test(shown)
                print("ok -", title)
            except Exception:  # each is told
                failed += 1
                print("not ok -", title)
                print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), end="")
        shown.browser.close()
    for test in many_containers_open, deep_stacks_of_long_names_open, many_stacks_take_little_memory:
        title = "flame: " + test.__name__.replace("_", " ")
        try:
            test(sys.argv[1])
            print("ok -", title)
        except Exception:  # as above
            failed += 1
            print("not ok -", title)
            print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), end="")
    sys.exit(failed > 0)


main()
