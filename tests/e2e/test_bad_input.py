"""Mistaken and hostile job specs against the real server: the exact answer to each.

The names B1, B2, ... are those of docs/design/0005-bad-inputs.md.
"""

import json
import re
import unittest

import harness
from refusals import RefusalTest, spec

YAML = "application/yaml"


class BadSpec(RefusalTest):
    def test_b1_empty_body(self):
        words = "there is no job in this text"
        self.refused(b"", None, words, status=400)
        self.refused(b"", None, words, content_type=YAML, status=400)
        self.refused(b"{}", "/run", "is missing")

    def test_b2_invalid_text(self):
        self.refused(b'{"name": "\xff\xfe", "run": ["true"]}', None, "not valid UTF-8", status=400)
        self.refused(b"name: a\x00b\nrun: [x]\n", None, "NUL byte", content_type=YAML, status=400)

    def test_b3_alias_bomb_takes_no_memory(self):
        bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n"
        for before, letter in zip("abcdefgh", "bcdefghi"):
            bomb += f"{letter}: &{letter} [" + ",".join([f"*{before}"] * 9) + "]\n"
        self.refused(b"run: [", None, content_type=YAML, status=400)
        before = self.peak_kib()
        self.refused(bomb.encode(), None, "YAML anchors (&name) are not allowed", content_type=YAML, status=400)
        self.assertLessEqual(self.peak_kib() - before, 16 * 1024, "KiB that the peak grew by")

    def test_b4_nesting(self):
        words = "nested deeper than 64 levels"
        self.refused(b'{"env": ' + b"[" * 10000 + b"]" * 10000 + b"}", None, words, status=400)
        self.refused(b"env: " + b"[" * 10000 + b"]" * 10000, None, words, content_type=YAML, status=400)
        # The map itself is the first level.
        self.refused(b'{"run":["x"],"env":' + b"[" * 63 + b"]" * 63 + b"}", "/env", "must be a map")
        self.refused(b'{"run":["x"],"env":' + b"[" * 64 + b"]" * 64 + b"}", None, words, status=400)

    def test_b5_duplicate_keys(self):
        self.refused(b"name: a\nname: b\nrun: [x]\n", "/name", "is given twice", content_type=YAML)
        self.refused(b'{"name": "a", "name": "b", "run": ["x"]}', "/name", "is given twice")
        self.refused(b'{"run": ["x"], "env": {"A": "1", "A": "2"}}', "/env/A", "is given twice")

    def test_b6_unknown_field(self):
        self.refused(spec(resources={"gpu": 1}), "/resources/gpu", "did you mean 'gpus'?")

    def test_b7_gpus(self):
        for value in (-1, 0.5, 2**63, "NaN", "t4:-1", "t4:", ":2", "t4:x"):
            with self.subTest(value=value):
                self.refused(spec(resources={"gpus": value}), "/resources/gpus", "write a whole number")
        self.refused(b'{"name":"p","run":["x"],"resources":{"gpus":NaN}}', None, "not valid JSON", status=400)

    def test_b8_overflow(self):
        self.refused(spec(nodes=2**31, resources={"gpus": 64}), "/nodes", "1 to 10000")
        self.refused(spec(nodes=2**62), "/nodes", "1 to 10000")

    def test_b10_time_limit(self):
        for value in (0, "0s", "3650d", "10 years", -5):
            with self.subTest(value=value):
                self.refused(spec(time_limit=value), "/time_limit")

    def test_b15_names(self):
        for name in ("..", "a/b", "-rf", "a\nb", "a\u202eb", "", "x" * 200):
            with self.subTest(name=name):
                self.refused(spec(name=name), "/name", "is not a name")

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
        self.refused(spec(env={"SLURM_JOB_ID": "1"}), "/env/SLURM_JOB_ID", "SLURM_ variables cannot be set")
        self.refused(spec(env={"A": "b\nc"}), "/env/A", "has a line break")
        self.refused(spec(env={"A B": "c"}), "/env/A B", "is not the name of a variable")
        job = self.server.submit(spec(run=["cat", "/proc/self/environ"], env={"LD_PRELOAD": ""}))
        self.server.wait_end(job)
        self.assertIn("LD_PRELOAD=\0", self.job_log(job), "it reaches the job")

    def test_b21_arguments(self):
        self.refused(spec(run=["x"] * 100_000), "/run", "more than 100000 values")
        self.refused(spec(run=["x"] * 90_000), "/run", "at most 4096 are allowed")

    def test_b22_retries(self):
        self.refused(spec(retry={"error": {"max": 10**9}}), "/retry/error/max", "0 to 1000")
        for value in (0, "0s"):
            self.refused(spec(retry={"backoff": value}), "/retry/backoff", "write 100ms to 1h")

    def test_b23_crlf_and_missing(self):
        script = self.folder / "crlf.sh"
        script.write_bytes(b"#!/bin/sh\r\necho hi\r\n")
        script.chmod(0o755)
        for run in ([str(script)], [str(self.folder / "missing")]):
            job = self.server.submit(spec(run=run, retry={"infra": {"max": 3}, "error": {"max": 3}}))
            ended = self.server.wait_end(job)
            self.assertEqual((ended["state"], len(ended["attempts"])), ("FAILED", 1))
            self.assertIn("No such file", ended["message"])

    def test_b34_cross_origin(self):
        job = self.server.submit(spec(run=["sleep", "60"]))
        status, _, _ = self.server.request("POST", f"/api/v1/jobs/{job}/cancel", headers=[("Origin", "http://evil.example")])
        self.assertEqual(status, 403)
        self.assertNotIn(self.server.get(job)["state"], ("CANCELLED", "STOPPING"))

    def test_a_request_makes_ten_thousand_jobs_at_most(self):
        text = json.dumps(spec(array=10_000)) + "\n---\n" + json.dumps(spec(name="one more"[:3], array=2))
        self.refused(text.encode(), "/1/array", "10002 jobs in one request; at most 10000", content_type=YAML)


