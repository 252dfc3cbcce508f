"""A backup that is put back over a state that went on: what was launched since is neither lost nor run again."""

import os
import random
import signal
import time
import unittest

import harness
import preempted_jobs
import processes
from campaign import Client
from ledger import harmed_jobs, read_ledger, read_steps
from overlaps import check_overlaps, folder_of
from restores import back_up, put_back

ONE_NODE = """
clusters:
  - {name: lab, executor: local, nodes: [{names: n1, gpus: "t4:4", cpus: 16}]}
"""
ROUNDS = 20 if harness.CAMPAIGN else 3
SEED = int(os.environ.get("YM_SEED", "1"))

# Says who ran, and stays until it is told to end.
STAYS = """echo "$YM_JOB_ID $YM_ATTEMPT" >> "$FOLDER/ran"
while [ ! -e "$FOLDER/end" ] && [ ! -e "$FOLDER/end-$YM_JOB_NAME" ]; do sleep 0.05; done
"""

# Why a job waits that would begin if more devices were free.
FOR_DEVICES = ("WaitingForCapacity", "Fragmented", "Priority", "Reserved")
FAILS_ONCE = '[ "$YM_ATTEMPT" != 1 ] || exit 1\n'


class Restored(harness.ServerTest):
    config = ONE_NODE

    def setUp(self):
        super().setUp()
        self.backup = self.folder / "backup.db"

    def stays(self, name, gpus=1, first="", **more):
        return self.server.submit({"name": name, "run": ["sh", "-c", first + STAYS], "resources": {"gpus": gpus},
                                   "env": {"FOLDER": str(self.folder)}, **more})

    def ran(self):
        """Of each job, the attempts that ran, each as often as it did."""
        told = self.folder / "ran"
        runs = {}
        for line in told.read_text().splitlines() if told.exists() else []:
            job, attempt = line.split()
            runs.setdefault(job, []).append(int(attempt))
        return runs

    def shells_of(self, job):
        """Not what these have started, which changes."""
        return sorted(set(self.server.processes_of(job)) & set(processes.running("$FOLDER")))

    def let_end(self, name):
        (self.folder / f"end-{name}").touch()

    def restore(self):
        self.server.kill()
        put_back(self.server, self.backup)
        self.server.start()

    def test_what_ran_since_goes_on_and_what_ended_has_ended(self):
        goes_on = self.stays("goes-on", gpus=2)
        self.server.wait_state(goes_on, "RUNNING")
        ends_later, begins_later, both = (self.stays(name, gpus=2, priority=priority)
                                          for name, priority in (("ends-later", 60), ("begins-later", 40), ("both", 50)))
        self.server.wait_state(ends_later, "RUNNING")
        back_up(self.server, self.backup)
        self.let_end("ends-later")
        self.server.wait_state(ends_later, "SUCCEEDED")
        self.let_end("both")
        self.server.wait_state(both, "SUCCEEDED")
        self.server.wait_state(begins_later, "RUNNING")
        before = self.shells_of(begins_later)
        self.restore()
        for job in (ends_later, both):
            self.server.wait_state(job, "SUCCEEDED")
        for job in (goes_on, begins_later):
            self.server.wait_state(job, "RUNNING")
        self.assertEqual(self.shells_of(begins_later), before)
        (self.folder / "end").touch()
        for job in (goes_on, begins_later):
            self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(self.ran(), {job: [1] for job in (goes_on, ends_later, begins_later, both)})

    def test_what_was_submitted_since_keeps_its_devices_and_its_id(self):
        early = self.stays("early", gpus=2)
        self.server.wait_state(early, "RUNNING")
        back_up(self.server, self.backup)
        unknown = self.stays("unknown", gpus=2)
        self.server.wait_state(unknown, "RUNNING")
        for _ in range(2):  # the second start is none of a backup that was put back: what is known of it must last
            self.restore() if self.backup.exists() else (self.server.kill(), self.server.start())
            self.backup.unlink(missing_ok=True)
            self.assertEqual([job["id"] for job in self.server.json("ps", "-A")][-1], early)
            self.assertIn(unknown, self.server.log.read_text())
            devices = self.server.json("nodes")[0]["devices"]
            self.assertEqual([device["healthy"] for device in devices], [True, True, False, False])
            events = self.server.api("GET", "/events?limit=1000")[1]["items"]
            self.assertIn(unknown, [event["reason"] for event in events if event["type"] == "node.set"][-1], "who has them")
            later = self.stays("later")
            self.assertGreater(later, unknown, "no id is given out twice")
            harness.wait_for(lambda: self.server.get(later)["reason"] not in (None, "PendingEvaluation"), "a reason")
            self.assertEqual(self.server.get(later)["state"], "QUEUED")
            self.server.ym("cancel", later)
        self.let_end("unknown")
        later = self.stays("last")
        self.server.wait_state(later, "RUNNING", timeout=60)
        (self.folder / "end").touch()
        self.server.wait_state(later, "SUCCEEDED")
        self.assertEqual(self.ran()[unknown], [1])

    def test_what_waits_does_not_begin_where_an_unknown_job_lives(self):
        stays, ends = (self.stays(name, gpus=2, priority=90) for name in ("stays", "ends"))
        for job in (stays, ends):
            self.server.wait_state(job, "RUNNING")
        waits = self.stays("waits", gpus=2)
        self.wait_reason(waits, *FOR_DEVICES)
        back_up(self.server, self.backup)
        unknown = self.stays("unknown", gpus=2, priority=90)
        self.wait_reason(unknown, *FOR_DEVICES)
        self.let_end("ends")
        self.server.wait_state(unknown, "RUNNING")
        self.begins_after(unknown, waits, [])
        self.assertEqual(self.ran(), {job: [1] for job in (stays, ends, unknown, waits)})

    def test_what_was_to_be_tried_again_does_not_begin_where_an_unknown_job_lives(self):
        """In the backup all devices are free, and nothing else is to be found out about it."""
        waits = self.stays("waits", gpus=4, first=FAILS_ONCE, retry={"error": 1, "backoff": "20s"})
        self.wait_reason(waits, "Backoff")
        back_up(self.server, self.backup)
        unknown = self.stays("unknown", gpus=4, priority=90)
        self.server.wait_state(unknown, "RUNNING")
        self.wait_reason(waits, *FOR_DEVICES)
        self.begins_after(unknown, waits, [1])
        self.assertEqual(self.ran(), {unknown: [1], waits: [2]})

    def wait_reason(self, job, *reasons):
        harness.wait_for(lambda: self.server.get(job)["reason"] in reasons,
                         lambda: f"one of {reasons}: {self.server.story_of(job)}")

    def begins_after(self, unknown, waits, attempts):
        """Over the backup, and over an ordinary restart after that."""
        self.restore()
        self.waits_still(unknown, waits, attempts)
        self.server.kill()
        self.server.start()
        self.waits_still(unknown, waits, attempts)
        self.let_end("unknown")
        self.server.wait_state(waits, "RUNNING")
        (self.folder / "end").touch()
        self.server.wait_state(waits, "SUCCEEDED")

    def waits_still(self, unknown, waits, attempts):
        # When what was submitted last has run, plans were made and carried out.
        last = self.server.submit({"run": ["true"], "resources": {"cpus": 1}})
        self.server.wait_state(last, "SUCCEEDED")
        seen = self.server.get(waits)
        made = [attempt["number"] for attempt in seen["attempts"]]
        self.assertEqual((seen["state"], made), ("QUEUED", attempts), self.server.story_of(waits))
        self.assertTrue(self.shells_of(unknown), "it is let be")

    def test_a_later_attempt_takes_the_place_of_the_one_that_lived_then(self):
        job = self.stays("tried-again", retry={"infra": 3})
        self.server.wait_state(job, "RUNNING")
        back_up(self.server, self.backup)
        # Without its supervisor it is lost, which is tried again.
        for pid in set(processes.running("ym-supervisor")) & set(processes.belonging_to(str(self.server.state))):
            os.kill(pid, signal.SIGKILL)
        harness.wait_for(lambda: len(self.server.get(job)["attempts"]) == 2, "another attempt")
        self.server.wait_state(job, "RUNNING")
        self.restore()
        found = self.server.wait_state(job, "RUNNING")
        self.assertEqual([attempt["number"] for attempt in found["attempts"]], [1, 2])
        (self.folder / "end").touch()
        self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(self.ran(), {job: [1, 2]})


