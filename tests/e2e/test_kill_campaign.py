"""SIGKILL of the server at random moments, under a load of submits, cancels, short jobs and small trainings of several
priorities, in two queues that lend to each other.

What must hold afterwards, however often it died:
  - every acknowledged submit exists exactly once, and has ended;
  - the user code of no attempt started twice (a ledger that the jobs write themselves);
  - a job whose cancel was acknowledged ends as CANCELLED, and did not start after that;
  - gangs started whole or not at all;
  - no device had two owners at a time;
  - all that also of jobs that remove what proves that they run, or put a pipe in place of their log;
  - who had to make room for another never ends as FAILED, and goes on from its last save that was acknowledged;
  - nothing runs any more but the server.

A second campaign has a short retention: each job is in the database or in one segment, and seals prove all of it.

A few rounds by default; YM_CAMPAIGN=1 makes it 100.
"""

import json
import os
import pathlib
import random
import subprocess
import tempfile
import time
import unittest

import harness
import preempted_jobs
import processes
from campaign import Client
from ledger import TRAINING, harmed_jobs, nanoseconds, read_ledger, read_steps, story
from overlaps import never_overlap

ROUNDS = 100 if harness.CAMPAIGN else 6
SEED = int(os.environ.get("YM_SEED", "1"))


class Campaign(harness.ServerTest):
    """What both have."""

    jobs_leave = False

    def kill_again_and_again(self, ledger, longest_pause):
        """Under clients that submit; these, when they have ended."""
        chance = random.Random(SEED)
        clients = [Client(self.server, n, ledger, SEED * 100 + n, jobs_leave=self.jobs_leave) for n in range(3)]
        for client in clients:
            client.start()
        for _ in range(ROUNDS):
            time.sleep(chance.uniform(0.05, longest_pause))
            self.server.kill()
            time.sleep(chance.uniform(0, 0.2))
            self.server.start()
        for client in clients:
            client.stopping.set()
        for client in clients:
            client.join(harness.TIMEOUT)
            self.assertEqual(client.errors, [])
        return clients

    def all_jobs(self):
        jobs, cursor = [], None
        while True:
            path = "/jobs?limit=1000" + (f"&cursor={cursor}" if cursor else "")
            _, page = self.server.api("GET", path)
            jobs += page["items"]
            cursor = page["next"]
            if not cursor:
                return jobs

    def check_ran_once(self, runs):
        for run, entries in runs.items():
            self.assertEqual(len(entries), 1, f"user code of {run} started {len(entries)} times")

    def check_nothing_is_left(self):
        """Every job has ended: only the server itself still runs."""
        left = lambda: set(processes.belonging_to(str(self.folder))) - {self.server.process.pid}
        harness.wait_for(lambda: not left(), "supervisors and jobs to be gone")


