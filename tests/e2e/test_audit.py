"""The audit log: who changed what, what was refused, and who read what belongs to others."""

import contextlib
import http.client
import json
import re
import sqlite3
import unittest

import harness
import row_sums

AUTH = """
auth:
  projects: [{name: cars}, {name: boats}]
  bindings:
    - {role: admin, to: root-admin, scope: site}
    - {role: member, to: ann, scope: "project:cars"}
    - {role: member, to: bob, scope: "project:boats"}
    - {role: queue-user, to: ann, scope: "queue:default"}
    - {role: queue-user, to: bob, scope: "queue:default"}
    - {role: auditor, to: olga, scope: site}
"""


class Audit(harness.ServerTest):
    config = harness.FIVE_NODES + AUTH

    def setUp(self):
        super().setUp()
        self.tokens = {name: self.server.ym("token", "create", "--for", name).stdout.strip() for name in ("ann", "bob", "olga")}

    def as_user(self, name):
        return {"YM_TOKEN": self.tokens[name], "YM_TOKEN_FILE": ""}

    def records(self, *words, user="olga"):
        return self.server.json("audit", "list", *words, **self.as_user(user))

    def wait_for_record(self, *words, count=1):
        return harness.wait_for(lambda: found if len(found := self.records(*words)) >= count else None, f"records {words}")

    def submit(self, name, project):
        return self.server.submit({"name": "train", "project": project, "run": ["true"]}, **self.as_user(name))

    def test_a_change_and_its_record_are_one_transaction(self):
        job = self.submit("ann", "cars")
        self.server.ym("cancel", job, check=False, **self.as_user("ann"))
        made = self.records("--actor", "ann", "--verb", "jobs.create")
        self.assertEqual([one["object"] for one in made], ["project:cars"])
        self.assertEqual(made[0]["source"], "127.0.0.1")
        self.assertTrue(made[0]["agent"].startswith("ym/"))
        span = made[0]["events"]
        events = self.server.json("events", "--after", span["from"] - 1)
        within = [event for event in events if span["from"] <= event["seq"] <= span["to"]]
        self.assertEqual([(event["type"], event["job"]) for event in within], [("job.submitted", job)])
        self.assertEqual(made[0]["seq"], span["to"] + 1)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.records("--actor", "ann", "--verb", "jobs.create"), made)

    def test_refusals_are_recorded_and_a_flood_is_counted(self):
        job = self.submit("ann", "cars")
        for _ in range(3):
            self.assertEqual(self.server.ym("node", "drain", "n1", check=False, **self.as_user("bob")).returncode, 5)
        drains = self.wait_for_record("--actor", "bob", "--outcome", "refused")
        self.assertEqual([(one["verb"], one["object"], one["code"], one["count"]) for one in drains],
                         [("nodes.drain", "POST /api/v1/nodes/n1/drain", "forbidden", 1)], "the others are counted, and come later")
        self.assertIsNone(drains[0]["events"])
        self.server.ym("cancel", job, check=False, YM_TOKEN="ymp_wrong", YM_TOKEN_FILE="")
        wrong = self.wait_for_record("--verb", "login")
        self.assertEqual((wrong[0]["actor"], wrong[0]["code"], wrong[0]["source"]), (None, "unauthenticated", "127.0.0.1"))
        self.assertNotIn("ymp_wrong", json.dumps(wrong))

    def test_what_the_servers_user_does_is_recorded(self):
        made = self.server.ym("admin", "recover", "--reason", "locked out", "--state", self.server.state).stdout.strip()
        self.assertTrue(made.startswith("ymp_"))
        acts = [(one["actor"], one["verb"], one["source"], one["agent"]) for one in self.records("--actor", "server")]
        self.assertIn(("server", "tokens.create", "local", "ym admin recover"), acts)
        self.assertIn(("server", "tokens.create", "local", "ym serve"), acts)

    def test_a_role_with_all_other_reads_sees_no_record(self):
        reads = ("jobs", "queues", "nodes", "policies", "reservations", "projects", "roles", "identities", "tokens")
        self.server.ym("role", "create", "reader", *(word for kind in reads for word in ("--permission", f"{kind}.get")))
        self.server.ym("role", "bind", "reader", "--to", "bob", "--scope", "site")
        self.submit("ann", "cars")
        types = {event["type"] for event in self.server.json("events", **self.as_user("bob"))}
        self.assertIn("job.submitted", types)
        self.assertNotIn("audit.request", types)

    def test_a_log_that_may_not_be_read_is_a_refusal(self):
        job = self.submit("ann", "cars")
        self.assertEqual(self.server.ym("logs", job, check=False, **self.as_user("olga")).returncode, 5, "auditors read no logs")
        self.wait_for_record("--actor", "olga", "--verb", "jobs.logs")
        self.assertEqual({one["outcome"] for one in self.records("--actor", "olga", "--verb", "jobs.logs")}, {"refused"})

    def test_reads_of_what_belongs_to_others(self):
        job = self.submit("ann", "cars")
        self.server.ym("get", job, **self.as_user("ann"))
        self.server.ym("logs", job, check=False, **self.as_user("ann"))
        self.server.ym("get", job)
        self.server.ym("logs", job, check=False)
        self.wait_for_record("--verb", "jobs.get", "--object", f"job:{job}")
        actors = {one["actor"] for one in self.records("--object", f"job:{job}") if one["verb"] in ("jobs.get", "jobs.logs")}
        self.assertEqual(len(actors), 1, "whose own job it is leaves no record")
        self.assertNotIn("ann", actors)

    def test_who_may_read_it(self):
        self.submit("ann", "cars")
        for name in ("ann", "bob"):
            self.assertEqual(self.server.ym("audit", "list", check=False, **self.as_user(name)).returncode, 5)
            types = {event["type"] for event in self.server.json("events", **self.as_user(name))}
            self.assertNotIn("audit.request", types)
        self.assertIn("audit.request", {event["type"] for event in self.server.json("events", **self.as_user("olga"))})
        self.assertNotIn("audit.request", self.server.ym("events").stdout, "people who look at events see what happened")

    def test_pages_and_filters(self):
        for _ in range(7):
            self.submit("ann", "cars")
        self.submit("bob", "boats")
        status, page = self.server.api("GET", "/audit?actor=ann&limit=3")
        seen = [one["seq"] for one in page["items"]]
        while page["next"] is not None:
            status, page = self.server.api("GET", f"/audit?actor=ann&limit=3&cursor={page['next']}")
            self.assertEqual(status, 200)
            seen += [one["seq"] for one in page["items"]]
        self.assertEqual((len(seen), seen), (7, sorted(set(seen))))
        self.assertEqual(self.server.api("GET", "/audit?outcome=maybe")[0], 400)

    def test_formats_of_other_systems(self):
        self.submit("ann", "cars")
        for form in ("jsonl", "k8s", "cadf", "ocsf"):
            lines = self.server.ym("audit", "export", "--format", form, "--actor", "ann", **self.as_user("olga")).stdout.splitlines()
            self.assertEqual([type(json.loads(line)) for line in lines], [dict], form)
        cef = self.server.ym("audit", "export", "--format", "cef", "--actor", "ann", **self.as_user("olga")).stdout
        self.assertTrue(cef.startswith("CEF:0|Yardmaster|Yardmaster|"), cef)

    def test_what_a_client_says_of_itself_is_bounded(self):
        connection = self.server.connection()
        self.addCleanup(connection.close)
        body = json.dumps({"name": "x", "project": "cars", "run": ["true"]})
        connection.request("POST", "/api/v1/jobs", body, {"Authorization": f"Bearer {self.tokens['ann']}", "User-Agent": "a" * 5000,
                                                          "X-Request-Id": "one", "Content-Type": "application/json"})
        self.assertEqual(connection.getresponse().status, http.client.CREATED)
        record = self.records("--actor", "ann")[0]
        self.assertEqual((record["agent"], record["request"]), ("a" * 200, "one"))


