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


if __name__ == "__main__":
    unittest.main()