class KillCampaign(Campaign):
    config = preempted_jobs.TWO_QUEUES

    def test_promises_hold_over_sigkill(self):
        ledger = self.folder / "ledger"
        clients = self.kill_again_and_again(ledger, 1.5)
        jobs = self.wait_until_all_ended(clients)
        self.check(clients, jobs, read_ledger(ledger))
        # How a job ends that has removed what says how it ended is not for us to say; that nothing of it runs twice is.
        harmed = harmed_jobs(ledger)
        unharmed = {job: row for job, row in jobs.items() if job not in harmed}
        preempted = preempted_jobs.check(self, unharmed, set().union(*(client.cancelled for client in clients)), ledger)
        print(f"{preempted} attempts made room for others")
        self.assertGreater(preempted, 0)

    def wait_until_all_ended(self, clients):
        def unfinished():
            left = self.server.json("ps", "--state", "queued,starting,running,stopping,unreachable", "--limit", "1000")
            return not left
        harness.wait_for(unfinished, "every job to end", timeout=900, pause=0.5)
        return {job: self.server.get(job) for client in clients for job in client.submitted.values()}

    def check(self, clients, jobs, runs):
        for client in clients:
            self.assertEqual(client.left, [])
            ids = list(client.submitted.values())
            self.assertEqual(len(ids), len(set(ids)), "two keys were answered with one job")
        names = {}
        for job in self.all_jobs():
            names.setdefault(job["name"], []).append(job["id"])
        for client in clients:
            for key, job in client.submitted.items():
                self.assertEqual(names.get(f"job-{key}"), [job], "an acknowledged submit exists exactly once")
        for job in jobs.values():
            self.assertIn(job["state"], harness.TERMINAL)
        self.check_ran_once(runs)
        self.check_cancels(clients, jobs)
        self.check_gangs(jobs, runs)
        self.check_devices(jobs, runs)
        self.check_nothing_is_left()
        started = sum(1 for job, attempt, rank in runs if rank == 0)
        print(f"{ROUNDS} kills, {len(jobs)} jobs acknowledged, {started} attempts ran, "
              f"{sum(len(c.cancelled) for c in clients)} cancels acknowledged")
        self.assertGreater(started, 0)

    def check_cancels(self, clients, jobs):
        """Who was told that the cancel is accepted sees the job CANCELLED, and nothing of it starts later:
        no attempt is admitted after the request, and a launch barrier that let user code through did so
        before the answer."""
        barriers = 0
        for client in clients:
            for job, (acknowledged, state) in client.cancelled.items():
                if state in harness.TERMINAL - {"CANCELLED"}:
                    continue
                self.assertEqual(jobs[job]["state"], "CANCELLED", f"{job} was {state} when its cancel was acknowledged")
                self.check_no_admission_after_cancel(job)
                for attempt in (self.server.state / "attempts").glob(f"*/{job}/*"):
                    decision = attempt / "decision"  # a link that leads nowhere
                    if not os.path.lexists(decision):
                        continue
                    barriers += 1
                    if os.readlink(decision) == "1:go":
                        self.assertLessEqual(os.lstat(decision).st_mtime_ns, acknowledged,
                                             f"the launch barrier of {job} opened after its cancel was acknowledged")
        self.assertTrue(barriers > 0 or not any(jobs[job]["attempts"] for client in clients for job in client.cancelled),
                        "no launch barrier was seen: nothing was checked")

    def check_no_admission_after_cancel(self, job):
        events = self.server.api("GET", f"/jobs/{job}/events?limit=1000")[1]["items"]
        cancelled = [event["seq"] for event in events if event["type"] == "job.cancel_requested"]
        self.assertEqual(len(cancelled), 1, events)
        late = [event for event in events if event["type"] == "attempt.admitted" and event["seq"] > cancelled[0]]
        self.assertEqual(late, [])

    def check_gangs(self, jobs, runs):
        """User code starts in all members or in none; a stop may come between the first lines of two."""
        for job in jobs.values():
            for attempt in job["attempts"]:
                ranks = [task["task"] for task in attempt["placement"]]
                started = [rank for rank in ranks if (job["id"], attempt["number"], rank) in runs]
                if attempt["ended_by"] not in ("cancelled", "preempted"):
                    self.assertIn(len(started), (0, len(ranks)), f"half a gang: {job['id']} attempt {attempt['number']}")

    def check_devices(self, jobs, runs):
        """Intervals on one device do not overlap: by the jobs' own clocks, or by the attempt's where the
        job was killed and wrote no end."""
        used = {}
        for job in jobs.values():
            for attempt in job["attempts"]:
                for task in attempt["placement"]:
                    for start, end in runs.get((job["id"], attempt["number"], task["task"]), []):
                        if end is None:
                            # Times of events are cut to milliseconds: it began at the latest just before the next one.
                            start = self.admitted_at(job["id"], attempt["number"]) + 999_999
                            end = nanoseconds(attempt["ended_at"])
                        for device in task["devices"]:
                            used.setdefault(f"device {device} of {task['node']}", []).append((start, end, f"{job['id']}.{attempt['number']}"))
        never_overlap(self, used, lambda each: story(self.server, each))

    def admitted_at(self, job, number):
        events = self.server.api("GET", f"/jobs/{job}/events?limit=1000")[1]["items"]
        return next(nanoseconds(event["time"]) for event in events
                    if event["type"] == "attempt.admitted" and event["attempt"] == number)


