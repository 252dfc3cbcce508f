"""Signals, forked children, and the usual loop as a program that is stopped."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import unittest

from tests.fake_server import TIMEOUT, wait_for
from tests.training_case import ROOT, TrainingCase

FORK = multiprocessing.get_context("fork")


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
        self.assertTrue(ready.wait(TIMEOUT))
        child.terminate()
        child.join(TIMEOUT)
        self.assertEqual(child.exitcode, -signal.SIGTERM)
        self.assertFalse(t.should_stop())

    def test_a_child_is_not_disturbed_by_the_leaders_signal(self):
        t, ready = self.train(), FORK.Event()
        child = FORK.Process(target=_sleep, args=(ready,))
        child.start()
        self.addCleanup(child.kill)
        self.assertTrue(ready.wait(TIMEOUT))
        os.kill(os.getpid(), signal.SIGTERM)
        wait_for(t.should_stop, "the signal")
        self.assertTrue(child.is_alive())
        child.terminate()
        child.join(TIMEOUT)
        self.assertEqual(child.exitcode, -signal.SIGTERM)

    def test_a_child_does_not_report_and_knows_of_no_notice(self):
        t, queue = self.train(interval=0.0), FORK.Queue()
        t.report(1)  # the thread that reports is there
        self.server.wait(lambda: self.server.reports, "the report")
        os.kill(os.getpid(), signal.SIGTERM)
        wait_for(t.should_stop, "the signal")
        child = FORK.Process(target=_look, args=(t, queue))
        child.start()
        self.assertEqual(queue.get(timeout=TIMEOUT), (False, False, False, True, True))
        child.join(TIMEOUT)
        t.report(2)
        t.close()
        self.assertEqual(self.server.reports, [{"step": 1}, {"step": 2}])

    def test_a_fork_while_reporting_does_not_hang(self):
        t = self.train(interval=0.0)
        for step in range(20):
            t.report(step)
            child = FORK.Process(target=t.report, args=(1000 + step,))
            child.start()
            child.join(TIMEOUT)
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
        self.assertEqual(process.communicate(timeout=TIMEOUT)[0], "stopped\n")
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


if __name__ == "__main__":
    unittest.main()
