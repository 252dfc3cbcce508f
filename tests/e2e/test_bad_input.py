"""Hostile and mistaken requests against the real server: the exact answer to each, no
state change, no secret in what is said, and bounded memory.

The names B1, B2, ... are those of the project's catalogue of bad inputs.
"""

import json
import pathlib
import socket
import time
import unittest
import urllib.parse

import harness

PEAK_MIB = 300


def spec(**changes):
    return {"name": "probe", "run": ["true"]} | changes


class BadInput(harness.ServerTest):
    config = harness.FIVE_NODES

    def tearDown(self):
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        peak = int(status.split("VmHWM:")[1].split()[0]) // 1024
        self.assertLess(peak, PEAK_MIB, "the server's peak memory in MiB")
        self.assertNotIn(self.server.token(), self.server.log_text(), "the token is in the server's log")

    # --- helpers
    def post(self, body, content_type="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        status, _, answer = self.server.request("POST", "/api/v1/jobs", data,
                                                [("Content-Type", content_type), *headers.items()])
        return status, json.loads(answer)

    def refused(self, body, pointer, *words, content_type="application/json", statuses=(400, 422)):
        """Answered with a problem that points at the field; nothing is queued."""
        status, answer = self.post(body, content_type)
        self.assertIn(status, statuses, answer)
        text = json.dumps(answer)
        self.assertNotIn(self.server.token(), text)
        if pointer is not None:
            self.assertIn(pointer, [error["pointer"] for error in answer["errors"]], text)
        for word in words:
            self.assertIn(word, text)
        self.assertEqual(self.server.api("GET", "/jobs")[1]["items"], [])
        return answer

    def raw(self, data, patience=15):
        """Sends bytes as they are; everything that comes back until the server closes."""
        host, port = urllib.parse.urlsplit(self.server.url).netloc.split(":")
        with socket.create_connection((host, int(port)), timeout=patience) as connection:
            try:
                connection.sendall(data)
            except OSError:
                pass  # it may have hung up on us already
            answer = b""
            try:
                while chunk := connection.recv(65536):
                    answer += chunk
            except OSError:
                pass
            return answer.decode("latin-1")

    def head(self, *lines, method="POST", path="/api/v1/jobs"):
        fixed = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {self.server.token()}"]
        return ("\r\n".join([*fixed, *lines]) + "\r\n\r\n").encode()

    def still_serves(self):
        self.assertEqual(self.server.api("GET", "/queues")[0], 200)

    # --- job specs
    def test_b1_empty_body(self):
        self.refused(b"", None)
        self.refused(b"", None, content_type="application/yaml")

    def test_b2_invalid_text(self):
        self.refused(b'{"name": "\xff\xfe", "run": ["true"]}', None)
        self.refused(b"name: a\x00b\nrun: [x]\n", None, content_type="application/yaml")

    def test_b3_alias_bomb(self):
        bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n"
        for before, letter in zip("abcdefgh", "bcdefghi"):
            bomb += f"{letter}: &{letter} [" + ",".join([f"*{before}"] * 9) + "]\n"
        self.refused(bomb.encode(), None, content_type="application/yaml")

    def test_b4_nesting(self):
        self.refused(b'{"env": ' + b"[" * 10000 + b"]" * 10000 + b"}", None)
        self.refused(b"env: " + b"[" * 10000 + b"]" * 10000, None, content_type="application/yaml")

    def test_b5_duplicate_keys(self):
        self.refused(b"name: a\nname: b\nrun: [x]\n", None, "name", content_type="application/yaml")
        self.refused(b'{"name": "a", "name": "b", "run": ["x"]}', None, "name")

    def test_b6_unknown_field(self):
        self.refused(spec(resources={"gpu": 1}), "/resources/gpu", "gpus")

    def test_b7_gpus(self):
        for value in (-1, 0.5, 2**63, "NaN", "t4:-1", "t4:", ":2", "t4:x"):
            with self.subTest(value=value):
                self.refused(spec(resources={"gpus": value}), "/resources/gpus")
        self.refused(b'{"name":"p","run":["x"],"resources":{"gpus":NaN}}', None)

    def test_b8_overflow(self):
        self.refused(spec(nodes=2**31, resources={"gpus": 64}), "/nodes")
        self.refused(spec(nodes=2**62), "/nodes")

    def test_b10_time_limit(self):
        for value in (0, "0s", "3650d", "10 years", -5):
            with self.subTest(value=value):
                self.refused(spec(time_limit=value), "/time_limit")

    def test_b15_names(self):
        for name in ("..", "a/b", "-rf", "a\nb", "a\u202eb", "", "x" * 200):
            with self.subTest(name=name):
                self.refused(spec(name=name), "/name")

    def test_b16_b17_text_is_never_a_command(self):
        self.refused(spec(name="x\n#SBATCH --uid=0"), "/name")
        self.refused(spec(queue="default\n#SBATCH --uid=0"), "/queue")
        canary = self.folder / "canary"
        words = [f"$(touch {canary})", f"`touch {canary}`", "; rm -rf /", "a\n#SBATCH --uid=0"]
        job = self.server.submit(spec(run=["printf", "%s|", *words], env={"X": f"$(touch {canary})"}))
        self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(self.job_log(job), "".join(word + "|" for word in words))
        self.assertFalse(canary.exists())

    def test_b18_environment(self):
        self.refused(spec(env={"SLURM_JOB_ID": "1"}), "/env/SLURM_JOB_ID")
        self.refused(spec(env={"A": "b\nc"}), "/env/A")
        self.refused(spec(env={"A B": "c"}), "/env/A B")
        job = self.server.submit(spec(run=["cat", "/proc/self/environ"], env={"LD_PRELOAD": ""}))
        self.server.wait_end(job)

    def test_b21_arguments(self):
        self.refused(spec(run=["x"] * 100_000), None, "more than 100000 values")
        self.refused(spec(run=["x"] * 90_000), "/run")

    def test_b22_retries(self):
        self.refused(spec(retry={"error": {"max": 10**9}}), "/retry/error/max")

    def test_b23_crlf_and_missing(self):
        script = self.folder / "crlf.sh"
        script.write_bytes(b"#!/bin/sh\r\necho hi\r\n")
        script.chmod(0o755)
        job = self.server.submit(spec(run=[str(script)], retry={"infra": {"max": 3}, "error": {"max": 3}}))
        ended = self.server.wait_end(job)
        self.assertEqual((ended["state"], len(ended["attempts"])), ("FAILED", 1))

    # --- HTTP
    def test_b24_oversized_chunked_body(self):
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        answer = self.raw(self.head("Content-Type: application/json", "Transfer-Encoding: chunked") + chunk * 64)
        self.assertIn(" 413 ", answer.splitlines()[0])
        self.still_serves()

    def test_b25_chunk_size(self):
        answer = self.raw(self.head("Content-Type: application/json", "Transfer-Encoding: chunked") + b"-2\r\nxx\r\n0\r\n\r\n")
        self.assertIn(" 400 ", answer.splitlines()[0])

    def test_b26_many_headers(self):
        answer = self.raw(self.head(*[f"X-{n}: y" for n in range(10_000)]))
        self.assertIn(" 431 ", answer.splitlines()[0])

    def test_b27_slowloris(self):
        before = time.monotonic()
        self.raw(b"GET /healthz HTTP/1.1\r\nHost: local", patience=60)
        self.assertLess(time.monotonic() - before, 55, "the server, not our own patience, ended it")

    def test_b28_two_lengths(self):
        answer = self.raw(self.head("Content-Type: application/json", "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n")
        self.assertIn(" 400 ", answer.splitlines()[0])

    def test_b30_wrong_content_type(self):
        status, answer = self.post(spec(), content_type="text/plain")
        self.assertEqual(status, 415, answer)

    def test_b31_b32_idempotency(self):
        first = self.post(spec(), **{"Idempotency-Key": "k1"})
        again = self.post(spec(), **{"Idempotency-Key": "k1"})
        self.assertEqual(first[1]["id"], again[1]["id"])
        status, answer = self.post(spec(name="other"), **{"Idempotency-Key": "k1"})
        self.assertEqual((status, answer["code"]), (409, "conflict"))

    def test_b33_forged_cursor(self):
        for query in ("cursor=forged", "cursor=%00", "limit=1000000000", "limit=-1", "limit=x"):
            status, answer = self.server.api("GET", f"/jobs?{query}")
            self.assertEqual(status, 400, (query, answer))

    def test_b34_cross_origin(self):
        job = self.server.submit(spec(run=["sleep", "60"]))
        status, _, _ = self.server.request("POST", f"/api/v1/jobs/{job}/cancel", headers=[("Origin", "http://evil.example")])
        self.assertEqual(status, 403)

    def test_b36_encoded_paths(self):
        for path in ("/jobs/%252e%252e", "/jobs/..%2f..%2fetc", "/jobs/%5c..", "/jobs/..", "/jobs/%00"):
            status, _, _ = self.server.request("GET", "/api/v1" + path)
            self.assertIn(status, (400, 404), path)

    def test_b39_client_gone_in_the_middle(self):
        host, port = urllib.parse.urlsplit(self.server.url).netloc.split(":")
        body = json.dumps(spec()).encode()
        for cut in (10, len(body) - 1, len(body)):
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(self.head("Content-Type: application/json", "Idempotency-Key: gone",
                                             f"Content-Length: {len(body)}") + body[:cut])
        status, answer = self.post(spec(), **{"Idempotency-Key": "gone"})
        self.assertIn(status, (200, 201), answer)
        jobs = self.server.api("GET", "/jobs")[1]["items"]
        self.assertEqual([job["id"] for job in jobs], [answer["id"]], "one job, however often it was sent")

    def test_b85_escapes_are_not_passed_to_a_terminal(self):
        job = self.server.submit(spec(run=["printf", "\\033[31mred\\033[0m\\033]0;title\\007"]))
        self.server.wait_end(job)
        self.assertIn("red", self.job_log(job))

    def test_no_token_no_answer(self):
        for path in ("/api/v1/jobs", "/api/v1/events", "/api/v1/nodes", "/metrics"):
            status, headers, _ = self.server.request("GET", path, authenticated=False)
            self.assertEqual((status, headers.get("www-authenticate", "")[:6]), (401, "Bearer"), path)


if __name__ == "__main__":
    unittest.main()
