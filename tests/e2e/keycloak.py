"""A Keycloak for tests: the second real OpenID provider. `tools/dev setup keycloak` installs it; YM_KEYCLOAK names
another folder, where `kc.sh build --db=dev-mem --health-enabled=true` has run.

    provider = keycloak.Keycloak(folder, server.url + "/login/callback", {"ada": ["vision"]}).start()
    self.addCleanup(provider.stop)
"""

import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess

import harness
import ports

HOME = pathlib.Path(os.environ.get("YM_KEYCLOAK") or harness.ROOT / "build/keycloak")
MISSING = "" if (HOME / "bin/kc.sh").exists() and shutil.which("java") else \
    f"there is no Keycloak in {HOME}: run tools/dev setup keycloak"
PASSWORD, SECRET = "of-the-tests", "s3cret"
START = 600.0  # seconds; a deadline: it makes its database anew with each start


def realm(back, users):
    """`users`: groups by name. `back`: where the client `web` leads to."""
    groups = sorted({group for member_of in users.values() for group in member_of})
    mapper = {"name": "groups", "protocol": "openid-connect", "protocolMapper": "oidc-group-membership-mapper",
              "config": {"claim.name": "groups", "full.path": "false", "id.token.claim": "true", "userinfo.token.claim": "true"}}
    client = {"clientId": "web", "secret": SECRET, "redirectUris": [back], "publicClient": False, "standardFlowEnabled": True,
              "directAccessGrantsEnabled": False, "attributes": {"pkce.code.challenge.method": "S256"},
              "protocolMappers": [mapper]}
    return {"realm": "ym", "enabled": True, "sslRequired": "none", "groups": [{"name": group} for group in groups],
            "clients": [client],
            "users": [{"username": name, "enabled": True, "email": f"{name}@x.test", "emailVerified": True,
                       "firstName": name.capitalize(), "lastName": "L.", "groups": member_of,
                       "credentials": [{"type": "password", "value": PASSWORD}]} for name, member_of in users.items()]}


class Keycloak:
    def __init__(self, folder, back, users):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.log = self.folder / "keycloak.log"
        self.port = ports.free(2)
        self.issuer = f"http://127.0.0.1:{self.port}/realms/ym"
        self.realm = realm(back, users)
        self.process = None

    def start(self):
        # It reads realms from its own folder alone, so one test at a time uses it.
        imported = HOME / "data/import"
        imported.mkdir(parents=True, exist_ok=True)
        (imported / "ym-realm.json").write_text(json.dumps(self.realm), encoding="utf-8")
        command = ["nice", str(HOME / "bin/kc.sh"), "start", "--optimized", "--import-realm", "--http-enabled=true",
                   "--hostname-strict=false", "--http-host=127.0.0.1", f"--http-port={self.port}",
                   "--http-management-host=127.0.0.1", f"--http-management-port={self.port + 1}"]
        environment = harness.clean_environment(HOME=str(self.folder), JAVA_OPTS_KC_HEAP="-Xms64m -Xmx400m")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment,
                                            start_new_session=True)
        harness.wait_for(lambda: self.process.poll() is not None or self.answers(), self.log_text, START, pause=0.5)
        if self.process.poll() is not None:
            raise AssertionError(f"Keycloak ended with {self.process.returncode}:\n{self.log_text()[-4000:]}")
        return self

    def answers(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=harness.TIMEOUT)
        try:
            connection.request("GET", "/realms/ym/.well-known/openid-configuration")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def stop(self):
        """Idempotent."""
        if self.process and self.process.poll() is None:
            # kc.sh may wait for the program that it starts.
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(harness.TIMEOUT)

    def log_text(self):
        return self.log.read_text(encoding="utf-8", errors="replace")


def log_in(browser, start_url, user, stop_at):
    """As openid_provider.login_at_provider: the response at `stop_at`, or that of a provider that refuses."""
    page = browser.open(start_url, stop_at)
    if page.url.startswith(stop_at) or not page.forms():
        return page
    return browser.submit(page, {"username": user, "password": PASSWORD}, stop_at=stop_at)
