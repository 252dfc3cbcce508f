"""What trainings have to show, wherever they run: a torchrun gang that trains, and one that makes room."""

import subprocess
import unittest

import descent
import harness

SYSTEM_PATH = "/usr/bin:/bin"

# All of it is the quota of one queue: who is more urgent there has to be made room for.
ONE_NODE = """
clusters:
  - name: lab
    executor: local
    nodes:
      - {names: n1, gpus: "t4:2", cpus: 16, memory: 64GiB}
flavors:
  - {name: t4, match: {gpu: t4}}
queues:
  - {name: train, quota: {t4: {gpus: 2}}}
"""

# As a training does it: the gradients of both are averaged.
TRAIN = """import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = int(os.environ["RANK"])
model = DistributedDataParallel(torch.nn.Linear(1, 1))
model(torch.full((1, 1), float(rank))).sum().backward()
print(f"rank {rank} of {dist.get_world_size()} gradient {model.module.weight.grad.item()}", flush=True)
"""


def of_system_pytorch(program):
    """What this says, run by the Python of the system, which needs PyTorch for it."""
    found = subprocess.run(["python3", "-c", program], env={"PATH": SYSTEM_PATH}, capture_output=True, text=True)
    if found.returncode:
        raise unittest.SkipTest("/usr/bin/python3 has no PyTorch (package python3-torch)")
    return found.stdout


def trains_together(test, **environment):
    """A gang of two under torchrun, with the Python of the system."""
    of_system_pytorch("import torch.distributed.run")
    (test.folder / "train.py").write_text(TRAIN)
    job = test.job(nodes=2, run="train.py", launcher="torchrun", workdir=str(test.folder), env={"PATH": SYSTEM_PATH} | environment)
    test.server.wait_state(job, "SUCCEEDED", timeout=120)
    for rank in range(2):
        test.assertIn(f"rank {rank} of 2 gradient 0.5", test.job_log(job, "--rank", rank))


def makes_room_and_goes_on(test, resources, python=None):
    """A job of queue `train` that has all of it is stopped for a more urgent one, saves, and loses no step."""
    steps, both = 60, {"queue": "train", "resources": resources, "workdir": "/tmp"}
    spec = descent.job(test.folder, name="low", steps=steps, pace=0.1, priority=10, preemption={"grace": "30s"}, **both)
    if python:
        spec["run"][0] = python
    low = test.server.submit(spec)
    harness.wait_for(lambda: test.server.get(low)["checkpoints"], "a save")
    high = test.server.submit({"name": "high", "priority": 90, "run": "echo high"} | both)
    test.server.wait_state(high, "SUCCEEDED")
    ended = test.server.wait_state(low, "SUCCEEDED")
    first, second = ended["attempts"]
    test.assertEqual((first["ended_by"], first["yields_to"]), ("preempted", high))
    _, before, end = descent.read_log(test.job_log(low, "--attempt", "1"))
    resumed, after, _ = descent.read_log(test.job_log(low, "--attempt", "2"))
    test.assertEqual((end["notice"], resumed), ("preemption", before[-1][0]), "from the save of its grace")
    test.assertEqual(second["resumes_from"]["step"], resumed)
    test.assertEqual([loss for _, loss in before + after], descent.losses(steps))
