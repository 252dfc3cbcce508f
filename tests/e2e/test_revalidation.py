"""Users that left: the provider is asked again and again about those that are logged in."""

import time
import unittest

import harness
import test_login


class Revalidation(test_login.LoginTest):
    options = {"refresh": "always"}
    client = {"grant_types": ["authorization_code", "refresh_token"]}
    auth = test_login.AUTH.replace("client_id: web", "client_id: web, revalidate: 10s")

    def test_a_user_that_the_provider_disabled_is_logged_out(self):
        ada, bob = (self.session(self.logged_in(user)[0]) for user in ("ada", "bob"))
        self.provider.set_user("ada", disabled=True)
        harness.wait_for(lambda: self.server.ym("whoami", YM_TOKEN=ada, YM_TOKEN_FILE="", check=False).returncode == 4,
                         "the end of the login", timeout=60, pause=0.5)
        # The other one was asked about in the same round. A provider that is away says nothing about it.
        self.whoami(bob)
        self.provider.stop()
        time.sleep(12)
        self.whoami(bob)


if __name__ == "__main__":
    unittest.main()
