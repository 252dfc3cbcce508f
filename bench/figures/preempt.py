"""From the submit of an urgent job to the notice of whom it stops, and to its own first line, where
the one that is stopped ends at once: none of its grace is used."""

import http.client
import json
import time
import uuid

import harness
import measure as m
import servers

JOBS = 20  # a round
# Says when it was told, and ends. SIGTERM comes right after the notice, whose own time would be
# that of the kernel's last tick.
PREEMPTED = """
import os, signal, sys, time
def told(*_):
    now = time.time_ns()
    os.stat(os.environ["YM_NOTICE_FILE"])
    if os.environ["YM_ATTEMPT"] != "1":  # queued again, and cancelled
        os._exit(0)
    with open(sys.argv[1] + ".new", "w") as file:
        file.write(str(now))
    os.replace(sys.argv[1] + ".new", sys.argv[1])
    os._exit(0)
signal.signal(signal.SIGTERM, told)
open(sys.argv[1] + ".up", "w").close()
while True:
    signal.pause()
"""
URGENT = 'date +%s%N > "$1.new" && mv "$1.new" "$1"'


class Duel:
    """One node of one GPU: a job that has it, and one that is to have it."""

    def __init__(self, one):
        self.one = one
        self.connection = http.client.HTTPConnection(one.listen)
        self.headers = {"Authorization": f"Bearer {one.token()}", "Content-Type": "application/json"}

    def ask(self, method, target, body=None):
        self.connection.request(method, target, json.dumps(body) if body else None, self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {target}: {answer.status} {text.decode()}")
        return json.loads(text) if text else None

    def submit(self, name, run, priority):
        spec = {"name": name, "run": run, "workdir": str(self.one.folder), "priority": priority,
                "resources": {"gpus": 1}}
        return self.ask("POST", "/api/v1/jobs", spec)["id"]

    def __call__(self):
        told, began = self.one.folder / uuid.uuid4().hex, self.one.folder / uuid.uuid4().hex
        preempted = self.submit("preempted", ["python3", "-S", "-c", PREEMPTED, str(told)], 10)
        harness.wait_for(told.with_suffix(".up").exists, "the preempted job's start", pause=0.001)
        before = time.time_ns()
        urgent = self.submit("urgent", ["sh", "-c", URGENT, "sh", str(began)], 90)
        harness.wait_for(began.exists, "the urgent job's first line", pause=0.0005)
        self.one.wait_end(urgent)
        self.ask("POST", f"/api/v1/jobs/{preempted}/cancel")
        self.one.wait_end(preempted)
        return (int(told.read_text()) - before) / 1e6, (int(began.read_text()) - before) / 1e6


def measure():
    table = m.Table("Preemption")
    with servers.server(servers.nodes(1, gpus=1)) as one:
        duel = Duel(one)
        duel()
        seen = [duel() for _ in range(m.ROUNDS * JOBS)]
    for what, values in (("urgent submit to the preempted job's notice", [s[0] for s in seen]),
                         ("urgent submit to its own first line, no grace used", [s[1] for s in seen])):
        slow = sorted(values)[int(len(values) * 0.95)]
        p50 = m.by_round(values)
        table.row(f"{what}, p50 of {JOBS}", f"{m.median(p50):.1f} ms {m.spread(p50)} (p95 of all {slow:.1f})", wanted="printed")
    yield table
