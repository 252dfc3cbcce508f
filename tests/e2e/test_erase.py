"""A person's data leaves the state, and the log is proved as before."""

import contextlib
import gzip
import json
import resource
import shutil
import signal
import sqlite3
import subprocess
import unittest

import harness
import row_sums

NAME = "kanarie"
# All that the person left, but for the logs of its jobs.
CANARIES = (NAME, "secretvalue", "secretcommand", "secretnote", "secretagent", "secretlabel")


class ErasedState(harness.ServerTest):
    config = harness.FIVE_NODES
    arguments = ["--audit-seal-every", "200ms"]

    def setUp(self):
        super().setUp()
        self.server.kill()
        self.heads = self.folder / "heads"
        self.server.arguments += ["--audit-heads", str(self.heads)]
        self.server.start()
        self.tokens = {name: self.server.ym("token", "create", "--for", name, "--note", f"secretnote of {name}").stdout.strip()
                       for name in (NAME, "bob")}

    def as_user(self, name):
        return {"YM_TOKEN": self.tokens[name], "YM_TOKEN_FILE": ""}

    def submit(self, user, word, **more):
        spec = {"name": f"{word}-job", "run": ["echo", f"{word}command"], "env": {"KEY": f"{word}value"}, **more}
        return self.server.submit(spec, **self.as_user(user))

    def leave_traces(self):
        """Jobs of both users that have ended, records of requests, and seals of all that."""
        mine, other = self.submit(NAME, "secret"), self.submit("bob", "bobs")
        waits = self.submit(NAME, "secret", placement={"select": {"pool": "secretlabel"}})
        self.server.ym("cancel", waits, **self.as_user(NAME))
        for job in (mine, other, waits):
            self.server.wait_end(job)
        connection = self.server.connection()
        self.addCleanup(connection.close)
        connection.request("POST", "/api/v1/jobs", json.dumps({"name": "short", "run": ["true"]}),
                           {"Authorization": f"Bearer {self.tokens[NAME]}", "User-Agent": "secretagent",
                            "Content-Type": "application/json"})
        self.assertEqual(connection.getresponse().status, 201)
        harness.wait_for(lambda: not [job for job in self.server.json("ps", "--all") if job["state"] not in harness.TERMINAL],
                         "all jobs to end")
        self.wait_until_sealed()
        return mine, other, waits

    def wait_until_sealed(self):
        last = max(event["seq"] for event in self.server.json("events") if event["type"] != "log.sealed")
        harness.wait_for(lambda: self.verify()["to"] >= last, "all to be sealed")
        harness.wait_for(lambda: self.heads.exists() and self.heads.read_text().endswith("\n\n"), "a head")

    def verify(self, *words, code=0):
        run = self.server.ym("audit", "verify", *words, "-o", "json", check=False)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return json.loads(run.stdout)

    def erase(self, *words, name=NAME, check=True):
        return self.server.ym("identity", "erase", name, "--state", self.server.state, "-o", "json", *words, check=check)

    def found_in(self, *texts):
        """Which of the texts stand in the database or in a segment."""
        found = set()
        files = list(self.server.state.glob("yardmaster.db*")) + list((self.server.state / "history").glob("*.gz"))
        for path in files:
            content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            found |= {text for text in texts if text.encode() in content}
        return found

    def change(self, table, sql, *values):
        self.server.stop()
        with contextlib.closing(sqlite3.connect(self.server.state / "yardmaster.db")) as database, database:
            database.execute(sql, values)
            row_sums.set_sums(database, table)
        self.server.start()


