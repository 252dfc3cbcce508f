"""Pods log in with the tokens of their service accounts: a real API server is asked about each one."""

import json
import unittest
import urllib.parse

import harness
import labs

LAB = None
AUDIENCE = "https://ym.example"
CONFIG = harness.FIVE_NODES + """
auth:
  exchange:
    - {name: train, kubernetes: @KUBECONFIG@, audience: "https://ym.example", service: vision-pods,
       require: {namespace: vision, serviceaccount: trainer}, ttl: 10m}
    - {name: gone, kubernetes: /nonexistent/kubeconfig, audience: "https://other.example", service: other-pods,
       require: {namespace: vision, serviceaccount: trainer}}
  bindings:
    - {role: member, to: vision-pods, scope: site}
"""


def setUpModule():
    global LAB
    LAB = labs.KubeLab(nodes=1)
    LAB.start()
    LAB.kubectl("apply", "--server-side", "-f", harness.ROOT / "deploy/kubernetes/rbac.yaml")
    for words in (("namespace", "vision"), ("serviceaccount", "trainer", "-n", "vision"), ("serviceaccount", "other", "-n", "vision")):
        LAB.kubectl("create", *words)


def tearDownModule():
    if LAB:
        LAB.stop()


class Pods(harness.ServerTest):
    started = False

    def setUp(self):
        super().setUp()
        self.server.config = self.folder / "config.yaml"
        self.server.config.write_text(CONFIG.replace("@KUBECONFIG@", str(self.kubeconfig("yardmaster"))))
        self.server.start()

    def kubeconfig(self, account, space="yardmaster"):
        config = json.loads(LAB.kubeconfig.read_text())
        config["users"][0]["user"] = {"token": LAB.kubectl("create", "token", account, "-n", space).strip()}
        path = self.folder / f"{account}.kubeconfig"
        path.write_text(json.dumps(config))
        return path

    def token(self, account="trainer", audience=AUDIENCE, *more):
        return LAB.kubectl("create", "token", account, "-n", "vision", f"--audience={audience}", *more).strip()

    def exchange(self, token):
        body = urllib.parse.urlencode({"grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
                                       "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "subject_token": token})
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        status, _, answer = self.server.request("POST", "/oauth2/token", body, form, authenticated=False)
        return status, json.loads(answer)

    def refused(self, token, what, code=(400, "invalid_grant")):
        status, answer = self.exchange(token)
        self.assertEqual((status, answer["error"]), code, f"{what}: {answer}")
        self.assertNotIn(token.split(".")[-1], self.server.log_text() + json.dumps(answer))

    def test_a_pod_logs_in_until_it_is_gone(self):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p1", "namespace": "vision"},
               "spec": {"serviceAccountName": "trainer", "containers": [{"name": "c", "image": "none"}]}}
        (self.folder / "pod.json").write_text(json.dumps(pod))
        LAB.kubectl("create", "-f", self.folder / "pod.json")
        token = self.token("trainer", AUDIENCE, "--bound-object-kind=Pod", "--bound-object-name=p1")
        (self.folder / "token").write_text(token + "\n")
        self.server.ym("login", self.server.url, "--id-token", self.folder / "token", YM_TOKEN_FILE="")
        who = self.server.json("whoami", YM_TOKEN_FILE="", YM_URL="")
        self.assertEqual((who["user"], [b["role"] for b in who["bindings"]]), ("vision-pods", ["member"]))
        # A container that starts again has the same token.
        status, answer = self.exchange(token)
        self.assertEqual((status, answer["user"]), (200, "vision-pods"), answer)
        self.assertTrue(500 < answer["expires_in"] <= 600, answer)
        LAB.kubectl("delete", "pod", "p1", "-n", "vision", "--grace-period=0", "--force")
        # The API server keeps what it said for some seconds.
        harness.wait_for(lambda: self.exchange(token)[0] != 200, "the token of a pod that is gone to be refused", pause=1)
        self.refused(token, "the pod is gone")

    def test_what_counts_is_the_account_and_the_audience(self):
        good = self.token()
        self.assertEqual(self.exchange(good)[0], 200)
        head, claims, signature = good.split(".")
        self.refused(self.token("other"), "another account")
        self.refused(self.token("trainer", "https://else.example"), "another audience")
        self.refused(".".join((head, claims, signature[::-1])), "another signature")
        self.refused(self.token("trainer", "https://other.example"), "a cluster that cannot be asked",
                     (503, "temporarily_unavailable"))

    def test_the_server_needs_the_right_to_ask(self):
        config = self.server.config
        config.write_text(CONFIG.replace("@KUBECONFIG@", str(self.kubeconfig("other", "vision"))))
        self.server.stop()
        self.server.start()
        self.refused(self.token(), "no right", (503, "temporarily_unavailable"))


if __name__ == "__main__":
    unittest.main()
