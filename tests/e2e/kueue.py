"""A real Kueue beside a real API server: its published controller, its own manifests, its webhooks reached on loopback.

`tools/dev kueue` builds it once. A test that needs it is skipped where it was not built.
"""

import base64
import json
import os
import re
import subprocess
import time
import unittest
import urllib.request

import harness
import labs
import ports

SPACE, WEBHOOKS = "kueue-system", "kueue-webhook-service"
KINDS = ("CustomResourceDefinition", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration", "Namespace", "Secret")
CONFIG = """
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
namespace: kueue-system
health: {{healthProbeBindAddress: "127.0.0.1:{health}"}}
metrics: {{bindAddress: "127.0.0.1:{metrics}"}}
webhook: {{port: {webhook}, certDir: {certificates}}}
leaderElection: {{leaderElect: false}}
internalCertManagement: {{enable: true, webhookServiceName: kueue-webhook-service, webhookSecretName: kueue-webhook-server-cert}}
integrations: {{frameworks: [pod]}}
"""
# The API server calls webhooks at a Service; this one is a name of this machine.
SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": WEBHOOKS, "namespace": SPACE},
           "spec": {"type": "ExternalName", "externalName": "localhost"}}


def built():
    """The folder with the program and its manifests."""
    setup = (harness.ROOT / "tools/lib/setup.sh").read_text(encoding="utf-8")
    folder = labs.cache() / f"kueue-{re.search(r'^KUEUE_VERSION=(.+)$', setup, re.MULTILINE)[1]}"
    if not (folder / "kueue").exists():
        raise unittest.SkipTest("Kueue is not built: run `tools/dev kueue` once")
    return folder


def manifests(published, port):
    """Without what would run in the cluster, and what its rights there are: it has an administrator's here."""
    documents = published.split("\n---\n")
    kept = [each for each in documents if re.search(rf"^kind: ({'|'.join(KINDS)})$", each, re.MULTILINE)]
    webhook = re.compile(r"^( +)(path: /(?:mutate|validate|convert)\S*)$", re.MULTILINE)
    return webhook.sub(rf"\1\2\n\1port: {port}", "\n---\n".join(kept))


class Kueue:
    def __init__(self, lab):
        self.program, self.lab = built(), lab
        self.folder = lab.folder.parent / "kueue"
        self.process = None

    def start(self):
        (self.folder / "certificates").mkdir(parents=True)
        first = ports.free(3)
        served = {"webhook": first, "health": first + 1, "metrics": first + 2}
        self.ready = f"http://127.0.0.1:{served['health']}/readyz"
        published = self.lab.kubectl("kustomize", self.program / "config/default")
        (self.folder / "config.yaml").write_text(CONFIG.format(certificates=self.folder / "certificates", **served))
        (self.folder / "manifests.yaml").write_text(manifests(published, served["webhook"]))
        self.lab.kubectl("apply", "--server-side", "-f", self.folder / "manifests.yaml")
        self.apply(SERVICE)
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [self.program / "kueue", "--config", self.folder / "config.yaml", "--feature-gates", "VisibilityOnDemand=false"],
                env=os.environ | {"KUBECONFIG": str(self.lab.kubeconfig)}, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        harness.wait_for(self.mount_certificates, "Kueue's certificate", timeout=60)
        harness.wait_for(self.is_ready, "Kueue", timeout=60)
        return self

    def mount_certificates(self):
        """As a kubelet would, of the secret that Kueue makes."""
        self.check()
        secret = json.loads(self.lab.kubectl("get", "secret", "kueue-webhook-server-cert", "-n", SPACE, "-o", "json"))
        for name, text in secret.get("data", {}).items():
            (self.folder / "certificates" / name).write_bytes(base64.b64decode(text))
        return "data" in secret

    def is_ready(self):
        self.check()
        try:
            with urllib.request.urlopen(self.ready, timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def check(self):
        if self.process.poll() is not None:
            raise AssertionError(f"Kueue ended with {self.process.returncode}: {(self.folder / 'log').read_text()[-3000:]}")

    def apply(self, *objects):
        path = self.folder / f"objects-{time.monotonic_ns()}.json"
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}))
        self.lab.kubectl("apply", "--server-side", "--force-conflicts", "-f", path)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
