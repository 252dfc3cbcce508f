"""Durable submits: from one client and from 64, against the disk and against slurmrestd."""

import json
import os

import measure as m
import servers
import slurm

SLOW = {"LD_PRELOAD": str(m.BIN / "slow_fsync.so")}


def appends(count, slow=False):
    env = os.environ | (SLOW if slow else {})
    servers.PLACE.mkdir(parents=True, exist_ok=True)
    return m.program("bench_floor", "append", servers.PLACE, count, env=env)["per_second"]


class Ours:
    """Submits to a fresh server each time; keeps the slowest 99th percentile that it saw."""

    def __init__(self, clients, requests, slow=False):
        self.clients, self.requests, self.slow, self.p99 = clients, requests, slow, []

    def __call__(self):
        with servers.server(servers.nodes(1), slow_fsync=self.slow) as one:
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


def measure():
    table = m.Table("Durable submits over HTTP (1 job each, SQLite, fsync of each commit)")
    one, many = Ours(1, 3000), Ours(64, 20000)
    peers = {}
    why_not = slurm.missing()
    if why_not:
        values = m.interleaved(m.ROUNDS, floor=lambda: appends(3000), one=one, many=many)
        table.note(f"No comparison with slurmrestd: {why_not}.")
    else:
        with slurm.lab(1, rest=True) as lab:
            values = m.interleaved(m.ROUNDS, floor=lambda: appends(3000), one=one, many=many, peer=lambda: slurm_submit(lab))
        peers["rate"] = m.median(values["peer"])
    report(table, "1 client", one, values["one"], values["floor"], 0.5, 3000)
    rate = report(table, "64 clients", many, values["many"], values["floor"], 10, 10000)
    table.row("64 clients, p99", f"{m.median(many.p99):.1f} ms", wanted="<= 50 ms", reached=m.median(many.p99) <= 50)
    if peers:
        table.row("64 clients", f"{rate:,.0f}/s", f"slurmrestd {peers['rate']:,.0f}/s {m.spread(values['peer'])}",
                  f"{rate / peers['rate']:.1f}", ">= 5", rate >= 5 * peers["rate"])
    one, many = Ours(1, 600, slow=True), Ours(64, 10000, slow=True)
    values = m.interleaved(3, floor=lambda: appends(300, slow=True), one=one, many=many)
    report(table, "1 client, each fsync 2 ms slower", one, values["one"], values["floor"], 0.5, 3000)
    report(table, "64 clients, each fsync 2 ms slower", many, values["many"], values["floor"], 10, 10000)
    yield table
