"""Ranks stop and save at the same step, whatever each of them sees, and when."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import unittest

from tests.fake_server import PATIENCE, wait_for
from tests.training_case import ROOT, TrainingCase
from yardmaster._training.agreement import Agreement, _cuda_index, _device
from yardmaster._training.trouble import Trouble


class Ranks:
    """Threads for ranks, with an all-reduce that fails unless all take part."""

    def __init__(self, count):
        self.barrier = threading.Barrier(count, timeout=PATIENCE)
        self.votes = [None] * count

    def reduce_for(self, rank, calls):
        def reduce(votes):
            calls.append(len(calls))
            self.votes[rank] = votes
            self.barrier.wait()
            agreed = [max(column) for column in zip(*self.votes)]
            self.barrier.wait()
            return agreed

        return reduce

    def run(self, function):
        failures = []

        def guarded(rank):
            try:
                function(rank)
            except BaseException as error:
                failures.append(error)
                self.barrier.abort()

        threads = [threading.Thread(target=guarded, args=(rank,)) for rank in range(len(self.votes))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        if failures:
            raise failures[0]


class PaceTest(unittest.TestCase):
    def test_clocks_do_not_decide_at_which_calls_ranks_agree(self):
        ranks, at = Ranks(3), [[], [], []]

        def rank_of(rank):
            # Clocks that have nothing to do with each other, one of them going backwards at times.
            noise = random.Random(rank)
            now = [0.0]

            def clock():
                now[0] += noise.uniform(-0.01, 0.05) * (rank + 1)
                return now[0]

            agreement = Agreement(Trouble(), ranks.reduce_for(rank, []), clock=clock)
            for call in range(3000):
                agreement.has_begun()
                if agreement.is_time():
                    at[rank].append(call)
                    stop, _ = agreement.agree([int(rank == 1 and call > 2000), 0])
                    if stop:
                        break

        ranks.run(rank_of)
        self.assertEqual(at[0], at[1])
        self.assertEqual(at[0], at[2])
        self.assertGreater(at[0][-1], 2000)
        self.assertLessEqual(at[0][-1], 2001 + 64)

    def run_at(self, step_seconds, calls, **options):
        now, made = [0.0], []
        agreement = Agreement(Trouble(), lambda votes: votes, clock=lambda: now[0], **options)
        for call in range(calls):
            now[0] += step_seconds
            agreement.has_begun()
            if agreement.is_time():
                made.append(call)
                agreement.agree([0, 0])
        return made

    def test_slow_steps_agree_at_each(self):
        self.assertEqual(self.run_at(2.0, 20), list(range(20)))

    def test_fast_steps_agree_seldom_but_never_too_seldom(self):
        made = self.run_at(0.0001, 10_000)
        gaps = [after - before for before, after in zip(made, made[1:])]
        self.assertEqual(max(gaps), 64)
        self.assertTrue(all(after <= 2 * before for before, after in zip(gaps, gaps[1:])))

    def test_about_once_a_second(self):
        made = self.run_at(0.1, 1000)
        self.assertEqual({after - before for before, after in zip(made[10:], made[11:])} - {9, 10}, set())

    def test_every_so_many_calls_by_choice(self):
        self.assertEqual(self.run_at(0.0001, 30, every=10), [0, 10, 20])

    def test_a_failed_agreement_leaves_each_to_itself(self):
        def fail(votes):
            raise RuntimeError("connection closed by peer")

        agreement = Agreement(Trouble(), fail)
        self.assertTrue(agreement.has_begun())
        with self.assertLogs("yardmaster", "WARNING"):
            self.assertEqual(agreement.agree([1, 0]), [1, 0])
        self.assertFalse(agreement.has_begun())
        self.assertTrue(agreement.is_time())
        self.assertEqual(agreement.agree([0, 1]), [0, 1])


class DeviceTest(unittest.TestCase):
    def test_the_cpu_where_the_backend_can(self):
        class Torch:
            cuda = type("cuda", (), {"current_device": staticmethod(lambda: 2), "device_count": staticmethod(lambda: 4)})

            @staticmethod
            def device(*name):
                return name

        for backend in ("gloo", "mpi", "cpu:gloo,cuda:nccl", "undefined"):
            self.assertEqual(_device(Torch, backend), ("cpu",))
        self.assertEqual(_device(Torch, "nccl"), ("cuda", 2))

    def test_ranks_of_a_node_use_devices_of_their_own(self):
        os.environ["LOCAL_RANK"] = "3"
        self.addCleanup(os.environ.pop, "LOCAL_RANK")
        self.assertEqual(_cuda_index(0, 8), 3)
        self.assertEqual(_cuda_index(5, 8), 5)
        self.assertEqual(_cuda_index(0, 1), 0)  # each process sees only its own


class SessionTest(TrainingCase):
    def agree_in(self, loop, count=3, notice_to=None, before=None):
        """Runs `loop(session)` in each rank; what they return. One rank alone sees the notice."""
        ranks, results = Ranks(count), [None] * count

        def rank_of(rank):
            calls = []
            file = self.folder / ("notice" if rank == notice_to else f"none-{rank}")
            session = self.train(agree=ranks.reduce_for(rank, calls), signals=(),
                                 variables={"RANK": str(rank), "YM_NOTICE_FILE": str(file)})
            results[rank] = loop(session, rank)

        ranks.run(rank_of)
        return results

    def test_a_notice_of_one_rank_stops_all_at_one_step_after_one_save(self):
        def loop(session, rank):
            saves = []
            for step in range(10**6):
                if rank == 1 and step == 40:
                    self.write_notice()
                if session.should_checkpoint():
                    saves.append(step)
                if session.should_stop():
                    return step, saves

        results = self.agree_in(loop, notice_to=1)
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])
        stopped, saves = results[0]
        self.assertGreaterEqual(stopped, 40)
        self.assertEqual(saves, [stopped])

    def test_the_interval_is_rank_0s(self):
        def loop(session, rank):
            session._checkpoint_every = 900.0
            saves = []
            for step in range(400):
                if step == (100 if rank == 0 else 10):  # the others' timers say nothing
                    session._saved_at -= 1000
                if session.should_checkpoint():
                    saves.append(step)
                if session.should_stop():
                    raise AssertionError("nobody asked to stop")
            return saves

        first, *others = self.agree_in(loop)
        self.assertEqual(len(first), 1)
        self.assertGreaterEqual(first[0], 100)
        for other in others:
            self.assertEqual(other, first)

    def test_what_was_agreed_holds_when_the_group_is_gone(self):
        def loop(session, rank):
            while not session.should_stop():
                pass
            session._agreement._given = None  # as destroy_process_group() does
            return session.should_stop(), session.should_stop()

        self.write_notice()
        self.assertEqual(self.agree_in(loop, count=2, notice_to=0), [(True, True)] * 2)


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
    """Real ranks with gloo, DDP and DataLoader workers."""

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
        self.assertEqual([rank.wait(PATIENCE) for rank in ranks], [0, 0], self.log())
        self.check()

    def test_torchrun_passes_the_signal_on_and_the_ranks_save(self):
        (self.folder / "rank.py").write_text(RANK_PROGRAM)
        agent = self.start([self.python, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2",
                            str(self.folder / "rank.py"), str(self.folder)], PET_REDIRECTS="2", PET_TEE="2")
        self.wait_steps([agent], 20)
        agent.send_signal(signal.SIGTERM)
        self.assertEqual(agent.wait(PATIENCE), 1, self.log())  # torchrun's status for a signal
        self.check()


if __name__ == "__main__":
    unittest.main()
