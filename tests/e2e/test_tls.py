"""TLS: the server's certificate, its replacement, what clients trust, and certificates in place of tokens."""

import http.client
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import unittest

import certificates
import harness

SDK = harness.ROOT / "sdk/python"


def own_address():
    """An address of this machine that is not loopback; None: it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]


class SelfSigned(harness.ServerTest):
    """One machine without an authority."""

    config = harness.FIVE_NODES
    arguments = ["--tls-self-signed"]

    def setUp(self):
        super().setUp()
        self.server.ca = self.server.state / "tls.pem"
        self.server.url = self.server.url.replace("http://", "https://")
        record = self.server.state / "server.json"
        harness.wait_for(record.exists, "server.json, which comes after the port file")
        self.record = json.loads(record.read_text())

    def test_clients_of_this_machine_need_nothing(self):
        self.assertTrue(self.record["url"].startswith("https://127.0.0.1:"))
        here = harness.clean_environment(HOME=str(self.server.home), YM_STATE=str(self.server.state))
        run = subprocess.run([harness.BIN / "ym", "whoami"], env=here, text=True, capture_output=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        program = "import yardmaster; print(len(list(yardmaster.Client().list())))"
        run = subprocess.run([sys.executable, "-c", program], env=here | {"PYTHONPATH": str(SDK)}, text=True,
                             capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (0, "0\n"), run.stderr)

    def test_elsewhere_the_fingerprint_is_enough_and_another_one_is_refused(self):
        away = {"YM_CA_FILE": "", "YM_TOKEN": self.server.token(), "YM_TOKEN_FILE": ""}
        pin = self.record["fingerprint"]
        self.assertEqual(self.server.ym("ps", "--fingerprint", pin, **away).returncode, 0)
        self.assertEqual(self.server.ym("ps", YM_FINGERPRINT=pin.upper().replace("SHA256", "sha256"), **away).returncode, 0)
        other = pin[:-1] + ("0" if pin[-1] != "0" else "1")
        self.assertEqual(self.server.ym("ps", "--fingerprint", other, check=False, **away).returncode, 6)
        self.assertEqual(self.server.ym("ps", check=False, **away).returncode, 6, "no authority of the system signed it")
        self.assertEqual(self.server.ym("ps", "--fingerprint", "sha256:12", check=False, **away).returncode, 2)
        plain = self.server.ym("ps", "--fingerprint", pin, "--url", "http://127.0.0.1:1", check=False, **away)
        self.assertEqual(plain.returncode, 2, "a pin needs https")
        for given, fails in ((pin, False), (other, True), ("", True)):
            run = subprocess.run([sys.executable, "-c", "import yardmaster; list(yardmaster.Client(retries=0).list())"], text=True,
                                 env=self.server.environment(PYTHONPATH=str(SDK), YM_FINGERPRINT=given, YM_CA_FILE=""),
                                 capture_output=True, check=False)
            self.assertEqual(run.returncode != 0, fails, run.stderr)

    def test_a_job_reports(self):
        job = self.server.submit({"name": "train", "run": f"exec {sys.executable} {self.script_of_progress()}",
                                  "env": {"PYTHONPATH": str(SDK)}})
        harness.wait_for(lambda: [a["progress"]["step"] for a in self.server.get(job)["attempts"] if a["progress"]] == [7],
                         lambda: f"progress by https: {self.server.story_of(job)}")
        self.server.ym("cancel", job)
        self.server.wait_state(job, "CANCELLED")

    def script_of_progress(self):
        """Posts a report as the contract says, and waits."""
        path = self.folder / "report.py"
        path.write_text("import json, os, ssl, time, urllib.request\n"
                        "token = open(os.environ['YM_TOKEN_FILE']).read().strip()\n"
                        "ask = urllib.request.Request(os.environ['YM_PROGRESS_URL'], json.dumps({'step': 7}).encode(),\n"
                        "    {'Authorization': 'Bearer ' + token, 'Content-Type': 'application/json'})\n"
                        "urllib.request.urlopen(ask, context=ssl.create_default_context(cafile=os.environ['YM_JOB_CA_FILE']))\n"
                        "time.sleep(600)\n")
        return path

    def test_its_certificate_and_its_jobs_outlive_it(self):
        key = self.server.state / "tls.key"
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)
        self.server.kill()
        self.server.start()
        again = json.loads((self.server.state / "server.json").read_text())
        self.assertEqual(again["fingerprint"], self.record["fingerprint"])
        self.assertEqual(self.server.api("GET", "/jobs")[0], 200)


@unittest.skipIf(certificates.MISSING, certificates.MISSING)
class OfAnAuthority(harness.ServerTest):
    config = harness.FIVE_NODES
    started = False

    def setUp(self):
        super().setUp()
        self.authority = certificates.Authority(self.folder / "tls")
        self.server.ca = self.authority.ca
        # As Kubernetes mounts a secret: a link to the folder of the present version.
        self.mount = self.folder / "mount"
        self.mount.mkdir()
        self.version = 0
        self.put(*self.authority.issue("server", "IP:127.0.0.1,DNS:localhost"))
        self.server.arguments = ["--tls-cert", str(self.mount / "tls.crt"), "--tls-key", str(self.mount / "tls.key"),
                                 "--tls-ca", str(self.authority.ca)]

    def put(self, certificate, key):
        self.version += 1
        folder = self.mount / f"..{self.version}"
        folder.mkdir()
        shutil.copy(certificate, folder / "tls.crt")
        shutil.copy(key, folder / "tls.key")
        (self.mount / "..new").symlink_to(folder)
        os.replace(self.mount / "..new", self.mount / "..data")
        for name in ("tls.crt", "tls.key"):
            if not (self.mount / name).is_symlink():
                (self.mount / name).symlink_to(pathlib.Path("..data") / name)

    def shown(self):
        """The certificate of a new connection."""
        context = ssl.create_default_context(cafile=self.authority.ca)
        with socket.create_connection(("127.0.0.1", self.port())) as plain:
            with context.wrap_socket(plain, server_hostname="127.0.0.1") as tls:
                return ssl.DER_cert_to_PEM_cert(tls.getpeercert(binary_form=True))

    def port(self):
        return int(self.server.listen.rsplit(":", 1)[1])

    def s_client(self, *words):
        return subprocess.run(["openssl", "s_client", "-connect", self.server.listen, "-CAfile", str(self.authority.ca), *words],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=harness.TIMEOUT)

    def test_it_warns_of_names_that_the_certificate_lacks(self):
        self.server.arguments += ["--advertise-url", "https://ym.example:8470"]
        self.server.start()
        harness.wait_for(lambda: "the certificate does not name ym.example" in self.server.log_text(), "a warning in the log")

    def test_versions_and_protocols(self):
        self.server.start()
        for version in ("-tls1_2", "-tls1_3"):
            run = self.s_client(version, "-alpn", "h2,http/1.1", "-verify_return_error")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("ALPN protocol: http/1.1", run.stdout)
        for words in (("-tls1", "-cipher", "ALL:@SECLEVEL=0"), ("-tls1_1", "-cipher", "ALL:@SECLEVEL=0"), ("-alpn", "h2"),
                      ("-tls1_2", "-cipher", "NULL:EXPORT:RC4:3DES:@SECLEVEL=0"),
                      ("-tls1_2", "-cipher", "ALL:!AESGCM:!CHACHA20:@SECLEVEL=0"), ("-tls1_2", "-cipher", "kRSA:DHE")):
            self.assertNotEqual(self.s_client(*words).returncode, 0, words)
        for cipher in ("ECDHE+AESGCM", "ECDHE+CHACHA20"):
            self.assertEqual(self.s_client("-tls1_2", "-cipher", cipher).returncode, 0, cipher)

    def test_clients_refuse_a_wrong_name_and_an_expired_certificate(self):
        self.put(*self.authority.issue("other", "DNS:other.test"))
        self.server.start()
        self.assertIn("IP address mismatch", self.server.ym("ps", check=False).stderr)
        self.put(*self.authority.issue("late", "IP:127.0.0.1", days=-1))
        harness.wait_for(lambda: "expired" in self.server.ym("ps", check=False).stderr, "the expired certificate")
        harness.wait_for(lambda: "the certificate has expired" in self.server.log_text(), "a warning in the log")

    def test_a_new_certificate_under_a_hundred_streams(self):
        self.server.start()
        streams = [self.stream() for _ in range(100)]
        before = self.shown()
        self.put(*self.authority.issue("next", "IP:127.0.0.1"))
        harness.wait_for(lambda: self.shown() != before, "the new certificate")
        digits = certificates.fingerprint(self.authority.folder / "next.pem").replace(":", "").lower()
        record = self.server.state / "server.json"
        harness.wait_for(lambda: json.loads(record.read_text())["fingerprint"] == f"sha256:{digits}",
                         "its fingerprint in server.json")
        job = self.server.submit({"name": "seen", "run": "true"})
        for answer in streams:
            seen = b""
            while job.encode() not in seen:
                piece = answer.read1(65536)
                self.assertTrue(piece, "a stream ended")
                seen += piece

    def stream(self):
        connection = self.server.connection()
        self.addCleanup(connection.close)
        connection.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {self.server.token()}",
                                                              "Accept": "text/event-stream"})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        return answer

    def test_half_a_certificate_changes_nothing(self):
        self.server.start()
        before = self.shown()
        certificate, key = self.authority.issue("next", "IP:127.0.0.1")
        half = self.folder / "half.pem"
        half.write_text(certificate.read_text()[:200])
        self.put(half, key)
        harness.wait_for(lambda: "the certificate stays the earlier one" in self.server.log_text(), "the error in the log")
        self.assertEqual(self.shown(), before)
        # What changes no content is seen, too: a file that the server may not read yet.
        os.chmod(half, 0o644)
        self.put(certificate, key)
        harness.wait_for(lambda: self.shown() != before, "the whole one")
        self.server.kill()
        self.put(half, key)
        self.assertEqual(self.server.spawn().wait(harness.TIMEOUT), 2)
        self.assertIn(str(self.mount / "tls.crt"), self.server.log_text())

    def test_a_service_account_shows_a_certificate_in_place_of_a_token(self):
        self.server.arguments += ["--tls-client-ca", str(self.authority.ca)]
        self.server.config.write_text(self.config + "auth:\n  bindings:\n    - {role: viewer, to: robot, scope: site}\n"
                                      "    - {role: admin, to: ann, scope: site}\n")
        self.server.start()
        self.server.ym("token", "create", "--for", "ci", "--service")
        self.server.ym("role", "bind", "viewer", "--to", "ci", "--scope", "site")
        self.server.ym("token", "create", "--for", "bob")

        def ask(name, uri, method="GET", path="/api/v1/jobs", body=None, usage="clientAuth", token=None):
            context = ssl.create_default_context(cafile=self.authority.ca)
            context.load_cert_chain(*self.authority.issue(name, f"URI:{uri}", usage=usage))
            connection = http.client.HTTPSConnection("127.0.0.1", self.port(), context=context, timeout=harness.TIMEOUT)
            try:
                connection.request(method, path, body=body, headers={"Authorization": f"Bearer {token}"} if token else {})
                answer = connection.getresponse()
                return answer.status, json.loads(answer.read() or b"{}")
            finally:
                connection.close()

        self.assertEqual(ask("ci", "yardmaster:service:ci")[0], 200)
        who = ask("ci", "yardmaster:service:ci", path="/api/v1/whoami")
        self.assertEqual((who[0], who[1].get("user")), (200, "ci"), who)
        self.assertEqual(ask("ci", "yardmaster:service:ci", "POST", "/api/v1/nodes/n1/drain")[0], 403)
        for other in ("yardmaster:service:none", "yardmaster:service:bob", "yardmaster:service:", "yardmaster:ci", "spiffe://ci"):
            self.assertEqual(ask("other", other)[0], 401, other)
        self.assertEqual(ask("ci", "yardmaster:service:ci", token="wrong")[0], 401, "a token that is sent decides")
        with self.assertRaises((ssl.SSLError, OSError)):
            ask("ci", "yardmaster:service:ci", usage="serverAuth")
        with self.assertRaises((ssl.SSLError, OSError)):
            stranger = certificates.Authority(self.folder / "stranger")
            self.authority, own = stranger, self.authority
            stranger.ca = own.ca
            ask("ci", "yardmaster:service:ci")


class Plain(harness.ServerTest):
    started = False

    def test_a_network_needs_tls_or_a_proxy(self):
        self.server.listen = "0.0.0.0:0"
        self.assertEqual(self.server.spawn().wait(harness.TIMEOUT), 2)
        self.assertIn("--tls-self-signed", self.server.log_text())

    def test_only_the_proxy_is_answered_on_a_network(self):
        address = own_address()
        if address is None or address.startswith("127."):
            self.skipTest("this machine has no address but loopback")
        self.server.listen, self.server.arguments = "0.0.0.0:0", ["--trusted-proxies", "192.0.2.7"]
        self.server.start()
        port = int(self.server.listen.rsplit(":", 1)[1])

        def status(server, client, timeout=harness.TIMEOUT):
            connection = http.client.HTTPConnection(server, port, timeout=timeout, source_address=(client, 0))
            self.addCleanup(connection.close)
            connection.request("GET", "/healthz")
            return connection.getresponse().status

        self.assertEqual(status("127.0.0.1", "127.0.0.1"), 200, "this machine")
        self.assertEqual(status(address, address), 200, "this machine, by its other address")
        try:
            seen = status("127.0.0.1", address, timeout=10)
        except TimeoutError:
            # Rules for the networks of containers drop such packets.
            self.skipTest("this machine's firewall drops what comes to loopback from its other address")
        self.assertEqual(seen, 403, "an address that is not the server's own one")

    def test_a_trusted_proxy_speaks_for_its_client(self):
        self.server.arguments = ["--trusted-proxies", "127.0.0.1", "--log-level", "debug"]
        self.server.start()
        self.server.request("GET", "/healthz", headers={"X-Forwarded-For": "6.6.6.6, 203.0.113.5"})
        harness.wait_for(lambda: "from 203.0.113.5" in self.server.log_text(), "the client's address in the log")
        self.assertNotIn("6.6.6.6", self.server.log_text())


if __name__ == "__main__":
    unittest.main()
