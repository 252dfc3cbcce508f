"""What scripts rely on, against the real server: formats, exit codes, queues that change while it runs."""

import json
import signal
import subprocess
import unittest

import harness

# The example of docs/guide/configuration.md, without the settings that were added to it since.
EXAMPLE = """
clusters:
  - name: lab
    executor: local              # local | slurm | kubernetes | simulated
    nodes:                       # virtual nodes; left out: this machine as found
      - {names: "n[1-5]", gpus: "t4:4", cpus: 16, memory: 64GiB, labels: {rack: r1}}
flavors:
  - {name: t4, match: {gpu: t4}, price_per_gpu_hour: 0.35}
queues:
  - name: org
    children:
      - {name: a, quota: {t4: {gpus: {nominal: 8, borrow: 4}, cpus: 64}}, policy: {order: fifo, preempt: lower-priority}}
      - {name: b, quota: {t4: {gpus: 12, cpus: 96}}}    # a bare number is the nominal quota
"""


class Surfaces(harness.ServerTest):
    config = EXAMPLE

    def test_queues_show_their_policy(self):
        queues = {queue["name"]: queue for queue in self.server.json("queue")}
        self.assertEqual(queues["a"]["policy"]["order"], "fifo")
        self.assertEqual(queues["a"]["policy"]["preempt"], "lower-priority")

    def test_rules_of_preemption_and_checkpoints_come_back_as_they_were_written(self):
        rules = {"preemption": {"allow": False, "signal": "SIGUSR1", "grace": "1m50s", "min_runtime": "20m"},
                 "checkpoint": {"dir": "s3://team/ckpt", "every": "15m", "expect_save": "1m"}}
        job = self.server.submit({"run": ["true"], "queue": "a"} | rules)
        self.server.wait_end(job)
        self.server.kill()
        self.server.start()
        shown = self.server.get(job)["spec"]
        self.assertEqual({key: shown[key] for key in rules}, rules)

    def test_a_job_that_does_not_wait_has_no_reason(self):
        job = self.server.submit({"name": "runs", "queue": "a", "run": ["sleep", "600"]})
        running = self.server.wait_state(job, "RUNNING")
        self.assertEqual((running["reason"], running["message"]), (None, ""))
        why = self.server.json("why", job)
        self.assertEqual((why["dominant"], why["state"]), (None, "RUNNING"))
        self.assertIn("where       n", self.server.ym("get", job).stdout)
        failed = self.server.wait_end(self.server.submit({"run": "exit 3", "queue": "a"}))
        self.assertEqual((failed["reason"], failed["message"]), (None, "exit code 3"))

    def test_exit_codes_of_waiting(self):
        job = self.server.submit({"name": "fails", "queue": "a", "run": "exit 3"})
        self.assertEqual(self.server.ym("wait", job, check=False).returncode, 1)
        self.assertEqual(self.server.ym("wait", job, "--exit-code-from", "job", check=False).returncode, 3)
        late = self.server.submit({"name": "late", "queue": "a", "run": "sleep 600", "time_limit": "200ms"})
        self.assertEqual(self.server.ym("wait", late, "--exit-code-from", "job", check=False).returncode, 1)
        done = self.server.ym("submit", "-", "--wait", "--exit-code-from", "job", input="{run: exit 4, queue: a}", check=False)
        self.assertEqual(done.returncode, 4, done.stderr)

    def test_a_dry_run_is_judged_by_the_server_and_makes_nothing(self):
        fine = self.server.json("submit", "-", "--dry-run", input="{run: [train.py], queue: a, array: 3}")
        self.assertEqual([(item["name"], item["jobs"]) for item in fine], [("train", 3)])
        wrong = self.server.ym("submit", "-", "--dry-run", input="{run: [a], queue: org}", check=False)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("/queue: queue 'org' is a cohort", wrong.stderr)
        self.assertEqual(self.server.json("ps", "-A"), [])

    def test_errors_in_json(self):
        refused = self.server.ym("get", "nothing", "-o", "json", check=False)
        problem = json.loads(refused.stderr)
        self.assertEqual((refused.returncode, refused.stdout, problem["code"]), (2, "", "not_found"))

    def test_a_flavor_that_is_not_there_is_refused_live_as_in_the_file(self):
        text = "queues: [{name: c, quota: {t5: {gpus: 1}}}]"
        status, _, body = self.server.request("POST", "/api/v1/queues", text, [("Content-Type", "application/yaml")])
        self.assertEqual((status, json.loads(body)["errors"][0]["pointer"]), (422, "/queues/0/quota/t5"))
        self.server.config.write_text(EXAMPLE.replace("- {name: b,", "- {name: c, quota: {t5: {gpus: 1}}}\n      - {name: b,"))
        self.server.stop()
        refused = subprocess.run(self.server.command(), capture_output=True, text=True, timeout=harness.TIMEOUT)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("/quota/t5", refused.stderr)

    def test_queues_come_and_go_while_it_runs(self):
        applied = self.server.json("queue", "apply", "-f", "-", input="queues: [{name: c, quota: {t4: {gpus: 2}}}]")
        self.assertEqual([queue["name"] for queue in applied], ["c"])
        self.assertNotIn("usage", applied[0])
        job = self.server.submit({"run": ["sleep", "600"], "queue": "c"})
        self.assertEqual(self.server.json("queue", "delete", "c"), [{"name": "c", "removed": False}])
        late = self.server.ym("submit", "-", input="{run: [a], queue: c}", check=False)
        self.assertIn("is being removed and takes no new jobs", late.stderr)
        self.server.ym("cancel", job)
        self.server.wait_end(job)
        harness.wait_for(lambda: "c" not in [queue["name"] for queue in self.server.json("queue", "list")], "the queue to leave")
        refused = self.server.ym("queue", "delete", "a", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("managed by the server's configuration file", refused.stderr)
        missing = self.server.ym("ps", "--queue", "c", check=False)
        self.assertEqual((missing.returncode, missing.stderr), (2, "ym: there is no queue 'c'; there are: a, b, org\n"))

    def test_a_job_without_queue_is_refused_with_those_it_may_name(self):
        for query in ("?dry_run=1", ""):
            status, problem = self.server.api("POST", "/jobs" + query, {"run": ["true"]})
            self.assertEqual((status, problem["code"]), (422, "invalid"))
            self.assertEqual([error["pointer"] for error in problem["errors"]], ["/queue"])
            self.assertIn("write one of: a, b", problem["errors"][0]["message"])
        self.assertEqual(self.server.json("ps", "-A"), [])

    def test_a_job_without_queue_goes_to_the_default_of_its_project(self):
        self.server.config.write_text(EXAMPLE.replace("{name: b,", "{name: b, default_for: {projects: [vision]},"))
        self.server.process.send_signal(signal.SIGHUP)
        default_for = lambda: {queue["name"]: queue["default_for"] for queue in self.server.json("queue")}
        harness.wait_for(lambda: default_for()["b"] == {"users": [], "projects": ["vision"]}, "the new configuration")
        planned = self.server.json("submit", "-", "--dry-run", input="{run: [a], project: vision}")
        self.assertEqual(planned[0]["spec"]["queue"], "b")
        job = self.server.get(self.server.submit({"run": ["true"], "project": "vision"}))
        self.assertEqual((job["queue"], job["spec"]["queue"]), ("b", "b"))

    def test_retries_under_one_key_make_one_job(self):
        job = self.server.submit({"name": "once", "queue": "a", "run": "exit 1"})
        self.server.wait_end(job)
        send = lambda: self.server.api("POST", f"/jobs/{job}/retry", headers=[("Idempotency-Key", "k")])
        first, second = send(), send()
        self.assertEqual((first[0], second[0]), (201, 201))
        self.assertEqual(first[1]["id"], second[1]["id"])
        self.server.kill()
        self.server.start()
        self.assertEqual(send()[1]["id"], first[1]["id"])


class ServersOwnQueue(harness.ServerTest):
    """A server on which nobody has configured queues, until somebody does."""

    config = harness.FIVE_NODES

    def test_its_jobs_go_on_when_queues_are_configured_and_it_leaves_with_them(self):
        go = self.folder / "go"
        job = self.server.submit({"name": "runs", "run": f"while [ ! -e {go} ]; do sleep 0.05; done"})
        self.server.wait_state(job, "RUNNING")
        self.server.config.write_text(self.config + "queues: [{name: team, quota: {t4: {gpus: 20}}}]\n")
        self.server.process.send_signal(signal.SIGHUP)
        takes_jobs = lambda: {queue["name"]: queue["accepts_jobs"] for queue in self.server.json("queue")}
        harness.wait_for(lambda: "team" in takes_jobs(), "the new queue")
        self.assertEqual(takes_jobs(), {"default": False, "team": True})
        late = self.server.ym("submit", "-", input="run: [a]", check=False)
        self.assertEqual(late.returncode, 2)
        self.assertIn("write one of: team", late.stderr)
        self.server.kill()
        self.server.start()
        self.server.wait_state(job, "RUNNING")
        go.touch()
        self.server.wait_state(job, "SUCCEEDED")
        harness.wait_for(lambda: takes_jobs() == {"team": True}, "the server's own queue to leave")


if __name__ == "__main__":
    unittest.main()
