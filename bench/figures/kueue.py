"""Kueue's published scheduler loads, end to end: over HTTP, stored durably, processes simulated.

The loads are those of kueue's test/performance/scheduler (configs baseline, large-scale and tas): classes of
workloads that arrive at intervals in every queue at once. What is published for Kueue is the mean wall time of its own
runs, on hardware that is not said, with a client that is limited to 50 writes a second; so the floor counts: what the
work itself takes if the quota is never idle, or what such a limit allows.
"""

import json
import os
import time

import measure as m
import servers

PRIORITY = {50: 25, 100: 50, 200: 100}
# count, interval ms, run time ms, priority, CPUs
BASELINE = {"small": (350, 100, 200, 50, 1), "medium": (100, 500, 500, 100, 5), "large": (50, 1200, 1000, 200, 20)}
LARGE = {"small": (35, 60, 150, 50, 1), "medium": (11, 300, 350, 100, 5), "large": (4, 700, 700, 200, 20)}
# count by variant (required, preferred, balanced), interval, run time, priority, nodes, CPUs of each, nodes of a slice
TAS = {"small": ((120, 120, 110), 100, 200, 50, 2, 0.5, 1), "medium": ((34, 33, 33), 500, 500, 100, 4, 1.25, 2),
       "large": ((17, 17, 16), 1200, 1000, 200, 8, 2.5, 4)}
NOMINAL, BORROW = 20, 100
SECONDS = int(os.environ.get("YM_BENCH_KUEUE_SECONDS", "900"))


def configuration(cohorts, queues, nodes, rate=None):
    limit = f", calls_per_second: {rate}" if rate else ""
    lines = ["clusters:", f"  - {{name: lab, executor: simulated{limit}, topology: [block, rack], nodes: ["]
    lines += [f"      {{names: \"{names}\", cpus: 96, memory: 256GiB, labels: {{block: b1, rack: {rack}}}}}," for names, rack in nodes]
    lines += ["    ]}", "flavors: [{name: cpu}]", "queues:"]
    for cohort in range(cohorts):
        lines += [f"  - name: cohort{cohort}", "    children:"]
        lines += [f"      - {{name: q{cohort}-{queue}, quota: {{cpu: {{cpus: {{nominal: {NOMINAL}, borrow: {BORROW}}}}}}}, "
                  "policy: {preempt: lower-priority, reclaim: any}}" for queue in range(queues)]
    return "\n".join(lines) + "\n"


def job(queue, kind, run_ms, priority, cpus, **more):
    return {"name": kind, "queue": queue, "run": ["sleep", str(run_ms / 1000)], "priority": PRIORITY[priority],
            "resources": {"cpus": cpus}, **more}


def arrivals(cohorts, queues, classes):
    """(due, job) of every workload: each class of each queue generates on its own."""
    for cohort in range(cohorts):
        for queue in range(queues):
            for kind, (count, interval, run_ms, priority, cpus) in classes.items():
                for number in range(count):
                    yield (number + 1) * interval, job(f"q{cohort}-{queue}", kind, run_ms, priority, cpus)


def topology_arrivals(cohorts, queues, classes):
    """The balanced variant is slices of a gang, each in one rack, in few racks."""
    for cohort in range(cohorts):
        for queue in range(queues):
            for kind, (counts, interval, run_ms, priority, nodes, cpus, slice_nodes) in classes.items():
                variants = ({"required": "rack"}, {"preferred": "rack"},
                            {"preferred": "rack", "slice": {"level": "rack", "nodes": slice_nodes}})
                for topology, count in zip(variants, counts):
                    for number in range(count):
                        yield (number + 1) * interval, job(f"q{cohort}-{queue}", kind, run_ms, priority, cpus, nodes=nodes,
                                                           placement={"topology": topology})


def unfinished(one):
    status, page = one.api("GET", "/queues?limit=1000")
    total = 0
    while status == 200:
        total += sum(sum(queue["counts"].values()) for queue in page["items"])
        if page["next"] is None:
            return total
        status, page = one.api("GET", f"/queues?limit=1000&cursor={page['next']}")
    raise RuntimeError(f"the list of queues was answered with {status}")


def run(config, todo, clients):
    """Seconds from the first submit until all has ended; what the submits took."""
    todo = sorted(todo, key=lambda one: one[0])
    with servers.server(config) as one:
        script = one.folder / "script"
        script.write_text("".join(f"{due} {json.dumps(spec)}\n" for due, spec in todo), encoding="utf-8")
        begin = time.monotonic()
        seen = m.program("bench_http_load", "--connect", one.listen, "--target", "/api/v1/jobs", "--clients", clients,
                         "--script", script, "--header", "Content-Type: application/json",
                         "--header", f"Authorization: Bearer {one.token()}", timeout=SECONDS)
        if seen["statuses"] != {"201": len(todo)}:
            raise RuntimeError(f"not every submit was accepted: {seen['statuses']}")
        while unfinished(one) > 0:
            if time.monotonic() - begin > SECONDS:
                raise RuntimeError(f"{unfinished(one)} jobs have not ended after {SECONDS} s")
            time.sleep(0.2)
        return time.monotonic() - begin, seen


def racks(count=10, nodes=64):
    return [(f"r{rack}n[1-{nodes}]", f"r{rack}") for rack in range(count)]


def work_floor(classes):
    return sum(count * run_ms / 1000 * cpus for count, _, run_ms, _, cpus in classes.values()) / NOMINAL


def row(table, name, took, seen, floor, kueue, wanted):
    table.row(name, f"{took:.1f} s (submits: p99 {seen['p99_ms']:.0f} ms, the last after {seen['seconds']:.0f} s)",
              f"{floor[0]} {floor[1]:.1f} s; Kueue's published mean {kueue:,} s", f"{took / floor[1]:.2f}; Kueue {kueue / took:.1f}x",
              f"<= {wanted:.1f} s", took <= wanted)


def measure():
    table = m.Table("Kueue's loads, end to end (one round each)")
    work = work_floor(BASELINE)
    took, seen = run(configuration(5, 6, racks()), arrivals(5, 6, BASELINE), 32)
    row(table, "baseline: 15,000 over 30 queues", took, seen, ("the work", work), 351, 1.15 * work)
    took, seen = run(configuration(5, 6, racks()), topology_arrivals(5, 6, TAS), 32)
    row(table, "tas: 15,000 gangs in racks", took, seen, ("the work", work), 401, 1.15 * work)
    took, seen = run(configuration(10, 100, racks(40)), arrivals(10, 100, LARGE), 64)
    row(table, "large-scale: 50,000 over 1,000 queues", took, seen, ("the work", work_floor(LARGE)), 1179, 40)
    took, seen = run(configuration(5, 6, racks(), rate=50), arrivals(5, 6, BASELINE), 32)
    row(table, "baseline, 50 calls a second to the executor", took, seen, ("so many calls", 15_000 / 50), 351, 1.1 * 300)
    yield table
