"""Objects of the server's as dataclasses."""

import datetime
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import yardmaster as ym  # noqa: E402

UTC = datetime.timezone.utc
NOON = datetime.datetime(2026, 1, 1, 12, tzinfo=UTC)
SAVED = {"uri": "/ck/12", "step": 12, "durable_at": "2026-01-01T12:00:00.000Z", "attempt": 1}
PLACE = [{"task": 0, "node": "n1", "devices": ["0", "1"]}]
GOES_ON = {
    "id": "0000000A",
    "state": "RUNNING",
    "checkpoints": [SAVED],
    "work_at_risk_gpu_seconds": 4.5,
    "preemptions": 1,
    "hold": None,
    "attempts": [
        {
            "number": 1,
            "state": "ENDED",
            "ended_by": "preempted",
            "stop_cause": "preemption",
            "stop_by": "2026-01-01T12:00:00.000Z",
            "yields_to": "0000000B",
            "lost_gpu_seconds": 2.5,
            "estimated_lost_gpu_seconds": 61.5,
            "progress": None,
            "resumes_from": None,
        },
        {
            "number": 2,
            "state": "RUNNING",
            "resumes_from": SAVED,
            "progress": {
                "step": 13,
                "total_steps": 50,
                "metrics": {"loss": 0.5, "odd": None},
                "completed": False,
                "at": "2026-01-01T12:00:00.000Z",
            },
        },
    ],
}


class TrainingFieldsTest(unittest.TestCase):
    def test_a_job_that_was_preempted_and_goes_on(self):
        job = ym.JobInfo.from_dict(GOES_ON)
        checkpoint = ym.Checkpoint("/ck/12", 12, NOON, 1)
        self.assertEqual(job.checkpoints, (checkpoint,))
        self.assertEqual((job.work_at_risk_gpu_seconds, job.preemptions, job.hold), (4.5, 1, None))
        first, second = job.attempts
        self.assertEqual((first.stop_cause, first.stop_by, first.yields_to), ("preemption", NOON, "0000000B"))
        self.assertEqual((first.lost_gpu_seconds, first.estimated_lost_gpu_seconds), (2.5, 61.5))
        self.assertEqual((first.progress, first.resumes_from), (None, None))
        self.assertEqual(second.resumes_from, checkpoint)
        self.assertEqual(second.progress, ym.Progress(13, 50, {"loss": 0.5}, False, NOON))

    def test_a_place_that_is_kept(self):
        hold = {"cluster": "lab", "flavor": "t4", "placement": PLACE, "victims": ["00000001"]}
        job = ym.JobInfo.from_dict({"id": "0000000B", "hold": {**hold, "expires_at": "2026-01-01T12:00:00.000Z"}})
        place = (ym.TaskPlacement(0, "n1", ("0", "1")),)
        self.assertEqual(job.hold, ym.Hold("lab", "t4", place, ("00000001",), NOON))

    def test_a_server_that_does_not_know_of_it(self):
        job = ym.JobInfo.from_dict({"id": "0000000A", "attempts": [{"number": 1}]})
        self.assertEqual((job.checkpoints, job.work_at_risk_gpu_seconds, job.preemptions, job.hold), ((), None, 0, None))
        self.assertEqual((job.attempts[0].progress, job.attempts[0].stop_by, job.warnings), (None, None, ()))
        self.assertIsNone(job.attempts[0].estimated_lost_gpu_seconds)

    def test_warnings(self):
        self.assertEqual(ym.JobInfo.from_dict({"id": "A", "warnings": ["too long"]}).warnings, ("too long",))


if __name__ == "__main__":
    unittest.main()
