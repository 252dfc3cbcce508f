"""Events, output and the end of a job, over streams that break."""

import threading
import unittest

import yardmaster as ym
from tests.scripted_server import ClientCase, attempt, job, sse


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

    def test_a_cut_is_an_error_without_following(self):
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

    def follow_all(self, states):
        """The states in turn, the last one again and again; each attempt writes its number."""
        def answer(method, path, query, headers, body):
            if path.endswith("/logs"):
                return 200, {}, [f"{query['attempt']}\n".encode()]
            return 200, {}, states.pop(0) if len(states) > 1 else states[0]

        return list(self.serve(answer).logs("train", follow=True))

    def test_following_goes_on_behind_a_gap_of_attempts(self):
        """Their numbers have gaps where the server's state was set back."""
        states = [job(attempts=[attempt(1, "ENDED")])] * 2
        states += [job("SUCCEEDED", [attempt(1, "ENDED"), attempt(4, "ENDED")])]
        self.assertEqual(self.follow_all(states), ["1", "4"])

    def test_following_begins_behind_a_gap_of_attempts(self):
        self.assertEqual(self.follow_all([job("QUEUED"), job("SUCCEEDED", [attempt(2, "ENDED"), attempt(5, "ENDED")])]), ["2", "5"])

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


if __name__ == "__main__":
    unittest.main()
