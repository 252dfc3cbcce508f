"""One user floods the API at ten times its limit; what its neighbour waits for."""

import http.client
import json
import subprocess
import threading
import time
import urllib.parse

import measure as m
import servers

LIMIT = 200  # requests a second
FLOOD = 10 * LIMIT
SECONDS = 8
PACE = 0.02  # of the neighbour: 50 a second


class Neighbour(threading.Thread):
    """Submits a job, and reads it, again and again; how long each answer took, in ms."""

    def __init__(self, one, token):
        super().__init__(daemon=True)
        self.one, self.token, self.took, self.stopping = one, token, {"submit": [], "read": []}, threading.Event()

    def ask(self, kind, *request):
        begin = time.monotonic()
        self.connection.request(*request, headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"the neighbour was answered with {answer.status}")
        self.took[kind].append((time.monotonic() - begin) * 1000)
        return body

    def run(self):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.one.url).netloc, timeout=60)
        while not self.stopping.is_set():
            job = json.loads(self.ask("submit", "POST", "/api/v1/jobs", json.dumps(servers.waiting_job())))["id"]
            self.ask("read", "GET", f"/api/v1/jobs/{job}")
            time.sleep(PACE)

    def while_(self, act):
        self.start()
        act()
        self.stopping.set()
        self.join()
        return self.took


def flood(one, token):
    """Requests of the flooding user at FLOOD a second, over 16 connections."""
    script = one.folder / "flood.txt"
    script.write_text("".join(f"{1000 * i // FLOOD} \n" for i in range(FLOOD * SECONDS)), encoding="utf-8")
    command = [str(m.BIN / "bench_http_load"), "--connect", one.listen, "--method", "GET", "--target", "/api/v1/queues",
               "--clients", "16", "--script", str(script), "--header", f"Authorization: Bearer {token}"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def p99(values):
    return sorted(values)[int(0.99 * len(values))]


def measure():
    config = servers.nodes(1) + f"user_limits: {{requests_per_second: {LIMIT}}}\n"
    rounds = {"submit": [], "read": []}
    served = []
    for _ in range(m.ROUNDS):
        with servers.server(config) as one:
            quiet, loud = (one.ym("token", "create", "--for", name).stdout.strip() for name in ("quiet", "loud"))
            alone = Neighbour(one, quiet).while_(lambda: time.sleep(SECONDS))
            beside = Neighbour(one, quiet).while_(lambda: served.append(flood(one, loud)))
            for kind, pairs in rounds.items():
                pairs.append((p99(alone[kind]), p99(beside[kind])))
    table = m.Table(f"a user asks {FLOOD:,} times a second, ten times its limit; p99 of its neighbour")
    for kind, pairs in rounds.items():
        idle, busy = m.median([pair[0] for pair in pairs]), m.median([pair[1] for pair in pairs])
        ratios = [pair[1] / pair[0] for pair in pairs]
        table.row(kind, f"{busy:.1f} ms {m.spread([pair[1] for pair in pairs])}", f"alone {idle:.1f} ms", f"{m.median(ratios):.1f}",
                  "<= 2", m.median(ratios) <= 2)
    yield table
