"""Logins at a real OpenID provider: of browsers, of programs without one, and of those beside one."""

import http.server
import json
import os
import re
import stat
import subprocess
import threading
import unittest
import urllib.parse

import harness
import lying_issuer
import openid_provider
import ports

AUTH = """
auth:
  login_ttl: 2h
  issuers:
    - {name: corp, url: "@ISSUER@", client_id: web, client_secret_file: @SECRET@}
  bindings:
    - {role: member, to: "group:vision", scope: site}
    - {role: viewer, to: ada, scope: site}
    - {role: admin, to: root, scope: site}
"""
USERS = {"ada": {"groups": ["vision", "g2"], "name": "Ada L.", "email": "ada@x.test"}, "bob": {"groups": []}}


@unittest.skipIf(openid_provider.MISSING, openid_provider.MISSING)
class LoginTest(harness.ServerTest):
    started = False
    arguments = ["--tls-self-signed"]
    auth, options, client = AUTH, {}, {}

    def setUp(self):
        super().setUp()
        port = ports.free(1)
        self.server.listen = f"127.0.0.1:{port}"
        self.back = f"https://127.0.0.1:{port}/login/callback"
        client = {"client_id": "web", "client_secret": "s3cret", "redirect_uris": [self.back]} | self.client
        self.provider = openid_provider.Provider(self.folder / "idp", [client], USERS, **self.options).start()
        self.addCleanup(self.provider.stop)
        secret = self.folder / "idp.secret"
        secret.write_text("s3cret\n")
        self.server.config = self.folder / "config.yaml"
        self.configure(self.auth)
        self.server.ca = self.server.state / "tls.pem"
        self.server.start()

    def configure(self, auth):
        said = auth.replace("@ISSUER@", self.provider.issuer).replace("@SECRET@", str(self.folder / "idp.secret"))
        self.server.config.write_text(harness.FIVE_NODES + said)

    def browser(self):
        return openid_provider.Browser(ca=self.server.ca)

    def logged_in(self, user="ada", path="/"):
        """A browser with a session."""
        browser = self.browser()
        page = openid_provider.login_at_provider(browser, f"{self.server.url}/login?next={path}", user, self.back)
        return browser, page

    def session(self, browser):
        found = browser.cookie(self.server.url, "__Host-ym")
        return found and found.value

    def whoami(self, token, code=0):
        run = self.server.ym("whoami", "-o", "json", YM_TOKEN=token, YM_TOKEN_FILE="", check=False)
        self.assertEqual(run.returncode, code, run.stderr)
        return json.loads(run.stdout) if code == 0 else None


