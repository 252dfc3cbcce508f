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
        self.server.wait_state(high, "SUCCEEDED", patience=120)
        ended = self.server.wait_state(low, "SUCCEEDED")
        first, second = ended["attempts"]
        # The grace was not used up: the agent killed its worker, and ended by itself. As an error of its own it would
        # have been the end of the job.
        self.assertEqual((first["ended_by"], first["exit_code"], first["yields_to"]), ("preempted", 1, high))
        self.assertIn("saving", self.job_log(low, "--attempt", "1"))
        self.assertEqual(ended["preemptions"], 1)
        self.assertIn("attempt 2", self.job_log(low, "--attempt", "2"))


if __name__ == "__main__":
    unittest.main()
