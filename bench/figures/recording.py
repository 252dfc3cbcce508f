"""What `ym serve --record` costs: submits and dispatch with and without it, in turn."""

import measure as m
import servers
from figures import dispatch

REQUESTS = 20000
RECORD = ("--record", "1GiB")


def submits(arguments=()):
    with servers.server(servers.nodes(1), arguments=arguments) as one:
        return servers.submit_load(one, servers.waiting_job(), 64, REQUESTS)["per_second"]


def size_of(one):
    return sum(segment.stat().st_size for segment in (one.state / "recordings").iterdir())


def report(table, name, recorded, plain):
    rate, base = m.median(recorded), m.median(plain)
    table.row(name, f"{rate:,.0f}/s {m.spread(recorded)}", f"not recorded {base:,.0f}/s {m.spread(plain)}", f"{rate / base:.2f}")


def measure():
    table = m.Table("A server that records its decisions")
    values = m.interleaved(m.ROUNDS, plain=submits, recorded=lambda: submits(RECORD))
    report(table, "submits of 64 clients", values["recorded"], values["plain"])
    sizes = []
    values = m.interleaved(m.ROUNDS, plain=dispatch.ours,
                           recorded=lambda: dispatch.ours(RECORD, look=lambda one: sizes.append(size_of(one))))
    report(table, f"dispatch of {dispatch.JOBS:,} no-op jobs", values["recorded"], values["plain"])
    table.row("recorded of a job", f"{m.median(sizes) / dispatch.JOBS:,.0f} bytes")
    yield table
