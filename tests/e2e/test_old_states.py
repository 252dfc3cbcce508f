"""A server starts on the state that one of an earlier version left, when nothing of that one's world is there any more."""

import contextlib
import json
import shutil
import sqlite3
import unittest

import harness
import standbys

OLD = harness.ROOT / "tests/old_states"
CONFIG = (OLD / "config.yaml").read_text()

# What of documents-1 becomes of its jobs: tests/old_states/make.py says what each of them does.
TRIED_AGAIN = {"trains", "gang", "elastic", "groups", "share", "slice", "sweep-1", "sweep-2", "urgent", "quiet"}
BEGIN = {"kept-for", "sweep-3"}  # their first attempts, which last
WAIT = {"too-large": "ExceedsMaxQuota", "let-go": "ExceedsMaxQuota", "broke": "BudgetExhausted", "in-held-queue": "Held"}
EPOCH = 1795898353801  # of the server that left it
HELD = {"held", "anchored", "every-key"}


class Expectations:
    """For tests with a `server` on it."""

    def jobs_by_name(self):
        return {job["name"]: job for job in self.server.api("GET", "/jobs?limit=1000")[1]["items"]}

    def ids(self, names):
        known = self.jobs_by_name()
        return {name: known[name]["id"] for name in names}

    def check_jobs(self):
        for name, job in self.ids(TRIED_AGAIN).items():
            attempts = self.server.wait_state(job, "SUCCEEDED")["attempts"]
            self.assertEqual([one["ended_by"] for one in attempts], ["lost", "exit"], name)
        for job in self.ids({"gave-way", "waits"}).values():
            self.assertEqual(self.server.wait_state(job, "SUCCEEDED")["attempts"][-1]["exit_code"], 0)
        for job in self.ids(BEGIN).values():
            self.assertEqual(len(self.server.wait_state(job, "RUNNING")["attempts"]), 1)
        self.assertEqual(self.server.wait_end(self.ids({"stops"})["stops"])["state"], "CANCELLED")
        known = self.jobs_by_name()
        self.assertEqual({name: (known[name]["state"], known[name]["reason"]) for name in WAIT},
                         {name: ("QUEUED", reason) for name, reason in WAIT.items()})
        self.assertEqual({known[name]["state"] for name in HELD}, {"HELD"})
        self.assertEqual(known["every-key"]["spec"]["placement"]["topology"]["slice"], {"level": "rack", "nodes": 2})

    def check_preempted(self):
        """It goes on from what it saved."""
        job = self.server.get(self.ids({"gave-way"})["gave-way"])
        first, second = job["attempts"]
        self.assertEqual((first["ended_by"], first["lost_gpu_seconds"]), ("preempted", 80.824))
        self.assertEqual(first["yields_to"], self.ids({"urgent"})["urgent"])
        self.assertEqual(second["resumes_from"]["uri"], "s3://saves/gave-way/40")

    def check_rules(self):
        queues = {queue["name"]: queue for queue in self.server.json("queue")}
        self.assertEqual(set(queues), {"free", "levels", "org", "poor", "ruled", "team-a", "team-b", "team-c"})
        policy = queues["ruled"]["policy"]
        self.assertEqual((policy["stop"], policy["order"], policy["weight"], policy["min_runtime"]),
                         ("hold", "deadline", 2.5, {"priority": "5m", "reclaim": "10m"}))
        settings = self.server.api("GET", "/policy")[1]
        self.assertIn("cheapest", str(settings))
        shown = self.server.ym("policy", "show").stdout
        self.assertRegex(shown, r"scheduling.age_cap +3h +api")
        self.assertRegex(shown, r"preemption.hold_margin +1m +api")
        self.assertEqual([one["name"] for one in self.server.json("reservation", "list")], ["course", "disks"])
        drained = [node["name"] for node in self.server.json("nodes") if not node["schedulable"]]
        self.assertEqual(drained, ["n4"])

    def check_events(self):
        events = self.server.api("GET", "/events?limit=1000")[1]["items"]
        self.assertEqual([event["seq"] for event in events], list(range(1, len(events) + 1)))
        story = [event["type"] for event in self.server.json("events", self.ids({"trains"})["trains"])]
        self.assertEqual(story[0], "job.submitted")
        self.assertEqual(story.count("attempt.ended"), 2)
        self.assertEqual(story[-1], "job.finished")

    def check_all(self):
        self.check_jobs()
        self.check_preempted()
        self.check_rules()
        self.check_events()
        after = self.server.submit({"name": "after", "run": ["true"], "queue": "team-a", "workdir": "/tmp"})
        self.server.wait_state(after, "SUCCEEDED")
        for job in self.ids(BEGIN).values():
            self.server.ym("cancel", job)
            self.server.wait_state(job, "CANCELLED")


