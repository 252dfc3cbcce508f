"""Several servers on one PostgreSQL in front of a real Slurm: jobs go on whoever leads."""

import unittest

import harness
import labs
import standbys
import takeovers


class SlurmTakeover(standbys.OnPostgres):
    def setUp(self):
        super().setUp()
        self.lab = labs.SlurmLab(nodes=4, gpus=4, conf="KillWait=2\n").start()
        self.addCleanup(self.lab.stop)
        self.balancer = takeovers.Balancer()
        self.addCleanup(self.balancer.close)
        self.balancer.members = self.members

    def member(self, name, config=None):
        config = config or f"""
clusters:
  - name: hpc
    executor: slurm
    slurm: {{partition: train, log_dir: {self.folder}/logs, conf: {self.lab.conf}}}
flavors:
  - {{name: h100, match: {{gpu: h100}}}}
"""
        one = super().member(name, config)
        one.arguments += ["--advertise-url", f"http://127.0.0.1:{self.balancer.port}"]
        return one

    def test_jobs_outlive_their_leader(self):
        (self.folder / "logs").mkdir()
        harness.wait_for(self.lab.nodes_are_idle, "Slurm's nodes to be in service", timeout=120, pause=0.5)
        leader, standby = self.pair()
        harness.wait_for(lambda: len(leader.json("nodes")) == 4, "the nodes of the cluster")
        takeovers.jobs_outlive_their_leader(self, leader, standby, takeovers.Gate(self.folder))


if __name__ == "__main__":
    unittest.main()
