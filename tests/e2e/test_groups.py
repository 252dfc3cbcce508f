"""Gangs of several kinds of tasks on the real server: each with its program, its devices and its place."""

import unittest

import harness

SPEC = {"name": "rl", "run": "echo $YM_GROUP $YM_GROUP_RANK is $YM_NODE_RANK of $YM_NODES",
        "groups": [{"name": "learners", "nodes": 2, "resources": {"gpus": 2}},
                   {"name": "chief", "env": {"ROLE": "chief"}, "run": ["sh", "-c", "echo $ROLE of $YM_GROUPS"]}]}
ADDRESS = "127.0.0.1"


class Groups(harness.ServerTest):
    config = harness.FIVE_NODES

    def test_each_runs_its_own(self):
        job = self.server.submit(SPEC)
        ended = self.server.wait_state(job, "SUCCEEDED")
        devices = [len(task["devices"]) for task in ended["attempts"][0]["placement"]]
        self.assertEqual(devices, [2, 2, 0])
        self.assertEqual([group["name"] for group in ended["spec"]["groups"]], ["learners", "chief"])
        self.assertNotIn("nodes", ended["spec"])
        logs = self.server.ym("logs", job, "--rank", "all").stdout.split("\n")
        self.assertEqual(sorted(line for line in logs if line),
                         ["[0] learners 0 is 0 of 3", "[1] learners 1 is 1 of 3",
                          f"[2] chief of learners={ADDRESS},{ADDRESS};chief={ADDRESS}"])
        text = self.server.ym("get", job).stdout
        self.assertIn("learners: 2 nodes x 2 GPUs, 2 CPUs", text)
        self.assertIn("chief: 1 node, 1 CPU", text)

    def test_what_was_taken_can_be_submitted_again(self):
        job = self.server.submit(SPEC)
        spec = self.server.wait_state(job, "SUCCEEDED")["spec"]
        again = self.server.submit(spec)
        self.assertEqual(self.server.wait_state(again, "SUCCEEDED")["spec"], spec)

    def test_one_that_fails_ends_all(self):
        groups = [{"name": "a", "run": ["sleep", "600"]}, {"name": "b", "run": "exit 3"}]
        job = self.server.submit({"name": "fails", "groups": groups})
        ended = self.server.wait_state(job, "FAILED")
        self.assertIn("exit code 3", ended["message"])

    def test_it_runs_on_while_the_server_is_away(self):
        groups = [{"name": "a", "nodes": 2, "resources": {"gpus": 4}, "run": ["sleep", "3"]},
                  {"name": "b", "resources": {"gpus": 1}, "run": "sleep 3; exit 0"}]
        job = self.server.submit({"name": "lives", "groups": groups})
        self.server.wait_state(job, "RUNNING")
        self.server.kill()
        self.server.start()
        ended = self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(len(ended["attempts"]), 1)

    def test_it_waits_whole(self):
        other = self.server.submit({"name": "other", "nodes": 4, "resources": {"gpus": 4}, "run": ["sleep", "600"]})
        self.server.wait_state(other, "RUNNING")
        groups = [{"name": "a", "resources": {"gpus": 4}}, {"name": "b", "nodes": 2, "resources": {"gpus": 4}}]
        job = self.server.submit({"name": "waits", "run": "true", "groups": groups})
        harness.wait_for(lambda: self.server.get(job)["reason"] == "WaitingForCapacity", "the reason")
        why = self.server.json("why", job)
        self.assertEqual(why["dominant"]["numbers"], {"needed": 2, "free": 1, "gpus_per_node": 4})
        self.server.ym("cancel", other)
        self.server.wait_state(job, "SUCCEEDED")


if __name__ == "__main__":
    unittest.main()
