"""Ranks stop and save at the same step, whatever each of them sees, and when."""

import os
import random
import threading
import unittest

from tests.fake_server import TIMEOUT
from tests.training_case import TrainingCase
from yardmaster._training.agreement import Agreement, _cuda_index, _device
from yardmaster._training.trouble import Trouble


class Ranks:
    """Threads for ranks, with an all-reduce that fails unless all take part."""

    def __init__(self, count):
        self.barrier = threading.Barrier(count, timeout=TIMEOUT)
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
            thread.join(TIMEOUT)
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
            session._advice._checkpoint_every = 900.0
            saves = []
            for step in range(400):
                if step == (100 if rank == 0 else 10):  # the others' timers say nothing
                    session._advice._saved_at -= 1000
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
            session._advice._agreement._given = None  # as destroy_process_group() does
            return session.should_stop(), session.should_stop()

        self.write_notice()
        self.assertEqual(self.agree_in(loop, count=2, notice_to=0), [(True, True)] * 2)


if __name__ == "__main__":
    unittest.main()
