"""From SIGKILL of the leader to a standby that takes submits, with 10,000 jobs queued and 1,000 running.

    python3 bench/clusters/takeover.py

A PostgreSQL of its own on this machine, with fsync; servers that are killed in turn, each of which comes back as
the next standby. The jobs run on a simulated cluster, which ends with its server: after each takeover all of them are
found lost and begin again, which is more work than to find them running.
"""

import datetime
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import measure as m  # first: makes the harness importable
import harness
import postgres
import servers
import standbys

QUEUED, RUNNING = 10_000, 1_000
ARRAY = 1_000
WANTED_S = 15

CONFIG = f"""
clusters:
  - name: far
    executor: simulated
    nodes:
      - {{names: "n[1-{RUNNING // 8}]", gpus: "h100:8", cpus: 64}}
flavors:
  - {{name: h100, match: {{gpu: h100}}}}
"""


def member(place, name, lender=None):
    one = standbys.Member(servers.folder("takeover") / name, CONFIG, ["--store", place.url()])
    one.lender = lender
    return one


def fill(one):
    for _ in range((QUEUED + RUNNING) // ARRAY):
        one.submit({"name": "train", "run": ["sleep", "360000"], "array": ARRAY, "resources": {"gpus": 1}})
    wait_for_all(one, begun_after=datetime.datetime.min)


def wait_for_all(one, begun_after):
    """As many as there is room for, each begun after that moment."""
    def running():
        begun = [job["attempts"][-1]["started_at"] for job in servers.jobs(one, "state=RUNNING")]
        return sum(harness.moment(when).replace(tzinfo=None) > begun_after for when in begun) == RUNNING
    harness.wait_for(running, "all to run", patience=300, pause=0.5)


def take_over(leader, standby):
    """Seconds until the standby leads, and until all run again."""
    wait_until_it_follows(leader, standby)
    begin, killed = time.monotonic(), datetime.datetime.utcnow()
    leader.kill()
    harness.wait_for(lambda: standby.readiness()[0] == 200, "the standby to lead", pause=0.01)
    led = time.monotonic() - begin
    wait_for_all(standby, begun_after=killed)
    return led, time.monotonic() - begin


def wait_until_it_follows(leader, standby):
    harness.wait_for(lambda: standby.readiness()[0] == 503 and standby.api("GET", "/jobs?limit=1")[1]["as_of"] ==
                     leader.api("GET", "/jobs?limit=1")[1]["as_of"], "the standby to follow")


def rounds(one, other):
    """Times of all takeovers, and the ids of acknowledged jobs that are not there after them."""
    known = {job["id"] for job in servers.jobs(one, "queue=default")}
    client = standbys.Client("meanwhile", [one, other])
    client.start()
    times = []
    for _ in range(m.ROUNDS):
        times.append(take_over(one, other))
        one.start()
        one, other = other, one
    client.end()
    jobs = servers.jobs(one, "queue=default")
    lost = known.union(client.submitted.values()) - {job["id"] for job in jobs if job["state"] in ("QUEUED", "RUNNING")}
    doubled = len(jobs) - len({job["id"] for job in jobs}) + sum(
        1 for name in client.submitted if sum(job["name"] == name for job in jobs) != 1)
    return times, len(client.submitted), lost, doubled, client.errors


def measure():
    table = m.Table(f"Takeover after SIGKILL of the leader, {QUEUED:,} jobs queued, {RUNNING:,} running")
    try:
        place = postgres.Database()
    except unittest.SkipTest as missing:
        table.note(f"Left out: {missing}.")
        yield table
        return
    place.start().create()
    one = member(place, "a")
    other = member(place, "b", one)
    try:
        one.arguments.append("--init")
        one.start().wait_to_lead()
        one.arguments.remove("--init")
        fill(one)
        other.start()
        times, submitted, lost, doubled, errors = rounds(one, other)
    finally:
        one.close()
        other.close()
        place.close()
    if errors:
        raise RuntimeError(f"submits were answered with {errors[:3]}")
    led, all_run = zip(*times)
    table.row("SIGKILL to a leader that takes submits", f"{m.median(led):.1f} s {m.spread(led)}, at most {max(led):.1f} s",
              wanted=f"<= {WANTED_S} s", reached=max(led) <= WANTED_S)
    table.row("until all jobs run again", f"{m.median(all_run):.1f} s {m.spread(all_run)}")
    table.row(f"jobs lost, doubled, of {QUEUED + RUNNING + submitted:,} acknowledged", f"{len(lost)}, {doubled}", wanted="0, 0",
              reached=not lost and not doubled)
    table.note(f"{m.ROUNDS} takeovers; {submitted} jobs were submitted meanwhile.")
    yield table


def main():
    try:
        for table in measure():
            print(table)
    finally:
        servers.remove_folders()


if __name__ == "__main__":
    main()
