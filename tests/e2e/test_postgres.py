"""A server on a real PostgreSQL: jobs live on it, it may fail, and a state moves to it."""

import json
import unittest

import harness
import standbys
from ledger import read_ledger


class Alone(standbys.OnPostgres):
    def test_jobs_live_on_it_and_over_restarts(self):
        server = self.leader()
        short = self.run_for(server, 0, name="short")
        self.assertEqual(server.wait_state(short, "SUCCEEDED")["attempts"][0]["exit_code"], 0)
        long = self.run_for(server, 5, name="long")
        server.wait_state(long, "RUNNING")
        waits = server.submit({"name": "waits", "run": ["true"], "resources": {"gpus": "t4:1"}, "nodes": 9})
        harness.wait_for(lambda: server.get(waits)["reason"] == "ExceedsCapacity", "the reason")
        ended = server.get(short)
        server.kill()
        server.start().wait_to_lead()  # its own lease has to end first
        self.assertEqual(server.get(short), ended)
        self.assertEqual(len(server.wait_state(long, "SUCCEEDED")["attempts"]), 1)
        self.check_ran_once(short, long)
        self.assertEqual(server.get(waits)["state"], "QUEUED")
        self.assertEqual(server.stop(), 0)
        server.start().wait_to_lead()
        self.assertEqual({job["id"] for job in server.json("ps", "-A")}, {short, long, waits})
        self.assertIn("serves http://127.0.0.1", server.log_text())
        self.assertFalse((server.state / "yardmaster.db").exists())

    def test_what_is_refused(self):
        server = self.member("a")
        self.refused(server, 1, "there is no state of Yardmaster. Nothing was changed.")
        server.arguments[1] = "postgresql://plain:secret@db/yardmaster"
        self.refused(server, 2, "the store's address holds a password, which every user of this machine could read")
        self.assertNotIn("secret", server.log_text())
        server.arguments[1] = "mysql://db"
        self.refused(server, 2, "the store's address is not a PostgreSQL address")
        on_file = harness.Server(self.folder / "file")
        self.addCleanup(on_file.close)
        on_file.start().stop()
        on_file.arguments = ["--store", self.database.url(), "--store-schema", self.schema, "--init"]
        self.refused(on_file, 1, "ym migrate")

    def refused(self, server, code, said):
        before = len(server.log_text())
        self.assertEqual(server.spawn().wait(harness.TIMEOUT), code)
        self.assertIn(said, server.log_text()[before:])


class DatabaseFails(standbys.OnPostgres):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.database.start)

    def test_a_database_that_was_killed_is_waited_for(self):
        leader, standby = self.pair()
        short = self.run_for(leader, 3, name="short")
        long = self.run_for(leader, 25, name="long")
        for job in (short, long):
            leader.wait_state(job, "RUNNING")
        self.database.kill()
        status, _, answer = leader.request("POST", "/api/v1/jobs", {"name": "refused", "run": ["true"]})
        self.assertEqual((status, json.loads(answer)["code"]), (503, "unavailable"), answer)
        harness.wait_for(lambda: leader.readiness()[0] == 503, "it to say that it is not ready")
        harness.wait_for(lambda: [run for run, ((_, end), *_) in read_ledger(self.ledger).items() if run[0] == short and end],
                         "the short job to end meanwhile")
        self.assertEqual(leader.api("GET", f"/jobs?name=long")[0], 503, "history is in the database")
        self.assertIn("no server leads", standby.readiness()[1])
        self.database.start()
        leader.wait_to_lead()
        self.assertEqual(leader.wait_state(short, "SUCCEEDED")["attempts"][0]["exit_code"], 0)
        after = self.run_for(leader, 0, name="after")
        for job in (long, after):
            self.assertEqual(len(leader.wait_state(job, "SUCCEEDED")["attempts"]), 1)
        self.check_ran_once(short, long, after)
        self.assertEqual(leader.api("GET", "/jobs?name=refused")[1]["items"], [])
        harness.wait_for(lambda: leader.url in standby.readiness()[1], "the standby to see the leader again")

    def test_a_server_that_starts_before_its_database_waits_for_it(self):
        server = self.leader()
        server.stop()
        self.database.kill()
        server.start()
        self.assertEqual(server.readiness()[0], 503)
        self.assertEqual(server.api("GET", "/jobs")[0], 503)
        self.database.start()
        server.wait_to_lead()
        self.database.kill()
        self.assertEqual(server.stop(), 0, "a stop does not wait for it")
        self.database.start()


