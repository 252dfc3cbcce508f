"""What user code says of itself and is told: on the real server, by each of the three ways."""

import concurrent.futures
import json
import pathlib
import re
import unittest

import descent
import harness
import processes


PROGRESS = "/api/v1/jobs/{id}/attempts/{n}/progress"


class Progress(harness.ServerTest):
    config = harness.FIVE_NODES

    def metric(self, name, **labels):
        text = self.server.request("GET", "/metrics")[2].decode()
        self.assertNotRegex(text, r"(?i)\bnan\b")
        for found, value in re.findall(rf"^{name}{{(.*)}} (\S+)$", text, re.M):
            if dict(re.findall(r'(\w+)="(.*?)"', found)) == labels:
                return float(value)
        raise AssertionError(f"no {name} with {labels} in:\n{text}")

    def start(self, **options):
        job = self.server.submit(descent.job(self.folder, name="train", resources={"gpus": 2}, **options))
        # RUNNING comes before Python has set its handlers; a step comes after.
        harness.wait_for(lambda: self.server.get(job)["attempts"] and re.search(r"^1 ", self.read_log(job), re.M), "a step")
        return job

    def read_log(self, job):
        return self.server.ym("logs", job, check=False).stdout

    def reported(self, job, condition, what):
        def look():
            seen = self.server.get(job)
            return seen if condition(seen) else None
        return harness.wait_for(look, what)

    def test_ym_train_reports_checkpoints_and_is_told_to_stop(self):
        job = self.start(steps=100_000, preemption={"grace": "1m"})
        seen = self.reported(job, lambda j: j["checkpoints"] and j["attempts"][0]["progress"], "a report and a save")
        progress = seen["attempts"][0]["progress"]
        self.assertEqual((progress["total_steps"], progress["completed"]), (100_000, False))
        self.assertEqual(repr(progress["metrics"]["loss"]), descent.losses(progress["step"])[-1])
        newest = seen["checkpoints"][0]
        self.assertEqual(json.loads(pathlib.Path(newest["uri"]).read_text())["step"], newest["step"])
        self.assertEqual((newest["attempt"], seen["attempts"][0]["checkpoint_step"]), (1, newest["step"]))
        self.assertGreaterEqual(seen["work_at_risk_gpu_seconds"], 0)
        self.assertGreater(self.metric("yardmaster_http_requests_total", code="204", method="POST", route=PROGRESS), 0)
        self.assertGreaterEqual(self.metric("yardmaster_work_at_risk_gpu_seconds", queue="default"), 0)
        wide = self.server.ym("ps", "-o", "wide").stdout
        self.assertRegex(wide, r"\d+/100000 +\d+s +\d+ GPU-s\n")
        self.assertRegex(self.server.ym("get", job).stdout, r"progress    \d+/100000 \(0%\), loss [\d.e+-]+, \d+s ago\n")

        self.server.ym("cancel", job)
        ended = self.server.wait_end(job)
        self.assertEqual((ended["state"], ended["work_at_risk_gpu_seconds"]), ("CANCELLED", None))
        attempt = ended["attempts"][0]
        self.assertEqual((attempt["stop_cause"], attempt["ended_by"], attempt["yields_to"]), ("cancel", "cancelled", None))
        begin, steps, end = descent.read_log(self.job_log(job))
        self.assertEqual((begin, end["signals"], end["notice"]), (0, ["SIGTERM"], "cancel"))
        self.assertEqual(ended["checkpoints"][0]["step"], steps[-1][0], "saved once more before it ended")
        self.assertEqual(attempt["checkpoint_step"], steps[-1][0])

    def test_the_notice_comes_to_a_waiting_call_and_the_token_is_good_for_nothing_else(self):
        job = self.start(steps=100_000, end=self.folder / "end", preemption={"grace": "1m"})
        pid = harness.wait_for(lambda: self.server.processes_of(job), "its process")[0]
        given = processes.environment(pid)
        token = pathlib.Path(given["YM_TOKEN_FILE"]).read_text().strip()
        self.assertEqual(given["YM_PROGRESS_URL"], f"{self.server.url}/api/v1/jobs/{job}/attempts/1/progress")
        own = [("Authorization", f"Bearer {token}")]

        def ask(method, path, body=None):
            return self.server.request(method, path, body, own, authenticated=False)

        notice = given["YM_NOTICE_URL"].removeprefix(self.server.url)
        self.assertEqual(ask("GET", notice + "?wait=10ms")[0], 204)
        for method, path in (("GET", "/api/v1/jobs"), ("GET", f"/api/v1/jobs/{job}"), ("POST", f"/api/v1/jobs/{job}/cancel"),
                             ("GET", "/metrics"), ("GET", notice.replace("attempts/1", "attempts/2"))):
            status, _, body = ask(method, path)
            self.assertEqual((status, json.loads(body)["code"]), (403, "forbidden"), path)
        wrong = ask("POST", notice.replace("notice", "progress"), {"step": -1})
        self.assertEqual((wrong[0], json.loads(wrong[2])["errors"][0]["pointer"]), (422, "/step"))

        with concurrent.futures.ThreadPoolExecutor() as pool:
            waiting = pool.submit(ask, "GET", notice + "?wait=1m")
            self.server.ym("cancel", job)
            status, _, body = waiting.result(harness.TIMEOUT)
        told = json.loads(body)
        self.assertEqual((status, told["reason"], told["grace_seconds"]), (200, "cancel", 60))
        stopping = self.server.get(job)
        self.assertEqual((stopping["state"], stopping["attempts"][0]["stop_by"]), ("STOPPING", told["deadline"]))
        by_file = harness.wait_for(lambda: self.read_json(given["YM_NOTICE_FILE"]), "the notice file")
        self.assertEqual((by_file["reason"], by_file["grace_seconds"]), ("cancel", 60))
        self.assertIn("killed at", self.server.ym("get", job).stdout)
        (self.folder / "end").touch()
        self.assertEqual(self.server.wait_end(job)["state"], "CANCELLED")
        self.assertEqual(ask("POST", notice.replace("notice", "progress"), {"step": 1})[0], 409)

    def read_json(self, path):
        return json.loads(pathlib.Path(path).read_text()) if pathlib.Path(path).exists() else None

    def test_a_line_of_output_is_a_report(self):
        save = self.folder / "save"
        save.touch()
        said = json.dumps({"step": 7, "checkpoint": {"uri": str(save), "step": 7}})
        job = self.server.submit({"name": "says", "run": f"echo before; echo 'YM_PROGRESS {said}'; exec sleep 600"})
        seen = self.reported(job, lambda j: j["checkpoints"], "a save")
        self.assertEqual((seen["checkpoints"][0]["uri"], seen["attempts"][0]["progress"]["step"]), (str(save), 7))

    def test_a_marker_file_is_read_also_while_no_server_lives(self):
        save = self.folder / "save"
        save.touch()
        said = json.dumps({"step": 9, "checkpoint": {"uri": str(save), "step": 9}})
        go, told = self.folder / "go", self.folder / "told"
        job = self.server.submit({"name": "marks", "run": f"""
            while [ ! -e {go} ]; do sleep 0.05; done
            echo '{said}' > $YM_PROGRESS_FILE.new && mv $YM_PROGRESS_FILE.new $YM_PROGRESS_FILE && touch {told}
            exec sleep 600"""})
        self.server.wait_state(job, "RUNNING")
        self.server.kill()
        go.touch()
        harness.wait_for(told.exists, "the marker")
        self.server.start()
        seen = self.reported(job, lambda j: j["checkpoints"], "a save")
        self.assertEqual((seen["checkpoints"][0]["step"], seen["attempts"][0]["progress"]["step"]), (9, 9))

    def test_what_was_reported_survives_the_server(self):
        job = self.start(steps=100_000)
        before = self.reported(job, lambda j: j["checkpoints"], "a save")["checkpoints"][0]
        self.server.kill()
        self.server.start()
        seen = self.reported(job, lambda j: j["checkpoints"], "the save")
        steps = [checkpoint["step"] for checkpoint in seen["checkpoints"]]
        self.assertEqual(steps, sorted(steps, reverse=True))
        self.assertGreaterEqual(harness.moment(seen["checkpoints"][0]["durable_at"]), harness.moment(before["durable_at"]))
        self.reported(job, lambda j: j["checkpoints"][0]["step"] > before["step"], "a later save")
        self.assertTrue(all(processes.alive(pid) for pid in self.server.processes_of(job)))


if __name__ == "__main__":
    unittest.main()
