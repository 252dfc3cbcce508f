"""Certificates that renew themselves: a real ACME server (Pebble) and client (certbot). The server needs no hook."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import unittest
import urllib.request

import certificates
import harness
import ports

NAME = "ym.example"
MISSING = certificates.MISSING or next(
    (f"{program} is not installed" for program in ("pebble", "certbot") if not shutil.which(program)), None)


@unittest.skipIf(MISSING, MISSING)
class Acme(harness.ServerTest):
    started = False

    def setUp(self):
        super().setUp()
        self.authority = certificates.Authority(self.folder / "tls")  # of Pebble's own connections
        certificate, key = self.authority.issue("pebble", "IP:127.0.0.1")
        first = ports.free(4)
        self.directory, self.management, self.challenge = (f"127.0.0.1:{first + i}" for i in range(3))
        config = self.folder / "pebble.json"
        config.write_text(json.dumps({"pebble": {
            "listenAddress": self.directory, "managementListenAddress": self.management, "certificate": str(certificate),
            "privateKey": str(key), "httpPort": first + 2, "tlsPort": first + 3, "ocspResponderURL": "",
            "externalAccountBindingRequired": False}}))
        # The name has no address. Whether challenges are answered rightly is between these two programs.
        quick = os.environ | {"PEBBLE_VA_NOSLEEP": "1", "PEBBLE_VA_ALWAYS_VALID": "1", "PEBBLE_WFE_NONCEREJECT": "0"}
        self.log = (self.folder / "pebble.log").open("wb")
        self.addCleanup(self.log.close)
        pebble = subprocess.Popen(["pebble", "-config", str(config)], env=quick, cwd=self.folder, stdout=self.log, stderr=self.log)
        self.addCleanup(pebble.wait)
        self.addCleanup(pebble.kill)
        self.trust = ssl.create_default_context(cafile=self.authority.ca)
        harness.wait_for(lambda: self.fetch(f"https://{self.directory}/dir"), lambda: (self.folder / "pebble.log").read_text())

    def fetch(self, url):
        try:
            with urllib.request.urlopen(url, context=self.trust, timeout=harness.TIMEOUT) as answer:
                return answer.read()
        except OSError:
            return None

    def certbot(self, *words):
        folders = [word for kind in ("config", "work", "logs") for word in (f"--{kind}-dir", str(self.folder / "certbot" / kind))]
        run = subprocess.run(["certbot", *words, *folders, "--server", f"https://{self.directory}/dir", "--non-interactive",
                              "--http-01-port", self.challenge.rsplit(":", 1)[1]],
                             env=os.environ | {"REQUESTS_CA_BUNDLE": str(self.authority.ca)}, capture_output=True, text=True,
                             check=False, timeout=harness.TIMEOUT)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def shown(self, root):
        context = ssl.create_default_context(cafile=root)
        with socket.create_connection(("127.0.0.1", int(self.server.listen.rsplit(":", 1)[1]))) as plain:
            with context.wrap_socket(plain, server_hostname=NAME) as tls:
                return tls.getpeercert()["serialNumber"]

    def test_a_renewed_certificate_is_served_without_a_hook(self):
        self.certbot("certonly", "--standalone", "-d", NAME, "--register-unsafely-without-email", "--agree-tos")
        root = self.folder / "root.pem"
        root.write_bytes(self.fetch(f"https://{self.management}/roots/0"))
        live = self.folder / "certbot/config/live" / NAME
        self.server.arguments = ["--tls-cert", str(live / "fullchain.pem"), "--tls-key", str(live / "privkey.pem"),
                                 "--tls-ca", str(root), "--advertise-url", f"https://{NAME}:8470"]
        self.server.start()
        before = self.shown(root)
        self.certbot("renew", "--force-renewal", "--no-random-sleep-on-renew")
        harness.wait_for(lambda: self.shown(root) != before, "the renewed certificate")
        self.assertNotIn("error", self.server.log_text())


if __name__ == "__main__":
    unittest.main()
