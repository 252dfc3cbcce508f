"""The simulator: how fast simulated time goes on, and what an event costs with more jobs running and waiting.

The Philly trace is that of the Pollux artifact, in the folder named by YM_TRACES (if unset, ../shared/traces beside this
repository); without it the rows that are made from it are left out.
"""

import csv
import datetime
import gzip
import json
import math
import os
import pathlib
import random
import subprocess
import time

import measure as m
import servers

TRACES = pathlib.Path(os.environ.get("YM_TRACES", m.ROOT.parent / "shared/traces"))
PHILLY = TRACES / "philly-passed-2017/philly.csv.gz"
CLUSTER = """
clusters:
  - name: lab
    executor: simulated
    nodes: [{{names: "n[1-{nodes}]", gpus: "p100:8", cpus: 64}}]
flavors:
  - {{name: p100, match: {{gpu: p100}}}}
"""
SIZES = (250, 1_000, 4_000, 16_000)


class Simulated:
    """One run of `ym simulate`: its figures, how long it took, and how much memory at most."""

    def __init__(self, folder, nodes, workload, *words):
        cluster = folder / f"cluster-{nodes}.yaml"
        cluster.write_text(CLUSTER.format(nodes=nodes), encoding="utf-8")
        begin = time.monotonic()
        with subprocess.Popen([str(m.BIN / "ym"), "simulate", "--cluster", str(cluster), "--workload", str(workload), "-o", "json",
                               *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
            self.figures = json.load(run.stdout)["policies"][0]
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
        if run.returncode != 0:
            raise RuntimeError(f"ym simulate ended with {run.returncode}")
        self.seconds = time.monotonic() - begin
        self.mib = usage.ru_maxrss / 1024

    @property
    def speed(self):
        return self.figures["makespan_seconds"] / self.seconds


def write_jobs(path, jobs):
    """`jobs`: submit, run_time, gpus, user."""
    with path.open("w", encoding="utf-8") as file:
        file.write("submit,run_time,gpus,user\n")
        file.writelines(f"{submit:.3f},{run_time},{gpus},{user}\n" for submit, run_time, gpus, user in jobs)
    return path


def million(folder):
    """A million jobs drawn from the trace, over four weeks: 88 % of 20,000 GPUs."""
    random_ = random.Random(7)
    with gzip.open(PHILLY, "rt") as file:
        rows = list(csv.DictReader(file))
    times = sorted(random_.uniform(0, 28 * 86_400) for _ in range(1_000_000))
    drawn = (random_.choice(rows) for _ in times)
    return write_jobs(folder / "million.csv", [(at, row["duration"], row["num_gpus"], row["cluster"]) for at, row in zip(times, drawn)])


def philly_rows(table, folder):
    runs = m.interleaved(3, idle=lambda: Simulated(folder, 250, PHILLY), busy=lambda: Simulated(folder, 100, PHILLY))
    for name, gpus, wanted in (("idle", "2,000", 30), ("busy", "800", None)):
        seconds = [run.seconds for run in runs[name]]
        one = runs[name][0].figures
        wait = datetime.timedelta(seconds=round(one["all"]["wait_seconds"]["mean"]))
        took = m.median(seconds)
        table.row(f"Philly, {one['submitted']:,} jobs, {gpus} GPUs (mean wait {wait}, {one['events']:,} events)",
                  f"{took:.1f} s {m.spread(seconds)}", "the time that passed in it", f"{one['makespan_seconds'] / took:,.0f}x",
                  "<= 30 s, >= 100,000x" if wanted else "-",
                  took <= 30 and one["makespan_seconds"] / took >= 100_000 if wanted else None)
    big = Simulated(folder, 2_500, million(folder))
    table.row(f"1,000,000 jobs on 20,000 GPUs, one round ({big.figures['events']:,} events)", f"{big.seconds:.0f} s, {big.mib:.0f} MiB",
              "the time that passed in it", f"{big.speed:,.0f}x", "<= 600 s, <= 1,024 MiB", big.seconds <= 600 and big.mib <= 1024)


def microseconds(run):
    return run.seconds * 1e6 / run.figures["events"]


def running(folder, gpus):
    """So many run at any time, for a minute each, and nobody waits."""
    jobs = [(i * 60 / (0.9 * gpus), 60, 1, "u") for i in range(20_000 + 2 * gpus)]
    return Simulated(folder, gpus // 8 + 1, write_jobs(folder / "running.csv", jobs))


def queued(folder, count):
    """So many wait all the time while 2,000 pass through 64 GPUs."""
    jobs = [(0, 60, 1, "u")] * count + [(60 + i * 60 / 64, 60, 1, "u") for i in range(2_000)]
    end = "2001-01-01T00:32:00Z"
    return Simulated(folder, 8, write_jobs(folder / "queued.csv", jobs), "--until", end)


def growth_row(table, what, run):
    costs = {size: m.median(m.interleaved(3, cost=lambda size=size: microseconds(run(size)))["cost"]) for size in SIZES}
    exponent = math.log(costs[SIZES[-1]] / costs[SIZES[0]]) / math.log(SIZES[-1] / SIZES[0])
    table.row(f"cost of an event with more jobs {what}", f"exponent {exponent:.2f}",
              ", ".join(f"{size:,}: {cost:.0f} us" for size, cost in costs.items()), wanted="printed")


def fault_runs_row(table):
    """Of the CPU, not of the clock: a campaign runs as many at a time as there are cores."""
    begin = os.times()
    subprocess.run([str(m.BIN / "fault_runs"), "--seeds", "500"], check=True, stdout=subprocess.DEVNULL)
    end = os.times()
    spent = end.children_user + end.children_system - begin.children_user - begin.children_system
    per_minute = 500 * 60 / spent
    table.row("fault-injection runs in a CPU minute, of 500", f"{per_minute:,.0f}", wanted=">= 200", reached=per_minute >= 200)


def measure():
    table = m.Table("The simulator")
    folder = servers.folder("sim")
    if PHILLY.exists():
        philly_rows(table, folder)
    else:
        table.notes.append(f"Left out, because {PHILLY} is not there: Philly, and a million jobs drawn from it")
    growth_row(table, "running", lambda size: running(folder, size))
    growth_row(table, "waiting", lambda size: queued(folder, size))
    fault_runs_row(table)
    yield table
