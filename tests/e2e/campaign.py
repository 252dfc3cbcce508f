"""A client under which a server is killed: what it was promised is checked afterwards."""

import http.client
import json
import random
import threading
import time
import urllib.parse

from ledger import JOB, TRAINING


class Client(threading.Thread):
    """Submits and cancels until told to stop; remembers only what was acknowledged. Its short jobs sleep for up to
    `longest_nap` seconds. `jobs_leave`: ended ones leave the database soon, and are unknown then."""

    def __init__(self, server, number, ledger, seed, longest_nap=0.4, jobs_leave=False):
        super().__init__(name=f"client-{number}", daemon=True)
        self.server, self.number, self.ledger = server, number, ledger
        self.random, self.longest_nap = random.Random(seed), longest_nap
        self.too_late = (404, 409) if jobs_leave else (409,)
        self.stopping = threading.Event()
        self.submitted, self.cancelled, self.errors = {}, {}, []
        self.left = []  # keys of submits that were answered only after their jobs had left the database

    def call(self, method, path, body=None, key=None):
        headers = {"Authorization": f"Bearer {self.server.token()}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key:
            headers["Idempotency-Key"] = key
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.server.url).netloc, timeout=20)
        try:
            connection.request(method, path, body=json.dumps(body) if body is not None else None, headers=headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        finally:
            connection.close()

    def call_until_answered(self, *arguments, **options):
        """Retries over the server's death: the key makes a repeated submit the same one."""
        while True:
            try:
                status, body = self.call(*arguments, **options)
                if status != 503:
                    return status, body
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                pass
            if self.stopping.is_set() and self.server.process.poll() is not None:
                return None, None
            time.sleep(0.02)

    def submit(self, count):
        key = f"{self.number}-{count}"
        spec = self.training() if self.random.random() < 0.15 else self.short_job()
        spec |= {"name": f"job-{key}", "queue": self.random.choice("ab"), "preemption": {"grace": "1s"}}
        spec["env"]["LEDGER"] = str(self.ledger)
        status, job = self.call_until_answered("POST", "/api/v1/jobs", spec, key=key)
        if status is None:
            return
        if status != 201:
            self.errors.append(f"submit {key} answered {status}: {job}")
            return
        if "id" in job:
            self.submitted[key] = job["id"]
        else:
            self.left.append(key)

    def short_job(self):
        return {"run": ["sh", "-c", JOB], "nodes": self.random.choice([1, 1, 1, 2]), "priority": self.random.choice([50, 90]),
                "resources": {"gpus": self.random.choice([1, 2, 4])},
                "env": {"NAP": f"{self.random.uniform(0, self.longest_nap):.2f}", "STATE": str(self.server.state),
                        "HARM": self.random.choice([*[""] * 12, "claim", "log", "folder"])}}

    def training(self):
        return {"run": ["sh", "-c", TRAINING], "priority": 10, "resources": {"gpus": self.random.choice([2, 4])},
                "checkpoint": {"dir": str(self.ledger.parent)},
                "env": {"STEPS": str(self.random.randint(2, 6)), "BY": self.random.choice(["output", "marker"]),
                        "DEAF": self.random.choice(["no", "no", "no", "yes"])}}

    def cancel(self):
        job = self.random.choice(list(self.submitted.values()))
        status, body = self.call_until_answered("POST", f"/api/v1/jobs/{job}/cancel")
        if status in (200, 202):
            self.cancelled[job] = (time.time_ns(), body["state"])
        elif status is not None and status not in self.too_late:
            self.errors.append(f"cancel {job} answered {status}: {body}")

    def run(self):
        count = 0
        while not self.stopping.is_set():
            self.submit(count)
            count += 1
            if self.submitted and self.random.random() < 0.3:
                self.cancel()
            time.sleep(self.random.uniform(0, 0.1))
