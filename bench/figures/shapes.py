"""The shapes that KAI and Kueue publish, for the engine alone: one thread, no store, no network."""

import measure as m

# What it is, KAI's own time in seconds (test/e2e/scale, v0.17), and the most that is wanted in milliseconds.
KAI = {"fill": ("4,000 jobs of 1 GPU fill 500 nodes", 398, 500),
       "gang": ("a gang of 512 x 2 GPUs, racks preferred", 49, None),
       "verdict": ("a gang of 10 x 8 GPUs, one GPU short: verdict", 249, 1),
       "reclaim": ("4,000 lent GPUs taken back one by one", 694, 500),
       "consolidate": ("41 gangs of 10 x 6 GPUs, by moving 410 jobs", 456, None)}
# What it is, workloads/s of Kueue's scheduler alone, and how many are wanted.
KUEUE = {"kueue_baseline": ("15,000 over 30 queues", 8_700, 200_000),
         "kueue_large": ("5,010 over 1,002 queues", 11_000, 200_000),
         "kueue_tas": ("1,500 gangs in racks of 640 nodes", 3_900, 50_000)}


def measure():
    rounds = [m.program("bench_shapes") for _ in range(m.ROUNDS)]
    table = m.Table("KAI's and Kueue's shapes, the engine alone")
    for name, (what, theirs, wanted) in KAI.items():
        took = [one[name]["ms"] for one in rounds]
        ms = m.median(took)
        table.row(what, f"{ms:.2f} ms {m.spread(took)}", f"KAI, the whole system, elsewhere: {theirs} s",
                  f"1/{theirs * 1000 / ms:,.0f}", f"<= {wanted} ms" if wanted else "-", ms <= wanted if wanted else None)
    for name, (what, theirs, wanted) in KUEUE.items():
        rates = [one[name]["admitted"] / one[name]["ms"] * 1000 for one in rounds]
        rate = m.median(rates)
        table.row(what, f"{rate:,.0f} admissions/s {m.spread(rates)}",
                  f"Kueue's scheduler alone, elsewhere: {theirs:,}/s", f"{rate / theirs:.0f}", f">= {wanted:,}/s",
                  rate >= wanted)
    last = rounds[-1]
    if last["consolidate"]["admitted"] != 451:  # the gangs, and the jobs that moved
        raise RuntimeError("not all gangs were helped by moves")
    table.note("Cycles and admissions: " + ", ".join(f"{name} {one['cycles']}, {one['admitted']:,}" for name, one in last.items()))
    yield table