class OldJobsLeave(Campaign):
    config = preempted_jobs.TWO_QUEUES + "retention: {jobs: 3s}\n"
    started, jobs_leave = False, True

    def test_promises_hold_while_old_jobs_leave(self):
        ledger, heads = self.folder / "ledger", self.folder / "heads"
        self.server.arguments = ["--audit-seal-every", "200ms", "--audit-heads", str(heads)]
        self.server.start()
        waits = self.server.submit({"name": "waits", "queue": "a", "run": ["true"], "resources": {"gpus": 1}, "nodes": 9})
        spec = self.server.get(waits)["spec"]
        clients = self.kill_again_and_again(ledger, 3)
        self.wait_until_all_left()
        live = self.server.get(waits)
        self.assertEqual((live["state"], live["spec"]), ("QUEUED", spec), "what has not ended stays whole")
        old = self.history("jobs", "--limit", 1_000_000)
        self.check_jobs(clients, old)
        self.check_ran_once(read_ledger(ledger))
        self.check_log(heads)
        later = self.server.submit({"name": "later", "queue": "a", "run": ["true"]})
        self.assertNotIn(later, {row["id"] for row in old} | {waits}, "an id is not given out again")
        self.server.wait_end(later)
        self.check_nothing_is_left()
        print(f"{ROUNDS} kills, {len(old)} jobs left the database for {len(self.history('list'))} segments")

    def history(self, *words):
        return self.server.json("history", *words, "--dir", self.server.state / "history")

    def wait_until_all_left(self):
        """Each look of the server needs an event after it, with a seal."""
        def look():
            self.server.ym("token", "create", "--for", "noise")
            return [job["name"] for job in self.all_jobs()] == ["waits"]
        harness.wait_for(look, lambda: f"all jobs to leave: {self.server.log_text()[-3000:]}", timeout=600, pause=0.5)

    def check_jobs(self, clients, old):
        by_name = {}
        for row in old:
            self.assertIn(row["state"], harness.TERMINAL)
            by_name.setdefault(row["name"], []).append(row)
        for client in clients:
            for key in client.left:
                self.assertEqual(len(by_name[f"job-{key}"]), 1, key)
            for key, job in client.submitted.items():
                self.assertEqual([row["id"] for row in by_name.get(f"job-{key}", [])], [job], "it is in one segment")
            for job, (_, state) in client.cancelled.items():
                if state not in harness.TERMINAL - {"CANCELLED"}:
                    self.assertEqual([row["state"] for row in old if row["id"] == job], ["CANCELLED"])

    def check_log(self, heads):
        segments = self.history("list")
        self.assertEqual([one["from"] for one in segments], [1, *(one["to"] + 1 for one in segments[:-1])])
        folder = self.server.state / "history"
        verified = self.server.ym("history", "verify", "--dir", folder, "--against", heads, check=False)
        self.assertEqual(verified.returncode, 0, verified.stdout)
        self.assertTrue(self.server.json("audit", "verify", "--against", heads)["valid"])


# In place of `mv`: the third is ended by the signal that its shell gets too, as when a supervisor stops the job.
MV = """#!/bin/sh
echo >> "$0.calls"
[ "$(wc -l < "$0.calls")" -lt 3 ] || kill -TERM $PPID $$
exec /bin/mv "$@"
"""


class Ledger(unittest.TestCase):
    def test_a_save_whose_report_a_signal_ended_is_not_in_it(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "mv").write_text(MV)
            (folder / "mv").chmod(0o755)
            environment = {"PATH": f"{folder}:/usr/bin:/bin", "LEDGER": str(folder / "ledger"), "YM_JOB_ID": "J",
                           "YM_ATTEMPT": "1", "YM_NODE_RANK": "0", "YM_CHECKPOINT_DIR": str(folder),
                           "YM_PROGRESS_FILE": str(folder / "progress"), "STEPS": "6", "BY": "marker", "DEAF": "no"}
            ended = subprocess.run(["sh", "-c", TRAINING], env=environment, capture_output=True)
            self.assertEqual(ended.returncode, 75, ended)
            reported = json.loads((folder / "progress").read_text())["step"]
            self.assertEqual((reported, read_steps(folder / "ledger", "saved")), (2, {("J", 1): 2}))


if __name__ == "__main__":
    unittest.main()
