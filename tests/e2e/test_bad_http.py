"""Hostile use of HTTP itself against the real server, and the bounds it keeps; the names are as in test_bad_input.py."""

import json
import socket
import stat
import time
import unittest
import urllib.parse

from refusals import RefusalTest, spec


class BadHttp(RefusalTest):
    def test_b24_oversized_chunked_body(self):
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        self.raw_refused(self.head("Content-Type: application/json", "Transfer-Encoding: chunked") + chunk * 64,
                         413, "too_large")

    def test_b25_chunk_size(self):
        self.raw_refused(self.head("Content-Type: application/json", "Transfer-Encoding: chunked") + b"-2\r\nxx\r\n0\r\n\r\n",
                         400, "invalid")

    def test_b26_many_headers(self):
        self.raw_refused(self.head(*[f"X-{n}: y" for n in range(10_000)]), 431, "headers_too_large")

    def test_b27_a_head_that_trickles_in_is_cut_within_ten_seconds(self):
        host, port = urllib.parse.urlsplit(self.server.url).netloc.split(":")
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            begun = time.monotonic()
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: local")
            answer = b""
            while chunk := connection.recv(65536):
                answer += chunk
            took = time.monotonic() - begun
        self.assertIn(b" 408 ", answer.splitlines()[0])
        self.assertIn(b'"code":"too_slow"', answer)
        self.assertLessEqual(took, 40)

    def test_b28_two_lengths(self):
        self.raw_refused(self.head("Content-Type: application/json", "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
                         400, "invalid")

    def test_b30_wrong_content_type(self):
        self.refused(spec(), None, content_type="text/plain", status=415, code="unsupported_media_type")

    def test_b31_b32_idempotency(self):
        first = self.post(spec(), **{"Idempotency-Key": "k1"})
        again = self.post(spec(), **{"Idempotency-Key": "k1"})
        self.assertEqual((first[0], again[0]), (201, 201))
        self.assertEqual(first[1]["id"], again[1]["id"])
        status, answer = self.post(spec(name="other"), **{"Idempotency-Key": "k1"})
        self.assertEqual((status, answer["code"]), (409, "conflict"))

    def test_b33_forged_cursor(self):
        for query, code in (("cursor=forged", "invalid_cursor"), ("limit=1000000000", "invalid"), ("limit=-1", "invalid"),
                            ("limit=x", "invalid")):
            status, answer = self.server.api("GET", f"/jobs?{query}")
            self.assertEqual((status, answer["code"]), (400, code), query)
        self.assertEqual(self.server.request("GET", "/api/v1/jobs?cursor=%00")[0], 400)

    def test_b36_encoded_paths(self):
        status, answer = self.server.api("GET", "/jobs/%252e%252e")
        said = "there is no job or array '%2e%2e': it is neither an id nor a name of yours; for a job of another user, write its id"
        self.assertEqual((status, answer["code"], answer["detail"], answer["errors"]), (404, "not_found", said, []))
        said = "a path segment holds a slash, a backslash, a dot name or a control character"
        for path in ("/jobs/..%2f..%2fetc", "/jobs/%5c..", "/jobs/..", "/jobs/%00"):
            status, answer = self.server.api("GET", path)
            self.assertEqual((status, answer["code"], answer["detail"], answer["errors"]), (400, "invalid", said, []), path)

    def test_b39_client_gone_in_the_middle(self):
        host, port = urllib.parse.urlsplit(self.server.url).netloc.split(":")
        body = json.dumps(spec()).encode()
        for cut in (10, len(body) - 1, len(body)):
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(self.head("Content-Type: application/json", "Idempotency-Key: gone",
                                             f"Content-Length: {len(body)}") + body[:cut])
        status, answer = self.post(spec(), **{"Idempotency-Key": "gone"})
        self.assertEqual(status, 201, answer)
        jobs = self.server.api("GET", "/jobs")[1]["items"]
        self.assertEqual([job["id"] for job in jobs], [answer["id"]], "one job, however often it was sent")

    def test_no_token_no_answer(self):
        for path in ("/api/v1/jobs", "/api/v1/events", "/api/v1/nodes", "/metrics"):
            status, headers, body = self.server.request("GET", path, authenticated=False)
            self.assertEqual((status, headers.get("www-authenticate", "")[:6]), (401, "Bearer"), path)
            self.assertEqual(json.loads(body)["code"], "unauthenticated")

    def test_the_first_start_writes_a_token_for_its_user_alone(self):
        token = self.server.state / "admin.token"
        self.assertEqual(stat.S_IMODE(token.stat().st_mode), 0o600)
        self.assertGreaterEqual(len(self.server.token()), 32)


class BehindAProxy(RefusalTest):
    """A proxy of the same machine hands on the name that users know."""

    arguments = ("--advertise-url", "https://Gpu-Box.example")

    def test_the_name_that_is_advertised_is_known_and_no_other(self):
        for host, status in (("gpu-box.example", 200), ("GPU-BOX.example:443", 200), ("localhost:8470", 200),
                             ("other.example", 403), ("gpu-box.example.evil", 403)):
            self.assertEqual(self.server.api("GET", "/jobs", headers={"Host": host})[0], status, host)


class Bounds(RefusalTest):
    """From the inside: what is just within a bound is served."""

    def test_a_body_of_exactly_one_mebibyte(self):
        fixed = json.dumps(spec(), separators=(",", ":")).encode()
        within = fixed + b" " * ((1 << 20) - len(fixed))
        self.assertEqual(self.post(within)[0], 201)
        status, answer = self.post(within + b" ")
        self.assertEqual((status, answer["code"]), (413, "too_large"))

    def test_a_hundred_header_fields(self):
        def get(more):
            return self.raw(self.head(*[f"X{n}: y" for n in range(more)], "Connection: close", method="GET"))
        self.assertIn(" 200 ", get(97).splitlines()[0], "with Host, Authorization and Connection: 100")
        self.assertIn(" 431 ", get(98).splitlines()[0])

    def test_sixty_four_levels(self):
        nested = lambda depth: b'{"run":["x"],"env":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"
        self.assertEqual(self.post(nested(64))[1]["errors"][0]["pointer"], "/env", "read, and found wrong for another reason")
        self.assertIn("nested deeper than 64 levels", self.post(nested(65))[1]["detail"])


if __name__ == "__main__":
    unittest.main()
