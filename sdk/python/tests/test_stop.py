"""When a program is told to stop or to save, where it goes on, and what it is told elsewhere: nothing."""

import os
import signal
import threading
import unittest

import yardmaster as ym
from tests.fake_server import wait_for
from tests.training_case import TrainingCase


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

    def test_a_call_for_the_notice_gets_what_is_there_now(self):
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
        t._advice._saved_at -= 901
        self.assertTrue(t.should_checkpoint())
        self.assertFalse(t.should_checkpoint())
        self.assertFalse(t.should_stop())

    def test_a_checkpoint_of_ones_own_counts(self):
        t = self.train(checkpoint_every=900)
        t._advice._saved_at -= 901
        t.checkpoint("/ckpt", 1)
        self.assertFalse(t.should_checkpoint())

    def test_no_interval_no_save(self):
        t = self.train()
        t._advice._saved_at -= 1e9
        self.assertFalse(t.should_checkpoint())


class OutsideTest(unittest.TestCase):
    def test_nothing_happens(self):
        before = signal.getsignal(signal.SIGTERM)
        kept = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("YM_")}
        try:
            with ym.train(checkpoint_every=1e-9) as t:
                self.assertFalse(t.active)
                self.assertEqual((t.resume_step(), t.resume_from, t.attempt, t.job_id), (0, None, 0, ""))
                t.report(1, 2, loss=0.1)
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
            self.assertEqual(self.train(variables={"YM_CHECKPOINT_EVERY": text})._advice._checkpoint_every, every, text)


if __name__ == "__main__":
    unittest.main()
