"""Which server, and with which token."""

import json
import pathlib
import shutil
import tempfile
import unittest

import yardmaster as ym
from yardmaster.discovery import discover


class DiscoveryTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.state = self.folder / "yardmaster"
        self.state.mkdir()
        (self.state / "server.json").write_text('{"url": "http://127.0.0.1:1234", "pid": 1}')
        (self.state / "admin.token").write_text("admin\n")
        (self.folder / "my.token").write_text("mine\n")
        self.here = {"XDG_STATE_HOME": str(self.folder)}

    def test_the_local_server(self):
        found = discover(environment=self.here)
        self.assertEqual((found.url, found.token), ("http://127.0.0.1:1234", "admin"))
        self.assertEqual(discover(environment={"YM_STATE": str(self.state)}), found)
        home = self.folder / "home"
        shutil.copytree(self.state, home / ".local/state/yardmaster")
        self.assertEqual(discover(environment={"HOME": str(home), "XDG_STATE_HOME": "relative"}), found)

    def test_the_admin_token_is_for_that_server_only(self):
        self.assertEqual(discover("http://elsewhere:1", environment=self.here).token, "")
        self.assertEqual(discover("http://127.0.0.1:1234", environment=self.here).token, "admin")

    def test_order(self):
        more = {**self.here, "YM_URL": "http://team:1/", "YM_TOKEN_FILE": str(self.folder / "my.token")}
        self.assertEqual(discover(environment=more), ym.discovery.Endpoint("http://team:1", "mine"))
        self.assertEqual(discover(environment={**more, "YM_TOKEN": "env"}).token, "env")
        found = discover("http://given", "given", {**more, "YM_TOKEN": "env"})
        self.assertEqual((found.url, found.token), ("http://given", "given"))

    def test_the_context_of_a_login(self):
        contexts = {"current": "team", "contexts": {
            "team": {"url": "https://team", "token": "t", "fingerprint": "sha256:1"},
            "other": {"url": "https://other", "token": "o", "ca_file": "/ca"}}}
        (self.folder / "config/yardmaster").mkdir(parents=True)
        path = self.folder / "config/yardmaster/contexts.json"
        path.write_text(json.dumps(contexts))
        here = {**self.here, "XDG_CONFIG_HOME": str(self.folder / "config")}

        def at(url=None, token=None, **more):
            found = discover(url, token, {**here, **more})
            return found.url, found.token, found.trust.ca_file, found.trust.fingerprint

        self.assertEqual(at(), ("https://team", "t", "", "sha256:1"))
        self.assertEqual(at(YM_CONTEXT="other"), ("https://other", "o", "/ca", ""))
        self.assertEqual(at("https://other/"), ("https://other", "o", "/ca", ""))
        self.assertEqual(at("https://elsewhere"), ("https://elsewhere", "", "", ""))
        self.assertEqual(at("https://team", "mine")[:2], ("https://team", "mine"))
        self.assertEqual(at(token="mine", YM_CONTEXT="team"), ("https://team", "mine", "", "sha256:1"))
        with self.assertRaises(ym.Unavailable):
            at(token="mine")  # it may be for another server
        self.assertEqual(at(YM_STATE=str(self.state)), ("http://127.0.0.1:1234", "admin", "", ""))
        with self.assertRaises(ym.Unavailable):
            at(YM_CONTEXT="none")
        path.write_text("{")
        with self.assertRaises(ym.Unavailable):
            at()

    def test_what_is_missing(self):
        with self.assertRaisesRegex(ym.Unavailable, "ym serve"):
            discover(environment={"YM_STATE": str(self.folder / "none")})
        with self.assertRaises(ym.Unavailable):
            discover(environment={})
        with self.assertRaisesRegex(ym.Unauthenticated, "/no/such"):
            discover(environment={**self.here, "YM_TOKEN_FILE": "/no/such"})
        (self.state / "server.json").write_text("{")
        with self.assertRaises(ym.Unavailable):
            discover(environment=self.here)


if __name__ == "__main__":
    unittest.main()
