"""Users log in by their accounts on a machine: at the server's Unix socket, and by MUNGE."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest
import urllib.parse

import harness

# Accounts that each Debian has, with a group of their own name.
ONE, TWO, SYSTEM = ("www-data", 33), ("backup", 34), ("games", 5)

CONFIG = harness.FIVE_NODES + """
auth:
  accounts: {ways, least_uid: 30, groups_prefix: "unix:"}
  bindings:
    - {role: member, to: "group:unix:www-data", scope: site}
    - {role: queue-user, to: "group:unix:www-data", scope: "queue:default"}
    - {role: viewer, to: backup, scope: site}
"""


@unittest.skipIf(os.geteuid() != 0, "to become other users takes root")
class Accounts(harness.ServerTest):
    started = False

    def setUp(self):
        super().setUp()
        # The checkout and the test's folder may be root's alone.
        self.open = pathlib.Path(tempfile.mkdtemp(prefix="ymacc-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.open, ignore_errors=True)
        self.open.chmod(0o755)
        shutil.copy(harness.BIN / "ym", self.open)
        self.socket = self.open / "api.sock"
        self.server.arguments += ["--socket", str(self.socket)]

    def start(self, ways):
        self.server.config = self.folder / "config.yaml"
        self.server.config.write_text(CONFIG.replace("{ways", "{" + ways))
        self.server.start()

    def ym(self, account, *words, code=0):
        """As this user, with a home of its own."""
        name, uid = account
        home = self.open / name
        if not home.exists():
            home.mkdir()
            os.chown(home, uid, uid)
        run = subprocess.run(["setpriv", f"--reuid={uid}", f"--regid={uid}", "--init-groups", self.open / "ym", *words],
                             capture_output=True, text=True, timeout=harness.TIMEOUT, cwd="/",
                             env=harness.clean_environment(HOME=str(home)))
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def whoami(self, account):
        who = json.loads(self.ym(account, "whoami", "-o", "json").stdout)
        return who["user"], sorted(b["role"] for b in who["bindings"])

    def logins(self):
        return [(r["actor"], r["outcome"], r.get("source")) for r in self.server.json("audit", "list") if r["verb"] == "login"]


class Socket(Accounts):
    def test_the_kernel_says_which_user_asks(self):
        self.start("socket: true")
        url = f"unix:{self.socket}"
        for account, roles in ((ONE, ["member", "queue-user"]), (TWO, ["viewer"])):
            self.ym(account, "login", url)
            self.assertEqual(self.whoami(account), (account[0], roles))
        # A member of the group submits through the socket; the other one may only look.
        job = self.open / "job.yaml"
        job.write_text("run: 'true'\n")
        self.ym(ONE, "submit", job)
        self.ym(TWO, "submit", job, code=5)
        self.assertEqual(self.ym(TWO, "ps", "--all").stdout.count("www-data"), 1)
        self.assertEqual(self.logins(), [("www-data", "done", "uid:33"), ("backup", "done", "uid:34")])
        # Accounts of the system have no rights, and neither has the server's own.
        for uid in (SYSTEM, ("root", 0)):
            self.ym(uid, "login", url, code=4)
        self.ym(ONE, "logout")
        self.ym(ONE, "whoami", code=6)

    def test_an_account_is_no_proof_by_another_way(self):
        self.start("socket: true")
        body = urllib.parse.urlencode({"grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
                                       "subject_token_type": "urn:yardmaster:token-type:account"})
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        status, _, answer = self.server.request("POST", "/oauth2/token", body, form, authenticated=False)
        self.assertEqual((status, json.loads(answer)["error"]), (400, "invalid_request"))
        # Without a login, the socket gives no more than the port does.
        with socket.socket(socket.AF_UNIX) as raw:
            raw.connect(str(self.socket))
            raw.sendall(b"GET /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            self.assertIn(b" 401 ", raw.recv(4096).split(b"\r\n")[0])

    def test_without_the_setting_no_account_logs_in(self):
        self.start("munge: true")
        self.ym(ONE, "login", f"unix:{self.socket}", code=4)

    def test_the_socket_is_replaced_after_a_kill_and_gone_after_an_end(self):
        self.start("socket: true")
        self.assertEqual(self.socket.stat().st_mode & 0o777, 0o666)
        self.server.kill()
        self.server.start()
        self.ym(ONE, "login", f"unix:{self.socket}")
        other = harness.Server(self.folder / "other", arguments=["--socket", str(self.socket)])
        self.addCleanup(other.close)
        other.spawn()
        self.assertEqual(other.process.wait(harness.TIMEOUT), 1, "another server listens there")
        self.assertIn("--socket", other.log_text())
        self.assertEqual(self.whoami(ONE)[0], "www-data")
        self.server.stop()
        self.assertFalse(self.socket.exists())
        self.socket.write_text("no socket")
        other.spawn()
        self.assertEqual(other.process.wait(harness.TIMEOUT), 1)
        self.assertEqual(self.socket.read_text(), "no socket")


@unittest.skipUnless(shutil.which("munged", path="/usr/sbin:/usr/bin"), "MUNGE is not installed (package munge)")
class Munge(Accounts):
    def munged(self, name, key=None):
        """A daemon with a key; its socket."""
        folder = self.open / name
        folder.mkdir()
        path = folder / "key"
        path.write_bytes(key or os.urandom(128))
        path.chmod(0o600)
        subprocess.run(["/usr/sbin/munged", "--force", "--num-threads=2", f"--socket={folder}/socket", f"--key-file={path}",
                        f"--pid-file={folder}/pid", f"--log-file={folder}/log", f"--seed-file={folder}/seed"],
                       check=True, capture_output=True, timeout=harness.TIMEOUT)
        self.addCleanup(os.kill, int((folder / "pid").read_text()), signal.SIGTERM)
        return folder / "socket"

    def credential(self, account, at, payload):
        return subprocess.run(["setpriv", f"--reuid={account[1]}", f"--regid={account[1]}", "--clear-groups", "munge",
                               f"--socket={at}", f"--string={payload}"], check=True, capture_output=True, text=True).stdout.strip()

    def exchange(self, credential):
        body = urllib.parse.urlencode({"grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
                                       "subject_token_type": "urn:yardmaster:token-type:munge", "subject_token": credential})
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        status, _, answer = self.server.request("POST", "/oauth2/token", body, form, authenticated=False)
        return status, json.loads(answer)

    def test_machines_with_the_same_key_say_which_user_asks(self):
        key = os.urandom(128)
        # Two daemons with one key are two machines: the one where the user is, and the server's.
        login_node, own = self.munged("login-node", key), self.munged("own", key)
        self.start(f"munge: true, munge_socket: {own}")
        for account, roles in ((ONE, ["member", "queue-user"]), (TWO, ["viewer"])):
            self.ym(account, "login", self.server.url, "--munge", "--munge-socket", login_node)
            self.assertEqual(self.whoami(account), (account[0], roles))
        for uid in (SYSTEM, ("root", 0)):
            self.ym(uid, "login", self.server.url, "--munge", "--munge-socket", login_node, code=4)
        self.ym(ONE, "login", self.server.url, "--munge", "--munge-socket", "/nonexistent", code=6)

        # Each credential counts once, and for this server only.
        payload = f"yardmaster login\n{self.server.url}\n0123456789abcdef0123"
        good = self.credential(ONE, login_node, payload)
        self.assertEqual(self.exchange(good)[0], 200)
        self.assertEqual(self.exchange(good)[1]["error"], "invalid_grant")
        again = self.credential(ONE, login_node, payload)
        self.assertEqual(self.exchange(again)[1]["error"], "invalid_grant", "the same random text")
        foreign = self.munged("foreign")
        for name, wrong in {"of another key": self.credential(ONE, foreign, payload),
                            "for another server": self.credential(ONE, login_node, payload.replace("127", "126")),
                            "for another purpose": self.credential(ONE, login_node, "slurm"),
                            "nearly no random text": self.credential(ONE, login_node, payload[:-19]),
                            "no credential": "MUNGE:nonsense:"}.items():
            status, answer = self.exchange(wrong)
            self.assertEqual((status, answer["error"]), (400, "invalid_grant"), f"{name}: {answer}")

    def test_without_its_daemon_nothing_is_decided(self):
        self.start("munge: true, munge_socket: /nonexistent")
        status, answer = self.exchange("MUNGE:AwQDAAA=:")
        self.assertEqual((status, answer["error"]), (503, "temporarily_unavailable"), answer)


if __name__ == "__main__":
    unittest.main()
