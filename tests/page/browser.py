# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
"""Drives a headless Chromium over a pipe, by the DevTools protocol."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time

PROGRAMS = ("chromium-headless-shell", "chromium")
# Software rendering in a machine that may be busy.
TIMEOUT = 60
MODIFIERS = {"alt": 1, "ctrl": 2, "shift": 8}


class Browser:
    """One page in a browser of its own. Everything it complains of is in .complaints."""

    def __init__(self, width=1280, height=800, scheme="light"):
        self.profile = tempfile.TemporaryDirectory()
        ours, theirs = os.pipe(), os.pipe()
        self.process = subprocess.Popen(
            [self.find(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage",
             "--user-data-dir=" + self.profile.name, f"--window-size={width},{height}"],
            preexec_fn=lambda: (os.dup2(ours[0], 3), os.dup2(theirs[1], 4)), pass_fds=(3, 4),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.to, self.back = ours[1], theirs[0]
        self.rest, self.number, self.session = b"", 0, None
        self.complaints, self.requests, self.events = [], [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    @staticmethod
    def find():
        for program in PROGRAMS:
            for directory in os.environ["PATH"].split(":"):
                if os.access(os.path.join(directory, program), os.X_OK):
                    return os.path.join(directory, program)
        raise SystemExit("Bail out! There is no browser; install one: packages=chromium-headless-shell")

    def receive(self, until):
        while b"\0" not in self.rest:
            if not select.select([self.back], [], [], max(until - time.time(), 0))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.back, 1 << 20)
            if not data:
                raise EOFError("the browser has ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        self.note(message)
        return message

    def note(self, message):
        """Keeps what the page complains of, and what it fetches."""
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"].get("exception", {}).get("description")
                                   or params["exceptionDetails"]["text"])
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(str([a.get("value", a.get("description")) for a in params["args"]]))
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append("a dialog: " + params["message"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        if method:
            self.events.append(message)

    def call(self, method, **params):
        self.number += 1
        number, until = self.number, time.time() + TIMEOUT
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.receive(until)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, path):
        """Loads a file and waits until it has painted; returns how long that took, in s."""
        self.events.clear()
        begin = time.time()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        until = begin + TIMEOUT
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.receive(until)
        self.frame()
        return time.time() - begin

    def run(self, expression, **more):
        """The value of a JavaScript expression; of a promise, what it becomes."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, **more)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def frame(self):
        """Lets the page draw what is due."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.frame()

    def click(self, x, y, modifiers=0):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1, modifiers=modifiers)
        self.frame()

    def drag(self, from_xy, to_xy, modifiers=0):
        self.mouse("mousePressed", *from_xy, button="left", clickCount=1, modifiers=modifiers)
        for part in (0.5, 1):
            self.mouse("mouseMoved", *(a + (b - a) * part for a, b in zip(from_xy, to_xy)), button="left",
                       buttons=1, modifiers=modifiers)
        self.mouse("mouseReleased", *to_xy, button="left", clickCount=1, modifiers=modifiers)
        self.frame()

    def wheel(self, x, y, by, modifiers=0):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=by, modifiers=modifiers)
        self.frame()

    def key(self, key, modifiers=0):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=modifiers,
                  windowsVirtualKeyCode=code.get(key, ord(key[0].upper())), **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)
        self.frame()

    def screenshot(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (EOFError, OSError, TimeoutError, RuntimeError):
            self.process.kill()
        self.process.wait(10)
        os.close(self.to)
        os.close(self.back)
        self.profile.cleanup()
