"""Several servers on one PostgreSQL: what the tests of them, and the figures, share."""

import http.client
import itertools
import json
import pathlib
import shutil
import tempfile
import threading
import time
import unittest
import urllib.parse

import harness
import postgres
from ledger import JOB, read_ledger

CONFIG = """
clusters:
  - name: lab
    executor: local
    nodes:
      - {names: "n[1-5]", gpus: "t4:4", cpus: 16, memory: 64GiB}
  - name: far
    executor: simulated
    nodes:
      - {names: "s[1-2]", gpus: "h100:8", cpus: 64}
flavors:
  - {name: t4, match: {gpu: t4}}
  - {name: h100, match: {gpu: h100}}
"""


class Member(harness.Server):
    """One of several servers of a state. Until it has led it has no token of its own, and borrows one."""

    lender = None

    @property
    def token_file(self):
        own = self.state / "admin.token"
        return own if own.exists() or self.lender is None else self.lender.token_file

    def token(self):
        return self.token_file.read_text().strip()

    def environment(self, **extra):
        return super().environment(**({"YM_TOKEN_FILE": str(self.token_file)} | extra))

    def readiness(self):
        """The status of /readyz, and what it says; None if nobody answers."""
        try:
            status, _, body = self.request("GET", "/readyz", authenticated=False)
        except (OSError, http.client.HTTPException):
            return None, ""
        return status, json.loads(body).get("detail", "")

    def begin(self):
        """Starts it as the first server of the state, and makes that."""
        self.arguments.append("--init")
        self.start().wait_to_lead()
        self.arguments.remove("--init")
        return self

    def wait_to_lead(self):
        harness.wait_for(lambda: self.readiness()[0] == 200, f"{self.folder.name} to lead", pause=0.1)
        return self


class OnPostgres(unittest.TestCase):
    """A database for all, a schema for each test."""

    numbers = itertools.count()

    @classmethod
    def setUpClass(cls):
        cls.database = postgres.Database()
        cls.addClassCleanup(cls.database.close)
        cls.database.start().create()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ym-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.schema = f"place_{next(self.numbers)}"
        self.members = []
        self.addCleanup(self.show_logs_of_failure)

    def member(self, name, config=CONFIG):
        store = ["--store", self.database.url(), "--store-schema", self.schema]
        one = Member(self.folder / name, config, store)
        self.addCleanup(one.close)
        one.lender = self.members[0] if self.members else None
        self.members.append(one)
        return one

    def leader(self, name="a"):
        return self.member(name).begin()

    def pair(self):
        leader = self.leader()
        standby = self.member("b").start()
        self.assertEqual(standby.readiness()[0], 503)
        return leader, standby

    def show_logs_of_failure(self):
        outcome = getattr(self._outcome, "result", None)
        if self not in [test for test, _ in getattr(outcome, "errors", []) + getattr(outcome, "failures", [])]:
            return
        for one in self.members:
            print(f"--- the log of {one.folder.name} of {self.id()} (its end)\n{one.log_text()[-4000:]}\n---")

    def sql(self, statement):
        return self.database.sql(f"SET search_path TO {self.schema}; {statement}")

    def run_for(self, server, seconds, **more):
        """A job that writes into the ledger when it begins and ends."""
        return server.submit({"run": ["sh", "-c", JOB], "resources": {"gpus": "t4:1"},
                              "env": {"NAP": str(seconds), "LEDGER": str(self.ledger)}, **more})

    @property
    def ledger(self):
        return self.folder / "ledger"

    def check_ran_once(self, *jobs):
        runs = read_ledger(self.ledger)
        for job in jobs:
            self.assertEqual([len(starts) for run, starts in runs.items() if run[0] == job], [1], f"{job}: {runs}")


class Client(threading.Thread):
    """Submits until told to stop, to whoever takes it; remembers only what was acknowledged."""

    def __init__(self, name, servers):
        super().__init__(name=name, daemon=True)
        self.servers, self.submitted, self.errors = servers, {}, []
        self.stopping = threading.Event()

    def end(self):
        self.stopping.set()
        self.join(harness.TIMEOUT)

    def run(self):
        for number in itertools.count():
            if self.stopping.is_set():
                return
            self.submit(f"{self.name}-{number}")
            time.sleep(0.1)

    def submit(self, name):
        spec = {"name": name, "run": ["sleep", "0.1"], "resources": {"gpus": "h100:1"}}
        for server in itertools.cycle(self.servers):
            if self.stopping.is_set():
                return
            try:
                status, answer = server.api("POST", "/jobs", spec, headers={"Idempotency-Key": name}, timeout=20)
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                status = None
            if status == 201:
                self.submitted[name] = answer["id"]
                return
            if status not in (None, 503):
                self.errors.append((status, answer))
                return
            time.sleep(0.05)


class Watcher(threading.Thread):
    """Follows the feed of one server from its start, whoever leads."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.seen, self.ended = [], threading.Event()
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(server.url).netloc, timeout=harness.TIMEOUT)
        headers = {"Authorization": f"Bearer {server.token()}", "Accept": "text/event-stream"}
        self.connection.request("GET", "/api/v1/events?after=0", headers=headers)
        self.answer = self.connection.getresponse()
        self.start()

    def run(self):
        try:
            for line in self.answer:
                if line.startswith(b"id: "):
                    self.seen.append(int(line[4:]))
        except (OSError, http.client.HTTPException, ValueError):
            pass
        self.ended.set()

    def check(self, test, server):
        """Its stream went on over the takeover, until its server was stopped, and missed nothing."""
        test.assertTrue(self.ended.wait(harness.TIMEOUT))
        self.answer.close()
        self.connection.close()
        test.assertEqual(self.seen, list(range(1, len(self.seen) + 1)))
        events = server.api("GET", f"/events?after=0&limit=1000")[1]["items"]
        started = [event["seq"] for event in events if event["type"] == "server.started"]
        test.assertGreater(len(self.seen), started[1], "it did not outlast the takeover")


def every_job(server):
    found, cursor = [], None
    while True:
        _, page = server.api("GET", "/jobs?limit=1000" + (f"&cursor={cursor}" if cursor else ""))
        found += page["items"]
        cursor = page["next"]
        if not cursor:
            return found
