"""What happens to reports that cannot be sent, or not now."""

import os
import socket
import unittest
import urllib.parse

from tests.fake_server import FakeServer, wait_for
from tests.training_case import TrainingCase


class TroubleTest(TrainingCase):
    def gone(self):
        """An address where nobody listens."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            return f"http://127.0.0.1:{free.getsockname()[1]}/progress"

    def test_without_a_server_the_marker_file_has_everything(self):
        t = self.train(variables={"YM_PROGRESS_URL": self.gone()})
        t.report(8, 10, loss=0.5)
        t.checkpoint("/ckpt/8", 8)
        self.assertTrue(t.complete())
        t.close()
        marker = self.marker()
        self.assertEqual((marker["step"], marker["total_steps"], marker["completed"]), (8, 10, True))
        self.assertEqual((marker["checkpoint"]["uri"], marker["metrics"]), ("/ckpt/8", {"loss": 0.5}))
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.endswith(".tmp")], [])
        self.assertEqual(len(self.warnings()), 1)

    def test_a_later_report_keeps_the_checkpoint_in_the_marker_file(self):
        t = self.train(interval=0.0, variables={"YM_PROGRESS_URL": self.gone()})
        t.checkpoint("/ckpt/8", 8)
        wait_for(self.marker, "the marker file")
        t.report(9)
        wait_for(lambda: self.marker().get("step") == 9, "the report")
        self.assertEqual(self.marker()["checkpoint"]["step"], 8)

    def test_without_a_url_the_marker_file_is_used(self):
        with self.train(without=["YM_PROGRESS_URL"]) as t:
            t.report(1)
        self.assertEqual(self.marker(), {"step": 1})
        self.assertEqual(self.warnings(), [])

    def test_server_down_then_up_without_a_marker_file(self):
        port = int(urllib.parse.urlsplit(self.server.url).port)
        self.server.close()
        t = self.train(without=["YM_PROGRESS_FILE"])
        t.report(1)
        t.checkpoint("/ckpt/1", 1)
        wait_for(self.warnings, "the first failure")
        t.report(2)
        self.server = FakeServer(port)
        self.server.wait(lambda: any("checkpoint" in r for r in self.server.reports), "the checkpoint")
        self.assertTrue(t.complete())
        self.assertEqual(max(report["step"] for report in self.server.reports if "step" in report), 2)

    def test_a_429_is_waited_for(self):
        self.server.answers = [(429, [("Retry-After", "0.1")]), (429, [("Retry-After", "0")]), (429, [("Retry-After", "x")])]
        t = self.train()
        t.checkpoint("/ckpt/1", 1)
        self.server.wait(lambda: self.server.reports, "the report")
        self.assertEqual(self.server.reports[0]["checkpoint"]["step"], 1)
        self.assertEqual(len(self.server.requests), 4)
        self.assertIsNone(self.marker())

    def test_completion_does_not_wait_for_a_server_that_says_wait(self):
        self.server.answers = [(429, [("Retry-After", "30")])]
        t = self.train()
        self.assertTrue(t._reporter.complete(0.5))
        self.assertEqual(self.marker(), {"completed": True})

    def test_a_500_goes_to_the_marker_file(self):
        self.server.answers = [(500, ())]
        t = self.train()
        self.assertTrue(t.complete())
        self.assertEqual(self.marker(), {"completed": True})

    def test_what_the_server_refuses_is_not_repeated(self):
        self.server.answers = [(422, ())]
        t = self.train(interval=0.0)
        t.report(1)
        self.server.wait(lambda: self.server.requests, "the request")
        t.report(2)
        self.server.wait(lambda: self.server.reports, "the report")
        self.assertEqual(self.server.reports, [{"step": 2}])
        self.assertEqual(len(self.server.requests), 2)
        self.assertIsNone(self.marker())

    def test_the_token_is_read_before_each_post(self):
        t = self.train(interval=0.0)
        t.report(1)
        self.server.wait(lambda: len(self.server.reports) == 1, "the first report")
        (self.folder / "token").write_text("second")
        t.report(2)
        self.server.wait(lambda: len(self.server.reports) == 2, "the second report")
        self.assertEqual(self.server.seen_tokens, ["first", "second"])

    def test_a_401_reads_the_token_again_once(self):
        self.server.tokens = {"second"}
        t = self.train()
        read = []

        def rotate(path, original=_reader()):
            read.append(path)
            if len(read) == 2:
                (self.folder / "token").write_text("second")
            return original(path)

        _set_reader(self, rotate)
        t.checkpoint("/ckpt", 1)
        self.server.wait(lambda: self.server.reports, "the report")
        self.assertEqual(self.server.seen_tokens, ["first", "second"])

    def test_a_token_that_stays_wrong_leads_to_the_marker_file(self):
        self.server.tokens = {"another"}
        t = self.train()
        self.assertTrue(t.complete())
        self.assertEqual(self.marker(), {"completed": True})
        self.assertEqual(len(self.server.requests), 2)
        self.assertNotIn("first", " ".join(self.warnings()))

    def test_without_a_token_file(self):
        (self.folder / "token").unlink()
        self.server.tokens = {"first"}
        t = self.train()
        self.assertTrue(t.complete())
        self.assertEqual(self.marker(), {"completed": True})

    def test_no_way_at_all_is_borne(self):
        variables = {"YM_PROGRESS_URL": self.gone(), "YM_PROGRESS_FILE": str(self.folder / "no/such/folder/progress")}
        t = self.train(variables=variables)
        t.report(1)
        self.assertFalse(t._reporter.complete(0.2))
        self.assertFalse(t._reporter.close(0.1))
        self.assertEqual(len(self.warnings()), 2)

    def test_a_full_disk_is_borne(self):
        t = self.train(interval=0.0, variables={"YM_PROGRESS_URL": self.gone()})
        t.report(1)
        wait_for(self.marker, "the marker file")
        (self.folder / f"progress.{os.getpid()}.tmp").symlink_to("/dev/full")
        self.assertFalse(t._reporter._channel.mark(b"{}"))
        self.assertEqual(self.marker(), {"step": 1})  # what was there is still whole
        self.assertIn("No space left", self.warnings()[-1])
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.endswith(".tmp")], [])

    def test_an_address_that_is_none_is_borne(self):
        for url in ("ftp://x/", "http://", "nonsense", "http://h:port/", "http://[::1"):
            t = self.train(variables={"YM_PROGRESS_URL": url})
            self.assertTrue(t.complete(), url)
            self.assertEqual(self.marker(), {"completed": True}, url)
            (self.folder / "progress").unlink()

    def test_a_server_that_never_answers_does_not_hold_up_the_end(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            t = self.train(variables={"YM_PROGRESS_URL": f"http://127.0.0.1:{silent.getsockname()[1]}/"})
            t.report(7)
            self.assertTrue(t._reporter.close(0.2))
            self.assertEqual(self.marker(), {"step": 7})

    def test_a_bug_of_ours_is_not_trainings(self):
        t = self.train()
        advice, reporter = t._advice, t._reporter
        t._advice = t._reporter = None
        t.report(1)
        t.checkpoint("/ckpt", 1)
        self.assertEqual((t.complete(), t.should_checkpoint(), t.should_stop()), (False, False, False))
        told = [warning.split(":")[0] for warning in self.warnings()]
        self.assertEqual(told, [f"{name}() failed" for name in ("report", "checkpoint", "complete", "should_checkpoint", "should_stop")])
        t._advice, t._reporter = advice, reporter


def _reader():
    from yardmaster._training import channel

    return channel._read_token


def _set_reader(case, reader):
    from yardmaster._training import channel

    case.addCleanup(setattr, channel, "_read_token", channel._read_token)
    channel._read_token = reader


if __name__ == "__main__":
    unittest.main()
