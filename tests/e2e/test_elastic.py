"""Elastic jobs on the real server: as large as there is room for, and told how large."""

import json
import unittest

import harness


class Elastic(harness.ServerTest):
    config = harness.FIVE_NODES

    def test_it_starts_as_large_as_there_is_room(self):
        other = self.server.submit({"name": "other", "nodes": 2, "resources": {"gpus": 4}, "run": ["sleep", "600"]})
        self.server.wait_state(other, "RUNNING")
        spec = {"name": "elastic", "nodes": {"min": 2, "max": 4}, "resources": {"gpus": 4},
                "run": "echo $YM_NODE_RANK of $YM_NODES"}
        job = self.server.submit(spec)
        ended = self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(ended["spec"]["nodes"], {"min": 2, "max": 4})
        self.assertEqual(len(ended["attempts"][0]["placement"]), 3)
        logs = self.server.ym("logs", job, "--rank", "all").stdout.split("\n")
        self.assertEqual([line for line in logs if line], [f"[{rank}] {rank} of 3" for rank in range(3)])
        beyond = self.server.ym("logs", job, "--rank", "3", check=False)
        self.assertEqual((beyond.returncode, beyond.stderr), (2, "ym: --rank: write 0 to 2, or all\n"))
        self.server.ym("cancel", other)

    def test_it_waits_for_its_smallest_size(self):
        other = self.server.submit({"name": "other", "nodes": 4, "resources": {"gpus": 4}, "run": ["sleep", "600"]})
        self.server.wait_state(other, "RUNNING")
        job = self.server.submit({"name": "elastic", "nodes": {"min": 2, "max": 9}, "resources": {"gpus": 4}, "run": "true"})
        harness.wait_for(lambda: self.server.get(job)["reason"] == "WaitingForCapacity", "the reason")
        why = self.server.json("why", job)
        self.assertEqual(why["dominant"]["numbers"], {"needed": 2, "free": 1, "gpus_per_node": 4})
        self.server.ym("cancel", other)
        ended = self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(len(ended["attempts"][0]["placement"]), 5)

    def test_a_long_grace_under_torchrun_is_warned_of(self):
        text = "run: [train.py]\nlauncher: torchrun\npreemption: {grace: 2m}\narray: 2\n"
        done = self.server.ym("submit", "-", "--dry-run", "-o", "json", input=text)
        self.assertIn("ym: warning: preemption.grace is 2m, but PyTorch before the release", done.stderr)
        self.assertEqual(done.stderr.count("warning"), 1)
        self.assertEqual(len(json.loads(done.stdout)[0]["warnings"]), 1)


# Rank 0 saves after each step and says so; all go on from what was saved.
TRAINING = """
step=${YM_RESUME_STEP:-0}; echo "from $step of $YM_NODES"
trap 'exit 0' TERM
while :; do
  sleep 0.1; step=$((step + 1))
  [ "$YM_NODE_RANK" = 0 ] || continue
  save="$YM_CHECKPOINT_DIR/$step"; echo "$step" > "$save"
  echo "YM_PROGRESS {\\"step\\": $step, \\"checkpoint\\": {\\"uri\\": \\"$save\\", \\"step\\": $step}}"
done
"""


class Resized(harness.ServerTest):
    config = harness.FIVE_NODES + "scheduling: {resize_interval: 1s}\n"

    def test_it_grows_into_what_is_idle_and_shrinks_for_others(self):
        other = self.server.submit({"name": "other", "nodes": 3, "resources": {"gpus": 4}, "run": ["sleep", "600"]})
        self.server.wait_state(other, "RUNNING")
        job = self.server.submit({"name": "elastic", "nodes": {"min": 2, "max": 5}, "resources": {"gpus": 4},
                                  "time_limit": "10h", "run": TRAINING, "checkpoint": {"dir": str(self.folder)},
                                  "priority": 30})
        harness.wait_for(lambda: self.server.get(job)["checkpoints"], "a save")
        self.assertEqual(self.nodes(job), 2)
        self.server.ym("cancel", other)
        harness.wait_for(lambda: self.runs_on(job) == 5, "five nodes")
        first, second = self.server.get(job)["attempts"]
        self.assertEqual((first["ended_by"], first["stop_cause"], first["yields_to"]), ("preempted", "preemption", None))
        self.assertGreater(second["resumes_from"]["step"], 0)
        stop = next(event for event in self.events(job) if event["type"] == "attempt.stopping")
        self.assertEqual((stop["data"]["resizes_to"], stop["reason"]),
                         (5, "goes on with 5 nodes instead of 2: no job waits for the added nodes"))

        harness.wait_for(lambda: self.server.get(job)["attempts"][-1]["checkpoint_step"], "a save of the larger one")
        urgent = self.server.submit({"name": "urgent", "nodes": 2, "resources": {"gpus": 4}, "run": ["sleep", "600"],
                                     "priority": 90})
        self.server.wait_state(urgent, "RUNNING")
        harness.wait_for(lambda: self.runs_on(job) == 3, "three nodes")
        self.assertEqual(self.server.get(job)["attempts"][1]["yields_to"], urgent)
        logs = self.server.ym("logs", job, "--attempt", "3").stdout.splitlines()
        self.assertRegex(logs[0], r"^from [1-9]\d* of 3$")
        self.server.ym("cancel", job, urgent)

    def nodes(self, job):
        return len(self.server.get(job)["attempts"][-1]["placement"])

    def runs_on(self, job):
        return self.server.get(job)["state"] == "RUNNING" and self.nodes(job)

    def events(self, job):
        return [event for event in self.server.api("GET", "/events?limit=1000")[1]["items"] if event["job"] == job]


if __name__ == "__main__":
    unittest.main()
