"""What a user waits for with 10,000 jobs queued."""

import time

import measure as m
import servers

QUEUED = 10_000


def timed(one, *words):
    begin = time.monotonic()
    one.ym(*words)
    return (time.monotonic() - begin) * 1000


def measure():
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
