"""What the engine's cycles cost in large worlds: the decisions alone, one thread."""

import math

import measure as m

WORLDS = [(2_000, 10_000), (20_000, 100_000)]
WANTED = {2_000: {"cold": 50, "mean": 3, "p99": 8}, 20_000: {"cold": 400, "mean": 15, "p99": 40}}
MOST_MIB = 400
ENDS = 400


def passes(nodes, queued, ends=ENDS, *how):
    return m.program("bench_cycles", nodes, queued, ends, *how)


def percentile(values, percent):
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]


def rows(table, nodes, queued):
    rounds = [passes(nodes, queued) for _ in range(m.ROUNDS)]
    floor = m.median([one["floor_ms"] for one in rounds])
    baseline = f"one read of all nodes for each of {rounds[0]['needs']} needs {floor:.1f} ms"
    values = {"cold": [one["cold_ms"] for one in rounds],
              "mean": [sum(one["warm_ms"]) / len(one["warm_ms"]) for one in rounds],
              "p99": [percentile(one["warm_ms"], 99) for one in rounds]}
    what = {"cold": "cold pass", "mean": "one job ends: mean", "p99": "one job ends: p99"}
    for key, measured in values.items():
        took, wanted = m.median(measured), WANTED[nodes][key]
        table.row(f"{nodes:,} nodes, {queued:,} queued, {what[key]}", f"{took:.2f} ms {m.spread(measured)}", baseline,
                  f"{took / floor:.1f}", f"<= {wanted} ms", took <= wanted)
    memory = m.median([one["engine_mib"] for one in rounds])
    if nodes == 20_000:
        table.row(f"{nodes:,} nodes, {queued:,} queued, memory", f"{memory:.0f} MiB", wanted=f"<= {MOST_MIB} MiB",
                  reached=memory <= MOST_MIB)
    bare = [passes(nodes, queued, ENDS, "bare") for _ in range(m.ROUNDS)]
    cold = m.median([one["cold_ms"] for one in bare])
    mean = m.median([sum(one["warm_ms"]) / len(one["warm_ms"]) for one in bare])
    table.note(f"{nodes:,} nodes without reservations: cold {cold:.2f} ms, one job ends: mean {mean:.2f} ms "
               f"(with: {rounds[-1]['reservations']} reservations in the last cycle)")
    for name in ("cold_phases", "warm_phases"):
        parts = rounds[-1][name].items()
        table.note(f"{nodes:,} nodes, {name.replace('_', ' ')}, ms: " + ", ".join(f"{phase} {ms:.2f}" for phase, ms in parts))


def exponent(points):
    """The slope of a line through the points, both axes logarithmic."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)


def growth(table):
    by_nodes = [(nodes, passes(nodes, 5 * nodes, 0)["cold_ms"]) for nodes in (1_000, 2_000, 4_000, 8_000, 16_000, 32_000)]
    by_jobs = [(jobs, passes(2_000, jobs, 0)["cold_ms"]) for jobs in (1_000, 4_000, 16_000, 64_000, 256_000)]
    for what, points in (("nodes, and 5 jobs each", by_nodes), ("queued jobs on 2,000 nodes", by_jobs)):
        slope = exponent(points)
        listed = ", ".join(f"{x:,}: {ms:.1f} ms" for x, ms in points)
        table.row(f"growth with {what}", f"exponent {slope:.2f}", listed, "-", "<= 1.2", slope <= 1.2)


def measure():
    table = m.Table("Cycles of the engine")
    for nodes, queued in WORLDS:
        rows(table, nodes, queued)
    growth(table)
    yield table
