"""Tokens: for others, for scrapers, and an administrator's that is worthless from one moment to the next."""

import json
import unittest

import harness


class Tokens(harness.ServerTest):
    config = harness.FIVE_NODES

    def create(self, *arguments):
        return self.server.ym("token", "create", *arguments).stdout.strip()

    def status(self, token, method="GET", path="/api/v1/jobs"):
        return self.server.request(method, path, authenticated=False, headers={"Authorization": f"Bearer {token}"})[0]

    def test_another_user_submits_under_a_name_of_its_own(self):
        bob = self.create("--for", "bob")
        run = self.server.ym("submit", "-", "-o", "json", input=json.dumps({"name": "his", "run": ["true"]}), YM_TOKEN=bob)
        self.assertEqual(json.loads(run.stdout)[0]["user"], "bob")
        self.assertEqual(self.status(bob, "POST", "/api/v1/nodes/n1/drain"), 403)
        listed = self.server.json("token", "list")
        self.assertEqual([(one["principal"], one["role"]) for one in listed if one["principal"] == "bob"], [("bob", "user")])
        self.assertNotIn(bob, self.server.ym("token", "list", "-o", "json").stdout)
        self.server.ym("token", "revoke", "--for", "bob")
        self.assertEqual(self.status(bob), 401)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.status(bob), 401)

    def test_a_scraper_reads_and_changes_nothing(self):
        scraper = self.create("--for", "prometheus", "--role", "viewer")
        job = self.server.submit({"name": "sleeper", "run": ["sleep", "600"]})
        self.assertEqual(self.status(scraper, path="/metrics"), 200)
        self.assertEqual(self.status(scraper, "POST", f"/api/v1/jobs/{job}/cancel"), 403)
        self.assertEqual(self.server.get(job)["state"] in ("STARTING", "RUNNING"), True)

    def test_the_administrator_rotates_its_token_while_the_server_runs(self):
        before = self.server.token()
        made = self.server.ym("token", "rotate-admin").stdout.strip()
        self.assertEqual(self.status(before), 401)
        self.assertEqual(self.status(made), 200)
        self.assertEqual(self.server.token(), made)
        self.server.ym("ps")

    def test_a_file_that_is_deleted_makes_its_token_worthless_at_the_next_start(self):
        before = self.server.token()
        self.server.stop()
        self.server.start()
        self.assertEqual(self.server.token(), before)
        self.server.stop()
        (self.server.state / "admin.token").unlink()
        self.server.start()
        self.assertEqual(self.status(before), 401)
        self.assertEqual(self.status(self.server.token()), 200)

    def test_no_token_is_told_from_a_wrong_one(self):
        none = self.server.ym("ps", check=False, YM_TOKEN_FILE="", YM_URL=self.server.url)
        wrong = self.server.ym("ps", check=False, YM_TOKEN="ym_of_another_server")
        self.assertEqual((none.returncode, wrong.returncode), (4, 4))
        self.assertIn("no token was given", none.stderr)
        self.assertIn("the token of YM_TOKEN was sent", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