class Erase(ErasedState):
    def test_nothing_of_it_is_left_and_the_chain_holds(self):
        mine, other, waits = self.leave_traces()
        bobs = self.server.get(other)
        self.server.stop()
        kept = self.folder / "kept"
        shutil.copy(self.heads, kept)
        self.assertEqual(self.found_in(*CANARIES), set(CANARIES))
        erased = json.loads(self.erase("--reason", "asked for").stdout)
        self.assertEqual((erased["jobs"], erased["tokens"]), (3, 1))
        self.assertGreater(erased["seals"], 0)
        pseudonym = erased["pseudonym"]
        self.assertRegex(pseudonym, "^erased-[0-9a-z]{8}$")
        self.assertEqual(self.found_in(*CANARIES), {"secretnote"}, "that of bob's token")
        self.server.start()
        seen = self.verify("--against", kept)
        self.assertTrue(seen["valid"])
        self.assertGreater(seen["compared"], 0)
        self.assertEqual(seen["erased"], erased["seals"])
        self.assertEqual(self.server.get(other), bobs)
        for job in (mine, waits):
            self.assertEqual((self.server.get(job)["user"], self.server.get(job)["name"]), (pseudonym, "erased"))
        self.assertEqual(self.server.ym("ps", check=False, **self.as_user(NAME)).returncode, 4, "its token is gone")
        self.server.ym("ps", **self.as_user("bob"))
        later = self.submit("bob", "bobs")
        self.assertEqual(self.server.wait_end(later)["state"], "SUCCEEDED")
        self.wait_until_sealed()
        self.assertTrue(self.verify("--against", kept)["valid"], "with the erasure sealed, too")
        self.assertEqual([event["data"]["erasure"]["name"] for event in self.server.json("events")
                          if event["type"] == "erasure.set"], [pseudonym])

    def test_any_other_change_is_found(self):
        mine, _, _ = self.leave_traces()
        self.server.stop()
        self.erase()
        self.server.start()
        seq = next(event["seq"] for event in self.server.json("events", mine) if event["type"] == "job.submitted")
        self.change("events", "UPDATE events SET time = time + 1 WHERE seq = ?", seq)
        self.assertEqual(self.verify(code=1)["fault"], f"event {seq}: the event is not as it was sealed")
        self.change("events", "UPDATE events SET time = time - 1 WHERE seq = ?", seq)
        self.assertTrue(self.verify()["valid"])
        self.server.stop()
        with contextlib.closing(sqlite3.connect(self.server.state / "yardmaster.db")) as database, database:
            database.execute("DELETE FROM erasures")
        self.server.start()
        self.assertFalse(self.verify(code=1)["valid"], "an erasure that is gone explains nothing")

    def test_what_it_refuses(self):
        running = self.server.submit({"name": "live", "run": "sleep 600"}, **self.as_user(NAME))
        self.server.wait_state(running, "RUNNING")
        self.assertNotEqual(self.erase(check=False).returncode, 0, "a server runs")
        self.server.stop()
        refused = self.erase(check=False)
        self.assertEqual((refused.returncode, running in refused.stderr), (2, True), refused.stderr)
        self.assertEqual(self.erase(name="nobody-here", check=False).returncode, 2)
        self.server.start()
        self.assertEqual(self.server.get(running)["state"], "RUNNING")
        self.assertEqual(self.server.get(running)["user"], NAME)

    def test_jobs_of_others_run_on(self):
        self.leave_traces()
        running = self.server.submit({"name": "live", "run": "sleep 600"}, **self.as_user("bob"))
        self.server.wait_state(running, "RUNNING")
        self.server.stop()
        self.erase()
        self.server.start()
        self.assertEqual(self.server.get(running)["state"], "RUNNING")
        self.server.ym("cancel", running)
        self.server.wait_end(running)

    def test_jobs_and_logs_by_choice(self):
        mine, _, _ = self.leave_traces()
        self.server.stop()
        folders = [path for path in (self.server.state / "attempts").glob("*/*") if path.name.lower() == mine.lower()]
        self.assertEqual(len(folders), 1)
        erased = json.loads(self.erase("--keep-jobs", "--delete-logs").stdout)
        self.assertEqual(erased["logs"], 2)
        self.assertFalse(folders[0].exists())
        self.assertEqual(self.found_in(NAME, "secretcommand"), {"secretcommand"})
        self.server.start()
        self.assertEqual(self.server.get(mine)["name"], "secret-job")
        self.assertTrue(self.verify()["valid"])

    def test_it_may_be_killed_at_any_time(self):
        """The kernel kills it at the first write beyond a file's size: further on in each run, whatever the machine's pace."""
        _, other, _ = self.leave_traces()
        self.server.stop()
        kills, late = 0, 0
        for size in range(2 << 10, 8 << 20, 24 << 10):
            code = self.erase_within(size)
            if code != -signal.SIGXFSZ:
                break
            kills += 1
            late += bool(self.found_in("rewritten"))
        self.assertGreater(kills, late, "no kill came before the rewriting began")
        self.assertGreater(late, 0, "no kill came after the rewriting had begun")
        self.assertIn(code, (0, 2), "2: an earlier run came to the end of its transaction")
        self.assertIn(self.erase(check=False).returncode, (0, 2))
        self.assertEqual(self.found_in(NAME, "secretcommand"), set())
        self.server.start()
        self.assertTrue(self.verify("--against", self.heads)["valid"])
        self.assertEqual(self.server.get(other)["user"], "bob")

    def erase_within(self, size):
        """The exit code of an erasure that may write no file beyond `size` bytes."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        words = [str(harness.BIN / "ym"), "identity", "erase", NAME, "--state", str(self.server.state), "--reason", "rewritten"]
        return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit,
                              env=self.server.environment(), check=False).returncode


class EraseInSegments(ErasedState):
    config = harness.FIVE_NODES + "retention: {jobs: 10s}\n"

    def test_segments_are_written_anew(self):
        mine, other, _ = self.leave_traces()

        def look():
            self.server.ym("token", "create", "--for", "noise")
            return all(self.server.ym("get", job, check=False).returncode == 2 for job in (mine, other))
        harness.wait_for(look, "the jobs to leave", pause=0.3)
        self.server.stop()
        kept = self.folder / "kept"
        shutil.copy(self.heads, kept)
        erased = json.loads(self.erase().stdout)
        self.assertGreater(erased["segments"], 0)
        self.assertEqual(self.found_in(NAME, "secretcommand", "secretvalue", "secretagent"), set())
        history = self.server.state / "history"
        verify = ("history", "verify", "--dir", history, "--against", kept)
        unproved = self.server.ym(*verify, "-o", "json", check=False)
        self.assertEqual(unproved.returncode, 1, "the event of the erasure is in the database")
        self.assertGreater(sum(row["unproved"] for row in json.loads(unproved.stdout)), 0)
        self.assertEqual(self.server.ym(*verify, "--trust-erasures").returncode, 0)
        old = json.loads(self.server.ym("history", "jobs", "--dir", history, "-o", "json").stdout)
        self.assertEqual({row["id"]: row["user"] for row in old}[mine], erased["pseudonym"])
        self.assertEqual({row["id"]: row["user"] for row in old}[other], "bob")
        self.server.start()
        self.assertTrue(self.verify("--against", kept)["valid"])
        later = self.submit("bob", "bobs")
        self.server.wait_end(later)

        def look_again():
            self.server.ym("token", "create", "--for", "noise")
            return self.server.ym("get", later, check=False).returncode == 2
        harness.wait_for(look_again, "a later job to leave", pause=0.3)
        self.assertEqual(self.server.ym("history", "verify", "--dir", history).returncode, 0)
        self.assertTrue(self.verify()["valid"])


if __name__ == "__main__":
    unittest.main()