class LineBreaksInTheLog(RefusalTest):
    """B87: whatever users write, one message of the log is one line."""

    arguments = ("--log-format", "json", "--log-level", "debug")

    def test_b87(self):
        forged = 'x\n{"level": "info", "message": "forged"}\r\n2026-01-01T00:00:00.000Z info forged'
        self.post(spec(name=forged))
        self.post(spec(workdir="/" + forged))
        self.post(spec(), **{"Idempotency-Key": "k"})
        job = self.server.submit(spec(run=["/no/such\n" + forged], workdir="/"))
        self.server.wait_end(job)
        for target in ("/api/v1/jobs/a%0a%7B%22forged%22", "/api/v1/jobs?name=a%0aforged", "/%0aforged"):
            self.server.request("GET", target)
        self.server.request("POST", "/api/v1/nodes/n1/drain", json.dumps({"message": forged}),
                            [("Content-Type", "application/json")])
        lines = self.server.log_text().splitlines()
        self.assertGreater(len(lines), 5)
        for line in lines:
            with self.subTest(line=line):
                self.assertEqual(set(json.loads(line)) & {"time", "level", "message"}, {"time", "level", "message"})
                self.assertNotEqual(json.loads(line)["message"], "forged")


class LogOfRefusals(RefusalTest):
    def test_principal_route_status_and_code_and_nothing_that_was_sent(self):
        self.server.request("GET", "/api/v1/jobs/canary-name?x=canary-query")
        self.server.request("GET", "/api/v1/jobs", headers=[("Authorization", "Bearer canary-token")], authenticated=False)
        self.post(spec(env={"SLURM_X": "canary-value"}))
        # Each connection logs its own, in any order.
        log = harness.wait_for(lambda: self.server.log_text() if self.server.log_text().count("refused: ") >= 3 else None,
                               "the log")
        self.assertRegex(log, r"refused: principal \S+, GET /api/v1/jobs/\{id\}, status 400, code invalid")
        self.assertRegex(log, r"refused: principal -, GET /api/v1/jobs, status 401, code unauthenticated")
        self.assertRegex(log, r"refused: principal \S+, POST /api/v1/jobs, status 422, code invalid")
        self.assertIsNone(re.search("canary", log))


if __name__ == "__main__":
    unittest.main()
