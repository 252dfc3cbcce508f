"""What the API server is asked for by us, by its own audit log: jobs that live from submit to end.

The nodes are simulated. The wrapper in each pod is the real one, started here with the environment that the pod's has."""

import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import measure as m
import harness
import servers
from clusters import kube, kube_pods, pod_watch

NODES, PODS = 25, 200
WRAPPERS = 8  # at once
POLICY = f"""
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - {{level: Metadata, users: ["{kube.USER}"]}}
  - {{level: None}}
"""


class Audit:
    """The requests of Yardmaster's account: (verb, resource, name of the object)."""

    def __init__(self, folder):
        self.policy, self.log = folder / "policy.yaml", folder / "audit.log"
        self.policy.write_text(POLICY, encoding="utf-8")

    @property
    def arguments(self):
        return f"--audit-policy-file={self.policy} --audit-log-path={self.log}"

    def requests(self):
        found = []
        for line in self.log.read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            # A watch has two entries: that it began, and that it ended.
            if event["stage"] == "ResponseComplete" and event["verb"] == "watch":
                continue
            what = event.get("objectRef", {})
            resource = "/".join(filter(None, (what.get("resource"), what.get("subresource")))) or event["requestURI"]
            found.append((event["verb"], resource, what.get("name", "")))
        return found


def run_wrapper(pod, folder):
    """As the container would."""
    container = pod["spec"]["containers"][0]
    env = {each["name"]: each["value"] for each in container["env"] if "value" in each}
    env |= {"YM_TASK_ADDRESS": "127.0.0.1", "YM_TASK_NODE": pod["spec"]["nodeName"], "PATH": os.environ["PATH"],
            "YM_TASK_DIR": str(folder / pod["metadata"]["name"]), "YM_TASK_MESSAGES": "/dev/null"}
    done = subprocess.run([str(harness.BIN / "ym-task")], env=env, capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, cwd="/")
    if done.returncode != 0:
        raise RuntimeError(f"a wrapper ended with {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}")


def run_wrappers(lab, folder):
    listed = json.loads(lab.kubectl("get", "pods", "-n", kube.SPACE, "-o", "json"))["items"]
    with concurrent.futures.ThreadPoolExecutor(WRAPPERS) as pool:
        list(pool.map(lambda pod: run_wrapper(pod, folder), listed))


def live(lab, audit, folder):
    """The requests until the jobs are submitted, until all pods are bound, and until all are gone."""
    with kube.yardmaster(lab, NODES) as server, pod_watch.PodWatch(lab.environment, kube.SPACE) as watch:
        before = len(audit.requests())
        kube_pods.submit(server, kube_pods.arrays(PODS, resources={"gpus": 1}))
        kube_pods.wait_until_bound(watch, PODS)
        bound = len(audit.requests())
        run_wrappers(lab, folder)
        harness.wait_for(lambda: len(servers.jobs(server, "state=SUCCEEDED")) == PODS, "all jobs to succeed", pause=0.5)
        harness.wait_for(lambda: not watch.present, "all pods to be gone", pause=0.5)
        return audit.requests(), before, bound


def table_of(requests, before, bound):
    table = m.Table(f"Requests to the API server, {PODS} one-pod jobs from submit to end, by its audit log")
    first, then, after = requests[:before], requests[before:bound], requests[bound:]
    writes = collections.Counter(name for verb, resource, name in then if verb not in ("get", "list", "watch"))
    of_pod = collections.Counter(name for _, resource, name in then + after if resource.startswith("pods") and name)
    lists = [resource for verb, resource, _ in then + after if verb == "list"]
    table.row("writes a pod until it is bound", f"{sum(writes.values()) / PODS:.2f}, {max(writes.values())} at most", wanted="1",
              reached=sum(writes.values()) == PODS and max(writes.values()) == 1)
    whole = len(then) + len(after)
    table.row("requests a pod over its life", f"{whole / PODS:.2f}, {max(of_pod.values())} at most", wanted="<= 5",
              reached=whole <= 5 * PODS and max(of_pod.values()) <= 5)
    table.row("lists after the first", str(len(lists)), wanted="0", reached=not lists)
    for name, part in (("until the first submit", first), ("from then on", then + after)):
        kinds = collections.Counter((verb, resource) for verb, resource, _ in part)
        table.note(f"{name}: " + ", ".join(f"{count} {verb} {resource}" for (verb, resource), count in kinds.most_common()) + ".")
    table.note("Nodes simulated; each pod's wrapper is the real one, run beside the lab. What the stock scheduler and the kubelets "
               "write is not ours and is not counted.")
    return table


def requests():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ymaudit-", dir="/tmp"))
    try:
        audit = Audit(folder)
        with kube.lab(NODES, api=audit.arguments) as lab:
            yield table_of(*live(lab, audit, folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
