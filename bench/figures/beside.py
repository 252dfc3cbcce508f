"""Submits while the engine looks at a large world for the first time, which a server does when it has just started."""

import harness
import measure as m
import servers

from figures import restart

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
    harness.wait_for(lambda: counted(one, "active") == NODES // 50, "all nodes to run", patience=LONGEST_S, pause=1)
    shapes = [(1, 1), (1, 2), (1, 4), (1, 8), (4, 8), (16, 8)]
    each = QUEUED // QUEUES // len(shapes)
    for queue in range(QUEUES):
        for nodes, gpus in shapes:
            one.submit({"name": "wait", "run": ["true"], "workdir": "/", "queue": f"q{queue}", "array": each, "nodes": nodes,
                        "resources": {"gpus": gpus}, "time_limit": "4h"})


def p99(one):
    job = {"name": "more", "run": ["true"], "queue": "q0", "resources": {"gpus": 8}, "nodes": 2, "time_limit": "1h"}
    return servers.submit_load(one, job, 1, SUBMITS)["p99_ms"]


def measure():
    table = m.Table("Submits beside a cold pass")
    with servers.server(configuration(1)) as one:
        idle = [p99(one) for _ in range(m.ROUNDS)]
    with servers.server(configuration(NODES)) as one:
        fill(one)

        def restarted():
            one.kill()
            one.spawn()
            harness.wait_for(lambda: restart.ready(one), "a ready server", patience=LONGEST_S, pause=0.005)
            return p99(one)
        beside = [restarted() for _ in range(m.ROUNDS)]
        waiting = counted(one, "queued")
    above = m.median(beside) - m.median(idle)
    table.row(f"{NODES:,} nodes, {waiting:,} queued: p99 of the first {SUBMITS} submits after a restart, 1 client",
              f"{m.median(beside):.1f} ms {m.spread(beside)}", f"one node, nothing queued {m.median(idle):.1f} ms {m.spread(idle)}",
              f"+{above:.1f} ms", f"<= +{ABOVE_MS} ms", above <= ABOVE_MS)
    yield table
