"""What a user waits for with 10,000 jobs queued, and while a large gang starts."""

import http.client
import threading
import time
import urllib.parse

import measure as m
import servers

QUEUED = 10_000
GANG = 512  # tasks that start in one commit
GANGS = 6
LARGE = f"""
clusters:
  - name: lab
    executor: simulated
    nodes:
      - {{names: "n[1-{GANG + 1}]", gpus: "t4:4", cpus: 64, memory: 256GiB}}
"""


def timed(one, *words):
    begin = time.monotonic()
    one.ym(*words)
    return (time.monotonic() - begin) * 1000


class Reader(threading.Thread):
    """Asks for one job again and again, on one connection; how long each answer took, in ms."""

    def __init__(self, one, job):
        super().__init__(daemon=True)
        self.one, self.path, self.took, self.stopping = one, f"/api/v1/jobs/{job}", [], threading.Event()

    def run(self):
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.one.url).netloc, timeout=60)
        headers = {"Authorization": f"Bearer {self.one.token()}"}
        while not self.stopping.is_set():
            begin = time.monotonic()
            connection.request("GET", self.path, headers=headers)
            connection.getresponse().read()
            self.took.append((time.monotonic() - begin) * 1000)
            time.sleep(0.001)

    def stop(self):
        self.stopping.set()
        self.join()
        return sorted(self.took)


def read_while(one, job, act):
    reader = Reader(one, job)
    reader.start()
    act()
    return reader.stop()


def start_gangs(one):
    for number in range(GANGS):
        gang = one.submit({"name": f"gang-{number}", "nodes": GANG, "run": ["sleep", "600"], "resources": {"gpus": 4}})
        one.wait_state(gang, "RUNNING")
        one.ym("cancel", gang)
        one.wait_end(gang)


def beside_a_gang():
    table = m.Table(f"GET /jobs/ID while gangs of {GANG} tasks start")
    with servers.server(LARGE) as one:
        probe = one.submit({"name": "probe", "run": ["sleep", "6000"], "resources": {"gpus": 1}})
        one.wait_state(probe, "RUNNING")
        alone = read_while(one, probe, lambda: time.sleep(3))
        beside = read_while(one, probe, lambda: start_gangs(one))
    for name, part in (("median", 0.5), ("p99", 0.99), ("longest", 1.0)):
        rest, busy = (values[min(len(values) - 1, int(part * len(values)))] for values in (alone, beside))
        table.row(name, f"{busy:.1f} ms of {len(beside):,}", f"at rest {rest:.1f} ms", f"{busy / rest:.1f}")
    return table


def measure():
    yield beside_a_gang()
    table = m.Table(f"With {QUEUED:,} jobs queued")
    with servers.server(servers.nodes(1)) as one:
        servers.submit_load(one, servers.waiting_job(), 64, QUEUED - 1)
        last = one.submit(servers.waiting_job("last"))
        values = m.interleaved(m.ROUNDS, version=lambda: timed(one, "version"), ps=lambda: timed(one, "ps"),
                               why=lambda: timed(one, "why", last))
    base = m.median(values["version"])
    baseline = f"ym version {base:.0f} ms {m.spread(values['version'])}"
    for verb in ("ps", "why"):
        took = m.median(values[verb])
        table.row(f"ym {verb}", f"{took:.0f} ms {m.spread(values[verb])}", baseline, f"{took / base:.1f}", "<= 200 ms", took <= 200)
    yield table
