# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""picture.py PAGE PICTURE NAME...: takes a picture of a timeline's page, with containers highlighted."""

import sys

from browser import MODIFIERS, Browser

PAGE, PICTURE, *NAMES = sys.argv[1:]
WIDTH, HEIGHT = 920, 1200


def middle(browser, selector, name):
    """Of the element with that name."""
    return browser.run(f"""(() => {{
        const found = [...document.querySelectorAll({selector!r})].find((e) => e.textContent === {name!r});
        const box = found.getBoundingClientRect();
        return [box.left + 9, box.top + box.height / 2] }})()""")


browser = Browser(width=WIDTH, height=HEIGHT)
browser.open(PAGE)
for number, name in enumerate(NAMES):
    browser.click(*middle(browser, "#legend button span", name), MODIFIERS["ctrl"] if number else 0)
# No tooltip, no controls, and no rows below the last one that is highlighted.
browser.move(WIDTH - 1, HEIGHT - 1)
browser.run("document.querySelector('.tools').style.display = 'none'")
bottom = browser.run("Math.ceil(Math.max(...[...document.querySelectorAll('.label:not(.dim)')]"
                     ".map((e) => e.getBoundingClientRect().bottom)))")
browser.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=bottom, deviceScaleFactor=1, mobile=False)
browser.frame()
browser.screenshot(PICTURE)
complaints = browser.complaints
browser.close()
if complaints:
    raise SystemExit(f"error: the page complains: {complaints}")
