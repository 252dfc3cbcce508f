"""Logins in a real browser: what it keeps, shows and sends, and what pages of others can do with it."""

import http.server
import os
import re
import shutil
import ssl
import subprocess
import threading
import unittest

import certificates
import chromium
import harness
import openid_provider
import ports

AUTH = """
auth:
  issuers:
    - {name: corp, url: "@ISSUER@", client_id: web, client_secret_file: @SECRET@}
  bindings:
    - {role: viewer, to: ada, scope: site}
    - {role: admin, to: root, scope: site}
"""
USERS = {"ada": {"groups": [], "name": "Ada L."}}
CODE = r"[B-Z]{4}-[B-Z]{4}"

# A page of ours as a script of it sees it. Scripts that the driver runs are not subject to the page's policy.
CSRF = "document.cookie.match(/__Host-ym-csrf=([^;]+)/)[1]"
POST_FORM = """
const form = document.createElement("form");
form.method = "post"; form.action = arguments[0];
for (const [name, value] of Object.entries(arguments[1])) {
  const input = document.createElement("input");
  input.name = name; input.value = value; form.append(input);
}
document.body.append(form);
form.submit();
"""
FETCH = """
return fetch(arguments[0], {credentials: "include", ...arguments[1]})
  .then(async answer => [answer.status, answer.type, await answer.text()], error => ["refused", String(error), ""]);
"""


