"""The client against a scripted server: retries, errors, pages, streams that break."""

import asyncio
import datetime
import json
import os
import pathlib
import shutil
import socket
import sys
import tempfile
import threading
import unittest
import urllib.parse
from http.server import BaseHTTPRequestHandler

ROOT = pathlib.Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import yardmaster as ym  # noqa: E402
from tests.fake_server import QuietServer, wait_for  # noqa: E402
from yardmaster import client as client_module  # noqa: E402
from yardmaster.discovery import discover  # noqa: E402


def job(state="RUNNING", attempts=(), **more):
    return {"id": "0000000A", "name": "train", "state": state, "attempts": list(attempts), **more}


def attempt(number, state="RUNNING"):
    return {"number": number, "state": state}


class Hangup(Exception):
    """The connection ends without an answer."""


class ScriptedServer:
    """`answer(request)` gives (status, headers, body), or the pieces of a stream as a list; None in it cuts the
    connection. A request: method, path, query (dict), headers, body."""

    def __init__(self, answer):
        self.requests = []
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def serve(self):
                parts = urllib.parse.urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                request = (self.command, parts.path, dict(urllib.parse.parse_qsl(parts.query)), dict(self.headers), body)
                scripted.requests.append(request)
                try:
                    status, headers, content = answer(*request)
                except Hangup:
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if isinstance(content, list):
                    self.stream(content, "Content-Length" in headers)
                else:
                    data = json.dumps(content).encode()
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)

            def stream(self, pieces, whole):
                if not whole:
                    self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for piece in pieces:
                    if piece is None:
                        self.close_connection = True
                        self.connection.shutdown(socket.SHUT_RDWR)
                        return
                    if callable(piece):
                        piece()
                        continue
                    self.wfile.write(piece if whole else b"%x\r\n%s\r\n" % (len(piece), piece))
                    self.wfile.flush()
                self.wfile.write(b"0\r\n\r\n")

            do_GET = do_POST = serve

        self.server = QuietServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class ClientCase(unittest.TestCase):
    def setUp(self):
        for name in ("_FIRST_PAUSE", "_LONGEST_PAUSE"):
            self.addCleanup(setattr, client_module, name, getattr(client_module, name))
            setattr(client_module, name, 0.01)
        kept = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("YM_")}
        self.addCleanup(os.environ.update, kept)

    def serve(self, answer, **options):
        self.server = ScriptedServer(answer)
        self.addCleanup(self.server.close)
        return ym.Client(self.server.url, "secret-token", **options)

    def scripted(self, *answers, **options):
        """Answers in turn; the last one again and again."""
        left = list(answers)

        def answer(*_):
            value = left.pop(0) if len(left) > 1 else left[0]
            if value is Hangup:
                raise Hangup
            return value

        return self.serve(answer, **options)


