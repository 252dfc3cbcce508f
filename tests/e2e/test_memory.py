"""The server's memory stays bounded, whatever several clients ask of it at once."""

import json
import re
import threading
import unittest

import harness

LIMIT_KIB = 300 * 1024
FAT = {"run": ["true"], "priority": 0, "nodes": 5, "resources": {"gpus": 4}}


class Memory(harness.ServerTest):
    config = harness.FIVE_NODES

    def setUp(self):
        super().setUp()
        # Fat jobs shall wait, so that what is live is held.
        blocker = self.server.submit({"name": "blocker", "nodes": 5, "resources": {"gpus": 4}, "run": ["sleep", "3600"], "priority": 100})
        self.server.wait_state(blocker, "RUNNING")
        self.troubles = []

    def peak_kib(self):
        status = open(f"/proc/{self.server.process.pid}/status", encoding="utf-8")
        with status:
            return int(re.search(r"VmHWM:\s+(\d+) kB", status.read()).group(1))

    def together(self, *works):
        """Each work in a thread of its own; what it raises fails the test."""
        def guarded(work):
            try:
                work()
            except Exception as trouble:  # noqa: whatever it is, it is shown
                self.troubles.append(trouble)
        threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.troubles, [])

    def post(self, body, content_type="application/json"):
        status, _, data = self.server.request("POST", "/api/v1/jobs", body, headers={"Content-Type": content_type})
        self.assertIn(status, (201, 400, 413, 422, 429, 503), data[:500])
        return status, data

    def submit_fat(self, client, count, size):
        for number in range(count):
            spec = FAT | {"name": f"fat-{client}-{number}", "env": {"BULK": "b" * size}}
            status, data = self.post(json.dumps(spec))
            if status == 429 and b"MiB" in data:
                return

    def submit_hostile(self):
        document = json.dumps(FAT | {"name": "hostile", "array": 10000})
        self.post("\n---\n".join([document] * 30), "application/yaml")
        self.post(json.dumps(FAT | {"name": "wide", "array": 10000, "env": {"BULK": "b" * 900_000}}))

    def read_all(self, path):
        """Every page of a list; how many items there were, none of them twice."""
        seen, cursor = 0, None
        while True:
            status, _, data = self.server.request("GET", f"/api/v1{path}limit=1000" + (f"&cursor={cursor}" if cursor else ""))
            if status == 429:
                continue
            self.assertEqual(status, 200, data[:500])
            page = json.loads(data)
            seen += len(page["items"])
            cursor = page["next"]
            if not cursor:
                return seen

    def test_large_specs_and_long_lists_from_many_clients(self):
        self.together(self.submit_hostile, *[lambda c=client: self.submit_fat(c, 300, 60_000) for client in range(3)])
        after_submits = self.peak_kib()
        self.together(*[lambda: self.read_all("/events?") for _ in range(3)], *[lambda: self.read_all("/jobs?") for _ in range(2)],
                      *[lambda c=client: self.submit_fat(10 + c, 40, 900_000) for client in range(2)])
        newest = self.server.api("GET", "/events?limit=1")[1]["as_of"]
        self.assertEqual(self.read_all("/events?"), self.server.api("GET", "/events?limit=1")[1]["as_of"])
        self.assertGreater(newest, 300)
        peak = self.peak_kib()
        print(f"peak memory: {after_submits // 1024} MiB after the submits, {peak // 1024} MiB after the pages")
        self.assertLess(peak, LIMIT_KIB)


if __name__ == "__main__":
    unittest.main()
