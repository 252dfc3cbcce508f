"""A site where bindings decide: projects, queues, clusters, a job of each kind, and principals with each role at each place."""

import datetime
import http.client
import json
import urllib.parse

import harness

CONFIG = """
clusters:
  - {name: lab, executor: local, nodes: [{names: n1, gpus: "t4:4", cpus: 16}]}
  - {name: sea, executor: simulated, nodes: [{names: s1, gpus: "a100:4", cpus: 16}]}
flavors:
  - {name: t4, match: {gpu: t4}}
  - {name: a100, match: {gpu: a100}}
auth:
  projects: [{name: boats}]
  bindings:
    - {role: queue-user, to: owner, scope: site}
"""

TREE = """
queues:
  - name: org
    children:
      - {name: vision, children: [{name: train}, {name: spare}]}
      - {name: speech}
"""
SPARE = "queues: [{name: spare, parent: vision}]"

ROLES = ("viewer", "queue-user", "member", "user", "operator", "project-admin", "queue-admin", "auditor", "admin")
# Where a role is bound. The job is in the project, in the queue and on the cluster.
PLACES = {"site": ("site",), "project": ("project:cars",), "queue": ("queue:vision",), "cluster": ("cluster:lab",),
          "elsewhere": ("project:boats", "queue:speech", "cluster:sea")}
CANARY = "canary-of-cars"


class Answer:
    """`code`: the problem's code, or an empty text."""

    def __init__(self, status, body):
        self.status, self.body = status, body

    def json(self):
        return json.loads(self.body)


class World:
    """Requests as any of its principals. Everything is made by the administrator."""

    def __init__(self, server):
        address = urllib.parse.urlsplit(server.url)
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
        self.tokens = {"root": server.token()}
        self.must("POST", "/api/v1/queues", TREE)
        self.add("owner")
        self.must("POST", "/api/v1/projects", {"name": "cars"})
        self.bind("member", "owner", "project:cars")
        job = {"name": CANARY, "project": "cars", "queue": "train", "env": {"KEY": CANARY}}
        self.job = self.submit(job | {"run": f"echo {CANARY}; exec sleep 360000", "resources": {"gpus": 1}})
        self.ended = self.submit(job | {"run": ["true"]})
        server.wait_state(self.job, "RUNNING")
        server.wait_end(self.ended)
        harness.wait_for(lambda: CANARY in self.must("GET", f"/api/v1/jobs/{self.job}/logs").body, "its log")
        self.must("POST", "/api/v1/reservations", self.reservation("kept", users=["owner"]))
        self.newest = self.must("GET", "/api/v1/jobs").json()["as_of"]

    # --- requests
    def send(self, token, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.tokens[token]}"} if token else {}
        if body is not None:
            headers["Content-Type"] = "application/json" if isinstance(body, dict) else "application/yaml"
            body = json.dumps(body) if isinstance(body, dict) else body
        self.connection.request(method, path, body=body, headers=headers)
        response = self.connection.getresponse()
        return Answer(response.status, response.read().decode())

    def must(self, method, path, body=None, but=()):
        answer = self.send("root", method, path, body)
        assert answer.status < 300 or answer.status in but, f"{method} {path}: {answer.status} {answer.body}"
        return answer

    def submit(self, job):
        answer = self.send("owner", "POST", "/api/v1/jobs", job)
        assert answer.status == 201, answer.body
        return answer.json()["id"]

    @staticmethod
    def reservation(name, **of):
        begin = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=365)
        times = {"from": begin.isoformat(), "until": (begin + datetime.timedelta(days=1)).isoformat()}
        return {"name": name, "nodes": ["s1"], "ignore_jobs": True} | times | of

    # --- principals
    def add(self, name, token=None, scopes=None):
        body = {"principal": name} | ({"scopes": scopes} if scopes else {})
        self.tokens[token or name] = self.must("POST", "/api/v1/tokens", body).json()["token"]

    def bind(self, role, to, scope):
        return self.must("POST", "/api/v1/bindings", {"role": role, "to": to, "scope": scope}).json()["id"]

    def add_with_role(self, role, place):
        """A principal with that role there, and its tokens."""
        name = f"{role}.{place}"
        self.add(name)
        for scope in PLACES[place]:
            self.bind(role, name, scope)
        self.add(name, f"{name}/viewer", ["viewer"])
        return name
