"""The client against a real server, where one is built."""

import asyncio
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
E2E = ROOT.parents[1] / "tests/e2e"
for path in (ROOT, E2E):
    if str(path) not in sys.path:
        sys.path.insert(0, str(path))

import yardmaster as ym  # noqa: E402

try:
    import harness
except ImportError:
    harness = None

TIMEOUT = 60.0  # seconds; a deadline, not an expectation


def missing():
    if harness is None:
        return f"{E2E} is not there"
    return None if (harness.BIN / "ym").exists() else f"{harness.BIN / 'ym'} is not built"


@unittest.skipIf(missing(), missing())
class RealServerTest(harness.ServerTest if harness else unittest.TestCase):
    config = harness.FIVE_NODES if harness else None

    def setUp(self):
        super().setUp()
        kept = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("YM_")}
        self.addCleanup(os.environ.update, kept)
        os.environ["YM_STATE"] = str(self.server.state)
        self.addCleanup(os.environ.pop, "YM_STATE", None)
        harness.wait_for((self.server.state / "server.json").exists, "server.json")  # comes after the port file
        self.client = ym.Client()  # finds the server by its state directory

    def script(self, text, **more):
        return self.client.submit(ym.Job(run=text, name=more.pop("name", "script"), **more), workdir=self.folder)

    def test_submit_wait_logs_and_events(self):
        job = self.script("echo one; echo two; pwd", gpus="t4:2", name="hello")
        self.assertRegex(job.id, r"^[0-9A-Z]{8}$")
        self.assertEqual(job.spec["resources"]["gpus"], "t4:2")
        ended = self.client.wait(job, timeout=TIMEOUT, raise_on_failure=True)
        self.assertEqual((ended.id, ended.state, ended.attempts[0].exit_code), (job.id, "SUCCEEDED", 0))
        self.assertEqual(len(ended.attempts[0].placement[0].devices), 2)
        self.assertLessEqual(ended.submitted_at, ended.ended_at)
        lines = ["one", "two", str(self.folder)]
        self.assertEqual(list(self.client.logs(job)), lines)
        self.assertEqual(list(self.client.logs(job, follow=True)), lines)
        self.assertEqual(list(self.client.logs(job.id, tail=1)), lines[-1:])
        history = list(self.client.events(job))
        self.assertEqual((history[0].type, history[-1].type), ("job.submitted", "job.finished"))
        self.assertEqual([event.seq for event in self.client.events(job, follow=True)], [e.seq for e in history])
        self.assertEqual([event.seq for event in self.client.events(job, after=history[1].seq)],
                         [event.seq for event in history[2:]])

    def test_the_same_key_makes_one_job(self):
        spec = {"run": ["true"], "name": "once"}
        first = self.client.submit(spec, idempotency_key="k")
        self.assertEqual(self.client.submit(spec, idempotency_key="k").id, first.id)
        with self.assertRaises(ym.Conflict):
            self.client.submit({"run": ["false"], "name": "once"}, idempotency_key="k")

    def test_yaml_arrays_lists_and_pages(self):
        jobs = self.client.submit_all("name: a\nrun: 'true'\n---\nname: b\nrun: 'true'\narray: 5\n")
        self.assertEqual([job.name for job in jobs], ["a", *(f"b-{i}" for i in range(5))])
        for job in self.client.wait_all(jobs, timeout=TIMEOUT):
            self.assertTrue(job.has_succeeded)
        self.assertEqual({job.id for job in self.client.list(page_size=2)}, {job.id for job in jobs})
        group = jobs[1].group_id
        self.assertEqual(len(list(self.client.list(group=group, state=["SUCCEEDED"], page_size=3))), 5)
        self.assertEqual(list(self.client.list(state="QUEUED")), [])

    def test_hold_why_release_cancel_retry(self):
        blocker = self.script("sleep 600", nodes=5, gpus=4, name="blocker")
        job = self.client.hold(self.script("sleep 600", gpus=4, name="waiting"))
        self.assertEqual(job.state, "HELD")
        harness.wait_for(lambda: self.client.why(job).dominant.code == "Held", "the reason")
        self.client.release("waiting")
        harness.wait_for(lambda: self.client.why(job).dominant.code == "WaitingForCapacity", "the reason")
        self.client.cancel(blocker)
        self.assertEqual(self.client.wait(blocker, timeout=TIMEOUT).state, "CANCELLED")
        self.client.cancel(job)
        with self.assertRaises(ym.JobFailed):
            self.client.wait(job, timeout=TIMEOUT, raise_on_failure=True)
        again = self.client.retry(job)
        self.assertNotEqual(again.id, job.id)
        with self.assertRaises(ym.WaitTimeout):
            self.client.wait(again, timeout=0.3)
        self.client.cancel(again)

    def test_cluster(self):
        self.assertEqual([node.name for node in self.client.nodes()], [f"n{i}" for i in range(1, 6)])
        self.assertEqual([len(node.devices) for node in self.client.nodes()], [4] * 5)
        self.assertIn("default", [queue.name for queue in self.client.queues()])
        self.assertEqual(self.client.whoami().role, "admin")

    def test_refusals(self):
        with self.assertRaises(ym.Invalid) as raised:
            self.client.submit({"run": ["x"], "priority": 101})
        self.assertEqual((raised.exception.status, raised.exception.errors[0].pointer), (422, "/priority"))
        with self.assertRaises(ym.NotFound):
            self.client.get("no-such-job")
        with self.assertRaises(ym.Unauthenticated):
            ym.Client(self.server.url, "wrong").get("x")
        with self.assertRaises(ym.Conflict):
            self.client.retry(self.script("sleep 600"))  # it has not ended

    def test_a_restart_is_borne_by_all_followers(self):
        go = self.folder / "go"
        job = self.script(f"echo before; while [ ! -e {go} ]; do sleep 0.05; done; echo after")
        lines = self.client.logs(job, follow=True)
        self.assertEqual(next(lines), "before")
        events = self.client.events(job, follow=True)
        self.assertEqual(next(events).type, "job.submitted")
        self.server.kill()
        self.server.start()
        go.touch()
        self.assertEqual(list(lines), ["after"])
        self.assertEqual(list(events)[-1].type, "job.finished")
        self.assertTrue(self.client.wait(job, timeout=TIMEOUT).has_succeeded)

    def test_asyncio(self):
        async def one(client, number):
            job = await client.submit({"run": f"echo {number}", "name": f"j{number}"})
            lines = [line async for line in client.logs(job, follow=True)]
            return (await client.wait(job, timeout=TIMEOUT)).state, lines

        async def main():
            async with ym.AsyncClient() as client:
                return await asyncio.gather(*(one(client, number) for number in range(4)))

        self.assertEqual(asyncio.run(main()), [("SUCCEEDED", [str(number)]) for number in range(4)])


if __name__ == "__main__":
    unittest.main()
