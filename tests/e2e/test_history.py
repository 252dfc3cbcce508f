"""Old events and jobs leave the database for segments, which are still read and proved."""

import gzip
import json
import signal
import subprocess
import unittest

import harness

RETENTION = "retention: {jobs: 3s}\n"


class History(harness.ServerTest):
    config = harness.FIVE_NODES + RETENTION
    arguments = ["--audit-seal-every", "200ms"]

    def folder_of_segments(self):
        return self.server.state / "history"

    def history(self, *words, check=True):
        return self.server.ym("history", *words, "--dir", self.folder_of_segments(), check=check)

    def segments(self):
        if not self.folder_of_segments().is_dir():
            return []
        return json.loads(self.history("list", "-o", "json").stdout)

    def run_jobs(self, count=5):
        jobs = [self.server.submit({"name": f"old-{n}", "run": "echo hi", "resources": {"gpus": 1}}) for n in range(count)]
        for job in jobs:
            self.server.wait_end(job)
        return jobs

    def gone(self, job):
        return self.server.ym("get", job, check=False).returncode == 2

    def wait_until_gone(self, *jobs):
        """Each look needs an event after it, with a seal."""
        def look():
            self.server.ym("token", "create", "--for", "noise")
            return all(map(self.gone, jobs))
        harness.wait_for(look, lambda: f"old jobs to leave: {self.segments()} {self.server.log_text()[-2000:]}", pause=0.3)

    def test_old_jobs_leave_and_are_still_read(self):
        jobs = self.run_jobs()
        live = self.server.submit({"name": "live", "run": "sleep 600", "resources": {"gpus": 1}})
        self.server.wait_state(live, "RUNNING")
        self.wait_until_gone(*jobs)
        self.assertEqual(self.server.get(live)["state"], "RUNNING", "what has not ended stays")
        self.assertIn("sleep 600", json.dumps(self.server.get(live)), "with its specification")
        old = json.loads(self.history("jobs", "-o", "json").stdout)
        self.assertEqual({row["id"] for row in old} & set(jobs), set(jobs))
        [row] = json.loads(self.history("jobs", "old-3", "-o", "json").stdout)
        self.assertEqual((row["id"], row["state"], len(row["attempts"])), (jobs[3], "SUCCEEDED", 1))
        events = json.loads(self.history("events", jobs[0], "-o", "json").stdout)
        self.assertEqual(events[0]["type"], "job.submitted")
        self.assertTrue(all(event["job"] == jobs[0] for event in events))
        self.assertNotIn(jobs[0], self.server.ym("ps", "--all").stdout)
        self.server.ym("cancel", live)
        self.server.wait_state(live, "CANCELLED")
        later = self.run_jobs(1)[0]
        self.assertNotIn(later, jobs, "an id is not given out again")

    def test_members_of_an_array_have_their_specification_once_in_a_segment(self):
        self.server.json("submit", "-", input=json.dumps({"name": "sw", "array": 3, "run": ["echo", "swept"]}))
        members = [job["id"] for job in self.server.json("ps", "--all")]
        self.assertEqual(len(members), 3)
        for job in members:
            self.server.wait_end(job)
        self.wait_until_gone(*members)
        written = {}
        for path in self.folder_of_segments().glob("*.jsonl.gz"):
            lines = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
            if specs := [line["spec"] for line in lines if "attempts" in line]:
                written[path.name] = specs
        self.assertEqual(sum(map(len, written.values())), 3)
        for name, specs in written.items():
            self.assertEqual([spec is None for spec in specs], [False] + [True] * (len(specs) - 1), name)
        read = json.loads(self.history("jobs", "-o", "json").stdout)
        self.assertEqual([row["spec"]["run"]["words"] for row in read], [["echo", "swept"]] * 3)

    def test_the_chain_goes_on_over_the_gap(self):
        jobs = self.run_jobs(3)
        self.wait_until_gone(*jobs)
        segments = self.segments()
        self.assertEqual(self.history("verify").returncode, 0)
        whole = json.loads(self.server.ym("audit", "verify", "-o", "json").stdout)
        self.assertTrue(whole["valid"], whole)
        self.assertGreaterEqual(whole["to"], segments[-1]["to"])
        first, second = self.server.api("GET", "/events?limit=2")[1]["items"]
        self.assertEqual(first["seq"], 1, "it tells this state from others")
        self.assertGreater(second["seq"], segments[0]["to"], "the database begins later")
        self.assertEqual(self.server.api("GET", "/events?after=1")[0], 410)
        for before, after in zip(segments, segments[1:]):
            self.assertEqual(before["to"] + 1, after["from"])
        path = self.folder_of_segments() / segments[0]["name"]
        self.assertEqual(path.stat().st_mode & 0o077, 0)
        lines = subprocess.run(["zcat", path], capture_output=True, check=True).stdout.splitlines()
        self.assertEqual([json.loads(line)["seq"] for line in lines if b'"payload"' in line and b'"seal"' not in line[:8]],
                         list(range(segments[0]["from"], segments[0]["to"] + 1)))
        changed = [line.replace(b'"actor":"root"', b'"actor":"eve"') for line in lines]
        path.unlink()
        subprocess.run(["gzip", "-c"], input=b"\n".join(changed) + b"\n", stdout=path.open("wb"), check=True)
        wrong = self.history("verify", check=False)
        self.assertEqual((wrong.returncode, "event " in wrong.stdout), (1, True), wrong.stdout)
        for cut in (lines[:-1], lines[:len(lines) // 2], lines[1:], lines[:3] + lines[4:], lines[:2] + [lines[3], lines[2]] + lines[4:]):
            path.unlink()
            subprocess.run(["gzip", "-c"], input=b"\n".join(cut) + b"\n", stdout=path.open("wb"), check=True)
            self.assertEqual(self.history("verify", check=False).returncode, 1)

    def test_a_server_that_is_killed_again_and_again_loses_nothing(self):
        jobs = []
        for _ in range(6):
            jobs += self.run_jobs(2)
            self.server.kill()
            self.server.start()
        self.wait_until_gone(*jobs)
        self.assertEqual(self.history("verify").returncode, 0)
        segments = self.segments()
        self.assertEqual(segments[0]["from"], 1)
        for before, after in zip(segments, segments[1:]):
            self.assertEqual(before["to"] + 1, after["from"], "each event is in one segment")
        old = [row["id"] for row in json.loads(self.history("jobs", "-o", "json").stdout)]
        self.assertEqual(sorted(set(jobs) - set(old)), [])
        self.assertTrue(json.loads(self.server.ym("audit", "verify", "-o", "json").stdout)["valid"])
        self.assertEqual(list(self.folder_of_segments().glob("*.new")), [])

    def test_segments_and_expired_tokens_leave_too(self):
        self.server.config.write_text(harness.FIVE_NODES + "retention: {jobs: 1s, audit: 4s}\n")
        self.server.stop()
        self.server.start()
        jobs = self.run_jobs(1)
        self.wait_until_gone(*jobs)
        first = self.segments()[0]["name"]

        def look():
            self.server.ym("token", "create", "--for", "noise")
            return not (self.folder_of_segments() / first).exists()
        harness.wait_for(look, "the first segment to be deleted", pause=0.3)
        self.assertEqual(self.history("verify").returncode, 0, "a gap at the beginning is told, and is no fault")
        self.assertTrue(json.loads(self.server.ym("audit", "verify", "-o", "json").stdout)["valid"])

    def test_a_reload_brings_it_and_takes_it_away(self):
        self.server.config.write_text(harness.FIVE_NODES)
        self.server.stop()
        self.server.start()
        job = self.run_jobs(1)[0]
        self.assertFalse(self.gone(job))
        self.reload(RETENTION)
        self.wait_until_gone(job)
        self.assertEqual(self.metric("yardmaster_history_failures_total"), 0)
        self.reload("")
        self.assertIsNone(self.metric("yardmaster_history_failures_total"), "it has stopped")
        self.assertEqual(self.history("verify").returncode, 0)
        self.reload("retention: {jobs: 1s}\n")
        self.wait_until_gone(*self.run_jobs(1))

    def metric(self, name):
        lines = self.server.request("GET", "/metrics")[2].decode().splitlines()
        return next((float(line.split()[1]) for line in lines if line.startswith(name + " ")), None)

    def reload(self, more):
        before = self.server.log_text().count("the configuration was reloaded")
        self.server.config.write_text(harness.FIVE_NODES + more)
        self.server.process.send_signal(signal.SIGHUP)
        harness.wait_for(lambda: self.server.log_text().count("the configuration was reloaded") > before, "the reload")

    def test_a_folder_that_cannot_be_written_keeps_everything(self):
        self.server.stop()
        blocked = self.folder / "blocked"
        blocked.write_text("a file")
        self.server.arguments = [*self.arguments, "--history", str(blocked / "segments")]
        self.server.start()
        job = self.run_jobs(1)[0]
        harness.wait_for(lambda: "old events stay in the database" in self.server.log_text(), "the error in the log")
        harness.wait_for(lambda: self.metric("yardmaster_history_failures_total") > 1, "another try")
        harness.wait_for(lambda: self.metric("yardmaster_history_overdue_seconds") > 0, "its age")
        self.assertFalse(self.gone(job))


if __name__ == "__main__":
    unittest.main()
