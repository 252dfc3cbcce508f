"""Drives the real programs from tests: a server of one's own, its client, its death and return.

    class Example(harness.ServerTest):
        config = harness.FIVE_NODES

        def test_submit(self):
            job = self.server.submit({"name": "hello", "run": ["echo", "hi"]})
            self.server.wait_state(job, "SUCCEEDED")
            self.assertIn("hi", self.server.ym("logs", job).stdout)

Nothing here measures time: tests wait for conditions, with deadlines that are generous
enough for a busy machine. Whatever a test leaves behind, jobs included, is ended.
"""

import datetime
import http.client
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import unittest
import urllib.parse

import processes

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("YM_BIN", ROOT / "build/release/bin"))
TIMEOUT = 120.0  # seconds; a deadline, not an expectation
TERMINAL = {"SUCCEEDED", "FAILED", "CANCELLED", "TIMED_OUT"}
CAMPAIGN = bool(os.environ.get("YM_CAMPAIGN"))  # the long fault campaign was asked for

FIVE_NODES = """
clusters:
  - name: lab
    executor: local
    nodes:
      - {names: "n[1-5]", gpus: "t4:4", cpus: 16, memory: 64GiB}
flavors:
  - {name: t4, match: {gpu: t4}}
"""


def wait_for(condition, what, timeout=TIMEOUT, pause=0.05):
    """Calls `condition` until it returns something true, and returns that. `what`: words, or what makes them in the end."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            what = what() if callable(what) else what
            raise AssertionError(f"waited {timeout:.0f} s in vain for {what}; last seen: {value!r}")
        time.sleep(pause)


def moment(text):
    """The time that the API writes."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def clean_environment(**extra):
    """The caller's environment without what steers `ym`, with HOME out of reach."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("YM_", "SLURM_", "PET_", "XDG_"))}
    return kept | {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"} | extra


class Server:
    """One `ym serve` on a state directory of its own, and a client for it.

    `folder` holds everything: `state` (its --state), `config.yaml`, `server.log`, `home`. `programs`: where ym and those
    beside it are.
    """

    def __init__(self, folder, config=None, arguments=(), wrapper=(), programs=None):
        self.folder = pathlib.Path(folder)
        self.state = self.folder / "state"
        self.home = self.folder / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "server.log"
        self.arguments, self.wrapper = list(arguments), list(wrapper)
        self.programs = pathlib.Path(programs or BIN)
        self.process, self.url, self.listen = None, None, "127.0.0.1:0"
        self.ca = None  # with TLS: the file of the authority that its clients trust
        self.config = None
        if config:
            self.config = self.folder / "config.yaml"
            self.config.write_text(config, encoding="utf-8")

    # --- life
    def command(self):
        port_file = self.folder / "port"
        port_file.unlink(missing_ok=True)
        command = [*self.wrapper, str(self.programs / "ym"), "serve", "--state", str(self.state), "--listen", self.listen,
                   "--port-file", str(port_file)]
        return command + (["--config", str(self.config)] if self.config else []) + self.arguments

    def spawn(self):
        """Starts it without waiting until it serves."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env=clean_environment(HOME=str(self.home)), cwd=self.folder,
                                            start_new_session=True)
        return self.process

    def start(self, timeout=TIMEOUT):
        """Starts it and returns when it is ready. A later start takes the same port again."""
        self.spawn()
        port_file = self.folder / "port"
        wait_for(lambda: self.process.poll() is not None or (port_file.exists() and port_file.read_text().strip()),
                 "the port file", timeout)
        if self.process.poll() is not None:
            raise AssertionError(f"the server ended with {self.process.returncode}:\n{self.log_text()[-4000:]}")
        port = port_file.read_text().strip().rsplit(":", 1)[-1]
        self.listen = f"127.0.0.1:{port}"
        self.url = f"{'https' if self.ca else 'http'}://{self.listen}"
        return self

    def kill(self, number=signal.SIGKILL):
        """SIGKILL by default; returns when the process is gone."""
        self.process.send_signal(number)
        return self.process.wait(TIMEOUT)

    def stop(self):
        """SIGTERM; the exit status."""
        return self.kill(signal.SIGTERM)

    def close(self):
        """Ends the server and every process that it or its jobs left behind."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        processes.end_all(str(self.folder))

    def log_text(self):
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    # --- the command line
    def environment(self, **extra):
        own = {"HOME": str(self.home), "YM_TOKEN_FILE": str(self.state / "admin.token")}
        own |= {"YM_CA_FILE": str(self.ca)} if self.ca else {}
        return clean_environment(**(own | ({"YM_URL": self.url} if self.url else {}) | extra))

    def ym(self, *arguments, input=None, check=True, timeout=TIMEOUT, cwd=None, **environment):
        """Runs `ym ARGUMENTS`; raises with all that it said unless it exits 0 (or `check` is off)."""
        run = subprocess.run([str(BIN / "ym"), *map(str, arguments)], input=input, text=True, capture_output=True,
                             timeout=timeout, env=self.environment(**environment), cwd=cwd or self.folder)
        if check and run.returncode != 0:
            raise AssertionError(f"ym {' '.join(map(str, arguments))} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
        return run

    def spawn_ym(self, *arguments, **environment):
        """A client that goes on, with its standard output as text in a pipe."""
        return subprocess.Popen([str(self.programs / "ym"), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True, env=self.environment(**environment), cwd=self.folder)

    def json(self, *arguments, **options):
        return json.loads(self.ym(*arguments, "-o", "json", **options).stdout)

    def submit(self, *specs, **options):
        """Submits job specs (as dicts, or as YAML text); the id of the first, or all ids if several."""
        text = "\n---\n".join(spec if isinstance(spec, str) else json.dumps(spec) for spec in specs)
        ids = [job["id"] for job in self.json("submit", "-", input=text, **options)]
        return ids[0] if len(ids) == 1 else ids

    def get(self, job):
        return self.json("get", job)

    def wait_state(self, job, *states, timeout=TIMEOUT):
        """Waits until the job is in one of the states; the job. Fails at once in another final state."""
        def look():
            seen = self.get(job)
            if seen["state"] not in states and seen["state"] in TERMINAL:
                raise AssertionError(f"job {job} is {seen['state']}, not {' or '.join(states)}: {json.dumps(seen, indent=1)}")
            return seen if seen["state"] in states else None
        return wait_for(look, lambda: f"job {job} to be {' or '.join(states)}: {self.story_of(job)}", timeout, pause=0.1)

    def story_of(self, job):
        """All that is known of it, for who reads why a test failed."""
        told = []
        for words in (("get", job, "-o", "json"), ("events", job), ("logs", job)):
            try:
                told.append(self.ym(*words, check=False, timeout=10).stdout[-4000:])
            except subprocess.TimeoutExpired as error:
                told.append(str(error))
        return "\n".join(told)

    def wait_end(self, job, timeout=TIMEOUT):
        return self.wait_state(job, *TERMINAL, timeout=timeout)

    # --- HTTP
    def token(self):
        return (self.state / "admin.token").read_text().strip()

    def connection(self, timeout=TIMEOUT):
        place = urllib.parse.urlsplit(self.url).netloc
        if not self.ca:
            return http.client.HTTPConnection(place, timeout=timeout)
        return http.client.HTTPSConnection(place, timeout=timeout, context=ssl.create_default_context(cafile=self.ca))

    def request(self, method, path, body=None, headers=(), authenticated=True, timeout=TIMEOUT):
        """One HTTP request; (status, headers as a dict with lower-case names, body as bytes)."""
        sent = {"Authorization": f"Bearer {self.token()}"} if authenticated else {}
        if isinstance(body, (dict, list)):
            body, sent["Content-Type"] = json.dumps(body), "application/json"
        connection = self.connection(timeout)
        try:
            connection.request(method, path, body=body, headers=sent | dict(headers))
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def api(self, method, path, body=None, **options):
        """request() on a JSON route below /api/v1: (status, decoded body or None)."""
        status, _, data = self.request(method, "/api/v1" + path, body, **options)
        return status, json.loads(data) if data else None

    # --- processes
    def processes_of(self, job):
        """Pids of the processes that run user code of this job; other servers have jobs of the same id."""
        return sorted(set(processes.with_environment("YM_JOB_ID", job)) & set(processes.with_environment("HOME", str(self.home))))


class ServerTest(unittest.TestCase):
    """A started server for each test, on a fresh state directory. Its log is shown when a test fails."""

    config = None
    arguments = ()
    started = True

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ym-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.server = Server(self.folder, self.config, self.arguments)
        self.addCleanup(self.server.close)
        self.addCleanup(self.show_log_of_failure)
        if self.started:
            self.server.start()

    def show_log_of_failure(self):
        outcome = getattr(self._outcome, "result", None)
        troubled = [test for test, _ in getattr(outcome, "errors", []) + getattr(outcome, "failures", [])]
        if self in troubled:
            print(f"--- the server's log of {self.id()} (its end)\n{self.server.log_text()[-6000:]}\n---")

    def refuses_to_start(self, said, code=1, server=None):
        """It ends with `code`, and the one error that it tells is `said`, word for word."""
        server = server or self.server
        before = len(server.log_text())
        status = server.spawn().wait(TIMEOUT)
        text = server.log_text()[before:]
        errors = [line.split(" error ", 1)[1] for line in text.splitlines() if " error " in line]
        self.assertEqual((status, errors), (code, [said]), text)

    def job_log(self, job, *arguments):
        return self.server.ym("logs", job, *arguments).stdout
