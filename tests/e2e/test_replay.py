"""What a server records of its decisions, and `ym replay` of it."""

import gzip
import json
import unittest

import harness

CONFIG = """
clusters:
  - name: lab
    executor: simulated
    nodes: [{names: "n[1-2]", gpus: "t4:4", cpus: 16}]
flavors:
  - {name: t4, match: {gpu: t4}}
"""


class Replay(harness.ServerTest):
    config = CONFIG
    arguments = ("--record", "64MiB")

    def work(self, count):
        jobs = [self.server.submit({"name": f"job-{n}", "run": ["sleep", "0.1"], "resources": {"gpus": n % 4 + 1}})
                for n in range(count)]
        for job in jobs:
            self.server.wait_state(job, "SUCCEEDED")

    def replay(self, *words, returns=0):
        done = self.server.ym("replay", str(self.server.state / "recordings"), *words, "-o", "json", check=False)
        self.assertEqual(done.returncode, returns, done.stderr)
        return json.loads(done.stdout)

    def test_a_server_decides_again_what_it_has_decided(self):
        self.work(12)
        self.server.stop()
        self.server.start()  # a segment of its own, from what was stored
        self.work(6)
        self.server.stop()
        self.assertEqual(len(list((self.server.state / "recordings").iterdir())), 2)
        report = self.replay()
        self.assertGreater(report["decisions"], 18)
        self.assertEqual(report["same"], report["decisions"])
        self.assertEqual((report["different"], report["missed"]), (0, 0))

    def test_it_says_where_another_policy_parts_from_it(self):
        first = self.server.submit({"name": "first", "run": ["sleep", "3600"], "resources": {"gpus": 1}})
        self.server.wait_state(first, "RUNNING")
        second = self.server.submit({"name": "second", "run": ["sleep", "3600"], "resources": {"gpus": 1}})
        self.server.wait_state(second, "RUNNING")
        self.server.stop()
        policy = self.folder / "spread.yaml"
        policy.write_text("scheduling: {placement: spread}\n", encoding="utf-8")
        report = self.replay("--policy", str(policy), returns=1)
        self.assertEqual(report["different"], 1)
        told = report["differences"][0]
        self.assertIn(f"admit {second} cluster=lab flavor=t4 0@n1:1", told["recorded"]["decisions"])
        self.assertIn(f"admit {second} cluster=lab flavor=t4 0@n2:0", told["replayed"]["decisions"])
        text = self.server.ym("replay", str(self.server.state / "recordings"), "--policy", str(policy), check=False).stdout
        self.assertIn("1 different", text)

    def test_what_is_no_recording_is_refused(self):
        path = self.folder / "nonsense.gz"
        with gzip.open(path, "wt") as file:
            file.write("nonsense\n")
        done = self.server.ym("replay", str(path), check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nonsense.gz:1: this is not a line of a recording", done.stderr)
        done = self.server.ym("replay", str(self.folder), check=False)
        self.assertIn("has no recordings; `ym serve --record 1GiB` makes some", done.stderr)


if __name__ == "__main__":
    unittest.main()
