"""A job's way through the real server: submit, run, see, stop, retry."""

import json
import os
import pathlib
import signal
import time
import unittest

import harness
import processes


class Lifecycle(harness.ServerTest):
    config = harness.FIVE_NODES

    def test_output_and_exit_code(self):
        job = self.server.submit({"name": "hello", "run": "echo hi; echo there >&2; exit 3"})
        ended = self.server.wait_end(job)
        self.assertEqual(ended["state"], "FAILED")
        self.assertEqual(ended["attempts"][0]["exit_code"], 3)
        self.assertEqual(ended["attempts"][0]["ended_by"], "exit")
        self.assertEqual(sorted(self.job_log(job).split()), ["hi", "there"])
        self.assertEqual(self.server.ym("wait", job, check=False).returncode, 1)

    def test_a_gang_gets_its_nodes_and_devices(self):
        job = self.server.submit({"name": "gang", "nodes": 2, "resources": {"gpus": 4},
                                  "run": "echo rank $YM_NODE_RANK of $YM_NODES has $YM_GPUS_PER_NODE cuda=[$CUDA_VISIBLE_DEVICES]"})
        ended = self.server.wait_state(job, "SUCCEEDED")
        placement = ended["attempts"][0]["placement"]
        self.assertEqual([len(task["devices"]) for task in placement], [4, 4])
        self.assertEqual(len({task["node"] for task in placement}), 2)
        self.assertEqual(self.server.ym("logs", job, "--rank", "1").stdout.strip(), "rank 1 of 2 has 4 cuda=[]")

    def test_a_restart_of_the_server_neither_kills_nor_doubles(self):
        marker = self.folder / "marker"
        job = self.server.submit({"name": "long", "run": f"echo started >> {marker}; sleep 4; echo done"})
        self.server.wait_state(job, "RUNNING")
        self.server.kill()
        self.server.start()
        ended = self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(len(ended["attempts"]), 1)
        self.assertEqual(marker.read_text(), "started\n")
        self.assertEqual(self.job_log(job), "done\n")

    def test_a_job_that_ends_while_the_server_is_away(self):
        job = self.server.submit({"name": "brief", "run": "sleep 1; exit 7"})
        self.server.wait_state(job, "RUNNING")
        self.server.kill()
        time.sleep(2)
        self.server.start()
        ended = self.server.wait_end(job)
        self.assertEqual(ended["attempts"][0]["exit_code"], 7)

    def test_time_limit(self):
        job = self.server.submit({"name": "slow", "run": ["sleep", "600"], "time_limit": "1s", "preemption": {"grace": "1s"}})
        ended = self.server.wait_end(job)
        self.assertEqual(ended["state"], "TIMED_OUT")
        self.assertEqual(ended["attempts"][0]["ended_by"], "time_limit")

    def test_cancel_ends_every_descendant(self):
        job = self.server.submit({"name": "forks", "run": "setsid sleep 601 & (trap '' TERM; sleep 602) & sleep 603",
                                  "preemption": {"grace": "1s"}})
        self.server.wait_state(job, "RUNNING")
        harness.wait_for(lambda: len(self.server.processes_of(job)) >= 3, "its processes")
        self.server.ym("cancel", job)
        self.assertEqual(self.server.wait_end(job)["state"], "CANCELLED")
        self.assertEqual(self.server.processes_of(job), [])

    def test_a_supervisor_that_is_killed_loses_the_attempt_not_the_job(self):
        job = self.server.submit({"name": "robust", "run": "if [ $YM_ATTEMPT = 1 ]; then sleep 600; fi; echo again",
                                  "retry": {"backoff": "100ms"}})
        self.server.wait_state(job, "RUNNING")
        harness.wait_for(lambda: self.server.processes_of(job), "its processes")
        supervisors = set(processes.running("ym-supervisor")) & set(processes.belonging_to(str(self.server.state)))
        self.assertTrue(supervisors)
        for pid in supervisors:
            os.kill(pid, signal.SIGKILL)
        ended = self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual([a["ended_by"] for a in ended["attempts"]], ["lost", "exit"])

    def test_a_missing_program_is_not_retried(self):
        job = self.server.submit({"name": "typo", "run": ["/no/such/program"], "retry": {"infra": {"max": 5}, "error": {"max": 5}}})
        ended = self.server.wait_end(job)
        self.assertEqual(ended["state"], "FAILED")
        self.assertEqual(len(ended["attempts"]), 1)
        self.assertEqual(ended["attempts"][0]["ended_by"], "start_failed")
        self.assertIn("No such file or directory", ended["message"])

    def test_an_error_is_retried_as_often_as_asked(self):
        job = self.server.submit({"name": "flaky", "run": "test $YM_ATTEMPT = 3", "retry": {"error": {"max": 5}, "backoff": "100ms"}})
        self.assertEqual(len(self.server.wait_state(job, "SUCCEEDED")["attempts"]), 3)

    def test_hold_and_release(self):
        blocker = self.server.submit({"name": "blocker", "nodes": 5, "resources": {"gpus": 4}, "run": ["sleep", "600"]})
        self.server.wait_state(blocker, "RUNNING")
        job = self.server.submit({"name": "later", "resources": {"gpus": 1}, "run": ["true"]})
        self.server.ym("hold", job)
        self.server.ym("cancel", blocker)
        self.server.wait_end(blocker)
        self.assertEqual(self.server.get(job)["state"], "HELD")
        self.server.ym("release", job)
        self.server.wait_state(job, "SUCCEEDED")

    def test_why_says_what_is_missing(self):
        blocker = self.server.submit({"name": "blocker", "nodes": 5, "resources": {"gpus": 3}, "run": ["sleep", "600"]})
        self.server.wait_state(blocker, "RUNNING")
        waiting = self.server.submit({"name": "whole", "resources": {"gpus": 4}, "run": ["true"]})
        never = self.server.submit({"name": "never", "resources": {"gpus": 8}, "run": ["true"]})
        harness.wait_for(lambda: self.server.get(waiting)["reason"] == "Fragmented", "a reason")
        why = self.server.json("why", waiting)
        self.assertEqual(why["dominant"]["code"], "Fragmented")
        self.assertIsNone(why["predicted_start"], "nobody knows when the blocker ends")
        harness.wait_for(lambda: self.server.json("why", waiting)["no_estimate"] == "no-time-limit", "a forecast")
        self.assertIn("no estimate: jobs that it waits for have no time limit", self.server.ym("why", waiting).stdout)
        harness.wait_for(lambda: self.server.get(never)["reason"] == "ExceedsCapacity", "a reason")

    def test_why_says_when_it_will_start_and_what_would_make_it_sooner(self):
        blocker = self.server.submit(
            {"name": "blocker", "nodes": 4, "resources": {"gpus": 4}, "run": ["sleep", "600"], "time_limit": "2h"}
        )
        self.server.wait_state(blocker, "RUNNING")
        gang = self.server.submit({"name": "gang", "nodes": 5, "resources": {"gpus": 4}, "run": ["true"]})
        predicted = harness.wait_for(lambda: self.server.json("why", gang)["predicted_start"], "a forecast")
        started = harness.moment(self.server.get(blocker)["started_at"])
        self.assertAlmostEqual((harness.moment(predicted["median"]) - started).total_seconds(), 7200, delta=30)
        self.assertLessEqual(harness.moment(predicted["low"]), harness.moment(predicted["median"]))
        sooner = harness.wait_for(lambda: self.server.json("why", gang)["sooner"], "what would make it sooner")
        self.assertEqual([(change["key"], change["value"]) for change in sooner], [("nodes", "1")])
        self.assertIn("sooner      nodes: 1  -> now", self.server.ym("why", gang).stdout)
        self.server.ym("cancel", gang)
        less = self.server.submit({"name": "less", "nodes": 1, "resources": {"gpus": 4}, "run": ["true"]})
        self.server.wait_state(less, "SUCCEEDED")

    def test_how_long_jobs_ran_predicts_those_like_them(self):
        ids = self.server.submit({"name": "eval", "array": 3, "run": ["sleep", "0.2"]})
        for job in ids:
            self.server.wait_state(job, "SUCCEEDED")
        job = self.server.submit({"name": "eval", "run": ["sleep", "0.2"], "nodes": 1})
        predicted = self.server.get(job)["predicted_run_time"]
        self.assertEqual(predicted["samples"], 3)
        self.assertGreater(predicted["p50_seconds"], 0.1)

    def test_an_array(self):
        ids = self.server.submit({"name": "sweep", "array": 4, "run": "echo member $YM_ARRAY_INDEX"})
        for index, job in enumerate(ids):
            self.server.wait_state(job, "SUCCEEDED")
            self.assertEqual(self.job_log(job).strip(), f"member {index}")

    def test_events_tell_the_whole_story_in_order(self):
        job = self.server.submit({"name": "story", "run": ["true"]})
        self.server.wait_end(job)
        events = self.server.json("events", job)
        types = [event["type"] for event in events]
        self.assertEqual(types[0], "job.submitted")
        self.assertEqual(types[-1], "job.finished")
        self.assertEqual([e["seq"] for e in events], sorted(e["seq"] for e in events))
        for event in events:
            self.assertTrue(event["actor"] and event["time"] and event["reason"], event)

    def test_every_transition_says_why(self):
        """Of lives with as many turns as one machine gives them."""
        gang = self.server.submit({"name": "gang", "nodes": 2, "resources": {"gpus": 1}, "retry": {"error": {"max": 1}, "backoff": "100ms"},
                                   "run": "if [ $YM_NODE_RANK = 1 ]; then sleep 0.2; exit 3; fi; sleep 600", "preemption": {"grace": "1s"}})
        self.server.wait_state(gang, "FAILED")
        cancelled = self.server.submit({"name": "cancelled", "run": ["sleep", "600"]})
        self.server.wait_state(cancelled, "RUNNING")
        self.server.ym("cancel", cancelled)
        self.server.wait_end(cancelled)
        held = self.server.submit({"name": "held", "nodes": 5, "resources": {"gpus": 4}, "run": ["true"]})
        self.server.ym("hold", held, check=False)
        self.server.ym("release", held, check=False)
        self.server.wait_end(held)
        reasons = {}
        for event in self.server.api("GET", "/events?limit=1000")[1]["items"]:
            self.assertTrue(event["actor"] and event["time"] and event["reason"], event)
            reasons.setdefault((event["job"], event["type"]), event["reason"])
        self.assertEqual(reasons[gang, "attempt.stopping"], "task 1 of the gang ended: exit code 3")
        self.assertEqual(reasons[gang, "attempt.ended"], "exit code 3")
        self.assertEqual(reasons[gang, "job.finished"], "exit code 3 (after 1 retries)")
        self.assertEqual(reasons[cancelled, "attempt.stopping"], "the job was cancelled")
        self.assertEqual(reasons[cancelled, "job.finished"], "cancelled")

    def test_a_clean_stop_leaves_jobs_running(self):
        job = self.server.submit({"name": "long", "run": "sleep 3; echo done"})
        self.server.wait_state(job, "RUNNING")
        self.assertEqual(self.server.stop(), 0)
        self.assertTrue(self.server.processes_of(job))
        self.assertFalse((self.server.state / "server.json").exists())
        self.server.start()
        self.server.wait_state(job, "SUCCEEDED")


if __name__ == "__main__":
    unittest.main()