class SubmitTest(ClientCase):
    def sent(self, n=-1):
        return self.server.requests[n]

    def test_a_mapping(self):
        client = self.scripted((201, {}, job("QUEUED", submitted_at="2026-01-02T03:04:05.678Z", new_field=1)))
        made = client.submit({"run": ["true"]}, workdir="/work")
        method, path, query, headers, body = self.sent()
        self.assertEqual((method, path, query), ("POST", "/api/v1/jobs", {"workdir": "/work"}))
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertEqual(headers["Authorization"], "Bearer secret-token")
        self.assertGreaterEqual(len(headers["Idempotency-Key"]), 32)
        self.assertEqual(json.loads(body), {"run": ["true"]})
        self.assertEqual((made.id, made.state, made.raw["new_field"]), ("0000000A", "QUEUED", 1))
        self.assertEqual(made.submitted_at, datetime.datetime(2026, 1, 2, 3, 4, 5, 678000, datetime.timezone.utc))

    def test_a_job(self):
        client = self.scripted((201, {}, job()))
        client.submit(ym.Job(run="echo hi", name="x", gpus="t4:2", cpus=4, env={"A": 1}, nodes={"min": 1, "max": 2},
                             time_limit=datetime.timedelta(minutes=90), preemption={"grace": datetime.timedelta(seconds=5)},
                             workdir=pathlib.Path("/w"), extra={"future": True}))
        self.assertEqual(json.loads(self.sent()[4]), {
            "run": "echo hi", "name": "x", "resources": {"gpus": "t4:2", "cpus": 4}, "env": {"A": 1},
            "nodes": {"min": 1, "max": 2}, "time_limit": "5400000ms", "preemption": {"grace": "5000ms"}, "workdir": "/w",
            "future": True})

    def test_a_key_given_twice(self):
        with self.assertRaisesRegex(ValueError, "run"):
            ym.Job(run="x", extra={"run": "y"}).to_dict()

    def test_yaml_as_text_file_and_jobfile(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = pathlib.Path(folder) / "ym.yaml"
        text = "name: \u00e9t\u00e9\nrun: [true]\n"
        path.write_text(text, encoding="utf-8")
        client = self.scripted((201, {}, {"items": [job()]}))
        for spec in (text, path, str(path), ym.Job.load(path)):
            self.assertEqual(client.submit(spec).id, "0000000A")
            self.assertEqual(self.sent()[3]["Content-Type"], "application/yaml")
            self.assertEqual(self.sent()[4].decode(), text)
        with self.assertRaises(FileNotFoundError):
            client.submit("no-such-file.yaml")

    def test_json_text_goes_as_json(self):
        client = self.scripted((201, {}, job()))
        client.submit('{"run": ["\\ud83d\\ude00"]}')
        self.assertEqual(self.sent()[3]["Content-Type"], "application/json")

    def test_several_jobs_need_submit_all(self):
        client = self.scripted((201, {}, {"items": [job(), job()]}))
        several = ({"run": ["x"], "array": 3}, "run: a\n---\nrun: b\n", "---\nrun: a\n---\nrun: b\n", "run: a\narray: 2\n",
                   '{"run": "a", "array": 2}')
        for spec in several:
            with self.assertRaisesRegex(ValueError, "submit_all"):
                client.submit(spec)
        self.assertEqual(self.server.requests, [])
        self.assertEqual(len(client.submit_all(several[1])), 2)
        with self.assertRaises(ym.SeveralJobs) as raised:
            client.submit("---\nrun: a\n")
        self.assertEqual(len(raised.exception.jobs), 2)

    def test_a_lost_answer_is_asked_for_again_with_the_same_key(self):
        client = self.scripted(Hangup, Hangup, (201, {}, job()))
        client.submit({"run": ["x"]})
        keys = {request[3]["Idempotency-Key"] for request in self.server.requests}
        self.assertEqual((len(self.server.requests), len(keys)), (3, 1))

    def test_what_never_arrives_says_how_to_go_on(self):
        client = self.scripted(Hangup, retries=1)
        with self.assertRaises(ym.Unavailable) as raised:
            client.submit({"run": ["x"]})
        self.assertEqual({request[3]["Idempotency-Key"] for request in self.server.requests},
                         {raised.exception.idempotency_key})

    def test_what_is_no_job(self):
        client = self.scripted((201, {}, job()))
        with self.assertRaises(TypeError):
            client.submit(7)
        with self.assertRaises(ValueError):
            client.submit({"run": ["x"], "priority": float("nan")})


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

    def test_nobody_there(self):
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

        class Back(type(client)):
            def _endpoint(self):
                looks.append(1)
                if len(looks) == 3:
                    (folder / "away").rename(record)
                return super()._endpoint()

        client.__class__ = Back
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


def sse(*seqs, finished=None):
    text = "retry: 1000\n\n: alive\n\n"
    for seq in seqs:
        kind = "job.finished" if seq == finished else "job.deferred"
        text += f"id: {seq}\nevent: {kind}\ndata: {json.dumps({'seq': seq, 'type': kind, 'job': '0000000A'})}\n\n"
    return text.encode()


class EventsTest(ClientCase):
    def test_a_broken_stream_goes_on_behind_the_last_event(self):
        streams = [[sse(1, 2)[:-30], None], [sse(2, 3), None], [sse(4, 5, finished=5)]]

        def answer(method, path, query, headers, body):
            if path.endswith("/events"):
                return 200, {"Content-Type": "text/event-stream"}, streams.pop(0)
            return 200, {}, job()

        client = self.serve(answer)
        self.assertEqual([event.seq for event in client.events("train", follow=True)], [1, 2, 3, 4, 5])
        lasts = [request[3]["Last-Event-ID"] for request in self.server.requests if request[1].endswith("/events")]
        self.assertEqual(lasts, ["0", "1", "3"])

    def test_of_a_job_that_has_ended(self):
        def answer(method, path, query, headers, body):
            if path.endswith("/events"):
                return 200, {}, {"items": [{"seq": 1}, {"seq": 2}], "next": None}
            return 200, {}, job("FAILED")

        self.assertEqual([event.seq for event in self.serve(answer).events("train", follow=True)], [1, 2])

    def test_of_everything_from_now_on(self):
        def answer(method, path, query, headers, body):
            if path == "/api/v1/events":
                return 200, {}, [sse(8)]
            return 200, {}, {"items": [], "next": None, "as_of": 7}

        client = self.serve(answer)
        stream = client.events(follow=True)
        self.assertEqual(next(stream).seq, 8)
        stream.close()
        self.assertEqual(self.server.requests[-1][3]["Last-Event-ID"], "7")

    def test_a_cursor_that_has_expired(self):
        with self.assertRaises(ym.Expired):
            list(self.scripted((410, {}, {})).events(after=3, follow=True))

    def test_history_in_pages(self):
        def answer(method, path, query, headers, body):
            after = int(query.get("cursor", 0))
            return 200, {}, {"items": [{"seq": after + 1}], "next": after + 1 if after < 3 else None}

        self.assertEqual([event.seq for event in self.serve(answer).events(after=1)], [2, 3, 4])


class LogsTest(ClientCase):
    def test_lines(self):
        client = self.scripted((200, {}, [b"one\ntw", b"o\r\n\xc3", b"\xa9\xff\n\nlast"]))
        self.assertEqual(list(client.logs("x", rank=1, attempt=2, tail=5)), ["one", "two\r", "\u00e9\ufffd", "", "last"])
        self.assertEqual(self.server.requests[0][2], {"rank": "1", "attempt": "2", "tail": "5"})

    def test_a_cut_is_an_error_where_nobody_follows(self):
        with self.assertRaises(ym.Unavailable):
            list(self.scripted((200, {}, [b"one\n", None])).logs("x"))

    def test_following_goes_on_where_it_broke_and_into_the_next_attempt(self):
        logs = {("1", None): [b"a1\na", None], ("1", "4"): [b"2\n"], ("2", None): [b"b1\n"], ("2", "3"): [b"b2\nb3"]}
        states = [job(attempts=[attempt(1)])] * 2 + [job(attempts=[attempt(1, "ENDED")])]
        states += [job(attempts=[attempt(1, "ENDED"), attempt(2)])]
        states += [job("SUCCEEDED", [attempt(1, "ENDED"), attempt(2, "ENDED")])]

        def answer(method, path, query, headers, body):
            if not path.endswith("/logs"):
                return 200, {}, states.pop(0) if len(states) > 1 else states[0]
            return 200, {}, logs[(query["attempt"], query.get("offset"))]

        self.assertEqual(list(self.serve(answer).logs("train", follow=True)), ["a1", "a2", "b1", "b2", "b3"])

    def test_following_one_attempt_ends_with_it(self):
        def answer(method, path, query, headers, body):
            if path.endswith("/logs"):
                return 200, {"Log-Offset": "100"}, [b"tail\n"]
            return 200, {}, job(attempts=[attempt(1, "ENDED"), attempt(2)])

        self.assertEqual(list(self.serve(answer).logs("x", follow=True, attempt=1, tail=1)), ["tail"])

    def test_an_attempt_that_is_not(self):
        with self.assertRaises(ym.NotFound):
            list(self.scripted((200, {}, job())).logs("x", follow=True, attempt=3))

    def test_a_job_that_never_ran(self):
        self.assertEqual(list(self.scripted((200, {}, job("CANCELLED"))).logs("x", follow=True)), [])


class WaitTest(ClientCase):
    def answer_with(self, states, stream):
        def answer(method, path, query, headers, body):
            if path.endswith("/events"):
                return 200, {}, stream()
            if path == "/api/v1/jobs":
                return 200, {}, {"items": [], "next": None, "as_of": 3}
            return states()

        return answer

    def test_until_the_end(self):
        over = threading.Event()
        client = self.serve(self.answer_with(
            lambda: (200, {}, job("SUCCEEDED" if over.is_set() else "RUNNING")),
            lambda: [sse(4), over.set, sse(5, finished=5)]))
        self.assertTrue(client.wait("train").has_succeeded)

    def test_failure(self):
        client = self.scripted((200, {}, job("FAILED", message="exit code 3")))
        self.assertEqual(client.wait("train").state, "FAILED")
        with self.assertRaisesRegex(ym.JobFailed, "exit code 3") as raised:
            client.wait("train", raise_on_failure=True)
        self.assertEqual(raised.exception.job.state, "FAILED")
        with self.assertRaises(ym.JobFailed):
            client.wait_all(["a", "b"], raise_on_failure=True)

    def test_time_is_up(self):
        client = self.serve(self.answer_with(lambda: (200, {}, job()), lambda: [sse(4)]))
        with self.assertRaises(ym.WaitTimeout) as raised:
            client.wait("train", timeout=0.3)
        self.assertIsInstance(raised.exception, TimeoutError)
        self.assertEqual(raised.exception.job.state, "RUNNING")

    def test_an_outage_is_borne_once_the_job_is_known(self):
        answers = [(200, {}, job())] + [(503, {}, {})] * 12 + [(200, {}, job("SUCCEEDED"))]
        client = self.serve(lambda *request: self.wait_answers(answers, *request), retries=1)
        self.assertTrue(client.wait("train").has_succeeded)

    def wait_answers(self, answers, method, path, *_):
        value = answers.pop(0) if len(answers) > 1 else answers[0]
        if path == "/api/v1/jobs" and value[0] == 200:
            return 200, {}, {"items": [], "as_of": 1}
        return value

    def test_patience_has_an_end(self):
        answers = [(200, {}, job()), (503, {}, {})]
        client = self.serve(lambda *request: self.wait_answers(answers, *request), retries=0, patience=0.1)
        with self.assertRaises(ym.Unavailable):
            client.wait("train")


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


class DiscoveryTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.state = self.folder / "yardmaster"
        self.state.mkdir()
        (self.state / "server.json").write_text('{"url": "http://127.0.0.1:1234", "pid": 1}')
        (self.state / "admin.token").write_text("admin\n")
        (self.folder / "my.token").write_text("mine\n")
        self.here = {"XDG_STATE_HOME": str(self.folder)}

    def test_the_local_server(self):
        found = discover(environment=self.here)
        self.assertEqual((found.url, found.token), ("http://127.0.0.1:1234", "admin"))
        self.assertEqual(discover(environment={"YM_STATE": str(self.state)}), found)
        home = self.folder / "home"
        shutil.copytree(self.state, home / ".local/state/yardmaster")
        self.assertEqual(discover(environment={"HOME": str(home), "XDG_STATE_HOME": "relative"}), found)

    def test_the_admin_token_is_for_that_server_only(self):
        self.assertEqual(discover("http://elsewhere:1", environment=self.here).token, "")
        self.assertEqual(discover("http://127.0.0.1:1234", environment=self.here).token, "admin")

    def test_order(self):
        more = {**self.here, "YM_URL": "http://team:1/", "YM_TOKEN_FILE": str(self.folder / "my.token")}
        self.assertEqual(discover(environment=more), ym.discovery.Endpoint("http://team:1", "mine"))
        self.assertEqual(discover(environment={**more, "YM_TOKEN": "env"}).token, "env")
        found = discover("http://given", "given", {**more, "YM_TOKEN": "env"})
        self.assertEqual((found.url, found.token), ("http://given", "given"))

    def test_what_is_missing(self):
        with self.assertRaisesRegex(ym.Unavailable, "ym serve"):
            discover(environment={"YM_STATE": str(self.folder / "none")})
        with self.assertRaises(ym.Unavailable):
            discover(environment={})
        with self.assertRaisesRegex(ym.Unauthenticated, "/no/such"):
            discover(environment={**self.here, "YM_TOKEN_FILE": "/no/such"})
        (self.state / "server.json").write_text("{")
        with self.assertRaises(ym.Unavailable):
            discover(environment=self.here)


if __name__ == "__main__":
    unittest.main()
