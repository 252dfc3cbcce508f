"""Logins at Keycloak: what differs from the provider of test_login.py differs here. Skipped where none is installed."""

import json
import re
import subprocess
import unittest

import harness
import keycloak
import openid_provider
import ports

AUTH = """
auth:
  issuers:
    - {name: corp, url: "@ISSUER@", client_id: web, client_secret_file: @SECRET@}
  bindings:
    - {role: member, to: "group:vision", scope: site}
    - {role: viewer, to: ada, scope: site}
    - {role: admin, to: root, scope: site}
"""


@unittest.skipIf(keycloak.MISSING, keycloak.MISSING)
class AtKeycloak(harness.ServerTest):
    started = False
    arguments = ["--tls-self-signed"]

    def setUp(self):
        super().setUp()
        port = ports.free(1)
        self.server.listen = f"127.0.0.1:{port}"
        self.back = f"https://127.0.0.1:{port}/login/callback"
        self.provider = keycloak.Keycloak(self.folder / "keycloak", self.back, {"ada": ["vision"], "bob": []})
        self.addCleanup(self.provider.stop)
        self.provider.start()
        secret = self.folder / "idp.secret"
        secret.write_text(keycloak.SECRET + "\n")
        self.server.config = self.folder / "config.yaml"
        self.server.config.write_text(harness.FIVE_NODES + AUTH.replace("@ISSUER@", self.provider.issuer).replace(
            "@SECRET@", str(secret)))
        self.server.ca = self.server.state / "tls.pem"
        self.server.start()

    def roles_of(self, browser):
        answer = browser.request("GET", self.server.url + "/api/v1/whoami", headers={"Accept": "application/json"})
        self.assertEqual(answer.status, 200, answer)
        return answer.json()["user"], sorted(binding["role"] for binding in answer.json()["bindings"])

    # One test: the provider takes half a minute to start.
    def test_users_and_programs(self):
        browser = openid_provider.Browser(ca=self.server.ca)
        page = keycloak.log_in(browser, self.server.url + "/login?next=/healthz", "ada", self.back)
        self.assertEqual((page.status, page.target()), (303, self.server.url + "/healthz"), page)
        self.assertEqual(self.roles_of(browser), ("ada", ["member", "viewer"]))
        [row] = [row for row in self.server.json("identity", "list") if row["name"] == "ada"]
        self.assertEqual((row["issuer"], row["email"], row["issuer_groups"]),
                         (self.provider.issuer, "ada@x.test", ["vision"]))
        again = browser.open(self.server.url + "/login?next=/healthz", self.back)
        self.assertEqual(again.status, 303, "the provider still knows the user")
        self.a_program_logs_in(browser)
        other = openid_provider.Browser(ca=self.server.ca)
        self.assertEqual(keycloak.log_in(other, self.server.url + "/login", "bob", self.back).status, 303)
        self.assertEqual(self.roles_of(other), ("bob", []), "Keycloak leaves the claim out where it is empty")

    def a_program_logs_in(self, browser):
        home, said = self.folder / "laptop", self.folder / "said"
        home.mkdir()
        environment = harness.clean_environment(HOME=str(home), YM_CA_FILE=str(self.server.ca))
        ym = str(harness.BIN / "ym")
        with said.open("w") as file:
            process = subprocess.Popen([ym, "login", self.server.url], env=environment, stdin=subprocess.DEVNULL, stdout=file,
                                       stderr=file)
        self.addCleanup(process.kill)
        url = harness.wait_for(lambda: re.search(r"https://\S+user_code=\S+", said.read_text()), said.read_text).group(0)
        self.assertEqual(browser.submit(browser.open(url), button="allow").status, 200)
        self.assertEqual(process.wait(harness.TIMEOUT), 0, said.read_text())
        who = subprocess.run([ym, "whoami", "-o", "json"], env=environment, text=True, capture_output=True, check=True)
        self.assertEqual(json.loads(who.stdout)["user"], "ada")


if __name__ == "__main__":
    unittest.main()
