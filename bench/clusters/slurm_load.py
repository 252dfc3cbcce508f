"""How often slurmctld is asked how things are, with 100 and with 1,000 jobs of ours running and 10,000 queued with us."""

import re
import time

import measure as m
import harness
import servers
import slurm
from clusters import slurm_jobs

NODES, CPUS = 10, 100
QUEUED, ARRAY = 10_000, 1_000
RUNNING = (100, 1_000)
SETTLE, WINDOW = 30, 90  # seconds; until what may be asked in a burst at the start is spent
ENDS = 3.3    # a second, so that jobs come and go
WANTED = 12
# sbatch and scancel, what slurmd reports, and sdiag itself.
NO_STATUS = re.compile("SUBMIT|COMPLETE|REGISTRATION|CANCEL|KILL|STATS_INFO|EPILOG|BATCH_SCRIPT|TERMINATE|LAUNCH|SIGNAL|STEP_CREATE")


def rpcs(lab):
    """Counts by type, all there were."""
    by_type = lab.run("sdiag").split("Remote Procedure Call statistics by message type")[1].split("\n\n")[0]
    return {name: int(count) for name, count in re.findall(r"^\s*(\w+)\s*\(\s*\d+\)\s*count:(\d+)", by_type, re.MULTILINE)}


def since(now, before):
    return {name: count - before.get(name, 0) for name, count in now.items() if count != before.get(name, 0)}


def status_of(counts):
    return {name: count for name, count in counts.items() if not NO_STATUS.search(name)}


def a_minute(counts, seconds):
    return sum(counts.values()) * 60 / seconds


def job(running):
    """They end when chance has it, after so long in the mean that as many end in a second however many run."""
    longest = int(2 * running / ENDS)
    return {"name": "train", "run": f"sleep $(( $(od -An -N2 -tu2 /dev/urandom) % {longest} ))", "array": ARRAY, "workdir": "/",
            "resources": {"cpus": NODES * CPUS // running}}


def fill(server, running):
    for _ in range((QUEUED + running) // ARRAY + 1):
        server.submit(job(running))

    def full():
        active = slurm_jobs.counts(server)[1]
        return active >= 0.95 * running and len(servers.jobs(server, "state=STARTING")) <= 0.05 * running
    harness.wait_for(full, f"{running} jobs to run", timeout=600, pause=2)


def at_a_question(lab):
    """The counts just after the next time that somebody has asked how things are, and when that was."""
    before = status_of(rpcs(lab))
    harness.wait_for(lambda: status_of(rpcs(lab)) != before, "a question", pause=0.5)
    time.sleep(1)  # a question is several RPCs
    return rpcs(lab), time.monotonic()


class Measured:
    def __init__(self, lab, running):
        with servers.server(slurm_jobs.configuration(lab, servers.folder("logs"))) as server:
            harness.wait_for(lambda: len(server.json("nodes")) == NODES, "the nodes", timeout=120)
            begin, first = time.monotonic(), rpcs(lab)
            fill(server, running)
            full, then = time.monotonic(), rpcs(lab)
            self.filling = a_minute(status_of(since(then, first)), full - begin)
            time.sleep(SETTLE)
            counts, start = at_a_question(lab)
            time.sleep(WINDOW)
            later, end = at_a_question(lab)
            self.seconds, self.counts = end - start, since(later, counts)
            self.running, self.queued = len(servers.jobs(server, "state=RUNNING")), slurm_jobs.counts(server)[0]
            server.ym("queue", "drain", "default")
            harness.wait_for(lambda: slurm_jobs.counts(server)[1] == 0, "all to have ended", timeout=600, pause=1)
        slurm_jobs.wait_until_empty(lab)


def tables():
    table = m.Table(f"Load on slurmctld, {QUEUED:,} jobs queued with us")
    with slurm.lab(NODES, cpus=CPUS) as lab:
        for running in RUNNING:
            seen = Measured(lab, running)
            status = status_of(seen.counts)
            rate = a_minute(status, seen.seconds)
            table.row(f"status RPCs a minute, {seen.running:,} running, {seen.queued:,} queued", f"{rate:.1f}",
                      wanted=f"<= {WANTED}", reached=rate <= WANTED)
            table.note(f"{running:,} running: in {seen.seconds:.0f} s {listed(status)}; besides {listed(without(seen.counts, status))}. "
                       f"While they were started, burst included: {seen.filling:.1f} status RPCs a minute.")
    table.note("By `sdiag`, which counts all users; nobody else asks here. Real wrappers and supervisors around `sleep`; "
               f"some {ENDS} jobs end and begin in a second.")
    yield table


def without(counts, others):
    return {name: count for name, count in counts.items() if name not in others}


def listed(counts):
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"