class OfABrowser(LoginTest):
    def test_a_session(self):
        browser, page = self.logged_in(path="/healthz")
        self.assertEqual((page.status, page.target()), (303, self.server.url + "/healthz"), page)
        lines = page.headers.get_all("Set-Cookie")
        session, csrf, login = (next(line for line in lines if line.startswith(name + "="))
                                for name in ("__Host-ym", "__Host-ym-csrf", "__Host-ym-login"))
        for line, wanted in ((session, ("HttpOnly", "SameSite=Lax")), (csrf, ("SameSite=Strict",)), (login, ("Max-Age=0",))):
            self.assertTrue({"Secure", "Path=/", *wanted} <= set(re.split("; ", line)), line)
            self.assertNotIn("Domain", line)
        self.assertEqual(browser.refused_cookies, [])
        who = self.whoami(self.session(browser))
        self.assertEqual((who["user"], sorted(b["role"] for b in who["bindings"])), ("ada", ["member", "viewer"]))
        answer = browser.request("GET", self.server.url + "/api/v1/whoami", headers={"Accept": "application/json"})
        self.assertEqual((answer.status, answer.json()["user"]), (200, "ada"), "the cookie is the token")
        [row] = [r for r in self.server.json("identity", "list") if r["name"] == "ada"]
        self.assertEqual((row["issuer"], row["subject"], row["display"], row["email"], row["issuer_groups"]),
                         (self.provider.issuer, "ada", "Ada L.", "ada@x.test", ["g2", "vision"]))
        secrets = self.server.log_text() + json.dumps(self.server.json("audit", "list"))
        for secret in (self.session(browser), "s3cret"):
            self.assertNotIn(secret, secrets)

    def test_a_change_needs_a_page_of_this_server(self):
        browser, _ = self.logged_in()
        csrf = browser.cookie(self.server.url, "__Host-ym-csrf").value
        own = {"Origin": self.server.url, "Sec-Fetch-Site": "same-origin", "X-YM-CSRF": csrf,
               "Content-Type": "application/json", "Accept": "application/json"}

        def post(**changes):
            headers = {name: value for name, value in (own | changes).items() if value is not None}
            question = json.dumps({"verb": "nodes.get", "object": "site"})
            return browser.request("POST", self.server.url + "/api/v1/access/check", question, headers).status

        wrong = [{"X-YM-CSRF": None}, {"X-YM-CSRF": csrf[:-1] + "x"}, {"X-YM-CSRF": ""}, {"Origin": "https://evil.test"},
                 {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
                 {"Sec-Fetch-Site": "none"}, {"Origin": None, "Sec-Fetch-Site": None},
                 {"Origin": self.server.url.replace("127.0.0.1", "localhost")}]
        for changes in wrong:
            self.assertIn(post(**changes), (401, 403), changes)
        other, _ = self.logged_in("bob")
        self.assertEqual(post(**{"X-YM-CSRF": other.cookie(self.server.url, "__Host-ym-csrf").value}), 403)
        self.assertEqual(post(), 200, "its own page may")
        self.assertEqual(post(Origin=None), 200, "Sec-Fetch-Site alone says it, too")

    def test_a_logout(self):
        browser, _ = self.logged_in()
        token = self.session(browser)
        csrf = browser.cookie(self.server.url, "__Host-ym-csrf").value
        cross = browser.request("POST", self.server.url + "/logout", {"csrf": csrf}, {"Origin": "https://evil.test"})
        self.assertEqual(cross.status, 403)
        self.whoami(token)
        page = browser.request("POST", self.server.url + "/logout", {"csrf": csrf}, {"Origin": self.server.url})
        self.assertEqual((page.status, self.session(browser)), (200, None))
        self.whoami(token, code=4)

    def test_the_way_back_belongs_to_one_browser_and_counts_once(self):
        mine, hers = self.browser(), self.browser()
        back = openid_provider.login_at_provider(mine, self.server.url + "/login", "ada", self.back, fetch=False)
        self.assertEqual(hers.request("GET", back).status, 400, "another browser")
        fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))
        for changes in ({"state": "x"}, {"state": None}, {"iss": "https://evil.test"}, {"iss": None}):
            left = {name: value for name, value in (fields | changes).items() if value is not None}
            answer = mine.request("GET", self.back + "?" + urllib.parse.urlencode(left))
            self.assertEqual((answer.status, answer.headers.get_all("Set-Cookie")), (400, None), changes)
        again = openid_provider.login_at_provider(mine, self.server.url + "/login", "ada", self.back, fetch=False)
        self.assertEqual(mine.request("GET", again).status, 303)
        self.assertEqual(mine.request("GET", again).status, 400, "a second time")
        denied = self.browser()
        start = denied.request("GET", self.server.url + "/login")
        state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(start.target()).query))["state"]
        said = denied.request("GET", self.back + "?" + urllib.parse.urlencode(
            {"error": "<script>alert(1)</script>", "state": state, "iss": self.provider.issuer}))
        self.assertEqual(said.status, 400)
        self.assertNotIn("<script", said.text())

    def test_it_leads_to_this_server_only(self):
        for path in ("https://evil.test/", "//evil.test", "/\\evil.test", "javascript:alert(1)", "%2F%2Fevil.test"):
            _, page = self.logged_in(path=urllib.parse.quote(path, safe="%"))
            self.assertEqual(page.target(), self.server.url + "/", path)

    def test_the_request_to_the_provider(self):
        asked = self.browser().request("GET", self.server.url + "/login").target()
        self.assertTrue(asked.startswith(self.provider.issuer), asked)
        fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(asked).query))
        self.assertEqual({name: fields[name] for name in ("client_id", "response_type", "code_challenge_method", "scope",
                                                         "redirect_uri")},
                         {"client_id": "web", "response_type": "code", "code_challenge_method": "S256",
                          "scope": "openid profile email", "redirect_uri": self.back})
        for name in ("state", "nonce", "code_challenge"):
            self.assertEqual(len(fields[name]), 43, name)

    def test_three_hundred_groups_and_too_many(self):
        self.provider.set_user("ada", groups=[f"g{n}" for n in range(300)])
        self.assertEqual(self.logged_in()[1].status, 303)
        [row] = [r for r in self.server.json("identity", "list") if r["name"] == "ada"]
        self.assertEqual(len(row["issuer_groups"]), 300)
        self.provider.set_user("ada", groups=None, overage=True)
        refused = self.logged_in()[1]
        self.assertEqual((refused.status, "groups" in refused.text()), (503, True), refused)

    def test_newer_groups_count_for_earlier_logins_too(self):
        browser, _ = self.logged_in()
        self.provider.set_user("ada", groups=["g2"])
        self.logged_in()
        who = self.whoami(self.session(browser))
        self.assertEqual([b["role"] for b in who["bindings"]], ["viewer"])

    def test_rotated_keys_and_a_provider_that_is_away(self):
        self.assertEqual(self.logged_in()[1].status, 303)
        self.provider.rotate_keys()
        browser, page = self.logged_in()
        self.assertEqual(page.status, 303, page)
        self.provider.stop()
        self.whoami(self.session(browser))
        away = openid_provider.Browser(ca=self.server.ca)
        self.assertEqual(away.request("GET", self.server.url + "/login").status, 303, "the keys are known")
        back = away.request("GET", self.back + "?code=x&state=y")
        self.assertEqual(back.status, 400)

    def test_disabled_at_the_provider_and_here(self):
        browser, _ = self.logged_in()
        self.provider.set_user("ada", disabled=True)
        self.assertNotEqual(self.logged_in()[1].url.split("?")[0], self.back)
        self.server.ym("identity", "disable", "ada")
        self.whoami(self.session(browser), code=4)
        self.provider.set_user("ada", disabled=None)
        refused = self.logged_in()[1]
        self.assertEqual((refused.status, self.session(self.browser())), (403, None), refused)