class OnAFile(harness.ServerTest):
    arguments = ("--take-over",)  # the file alone is a copy
    started = False

    def put(self, name):
        self.server.state.mkdir(mode=0o700)
        file = self.server.state / "yardmaster.db"
        file.touch(mode=0o600)
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.executescript((OLD / name / "sqlite.sql").read_text())


class OnFile(OnAFile, Expectations):
    config = CONFIG

    def test_it_goes_on(self):
        self.put("documents-1")
        self.server.start()
        self.check_all()
        self.server.stop()
        self.server.arguments.clear()
        self.server.start()
        self.check_rules()
        self.check_events()


class Sealed(OnAFile):
    """With rights, seals, heads that were kept, and a segment of the history."""

    config = (OLD / "sealed.yaml").read_text()
    arguments = ("--take-over", "--audit-seal-every", "200ms")

    def setUp(self):
        super().setUp()
        self.put("sealed-2")
        self.history = self.server.state / "history"
        shutil.copytree(OLD / "sealed-2/history", self.history)
        self.server.start()

    def check_proofs(self):
        against = ("--against", OLD / "sealed-2/heads", "--key", (OLD / "sealed-2/key").read_text().strip(), "-o", "json")
        self.assertTrue(json.loads(self.server.ym("audit", "verify", *against).stdout)["valid"])
        self.assertEqual(self.server.ym("history", "verify", "--dir", self.history, *against).returncode, 0)

    def test_seals_and_rights_are_what_they_were(self):
        self.check_proofs()
        self.server.ym("auth", "can-i", "use", "queue", "default", "--as", "ann")
        self.assertEqual(self.server.ym("auth", "can-i", "edit", "policies", "--as", "ann", check=False).returncode, 1)
        given = {(row["role"], row["to"]) for row in self.server.json("role", "bindings")}
        self.assertGreaterEqual(given, {("watcher", "group:crew"), ("member", "ann")})
        self.assertEqual([row["groups"] for row in self.server.json("identity", "list") if row["name"] == "ann"], [["crew"]])

    def test_pruning_goes_on(self):
        [kept] = self.server.json("ps", "--all")
        self.assertEqual((kept["name"], kept["state"], kept["user"]), ("kept", "QUEUED", "ann"))
        self.server.ym("cancel", kept["id"])
        self.server.wait_state(kept["id"], "CANCELLED")

        def left():
            self.server.ym("token", "create", "--for", "noise")
            return self.server.ym("get", kept["id"], check=False).returncode == 2
        harness.wait_for(left, "the job to leave", pause=0.3)
        self.assertGreater(len(list(self.history.glob("*.jsonl.gz"))), 1)
        self.check_proofs()


class OnDatabase(standbys.OnPostgres, Expectations):
    def test_it_goes_on(self):
        self.database.run(self.database.bin / "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-h", self.database.socket, "-U", "plain",
                          "-d", "yardmaster", "-f", OLD / "documents-1/postgres.sql")
        self.schema = "yardmaster"
        self.server = self.member("a", CONFIG)
        self.server.arguments.append("--take-over")
        self.server.start().wait_to_lead()
        for job in self.ids(TRIED_AGAIN).values():
            self.server.wait_state(job, "UNREACHABLE")  # the machine of another server may have it
        self.server.stop()
        with (self.server.state / "epochs").open("a", encoding="utf-8") as epochs:
            epochs.write(f"{EPOCH}\n")  # now it was this machine
        self.server.arguments.remove("--take-over")
        self.server.start().wait_to_lead()
        self.check_all()


if __name__ == "__main__":
    unittest.main()