class RestoreCampaign(harness.ServerTest):
    config = preempted_jobs.TWO_QUEUES

    def test_no_attempt_runs_twice_over_backups_that_are_put_back(self):
        chance = random.Random(SEED)
        ledger = self.folder / "ledger"
        # Long enough that much waits when it is backed up, and that much of what is not known lives when that is put back.
        clients = [Client(self.server, n, ledger, SEED * 100 + n, longest_nap=1) for n in range(3)]
        for client in clients:
            client.start()
        waiting = 0
        for n in range(ROUNDS):
            backup = self.folder / f"backup-{n}.db"
            time.sleep(chance.uniform(0.2, 1))
            waiting += len(self.server.json("ps", "--state", "queued", "--limit", "1000"))
            back_up(self.server, backup)
            time.sleep(chance.uniform(0.2, 2))
            self.server.kill()
            put_back(self.server, backup)
            self.server.start()
        for client in clients:
            client.stopping.set()
        for client in clients:
            client.join(harness.TIMEOUT)
        states = "queued,starting,running,stopping,unreachable,held"
        harness.wait_for(lambda: not self.server.json("ps", "--state", states, "--limit", "1000"), "every job to end",
                         timeout=600, pause=0.5)
        self.check(read_ledger(ledger))
        check_overlaps(self, ledger, self.server.state)
        print(f"{waiting} jobs waited in the backups")
        self.assertGreater(waiting, 0)
        self.check_ended_jobs_do_not_run_again(ledger)

    def check_ended_jobs_do_not_run_again(self, ledger):
        """Of jobs that save nothing, and do no harm to their files: what came to the end of all its tasks has succeeded,
        unless it was told to stop just before."""
        attempts, trainings = {}, {job for job, _ in read_steps(ledger, "start")}
        for (job, attempt, _), [(_, end)] in read_ledger(ledger).items():
            if job not in trainings | harmed_jobs(ledger):
                attempts.setdefault(job, {}).setdefault(attempt, []).append(end is not None)
        stopped = lambda *launch: os.path.lexists(folder_of(self.server.state, *launch) / "stop")
        again = {job: of for job, of in attempts.items() for attempt, ends in of.items()
                 if all(ends) and max(of) > attempt and not stopped(job, attempt)}
        self.assertEqual(again, {})

    def check(self, runs):
        for run, entries in runs.items():
            self.assertEqual(len(entries), 1, f"user code of {run} started {len(entries)} times")
        jobs = {job["id"]: job for job in self.server.json("ps", "-A", "--limit", "1000")}
        names = {}
        for job in jobs.values():
            names.setdefault(job["name"], []).append(job["id"])
        self.assertEqual({name: ids for name, ids in names.items() if len(ids) > 1}, {}, "one key, two jobs")
        left = lambda: set(processes.belonging_to(str(self.folder))) - {self.server.process.pid}
        # Half a gang that is not known waits for its other half as long as any may: 5 minutes.
        harness.wait_for(lambda: not left(), "supervisors and jobs to be gone", timeout=400, pause=0.5)
        print(f"{ROUNDS} backups put back, {len(jobs)} jobs are known in the end, {len(runs)} tasks ran")
        self.assertGreater(len(runs), 0)


if __name__ == "__main__":
    unittest.main()
