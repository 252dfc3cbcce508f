"""Rules on quantities alone, which know no machines: marks of what is attainable where a world has one large node.

`each stop alone`: the next job that waits stops those that it may. `one target`: first it is found which jobs should run, as a
function of jobs and quotas, with those that run first among equals; then only jobs outside of it are stopped, for jobs inside.
`one target, weighed`: of these stops only those that lose less GPU time than the job would wait otherwise. It knows how long
jobs run, so that it is a bound of what a stop that weighs its loss could spare.
"""

import dataclasses

from lives import worlds


@dataclasses.dataclass(eq=False)
class Live:
    job: worlds.Job
    begin: int = 0  # of the run that goes on
    end: int = 0
    stops: int = 0
    lost: int = 0  # GPU-seconds


class Life:
    """One world under one rule, until all jobs have ended."""

    def __init__(self, world, rule):
        self.world, self.rule, self.now = world, rule, 0
        self.running, self.waiting = [], []

    def outcomes(self):
        all_jobs = [Live(job) for job in self.world.jobs]
        future = sorted(all_jobs, key=lambda live: live.job.submit)
        while future or self.running or self.waiting:
            self.now = min([live.job.submit for live in future[:1]] + list(self.changes()))
            self.running = [live for live in self.running if live.end > self.now]
            while future and future[0].job.submit <= self.now:
                self.waiting.append(future.pop(0))
            while self.admit_one():
                pass
        return [worlds.Outcome(live.stops, live.lost / 3600, live.end - live.job.submit) for live in all_jobs]

    def changes(self):
        for live in self.running:
            yield live.end
            for spared in (self.world.reclaim_after, self.world.priority_after):
                if live.begin + spared > self.now:
                    yield live.begin + spared

    def usage(self, running):
        used = [0] * len(self.world.nominal)
        for live in running:
            used[live.job.queue] += live.job.gpus
        return used

    def fits(self, job, used):
        limit = self.world.nominal[job.queue] + self.world.borrow[job.queue]
        return used[job.queue] + job.gpus <= limit and sum(used) + job.gpus <= self.world.gpus

    def borrowed(self, job, used):
        return max(0, used[job.queue] + job.gpus - self.world.nominal[job.queue])

    def target(self):
        """The jobs that should run, in the order in which they are chosen."""
        runs = {live.job.id for live in self.running}
        rank = {live.job.id: (-live.job.priority, live.job.id not in runs, live.job.submit, live.job.id)
                for live in self.running + self.waiting}
        lines = [sorted((live for live in self.running + self.waiting if live.job.queue == queue), key=lambda live: rank[live.job.id])
                 for queue in range(len(self.world.nominal))]
        used, chosen = [0] * len(lines), []
        while True:
            for line in lines:
                while line and not self.fits(line[0].job, used):
                    line.pop(0)
            heads = [line for line in lines if line]
            if not heads:
                return chosen
            first = min(heads, key=lambda line: (self.borrowed(line[0].job, used), rank[line[0].job.id])).pop(0)
            chosen.append(first)
            used[first.job.queue] += first.job.gpus

    def may_stop(self, live, preempted, used):
        """By priority within its own queue; or to take back what its queue has lent."""
        age, job, other = self.now - preempted.begin, live.job, preempted.job
        if other.queue == job.queue:
            return other.priority < job.priority and age >= self.world.priority_after
        return (used[other.queue] > self.world.nominal[other.queue] and age >= self.world.reclaim_after
                and used[job.queue] + job.gpus <= self.world.nominal[job.queue])

    def find_jobs_to_preempt(self, live, among):
        """None: there is no room for it whatever is stopped."""
        left, out, job = list(self.running), [], live.job
        limit = self.world.nominal[job.queue] + self.world.borrow[job.queue]
        while not self.fits(job, used := self.usage(left)):
            only_own = used[job.queue] + job.gpus > limit
            candidates = [one for one in left if one in among and self.may_stop(live, one, used)
                          and (not only_own or one.job.queue == job.queue)]
            if not candidates:
                return None
            out.append(min(candidates, key=lambda one: (one.job.priority, one.job.queue == job.queue, self.loss(one), one.job.id)))
            left.remove(out[-1])
        for preempted in sorted(out, key=lambda one: -one.job.priority):
            if self.fits(job, self.usage([*left, preempted])):
                left.append(preempted)
                out.remove(preempted)
        return out

    def loss(self, live):
        return (self.now - live.begin) * live.job.gpus

    def would_wait(self, job):
        """Seconds until it fits if jobs only end."""
        left = sorted(self.running, key=lambda live: live.end)
        while left and not self.fits(job, self.usage(left)):
            ended = left.pop(0)
            if self.fits(job, self.usage(left)):
                return ended.end - self.now
        return 0

    def is_worth_it(self, live, preempted_jobs):
        if self.rule != "one target, weighed":
            return True
        return sum(map(self.loss, preempted_jobs)) < live.job.gpus * self.would_wait(live.job)

    def line(self):
        """Those that wait, the first to be looked at first; and which jobs may stop others, and be stopped."""
        used = self.usage(self.running)
        if self.rule == "each stop alone":
            order = sorted(self.waiting, key=lambda live: (self.borrowed(live.job, used), -live.job.priority, live.job.submit, live.job.id))
            return order, self.waiting, self.running
        target = self.target()
        rest = sorted((live for live in self.waiting if live not in target),
                      key=lambda live: (-live.job.priority, live.job.submit, live.job.id))
        return [live for live in target if live in self.waiting] + rest, target, [live for live in self.running if live not in target]

    def admit_one(self):
        order, stoppers, among = self.line()
        for live in order:
            preempted_jobs = []
            if not self.fits(live.job, self.usage(self.running)):
                preempted_jobs = self.find_jobs_to_preempt(live, among) if live in stoppers else None
                if not preempted_jobs or not self.is_worth_it(live, preempted_jobs):
                    continue
            self.begin(live, preempted_jobs)
            return True
        return False

    def begin(self, live, preempted_jobs):
        for preempted in preempted_jobs:
            preempted.stops += 1
            preempted.lost += self.loss(preempted)
            self.running.remove(preempted)
            self.waiting.append(preempted)
        self.waiting.remove(live)
        self.running.append(live)
        live.begin, live.end = self.now, self.now + live.job.run_time
