"""From a submit to the first line of user code, on an idle server, against starting it oneself."""

import http.client
import json
import pathlib
import subprocess
import time
import uuid

import harness
import measure as m
import servers

JOBS = 40  # a round
SCRIPT = 'date +%s%N > "$1.new" && mv "$1.new" "$1"'


def stamped(path):
    harness.wait_for(path.exists, f"{path}", pause=0.0005)
    return int(path.read_text())


def started_by_us(folder):
    path = folder / uuid.uuid4().hex
    before = time.time_ns()
    subprocess.run(["sh", "-c", SCRIPT, "sh", str(path)], check=True)
    return (stamped(path) - before) / 1e6


class Submitter:
    def __init__(self, one):
        self.one = one
        self.connection = http.client.HTTPConnection(one.listen)
        self.headers = {"Authorization": f"Bearer {one.token()}", "Content-Type": "application/json"}

    def __call__(self):
        path = self.one.folder / uuid.uuid4().hex
        spec = {"name": "stamp", "run": ["sh", "-c", SCRIPT, "sh", str(path)], "workdir": str(self.one.folder)}
        before = time.time_ns()
        self.connection.request("POST", "/api/v1/jobs", json.dumps(spec), self.headers)
        job = json.loads(self.connection.getresponse().read())
        took = (stamped(path) - before) / 1e6
        self.one.wait_end(job["id"])  # idle again before the next
        return took


def measure():
    table = m.Table("Submit to the first line of user code, idle server")
    with servers.server(servers.nodes(1)) as one:
        submit = Submitter(one)
        submit()
        values = m.interleaved(m.ROUNDS * JOBS, floor=lambda: started_by_us(pathlib.Path(one.folder)), ours=submit)
    p50, base = m.by_round(values["ours"]), m.by_round(values["floor"])
    ours, floor = m.median(p50), m.median(base)
    slow = sorted(values["ours"])[int(len(values["ours"]) * 0.95)]
    table.row(f"p50 of {JOBS} jobs", f"{ours:.1f} ms {m.spread(p50)} (p95 of all {slow:.1f})",
              f"fork+exec of the same {floor:.1f} ms {m.spread(base)}",
              f"{ours / floor:.1f}", "<= 100 ms above it", ours - floor <= 100)
    yield table
