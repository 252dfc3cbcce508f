"""Small random worlds in which queues lend to each other, and what becomes of their jobs under the engine.

Kinds: `nodes` has a node of four GPUs for each queue, gangs over two of them, and all jobs within a minute; `burst` has the same
arrivals on one large node, so that only quotas matter; `spread` has arrivals over two hours. Jobs save nothing, so that a stop
costs all that a job has done. The same seed makes the same world on every machine.
"""

import csv
import dataclasses
import pathlib
import random
import subprocess

import measure as m

KINDS = ("nodes", "burst", "spread")
UNLIMITED = 100  # GPUs: more than any world has


@dataclasses.dataclass
class Job:
    id: int
    queue: int
    gpus: int  # of all its nodes
    nodes: int
    priority: int
    submit: int  # s
    run_time: int  # s


@dataclasses.dataclass
class World:
    kind: str
    nominal: list  # GPUs, by queue
    borrow: list
    reclaim_after: int  # minimum run times, s
    priority_after: int
    jobs: list

    @property
    def gpus(self):
        return sum(self.nominal)

    @property
    def work(self):
        """GPU-hours."""
        return sum(job.gpus * job.run_time for job in self.jobs) / 3600


@dataclasses.dataclass
class Outcome:
    """Of one job."""
    stops: int
    lost: float  # GPU-hours
    completion: float  # s from its submission to its end


def queues(luck, kind):
    if kind == "spread":
        many = luck.randint(2, 5)
        return [luck.choice([2, 4, 4, 8]) for _ in range(many)], [luck.choice([0, 2, 4, UNLIMITED]) for _ in range(many)]
    many = luck.randint(3, 5)
    return [4] * many, [luck.choice([4, 8, UNLIMITED]) for _ in range(many)]


def shape(luck, kind):
    """GPUs in all, and nodes."""
    if kind == "nodes":
        return luck.choice([(1, 1), (1, 1), (2, 1), (4, 1), (4, 2), (2, 2)])
    return luck.choice([1, 1, 2, 4]), 1


def make(kind, seed):
    luck = random.Random(seed)
    nominal, borrow = queues(luck, kind)
    reclaim_after, priority_after = luck.choice([(0, 0), (300, 0), (120, 60), (300, 300)])
    most, span = (7, 7200) if kind == "spread" else (5, 60)
    jobs = []
    for queue in range(len(nominal)):
        for _ in range(luck.randint(2, most)):
            gpus, nodes = shape(luck, kind)
            jobs.append(Job(len(jobs), queue, min(gpus, nominal[queue] + borrow[queue]), nodes, luck.choice([10, 50, 50, 70, 90]),
                            luck.randint(0, span), luck.choice([3600, 5400, 7200])))
    return World(kind, nominal, borrow, reclaim_after, priority_after, jobs)


def configuration(world):
    nodes, gpus = (f"n[1-{len(world.nominal)}]", 4) if world.kind == "nodes" else ("n1", world.gpus)
    spares = f", policy: {{min_runtime: {{reclaim: {world.reclaim_after}s, priority: {world.priority_after}s}}}}"
    policy = spares if world.reclaim_after else ""
    lines = ["clusters:", "  - name: lab", "    executor: simulated",
             f'    nodes: [{{names: "{nodes}", gpus: "t4:{gpus}", cpus: 512, memory: 4TiB}}]',
             "flavors: [{name: t4, match: {gpu: t4}}]", "queues:", "  - name: org", "    children:"]
    lines += [f"      - {{name: q{queue}{policy}, quota: {{t4: {{gpus: {{nominal: {nominal}, borrow: {borrow}}}}}}}}}"
              for queue, (nominal, borrow) in enumerate(zip(world.nominal, world.borrow))]
    return "\n".join([*lines, ""])


def workload(world):
    rows = [f"j{job.id},{job.submit},{job.run_time},{job.gpus},{job.nodes},q{job.queue},{job.priority}"
            for job in sorted(world.jobs, key=lambda job: job.submit)]
    return "\n".join(["id,submit,run_time,gpus,nodes,queue,priority", *rows, ""])


def by_engine(world, folder):
    """What `ym simulate` makes of it: outcomes of all jobs."""
    cluster, jobs, ended = (pathlib.Path(folder, name) for name in ("cluster.yaml", "jobs.csv", "ended.csv"))
    cluster.write_text(configuration(world), encoding="utf-8")
    jobs.write_text(workload(world), encoding="utf-8")
    subprocess.run([m.BIN / "ym", "simulate", "--cluster", cluster, "--workload", jobs, "--jobs", ended], check=True,
                   capture_output=True, timeout=60)
    with ended.open(encoding="utf-8") as file:
        return [Outcome(int(row["preemptions"]), float(row["lost_gpu_hours"]), float(row["completion_seconds"]))
                for row in csv.DictReader(file)]
