"""Real answers of the running server against its own OpenAPI document, and the event feed across its death."""

import http.client
import json
import pathlib
import unittest
import urllib.parse

import jsonschema

import descent
import harness
import processes


class Feed:
    """Server-sent events, one after another."""

    def __init__(self, server, path, after=None):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(server.url).netloc, timeout=harness.TIMEOUT)
        headers = {"Authorization": f"Bearer {server.token()}", "Accept": "text/event-stream"}
        if after is not None:
            headers["Last-Event-ID"] = str(after)
        self.connection.request("GET", path, headers=headers)
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.read()

    def __iter__(self):
        event = {}
        for raw in self.answer:
            line = raw.decode().rstrip("\n")
            if not line:
                if "data" in event:
                    yield event
                event = {}
            elif line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                event[name] = value

    def close(self):
        self.answer.close()
        self.connection.close()


class Document(harness.ServerTest):
    config = harness.FIVE_NODES

    def setUp(self):
        super().setUp()
        self.document = json.loads(self.server.request("GET", "/api/v1/openapi.json")[2])

    def check(self, method, pattern, path=None, body=None, content_type=None, status=200, token=None):
        """The answer has a described status and type, and its body the described shape."""
        headers = [("Content-Type", content_type)] if content_type else []
        headers += [("Authorization", f"Bearer {token}")] if token else []
        found, answered, raw = self.server.request(method, path or pattern, body, headers)
        self.assertEqual(found, status, raw)
        response = self.document["paths"][pattern][method.lower()]["responses"][str(status)]
        if status == 204:
            self.assertEqual((raw, "content" in response, "content-type" in answered), (b"", False, False))
            return None
        content = response["content"]
        schema = content[answered["content-type"].split(";")[0]]["schema"]
        value = json.loads(raw)
        whole = {"components": self.document["components"], **schema}
        jsonschema.Draft202012Validator(whole).validate(value)
        return value

    def test_answers_are_as_described(self):
        blocker = self.server.submit({"name": "blocker", "nodes": 5, "resources": {"gpus": 4}, "run": ["sleep", "600"]})
        self.server.wait_state(blocker, "RUNNING")
        spec = {"name": "waits", "nodes": 2, "resources": {"gpus": "t4:4", "memory": "1GiB"}, "run": "true", "time_limit": 60,
                "retry": {"infra": 2, "preempted": {"max": "unlimited"}}, "checkpoint": {"dir": "/ckpt"}, "env": {"A": 1}}
        jsonschema.Draft202012Validator({"components": self.document["components"],
                                         **self.document["components"]["schemas"]["JobSpec"]}).validate(spec)
        job = self.check("POST", "/api/v1/jobs", body=spec, status=201)["id"]
        array = self.check("POST", "/api/v1/jobs", body=spec | {"name": "sw", "array": 2}, status=201)
        self.assertEqual(len(array["items"]), 2)
        why = harness.wait_for(lambda: self.explained(job), "an explanation")
        self.assertTrue(why["dominant"]["numbers"])
        self.check("GET", "/api/v1/jobs/{id}/why", f"/api/v1/jobs/{blocker}/why")
        for group in ("hold", "release", "cancel"):
            self.check("POST", f"/api/v1/jobs/{{id}}/{group}", f"/api/v1/jobs/sw/{group}")
        self.check("GET", "/api/v1/jobs/{id}", f"/api/v1/jobs/{blocker}")
        self.check("GET", "/api/v1/jobs/{id}", f"/api/v1/jobs/{job}")
        for pattern in ("/api/v1/jobs", "/api/v1/queues", "/api/v1/nodes", "/api/v1/events", "/api/v1/whoami", "/healthz", "/readyz"):
            self.check("GET", pattern)
        self.check("GET", "/api/v1/jobs/{id}/events", f"/api/v1/jobs/{job}/events")

    def test_what_a_job_says_and_is_told_is_as_described(self):
        job = self.server.submit(descent.job(self.folder, name="train", steps=100_000, resources={"gpus": 1},
                                             end=self.folder / "end", preemption={"grace": "1m"}))
        harness.wait_for(lambda: self.server.get(job)["checkpoints"], "a save")
        pid = self.server.processes_of(job)[0]
        token = pathlib.Path(processes.environment(pid)["YM_TOKEN_FILE"]).read_text().strip()
        progress, notice = ("/api/v1/jobs/{id}/attempts/{n}/" + what for what in ("progress", "notice"))

        def at(pattern, attempt=1):
            return pattern.replace("{id}", job).replace("{n}", str(attempt))

        report = {"step": 1, "total_steps": 9, "metrics": {"loss": 0.5}, "completed": False,
                  "checkpoint": {"uri": "/ck", "step": 1, "durable_at": "2026-01-01T12:00:00Z", "save_seconds": 1.5}}
        schemas = self.document["components"]["schemas"]
        jsonschema.Draft202012Validator({"components": self.document["components"], **schemas["ProgressReport"]}).validate(report)
        self.check("POST", progress, at(progress), report, status=204, token=token)
        self.check("POST", progress, at(progress), {"step": -1}, status=422, token=token)
        self.check("POST", progress, at(progress), b"{", "application/json", status=400, token=token)
        self.check("POST", progress, at(progress), b"{}", "text/plain", status=415, token=token)
        self.check("POST", progress, at(progress), {"metrics": {"x" * 20_000: 1}}, status=413, token=token)
        self.check("POST", progress, at(progress), {}, status=403)
        self.check("GET", notice, at(notice), status=204, token=token)
        self.check("GET", notice, at(notice) + "?wait=1h", status=400, token=token)
        self.check("GET", notice, at(notice, 7), status=404)
        self.check("GET", "/api/v1/jobs", status=403, token=token)
        self.server.ym("cancel", job)
        self.check("GET", notice, at(notice) + "?wait=1m", token=token)
        self.check("GET", "/api/v1/jobs/{id}", f"/api/v1/jobs/{job}")
        (self.folder / "end").touch()
        self.server.wait_end(job)
        self.check("POST", progress, at(progress), {}, status=409, token=token)
        self.check("GET", "/api/v1/jobs/{id}", f"/api/v1/jobs/{job}")
        self.check("GET", "/api/v1/jobs/{id}/events", f"/api/v1/jobs/{job}/events")

    def explained(self, job):
        why = self.check("GET", "/api/v1/jobs/{id}/why", f"/api/v1/jobs/{job}/why")
        return why if why["dominant"]["code"] == "WaitingForCapacity" else None

    def test_refusals_are_as_described(self):
        self.check("POST", "/api/v1/jobs", body=b"{", content_type="application/json", status=400)
        self.check("POST", "/api/v1/jobs", body={"run": ["x"], "priority": 900}, status=422)
        self.check("POST", "/api/v1/jobs", body=b"x", content_type="text/plain", status=415)
        self.check("GET", "/api/v1/jobs", "/api/v1/jobs?cursor=x", status=400)
        self.check("GET", "/api/v1/jobs/{id}", "/api/v1/jobs/nothing", status=404)
        self.check("DELETE", "/api/v1/queues/{id}", "/api/v1/queues/default", status=409)
        self.check("POST", "/api/v1/queues", body=b"queues: [{name: a, quota: {t5: {gpus: 1}}}]", content_type="application/yaml",
                   status=422)

    def test_what_the_document_forbids_the_server_refuses(self):
        schema = {"components": self.document["components"], **self.document["components"]["schemas"]["JobSpec"]}
        for wrong in ({"retry": {"error": 1001}}, {"array": 10_001}, {"nodes": 10_001}, {"resources": {"gpus": 65}},
                      {"resources": {"gpu": 1}}, {"priority": 101}, {"preemption": {"allow": "yes"}}, {"checkpoint": {"dir": ""}}):
            spec = {"run": ["x"]} | wrong
            with self.subTest(spec=spec):
                self.assertFalse(jsonschema.Draft202012Validator(schema).is_valid(spec))
                self.assertEqual(self.server.api("POST", "/jobs", spec)[0], 422)


class FeedAcrossAKill(harness.ServerTest):
    config = harness.FIVE_NODES

    def test_a_subscriber_takes_up_where_it_was(self):
        feed = Feed(self.server, "/api/v1/events?after=0")
        first = self.server.submit({"name": "first", "run": ["sleep", "600"]})
        self.server.wait_state(first, "RUNNING")
        seen = []
        for event in feed:
            seen.append(event)
            if event["event"] == "attempt.started":
                break
        self.server.kill()
        feed.close()
        self.server.start()
        second = self.server.submit({"name": "second", "run": ["true"]})
        self.server.wait_end(second)
        feed = Feed(self.server, "/api/v1/events", after=seen[-1]["id"])
        for event in feed:
            seen.append(event)
            if event["event"] == "job.finished":
                break
        feed.close()
        numbers = [int(event["id"]) for event in seen]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)), "each event once, in order, none left out")
        for event in seen:
            data = json.loads(event["data"])
            self.assertEqual((data["seq"], data["type"]), (int(event["id"]), event["event"]))
        self.assertEqual(json.loads(seen[-1]["data"])["job"], second)


if __name__ == "__main__":
    unittest.main()
