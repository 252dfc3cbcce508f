"""From SIGKILL of the leader to a standby that takes submits, with 10,000 jobs queued and 1,000 running on a real Slurm.

    python3 bench/clusters/takeover.py

A PostgreSQL of its own on this machine, with fsync; servers that are killed in turn, each of which comes back as
the next standby. The tasks run under real wrappers on Slurm's nodes, and report to whichever server leads.
"""

import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import measure as m  # first: makes the harness importable
import harness
import postgres
import servers
import slurm
import standbys
import takeovers
from clusters import slurm_jobs

QUEUED, RUNNING = 10_000, 1_000
NODES, CPUS = 10, 100
ARRAY = 1_000
WANTED_S = 15


class Balancer(takeovers.Balancer):
    """Asks who leads only when the one that led does not any more: a thousand tasks come at once."""

    last = None

    def leader(self):
        if self.last is None or self.last.process.poll() is not None:
            self.last = super().leader()
        return self.last


class Place:
    """Two servers on one database, in front of one Slurm."""

    def __init__(self, lab, database):
        self.lab, self.folder, self.balancer = lab, servers.folder("takeover"), Balancer()
        self.began, self.ended = self.folder / "began", self.folder / "ended"
        (self.folder / "logs").mkdir()
        self.leader, self.standby = self.member("a", database), self.member("b", database)
        self.standby.lender = self.leader
        self.balancer.members = (self.leader, self.standby)

    def member(self, name, database):
        arguments = ["--store", database.url(), "--advertise-url", f"http://127.0.0.1:{self.balancer.port}"]
        return standbys.Member(self.folder / name, slurm_jobs.configuration(self.lab, self.folder / "logs"), arguments)

    def close(self):
        self.leader.close()
        self.standby.close()
        self.balancer.close()

    def fill(self):
        """As many jobs as there is room for run, the others wait. Each says when it begins, and when it is told to stop."""
        run = f"echo $YM_JOB_ID >> {self.began}; trap 'echo $YM_JOB_ID >> {self.ended}; exit 0' TERM; sleep 360000 & wait"
        harness.wait_for(lambda: len(self.leader.json("nodes")) == NODES, "the nodes", timeout=120)
        for _ in range((QUEUED + RUNNING) // ARRAY):
            self.leader.submit({"name": "train", "run": run, "workdir": "/", "array": ARRAY, "resources": {"cpus": 1}})
        harness.wait_for(lambda: len(self.running()) == RUNNING, "all to run", timeout=600, pause=2)

    def running(self):
        """Those that run in their first attempt, and since when."""
        return {job["id"]: job["attempts"][-1]["started_at"] for job in servers.jobs(self.leader, "state=RUNNING")
                if len(job["attempts"]) == 1}

    def with_slurm(self):
        """Ids and names of Slurm's jobs."""
        return set(self.lab.run("squeue", "-h", "-t", "R", "-o", "%i %j").split("\n")) - {""}

    def follows(self):
        return self.standby.readiness()[0] == 503 and self.as_of(self.standby) == self.as_of(self.leader)

    @staticmethod
    def as_of(one):
        return one.api("GET", "/jobs?limit=1")[1]["as_of"]

    def take_over(self):
        """Seconds until the standby leads; it is the leader then, and the other one starts as its standby."""
        harness.wait_for(self.follows, "the standby to follow")
        begin = time.monotonic()
        self.leader.kill()
        self.balancer.last = None
        harness.wait_for(lambda: self.standby.readiness()[0] == 200, "the standby to lead", pause=0.01)
        seconds = time.monotonic() - begin
        self.leader, self.standby = self.standby, self.leader
        self.standby.start()
        return seconds

    def stop_all(self):
        """Stops all that runs by the last leader."""
        self.leader.ym("queue", "hold", "default")
        for job in self.running():
            self.leader.api("POST", f"/jobs/{job}/cancel", {})
        harness.wait_for(lambda: slurm_jobs.counts(self.leader)[1] == 0, "all to have stopped", timeout=600, pause=1)


def of_all(said, running):
    """How many of these have said it, if nobody said it twice or is another."""
    ids = said.read_text().split()
    return len(ids) if set(ids) <= running.keys() and len(ids) == len(set(ids)) else f"{len(ids)} of {len(set(ids))}"


class Seen:
    """What came of some takeovers."""

    def __init__(self, place):
        place.leader.begin()
        place.fill()
        place.standby.start()
        running, with_slurm = place.running(), place.with_slurm()
        known = {job["id"] for job in servers.jobs(place.leader, "queue=default")}
        client = standbys.Client("meanwhile", [place.leader, place.standby])
        client.start()
        self.seconds = [place.take_over() for _ in range(m.ROUNDS)]
        client.end()
        if client.errors or len(client.submitted) < m.ROUNDS or len(known) != QUEUED + RUNNING:
            raise RuntimeError(f"of {len(known)} jobs, {len(client.submitted)} submitted meanwhile: {client.errors[:3]}")
        jobs = servers.jobs(place.leader, "queue=default")
        self.submitted = len(client.submitted)
        self.lost = known.union(client.submitted.values()) - {job["id"] for job in jobs if job["state"] in ("QUEUED", "RUNNING")}
        names = [job["name"] for job in jobs]
        self.doubled = len(jobs) - len({job["id"] for job in jobs}) + sum(names.count(name) != 1 for name in client.submitted)
        self.went_on = len(running.items() & place.running().items())
        self.in_slurm_as_before = len(with_slurm & place.with_slurm())
        place.stop_all()
        self.begun = of_all(place.began, running)
        self.stopped = of_all(place.ended, running)


def table_of(seen):
    table = m.Table(f"Takeover after SIGKILL of the leader, {QUEUED:,} jobs queued, {RUNNING:,} running on a real Slurm")
    table.row("SIGKILL to a leader that takes submits",
              f"{m.median(seen.seconds):.1f} s {m.spread(seen.seconds)}, at most {max(seen.seconds):.1f} s",
              wanted=f"<= {WANTED_S} s", reached=max(seen.seconds) <= WANTED_S)
    table.row(f"jobs lost, doubled, of {QUEUED + RUNNING + seen.submitted:,} acknowledged", f"{len(seen.lost)}, {seen.doubled}",
              wanted="0, 0", reached=not seen.lost and not seen.doubled)
    same = (seen.went_on, seen.in_slurm_as_before, seen.begun)
    table.row("tasks that run on in their first attempt; Slurm's jobs the same; begun in all, once each", ", ".join(map(str, same)),
              wanted=f"{RUNNING} each", reached=set(same) == {RUNNING})
    table.row("of these told to stop by the last leader", f"{seen.stopped:,}", wanted=f"{RUNNING:,}", reached=seen.stopped == RUNNING)
    table.note(f"{m.ROUNDS} takeovers on a PostgreSQL of its own; {seen.submitted} jobs were submitted meanwhile. The {RUNNING:,} tasks are "
               f"real wrappers, supervisors and user code `sleep` on {NODES} virtual nodes of this one machine.")
    return table


def measure():
    try:
        missing = slurm.missing()
        if missing:
            raise unittest.SkipTest(missing)
        database = postgres.Database()
    except unittest.SkipTest as missing:
        table = m.Table("Takeover after SIGKILL of the leader")
        table.note(f"Left out: {missing}.")
        yield table
        return
    try:
        database.start().create()
        with slurm.lab(NODES, cpus=CPUS) as lab:
            place = Place(lab, database)
            try:
                yield table_of(Seen(place))
            finally:
                place.close()
    finally:
        database.close()


def main():
    try:
        for table in measure():
            print(table)
    finally:
        servers.remove_folders()


if __name__ == "__main__":
    main()
