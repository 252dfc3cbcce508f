"""The client for asyncio: all of the other's, and what is cancelled ends."""

import asyncio
import threading
import unittest

import yardmaster as ym
from tests.fake_server import wait_for
from tests.scripted_server import ClientCase, ScriptedServer, attempt, job, sse


class AsyncTest(ClientCase):
    def run_with(self, answer, use):
        self.server = ScriptedServer(answer)
        self.addCleanup(self.server.close)

        async def main():
            async with ym.AsyncClient(self.server.url, "t") as client:
                return await use(client)

        return asyncio.run(main())

    def test_all_of_it(self):
        def answer(method, path, query, headers, body):
            if path.endswith("/logs"):
                return 200, {}, [b"a\nb\n"]
            if path.endswith("/events"):
                return 200, {}, {"items": [{"seq": 1}], "next": None}
            if path.endswith("/why"):
                return 200, {}, {"dominant": {"code": "Priority"}}
            if path in ("/api/v1/queues", "/api/v1/nodes") or (path == "/api/v1/jobs" and method == "GET"):
                return 200, {}, {"items": [job()], "next": None, "as_of": 1}
            if path == "/api/v1/whoami":
                return 200, {}, {"user": "u", "role": "admin"}
            return 200, {}, job("SUCCEEDED", [attempt(1, "ENDED")])

        async def use(client):
            made = await client.submit({"run": ["x"]})
            self.assertEqual(len(await client.submit_all("run: x\n---\nrun: y\n")), 1)
            for verb in (client.get, client.cancel, client.hold, client.release, client.retry, client.wait):
                self.assertEqual((await verb(made)).id, made.id)
            self.assertEqual(len(await client.wait_all([made, made], timeout=60)), 2)
            self.assertEqual([line async for line in client.logs(made)], ["a", "b"])
            self.assertEqual([line async for line in client.logs(made, follow=True)], ["a", "b"])
            self.assertEqual([event.seq async for event in client.events(made)], [1])
            self.assertEqual([event.seq async for event in client.events(made, follow=True)], [1])
            self.assertEqual([item.id async for item in client.list()], [made.id])
            self.assertEqual((await client.why(made)).dominant.code, "Priority")
            self.assertEqual((len(await client.queues()), len(await client.nodes())), (1, 1))
            self.assertEqual((await client.whoami()).user, "u")
            return True

        self.assertTrue(self.run_with(answer, use))

    def test_errors_come_through(self):
        async def use(client):
            with self.assertRaises(ym.NotFound):
                await client.get("x")
            with self.assertRaises(ym.NotFound):
                await client.wait("x")
            with self.assertRaises(ym.NotFound):
                async for _ in client.logs("x"):
                    pass

        self.run_with(lambda *_: (404, {}, {}), use)

    def test_many_followers_do_not_keep_requests_waiting_and_cancelling_ends_them(self):
        over = threading.Event()
        self.addCleanup(over.set)

        def answer(method, path, query, headers, body):
            if path.endswith("/logs"):
                return 200, {}, [b"line\n", over.wait]
            if path.endswith("/events"):
                return 200, {}, [sse(1), over.wait]
            if path == "/api/v1/jobs":
                return 200, {}, {"items": [], "as_of": 1}
            return 200, {}, job(attempts=[attempt(1)])

        async def use(client):
            arrived = asyncio.Semaphore(0)

            async def follow():
                async for _ in client.logs("x", follow=True):
                    arrived.release()

            tasks = [asyncio.ensure_future(follow()) for _ in range(20)]
            tasks += [asyncio.ensure_future(client.wait("x")) for _ in range(20)]
            for _ in range(20):
                await asyncio.wait_for(arrived.acquire(), 60)
            self.assertEqual((await client.get("x")).state, "RUNNING")
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            self.assertTrue(all(isinstance(result, asyncio.CancelledError) for result in results))

        self.run_with(answer, use)
        names = ("yardmaster-stream", "yardmaster-wait")
        wait_for(lambda: not any(thread.name in names for thread in threading.enumerate()), "the threads to end")


if __name__ == "__main__":
    unittest.main()
