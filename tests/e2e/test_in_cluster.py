"""The server in a pod of the cluster that it gives jobs to, by the manifests that users have, on a real kubelet."""

import json
import os
import shutil
import unittest
import urllib.parse

import harness
import labs
import ports
import test_kubernetes

setUpModule, tearDownModule = test_kubernetes.setUpModule, test_kubernetes.tearDownModule

USER = 1000  # as the manifest has it


def documents(text):
    """Of JSON texts in a row."""
    decoder, found, text = json.JSONDecoder(), [], text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        found += document["items"] if document["kind"] == "List" else [document]
        text = text[end:].strip()
    return found


class InCluster(test_kubernetes.OnKubernetes, harness.ServerTest):
    started = False

    def access(self):
        """By the service account of the pod."""
        return "namespace: yardmaster"

    def setUp(self):
        super().setUp()
        self.port = ports.free(1)
        (self.folder / "state").mkdir()
        # The checkout may be its owner's alone.
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        for name in ("ym", "ym-supervisor", "ym-task"):
            shutil.copy(harness.BIN / name, self.programs)
        os.chown(self.folder / "state", USER, USER)
        self.folder.chmod(0o777)
        self.lab = test_kubernetes.LAB
        self.addCleanup(self.lab.kubectl, "delete", "pods", "--all", "-n", "yardmaster", "--grace-period=1", "--timeout=60s")
        self.addCleanup(self.lab.kubectl, "delete", "statefulset", "yardmaster", "-n", "yardmaster")
        self.create(self.manifest())
        self.server = harness.Server(self.folder)
        self.server.state, self.server.url = self.folder / "state/ym", f"http://127.0.0.1:{self.port}"
        harness.wait_for(lambda: (self.server.state / "admin.token").exists() and
                         self.server.ym("ps", check=False).returncode == 0, "the server to serve", timeout=90)

    def create(self, manifests):
        path = self.folder / "manifests.json"
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": manifests}))
        self.lab.kubectl("apply", "--server-side", "-f", path)

    def manifest(self):
        """That of users, with what differs here: images, the volume, and a network without services."""
        said = self.lab.kubectl("create", "--dry-run=client", "-o", "json", "-f", harness.ROOT / "deploy/kubernetes/server.yaml")
        kinds = {document["kind"]: document for document in documents(said)}
        config, server = kinds["ConfigMap"], kinds["StatefulSet"]
        config["data"]["site.yaml"] = self.configuration()
        pod = server["spec"]["template"]["spec"]
        api = urllib.parse.urlparse(self.lab.env()["KUBE_API_URL"])
        pod |= {"hostNetwork": True, "nodeSelector": {"kube-lab.test/kubelet": "real"},
                "tolerations": [{"key": "kube-lab.test/kubelet", "operator": "Exists"}]}
        container = pod["containers"][0]
        container["command"] = [word.replace("8470", str(self.port)) for word in container["command"]]
        container["command"][0] = str(self.programs / "ym")
        where = container["command"].index("--advertise-url") + 1
        container["command"][where] = f"http://{test_kubernetes.BRIDGE}:{self.port}"
        container["ports"], container["image"] = [], "kube-lab.test/base:1"
        container["readinessProbe"]["httpGet"]["port"] = self.port
        container["env"] = [{"name": "KUBERNETES_SERVICE_HOST", "value": api.hostname},
                            {"name": "KUBERNETES_SERVICE_PORT", "value": str(api.port)}]
        container["volumeMounts"] += [{"name": "usr", "mountPath": "/usr", "readOnly": True},
                                      {"name": "programs", "mountPath": str(self.programs), "readOnly": True}]
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        volumes["state"] = {"name": "state", "hostPath": {"path": str(self.folder / "state")}}
        volumes["usr"] = {"name": "usr", "hostPath": {"path": "/usr"}}
        volumes["programs"] = {"name": "programs", "hostPath": {"path": str(self.programs)}}
        pod["volumes"] = list(volumes.values())
        return [config, server]

    def server_pod(self):
        said = self.lab.kubectl("get", "pod", "yardmaster-0", "-n", "yardmaster", "--ignore-not-found", "-o", "json")
        return json.loads(said) if said.strip() else None

    def test_it_runs_jobs_and_outlives_its_pod(self):
        out, go = self.folder / "ran", self.folder / "go"
        job = self.server.submit({"name": "job", "workdir": "/tmp", "resources": {"gpus": 1},
                                  "run": f"echo once >> {out}; echo up; while [ ! -e {go} ]; do sleep 0.1; done; exit 3"})
        self.server.wait_state(job, "RUNNING", timeout=120)
        first = self.server_pod()["metadata"]["uid"]
        self.lab.kubectl("delete", "pod", "yardmaster-0", "-n", "yardmaster", "--grace-period=1", "--wait=false")
        harness.wait_for(lambda: (self.server_pod() or {"metadata": {"uid": first}})["metadata"]["uid"] != first,
                         "another pod of the server", timeout=60)
        go.touch()
        harness.wait_for(lambda: self.server.ym("ps", check=False).returncode == 0, "it to serve again", timeout=90)
        ended = self.server.wait_state(job, "FAILED", timeout=120)
        self.assertEqual([attempt["exit_code"] for attempt in ended["attempts"]], [3])
        self.assertEqual(out.read_text(), "once\n")
        self.assertEqual(self.job_log(job), "up\n")


if __name__ == "__main__":
    unittest.main()