class Migrate(standbys.OnPostgres):
    def test_a_state_moves_with_all_that_is_in_it(self):
        server = self.member("a")
        store, server.arguments = server.arguments, []
        server.start()
        server.ym("queue", "apply", "-f", "-", input="queues: [{name: team, quota: {t4: {gpus: 8}}}, {name: free}]")
        done = self.run_for(server, 0, name="done", queue="free")
        server.wait_end(done)
        runs = self.run_for(server, 15, name="runs", queue="team")
        server.wait_state(runs, "RUNNING")
        waits = server.submit({"name": "waits", "queue": "free", "run": ["true"], "resources": {"gpus": "t4:1"}, "nodes": 9})
        harness.wait_for(lambda: server.get(waits)["reason"] == "ExceedsCapacity", "the reason")
        to = ["--to", store[1], "--schema", self.schema]
        busy = server.ym("migrate", "--state", server.state, *to, check=False)
        self.assertEqual(busy.returncode, 2, "a server runs on it")
        before = {job: server.get(job) for job in (done, waits)}
        queues = server.json("queue")
        server.stop()
        moved = json.loads(server.ym("migrate", "--state", server.state, *to, "-o", "json").stdout)
        self.assertEqual(moved["from"], str(server.state))
        self.assertEqual(moved["rows"]["jobs"], 3)
        self.refuses_the_old_state(server, to)
        server.arguments = store
        server.start().wait_to_lead()
        self.assertEqual({job: server.get(job) for job in before}, before)
        self.assertEqual([queue["name"] for queue in server.json("queue")], [queue["name"] for queue in queues])
        self.assertEqual(len(server.wait_state(runs, "SUCCEEDED")["attempts"]), 1)
        self.check_ran_once(done, runs)
        events = server.api("GET", "/events?limit=1000")[1]["items"]
        self.assertEqual([event["seq"] for event in events], list(range(1, len(events) + 1)))
        started = next(event["seq"] for event in events[1:] if event["type"] == "server.started")
        self.assertEqual(moved["rows"]["events"], started - 1)

    def test_a_state_with_segments_moves_and_is_proved_over_all(self):
        server = self.member("a", standbys.CONFIG + "retention: {jobs: 3s}\n")
        store, heads = server.arguments, self.folder / "heads"
        server.arguments = ["--audit-seal-every", "200ms", "--audit-heads", str(heads)]
        server.start()
        old = self.run_for(server, 0, name="old")
        server.wait_end(old)
        runs = server.submit({"name": "runs", "run": "sleep 600", "resources": {"gpus": "t4:1"}})
        server.wait_state(runs, "RUNNING")
        waits = server.submit({"name": "waits", "run": ["true"], "resources": {"gpus": "t4:1"}, "nodes": 9})
        harness.wait_for(lambda: server.get(waits)["reason"] == "ExceedsCapacity", "the reason")
        self.wait_until_moved(server)
        before, segments = server.get(waits), self.segments(server)
        server.stop()
        moved = json.loads(server.ym("migrate", "--state", server.state, "--to", store[1], "--schema", self.schema, "-o", "json").stdout)
        self.assertGreaterEqual(moved["rows"]["history_segments"], len(segments))
        server.arguments = store + server.arguments
        server.start().wait_to_lead()
        self.assertEqual(server.get(waits), before, "with its specification, whose event has moved")
        self.assertIn("sleep 600", json.dumps(server.get(runs)))
        self.assertEqual(server.get(runs)["state"], "RUNNING")
        later = self.run_for(server, 0, name="later")
        server.wait_end(later)
        self.assertNotIn(later, (old, runs, waits))
        self.wait_until_moved(server)
        self.assertEqual([server.ym("get", job, check=False).returncode for job in (old, later)], [2, 2])
        self.is_proved(server, heads, len(segments))
        server.ym("cancel", runs)
        server.wait_end(runs)

    def segments(self, server):
        return json.loads(server.ym("history", "list", "--dir", server.state / "history", "-o", "json").stdout)

    def wait_until_moved(self, server):
        """All events up to now. Each look of the server needs an event after it, with a seal."""
        last = server.api("GET", "/events?limit=1")[1]["as_of"]

        def look():
            server.ym("token", "create", "--for", "noise")
            return server.api("GET", "/events?limit=2")[1]["items"][1]["seq"] > last
        harness.wait_for(look, "events to move", pause=0.3)

    def is_proved(self, server, heads, more_than):
        """Every event against the heads that both servers kept, over the gap and over the move."""
        segments = self.segments(server)
        self.assertGreater(len(segments), more_than)
        self.assertEqual([one["from"] for one in segments], [1, *(one["to"] + 1 for one in segments[:-1])])
        verified = server.ym("history", "verify", "--dir", server.state / "history", "--against", heads, check=False)
        self.assertEqual(verified.returncode, 0, verified.stdout)

        def rest():
            seen = json.loads(server.ym("audit", "verify", "--against", heads, "-o", "json").stdout)
            return seen["valid"] and seen["to"] >= segments[-1]["to"] and seen["compared"] > 0
        harness.wait_for(rest, "the rest to be proved", pause=0.3)

    def refuses_the_old_state(self, server, to):
        before = len(server.log_text())
        self.assertEqual(server.spawn().wait(harness.TIMEOUT), 1)
        self.assertIn("moved", server.log_text()[before:])
        again = server.ym("migrate", "--state", server.state, *to, check=False)
        self.assertEqual(again.returncode, 2)
        self.assertIn("there is a state", again.stderr)
        nothing = server.ym("migrate", "--state", self.folder / "none", *to, check=False)
        self.assertIn("there is no yardmaster.db", nothing.stderr)


if __name__ == "__main__":
    unittest.main()
