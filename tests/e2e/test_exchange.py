"""Tokens of others in exchange for one of this server: what counts as a proof, and the ways in which it can be wrong."""

import base64
import json
import re
import signal
import threading
import time
import unittest
import urllib.parse

import harness
import lying_issuer

GRANT = "urn:ietf:params:oauth:grant-type:token-exchange"
ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}

CONFIG = harness.FIVE_NODES + """
auth:
  issuers:
    - {name: corp, url: "@ISSUER@", client_id: yardmaster}
  exchange:
    - name: ci
      issuer: "@ISSUER@"
      audience: https://ym.example
      require: {repository_id: "456", ref: refs/heads/main, /environment/name: prod}
      service: ci-vision
      ttl: 30m
  bindings:
    - {role: member, to: "group:vision", scope: site}
    - {role: viewer, to: ci-vision, scope: site}
    - {role: viewer, to: ada, scope: site}
    - {role: admin, to: root, scope: site}
"""


@unittest.skipIf(lying_issuer.MISSING, lying_issuer.MISSING)
class Exchange(harness.ServerTest):
    started = False

    def setUp(self):
        super().setUp()
        self.issuer = lying_issuer.LyingIssuer().start()
        self.addCleanup(self.issuer.stop)
        self.server.config = self.folder / "config.yaml"
        self.server.config.write_text(CONFIG.replace("@ISSUER@", self.issuer.issuer))
        self.server.start()

    def ci(self, **changes):
        """The claims of a CI job that the rule fits, but for the changes."""
        workload = {"aud": "https://ym.example", "sub": "repo:1", "repository_id": "456", "ref": "refs/heads/main",
                    "environment": {"name": "prod"}, "preferred_username": None, "groups": None}
        return self.issuer.claims(**(workload | changes))

    def exchange(self, token, **fields):
        """(status, decoded answer)"""
        body = urllib.parse.urlencode({"grant_type": GRANT, "subject_token_type": ID_TOKEN, "subject_token": token} | fields)
        status, _, answer = self.server.request("POST", "/oauth2/token", body, FORM, authenticated=False)
        return status, json.loads(answer)

    def refused(self, token, what):
        status, answer = self.exchange(token)
        self.assertEqual((status, answer.get("error")), (400, "invalid_grant"), f"{what}: {answer}")
        for part in token.split("."):
            if len(part) > 20:
                self.assertNotIn(part, self.server.log_text() + json.dumps(answer), what)
        return answer["error_description"]

    def whoami(self, token, code=0):
        run = self.server.ym("whoami", "-o", "json", YM_TOKEN=token, YM_TOKEN_FILE="", check=False)
        self.assertEqual(run.returncode, code, run.stderr)
        return json.loads(run.stdout) if code == 0 else None

    def test_a_workload_gets_a_token_of_its_service_account_once(self):
        token = self.issuer.token(self.ci(jti="1"))
        status, answer = self.exchange(token)
        self.assertEqual((status, answer["token_type"], answer["user"]), (200, "Bearer", "ci-vision"), answer)
        self.assertTrue(answer["access_token"].startswith("ymc_"))
        self.assertTrue(1700 < answer["expires_in"] <= 1800, answer)
        who = self.whoami(answer["access_token"])
        self.assertEqual((who["user"], [b["role"] for b in who["bindings"]]), ("ci-vision", ["viewer"]))
        self.refused(token, "a second time")
        self.refused(self.issuer.token(self.ci(jti="1")), "another token of this id")
        self.server.ym("token", "revoke", answer["token_id"])
        self.whoami(answer["access_token"], code=4)
        self.refused(token, "after its token was revoked")
        self.assertEqual(self.exchange(self.issuer.token(self.ci(jti="2")))[0], 200)
        records = self.server.json("audit", "list", YM_TOKEN=self.server.token(), YM_TOKEN_FILE="")
        logins = [r for r in records if r["verb"] == "login"]
        self.assertEqual([(r["outcome"], r["actor"]) for r in logins if r["outcome"] == "done"],
                         [("done", "ci-vision")] * 2, logins)

    def test_every_claim_of_the_rule_counts_exactly(self):
        for changes in ({"repository_id": "4567"}, {"repository_id": 456.5}, {"ref": "refs/heads/main2"}, {"ref": None},
                        {"ref": ["refs/heads/main"]}, {"environment": {"name": "Prod"}}, {"environment": "prod"},
                        {"aud": "https://ym.example.evil"}, {"aud": ["other"]}, {"aud": None}):
            self.refused(self.issuer.token(self.ci(**changes)), changes)
        said = self.refused(self.issuer.token(self.ci(ref="refs/heads/x")), "ref")
        for word in ("ref", "456", "ci"):
            self.assertNotIn(word, said.split(), "what the site requires is its own")
        self.assertEqual(self.exchange(self.issuer.token(self.ci(repository_id=456)))[0], 200, "a number of this spelling")

    def test_all_four_algorithms(self):
        self.issuer.jwk = {"alg": None}
        for key, alg in (("rsa", "RS256"), ("rsa", "PS256"), ("p256", "ES256"), ("ed25519", "EdDSA")):
            self.assertEqual(self.exchange(self.issuer.token(self.ci(jti=alg), key=key, alg=alg))[0], 200, alg)

    def wrong_signatures(self, ci):
        issuer, kid, other = self.issuer, self.issuer.keys["rsa"].kid, lying_issuer.Key("rsa")
        return {
            "no algorithm": issuer.token(ci, alg="none"),
            "no algorithm, in capitals": issuer.token(ci, alg="none", header={"alg": "NONE"}),
            "no algorithm, and a signature": issuer.token(ci, header={"alg": "none"}),
            "no algorithm named": issuer.token(ci, header={"alg": None}),
            "the public key as a shared secret": issuer.token(ci, alg="HS256"),
            "the same, said to be RS256": issuer.token(ci, alg="HS256", header={"alg": "RS256"}),
            "RS512": issuer.token(ci, alg="RS512"),
            "an algorithm of another kind of key": issuer.token(ci, header={"alg": "ES256"}),
            "PS256 by a key for RS256": issuer.token(ci, alg="PS256"),
            "a key that is not published": issuer.token(ci, key=other),
            "another key under a published name": issuer.token(ci, key=other, header={"kid": kid}),
            "a key of 1024 bits": issuer.token(ci, key="rsa1024"),
            "a path as the name of the key": issuer.token(ci, key=other, header={"kid": "../../etc/passwd"}),
            "a key in the token": issuer.token(ci, key=other, header={"jwk": other.jwk()}),
            "the address of keys in the token": issuer.token(ci, key=other, header={"jku": issuer.issuer + "/evil"}),
            "the address of a certificate": issuer.token(ci, key=other, header={"x5u": issuer.issuer + "/evil"}),
            "a demand": issuer.token(ci, header={"crit": ["exp"], "exp": 1}),
            "an empty demand": issuer.token(ci, header={"crit": []}),
        }

    def wrong_contents(self, ci):
        issuer, kid, now = self.issuer, self.issuer.keys["rsa"].kid, ci["iat"]
        good = issuer.token(ci)
        head, payload, signature = good.split(".")
        return {
            "a member twice in the head": issuer.token(ci, raw_header=f'{{"alg":"RS256","kid":"{kid}","alg":"RS256"}}'),
            "a claim twice": issuer.token(raw_payload=json.dumps(ci)[:-1] + ', "sub": "repo:2"}'),
            "no JSON": issuer.token(raw_payload="{"),
            "a list": issuer.token(raw_payload="[]"),
            "padded base64": issuer.token(ci, padded=True),
            "a changed claim": f"{head}.{lying_issuer.base64url(self.ci(sub='repo:2'))}.{signature}",
            "no signature": f"{head}.{payload}.",
            "half a signature": f"{head}.{payload}.{signature[:100]}",
            "two parts": f"{head}.{payload}",
            "four parts": f"{good}.{signature}",
            "five parts, encrypted": "a.b.c.d.e",
            "too long": issuer.token(self.ci(more="x" * 20_000)),
            "another issuer": issuer.token(self.ci(iss=issuer.issuer + "/")),
            "no issuer": issuer.token(self.ci(iss=None)),
            "expired": issuer.token(self.ci(iat=now - 700, exp=now - 65)),
            "no end": issuer.token(self.ci(exp=None)),
            "an end that is text": issuer.token(self.ci(exp="tomorrow")),
            "an end beyond all times": issuer.token(self.ci(exp=10 ** 30)),
            "an end before all times": issuer.token(self.ci(exp=-5)),
            "not yet valid": issuer.token(self.ci(nbf=now + 120)),
            "issued in the future": issuer.token(self.ci(iat=now + 120)),
            "an access token": issuer.token(ci, header={"typ": "at+jwt"}),
            "a message of a logout": issuer.token(self.ci(events={"http://schemas.openid.net/event/backchannel-logout": {}})),
            "not ASCII": "é.é.é",
            "nothing but dots": "..",
        }

    def test_forty_ways_to_be_wrong(self):
        issuer, ci = self.issuer, self.ci()
        self.assertEqual(self.exchange(issuer.token(self.ci(jti="good")))[0], 200)
        wrong = self.wrong_signatures(ci) | self.wrong_contents(ci)
        self.assertGreater(len(wrong), 40)
        for number, (what, token) in enumerate(wrong.items()):
            if number % 25 == 24:
                self.forget_failures()
            self.refused(token, what)
        self.assertEqual(issuer.counts["/evil"], 0, "the token says nothing about where keys are")
        self.assertLess(issuer.counts["/jwks"], 5, "unknown keys are looked for at most each half minute")
        self.assertEqual(self.exchange(issuer.token(self.ci(jti="still")))[0], 200)

    def forget_failures(self):
        """An address may fail thirty times, and then once a second."""
        self.server.stop()
        self.server.start()

    def test_clocks_may_differ_by_a_minute(self):
        now = self.ci()["iat"]
        self.assertEqual(self.exchange(self.issuer.token(self.ci(jti="1", exp=now - 30)))[0], 200)
        self.assertEqual(self.exchange(self.issuer.token(self.ci(jti="2", iat=now + 30, nbf=now + 30)))[0], 200)
        self.assertIn("2m", self.refused(self.issuer.token(self.ci(iat=now + 150)), "the difference is told"))

    def test_a_new_key_counts_and_a_withdrawn_one_does_not(self):
        self.assertEqual(self.exchange(self.issuer.token(self.ci(jti="1")))[0], 200)
        old = self.issuer.rotate()
        self.assertEqual(self.exchange(self.issuer.token(self.ci(jti="2")))[0], 200)
        self.refused(self.issuer.token(self.ci(jti="3"), key=old), "a withdrawn key")

    def test_an_issuer_that_is_away(self):
        self.issuer.stop()
        status, answer = self.exchange(self.issuer.token(self.ci(jti="1")))
        self.assertEqual((status, answer["error"]), (503, "temporarily_unavailable"), answer)
        self.issuer.start()
        harness.wait_for(lambda: self.exchange(self.issuer.token(self.ci()))[0] == 200, "the issuer to be asked again")
        self.issuer.stop()
        self.assertEqual(self.exchange(self.issuer.token(self.ci(jti="3")))[0], 200, "its last keys count")

    def test_an_issuer_that_lies_about_itself(self):
        lies = {
            "another issuer": {"discovery": {"issuer": "http://127.0.0.1:1"}},
            "no keys": {"discovery": {"jwks_uri": None}},
            "a failure": {"lies": {"/jwks": lying_issuer.status(500)}},
            "no JSON": {"lies": {"/jwks": lying_issuer.text("<html>")}},
            "keys of another kind": {"lies": {"/jwks": lying_issuer.text('{"keys": 5}')}},
            "too much": {"lies": {"/jwks": lying_issuer.huge()}},
            "a redirect": {"lies": {lying_issuer.DISCOVERY: lying_issuer.redirect(self.issuer.issuer + "/elsewhere")}},
            "keys for encryption": {"jwk": {"use": "enc"}},
        }
        for what, change in lies.items():
            issuer = lying_issuer.LyingIssuer().start()
            self.addCleanup(issuer.stop)
            for name, value in change.items():
                setattr(issuer, name, value)
            self.server.config.write_text(CONFIG.replace("@ISSUER@", issuer.issuer))
            self.server.stop()
            before = len(self.server.log_text())
            self.server.start()
            self.issuer = issuer
            status, answer = self.exchange(issuer.token(self.ci()))
            self.assertEqual((status, answer["error"]), (503, "temporarily_unavailable"), f"{what}: {answer}")
            told = set(re.findall(r"cannot be asked: (.+)", self.server.log_text()[before:]))
            self.assertTrue(told, what)
            self.assertFalse([why for why in told if why in json.dumps(answer)], "it is the administrator's")

    def test_a_user_of_the_provider_gets_a_login(self):
        self.issuer.user = {"preferred_username": "ada", "groups": ["vision"], "name": "Ada", "email": "ada@x.test"}
        status, answer = self.exchange(self.issuer.token())
        self.assertEqual((status, answer["user"]), (200, "ada"), answer)
        who = self.whoami(answer["access_token"])
        self.assertEqual(sorted(b["role"] for b in who["bindings"]), ["member", "viewer"])
        for changes in ({"azp": "other"}, {"aud": ["yardmaster", "other"]}, {"sub": None}, {"preferred_username": None}):
            self.refused(self.issuer.token(self.issuer.claims(**changes)), changes)
        two = self.issuer.claims(aud=["yardmaster", "other"], azp="yardmaster")
        self.assertEqual(self.exchange(self.issuer.token(two))[0], 200)

    def test_groups_that_are_not_known_are_never_taken_for_none(self):
        for more in ({"hasgroups": True}, {"_claim_names": {"groups": "src1"}}):
            status, answer = self.exchange(self.issuer.token(self.issuer.claims(groups=None, **more)))
            self.assertEqual((status, answer["error"]), (503, "temporarily_unavailable"), answer)

    def test_names_belong_to_one_user(self):
        self.server.ym("token", "create", "--for", "eve")
        self.server.ym("token", "create", "--for", "robot", "--service")
        for name in ("eve", "robot", "server", "a b", "x" * 65, "root"):
            claims = self.issuer.claims(sub="s-" + name, preferred_username=name)
            status, answer = self.exchange(self.issuer.token(claims))
            self.assertEqual((status, answer.get("error")), (400, "invalid_grant"), f"{name}: {answer}")
        self.server.ym("identity", "link", "eve", "--issuer", self.issuer.issuer, "--subject", "s-eve")
        linked = self.exchange(self.issuer.token(self.issuer.claims(sub="s-eve", preferred_username="eva")))
        self.assertEqual((linked[0], linked[1].get("user")), (200, "eve"), "a name does not follow the provider's")
        self.server.ym("identity", "disable", "eve")
        self.refused(self.issuer.token(self.issuer.claims(sub="s-eve")), "a disabled user")

    def second_form(self, token):
        """The same token with the other signature that ECDSA has for it."""
        order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551
        text, _, signature = token.rpartition(".")
        raw = base64.urlsafe_b64decode(signature + "==")
        s = order - int.from_bytes(raw[32:], "big")
        return f"{text}.{lying_issuer.base64url(raw[:32] + s.to_bytes(32, 'big'))}"

    def test_another_form_of_a_proof_is_the_same_proof(self):
        token = self.issuer.token(self.ci(), key="p256")
        self.assertEqual(self.exchange(token)[0], 200)
        self.refused(self.second_form(token), "the other signature")
        user = self.issuer.token()
        self.assertEqual(self.exchange(user)[0], 200)
        self.refused(user, "a user's token counts once, too")
        self.refused(self.issuer.token(self.ci(exp=self.ci()["iat"] + 7 * 86400)), "it lives longer than the memory")

    def test_an_older_token_brings_no_groups_back(self):
        now = self.issuer.claims()["iat"]
        self.issuer.user = {"preferred_username": "ada", "groups": ["vision"]}
        older = self.issuer.token(self.issuer.claims(iat=now - 20, jti="o"))
        self.issuer.user["groups"] = []
        newer = self.exchange(self.issuer.token(self.issuer.claims(jti="n")))[1]["access_token"]
        self.assertEqual(self.exchange(older)[0], 200)
        self.assertEqual([b["role"] for b in self.whoami(newer)["bindings"]], ["viewer"])
        no_claim = self.exchange(self.issuer.token(self.issuer.claims(groups=None)))
        self.assertEqual(no_claim[0], 503, "groups that are not said are not known")

    def test_accounts_of_this_server_are_for_no_user(self):
        token = self.exchange(self.issuer.token(self.ci(jti="1")))[1]
        self.server.ym("token", "revoke", token["token_id"])
        self.server.ym("token", "create", "--for", "zoe")
        self.server.ym("token", "revoke", "--for", "zoe")
        for name in ("ci-vision", "zoe", "root"):
            self.refused(self.issuer.token(self.issuer.claims(sub="s-" + name, preferred_username=name)), name)

    def test_an_issuer_that_leaves_takes_its_logins_with_it(self):
        self.issuer.user = {"preferred_username": "eve", "groups": ["vision"]}
        token = self.exchange(self.issuer.token())[1]["access_token"]
        self.assertEqual([b["role"] for b in self.whoami(token)["bindings"]], ["member"])
        text = self.server.config.read_text()
        self.server.config.write_text(text.replace('- {name: corp, url: "' + self.issuer.issuer, '- {name: corp, url: "http://127.0.0.1:9'))
        self.server.process.send_signal(signal.SIGHUP)
        harness.wait_for(lambda: self.server.ym("whoami", YM_TOKEN=token, YM_TOKEN_FILE="", check=False).returncode == 4,
                         "the login to end")
        [row] = [r for r in self.server.json("identity", "list") if r["name"] == "eve"]
        self.assertEqual(row["issuer_groups"], [])

    def test_a_trial_is_for_users_with_a_role(self):
        self.server.config.write_text(self.server.config.read_text().replace("auth:\n", "auth:\n  enforce: false\n"))
        self.server.stop()
        self.server.start()
        self.assertEqual(self.exchange(self.issuer.token())[0], 200, "ada has one")
        self.refused(self.issuer.token(self.issuer.claims(sub="n", preferred_username="nemo")), "no role")

    def test_an_issuer_that_hangs_holds_up_nothing_else(self):
        hanging = lying_issuer.LyingIssuer().start()
        self.addCleanup(hanging.stop)
        hanging.lies[lying_issuer.DISCOVERY] = lying_issuer.silent()
        rule = f'  exchange:\n    - {{name: h, issuer: "{hanging.issuer}", audience: h, require: {{a: b}}, service: h}}\n'
        self.server.config.write_text(self.server.config.read_text().replace("  exchange:\n", rule))
        self.server.stop()
        self.server.start()
        flood = [threading.Thread(target=self.exchange, args=(hanging.token(hanging.claims(aud="h", jti=str(n))),))
                 for n in range(40)]
        for thread in flood:
            thread.start()
        seen = [self.exchange(self.issuer.token(self.ci(jti=str(n))))[0] for n in range(10)]
        hanging.stop()
        for thread in flood:
            thread.join()
        self.assertEqual(seen, [200] * 10)

    def test_a_form_has_few_fields(self):
        for body in ("&".join(map(str, range(100_000))), "a=" + "x" * 100_000):
            status, _, answer = self.server.request("POST", "/oauth2/token", body, FORM, authenticated=False)
            self.assertEqual((status, json.loads(answer)["error"]), (400, "invalid_request"))

    def test_bad_logins_are_throttled(self):
        seen = [self.exchange("a.b.c")[0] for _ in range(60)]
        self.assertIn(429, seen)
        self.assertNotIn(500, seen)

    def test_a_provider_ends_the_logins_of_a_user(self):
        token = self.exchange(self.issuer.token())[1]["access_token"]
        self.server.ym("token", "create", "--for", "ada2")
        event = {"events": {"http://schemas.openid.net/event/backchannel-logout": {}}}

        def end(typ="JWT", **changes):
            claims = self.issuer.claims(**({"preferred_username": None, "groups": None} | event | changes))
            body = urllib.parse.urlencode({"logout_token": self.issuer.token(claims, header={"typ": typ})})
            return self.server.request("POST", "/oauth2/backchannel_logout", body, FORM, authenticated=False)[0]

        for changes in ({"events": None}, {"nonce": "n"}, {"sub": None}, {"aud": "other"}, {"events": {"other": {}}}):
            self.assertEqual(end(**changes), 400, changes)
        self.assertEqual(end(typ="at+jwt"), 400)
        self.assertEqual(end(iat=None), 400)
        self.assertEqual(end(sub="other"), 200)
        self.assertEqual(end(iat=int(time.time()) - 120), 200)
        self.assertEqual(self.whoami(token)["user"], "ada", "a message of before this login")
        self.assertEqual(end(typ="logout+jwt"), 200)
        self.whoami(token, code=4)

    def test_when_and_how_the_provider_asked_the_user(self):
        asked = CONFIG.replace("client_id: yardmaster}", "client_id: yardmaster, max_age: 10m, acr: [mfa, key]}")
        self.server.config.write_text(asked.replace("@ISSUER@", self.issuer.issuer))
        self.server.stop()
        self.server.start()
        now = int(time.time())
        for changes in ({"acr": "mfa"}, {"acr": "mfa", "auth_time": now - 700}, {"acr": "mfa", "auth_time": "today"},
                        {"acr": "mfa", "auth_time": now + 700}, {"acr": "mfa", "auth_time": now * 1000},
                        {"auth_time": now}, {"acr": "password", "auth_time": now}):
            self.refused(self.issuer.token(self.issuer.claims(**changes)), changes)
        token = self.issuer.token(self.issuer.claims(acr="key", auth_time=now - 500))
        self.assertEqual(self.exchange(token)[0], 200)
        status, headers, _ = self.server.request("GET", "/login", authenticated=False)
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(headers["location"]).query)
        self.assertEqual((status, query["max_age"], query["acr_values"]), (303, ["600"], ["mfa key"]))


if __name__ == "__main__":
    unittest.main()
