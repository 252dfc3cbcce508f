"""Promised machines for every job that waits, against Slurm's backfill on as many nodes with the same mix of jobs."""

import concurrent.futures
import random
import time

import measure as m
import slurm

NODES, QUEUED = 2_000, 10_000
TIMES = 1_000
LONGEST_PASS_S, LONGEST_WAIT_S = 120, 600
# A pass over the whole queue, with Slurm's own resolution of a minute; for so long at most, which is not enough for it.
# What it would come to later is slower, as there is more that is promised.
PARAMETERS = ("defer,default_queue_depth=10000,sched_interval=5,bf_interval=5,bf_continue,bf_max_job_test=10000,"
              f"bf_max_time={LONGEST_PASS_S},bf_window=4320,bf_resolution=60")


def submit(lab, nodes, gpus, minutes):
    lab.run("sbatch", "-Q", "-o", "/dev/null", "-N", str(nodes), "--ntasks-per-node=1", f"--gres=gpu:{gpus}",
            f"--cpus-per-task={8 * gpus}", "-t", str(minutes), "--wrap", "true")


def fill(lab):
    """99 % of the nodes, for one to three days."""
    luck, left = random.Random(1), NODES * 99 // 100
    while left > 0:
        nodes = min(left, 64)
        submit(lab, nodes, 8, 30 * luck.randint(48, 144))
        left -= nodes


def mix():
    """Nodes, GPUs of each and minutes of jobs, as in bench/cycles/world.h."""
    luck = random.Random(2)
    for _ in range(QUEUED):
        kind, nodes, gpus = luck.randint(1, 100), 1, 8
        if kind <= 60:
            gpus = 1 << luck.randint(0, 3)
        elif kind <= 85:
            nodes = luck.randint(2, 8)
        elif kind <= 97:
            nodes = 8 * luck.randint(2, 8)
        else:
            nodes = 32 * luck.randint(4, 8)
        yield nodes, gpus, 30 * luck.randint(1, 144)


def queue(lab):
    with concurrent.futures.ThreadPoolExecutor(8) as clients:
        for done in [clients.submit(submit, lab, *job) for job in mix()]:
            done.result()


def passes(lab):
    """(passes of its backfill, jobs looked at, seconds of the last that is over). Jobs count while a pass goes on, too."""
    lines = dict(line.strip().split(": ", 1) for line in lab.run("sdiag").split("Backfilling stats")[1].splitlines() if ": " in line)
    return int(lines["Total cycles"]), int(lines["Last depth cycle"]), int(lines["Last cycle"]) / 1e6


def theirs():
    with slurm.lab(NODES, fake=True, parameters=PARAMETERS) as lab:
        fill(lab)
        queue(lab)
        begin = time.monotonic()
        seen = passes(lab)[0]
        # Read between two passes, after one that began when all were there.
        while (now := time.monotonic()) < begin + LONGEST_WAIT_S:
            time.sleep(1)
            done, jobs, seconds = passes(lab)
            whole = jobs >= QUEUED * 9 // 10 or seconds >= LONGEST_PASS_S / 2
            if done > seen and whole and now - seconds >= begin:
                return jobs, seconds
            seen = done
        raise TimeoutError("Slurm's backfill has not come to an end")


def measure():
    table = m.Table("Promises for every job that waits")
    ours = [QUEUED * 1000 / m.program("bench_cycles", NODES, QUEUED, 0, "all")["cold_ms"] for _ in range(m.ROUNDS)]
    rate = m.median(ours)
    what = f"jobs examined, {NODES:,} nodes, {QUEUED:,} queued"
    absent = slurm.missing()
    if absent:
        table.row(what, f"{rate:,.0f}/s {m.spread(ours)}", "-", "-", f">= {TIMES:,}x Slurm", None)
        table.note(f"Without Slurm: {absent}")
    else:
        jobs, seconds = theirs()
        table.row(what, f"{rate:,.0f}/s {m.spread(ours)}", f"Slurm's backfill {jobs / seconds:.2f}/s ({jobs:,} in {seconds:.0f} s)",
                  f"{rate * seconds / jobs:,.0f}", f">= {TIMES:,}x", rate * seconds / jobs >= TIMES)
    yield table
