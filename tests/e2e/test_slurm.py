"""Jobs on a real Slurm: the same job files, another cluster behind the queue."""

import pathlib
import shutil
import signal
import tempfile
import unittest

import certificates
import harness
import labs
import restores
import trainings

LAB = None
HAS_REST = shutil.which("slurmrestd", path="/usr/sbin:/usr/bin:/usr/local/sbin") is not None


def setUpModule():
    global LAB
    rest = ["--rest"] if HAS_REST else []
    LAB = labs.SlurmLab(nodes=4, gpus=4, extra=rest, conf="KillWait=2\nPartitionName=one Nodes=n1\n").start()


def tearDownModule():
    if LAB:
        LAB.stop()


class SlurmTest(harness.ServerTest):
    started = False
    partition, nodes, settings = "train", 4, ""
    queues = ""
    user = pathlib.Path("/proc/self").owner()

    def setUp(self):
        super().setUp()
        self.logs = pathlib.Path(tempfile.mkdtemp(prefix="ym-slurm-logs-"))
        self.addCleanup(shutil.rmtree, self.logs, ignore_errors=True)
        self.server = self.make_server()
        self.addCleanup(self.server.close)
        self.addCleanup(self.clear)
        harness.wait_for(LAB.nodes_are_idle, "Slurm's nodes to be in service", timeout=120, pause=0.5)
        self.begin()
        harness.wait_for(lambda: len(self.server.json("nodes")) == self.nodes, "the nodes of the cluster")

    def make_server(self):
        return harness.Server(self.folder, self.configuration(), self.arguments)

    def begin(self):
        self.server.start()

    def configuration(self):
        return f"""
clusters:
  - name: hpc
    executor: slurm
    slurm: {{partition: {self.partition}, log_dir: {self.logs}, conf: {LAB.conf}{self.settings}}}
flavors:
  - {{name: h100, match: {{gpu: h100}}}}
{self.queues}"""

    def clear(self):
        """The next test has the cluster for itself."""
        LAB.slurm("scancel", "--quiet", "--user", self.user)
        harness.wait_for(lambda: not LAB.slurm("squeue", "-h", "-t", "R,PD,CG").strip(), "Slurm to be empty")

    def job(self, **spec):
        return self.server.submit({"name": "job", "workdir": "/tmp", "resources": {"gpus": 1}} | spec)

    def slurm_job(self, job):
        """What Slurm says of the job's only attempt. Servers before this one had jobs of that name, too."""
        rows = [line.split() for line in LAB.slurm("squeue", "-h", "-t", "all", "-o", "%i %j").splitlines()]
        number = max(int(number) for number, name in rows if name.startswith(f"ym-{job}."))
        said = LAB.slurm("scontrol", "show", "job", "-o", number)
        return dict(word.split("=", 1) for word in said.split() if "=" in word)


class Life(SlurmTest):
    def test_a_job_runs_where_the_engine_says_and_its_end_and_output_come_back(self):
        node = self.server.json("nodes")[0]
        self.assertEqual((node["cluster"], node["gpu_type"], len(node["devices"])), ("hpc", "h100", 4))
        job = self.job(run="echo out on $SLURMD_NODENAME; echo gpus=$CUDA_VISIBLE_DEVICES; exit 3", resources={"gpus": 2})
        ended = self.server.wait_state(job, "FAILED")
        self.assertEqual(ended["attempts"][0]["exit_code"], 3)
        placed = ended["attempts"][0]["placement"][0]["node"]
        log = self.job_log(job)
        self.assertIn("out on " + placed, log)
        self.assertIn("gpus=0,1", log)
        self.assertEqual(self.slurm_job(job)["ReqNodeList"], placed)

    def test_a_gang_starts_together_and_knows_its_members(self):
        job = self.job(nodes=3, run="echo rank $YM_NODE_RANK of $YM_NODES: $YM_NODE_IPS", time_limit="5m")
        self.server.wait_state(job, "SUCCEEDED")
        for rank in range(3):
            self.assertIn(f"rank {rank} of 3: ", self.job_log(job, "--rank", rank))

    def test_a_cancel_gives_the_grace_and_frees_the_nodes(self):
        job = self.job(run="trap 'echo saving; exit 0' TERM; echo up; while :; do sleep 0.1; done")
        self.server.wait_state(job, "RUNNING")
        harness.wait_for(lambda: "up" in self.job_log(job), "the job to be up")
        self.server.ym("cancel", job)
        self.server.wait_state(job, "CANCELLED")
        self.assertIn("saving", self.job_log(job))
        harness.wait_for(lambda: LAB.slurm("squeue", "-h", "-t", "R,PD").strip() == "", "Slurm to be empty")

    def test_a_server_that_dies_and_comes_back_finds_its_jobs(self):
        runs = self.job(run="echo once >> $OUT; while [ ! -e $OUT.go ]; do sleep 0.1; done; exit 5",
                        env={"OUT": str(self.folder / "ran")})
        self.server.wait_state(runs, "RUNNING")
        self.server.kill(signal.SIGKILL)
        (self.folder / "ran.go").touch()
        self.server.start()
        self.assertEqual(self.server.wait_state(runs, "FAILED")["attempts"][0]["exit_code"], 5)
        self.assertEqual((self.folder / "ran").read_text(), "once\n")

    def test_a_backup_that_is_put_back_runs_nothing_twice(self):
        restores.runs_nothing_twice(self)

    def test_a_controller_that_is_away_changes_nothing(self):
        runs = self.job(run="while [ ! -e $GO ]; do sleep 0.1; done", env={"GO": str(self.folder / "go")})
        self.server.wait_state(runs, "RUNNING")
        LAB.run("ctld-kill")
        try:
            (self.folder / "go").touch()
            self.server.wait_state(runs, "SUCCEEDED")
            waits = self.job(run="true")
        finally:
            LAB.run("ctld-start")
        self.server.wait_state(waits, "SUCCEEDED", timeout=120)

    def test_what_others_hold_is_not_given_away(self):
        LAB.slurm("sbatch", "--partition=one", "--gres=gpu:h100:3", "--output=/dev/null", "--wrap=sleep 600")
        def foreign():
            node = next(node for node in self.server.json("nodes") if node["name"] == "n1")
            return sum(device["foreign"] for device in node["devices"]) == 3 and all(d["healthy"] for d in node["devices"])
        harness.wait_for(foreign, "three GPUs of others")
        job = self.job(nodes=4, resources={"gpus": 4}, run="true")
        harness.wait_for(lambda: self.server.get(job)["reason"], "a reason to wait")
        self.assertEqual(self.server.get(job)["attempts"], [])


