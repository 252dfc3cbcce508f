"""The same pods without Yardmaster: a loop that creates them as fast as the API server takes them, for the stock scheduler to bind."""

import concurrent.futures
import copy
import http.client
import itertools
import json
import ssl
import threading
import time
import urllib.parse

from clusters import kube, kube_pods, pod_watch

AT_ONCE = 16
GROUPS = "scheduling.k8s.io/v1alpha2"
numbers = itertools.count()


def template_of(lab):
    """One of our pods as the API server shows it, but for what it has become, and for the choice of its node."""
    pod = json.loads(lab.kubectl("get", "--raw", f"/api/v1/namespaces/{kube.SPACE}/pods?limit=1"))["items"][0]
    pod.pop("status")
    pod |= {"apiVersion": "v1", "kind": "Pod"}
    pod["metadata"] = {key: pod["metadata"][key] for key in ("labels", "annotations")}
    for key in ("nodeName", "affinity", "priority", "serviceAccount"):
        pod["spec"].pop(key, None)
    return pod


class Client:
    """A connection for each thread."""

    def __init__(self, environment):
        self.environment, self.mine = environment, threading.local()
        self.context = ssl.create_default_context(cafile=environment["KUBE_CA_FILE"])

    def connection(self):
        if not hasattr(self.mine, "one"):
            address = urllib.parse.urlsplit(self.environment["KUBE_API_URL"])
            self.mine.one = http.client.HTTPSConnection(address.hostname, address.port, context=self.context, timeout=120)
        return self.mine.one

    def post(self, path, body):
        connection = self.connection()
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json",
                                                            "Authorization": f"Bearer {self.environment['KUBE_TOKEN']}"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status == 429:
            time.sleep(0.1)
            return self.post(path, body)
        if answer.status != 201:
            raise RuntimeError(f"POST {path} was answered with {answer.status}: {text[:300]!r}")
        return None


class Bare:
    """Seconds from the first create to the last pod that is bound. `gang`: pods of each PodGroup; these are created before."""

    def __init__(self, lab, template, pods, gang=0):
        self.lab, self.template, self.pods, self.gang = lab, template, pods, gang
        self.client = Client(lab.environment)

    def __call__(self):
        run = f"bare{next(numbers)}"
        with pod_watch.PodWatch(self.lab.environment, kube.SPACE) as watch, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            if self.gang:
                list(pool.map(lambda number: self.make_group(run, number), range(self.pods // self.gang)))
            begin = time.monotonic()
            list(pool.map(lambda number: self.make_pod(run, number), range(self.pods)))
            kube_pods.wait_until_bound(watch, self.pods)
            seconds = watch.last_bound() - begin
        self.lab.clear()
        return seconds

    def make_group(self, run, number):
        self.client.post(f"/apis/{GROUPS}/namespaces/{kube.SPACE}/podgroups", {
            "apiVersion": GROUPS, "kind": "PodGroup", "metadata": {"name": f"{run}-{number}"},
            "spec": {"schedulingPolicy": {"gang": {"minCount": self.gang}}}})

    def make_pod(self, run, number):
        pod = copy.deepcopy(self.template)
        pod["metadata"]["name"] = f"{run}-{number}"
        if self.gang:
            pod["spec"]["schedulingGroup"] = {"podGroupName": f"{run}-{number // self.gang}"}
        self.client.post(f"/api/v1/namespaces/{kube.SPACE}/pods", pod)
