"""Roles, bindings, projects, identities and questions about them, by the verbs; and that they outlive the server."""

import json
import signal
import time
import unittest

import harness


class AccessVerbs(harness.ServerTest):
    config = harness.FIVE_NODES

    def ym(self, *words, code=0, **environment):
        run = self.server.ym(*words, check=False, **environment)
        self.assertEqual(run.returncode, code, f"{words}: {run.stdout}{run.stderr}")
        return run

    def rows(self, *words):
        return json.loads(self.ym(*words, "-o", "json").stdout)

    def token(self, *words):
        return self.ym("token", "create", *words).stdout.strip()

    def test_what_was_set_is_there_after_the_server_was_killed(self):
        self.ym("project", "create", "cars", "--visibility", "private", "--description", "driving")
        self.token("--for", "bob")
        self.ym("role", "create", "canceller", "--permission", "jobs.cancel", "--permission", "jobs.list")
        self.ym("role", "bind", "canceller", "--to", "bob", "--scope", "project:cars")
        self.ym("role", "bind", "viewer", "--to", "group:team", "--scope", "queue:default", "--ttl", "8h")
        self.ym("identity", "groups", "bob", "--group", "team")
        before = [self.rows(*words) for words in (("project", "list"), ("role", "bindings"), ("role", "list"), ("identity", "list"))]
        self.server.kill()
        self.server.start()
        after = [self.rows(*words) for words in (("project", "list"), ("role", "bindings"), ("role", "list"), ("identity", "list"))]
        self.assertEqual(before, after)
        self.assertEqual([one["to"] for one in self.rows("role", "bindings", "--role", "canceller")], ["bob"])
        self.ym("role", "unbind", "canceller", "--to", "bob", "--scope", "project:cars")
        self.ym("role", "delete", "canceller")
        self.ym("project", "delete", "cars")
        self.assertEqual(self.rows("project", "list"), [])

    def test_a_token_ends_and_its_streams_end_with_it(self):
        brief = self.token("--for", "bob", "--ttl", "4s")
        begin = time.monotonic()
        watching = self.server.ym("events", "--follow", check=False, YM_TOKEN=brief, timeout=60)
        self.assertLess(time.monotonic() - begin, 50, "the feed ended")
        self.assertEqual(watching.returncode, 4, watching.stderr)
        self.ym("ps", code=4, YM_TOKEN=brief)

    def test_a_disabled_identity_is_out_until_it_is_enabled(self):
        bob = self.token("--for", "bob")
        self.ym("identity", "disable", "bob")
        self.ym("ps", code=4, YM_TOKEN=bob)
        self.ym("token", "create", "--for", "bob", code=2)
        self.ym("identity", "enable", "bob")
        self.ym("ps", YM_TOKEN=bob)

    def test_a_limited_token_does_what_its_scopes_say(self):
        ci = self.token("--for", "ci", "--service", "--scope", "user", "--scope", "project:cars")
        job = {"name": "a", "run": ["true"], "project": "cars"}
        self.server.ym("submit", "-", input=json.dumps(job), YM_TOKEN=ci)
        other = self.server.ym("submit", "-", input=json.dumps(job | {"project": "boats"}), check=False, YM_TOKEN=ci)
        self.assertEqual(other.returncode, 5, other.stderr)
        self.ym("token", "create", "--for", "bob", code=5, YM_TOKEN=ci)
        whoami = json.loads(self.ym("whoami", "-o", "json", YM_TOKEN=ci).stdout)
        self.assertEqual((whoami["user"], whoami["token"]["scopes"]), ("ci", ["project:cars", "user"]))

    def test_questions_have_an_exit_code(self):
        viewer = self.token("--for", "eye", "--role", "viewer")
        self.ym("auth", "can-i", "edit", "policies")
        self.ym("auth", "can-i", "edit", "policies", code=1, YM_TOKEN=viewer)
        self.ym("auth", "can-i", "paint", "queue", "default", code=2)
        job = self.server.submit({"name": "sleeper", "run": ["sleep", "600"]})
        self.ym("auth", "can-i", "cancel", "job", job)
        self.ym("auth", "can-i", "cancel", "job", job, code=1, YM_TOKEN=viewer)
        self.assertEqual([one["role"] for one in self.rows("auth", "who-can", "edit", "policies")], ["admin"])


TEAM = """
auth:
  enforce: %s
  projects: [{name: cars}]
  bindings:
    - {role: member, to: ann, scope: "project:cars"}
    - {role: queue-user, to: ann, scope: "queue:default"}
    - {role: queue-user, to: "group:crew", scope: "queue:default"}
"""


