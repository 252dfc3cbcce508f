"""Submits: what is sent of a job, and what makes a repeated submit one job."""

import datetime
import json
import pathlib
import shutil
import tempfile
import unittest

import yardmaster as ym
from tests.scripted_server import ClientCase, Hangup, job


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

    def test_a_part_of_a_gpu(self):
        self.assertEqual(ym.Job(run="x", gpu_share="500m", gpu_memory="8GiB").to_dict()["resources"],
                         {"gpu_share": "500m", "gpu_memory": "8GiB"})
        self.assertEqual(ym.Job(run="x", mig="1g.10gb:2").to_dict()["resources"], {"mig": "1g.10gb:2"})

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


if __name__ == "__main__":
    unittest.main()
