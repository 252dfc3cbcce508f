"""Shares and slices of GPUs on the real server, over a simulated executor."""

import unittest

import harness

PARTS = """
clusters:
  - name: lab
    executor: simulated
    nodes: [{names: n1, gpus: "t4:1", gpu_memory: 16GiB, mig: ["1g.5gb:2"], cpus: 16}]
# Of an earlier version: it is read, and warned about.
scheduling: {placement: final-waste, waste_table: table.json}
"""


class PartsOfGpus(harness.ServerTest):
    config = PARTS

    def test_shares_and_slices(self):
        log = self.server.log_text()
        self.assertIn("/scheduling/placement: final-waste is not supported any more; fgd is used", log)
        self.assertIn("/scheduling/waste_table: is not used any more", log)
        share = {"run": ["sleep", "3600"], "resources": {"gpu_share": "500m", "gpu_memory": "8GiB"}}
        jobs = [self.server.submit({**share, "name": name}) for name in ("one", "two")]
        places = [self.server.wait_state(job, "RUNNING")["attempts"][0]["placement"][0] for job in jobs]
        self.assertEqual([place["devices"] for place in places], [["0"], ["0"]])
        slices = self.server.submit({"name": "slices", "run": ["sleep", "3600"], "resources": {"mig": "1g.5gb:2"}})
        self.server.wait_state(slices, "RUNNING")
        devices = {device["id"]: device for device in self.server.json("nodes")[0]["devices"]}
        self.assertEqual(devices["0"]["jobs"], sorted(jobs))
        self.assertEqual((devices["m1"]["job"], devices["m1"]["profile"]), (slices, "1g.5gb"))
        third = self.server.submit({**share, "name": "third"})
        harness.wait_for(lambda: self.server.get(third)["reason"] == "WaitingForCapacity", "the reason")
        self.assertEqual(self.server.get(third)["spec"]["resources"]["gpu_share"], 0.5)


if __name__ == "__main__":
    unittest.main()