class OfTheConfiguration(harness.ServerTest):
    config = harness.FIVE_NODES + TEAM % "false"

    def run_as(self, token, *words, **options):
        return self.server.ym(*words, check=False, YM_TOKEN=token, **options)

    def reload(self, text):
        (self.server.folder / "config.yaml").write_text(text)
        before = len(self.server.log_text())
        self.server.process.send_signal(signal.SIGHUP)
        harness.wait_for(lambda: "onfiguration was" in self.server.log_text()[before:], "a word on the configuration")
        return self.server.log_text()[before:]

    def test_a_trial_shows_what_is_missing_before_bindings_decide(self):
        ann, bob = (self.server.ym("token", "create", "--for", name).stdout.strip() for name in ("ann", "bob"))
        job = json.dumps({"name": "canary", "project": "cars", "run": ["sleep", "600"]})
        for token in (ann, bob):
            self.assertEqual(self.run_as(token, "submit", "-", input=job).returncode, 0)
        denied = self.server.json("auth", "audit")
        self.assertEqual(denied["mode"], "trial")
        self.assertEqual({(one["principal"], one["permission"], one["project"], one["queue"]) for one in denied["items"]},
                         {("bob", "jobs.create", "cars", None), ("bob", "queues.use", None, "default")})
        self.assertIn("jobs.create", self.server.ym("auth", "audit").stdout)
        self.reload(harness.FIVE_NODES + TEAM % "true")
        self.assertEqual(self.run_as(ann, "submit", "-", input=job).returncode, 0)
        self.assertEqual(self.run_as(bob, "submit", "-", input=job).returncode, 5)
        self.assertEqual(json.loads(self.run_as(bob, "ps", "-o", "json").stdout), [], "not even bob's own, without the project")
        self.assertEqual(self.run_as(bob, "auth", "audit").returncode, 5)
        self.server.ym("identity", "groups", "bob", "--group", "crew")
        seen = json.loads(self.run_as(bob, "ps", "--all", "-o", "json").stdout)
        self.assertEqual({(one["user"], one["name"]) for one in seen}, {("ann", ""), ("bob", "")})
        self.reload(harness.FIVE_NODES)
        self.assertEqual(self.run_as(bob, "submit", "-", input=job).returncode, 0)
        self.assertEqual(self.server.json("role", "bindings", "--role", "member"), [])

    def test_a_trial_shows_what_a_gateway_lacks(self):
        hub = self.server.ym("token", "create", "--for", "hub", "--service").stdout.strip()
        self.server.ym("token", "create", "--for", "ann")

        def submit():
            return self.server.api("POST", "/jobs", {"run": "true", "project": "cars", "queue": "default"}, authenticated=False,
                                   headers={"Authorization": f"Bearer {hub}", "YM-On-Behalf-Of": "ann"})

        self.assertEqual(submit()[0], 201)
        lacks = {("hub", "identities.impersonate", "cars", None), ("hub", "identities.impersonate", None, "default")}
        denied = self.server.json("auth", "audit")["items"]
        self.assertEqual({(one["principal"], one["permission"], one["project"], one["queue"]) for one in denied}, lacks)
        self.server.ym("role", "create", "gateway", "--permission", "identities.impersonate")
        for scope in ("project:cars", "queue:default"):
            self.server.ym("role", "bind", "gateway", "--to", "hub", "--scope", scope)
        self.assertEqual(submit()[0], 201)
        self.assertEqual(self.server.json("auth", "audit")["items"], denied, "nothing more is missing")
        self.reload(harness.FIVE_NODES + TEAM % "true")
        self.assertEqual(submit()[0], 201, "what the trial asked for was enough")

    def test_a_watch_of_the_feed_shows_what_its_reader_may_see(self):
        self.reload(harness.FIVE_NODES + TEAM % "true")
        ann, bob, eve = (self.server.ym("token", "create", "--for", name, "--ttl", "15s").stdout.strip() for name in ("ann", "bob", "eve"))
        self.server.ym("identity", "groups", "bob", "--group", "crew")
        job = json.dumps({"name": "canary", "project": "cars", "run": ["true"]})
        watches = {name: self.server.spawn_ym("events", "--follow", "-o", "json", YM_TOKEN=token)
                   for name, token in (("ann", ann), ("bob", bob), ("eve", eve))}
        self.assertEqual(self.run_as(ann, "submit", "-", input=job).returncode, 0)
        told = {name: watch.communicate(timeout=harness.TIMEOUT)[0] for name, watch in watches.items()}
        self.assertIn("canary", told["ann"])
        self.assertIn("job.submitted", told["bob"])
        self.assertNotIn("canary", told["bob"])
        self.assertNotIn("job.", told["eve"])

    def test_a_gateway_acts_on_behalf_of_users(self):
        hub = self.server.ym("token", "create", "--for", "hub", "--service").stdout.strip()
        self.server.ym("role", "create", "gateway", "--permission", "identities.impersonate")
        for scope in ("project:cars", "queue:default"):
            self.server.ym("role", "bind", "gateway", "--to", "hub", "--scope", scope)
        self.reload(harness.FIVE_NODES + """
auth:
  projects: [{name: cars}, {name: boats}]
  bindings:
    - {role: member, to: ann, scope: "project:cars"}
    - {role: member, to: ann, scope: "project:boats"}
    - {role: queue-user, to: ann, scope: "queue:default"}
    - {role: admin, to: root, scope: site}
""")

        def ask(method, path, body=None, user="ann", token=hub):
            return self.server.api(method, path, body, authenticated=False,
                                   headers={"Authorization": f"Bearer {token}", "YM-On-Behalf-Of": user})

        def job(project):
            return {"run": "true", "project": project, "queue": "default"}

        status, made = ask("POST", "/jobs", job("cars"))
        self.assertEqual(status, 201, made)
        self.assertEqual(self.server.get(made["id"])["user"], "ann")
        self.assertEqual(ask("POST", "/jobs", job("boats"))[0], 403, "the gateway has nothing there")
        self.assertEqual(ask("GET", "/whoami")[1]["user"], "ann")
        for user in ("nix", "root", "hub"):
            self.assertEqual(ask("GET", "/jobs", user=user)[0], 403, user)
        self.assertEqual(ask("POST", "/tokens", {})[0], 403, "no token of the user")
        self.assertEqual(ask("GET", "/tokens")[1]["items"], [])
        ann = self.server.ym("token", "create", "--for", "ann").stdout.strip()
        self.assertEqual(ask("GET", "/jobs", token=ann, user="hub")[0], 403, "only gateways")
        records = [r for r in self.server.json("audit", "list") if r["behalf"]]
        self.assertEqual({(r["actor"], r["behalf"], r["verb"], r["outcome"]) for r in records},
                         {("hub", "ann", "jobs.create", "done"), ("hub", "ann", "jobs.create", "refused"),
                          # Of a route without a permission.
                          ("hub", "ann", "login", "refused")})
        self.server.ym("role", "unbind", "gateway", "--to", "hub", "--scope", "project:cars")
        self.assertEqual(ask("POST", "/jobs", job("cars"))[0], 403, "it ends with the gateway's right")

    def test_the_servers_user_gets_back_in_without_the_file(self):
        token = self.server.token()
        said = self.reload((harness.FIVE_NODES + TEAM % "true").replace("  projects:", "  admin_token: false\n  projects:"))
        self.assertIn("was reloaded", said)
        harness.wait_for(lambda: not (self.server.state / "admin.token").exists(), "the file to go")
        self.assertEqual(self.run_as(token, "ps").returncode, 4)
        made = self.server.ym("admin", "recover", "--state", self.server.state, "--reason", "the others are away", YM_TOKEN="none").stdout.strip()
        self.assertEqual(self.run_as(made, "auth", "can-i", "edit", "policies").returncode, 0)
        mine = json.loads(self.run_as(made, "whoami", "-o", "json").stdout)["token"]
        self.assertEqual(mine["note"], "break-glass: the others are away")
        ends = harness.moment(mine["expires_at"]) - harness.moment(mine["created_at"])
        self.assertEqual(ends.total_seconds(), 3600)
        self.assertFalse((self.server.state / "recover.token").exists())
        self.server.stop()
        self.server.start()
        self.assertFalse((self.server.state / "admin.token").exists(), "the file stays away")
        self.assertEqual(self.run_as(made, "ps").returncode, 0)

    def test_what_the_file_names_must_be_there(self):
        for text, place in (("{role: king, to: ann, scope: site}", "/auth/bindings/0/role"),
                            ("{role: viewer, to: ann, scope: \"queue:moon\"}", "/auth/bindings/0/scope"),
                            ("{role: viewer, to: ann}", "/auth/bindings/0/scope")):
            self.assertIn(place, self.reload(harness.FIVE_NODES + "auth: {bindings: [" + text + "]}\n"))
        self.assertEqual(self.server.json("auth", "audit")["mode"], "trial", "the file before stays in force")


if __name__ == "__main__":
    unittest.main()
