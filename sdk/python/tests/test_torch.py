"""Real ranks with gloo, DDP and DataLoader workers stop and save at the same step."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

from tests.fake_server import TIMEOUT, wait_for
from tests.training_case import ROOT, TrainingCase

TORCH_PYTHON = "/usr/bin/python3"
RANK_PROGRAM = """
import json, os, pathlib, sys, time
import torch, torch.distributed as dist
from torch.utils.data import DataLoader
import yardmaster as ym

folder = pathlib.Path(sys.argv[1])
torch.set_num_threads(1)
with ym.train() as t:
    before = t.should_stop()            # before there is a group: each for itself
    dist.init_process_group("gloo", **({"init_method": sys.argv[2], "rank": int(os.environ["RANK"]),
                            "world_size": int(os.environ["WORLD_SIZE"])} if len(sys.argv) > 2 else {}))
    rank, step, saves = dist.get_rank(), t.resume_step(), []
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.arange(256, dtype=torch.float32).reshape(64, 4) / 256
    stop = False
    while not stop:
        for batch in DataLoader(data, batch_size=8, num_workers=1):
            loss = model(batch).square().mean()
            optimizer.zero_grad(); loss.backward(); optimizer.step()
            step += 1
            time.sleep(0.002)
            t.report(step, loss=loss)
            (folder / f"at-{rank}").write_text(str(step))
            if t.should_checkpoint():
                saves.append(step)
                if rank == 0:
                    torch.save(model.state_dict(), folder / "model.pt")
                t.checkpoint(folder / "model.pt", step)
            if t.should_stop():
                stop = True
                break
    dist.destroy_process_group()
    (folder / f"end-{rank}").write_text(json.dumps([before, step, saves, t.should_stop()]))
"""


def torch_python():
    """A Python that has torch, or None."""
    for python in (TORCH_PYTHON, sys.executable):
        if shutil.which(python) and subprocess.run([python, "-c", "import torch.distributed"], capture_output=True).returncode == 0:
            return python
    return None


class TorchTest(TrainingCase):
    @classmethod
    def setUpClass(cls):
        cls.python = torch_python()
        if cls.python is None:
            raise unittest.SkipTest(f"neither {TORCH_PYTHON} nor {sys.executable} has torch")

    def start(self, words, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("YM_", "PET_"))}
        environment |= self.variables
        environment |= {"PYTHONPATH": str(ROOT), "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"} | variables
        log = (self.folder / "log").open("ab")
        self.addCleanup(log.close)
        process = subprocess.Popen(words, env=environment, stdout=log, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def log(self):
        return (self.folder / "log").read_text(errors="replace")[-3000:]

    def wait_steps(self, processes, steps):
        def arrived():
            if any(process.poll() is not None for process in processes):
                raise AssertionError(self.log())
            paths = [self.folder / f"at-{rank}" for rank in range(2)]
            return all(path.exists() and int(path.read_text() or 0) >= steps for path in paths)

        wait_for(arrived, "both ranks to train")

    def check(self):
        first, second = (json.loads((self.folder / f"end-{rank}").read_text()) for rank in range(2))
        self.assertEqual(first, second, self.log())
        before, step, saves, stopped = first
        self.assertEqual((before, saves, stopped), (False, [step], True))
        checkpoints = [report["checkpoint"] for report in self.server.reports if "checkpoint" in report]
        self.assertEqual([c["step"] for c in checkpoints], [step])  # rank 0 alone says so
        self.assertTrue(pathlib.Path(checkpoints[0]["uri"]).exists())

    def test_a_signal_to_one_rank_stops_both_at_one_step(self):
        (self.folder / "rank.py").write_text(RANK_PROGRAM)
        meeting = f"file://{self.folder}/meeting"
        ranks = [self.start([self.python, str(self.folder / "rank.py"), str(self.folder), meeting],
                            RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2") for rank in range(2)]
        self.wait_steps(ranks, 20)
        ranks[1].send_signal(signal.SIGTERM)
        self.assertEqual([rank.wait(TIMEOUT) for rank in ranks], [0, 0], self.log())
        self.check()

    def test_torchrun_passes_the_signal_on_and_the_ranks_save(self):
        (self.folder / "rank.py").write_text(RANK_PROGRAM)
        agent = self.start([self.python, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2",
                            str(self.folder / "rank.py"), str(self.folder)], PET_REDIRECTS="2", PET_TEE="2")
        self.wait_steps([agent], 20)
        agent.send_signal(signal.SIGTERM)
        self.assertEqual(agent.wait(TIMEOUT), 1, self.log())  # torchrun's status for a signal
        self.check()


if __name__ == "__main__":
    unittest.main()
