"""A copy of a state, served beside the original or in its place: looked at, gone on with only when that is said."""

import json
import pathlib
import shutil
import subprocess
import unittest

import harness
import processes
import standbys

ONE_MORE = "{name: one-more, run: [true]}"


class Copies(harness.ServerTest):
    config = harness.FIVE_NODES

    def setUp(self):
        super().setUp()
        self.starts = self.folder / "starts"
        self.running = self.server.submit({"name": "runs", "run": f"echo runs >> {self.starts}; sleep 600"})
        self.server.wait_state(self.running, "RUNNING")
        every_gpu = {"nodes": 5, "resources": {"gpus": 4}, "run": f"echo one >> {self.starts}; sleep 600"}
        self.big = self.server.submit({"name": "big", **every_gpu})
        self.server.wait_state(self.big, "RUNNING")
        self.queued, self.held = [self.server.submit({"name": name, **every_gpu}) for name in ("queued", "held")]
        self.server.ym("hold", self.held)
        self.server.wait_state(self.held, "HELD")
        harness.wait_for(lambda: self.starts.exists() and len(self.starts.read_text().split()) == 6, "both to run")

    def copy(self, name="copy"):
        """The copy's server, with the state of ours as it is now."""
        other = harness.Server(self.folder / name, harness.FIVE_NODES)
        self.addCleanup(other.close)
        subprocess.run(["cp", "-a", self.server.state, other.state], check=True)
        return other

    def only_looks(self, other):
        """It answers reads as the original would, and starts and changes nothing."""
        said = (f"this is a copy of the state of {self.server.state}, and this server only shows it: it changes and starts "
                f"nothing, and shows no logs. To go on with the copy, first make sure that no server runs on the original; then "
                f"start `ym serve --state {other.state} --take-over`")
        jobs = {job["id"]: job["state"] for job in other.json("ps", "-A")}
        self.assertEqual(jobs, {self.running: "RUNNING", self.big: "RUNNING", self.queued: "QUEUED", self.held: "HELD"})
        status, _, body = other.request("GET", "/readyz", authenticated=False)
        self.assertEqual((status, json.loads(body)["detail"]), (503, said))
        for words in (("submit", "-"), ("cancel", self.queued), ("release", self.held), ("logs", self.running)):
            refused = other.ym(*words, input=ONE_MORE, check=False)
            self.assertNotEqual(refused.returncode, 0, words)
            self.assertIn(said, refused.stderr, words)
        self.assertEqual(len(self.starts.read_text().split()), 6, "something was started")
        warnings = [line.split(" warning ", 1)[1] for line in other.log_text().splitlines() if " warning " in line]
        self.assertEqual(warnings.count(said), 1, warnings)
        self.assertFalse(set(processes.running("ym-supervisor")) & set(processes.belonging_to(str(other.state))))

    def files_of(self, folder):
        skipped = ("lock", "server.json", "yardmaster.db-shm", "yardmaster.db-wal")
        return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in pathlib.Path(folder).rglob("*")
                if path.name not in skipped and path.is_file() and not path.is_relative_to(folder / "attempts")}

    def test_a_copy_of_a_served_state_is_looked_at(self):
        other = self.copy()
        before = self.files_of(other.state)
        other.start()
        self.only_looks(other)
        self.assertEqual(self.files_of(other.state), before)
        self.assertEqual(self.server.get(self.queued)["state"], "QUEUED")
        third = harness.Server(self.folder / "copy", harness.FIVE_NODES)
        third.log = self.folder / "third.log"
        self.refuses_to_start(f"another server is running on {other.state} (process {other.process.pid}). Stop it first, or use "
                              "another state directory", server=third)
        self.assertEqual(other.stop(), 0)
        self.assertFalse((other.state / "server.json").exists())

    def test_a_copy_of_a_stopped_state_is_looked_at(self):
        self.server.stop()
        other = self.copy().start()
        self.only_looks(other)
        self.server.start()
        self.server.wait_state(self.running, "RUNNING")

    def test_a_copy_is_taken_over_once_the_original_is_gone(self):
        other = self.copy()
        other.arguments = ["--take-over"]
        refused = (f"{other.state} is a copy of the state of {self.server.state}, which is still there%s. Nothing was changed. Serve "
                   f"that one; or, when its server is stopped and no job of it runs, move it away (`mv {self.server.state} "
                   f"{self.server.state}.old`) and start again: this copy does not know of jobs that run below it, so they "
                   "would run twice")
        self.refuses_to_start(refused % f", and is served (pid {self.server.process.pid})", server=other)
        self.server.stop()
        self.refuses_to_start(refused % "", server=other)
        self.server.state.rename(self.folder / "old")
        other.start()
        self.assertEqual(other.request("GET", "/readyz", authenticated=False)[0], 200)
        other.ym("cancel", self.held)
        other.wait_state(self.held, "CANCELLED")
        # What the original began lives on, and is not begun again while it does.
        other.wait_state(self.running, "UNREACHABLE")
        other.wait_state(self.big, "UNREACHABLE")
        self.assertEqual(len(self.starts.read_text().split()), 6, "something was started again")
        other.stop()
        other.arguments = []
        other.start()
        self.assertEqual(other.wait_state(self.held, "CANCELLED")["state"], "CANCELLED")
        self.assertEqual(other.request("GET", "/readyz", authenticated=False)[0], 200)

    def test_a_backup_in_a_new_directory_is_looked_at(self):
        self.server.stop()
        other = harness.Server(self.folder / "copy", harness.FIVE_NODES)
        self.addCleanup(other.close)
        other.state.mkdir(mode=0o700)
        shutil.copy(self.server.state / "yardmaster.db", other.state)
        other.start()
        token = {"YM_TOKEN_FILE": str(self.server.state / "admin.token")}
        self.assertIn("queued", other.ym("ps", "-A", **token).stdout)
        refused = other.ym("submit", "-", input=ONE_MORE, check=False, **token)
        self.assertIn("this is a copy of a state from another place", refused.stderr)
        self.assertEqual(sorted(path.name for path in other.state.iterdir() if "yardmaster.db-" not in path.name),
                         ["lock", "server.json", "yardmaster.db"])

    def test_a_directory_that_was_renamed_is_the_same(self):
        self.server.stop()
        moved = harness.Server(self.folder / "moved", harness.FIVE_NODES)
        self.addCleanup(moved.close)
        self.server.state.rename(moved.state)
        moved.start()
        self.assertEqual(moved.request("GET", "/readyz", authenticated=False)[0], 200)

    def test_a_copy_is_not_migrated(self):
        other = self.copy()
        refused = other.ym("migrate", "--state", other.state, "--to", "postgresql://nobody@127.0.0.1:1/none", check=False)
        self.assertIn(f"{other.state} is a copy of the state of {self.server.state}, which would go on beside it. Nothing was "
                      "moved", refused.stderr)


