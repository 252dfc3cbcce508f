"""A real Kubernetes API server on loopback with simulated nodes, and Yardmaster in front of it with the rights that
deploy/kubernetes gives it and no others. bench/README.md says what the script has to do that starts it."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import measure as m  # first: makes the harness importable
import harness
import labs
import ports
import servers

SPACE = "yardmaster"
QUICK_CLEARING = "--delete-collection-workers=16"  # between rounds
USER = f"system:serviceaccount:{SPACE}:yardmaster"


def missing():
    """Why there is no Kubernetes to measure on; None if there is."""
    try:
        script = labs.script("kube-lab.sh")
    except unittest.SkipTest as why:
        return str(why)
    # Once a machine: minutes, with a Go compiler.
    built = subprocess.run(["bash", script, "build"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return None if built.returncode == 0 else f"kube-lab.sh build failed: {built.stderr.strip()[-200:]}"


class Lab:
    def __init__(self, folder):
        self.script, self.folder = labs.script("kube-lab.sh"), folder
        self.environment = {}

    def run(self, verb, *words, input=None, timeout=900):
        command = ["bash", str(self.script), verb, "--dir", str(self.folder), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout,
                              **({"stdin": subprocess.DEVNULL} if input is None else {"input": input}))
        if done.returncode != 0:
            raise RuntimeError(f"kube-lab.sh {verb} {' '.join(map(str, words))}: {done.stdout[-500:]}{done.stderr[-1500:]}")
        return done.stdout

    def kubectl(self, *words, **options):
        return self.run("kubectl", *words, **options)

    def start(self, nodes, words, api):
        # To a file: its daemons inherit the streams, and a pipe would never end.
        log = self.folder.with_suffix(".log")
        with open(log, "wb") as out:
            done = subprocess.run(["bash", str(self.script), "start", "--dir", str(self.folder), "--port", str(ports.free(4)),
                                   "--nodes", str(nodes), "--gpus", "8", "--api-args", " ".join([QUICK_CLEARING, api]), *words], stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        if done.returncode != 0:
            raise RuntimeError(f"kube-lab.sh start: {log.read_text()[-1500:]}")
        lines = re.findall(r"^export (\w+)=(.*)$", self.run("env"), re.MULTILINE)
        self.environment = dict(lines)
        self.kubectl("apply", "--server-side", "-f", m.ROOT / "deploy/kubernetes/rbac.yaml")
        # Pods are refused until it is there.
        harness.wait_for(lambda: "default" in self.kubectl("get", "serviceaccounts", "-n", SPACE), "an account of the namespace")
        self.make_kubeconfig()
        self.settle()

    def settle(self):
        """A node that is ready has its taint for a moment more, and a pod that meets it waits out the scheduler's pause."""
        harness.wait_for(lambda: not self.kubectl("get", "nodes", "-o", "jsonpath={.items[*].spec.taints}").strip(),
                         "nodes without taints", pause=0.5)

    def make_kubeconfig(self):
        token = self.kubectl("create", "token", SPACE, "-n", SPACE, "--duration", "24h").strip()
        self.kubeconfig = self.folder.with_suffix(".kubeconfig")
        self.kubeconfig.touch(mode=0o600)
        self.kubeconfig.write_text(f"""
apiVersion: v1
kind: Config
current-context: lab
clusters: [{{name: lab, cluster: {{server: "{self.environment['KUBE_API_URL']}", certificate-authority: "{self.environment['KUBE_CA_FILE']}"}}}}]
users: [{{name: yardmaster, user: {{token: "{token}"}}}}]
contexts: [{{name: lab, context: {{cluster: lab, user: yardmaster}}}}]
""", encoding="utf-8")

    def bare(self, pods, gpus, gang=0):
        """Seconds from the first create of a bare loop to the last pod that the stock scheduler has bound."""
        words = ["--pods", pods, "--gpus", gpus, "--bind", "scheduler", *(["--gang", gang] if gang else [])]
        command = ["bash", self.script, "bench", "--dir", self.folder, *words]
        with subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, start_new_session=True) as bench:
            said = ""
            for line in bench.stdout:
                said += line
                bound = re.match(r"first create to last bound, as watched +(\d+) pods +([\d.]+) s", line)
                if bound:
                    break
            # It would go on to take them away one by one.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(bench.pid, signal.SIGKILL)
        if not bound or int(bound[1]) != pods:
            raise RuntimeError(f"kube-lab.sh bench did not bind {pods} pods:\n{said}")
        self.clear("default")
        return float(bound[2])

    def grow(self, nodes):
        """So many nodes from now on."""
        binary = re.search(r"^BIN=(.*)$", (self.folder / "etc/lab.conf").read_text(), re.MULTILINE)[1]
        subprocess.run([binary, "nodes", "--count", str(nodes), "--gpus", "8"], check=True, capture_output=True,
                       env=os.environ | self.environment)
        self.settle()

    def clear(self, space=SPACE):
        """No pod is left there. By force: kubelets that say goodbye to each take longer than all that is measured."""
        pods = f"/api/v1/namespaces/{space}/pods"

        def none():
            if not json.loads(self.kubectl("get", "--raw", pods + "?limit=1"))["items"]:
                return True
            # It may pass the API server's time for a request, and goes on then.
            with contextlib.suppress(RuntimeError):
                self.kubectl("delete", "--raw", pods + "?gracePeriodSeconds=0")
            return False
        harness.wait_for(none, "all pods to be gone", timeout=600, pause=0.5)


@contextlib.contextmanager
def lab(nodes, *words, api=""):
    """A started one, stopped afterwards."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ymbench-", dir="/tmp"))
    one = Lab(folder / "lab")
    try:
        one.start(nodes, words, api)
        yield one
    finally:
        subprocess.run(["bash", str(one.script), "stop", "--dir", str(one.folder)], check=False, stdout=subprocess.DEVNULL)
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def yardmaster(one, nodes, placement="ours"):
    """A server that has seen all nodes of the lab."""
    config = f"""
clusters:
  - name: kube
    executor: kubernetes
    kubernetes: {{kubeconfig: {one.kubeconfig}, namespace: {SPACE}, placement: {placement}, image: "lab.test/none:1",
                 wrapper_image: "lab.test/none:1"}}
flavors:
  - {{name: h100, match: {{gpu: h100}}}}
"""
    with servers.server(config) as server:
        harness.wait_for(lambda: offered(server) == nodes, "all nodes", timeout=120, pause=0.5)
        yield server


def offered(server):
    status, page = server.api("GET", "/nodes?limit=1000")
    if status != 200:
        raise RuntimeError(f"the nodes were answered with {status}")
    return sum(not node.get("withheld") for node in page["items"])
