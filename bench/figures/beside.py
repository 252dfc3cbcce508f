"""Submits while the engine looks at all of a large world, again and again: with another start allowance it knows of no
node any more when it has room."""

import threading
import time

import harness
import measure as m
import servers

NODES, QUEUES, QUEUED, ABOVE_MS = 20_000, 40, 100_000, 20
SUBMITS = 500
LONGEST_S = 600


def configuration(nodes):
    share = nodes * 8 // QUEUES
    lines = ["clusters:", "  - name: lab", "    executor: simulated", "    nodes:",
             f"      - {{names: \"n[1-{nodes}]\", gpus: \"h100:8\", cpus: 64, memory: 512GiB}}",
             "flavors: [{name: h100, match: {gpu: h100}}]", "queues:", "  - name: org", "    children:"]
    lines += [f"      - {{name: q{queue}, quota: {{h100: {{gpus: {share}}}}}}}" for queue in range(QUEUES)]
    return "\n".join(lines) + "\n"


def counted(one, key):
    return sum(queue["counts"][key] for queue in one.api("GET", "/queues?limit=1000")[1]["items"])


def fill(one):
    """All nodes run gangs, and as many jobs wait as are wanted, of the mix of bench/cycles/world.h but for its largest."""
    gang = {"run": ["sleep", "864000"], "workdir": "/", "nodes": 50, "resources": {"gpus": 8}}
    for queue in range(QUEUES):
        one.submit({**gang, "name": "run", "queue": f"q{queue}", "array": NODES // 50 // QUEUES})
    harness.wait_for(lambda: counted(one, "active") == NODES // 50, "all nodes to run", timeout=LONGEST_S, pause=1)
    shapes = [(1, 1), (1, 2), (1, 4), (1, 8), (4, 8), (16, 8)]
    each = QUEUED // QUEUES // len(shapes)
    for queue in range(QUEUES):
        for nodes, gpus in shapes:
            one.submit({"name": "wait", "run": ["true"], "workdir": "/", "queue": f"q{queue}", "array": each, "nodes": nodes,
                        "resources": {"gpus": gpus}, "time_limit": "4h"})


def submit(one):
    job = {"name": "more", "run": ["true"], "queue": "q0", "resources": {"gpus": 8}, "nodes": 2, "time_limit": "1h"}
    return servers.submit_load(one, job, 1, SUBMITS)["p99_ms"]


def beside_cold_passes(one):
    """The 99th percentile; and how many policies came into force meanwhile, each of which calls for a cold pass."""
    over, changes = threading.Event(), 0

    def change():
        nonlocal changes
        while not over.is_set():
            body = f"scheduling: {{start_allowance: {3 + changes % 2}m}}\n"
            status, _ = one.api("POST", "/policy", body, headers={"Content-Type": "application/yaml"})
            if status != 200:
                raise RuntimeError(f"a policy was answered with {status}")
            changes += 1
            time.sleep(0.1)
    thread = threading.Thread(target=change)
    thread.start()
    try:
        return submit(one), changes
    finally:
        over.set()
        thread.join()


def measure():
    table = m.Table("Submits beside cold passes")
    with servers.server(configuration(1)) as one:
        idle = [submit(one) for _ in range(m.ROUNDS)]
    with servers.server(configuration(NODES)) as one:
        fill(one)
        harness.wait_for(lambda: counted(one, "queued") >= QUEUED - QUEUES * 6, "all jobs to wait", timeout=LONGEST_S, pause=1)
        rounds = [beside_cold_passes(one) for _ in range(m.ROUNDS)]
        waiting = counted(one, "queued")
    beside = [p99 for p99, _ in rounds]
    above = m.median(beside) - m.median(idle)
    table.row(f"{NODES:,} nodes, {waiting:,} queued: p99 of {SUBMITS} submits of 1 client beside {min(count for _, count in rounds)} cold passes or more",
              f"{m.median(beside):.1f} ms {m.spread(beside)}", f"one node, nothing queued {m.median(idle):.1f} ms {m.spread(idle)}",
              f"+{above:.1f} ms", f"<= +{ABOVE_MS} ms", above <= ABOVE_MS)
    yield table
