"""A real torchrun in front of a training that is told to stop: what its agent does by itself, and what comes of it."""

import unittest

import harness
from trainings import ONE_NODE, SYSTEM_PATH, of_system_pytorch

# Its save takes longer than the agent waits.
TRAIN = """import os, signal, time
attempt = os.environ["YM_ATTEMPT"]
def save(*_):
    print("saving", flush=True)
    time.sleep(600)
signal.signal(signal.SIGTERM, save)
print("attempt", attempt, flush=True)
time.sleep(600 if attempt == "1" else 0)
"""

AGENT = "import inspect, torch.distributed.elastic.multiprocessing.api as api; print(inspect.getsource(api))"


# Rank 1 is on the second node, and is killed; rank 0 sees its connection go.
LOSES_A_PEER = """import os, signal, time
import torch
import torch.distributed as dist
dist.init_process_group("gloo")
dist.barrier()
print("rank", dist.get_rank(), "trains", flush=True)
if dist.get_rank() == 1:
    os.kill(os.getpid(), signal.SIGKILL)
try:
    dist.all_reduce(torch.zeros(1))
finally:
    time.sleep(2)
"""


def require_torchrun_that_waits_30_s():
    if "TORCH_ELASTIC_SHUTDOWN_TIMEOUT" in of_system_pytorch(AGENT):
        raise unittest.SkipTest("this PyTorch waits for as long as it is told to")


class Torchrun(harness.ServerTest):
    config = ONE_NODE

    def test_its_30_seconds_cut_a_save_off_in_a_longer_grace_and_the_job_goes_on_later(self):
        require_torchrun_that_waits_30_s()
        (self.folder / "train.py").write_text(TRAIN)
        low = self.server.submit({"name": "low", "queue": "train", "priority": 10, "resources": {"gpus": 1}, "run": ["train.py"],
                                  "launcher": "torchrun", "workdir": str(self.folder), "env": {"PATH": SYSTEM_PATH},
                                  "preemption": {"grace": "10m"}})
        self.server.wait_state(low, "RUNNING")
        harness.wait_for(lambda: "attempt 1" in self.job_log(low), "the worker to begin")
        high = self.server.submit({"name": "high", "queue": "train", "priority": 90, "resources": {"gpus": 2}, "run": ["true"]})
        self.server.wait_state(high, "SUCCEEDED", timeout=120)
        ended = self.server.wait_state(low, "SUCCEEDED")
        first, second = ended["attempts"]
        # The grace was not used up: the agent killed its worker, and ended by itself. As an error of its own it would
        # have been the end of the job.
        self.assertEqual((first["ended_by"], first["exit_code"], first["yields_to"]), ("preempted", 1, high))
        self.assertIn("saving", self.job_log(low, "--attempt", "1"))
        self.assertEqual(ended["preemptions"], 1)
        self.assertIn("attempt 2", self.job_log(low, "--attempt", "2"))


# Two workers meet, and stay until the other job has met as well.
MEETS = """import os, sys, time
import torch.distributed as dist
dist.init_process_group("gloo")
dist.barrier()
folder = sys.argv[1]
open(os.path.join(folder, os.environ["YM_JOB_NAME"] + "-" + os.environ["RANK"]), "w").write(os.environ["MASTER_PORT"])
while len(os.listdir(folder)) < 4:
    time.sleep(0.05)
dist.barrier()
"""


class OwnTorchrun(harness.ServerTest):
    config = harness.FIVE_NODES

    def test_two_on_one_machine_meet_at_ports_of_their_own(self):
        of_system_pytorch("import torch.distributed.run")
        met = self.folder / "met"
        met.mkdir()
        (self.folder / "train.py").write_text(MEETS)
        run = ["python3", "-m", "torch.distributed.run", "--nproc_per_node", "2", "train.py", str(met)]
        # One of them is started where no word of it says so.
        (self.folder / "train.sh").write_text("exec " + " ".join(run) + "\n")
        jobs = [self.server.submit({"name": name, "run": words, "workdir": str(self.folder), "resources": resources,
                                    # Any other value fails in PyTorch 1.13 under Python 3.11.
                                    "env": {"PATH": SYSTEM_PATH, "PET_REDIRECTS": "2", "PET_TEE": "2"}})
                for name, words, resources in (("words", run, {}), ("script", ["sh", "train.sh"], {"gpus": 1}))]
        for job in jobs:
            self.server.wait_state(job, "SUCCEEDED", timeout=120)
        ports = {name: {(met / f"{name}-{rank}").read_text() for rank in (0, 1)} for name in ("words", "script")}
        self.assertEqual([len(of) for of in ports.values()], [1, 1])
        self.assertNotEqual(ports["words"], ports["script"])
        self.assertNotIn("29500", ports["words"] | ports["script"])


class Culprit(harness.ServerTest):
    config = harness.FIVE_NODES

    def test_the_worker_that_was_killed_is_named_though_both_agents_end_with_one(self):
        of_system_pytorch("import torch.distributed.run")
        (self.folder / "train.py").write_text(LOSES_A_PEER)
        job = self.server.submit({"name": "gang", "nodes": 2, "run": ["train.py"], "launcher": "torchrun",
                                  "workdir": str(self.folder), "env": {"PATH": SYSTEM_PATH}})
        ended = self.server.wait_state(job, "FAILED", timeout=120)
        culprit = ended["attempts"][0]["culprit"]
        self.assertEqual((culprit["task"], culprit["rank"], culprit["signal"], culprit["certainty"]), (1, 1, 9, "certain"))
        self.assertEqual(culprit["node"], ended["attempts"][0]["placement"][1]["node"])
        self.assertIn("rank 1 trains", self.job_log(job))


if __name__ == "__main__":
    unittest.main()
