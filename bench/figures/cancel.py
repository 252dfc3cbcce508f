"""Many waiting jobs cancelled at once, beside one request for each, and beside their submit."""

import time

import measure as m
import servers

JOBS = 50_000
EACH = 10_000  # of a request
ALONE = 1_000


def seconds(act):
    before = time.perf_counter()
    act()
    return time.perf_counter() - before


def expect(answer, *statuses):
    if answer[0] not in statuses:
        raise RuntimeError(f"answered with {answer[0]}: {answer[1]}")
    return answer[1]


def submit(one):
    for _ in range(JOBS // EACH):
        expect(one.api("POST", "/jobs", servers.waiting_job() | {"array": EACH}), 201)


def cancel_together(one, ids):
    for at in range(0, len(ids), EACH):
        expect(one.api("POST", "/jobs:cancel", {"jobs": ids[at:at + EACH]}), 200)


def cancel_alone(one, ids):
    for job in ids:
        expect(one.api("POST", f"/jobs/{job}/cancel"), 200, 202)


def round_of():
    """Jobs a second: submitted, cancelled alone, cancelled together."""
    with servers.server(servers.nodes(1)) as one:
        submitted = seconds(lambda: submit(one))
        ids = [job["id"] for job in servers.jobs(one, "state=QUEUED")]
        alone = seconds(lambda: cancel_alone(one, ids[:ALONE]))
        together = seconds(lambda: cancel_together(one, ids[ALONE:]))
        if servers.jobs(one, "state=QUEUED"):
            raise RuntimeError("some were not cancelled")
    return JOBS / submitted, ALONE / alone, (len(ids) - ALONE) / together


def measure():
    table = m.Table(f"{JOBS:,} waiting jobs cancelled, {EACH:,} with a request")
    rounds = [round_of() for _ in range(3)]
    submitted, alone, together = (list(rates) for rates in zip(*rounds))
    ours = m.median(together)
    for what, rates, wanted in (("one request for each", alone, 5), ("their submit as arrays", submitted, 0.2)):
        base = m.median(rates)
        table.row("cancelled", f"{ours:,.0f}/s {m.spread(together)}", f"{what} {base:,.0f}/s {m.spread(rates)}",
                  f"{ours / base:.1f}", f">= {wanted}", ours >= wanted * base)
    yield table
