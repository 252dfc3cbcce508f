"""What an operator sees and sets: the log, metrics, what is enforced, the configuration."""

import json
import signal
import subprocess
import unittest

import harness

CAPPED = harness.FIVE_NODES.replace("executor: local", "executor: local\n    log_cap: 64KiB")


class Operations(harness.ServerTest):
    config = CAPPED

    def start_in_vain(self, *arguments):
        """Standard error of a server whose configuration file, with a line break in its name, is missing."""
        command = [str(harness.BIN / "ym"), "serve", "--state", str(self.folder / "other"), "--config",
                   str(self.folder / "no\nsuch\x1b[31m\"file\""), *arguments]
        run = subprocess.run(command, capture_output=True, text=True, timeout=harness.TIMEOUT, env=self.server.environment())
        self.assertEqual(run.returncode, 2)
        return run.stderr

    def test_one_message_is_one_line(self):
        lines = self.start_in_vain().splitlines()
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"^\S+Z error cannot read the configuration file .*no\\nsuch\\u001b\[31m\"file\"$")

    def test_the_log_as_json(self):
        lines = self.start_in_vain("--log-format", "json").splitlines()
        self.assertEqual(len(lines), 1)
        entry = json.loads(lines[0])
        self.assertEqual(sorted(entry), ["level", "message", "time"])
        self.assertEqual(entry["level"], "error")
        self.assertTrue(entry["message"].endswith('no\nsuch\x1b[31m"file"'), entry)

    def test_what_is_enforced_is_said(self):
        node = self.server.api("GET", "/nodes")[1]["items"][0]
        self.assertIn("cpu limit", node["enforcement"])
        self.assertIn("memory limit", node["enforcement"])
        how = node["enforcement"]["cpu limit"]
        self.assertIn(f"cpu limit: {how}", self.server.ym("nodes", "-o", "wide").stdout)
        self.assertIn(f"cluster 'lab' enforces cpu limit: {how}", self.server.log_text())

    def test_the_size_of_the_store_is_a_metric(self):
        lines = self.server.request("GET", "/metrics")[2].decode().splitlines()
        size = [float(line.split()[1]) for line in lines if line.startswith("yardmaster_db_bytes ")]
        self.assertEqual(len(size), 1)
        self.assertGreaterEqual(size[0], (self.server.state / "yardmaster.db").stat().st_size)

    def test_the_cap_of_logs_is_configured(self):
        job = self.server.submit({"name": "chatty", "run": "head -c 300000 /dev/zero | tr '\\0' x; echo"})
        self.server.wait_state(job, "SUCCEEDED")
        log = self.job_log(job)
        self.assertLess(len(log), 80_000)
        self.assertGreater(len(log), 60_000)

    def test_a_new_age_cap_takes_effect(self):
        blocker = self.server.submit({"name": "blocker", "nodes": 5, "resources": {"gpus": 3}, "run": ["sleep", "600"]})
        self.server.wait_state(blocker, "RUNNING")
        head = self.server.submit({"name": "head", "nodes": 5, "resources": {"gpus": 4}, "run": ["true"]})
        harness.wait_for(lambda: self.server.get(head)["reason"] not in (None, "PendingEvaluation"), "a reason")
        passed = self.server.submit({"name": "passed", "resources": {"gpus": 1}, "run": ["true"]})
        self.server.wait_state(passed, "SUCCEEDED")
        self.server.config.write_text(CAPPED + "scheduling: {age_cap: 1s}\n")
        self.server.process.send_signal(signal.SIGHUP)
        harness.wait_for(lambda: "the configuration was reloaded" in self.server.log_text(), "the reload")

        def is_blocked():
            small = self.server.submit({"name": "small", "resources": {"gpus": 1}, "run": ["true"]})
            seen = harness.wait_for(lambda: (lambda job: job if job["state"] != "QUEUED" or job["reason"] != "PendingEvaluation" else None)(
                self.server.get(small)), "a decision")
            return seen["state"] == "QUEUED"
        harness.wait_for(is_blocked, "the head to block what is behind it")


if __name__ == "__main__":
    unittest.main()
