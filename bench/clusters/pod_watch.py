"""Follows the pods of a namespace as a bystander: which are there, and when each was bound.

Asks for tables, which are small: the one who looks should take little of what is measured."""

import contextlib
import http.client
import json
import ssl
import threading
import time
import urllib.parse

TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1"
NAME, NODE = 0, 6  # columns of the table of pods


class PodWatch:
    def __init__(self, environment, space):
        self.environment, self.path = environment, f"/api/v1/namespaces/{space}/pods"
        self.present, self.bound, self.resumed = set(), {}, 0
        self.lock, self.over = threading.Lock(), threading.Event()
        self.connection = None
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.version = self.list()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        with contextlib.suppress(AttributeError, OSError):
            self.connection.sock.shutdown(2)
        self.thread.join(30)

    def count(self):
        with self.lock:
            return len(self.bound)

    def open(self, query):
        context = ssl.create_default_context(cafile=self.environment["KUBE_CA_FILE"])
        address = urllib.parse.urlsplit(self.environment["KUBE_API_URL"])
        self.connection = http.client.HTTPSConnection(address.hostname, address.port, context=context, timeout=120)
        self.connection.request("GET", f"{self.path}?{query}", headers={
            "Accept": TABLE, "Authorization": f"Bearer {self.environment['KUBE_TOKEN']}"})
        answer = self.connection.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"the pods were answered with {answer.status}: {answer.read()[:300]!r}")
        return answer

    def list(self):
        table = json.load(self.open("resourceVersion=0"))
        with self.lock:
            self.present = {row["cells"][NAME] for row in table.get("rows") or []}
        for row in table.get("rows") or []:
            self.take("ADDED", row["cells"])
        return table["metadata"]["resourceVersion"]

    def run(self):
        while not self.over.is_set():
            try:
                for line in self.open(f"watch=1&resourceVersion={self.version}"):
                    event = json.loads(line)
                    if event["type"] == "ERROR":
                        break
                    for row in event["object"]["rows"]:
                        self.take(event["type"], row["cells"])
                if not self.over.is_set():
                    self.resumed += 1
                    self.version = self.list()
            except (OSError, http.client.HTTPException, ValueError):
                self.over.wait(0.2)

    def take(self, kind, cells):
        now = time.monotonic()
        with self.lock:
            if kind == "DELETED":
                self.present.discard(cells[NAME])
                return
            self.present.add(cells[NAME])
            if cells[NODE] not in ("", "<none>"):
                self.bound.setdefault(cells[NAME], now)

    def last_bound(self):
        with self.lock:
            return max(self.bound.values())

    def gangs(self):
        """By gang, when each of its pods was bound, and how many of its pods are there. A pod's name ends with its task."""
        with self.lock:
            found = {}
            for name in self.present | set(self.bound):
                times, there = found.setdefault(name.rsplit("-", 1)[0], ([], []))
                if name in self.bound:
                    times.append(self.bound[name])
                if name in self.present:
                    there.append(name)
            return found
