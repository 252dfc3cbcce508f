"""Notice, signals, forked children: when a program is told to stop."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import unittest

from tests.fake_server import PATIENCE, wait_for
from tests.training_case import ROOT, TrainingCase

FORK = multiprocessing.get_context("fork")


class NoticeTest(TrainingCase):
    def test_by_file(self):
        t = self.train()
        self.assertFalse(t.should_stop())
        self.assertIsNone(t.notice)
        self.write_notice()
        wait_for(t.should_stop, "the notice")
        self.assertEqual((t.notice.reason, t.notice.grace_seconds), ("preemption", 30.0))
        self.assertEqual(t.notice.deadline.isoformat(), "2026-01-01T00:00:30+00:00")
        self.assertEqual([path for _, path in self.server.requests], [])

    def test_whatever_stands_in_the_file(self):
        for text in ("", "not json", "[1]", '{"deadline": 7, "grace_seconds": "NaN", "reason": []}', "\0\0"):
            self.write_notice(text)
            with self.train() as t:
                self.assertTrue(t.should_stop(), text)
                self.assertIsNone(t.notice.deadline)

    def test_by_long_poll_where_the_file_is_out_of_reach(self):
        t = self.train(variables={"YM_NOTICE_FILE": "/no/such/folder/notice"})
        self.server.wait(lambda: self.server.requests, "the poll")
        self.assertEqual(self.server.requests[0], ("GET", "/notice?wait=30s"))
        self.assertFalse(t.should_stop())
        self.server.give_notice({"reason": "preemption", "grace_seconds": 5})
        wait_for(t.should_stop, "the notice")
        self.assertEqual(t.notice.grace_seconds, 5)

    def test_who_asks_for_the_notice_gets_what_is_there_now(self):
        t = self.train()
        self.assertIsNone(t.notice)
        self.write_notice()
        self.assertEqual(t.notice.reason, "preemption")

    def test_by_long_poll_without_a_file(self):
        t = self.train(without=["YM_NOTICE_FILE"])
        self.server.give_notice({})
        wait_for(t.should_stop, "the notice")

    def test_the_poll_bears_a_rotated_token(self):
        self.server.tokens = {"second"}
        t = self.train(without=["YM_NOTICE_FILE"])
        self.server.wait(lambda: len(self.server.requests) >= 2, "two polls")
        (self.folder / "token").write_text("second")
        self.server.give_notice({})
        wait_for(t.should_stop, "the notice")

    def test_one_process_of_a_node_polls(self):
        self.train(without=["YM_NOTICE_FILE"], variables={"RANK": "1", "LOCAL_RANK": "1"})
        self.train(without=["YM_NOTICE_FILE"], variables={"RANK": "2", "LOCAL_RANK": "0"})
        self.server.wait(lambda: self.server.requests, "a poll")
        names = [thread.name for thread in threading.enumerate()]
        self.assertEqual(names.count("yardmaster-notice"), 1)

    def test_the_poll_ends_with_the_session(self):
        t = self.train(without=["YM_NOTICE_FILE"])
        self.server.wait(lambda: self.server.requests, "the poll")
        t.close()
        wait_for(lambda: "yardmaster-notice" not in [thread.name for thread in threading.enumerate()], "its end")

    def test_a_save_comes_before_the_stop(self):
        self.write_notice()
        t = self.train()
        self.assertTrue(t.should_checkpoint())
        self.assertTrue(t.should_stop())
        self.assertFalse(t.should_checkpoint())
        self.assertTrue(t.should_stop())

    def test_a_notice_between_save_and_stop_waits_for_the_save(self):
        t = self.train()
        self.assertFalse(t.should_checkpoint())
        self.write_notice()
        self.assertFalse(t.should_stop())
        wait_for(t.should_checkpoint, "the save")
        self.assertTrue(t.should_stop())

    def test_a_program_that_seldom_asks_to_save_still_stops(self):
        t = self.train()
        self.assertFalse(t.should_checkpoint())
        self.assertFalse(t.should_stop())
        self.write_notice()
        wait_for(t.should_stop, "the stop")
        self.assertTrue(t.should_checkpoint())
        self.assertFalse(t.should_checkpoint())


class IntervalTest(TrainingCase):
    def test_every_interval(self):
        t = self.train(variables={"YM_CHECKPOINT_EVERY": "900"})
        self.assertFalse(t.should_checkpoint())
        t._saved_at -= 901
        self.assertTrue(t.should_checkpoint())
        self.assertFalse(t.should_checkpoint())
        self.assertFalse(t.should_stop())

    def test_a_checkpoint_of_ones_own_counts(self):
        t = self.train(checkpoint_every=900)
        t._saved_at -= 901
        t.checkpoint("/ckpt", 1)
        self.assertFalse(t.should_checkpoint())

    def test_no_interval_no_save(self):
        t = self.train()
        t._saved_at -= 1e9
        self.assertFalse(t.should_checkpoint())


class SignalTest(TrainingCase):
    def test_sigterm_is_a_notice_and_the_handler_is_put_back(self):
        before = signal.getsignal(signal.SIGTERM)
        with self.train() as t:
            self.assertFalse(t.should_stop())
            os.kill(os.getpid(), signal.SIGTERM)
            wait_for(t.should_stop, "the signal")
            self.assertIsNone(t.notice)
        self.assertEqual(signal.getsignal(signal.SIGTERM), before)

    def test_a_python_handler_that_was_there_is_called_and_put_back(self):
        heard = []

        def mine(number, frame):
            heard.append(number)

        signal.signal(signal.SIGTERM, mine)
        with self.train() as t:
            os.kill(os.getpid(), signal.SIGTERM)
            wait_for(lambda: heard, "the signal")
            self.assertTrue(t.should_stop())
        self.assertEqual(heard, [signal.SIGTERM])
        self.assertIs(signal.getsignal(signal.SIGTERM), mine)

    def test_a_handler_that_came_later_stays(self):
        t = self.train()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        t.close()
        self.assertEqual(signal.getsignal(signal.SIGTERM), signal.SIG_IGN)

    def test_sessions_within_each_other(self):
        before = signal.getsignal(signal.SIGTERM)
        with self.train() as outer, self.train() as inner:
            os.kill(os.getpid(), signal.SIGTERM)
            wait_for(inner.should_stop, "the signal")
            self.assertTrue(outer.should_stop())
        self.assertEqual(signal.getsignal(signal.SIGTERM), before)

    def test_another_signal_by_choice(self):
        t = self.train(signals=[signal.SIGUSR1])
        os.kill(os.getpid(), signal.SIGUSR1)
        wait_for(t.should_stop, "the signal")
        t.close()
        self.assertEqual(signal.getsignal(signal.SIGUSR1), signal.SIG_DFL)

    def test_not_in_the_main_thread(self):
        before, made = signal.getsignal(signal.SIGTERM), []
        thread = threading.Thread(target=lambda: made.append(self.train()))
        thread.start()
        thread.join()
        self.assertEqual(signal.getsignal(signal.SIGTERM), before)
        self.assertFalse(made[0].should_stop())
        self.write_notice()
        wait_for(made[0].should_stop, "the notice")


def _sleep(ready):
    ready.set()
    signal.pause()


def _look(session, queue):
    session.report(99)
    session.checkpoint("/of/a/child", 99)
    queue.put((session.active, session.should_stop(), session.should_checkpoint(), session.complete(),
               signal.getsignal(signal.SIGTERM) == signal.SIG_DFL))


class ForkTest(TrainingCase):
    """What DataLoader workers and pools are."""

    def setUp(self):
        super().setUp()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def test_a_child_can_be_terminated(self):
        t, ready = self.train(), FORK.Event()
        child = FORK.Process(target=_sleep, args=(ready,))
        child.start()
        self.assertTrue(ready.wait(PATIENCE))
        child.terminate()
        child.join(PATIENCE)
        self.assertEqual(child.exitcode, -signal.SIGTERM)
        self.assertFalse(t.should_stop())

    def test_a_child_is_not_disturbed_by_the_leaders_signal(self):
        t, ready = self.train(), FORK.Event()
        child = FORK.Process(target=_sleep, args=(ready,))
        child.start()
        self.addCleanup(child.kill)
        self.assertTrue(ready.wait(PATIENCE))
        os.kill(os.getpid(), signal.SIGTERM)
        wait_for(t.should_stop, "the signal")
        self.assertTrue(child.is_alive())
        child.terminate()
        child.join(PATIENCE)
        self.assertEqual(child.exitcode, -signal.SIGTERM)

    def test_a_child_does_not_report_and_knows_of_no_notice(self):
        t, queue = self.train(interval=0.0), FORK.Queue()
        t.report(1)  # the thread that reports is there
        self.server.wait(lambda: self.server.reports, "the report")
        os.kill(os.getpid(), signal.SIGTERM)
        wait_for(t.should_stop, "the signal")
        child = FORK.Process(target=_look, args=(t, queue))
        child.start()
        self.assertEqual(queue.get(timeout=PATIENCE), (False, False, False, True, True))
        child.join(PATIENCE)
        t.report(2)
        t.close()
        self.assertEqual(self.server.reports, [{"step": 1}, {"step": 2}])

    def test_a_fork_while_reporting_does_not_hang(self):
        t = self.train(interval=0.0)
        for step in range(20):
            t.report(step)
            child = FORK.Process(target=t.report, args=(1000 + step,))
            child.start()
            child.join(PATIENCE)
            self.assertEqual(child.exitcode, 0)
        t.close()
        self.assertLess(max(report["step"] for report in self.server.reports), 1000)

    def test_a_pool_ends(self):
        t = self.train()
        with FORK.Pool(2) as pool:
            self.assertEqual(pool.map(abs, [-1, 2]), [1, 2])
        self.assertFalse(t.should_stop())


PROGRAM = """
import pathlib, sys, time
import yardmaster as ym
folder = pathlib.Path(sys.argv[1])
with ym.train() as t:
    start = t.resume_step()
    (folder / "started").touch()
    for step in range(start, 10**9):
        t.report(step + 1, 10**9, loss=0.5)
        if t.should_checkpoint():
            (folder / "saved").write_text(str(step + 1))
            t.checkpoint(folder / "saved", step + 1)
        if t.should_stop():
            break
        time.sleep(0.005)
    else:
        t.complete()