class OfAProgram(LoginTest):
    """`ym login`, as a user runs it."""

    def environment(self, **extra):
        home = self.folder / "laptop"
        home.mkdir(exist_ok=True)
        return harness.clean_environment(HOME=str(home), YM_CA_FILE=str(self.server.ca), **extra)

    def ym(self, *words, code=0, **extra):
        run = subprocess.run([str(harness.BIN / "ym"), *words], env=self.environment(**extra), text=True, capture_output=True,
                             stdin=subprocess.DEVNULL, check=False, timeout=harness.TIMEOUT)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def begin(self, *words, **extra):
        """A login that goes on; what it says goes to a file."""
        said = self.folder / "said"
        with said.open("w") as file:
            process = subprocess.Popen([str(harness.BIN / "ym"), "login", self.server.url, *words], env=self.environment(**extra),
                                       text=True, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        self.addCleanup(process.kill)
        return process, said

    def address(self, said, pattern):
        return harness.wait_for(lambda: re.search(pattern, said.read_text()), lambda: said.read_text()).group(0)

    def test_by_a_code(self):
        process, said = self.begin()
        url = self.address(said, r"https://\S+user_code=\S+")
        code = url.rpartition("=")[2]
        self.assertRegex(code, "^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$")
        browser = self.browser()
        page = openid_provider.login_at_provider(browser, url, "ada", self.back)
        page = browser.follow(page)
        self.assertIn(os.uname().nodename, page.text())
        self.assertIn("ada", page.text())
        self.assertIn("all that you may, for 2h", page.text())
        self.assertIn('href="/logout"', page.text())
        done = browser.submit(page, button="allow")
        self.assertEqual(done.status, 200, done)
        self.assertEqual(process.wait(harness.TIMEOUT), 0, said.read_text())
        self.assertIn("as ada", said.read_text())
        self.ym("ps")
        self.assertEqual(json.loads(self.ym("whoami", "-o", "json").stdout)["user"], "ada")
        kept = self.folder / "laptop/.config/yardmaster/contexts.json"
        self.assertEqual(stat.S_IMODE(kept.stat().st_mode), 0o600)
        self.assertEqual(browser.submit(page, button="allow").status, 404, "a code counts once")
        self.ym("logout")
        self.assertNotIn("ymc_", kept.read_text())

    def test_a_code_that_is_typed_denied_or_wrong(self):
        process, said = self.begin()
        code = self.address(said, r"[B-Z]{4}-[B-Z]{4}")
        browser, _ = self.logged_in()
        page = browser.open(self.server.url + "/device")
        page = browser.submit(page, {"user_code": code.lower().replace("-", " ")}, button="look")
        self.assertEqual(browser.submit(page, button="deny").status, 200)
        self.assertNotEqual(process.wait(harness.TIMEOUT), 0)
        for _ in range(5):
            self.assertEqual(browser.open(self.server.url + "/device?user_code=BBBB-BBBB").status, 404)
        _, said = self.begin()
        code = self.address(said, r"[B-Z]{4}-[B-Z]{4}")
        self.assertEqual(browser.open(self.server.url + f"/device?user_code={code}").status, 404, "five wrong ones are enough")

    def test_another_page_cannot_allow_it(self):
        _, said = self.begin()
        code = self.address(said, r"[B-Z]{4}-[B-Z]{4}")
        browser, _ = self.logged_in()
        page = browser.open(self.server.url + f"/device?user_code={code}")
        self.assertIn("frame-ancestors 'none'", page.headers["Content-Security-Policy"])
        fields = page.forms()[0].fields | {"choice": "allow"}
        for headers, changes in (({"Origin": "https://evil.test"}, {}), ({}, {}), ({"Origin": self.server.url}, {"csrf": ""}),
                                 ({"Origin": self.server.url, "Sec-Fetch-Site": "cross-site"}, {})):
            answer = browser.request("POST", self.server.url + "/device", fields | changes, headers)
            self.assertEqual(answer.status, 403, (headers, changes))
        self.assertEqual(self.browser().request("POST", self.server.url + "/device", fields, {"Origin": self.server.url}).status, 403)

    def test_questions_of_a_program(self):
        def ask(path, **fields):
            status, _, body = self.server.request("POST", path, urllib.parse.urlencode(fields), authenticated=False,
                                                  headers={"Content-Type": "application/x-www-form-urlencoded"})
            return status, json.loads(body)

        grant = "urn:ietf:params:oauth:grant-type:device_code"
        self.assertEqual(ask("/oauth2/device_authorization", client_id="other")[1]["error"], "invalid_client")
        codes = ask("/oauth2/device_authorization", client_id="ym")[1]
        self.assertEqual((codes["interval"], codes["expires_in"]), (5, 600))
        poll = {"grant_type": grant, "device_code": codes["device_code"], "client_id": "ym"}
        self.assertEqual(ask("/oauth2/token", **poll)[1]["error"], "authorization_pending")
        self.assertEqual(ask("/oauth2/token", **poll)[1]["error"], "slow_down")
        self.assertEqual(ask("/oauth2/token", **(poll | {"device_code": "x"}))[1]["error"], "expired_token")
        self.assertEqual(ask("/oauth2/token", **(poll | {"client_id": ""}))[1]["error"], "invalid_client")
        self.assertEqual(ask("/oauth2/token", grant_type="password", client_id="ym")[1]["error"], "unsupported_grant_type")
        told = json.loads(self.server.request("GET", "/.well-known/oauth-authorization-server", authenticated=False)[2])
        self.assertEqual(told["issuer"], self.server.url)
        for name in ("token_endpoint", "device_authorization_endpoint", "authorization_endpoint", "revocation_endpoint"):
            self.assertTrue(told[name].startswith(self.server.url + "/oauth2/"), told)

    def test_by_the_browser_of_this_machine(self):
        process, said = self.begin("--browser", BROWSER="/bin/true")
        url = self.address(said, r"https://\S+/oauth2/authorize\S+")
        browser = self.browser()
        page = openid_provider.login_at_provider(browser, url, "ada", self.back)
        page = browser.follow(page)
        self.assertIn("http://127.0.0.1:*", page.headers["Content-Security-Policy"])
        done = browser.submit(page, button="allow")
        self.assertEqual((done.status, "close this page" in done.text()), (200, True), done)
        self.assertEqual(process.wait(harness.TIMEOUT), 0, said.read_text())
        self.assertEqual(json.loads(self.ym("whoami", "-o", "json").stdout)["user"], "ada")
        code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(done.url).query))["code"]
        again = urllib.parse.urlencode({"grant_type": "authorization_code", "client_id": "ym", "code": code})
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        self.assertEqual(self.server.request("POST", "/oauth2/token", again, form, authenticated=False)[0], 400)
        self.ym("whoami", code=4)
        for changes in ({"redirect_uri": "http://evil.test/"}, {"redirect_uri": "http://127.0.0.1.evil.test:1/"},
                        {"redirect_uri": "http://127.0.0.1:1@evil.test/"}, {"redirect_uri": "http://localhost:1/"},
                        {"code_challenge_method": "plain"}, {"code_challenge": ""}, {"client_id": "x"}, {"response_type": "token"}):
            fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query)) | changes
            answer = browser.request("GET", self.server.url + "/oauth2/authorize?" + urllib.parse.urlencode(fields))
            self.assertEqual((answer.status, answer.target()), (400, None), changes)

    def test_without_a_provider(self):
        self.configure("auth: {bindings: [{role: admin, to: root, scope: site}]}\n")
        self.server.stop()
        self.server.start()
        self.assertIn("auth.issuers", self.ym("login", self.server.url, code=2).stderr)
        self.assertEqual(self.browser().request("GET", self.server.url + "/login").status, 404)


