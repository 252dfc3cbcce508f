"""A real browser for tests: Debian's Chromium, driven by WebDriver (W3C), which is JSON over HTTP.

    browser = chromium.Chromium(folder, ca=authority.ca, hosts={"evil.test": "127.0.0.1"}).start()
    self.addCleanup(browser.stop)
    browser.open(server.url + "/device")
    browser.type("input[name=user_code]", "BCDF-GHJK")
    browser.click("button[value=look]")
"""

import base64
import http.client
import json
import os
import pathlib
import shutil
import subprocess

import harness
import ports

_LACKING = [program for program in ("chromium", "chromedriver", "certutil") if not shutil.which(program)]
MISSING = f"{', '.join(_LACKING)}: not installed; run tools/dev setup" if _LACKING else ""

# Nothing of it may ask other machines, or for attention.
ARGUMENTS = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1000,800"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # how the standard marks one in JSON


class Refused(Exception):
    """What the browser could not do. `code`: as the standard has it, such as "no such element"."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code = code


class Chromium:
    """`ca`: the file of an authority that it trusts beside those of the system. `hosts`: addresses of more names."""

    def __init__(self, folder, ca=None, hosts=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.ca, self.hosts = ca, hosts or {}
        self.log = self.folder / "chromedriver.log"
        self.port, self.driver, self.session = ports.free(1), None, None

    # --- life
    def start(self):
        self.trust()
        with self.log.open("ab") as log:
            self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdin=subprocess.DEVNULL, stdout=log,
                                           stderr=log, env=harness.clean_environment(HOME=str(self.folder), TMPDIR=str(self.folder)))
        harness.wait_for(self.answers, lambda: f"chromedriver: {self.log_text()}")
        arguments = ARGUMENTS + (["--no-sandbox"] if os.getuid() == 0 else []) + \
            ["--host-resolver-rules=" + ", ".join(f"MAP {name} {address}" for name, address in self.hosts.items())]
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                  "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments}}
        self.session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        return self

    def trust(self):
        """Chromium takes authorities of a user from its NSS database."""
        database = self.folder / ".pki/nssdb"
        database.mkdir(parents=True)
        commands = [["-N", "--empty-password"]] + ([["-A", "-n", "tests", "-t", "C,,", "-i", str(self.ca)]] if self.ca else [])
        for words in commands:
            subprocess.run(["certutil", "-d", f"sql:{database}", *words], check=True, capture_output=True)

    def answers(self):
        try:
            return self.driver.poll() is None and self.ask("GET", "/status")["ready"]
        except OSError:
            return False

    def stop(self):
        """Idempotent."""
        if self.session:
            session, self.session = self.session, None
            self.ask("DELETE", f"/session/{session}")
        if self.driver and self.driver.poll() is None:
            self.driver.terminate()
            self.driver.wait(harness.TIMEOUT)

    def log_text(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    # --- the protocol
    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=harness.TIMEOUT)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise Refused(value["error"], value["message"])
        return value

    def get(self, what):
        return self.ask("GET", f"/session/{self.session}/{what}")

    def do(self, what, **fields):
        return self.ask("POST", f"/session/{self.session}/{what}", fields)

    # --- pages; each waits until the page that it leads to is loaded
    def open(self, url):
        self.do("url", url=url)

    def back(self):
        self.do("back")

    def url(self):
        return self.get("url")

    def text(self):
        """What the page shows."""
        return self.script("return document.body ? document.body.innerText : ''")

    def find(self, css):
        """The first element; it may come late."""
        def look():
            found = self.do("elements", using="css selector", value=css)
            return found[0][ELEMENT] if found else None
        return harness.wait_for(look, lambda: f"{css} on {self.url()}: {self.text()}")

    def has(self, css):
        return bool(self.do("elements", using="css selector", value=css))

    def click(self, css):
        self.do(f"element/{self.find(css)}/click")

    def type(self, css, text):
        self.do(f"element/{self.find(css)}/value", text=text)

    def wait_text(self, text):
        harness.wait_for(lambda: text in self.text(), lambda: f"{text!r} on {self.url()}: {self.text()}")

    def script(self, body, *arguments):
        """What a script of the page returns; of a promise what it becomes."""
        return self.do("execute/sync", script=body, args=list(arguments))

    # --- what a page does not see
    def cookies(self):
        """Of the page's host, by name."""
        return {cookie["name"]: cookie for cookie in self.get("cookie")}

    def console(self):
        """Errors and warnings since the last call: of scripts, of requests, of the content's policy."""
        return [entry["message"] for entry in self.do("se/log", type="browser") if entry["level"] in ("SEVERE", "WARNING")]

    def tool(self, command, **fields):
        """A command of Chromium's own protocol for developers."""
        return self.do("goog/cdp/execute", cmd=command, params=fields)

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.get("screenshot")))