print("stopped", flush=True)
"""


class ProgramTest(TrainingCase):
    """The usual loop in a process of its own, started in a shell as jobs are."""

    def start(self, command):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("YM_")}
        environment |= self.variables | {"PYTHONPATH": str(ROOT), "YM_RESUME_FROM": "/ckpt/40", "YM_RESUME_STEP": "40"}
        (self.folder / "program.py").write_text(PROGRAM)
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        wait_for((self.folder / "started").exists, "the program")
        return process

    def words(self):
        return [sys.executable, str(self.folder / "program.py"), str(self.folder)]

    def check_stopped(self, process):
        self.assertEqual(process.communicate(timeout=PATIENCE)[0], "stopped\n")
        self.assertEqual(process.returncode, 0)
        saved = int((self.folder / "saved").read_text())
        self.assertGreater(saved, 40)
        checkpoint = [report["checkpoint"] for report in self.server.reports if "checkpoint" in report][-1]
        self.assertEqual((checkpoint["uri"], checkpoint["step"]), (str(self.folder / "saved"), saved))
        self.assertFalse(any(report.get("completed") for report in self.server.reports))

    def test_sigterm_saves_reports_and_ends(self):
        process = self.start(self.words())
        process.send_signal(signal.SIGTERM)
        self.check_stopped(process)

    def test_notice_saves_reports_and_ends(self):
        process = self.start(self.words())
        self.write_notice()
        self.check_stopped(process)

    def test_behind_a_shell_that_execs_it(self):
        process = self.start(["sh", "-c", "cd / && exec " + " ".join(self.words())])
        process.send_signal(signal.SIGTERM)
        self.check_stopped(process)


class OutsideTest(unittest.TestCase):
    def test_nothing_happens(self):
        import yardmaster as ym

        before = signal.getsignal(signal.SIGTERM)
        kept = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("YM_")}
        try:
            with ym.train(checkpoint_every=1) as t:
                self.assertFalse(t.active)
                self.assertEqual((t.resume_step(), t.resume_from, t.attempt, t.job_id), (0, None, 0, ""))
                t.report(1, 2, loss=0.1)
                t._saved_at -= 100
                self.assertFalse(t.should_checkpoint())
                t.checkpoint("/x", 1)
                self.assertFalse(t.should_stop())
                self.assertIsNone(t.notice)
                self.assertTrue(t.complete())
                self.assertEqual(signal.getsignal(signal.SIGTERM), before)
            t.close()
        finally:
            os.environ.update(kept)

    def test_exceptions_of_the_training_come_through(self):
        import yardmaster as ym

        with self.assertRaisesRegex(ValueError, "mine"):
            with ym.train():
                raise ValueError("mine")


class ResumeTest(TrainingCase):
    def test_where_to_go_on(self):
        for place, path in (("/ckpt/a b", "/ckpt/a b"), ("file:///ckpt/a%20b", "/ckpt/a b"), ("file:/ckpt", "/ckpt"),
                            ("s3://b/k", "s3://b/k"), ("file://other/x", "file://other/x")):
            t = self.train(variables={"YM_RESUME_FROM": place, "YM_RESUME_STEP": "120", "YM_CHECKPOINT_DIR": "/d"})
            self.assertEqual((t.resume_from, t.resume_step(), t.checkpoint_dir, t.attempt), (path, 120, "/d", 2))

    def test_a_step_without_a_checkpoint_means_nothing(self):
        self.assertEqual(self.train(variables={"YM_RESUME_STEP": "120"}).resume_step(), 0)
        self.assertEqual(self.train(variables={"YM_RESUME_STEP": "120", "YM_RESUME_FROM": ""}).resume_step(), 0)

    def test_what_is_malformed_counts_as_absent(self):
        for text in ("", "x", "-1", "1.5", "9" * 40, "\u0661"):
            t = self.train(variables={"YM_RESUME_FROM": "/c", "YM_RESUME_STEP": text, "YM_ATTEMPT": text})
            self.assertEqual((t.resume_step(), t.attempt), (0, 0))

    def test_intervals(self):
        for text, every in (("900", 900), ("0.5", 0.5), ("15m", 900), ("1h30m", 5400), ("250ms", 0.25), ("0", None),
                            ("", None), ("soon", None), ("-5", None), ("nan", None)):
            self.assertEqual(self.train(variables={"YM_CHECKPOINT_EVERY": text})._checkpoint_every, every, text)


if __name__ == "__main__":
    unittest.main()
