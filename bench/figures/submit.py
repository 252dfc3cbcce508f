"""Durable submits: from one client and from 64, against the disk and against slurmrestd."""

import contextlib
import json
import os

import measure as m
import servers
import slurm

SLOW_SECONDS = 0.002  # what slow_fsync adds
# Submits of one client and of 64, appends of the floor.
REQUESTS, SLOW_REQUESTS = (3000, 20000, 3000), (600, 10000, 300)


def appends(count, slow=False):
    env = os.environ | ({"LD_PRELOAD": str(servers.SLOW_FSYNC)} if slow else {})
    servers.PLACE.mkdir(parents=True, exist_ok=True)
    rate = m.program("bench_floor", "append", servers.PLACE, count, env=env)["per_second"]
    if slow and rate > 1 / SLOW_SECONDS:
        raise RuntimeError(f"the floor made {rate:.0f} appends a second without {servers.SLOW_FSYNC}")
    return rate


class Ours:
    """Submits to a fresh server each time; keeps the slowest 99th percentile that it saw."""

    def __init__(self, clients, requests, slow=False, tls=False):
        self.clients, self.requests, self.slow, self.tls, self.p99 = clients, requests, slow, tls, []

    def __call__(self):
        with servers.server(servers.nodes(1), slow_fsync=self.slow, tls=self.tls) as one:
            seen = servers.submit_load(one, servers.waiting_job(), self.clients, self.requests)
        self.p99.append(seen["p99_ms"])
        return seen["per_second"]


def slurm_submit(one, requests=1000):
    body = servers.PLACE / "slurm-job.json"
    job = {"script": "#!/bin/sh\ntrue\n",
           "job": {"name": "wait", "partition": "train", "hold": True, "current_working_directory": "/tmp",
                   "environment": {"PATH": "/usr/bin:/bin"}}}
    body.write_text(json.dumps(job), encoding="utf-8")
    seen = m.program("bench_http_load", "--connect", f"unix:{one.rest_socket}", "--target", "/slurm/v0.0.38/job/submit",
                     "--clients", 64, "--requests", requests, "--body", body, "--header", "Content-Type: application/json")
    if set(seen["statuses"]) != {"200"}:
        raise RuntimeError(f"slurmrestd refused submits: {seen['statuses']}")
    return seen["per_second"]


def report(table, name, ours, rates, floor, wanted_ratio, wanted_rate):
    rate, base = m.median(rates), m.median(floor)
    wanted = min(wanted_ratio * base, wanted_rate)
    table.row(name, f"{rate:,.0f}/s {m.spread(rates)}, p99 {m.median(ours.p99):.1f} ms",
              f"append+fdatasync {base:,.0f}/s {m.spread(floor)}", f"{rate / base:.2f}", f">= {wanted:,.0f}/s", rate >= wanted)
    return rate


def compare(table, slow, with_slurm):
    """The rows of one client and of 64, on this disk or with slower fsyncs."""
    single, several, appended = SLOW_REQUESTS if slow else REQUESTS
    one, many = Ours(1, single, slow), Ours(64, several, slow)
    measurements = {"floor": lambda: appends(appended, slow), "one": one, "many": many}
    with contextlib.ExitStack() as stack:
        if with_slurm:
            lab = stack.enter_context(slurm.lab(1, rest=True, slow_fsync=slow))
            measurements["peer"] = lambda: slurm_submit(lab)
        values = m.interleaved(m.ROUNDS, **measurements)
    where = ", each fsync 2 ms slower" if slow else ""
    report(table, "1 client" + where, one, values["one"], values["floor"], 0.5, 3000)
    rate = report(table, "64 clients" + where, many, values["many"], values["floor"], 10, 10000)
    if not slow:
        table.row("64 clients, p99", f"{m.median(many.p99):.1f} ms {m.spread(many.p99)}", wanted="<= 50 ms",
                  reached=m.median(many.p99) <= 50)
    if with_slurm:
        peer = m.median(values["peer"])
        table.row("64 clients" + where, f"{rate:,.0f}/s", f"slurmrestd {peer:,.0f}/s {m.spread(values['peer'])}",
                  f"{rate / peer:.1f}", ">= 5", rate >= 5 * peer)


def compare_tls(table):
    """Kept connections, as clients have them: the handshake is paid once."""
    for clients, requests in ((1, REQUESTS[0]), (64, REQUESTS[1])):
        plain, tls = Ours(clients, requests), Ours(clients, requests, tls=True)
        values = m.interleaved(m.ROUNDS, plain=plain, tls=tls)
        rate, base = m.median(values["tls"]), m.median(values["plain"])
        table.row(f"{clients} client{'s' if clients > 1 else ''}, TLS", f"{rate:,.0f}/s {m.spread(values['tls'])}, p99 {m.median(tls.p99):.1f} ms",
                  f"without {base:,.0f}/s {m.spread(values['plain'])}", f"{rate / base:.2f}", ">= 0.85", rate >= 0.85 * base)


def measure():
    table = m.Table("Durable submits over HTTP (1 job each, SQLite, fsync of each commit)")
    why_not = slurm.missing()
    if why_not:
        table.note(f"No comparison with slurmrestd: {why_not}.")
    for slow in (False, True):
        compare(table, slow, not why_not)
    compare_tls(table)
    yield table
