"""Pods and gangs on a real API server with 500 simulated nodes: ours, and a bare loop with the stock scheduler."""

import time

import measure as m
import harness
import servers
from clusters import bare, kube, pod_watch

NODES, GPUS = 500, 8
PODS = 4_000
GANGS, MEMBERS = 375, 4
GANG_GPUS = 2
LARGE, LARGE_GPUS = 512, 4  # a task has a node of its own: the lab grows to so many
OWN_GANGS = ("--gates", "GenericWorkload=true,GangScheduling=true")
ROUNDS = 3
ARRAY = 1_000


def job(**more):
    return {"name": "noop", "run": ["true"], "workdir": "/"} | more


def arrays(count, **more):
    """So many jobs, as few submits as may be."""
    return [job(array=min(ARRAY, count - first), **more) for first in range(0, count, ARRAY)]


def submit(server, specs):
    for spec in specs:
        status, answer = server.api("POST", "/jobs", {"workdir": "/", **spec})
        if status != 201:
            raise RuntimeError(f"a submit was answered with {status}: {answer}")


def wait_until_bound(watch, pods):
    harness.wait_for(lambda: watch.count() >= pods, f"{pods} pods to be bound", timeout=900, pause=0.05)


class Ours:
    """Seconds from the first submit to the last pod that is bound. Keeps how long a gang was bound in part."""

    def __init__(self, lab, nodes, specs, pods, afterwards=None, placement="ours"):
        self.lab, self.nodes, self.specs, self.pods, self.afterwards = lab, nodes, specs, pods, afterwards
        self.placement = placement
        self.partly, self.resumed, self.template = [], 0, None

    def __call__(self):
        with (kube.yardmaster(self.lab, self.nodes, self.placement) as server,
              pod_watch.PodWatch(self.lab.environment, kube.SPACE) as watch):
            begin = time.monotonic()
            submit(server, self.specs)
            wait_until_bound(watch, self.pods)
            seconds = watch.last_bound() - begin
            self.partly.append(max(max(times) - min(times) for times, _ in watch.gangs().values()))
            self.resumed += watch.resumed
            self.template = self.template or bare.template_of(self.lab)
            if self.afterwards:
                self.afterwards(server, watch)
        self.lab.clear()
        return seconds


def half_gangs(watch):
    """Gangs of which some, but not all, are there or bound."""
    return sum(1 for times, there in watch.gangs().values() if not len(times) == len(there) == MEMBERS)


class Overfull:
    """More gangs than there is room for, beside those that are bound: none may be there in part."""

    def __init__(self):
        self.wanted = GPUS * NODES // (MEMBERS * GANG_GPUS)
        self.more = 2 * (self.wanted - GANGS)
        self.seen = []

    def __call__(self, server, watch):
        submit(server, arrays(self.more, nodes=MEMBERS, resources={"gpus": GANG_GPUS}))
        wait_until_bound(watch, self.wanted * MEMBERS)

        def rest_waits():
            _, page = server.api("GET", "/queues")
            return sum(queue["counts"]["queued"] for queue in page["items"]) == self.more // 2
        harness.wait_for(rest_waits, "the other gangs to wait", timeout=300, pause=0.5)
        self.seen.append((len(watch.gangs()), half_gangs(watch)))


def compare(table, what, values, count, unit, wanted, peer):
    theirs = m.median(values["theirs"])
    for way in ("ours", "direct"):
        ours = m.median(values[way])
        table.row(f"{what}; placement: {way}", f"{ours:.1f} s {m.spread(values[way])}, {count / ours:,.0f} {unit}/s",
                  f"{peer} {theirs:.1f} s {m.spread(values['theirs'])}, {count / theirs:,.0f} {unit}/s", f"{theirs / ours:.2f}",
                  f">= {wanted}", theirs >= wanted * ours)


def all_ways(lab, ours, gang=0, afterwards=None):
    """Ours is measured first: the other side has its pods. `afterwards`: with the server that bound them directly."""
    direct = Ours(lab, ours.nodes, ours.specs, ours.pods, afterwards, placement="direct")
    return m.interleaved(ROUNDS, ours=ours, direct=direct, theirs=lambda: bare.Bare(lab, ours.template, ours.pods, gang)())


def pods():
    table = m.Table(f"One-pod jobs on {NODES} simulated nodes of {GPUS} GPUs, a real API server")
    with kube.lab(NODES) as lab:
        ours = Ours(lab, NODES, arrays(PODS, resources={"gpus": 1}), PODS)
        values = all_ways(lab, ours)
        least = lab.bare(PODS, 1)
    compare(table, f"{PODS:,} jobs, first submit to the last pod bound", values, PODS, "pods", 1,
            f"the same pods by a bare loop, {bare.AT_ONCE} creates at once")
    table.row("the same", f"{m.median(values['ours']):.1f} s", f"pods with one GPU and nothing else {least:.1f} s",
              f"{least / m.median(values['ours']):.2f}")
    table.note(f"{ROUNDS} rounds in turn on the same lab. Ours: durable submits, decisions, a pod each with node affinity, which the "
               "stock scheduler binds, or bound by us (direct); by the rights of deploy/kubernetes. The same pods: with the init container, limits, volumes and "
               "environment of ours, without node affinity. What counts is when a bystander's watch shows the last as bound "
               f"(it was taken up again {ours.resumed} times).")
    yield table


def gangs():
    table = m.Table(f"Gangs on {NODES} simulated nodes of {GPUS} GPUs, against kube-scheduler's own")
    with kube.lab(NODES, *OWN_GANGS) as lab:
        overfull = Overfull()
        ours = Ours(lab, NODES, arrays(GANGS, nodes=MEMBERS, resources={"gpus": GANG_GPUS}), GANGS * MEMBERS, overfull)
        values = all_ways(lab, ours, MEMBERS, overfull)
        compare(table, f"{GANGS} gangs of {MEMBERS} pods of {GANG_GPUS} GPUs, until all are bound", values, GANGS, "gangs", 2,
                "PodGroups of the same pods")
        lab.grow(LARGE)
        large = Ours(lab, LARGE, [job(nodes=LARGE, resources={"gpus": LARGE_GPUS})], LARGE)
        values = all_ways(lab, large, LARGE)
        compare(table, f"one gang of {LARGE} pods of {LARGE_GPUS} GPUs, on {LARGE} nodes", values, LARGE, "pods", 2,
                "a PodGroup of the same pods")
    half_row(table, overfull, ours, large)
    yield table


def half_row(table, overfull, ours, large):
    there, half = max(seen[0] for seen in overfull.seen), max(seen[1] for seen in overfull.seen)
    table.row(f"half gangs, of {GANGS + overfull.more} where {overfull.wanted} have room", f"{half}; {there} are whole", wanted="0",
              reached=half == 0 and there == overfull.wanted)
    table.note("A half gang is one of which some pods are there or bound and others are not, once the rest is known to wait; all pods "
               f"were followed by a watch. On the way a gang of {MEMBERS} was bound in part for {max(ours.partly):.1f} s at most, the "
               f"one of {LARGE} for {max(large.partly):.1f} s: the launch barrier holds user code until the last has its node. PodGroups "
               "are created before the time of the stock scheduler begins. Each task has a node of its own, so the large gang has "
               f"{LARGE} nodes, for both.")
