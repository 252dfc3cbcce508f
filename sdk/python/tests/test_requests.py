"""Requests: what is sent again and what is not, what goes wrong and how it is told, lists in pages."""

import json
import os
import pathlib
import shutil
import socket
import tempfile
import unittest

import yardmaster as ym
from tests.scripted_server import ClientCase, Hangup, job
from yardmaster.discovery import discover


class ErrorTest(ClientCase):
    def test_problems_have_types(self):
        kinds = {400: ym.Invalid, 401: ym.Unauthenticated, 403: ym.Forbidden, 404: ym.NotFound, 409: ym.Conflict,
                 410: ym.Expired, 413: ym.Invalid, 415: ym.Invalid, 422: ym.Invalid, 429: ym.RateLimited,
                 500: ym.ServerError, 503: ym.Unavailable, 418: ym.ApiError, 302: ym.ApiError}
        problem = {"title": "T", "code": "c", "detail": "what is wrong", "errors": [{"pointer": "/run", "message": "empty"}]}
        for status, kind in kinds.items():
            client = self.scripted((status, {"Location": "http://elsewhere/"}, problem), retries=0)
            with self.assertRaises(ym.ApiError) as raised:
                client.get("x")
            error = raised.exception
            self.assertIs(type(error), kind)
            self.assertEqual((error.status, error.code, error.title, error.detail), (status, "c", "T", "what is wrong"))
            self.assertEqual(error.errors, (ym.FieldError("/run", "empty"),))
            self.assertEqual(str(error), "what is wrong\n  /run: empty")

    def test_any_body_will_do(self):
        for body in (None, [], "text", {"errors": "x", "detail": 7}, {"errors": [1, {}]}):
            with self.assertRaises(ym.NotFound):
                self.scripted((404, {}, body)).get("x")

    def test_what_is_not_yardmaster(self):
        with self.assertRaisesRegex(ym.ApiError, "address"):
            self.scripted((200, {}, "hello")).get("x")

    def test_an_answer_that_is_cut(self):
        for headers in ({}, {"Content-Length": "100"}):
            with self.assertRaisesRegex(ym.Unavailable, "broke off"):
                self.scripted((200, headers, [b"{}", None]), retries=0).get("x")

    def test_busy_servers_are_asked_again(self):
        client = self.scripted((503, {"Retry-After": "0"}, {}), (429, {}, {}), (200, {}, job()))
        self.assertEqual(client.cancel("train").id, "0000000A")
        self.assertEqual(len(self.server.requests), 3)

    def test_an_action_is_not_repeated_when_its_answer_is_lost(self):
        client = self.scripted(Hangup, (200, {}, job()))
        with self.assertRaises(ym.Unavailable):
            client.cancel("train")
        self.assertEqual(len(self.server.requests), 1)

    def test_a_retry_is_repeated_under_its_key(self):
        client = self.scripted(Hangup, (200, {}, job()))
        self.assertEqual(client.retry("train").id, "0000000A")
        keys = [request[3]["Idempotency-Key"] for request in self.server.requests]
        self.assertEqual(len(keys), 2)
        self.assertEqual(keys[0], keys[1])

    def test_an_action_on_an_array_says_what_was_done(self):
        with self.assertRaisesRegex(TypeError, "cancel was done for its 2 jobs"):
            self.scripted((200, {}, {"items": [job(), job()]})).cancel("sweep")

    def test_a_read_is(self):
        self.assertEqual(self.scripted(Hangup, (200, {}, job())).get("train").name, "train")

    def test_no_server_there(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with self.assertRaisesRegex(ym.Unavailable, "cannot be reached"):
            ym.Client(url, "t", retries=1).get("x")

    def test_a_local_server_that_was_there_is_looked_for_again(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        os.environ["YM_STATE"] = str(folder)
        self.addCleanup(os.environ.pop, "YM_STATE")
        record, looks = folder / "server.json", []

        def answer(*_):
            return 200, {}, job()

        self.serve(answer)
        record.write_text(json.dumps({"url": self.server.url}))
        client = ym.Client()
        client.get("x")
        record.rename(folder / "away")

        class Back(type(client._transport)):
            def endpoint(self):
                looks.append(1)
                if len(looks) == 3:
                    (folder / "away").rename(record)
                return super().endpoint()

        client._transport.__class__ = Back
        self.assertEqual(client.get("x").name, "train")
        self.assertEqual(len(looks), 3)

    def test_a_server_that_does_not_answer(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            client = ym.Client(f"http://127.0.0.1:{silent.getsockname()[1]}", "t", timeout=0.1, retries=0)
            with self.assertRaisesRegex(ym.Unavailable, "in time"):
                client.get("x")

    def test_arguments(self):
        for wrong in ("localhost:8470", "ftp://x", "http://", ""):
            with self.assertRaises(ValueError):
                ym.Client(wrong)
        with self.assertRaises(ValueError):
            ym.Client("http://x", timeout=0)
        with self.assertRaises(ValueError):
            self.scripted((200, {}, job())).get("")

    def test_the_token_is_never_shown(self):
        self.assertNotIn("secret", repr(ym.Client("http://x", "secret")) + repr(discover("http://x", "secret", {})))

    def test_names_are_quoted(self):
        client = self.scripted((200, {}, job()))
        client.get("a/../b?c")
        self.assertEqual(self.server.requests[0][1], "/api/v1/jobs/a%2F..%2Fb%3Fc")


class ListTest(ClientCase):
    def test_pages_come_as_they_are_needed(self):
        def answer(method, path, query, headers, body):
            first = "cursor" not in query
            return 200, {}, {"items": [job(name=str(i)) for i in range(2)], "next": "c/1" if first else None, "as_of": 5}

        client = self.serve(answer)
        jobs = client.list(state=["QUEUED", "RUNNING"], queue="a", page_size=2)
        self.assertEqual(self.server.requests, [])
        next(jobs)
        self.assertEqual(len(self.server.requests), 1)
        self.assertEqual(len(list(jobs)), 3)
        self.assertEqual(self.server.requests[1][2],
                         {"queue": "a", "state": "QUEUED,RUNNING", "limit": "2", "cursor": "c/1"})

    def test_objects_of_another_version(self):
        client = self.scripted((200, {}, {"items": [{}, {"name": "q", "usage": "?", "counts": 3}], "next": None}))
        self.assertEqual([queue.name for queue in client.queues()], ["", "q"])
        self.assertEqual([node.name for node in client.nodes()], ["", "q"])
        self.assertEqual(self.scripted((200, {}, {"dominant": {"code": "Priority"}})).why("x").dominant.code, "Priority")
        self.assertIsNone(self.scripted((200, {}, {"dominant": None, "state": "RUNNING"})).why("x").dominant)


if __name__ == "__main__":
    unittest.main()