class Seals(harness.ServerTest):
    """The events cannot be changed unnoticed. Each test is the owner of the database."""

    config = harness.FIVE_NODES
    arguments = ["--audit-seal-every", "200ms"]

    def setUp(self):
        super().setUp()
        self.server.kill()
        self.heads = self.folder / "heads"
        self.server.arguments += ["--audit-heads", str(self.heads)]
        self.server.start()
        self.jobs = [self.server.submit({"name": f"job{i}", "run": ["true"], "env": {"N": str(i)}}) for i in range(4)]
        for job in self.jobs:
            self.server.wait_end(job)
        last = max(event["seq"] for event in self.server.json("events") if event["type"] != "log.sealed")
        harness.wait_for(lambda: self.verify()["to"] >= last, "all to be sealed")
        harness.wait_for(lambda: self.heads.exists() and self.heads.read_text().endswith("\n\n"), "a head")

    def verify(self, *words, code=0):
        run = self.server.ym("audit", "verify", *words, "-o", "json", check=False)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return json.loads(run.stdout)

    def change(self, table, sql, *values):
        """As somebody who can write the database, and does not forget the checksums of rows."""
        self.server.stop()
        with contextlib.closing(sqlite3.connect(self.server.state / "yardmaster.db")) as database, database:
            database.execute(sql, values)
            row_sums.set_sums(database, table)
        self.server.start()

    def number(self, kind):
        return next(event["seq"] for event in self.server.json("events") if event["type"] == kind)

    def test_what_was_sealed_is_as_it_was(self):
        seen = self.verify("--against", self.heads)
        self.assertTrue(seen["valid"])
        self.assertGreater(seen["compared"], 0)
        said = self.server.ym("audit", "verify").stdout
        self.assertIn("are as they were sealed", said)

    def test_it_goes_on_after_a_restart(self):
        before = self.verify()
        self.server.kill()
        self.server.start()
        job = self.server.submit({"name": "later", "run": ["true"]})
        self.server.wait_end(job)
        harness.wait_for(lambda: self.verify()["seals"] > before["seals"], "another seal")
        self.assertTrue(self.verify("--against", self.heads)["valid"])

    def test_a_changed_event_is_named(self):
        seq = self.number("job.submitted")
        self.change("events", "UPDATE events SET actor = 'mallory' WHERE seq = ?", seq)
        self.assertEqual(self.verify(code=1)["fault"], f"event {seq}: the event is not as it was sealed")

    def test_a_changed_specification_is_found(self):
        self.change("specs", "UPDATE specs SET doc = replace(doc, '\"N\"', '\"M\"') WHERE id = (SELECT min(id) FROM specs)")
        self.assertIn("not as it was sealed", self.verify(code=1)["fault"])

    def test_a_removed_event_is_named(self):
        seq = self.number("job.finished")
        self.change("events", "DELETE FROM events WHERE seq = ?", seq)
        self.assertEqual(self.verify(code=1)["fault"], f"event {seq}: the event is missing")

    REMOVE_SEAL = "UPDATE events SET type = 'queue.removed', payload = '{\"name\":\"q\"}' WHERE seq = ?"

    def test_a_removed_seal_is_found(self):
        before = self.verify()["seals"]
        self.server.submit({"name": "later", "run": ["true"]})
        harness.wait_for(lambda: self.verify()["seals"] > before, "another seal")
        self.change("events", self.REMOVE_SEAL, self.number("log.sealed"))
        self.assertIn("the next seal begins with", self.verify(code=1)["fault"])

    def test_without_any_seal_only_kept_heads_show_it(self):
        self.server.stop()
        self.server.arguments[1] = "1h"  # nothing is sealed anew meanwhile
        for event in [event for event in self.events() if event[1] == "log.sealed"]:
            self.change("events", self.REMOVE_SEAL, event[0])
        self.assertEqual(self.verify()["seals"], 0)
        self.assertIn("kept heads are not in the log", self.verify("--against", self.heads, code=1)["fault"])

    def events(self):
        with contextlib.closing(sqlite3.connect(self.server.state / "yardmaster.db")) as database:
            return database.execute("SELECT seq, type FROM events").fetchall()

    def test_a_log_that_was_made_anew_differs_from_kept_heads(self):
        kept = self.folder / "kept"
        key = re.search(r"verified with (\S+)", self.server.log_text())[1]
        self.assertTrue(self.verify("--against", self.heads, "--key", key)["valid"])
        lines = self.heads.read_text().splitlines()
        self.assertEqual(lines[0], "yardmaster")
        other = [lines[0], lines[1], "A" * 43 + "=", *lines[3:]]
        kept.write_text("\n".join(other) + "\n")
        self.assertIn("kept head", self.verify("--against", kept, code=1)["fault"])
        self.refuses(kept, "the signature is wrong", "--key", key, code=1)
        kept.write_text(self.heads.read_text() + "\n".join(other[:6]) + "\n")
        self.refuses(kept, "another head of the same event stands before", code=1)
        kept.write_text("\n".join([lines[0], "999999", *lines[2:]]) + "\n")
        self.assertIn("kept head", self.verify("--against", kept, code=1)["fault"])
        kept.write_text("yardmaster\nhalf a note\n\n\n" + self.heads.read_text())
        self.assertTrue(self.verify("--against", kept, "--key", key)["valid"], "what was not written to its end is no head")
        kept.write_text("")
        self.refuses(kept, "there is no head in it")
        self.refuses(self.heads, "not the key of a signed note", "--key", "nonsense")

    def refuses(self, kept, why, *words, code=2):
        run = self.server.ym("audit", "verify", "--against", kept, *words, check=False)
        self.assertEqual(run.returncode, code)
        self.assertIn(why, run.stderr)

    def test_an_event_that_is_missing_before_it_was_sealed_is_named(self):
        self.server.stop()
        self.server.arguments[1] = "1h"
        self.server.start()
        for i in range(3):
            self.server.submit({"name": f"more{i}", "run": ["true"]})
        sealed = self.verify()["to"]
        seq = next(event["seq"] for event in self.server.json("events", "--after", sealed) if event["type"] == "job.submitted")
        self.change("events", "DELETE FROM events WHERE seq = ?", seq)
        self.assertEqual(self.verify(code=1)["fault"], f"event {seq}: the event is missing")


if __name__ == "__main__":
    unittest.main()