class Training(SlurmTest):
    def test_a_gang_under_torchrun_trains_together(self):
        trainings.trains_together(self)


class Preemption(SlurmTest):
    partition, nodes = "one", 1
    queues = "queues: [{name: train, quota: {h100: {gpus: 4}}}]\n"

    def test_a_job_makes_room_saves_and_goes_on(self):
        trainings.makes_room_and_goes_on(self, {"gpus": 4})


class Delegated(SlurmTest):
    settings = ", placement: delegated"

    def test_slurm_chooses_the_nodes(self):
        job = self.job(nodes=2, resources={"gpus": 3}, run="echo rank $YM_NODE_RANK on $SLURMD_NODENAME")
        self.server.wait_state(job, "SUCCEEDED")
        said = self.slurm_job(job)
        self.assertEqual((said["ReqNodeList"], said["NumNodes"]), ("(null)", "2"))
        ran_on = {self.job_log(job, "--rank", rank).split()[-1] for rank in range(2)}
        self.assertEqual(len(ran_on), 2)
        self.assertEqual(ran_on, set(LAB.slurm("scontrol", "show", "hostnames", said["NodeList"]).split()))


@unittest.skipUnless(HAS_REST, "slurmrestd is not installed (package slurmrestd)")
class Rest(SlurmTest):
    """Without sbatch, squeue and scancel: what works, works by slurmrestd."""

    def configuration(self):
        commands = self.folder / "commands"
        commands.mkdir()
        for name in ("scontrol", "sacct"):
            (commands / name).symlink_to(shutil.which(name))
        self.settings = f', rest: "unix:{LAB.folder}/run/rest.sock", bin_dir: {commands}'
        return super().configuration()

    def test_jobs_begin_end_and_are_cancelled_by_slurmrestd(self):
        job = self.job(nodes=2, run="echo rank $YM_NODE_RANK; exit $YM_NODE_RANK")
        self.server.wait_state(job, "FAILED")
        self.assertIn("rank 1", self.job_log(job, "--rank", 1))
        runs = self.job(run="trap 'exit 0' TERM; while :; do sleep 0.1; done")
        self.server.wait_state(runs, "RUNNING")
        self.server.ym("cancel", runs)
        self.server.wait_state(runs, "CANCELLED")


@unittest.skipIf(certificates.MISSING, certificates.MISSING)
class Https(SlurmTest):
    """Wrappers reach a server whose certificate only our own authority has signed."""

    def configuration(self):
        self.authority = certificates.Authority(self.folder / "tls")
        self.settings = f", ca_file: {self.authority.ca}"
        return super().configuration()

    def begin(self):
        certificate, key = self.authority.issue("server", "IP:127.0.0.1")
        self.server.ca = self.authority.ca
        self.server.arguments = ["--tls-cert", str(certificate), "--tls-key", str(key)]
        self.server.start()

    def test_a_private_authority_is_enough(self):
        job = self.job(run="echo ran with $YM_JOB_CA_FILE; exit 4")
        self.assertEqual(self.server.wait_state(job, "FAILED")["attempts"][0]["exit_code"], 4)
        self.assertIn(f"ran with {self.authority.ca}", self.job_log(job))

    def test_it_is_refused_without_tls(self):
        other = harness.Server(self.folder / "other", self.server.config.read_text(), ["--init"])
        self.addCleanup(other.close)
        self.assertEqual(other.spawn().wait(harness.TIMEOUT), 2)
        self.assertIn("ca_file needs an https address of the server", other.log_text())


if __name__ == "__main__":
    unittest.main()
