"""A full disk: nothing is acknowledged that is not stored, and all goes on when there is space."""

import subprocess
import unittest

import harness


class DiskFull(harness.ServerTest):
    config = harness.FIVE_NODES
    started = False

    def setUp(self):
        super().setUp()
        self.server.state.mkdir(parents=True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", str(self.server.state)], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("no tmpfs can be mounted here: " + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", "-l", str(self.server.state)], capture_output=True)
        self.server.start()
        self.accepted = 0

    def post(self, body, key=None):
        status, answer = self.server.api("POST", "/jobs", body, headers={"Idempotency-Key": key} if key else {})
        self.accepted += status == 201
        return status, answer

    def fill(self):
        """Until not even a small write goes through; once more, what has become free since."""
        filler = self.server.state / "filler"
        with filler.open("ab", buffering=0) as file:
            for size in (65536, 512):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    pass
        return filler

    def until_refused(self):
        """Submits large jobs until one is refused; its key and its answer."""
        body = {"name": "big", "run": ["true"], "env": {"BULK": "b" * 60000}, "priority": 0}
        for number in range(200):
            status, answer = self.post(body, key=f"big-{number}")
            if status == 503:
                return f"big-{number}", body, answer
            self.assertEqual(status, 201, answer)
        self.fail("a full disk is never acknowledged")

    def all_jobs(self):
        page = self.server.api("GET", "/jobs?limit=1000")[1]
        self.assertIsNone(page["next"])
        return page["items"]

    def test_a_full_disk_refuses_and_heals(self):
        flag = self.folder / "go"
        wait = f"while ! test -e {flag}; do sleep 0.05; done"
        ends = self.post({"name": "ends", "run": wait})[1]["id"]
        # Fails while the disk is full, and has to be tried again.
        retries = self.post({"name": "retries", "run": wait + "; test $YM_ATTEMPT = 2",
                             "retry": {"error": {"max": 3}, "backoff": "100ms"}})[1]["id"]
        for job in (ends, retries):
            self.server.wait_state(job, "RUNNING")
        filler = self.fill()
        key, body, answer = self.until_refused()
        self.assertEqual(answer["code"], "unavailable")
        flag.touch()
        harness.wait_for(lambda: not self.server.processes_of(ends) and not self.server.processes_of(retries), "their ends")
        self.fill()  # supervisors keep room for their exit records, and have given it back
        for _ in range(60):
            self.assertEqual(self.post(body)[0], 503)
        troubles = [line for line in self.server.log_text().splitlines() if "cannot be stored" in line]
        self.assertTrue(0 < len(troubles) < 10, f"the log says it, and is not flooded: {troubles}")
        filler.unlink()
        after = harness.wait_for(lambda: self.post({"name": "after", "run": ["true"]})[1].get("id"), "an accepted submit")
        for job in (ends, retries, after):
            self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual([a["exit_code"] for a in self.server.get(retries)["attempts"]], [1, 0])
        first = self.post(body, key=key)
        self.assertEqual(first[0], 201)
        again = self.server.api("POST", "/jobs", body, headers={"Idempotency-Key": key})
        self.assertEqual(again[1]["id"], first[1]["id"], "the same request again makes no other job")
        self.assertEqual(len(self.all_jobs()), self.accepted, "as many jobs as answers of 201")


if __name__ == "__main__":
    unittest.main()
