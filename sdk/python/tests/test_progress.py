"""Reports: what is sent, when, and how often."""

import unittest

from tests.fake_server import wait_for
from tests.training_case import TrainingCase

NEVER = 3600.0  # an interval that no test sees the end of


class Tensor:
    """A number on a device."""

    def __init__(self, value, device="cuda:0"):
        self.value, self.device, self.read = value, device, 0

    def __float__(self):
        self.read += 1
        return float(self.value)


class Hostile:
    def __float__(self):
        raise RuntimeError("no number")

    def __index__(self):
        raise RuntimeError("no number")


class ReportTest(TrainingCase):
    def test_the_first_report_leaves_at_once(self):
        self.train(interval=NEVER).report(3, 10, loss=0.5, accuracy=1)
        self.server.wait(lambda: self.server.reports, "the report")
        self.assertEqual(self.server.reports, [{"step": 3, "total_steps": 10, "metrics": {"loss": 0.5, "accuracy": 1.0}}])
        self.assertEqual(self.server.seen_tokens, ["first"])

    def test_many_reports_are_one_post_and_the_latest_wins(self):
        with self.train(interval=NEVER) as t:
            for step in range(1, 10_001):
                t.report(step, 10_000, loss=1 / step)
        # The first that the thread got hold of, and the last one when the session ended.
        self.assertLessEqual(len(self.server.requests), 2)
        self.assertEqual(self.server.reports[-1], {"step": 10_000, "total_steps": 10_000, "metrics": {"loss": 0.0001}})

    def test_reports_go_on_at_the_interval(self):
        t = self.train(interval=0.01)
        step = 0
        while len(self.server.reports) < 4:
            step += 1
            t.report(step)
        steps = [report["step"] for report in self.server.reports]
        self.assertEqual(steps, sorted(set(steps)))

    def test_bad_values_are_left_out(self):
        t = self.train(interval=NEVER)
        t.report("7x", float("nan"), loss=float("nan"), big=float("inf"), text="0.5", none=None, hostile=Hostile(), ok=2)
        t.close()
        self.assertEqual(self.server.reports, [{"metrics": {"ok": 2.0}}])

    def test_a_report_without_anything_in_it_is_not_sent(self):
        t = self.train()
        t.report(None, loss=float("nan"))
        t.report(-1)
        t.report(Hostile())
        t.close()
        self.assertEqual(self.server.requests, [])

    def test_a_report_stays_within_16_kib(self):
        t = self.train()
        t.report(1, **{f"{'m' * 120}{i}": i / 3 for i in range(1000)})
        t.close()
        (report,) = self.server.reports
        self.assertEqual(report["step"], 1)
        self.assertGreater(len(report["metrics"]), 10)
        self.assertLessEqual(len(report["metrics"]), 64)

    def test_a_value_on_a_device_is_read_only_when_a_post_is_due(self):
        t, loss = self.train(interval=NEVER), Tensor(0.25)
        t.report(1, loss=loss)
        self.server.wait(lambda: self.server.reports, "the report")
        wait_for(lambda: not t._reporter._busy, "the answer")
        for step in range(2, 100):
            t.report(step, loss=loss)
        t.close()
        self.assertEqual(loss.read, 1)
        self.assertEqual(self.server.reports[0]["metrics"], {"loss": 0.25})
        self.assertEqual(self.server.reports[1], {"step": 99})

    def test_a_value_on_the_cpu_is_read_each_time(self):
        t, loss = self.train(interval=NEVER), Tensor(0.25, device="cpu")
        for step in range(5):
            t.report(step, loss=loss)
        self.assertEqual(loss.read, 5)

    def test_only_rank_0_reports(self):
        for variables in ({"RANK": "1"}, {"YM_NODE_RANK": "1"}, {"OMPI_COMM_WORLD_RANK": "3"}):
            t = self.train(variables=variables)
            t.report(1)
            t.checkpoint("/ckpt", 1)
            self.assertTrue(t.complete())
            t.close()
        # A launcher's rank counts, not the node's.
        with self.train(variables={"RANK": "0", "YM_NODE_RANK": "1"}) as t:
            t.report(5)
        self.assertEqual(self.server.reports, [{"step": 5}])

    def test_after_the_end_nothing_is_sent(self):
        t = self.train()
        t.close()
        t.report(1)
        t.checkpoint("/x", 1)
        self.assertTrue(t.complete())
        self.assertFalse(t.active)
        self.assertEqual(self.server.requests, [])


class CheckpointTest(TrainingCase):
    def test_checkpoints_leave_at_once_and_in_order(self):
        t = self.train(interval=NEVER)
        t.report(1)
        self.server.wait(lambda: self.server.reports, "the report")
        t.checkpoint("/ckpt/1", 1, save_seconds=0.5)
        t.checkpoint("s3://bucket/ckpt/2", 2)
        self.server.wait(lambda: len(self.server.reports) >= 3, "the checkpoints")
        first, second = (report["checkpoint"] for report in self.server.reports[1:])
        self.assertEqual((first["uri"], first["step"], first["save_seconds"]), ("/ckpt/1", 1, 0.5))
        self.assertEqual((second["uri"], second["step"]), ("s3://bucket/ckpt/2", 2))
        self.assertNotIn("save_seconds", second)
        self.assertRegex(first["durable_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertLessEqual(first["durable_at"], second["durable_at"])

    def test_a_relative_path_becomes_absolute(self):
        with self.train() as t:
            t.checkpoint("out/model.pt", 4)
        self.assertTrue(self.server.reports[0]["checkpoint"]["uri"].startswith("/"))
        self.assertTrue(self.server.reports[0]["checkpoint"]["uri"].endswith("/out/model.pt"))

    def test_a_path_object_will_do(self):
        with self.train() as t:
            t.checkpoint(self.folder / "a", 4)
        self.assertEqual(self.server.reports[0]["checkpoint"]["uri"], str(self.folder / "a"))

    def test_what_is_no_checkpoint_is_not_reported(self):
        with self.train() as t:
            for uri, step in ((None, 1), ("", 1), ("/x", None), ("/x", float("nan")), (3, 1), (b"/x", 1), ("/x" * 2500, 1),
                              ("/\udc80", 1)):
                t.checkpoint(uri, step)
        self.assertEqual(self.server.requests, [])
        self.assertEqual(len(self.warnings()), 1)

    def test_the_time_of_a_save_is_measured(self):
        self.write_notice()
        with self.train() as t:
            self.assertTrue(t.should_checkpoint())
            t.checkpoint("/x", 1)
        self.assertGreaterEqual(self.server.reports[0]["checkpoint"]["save_seconds"], 0)


class CompleteTest(TrainingCase):
    def test_completion_is_acknowledged(self):
        t = self.train(interval=NEVER)
        t.report(10, 10)
        self.assertTrue(t.complete())
        self.assertTrue(any(report.get("completed") for report in self.server.reports))

    def test_completion_comes_with_or_after_the_last_checkpoint(self):
        t = self.train()
        for step in range(1, 4):
            t.checkpoint(f"/ckpt/{step}", step)
        t.complete()
        done = [i for i, report in enumerate(self.server.reports) if report.get("completed")]
        last = [i for i, report in enumerate(self.server.reports) if report.get("checkpoint", {}).get("step") == 3]
        self.assertEqual(len(done), 1)
        self.assertGreaterEqual(done[0], last[0])


if __name__ == "__main__":
    unittest.main()
