"""Jobs on a real Slurm, of a server that belongs to an ordinary user."""

import os
import shutil
import unittest

import harness
import test_slurm

setUpModule, tearDownModule = test_slurm.setUpModule, test_slurm.tearDownModule


class OrdinaryUser(test_slurm.SlurmTest):
    """The server is neither root nor Slurm's own user, and may do there what any user may."""

    user = "nobody"

    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("to become another user takes root")
        super().setUp()

    def make_server(self):
        programs = self.folder / "programs"
        programs.mkdir()
        for name in ("ym", "ym-supervisor", "ym-task"):
            shutil.copy(harness.BIN / name, programs)
        become = ["setpriv", "--reuid", self.user, "--regid", "nogroup", "--clear-groups"]
        server = harness.Server(self.folder, self.configuration(), self.arguments, wrapper=become, programs=programs)
        for path in (self.folder, *self.folder.rglob("*"), self.logs):
            shutil.chown(path, self.user, "nogroup")
        return server

    def test_jobs_are_its_own_and_others_are_left_alone(self):
        others = test_slurm.LAB.slurm("sbatch", "--parsable", "--gres=gpu:h100:1", "-w", "n2", "--output=/dev/null",
                                      "--job-name=ym-others", "--wrap=sleep 600").strip()
        self.addCleanup(test_slurm.LAB.slurm, "scancel", "--quiet", others)
        job = self.job(nodes=2, run="id -un; exit 3")
        self.assertEqual(self.server.wait_state(job, "FAILED")["attempts"][0]["exit_code"], 3)
        self.assertEqual(self.job_log(job).strip(), "nobody")
        self.assertEqual(self.slurm_job(job)["UserId"], "nobody(65534)")
        runs = self.job(run="trap 'exit 0' TERM; while :; do sleep 0.1; done")
        self.server.wait_state(runs, "RUNNING")
        self.server.kill()
        self.server.start()
        self.server.ym("cancel", runs)
        self.server.wait_state(runs, "CANCELLED")
        self.assertEqual(test_slurm.LAB.slurm("squeue", "-h", "-j", others, "-o", "%T").strip(), "RUNNING")


if __name__ == "__main__":
    unittest.main()