class CopiesOfDatabases(standbys.OnPostgres):
    def test_a_dump_in_another_database_is_looked_at_until_it_is_taken_over(self):
        original = self.leader()
        job = original.submit({"name": "waits", "run": ["true"], "resources": {"gpus": "t4:1"}, "nodes": 9})
        dump = self.folder / "dump.sql"
        where = ["-h", str(self.database.socket), "-U", "ym"]
        self.database.run(self.database.bin / "pg_dump", *where, "-n", self.schema, "-f", dump, "yardmaster")
        self.database.sql("CREATE DATABASE other OWNER plain", database="postgres")
        self.database.run(self.database.bin / "psql", *where, "-q", "-v", "ON_ERROR_STOP=1", "-d", "other", "-f", dump)
        other = self.member("other")
        other.arguments = ["--store", self.database.url("other"), "--store-schema", self.schema]
        other.start()
        status, said = other.readiness()
        self.assertEqual(status, 503)
        self.assertRegex(said, "this is a copy of the state of PostgreSQL .*, and this server only shows it")
        self.assertEqual([seen["id"] for seen in other.json("ps", "-A")], [job])
        refused = other.ym("submit", "-", input=ONE_MORE, check=False)
        self.assertIn(said, refused.stderr)
        self.assertEqual(other.stop(), 0)
        original.stop()
        other.arguments.append("--take-over")
        other.start().wait_to_lead()
        other.ym("cancel", job)
        other.stop()
        other.arguments.remove("--take-over")
        other.start().wait_to_lead()


if __name__ == "__main__":
    unittest.main()