class OfCi(harness.ServerTest):
    """GitHub Actions as a job sees it, and GitLab."""

    started = False

    def setUp(self):
        super().setUp()
        if lying_issuer.MISSING:
            self.skipTest(lying_issuer.MISSING)
        self.issuer = issuer = lying_issuer.LyingIssuer().start()
        self.addCleanup(issuer.stop)
        self.asked = asked = []

        class Actions(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urllib.parse.urlsplit(self.path)
                fields = dict(urllib.parse.parse_qsl(parts.query))
                asked.append((parts.path, fields, self.headers["Authorization"]))
                claims = issuer.claims(aud=fields["audience"], repository_id="456")
                body = json.dumps({"value": issuer.token(claims)}).encode()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        actions = http.server.HTTPServer(("127.0.0.1", 0), Actions)
        threading.Thread(target=actions.serve_forever, daemon=True).start()
        self.addCleanup(actions.shutdown)
        self.actions = f"http://127.0.0.1:{actions.server_port}/token?api-version=2.0"
        self.server.config = self.folder / "config.yaml"
        self.server.config.write_text(harness.FIVE_NODES + f"""
auth:
  exchange:
    - {{name: ci, issuer: "{issuer.issuer}", audience: https://ym.example, require: {{repository_id: "456"}}, service: robot}}
  bindings:
    - {{role: viewer, to: robot, scope: site}}
    - {{role: admin, to: root, scope: site}}
""")
        self.server.start()

    def login(self, *words, code=0, **extra):
        run = subprocess.run([str(harness.BIN / "ym"), "login", self.server.url, "--ci", *words], text=True, capture_output=True,
                             env=harness.clean_environment(HOME=str(self.server.home), **extra), check=False,
                             timeout=harness.TIMEOUT)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def test_github(self):
        self.login("--audience", "https://ym.example", ACTIONS_ID_TOKEN_REQUEST_URL=self.actions,
                   ACTIONS_ID_TOKEN_REQUEST_TOKEN="of-the-job")
        self.assertEqual(self.asked, [("/token", {"api-version": "2.0", "audience": "https://ym.example"}, "Bearer of-the-job")])
        self.assertEqual(self.server.json("whoami", YM_URL="", YM_TOKEN_FILE="")["user"], "robot")
        self.login(code=4, ACTIONS_ID_TOKEN_REQUEST_URL=self.actions, ACTIONS_ID_TOKEN_REQUEST_TOKEN="of-the-job")

    def test_gitlab_and_neither(self):
        token = self.issuer.token(self.issuer.claims(aud="https://ym.example", repository_id="456"))
        self.login(YM_ID_TOKEN=token)
        self.assertIn("once", self.login(code=4, YM_ID_TOKEN=token).stderr)
        self.assertIn("id-token: write", self.login(code=2).stderr)


if __name__ == "__main__":
    unittest.main()