class OtherSite:
    """Pages of another origin, by TLS: empty, or with a frame around `?frame=URL`."""

    def __init__(self, certificate, key):
        class Pages(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                frame = re.search(r"frame=(\S+)", self.path)
                inside = f'<iframe src="{frame[1]}" width="600" height="400"></iframe>' if frame else ""
                body = f"<!doctype html><title>Other</title><body><p>another site</p>{inside}</body>".encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@unittest.skipIf(chromium.MISSING or openid_provider.MISSING or certificates.MISSING,
                 chromium.MISSING or openid_provider.MISSING or certificates.MISSING)
class BrowserTest(harness.ServerTest):
    """The server is `localhost`, its provider on 127.0.0.1, and `evil.test` is another site: three sites to a browser."""

    started = False

    def setUp(self):
        super().setUp()
        authority = certificates.Authority(self.folder / "pki")
        certificate, key = authority.issue("server", "DNS:localhost,DNS:evil.test,IP:127.0.0.1")
        port = ports.free(1)
        self.place = f"https://localhost:{port}"
        client = {"client_id": "web", "client_secret": "s3cret", "redirect_uris": [self.place + "/login/callback"]}
        self.provider = openid_provider.Provider(self.folder / "idp", [client], USERS).start()
        self.addCleanup(self.provider.stop)
        secret = self.folder / "idp.secret"
        secret.write_text("s3cret\n")
        self.server.config = self.folder / "config.yaml"
        self.server.config.write_text(harness.FIVE_NODES + AUTH.replace("@ISSUER@", self.provider.issuer).replace(
            "@SECRET@", str(secret)))
        self.server.listen = f"127.0.0.1:{port}"
        self.server.arguments = ["--tls-cert", str(certificate), "--tls-key", str(key), "--advertise-url", self.place]
        self.server.ca = authority.ca
        self.server.start()
        self.other = OtherSite(certificate, key)
        self.addCleanup(self.other.stop)
        self.browser = chromium.Chromium(self.folder / "chromium", authority.ca, {"evil.test": "127.0.0.1"}).start()
        self.addCleanup(self.browser.stop)

    # --- steps
    def at_provider(self):
        """Logs in at the provider, where the browser is now, and comes back."""
        browser = self.browser
        harness.wait_for(lambda: browser.url().startswith(self.provider.issuer), browser.url)
        browser.type("input[name=login]", "ada")
        browser.type("input[name=password]", "any")
        browser.click("button[type=submit]")
        harness.wait_for(lambda: not browser.has("input[name=login]"), browser.text)
        if browser.url().startswith(self.provider.issuer):
            browser.click("button[type=submit]")
        harness.wait_for(lambda: not browser.url().startswith(self.provider.issuer), browser.url)
        browser.console()

    def log_in(self, path="/device"):
        self.browser.open(f"{self.place}/login?next={path}")
        self.at_provider()

    def begin(self, *words):
        """`ym login`, which goes on; what it prints goes to a file."""
        said, home = self.folder / "said", self.folder / "laptop"
        home.mkdir(exist_ok=True)
        environment = harness.clean_environment(HOME=str(home), YM_CA_FILE=str(self.server.ca), BROWSER="/bin/true")
        with said.open("w") as file:
            process = subprocess.Popen([str(harness.BIN / "ym"), "login", self.place, *words], env=environment, text=True,
                                       stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        self.addCleanup(process.kill)
        return process, said

    def printed(self, said, pattern):
        return harness.wait_for(lambda: re.search(pattern, said.read_text()), said.read_text).group(0)

    def session(self):
        return self.browser.cookies()["__Host-ym"]["value"]

    def is_logged_in(self, token):
        status, _, _ = self.server.request("GET", "/api/v1/whoami", authenticated=False,
                                           headers={"Authorization": f"Bearer {token}"})
        return status == 200

    def look(self, name):
        """The page has no errors; a picture of it goes to the test's folder."""
        self.assertEqual(self.browser.console(), [], f"{name}: {self.browser.url()}")
        self.browser.screenshot(self.folder / f"{name}.png")

    def tearDown(self):
        if kept := os.environ.get("YM_KEEP_PICTURES"):
            for picture in self.folder.glob("*.png"):
                shutil.copy(picture, kept)
        super().tearDown()


class OfAUser(BrowserTest):
    def test_a_login_and_what_the_browser_keeps(self):
        self.log_in()
        self.assertEqual(self.browser.url(), self.place + "/device")
        cookies = self.browser.cookies()
        self.assertEqual(sorted(cookies), ["__Host-ym", "__Host-ym-csrf"])
        for name, (hidden, site) in {"__Host-ym": (True, "Lax"), "__Host-ym-csrf": (False, "Strict")}.items():
            kept = cookies[name]
            self.assertEqual((kept["secure"], kept["httpOnly"], kept["sameSite"], kept["path"], kept["domain"]),
                             (True, hidden, site, "/", "localhost"), name)
        self.assertEqual(self.browser.script("return document.cookie"), "__Host-ym-csrf=" + cookies["__Host-ym-csrf"]["value"])
        self.look("code")
        self.assertTrue(self.is_logged_in(self.session()))

    def test_a_code_that_is_typed_and_denied(self):
        process, said = self.begin()
        code = self.printed(said, CODE)
        self.log_in()
        self.browser.type("input[name=user_code]", code.lower().replace("-", " "))
        self.browser.click("button[value=look]")
        self.browser.wait_text(code)
        self.look("allow")
        self.browser.click("button[value=deny]")
        self.browser.wait_text("Denied")
        self.look("denied")
        self.assertNotEqual(process.wait(harness.TIMEOUT), 0)

    def test_the_whole_address_and_allowed(self):
        process, said = self.begin()
        self.browser.open(self.printed(said, r"https://\S+user_code=\S+"))
        self.at_provider()
        self.browser.wait_text("ada")
        self.browser.click("button[value=allow]")
        self.browser.wait_text("Allowed")
        self.look("allowed")
        self.assertEqual(process.wait(harness.TIMEOUT), 0, said.read_text())
        self.browser.open(f"{self.place}/device?user_code=BBBB-BBBB")
        self.browser.wait_text("No program waits")
        self.browser.screenshot(self.folder / "no-program.png")

    def test_a_program_of_this_machine(self):
        process, said = self.begin("--browser")
        self.browser.open(self.printed(said, r"https://\S+/oauth2/authorize\S+"))
        self.at_provider()
        self.browser.wait_text("ada")
        self.look("loopback")
        self.browser.click("button[value=allow]")
        self.browser.wait_text("close this page")
        self.assertRegex(self.browser.url(), r"^http://127\.0\.0\.1:\d+/callback\?")
        self.assertEqual(process.wait(harness.TIMEOUT), 0, said.read_text())

    def test_a_program_of_this_machine_is_denied(self):
        process, said = self.begin("--browser")
        self.browser.open(self.printed(said, r"https://\S+/oauth2/authorize\S+"))
        self.at_provider()
        self.browser.click("button[value=deny]")
        self.assertNotEqual(process.wait(harness.TIMEOUT), 0, said.read_text())

    def test_a_logout(self):
        self.log_in()
        token = self.session()
        self.browser.open(self.place + "/device")
        self.browser.click("a[href='/logout']")
        self.look("logout")
        self.browser.click("button[value=logout]")
        self.browser.wait_text("Logged out")
        self.look("logged-out")
        self.assertEqual(self.browser.cookies(), {})
        self.assertFalse(self.is_logged_in(token))
        # Its provider would log it in again without a question.
        self.provider.set_user("ada", disabled=True)
        self.browser.back()
        self.browser.back()
        self.assertNotIn("Type the code", self.browser.text(), "no page of before is kept")
        self.browser.open(self.place + "/device")
        self.assertTrue(self.browser.url().startswith(self.provider.issuer), self.browser.url())


class OfAnotherSite(BrowserTest):
    """Another site, and another port of the same host: to that one a browser sends even cookies that are Strict."""

    def setUp(self):
        super().setUp()
        self.others = [f"https://{host}:{self.other.port}/" for host in ("evil.test", "localhost")]

    def test_it_cannot_change_anything(self):
        process, said = self.begin()
        code = self.printed(said, CODE)
        self.log_in()
        token = self.session()
        csrf = self.browser.script(f"return {CSRF}")
        for other in self.others:
            for path, fields in (("/logout", {"csrf": csrf}),
                                 ("/device", {"csrf": csrf, "user_code": code, "choice": "allow"}),
                                 ("/oauth2/authorize", {"csrf": csrf, "client_id": "ym", "response_type": "code",
                                                        "code_challenge": "x", "code_challenge_method": "S256",
                                                        "redirect_uri": f"http://127.0.0.1:{self.other.port}/", "state": "x",
                                                        "choice": "allow"})):
                self.browser.open(other)
                self.browser.script(POST_FORM, self.place + path, fields)
                harness.wait_for(lambda: self.browser.url() != other, self.browser.url)
                self.assertEqual(self.browser.url(), self.place + path, "it leads to no further page")
                self.browser.wait_text("another site may not change anything")
                self.assertTrue(self.is_logged_in(token), (other, path))
        self.assertIsNone(process.poll(), said.read_text())

    def test_it_cannot_read_or_ask(self):
        self.log_in()
        csrf = self.browser.script(f"return {CSRF}")
        for other in self.others:
            self.browser.open(other)
            for path, options in (("/api/v1/whoami", {}), ("/device", {}),
                                  ("/api/v1/access/check", {"method": "POST", "body": "{}"}),
                                  ("/api/v1/access/check", {"method": "POST", "body": "{}",
                                                            "headers": {"X-YM-CSRF": csrf, "Content-Type": "application/json"}})):
                self.assertEqual(self.browser.script(FETCH, self.place + path, options)[0], "refused", (other, path, options))
            # It may send such a request, but the answer is no news to it.
            self.assertEqual(self.browser.script(FETCH, self.place + "/api/v1/whoami", {"mode": "no-cors"})[:2], [0, "opaque"])

    def test_it_cannot_frame_our_pages(self):
        self.log_in()
        for other in self.others:
            # To another site our session is not sent, so there /device only leads to the provider.
            for path in ("/logout",) if "evil" in other else ("/device", "/logout"):
                self.browser.console()
                self.browser.open(f"{other}?frame={self.place}{path}")
                harness.wait_for(lambda: any("frame-ancestors" in line for line in self.browser.console()), path)
                self.browser.do("frame", id=0)
                self.assertNotIn("code", self.browser.text())
                self.assertFalse(self.browser.has("form"))
                self.browser.do("frame", id=None)


class OfOurPages(BrowserTest):
    def test_a_change_needs_the_value_that_only_they_can_read(self):
        self.log_in()
        # Our pages have no scripts. Those of a user interface would come from the same origin.
        self.browser.tool("Page.enable")
        self.browser.tool("Page.setBypassCSP", enabled=True)
        self.browser.open(self.place + "/device")
        question = {"method": "POST", "body": '{"verb": "nodes.get", "object": "site"}'}

        def change(**headers):
            options = question | {"headers": {"Content-Type": "application/json"} | headers}
            return self.browser.script(FETCH, "/api/v1/access/check", options)[0]

        csrf = self.browser.script(f"return {CSRF}")
        self.assertEqual(self.browser.script(FETCH, "/api/v1/whoami", {})[0], 200)
        self.assertEqual([change(), change(**{"X-YM-CSRF": csrf[:-1]}), change(**{"X-YM-CSRF": csrf})], [403, 403, 200])

    def test_their_policy_stops_scripts(self):
        self.log_in()
        self.browser.script("""
            const script = document.createElement("script");
            script.textContent = "document.title = 'ran'"; document.body.append(script);
            const image = document.createElement("img");
            image.src = arguments[0]; document.body.append(image);""", f"https://evil.test:{self.other.port}/x.png")
        harness.wait_for(lambda: len(self.browser.console()) >= 1, "what the policy refused")
        self.assertNotEqual(self.browser.script("return document.title"), "ran")
        self.assertEqual(self.browser.script(FETCH, "/api/v1/whoami", {})[0], "refused")


if __name__ == "__main__":
    unittest.main()
