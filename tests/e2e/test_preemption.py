"""One job makes room for another: on real processes, from the notice to the step that it goes on from."""

import datetime
import pathlib
import re
import unittest

import descent
import harness
import trainings

# What a preemption is made of; between these come steps of starting, and reports.
TURNS = {"job.submitted", "attempt.admitted", "attempt.started", "attempt.stopping", "hold.placed", "hold.ended", "attempt.ended",
         "job.requeued", "job.finished"}
GPUS = 2  # of each job
RESTART = 60  # seconds that a start is reckoned with, where the configuration does not say


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Preemption(harness.ServerTest):
    config = trainings.ONE_NODE

    def setUp(self):
        super().setUp()
        self.end = self.folder / "end"
        self.go = self.folder / "go"
        both = {"queue": "train", "resources": {"gpus": GPUS}}
        # About ten seconds of work: enough to be interrupted in, and to be done after that.
        self.steps = 100
        self.low_spec = descent.job(self.folder, name="low", steps=self.steps, pace=0.1, end=self.end, priority=10,
                                    preemption={"grace": "2m"}, **both)
        self.high_spec = {"name": "high", "priority": 90, "run": f"while [ ! -e {self.go} ]; do sleep 0.05; done"} | both

    def turns(self, *jobs):
        """[(name, type)] of everything that turned, in order."""
        names = {job: self.server.get(job)["name"] for job in jobs}
        events = self.server.api("GET", "/events?limit=1000")[1]["items"]
        return [(names[event["job"]], event["type"]) for event in events if event["job"] in names and event["type"] in TURNS]

    def interrupt(self):
        """`low` has saved and is in its grace; `high` waits for its place."""
        low = self.server.submit(self.low_spec)
        self.server.wait_state(low, "RUNNING")
        harness.wait_for(lambda: self.server.get(low)["checkpoints"], "a save")
        high = self.server.submit(self.high_spec)
        self.server.wait_state(low, "STOPPING")
        harness.wait_for(lambda: self.server.get(high)["reason"] == "PreemptionPending", "the reason")
        return low, high

    def go_on(self, low, high):
        """Lets both do what is left to do; `low` as it has ended."""
        self.end.touch()
        self.server.wait_state(high, "RUNNING")
        waiting = self.server.wait_state(low, "QUEUED")
        self.assertEqual((waiting["preemptions"], len(waiting["attempts"])), (1, 1))
        self.assert_lost(waiting, since=waiting["checkpoints"][0]["durable_at"])
        self.go.touch()
        self.server.wait_state(high, "SUCCEEDED")
        return self.server.wait_state(low, "SUCCEEDED")

    def assert_loss_went_on(self, low):
        """Both attempts together say what one that was never interrupted says."""
        begin, first, end = descent.read_log(self.job_log(low, "--attempt", "1"))
        self.assertEqual((begin, end["notice"], end["signals"]), (0, "preemption", ["SIGTERM"]))
        resumed, second, _ = descent.read_log(self.job_log(low, "--attempt", "2"))
        self.assertEqual(resumed, first[-1][0], "it goes on from the save of its grace")
        self.assertGreater(resumed, 0)
        self.assertEqual([step for step, _ in first + second], list(range(1, self.steps + 1)), "no step twice, none left out")
        self.assertEqual([loss for _, loss in first + second], descent.losses(self.steps))
        return resumed

    def assert_lost(self, job, since):
        """What its first attempt did from then until its last process had ended is done again; and it starts again."""
        ends = [event["data"]["ended_at"] for event in self.server.json("events", job["id"])
                if (event["type"], event["attempt"]) == ("task.ended", 1)]
        expected = GPUS * (instant(max(ends)) - instant(since) + RESTART)
        self.assertAlmostEqual(job["attempts"][0]["lost_gpu_seconds"], expected, places=2)

    def assert_counted(self, attempt):
        """The metrics have its stop, and both figures of what it lost."""
        text = self.server.request("GET", "/metrics")[2].decode()
        self.assertIn('yardmaster_preemptions_total{queue="train",cause="priority"} 1\n', text)
        for figure in ("lost_gpu_seconds", "estimated_lost_gpu_seconds"):
            counted = float(re.search(rf'^yardmaster_{figure}_total{{cause="priority"}} (\S+)$', text, re.M)[1])
            self.assertAlmostEqual(counted, attempt[figure], places=2)
        self.assertNotRegex(text, r"(?i)\bnan\b")

    def assert_order(self, low, high):
        self.assertEqual(self.turns(low, high), [
            ("low", "job.submitted"), ("low", "attempt.admitted"), ("low", "attempt.started"),
            ("high", "job.submitted"), ("low", "attempt.stopping"), ("high", "hold.placed"),
            ("low", "attempt.ended"), ("low", "job.requeued"),
            ("high", "attempt.admitted"), ("high", "attempt.started"), ("high", "attempt.ended"), ("high", "job.finished"),
            ("low", "attempt.admitted"), ("low", "attempt.started"), ("low", "attempt.ended"), ("low", "job.finished")])

    def test_a_job_makes_room_and_goes_on_from_its_save(self):
        low, high = self.interrupt()
        stopping = self.server.get(low)["attempts"][0]
        self.assertEqual((stopping["stop_cause"], stopping["yields_to"]), ("preemption", high))
        estimated = stopping["estimated_lost_gpu_seconds"]
        self.assertGreaterEqual(estimated, GPUS * RESTART)
        self.assertEqual(stopping["lost_gpu_seconds"], estimated, "nothing else is known of it yet")
        hold = self.server.get(high)["hold"]
        self.assertEqual((hold["victims"], hold["placement"]), ([low], stopping["placement"]))
        self.assertGreater(hold["expires_at"], stopping["stop_by"])
        why = self.server.ym("why", high).stdout
        self.assertIn("blocked by  PreemptionPending", why)
        self.assertRegex(why, rf"waits for   low \({low}\)  STOPPING, ends by .* UTC \(in ")
        self.assertRegex(self.server.ym("get", low).stdout, rf"preemption for {high}, loses \d+ GPU-s by the estimate")

        submitted = self.server.get(low)["submitted_at"]
        ended = self.go_on(low, high)
        self.assert_order(low, high)
        resumed = self.assert_loss_went_on(low)
        first, second = ended["attempts"]
        self.assertEqual((first["ended_by"], first["yields_to"], first["checkpoint_step"]), ("preempted", high, resumed))
        self.assertEqual((second["resumes_from"]["step"], second["resumes_from"]["attempt"]), (resumed, 1))
        self.assertEqual((second["ended_by"], second["progress"]["completed"], second["progress"]["step"]), ("exit", True, self.steps))
        self.assertEqual((ended["submitted_at"], ended["preemptions"]), (submitted, 1))
        self.assertEqual((first["estimated_lost_gpu_seconds"], second["lost_gpu_seconds"]), (estimated, None))
        self.assertRegex(self.server.ym("get", low).stdout, rf"preempted for {high}, lost \d+ GPU-s \(estimated \d+ GPU-s\)")

        events = {(event["job"], event["type"]): event for event in self.server.api("GET", "/events?limit=1000")[1]["items"]}
        stop, kept = events[low, "attempt.stopping"], events[high, "hold.placed"]
        self.assertEqual(kept["seq"], stop["seq"] + 1, "stored together")
        self.assertEqual((stop["data"]["yields_to"], kept["data"]["hold"]["victims"]), (high, [low]))
        self.assertEqual(stop["data"]["estimated_lost_gpu_seconds"], estimated)
        said = [event["data"]["lost_gpu_seconds"] for event in self.server.json("events", low) if event["type"] == "attempt.ended"]
        self.assertEqual(said, [first["lost_gpu_seconds"], None])
        self.assertEqual(events[low, "job.requeued"]["data"]["cause"], "preempted")
        self.assert_counted(first)

    def test_the_server_dies_in_the_middle_of_the_grace(self):
        low, high = self.interrupt()
        before = self.server.get(low), self.server.get(high)
        self.server.kill()
        self.server.start()
        stopping, waiting = self.server.get(low), self.server.get(high)
        self.assertEqual(stopping["state"], "STOPPING")
        for key in ("stop_cause", "stop_by", "yields_to", "lost_gpu_seconds", "estimated_lost_gpu_seconds"):
            self.assertEqual(stopping["attempts"][0][key], before[0]["attempts"][0][key])
        self.assertEqual(waiting["hold"], before[1]["hold"])
        status, notice = self.server.api("GET", f"/jobs/{low}/attempts/1/notice")
        self.assertEqual((status, notice["deadline"]), (200, stopping["attempts"][0]["stop_by"]))
        # The place is kept for whom it was made: another of the same rank, and smaller, does not get it.
        other = self.server.submit({"name": "other", "queue": "train", "priority": 90, "resources": {"gpus": 1}, "run": ["true"]})
        self.go_on(low, high)
        self.server.wait_state(other, "SUCCEEDED")
        self.assert_order(low, high)
        self.assert_loss_went_on(low)

    def test_the_grace_ends_while_no_server_lives(self):
        low, high = self.interrupt()
        pids = self.server.processes_of(low)
        self.server.kill()
        self.end.touch()
        harness.wait_for(lambda: not self.server.processes_of(low), f"the end of {pids}")
        self.server.start()
        self.go_on(low, high)
        self.assert_order(low, high)
        self.assert_loss_went_on(low)

    def test_a_job_that_does_not_stop_is_killed_and_waits_again(self):
        stubborn = self.server.submit({"name": "stubborn", "queue": "train", "priority": 10, "resources": {"gpus": GPUS},
                                       "run": "trap '' TERM; [ $YM_ATTEMPT = 2 ] && exit 0; while :; do sleep 0.1; done",
                                       "preemption": {"grace": "1s"}})
        self.server.wait_state(stubborn, "RUNNING")
        self.go.touch()
        high = self.server.submit(self.high_spec)
        self.server.wait_state(high, "SUCCEEDED")
        ended = self.server.wait_state(stubborn, "SUCCEEDED")
        self.assertEqual([attempt["ended_by"] for attempt in ended["attempts"]], ["preempted", "exit"])
        self.assertIsNone(ended["attempts"][1]["resumes_from"])
        self.assert_lost(ended, since=ended["attempts"][0]["started_at"])

    def test_a_save_that_is_gone_is_skipped_for_the_one_before(self):
        low, high = self.interrupt()
        self.end.touch()
        self.server.wait_state(high, "RUNNING")
        waiting = self.server.wait_state(low, "QUEUED")
        newest, before = waiting["checkpoints"][:2]
        self.assert_lost(waiting, since=newest["durable_at"])
        pathlib.Path(newest["uri"]).unlink()
        self.go.touch()
        ended = self.server.wait_state(low, "SUCCEEDED")
        self.assertEqual(ended["attempts"][1]["resumes_from"], before)
        self.assertEqual(descent.read_log(self.job_log(low, "--attempt", "2"))[0], before["step"])
        skipped = [event for event in self.server.json("events", low) if event["type"] == "checkpoint.skipped"]
        self.assertEqual([event["data"]["checkpoint"] for event in skipped], [newest])
        self.assert_lost(ended, since=before["durable_at"])
        further, = skipped[0]["data"]["further_losses"]
        self.assertEqual(further["attempt"], 1)
        self.assertAlmostEqual(further["lost_gpu_seconds"], GPUS * (instant(newest["durable_at"]) - instant(before["durable_at"])), places=2)

    def test_a_job_that_forbids_it_is_left_alone(self):
        safe = self.server.submit(self.low_spec | {"preemption": {"allow": False}})
        self.server.wait_state(safe, "RUNNING")
        high = self.server.submit(self.high_spec)
        harness.wait_for(lambda: self.server.get(high)["reason"] not in (None, "PendingEvaluation"), "a reason")
        self.assertNotEqual(self.server.get(high)["reason"], "PreemptionPending")
        self.assertEqual((self.server.get(safe)["state"], self.server.get(high)["hold"]), ("RUNNING", None))


if __name__ == "__main__":
    unittest.main()
