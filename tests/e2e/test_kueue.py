"""Beside a real Kueue: our pods carry its queue's name, it decides when they start, and its decisions are ours to live with.

The API server, its scheduler and Kueue are real. The kubelets are simulated, and each pod's wrapper runs on this machine.
"""

import json

import harness
import kueue
import labs
import pod_runner

LAB, KUEUE, RUNNER = None, None, None
GPUS = 8  # of the cluster queue; the nodes have four times as many


def queue(stop="None"):
    resources = [{"name": name, "nominalQuota": quota} for name, quota in
                 (("nvidia.com/gpu", GPUS), ("cpu", 1000), ("memory", "1Ti"))]
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "shared"},
            "spec": {"namespaceSelector": {}, "stopPolicy": stop, "resourceGroups": [
                {"coveredResources": [each["name"] for each in resources],
                 "flavors": [{"name": "any", "resources": resources}]}]}}


OBJECTS = [
    {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor", "metadata": {"name": "any"}},
    queue(),
    {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": "team", "namespace": "default"},
     "spec": {"clusterQueue": "shared"}},
]


def setUpModule():
    global LAB, KUEUE, RUNNER
    kueue.built()
    LAB = labs.KubeLab(nodes=4)
    try:
        LAB.start()
        KUEUE = kueue.Kueue(LAB)
        KUEUE.start()
        KUEUE.apply(*OBJECTS)
        RUNNER = pod_runner.PodRunner(LAB, LAB.folder.parent / "pods").start()
    except BaseException:
        tearDownModule()
        raise


def tearDownModule():
    if RUNNER:
        RUNNER.stop()
    if KUEUE:
        KUEUE.stop()
    if LAB:
        LAB.stop()


class BesideKueue(harness.ServerTest):
    started = False

    def setUp(self):
        super().setUp()
        self.addCleanup(self.clear)
        self.server = harness.Server(self.folder, f"""
clusters:
  - name: gke
    executor: kubernetes
    kubernetes: {{kubeconfig: {LAB.kubeconfig}, namespace: default, image: any, wrapper_image: any, placement: delegated, queue: team}}
flavors:
  - {{name: all, match: {{cluster: gke}}}}
""")
        self.addCleanup(self.server.close)
        self.server.start()
        harness.wait_for(lambda: len(self.server.json("nodes")) == 4, "the nodes")

    def clear(self):
        KUEUE.apply(queue())
        LAB.kubectl("delete", "pods", "--all", "-n", "default", "--force", "--grace-period=0", "--wait=false")
        harness.wait_for(lambda: not self.workloads(), "Kueue to have nothing left")

    def job(self, **spec):
        return self.server.submit({"name": "job", "workdir": "/tmp", "resources": {"gpus": 4}} | spec)

    def until(self, what):
        return f"while [ ! -e {self.folder}/{what} ]; do sleep 0.1; done"

    def touch(self, what):
        (self.folder / what).touch()

    def pods(self, job):
        listed = json.loads(LAB.kubectl("get", "pods", "-n", "default", "-o", "json"))["items"]
        return [pod for pod in listed if job in pod["metadata"]["name"]]

    def workloads(self):
        return json.loads(LAB.kubectl("get", "workloads.kueue.x-k8s.io", "-n", "default", "-o", "json"))["items"]

    def wait_gated(self, job, count=1):
        def gated():
            held = [pod for pod in self.pods(job) if pod["spec"].get("schedulingGates")]
            return held if len(held) == count else None
        return harness.wait_for(gated, f"{count} pods that Kueue holds")

    def test_it_decides_when_a_job_starts(self):
        first = self.job(resources={"gpus": GPUS}, run=self.until("go"))
        self.server.wait_state(first, "RUNNING")
        second = self.job(run="echo in turn")
        self.wait_gated(second)
        harness.wait_for(lambda: len(self.workloads()) == 2, "a workload of each")
        harness.wait_for(lambda: "scheduling gates" in self.server.ym("why", second).stdout, "the reason")
        self.assertIn("waits there to start", self.server.ym("why", second).stdout)
        self.assertIn("scheduling gates", self.server.ym("ps").stdout)
        self.touch("go")
        self.server.wait_state(first, "SUCCEEDED")
        self.server.wait_state(second, "SUCCEEDED")
        self.assertEqual(self.job_log(second), "in turn\n")
        harness.wait_for(lambda: not self.workloads(), "its quota to be given back")

    def test_it_lets_a_gang_in_as_a_whole(self):
        running = self.job(run=self.until("go"))
        self.server.wait_state(running, "RUNNING")
        gang = self.job(nodes=2, run="echo $YM_NODE_RANK of $YM_NODES; exit $YM_NODE_RANK")
        self.wait_gated(gang, 2)
        self.touch("go")
        ended = self.server.wait_state(gang, "FAILED")
        self.assertEqual(ended["attempts"][0]["exit_code"], 1)
        self.assertEqual([self.job_log(gang, "--rank", rank) for rank in range(2)], ["0 of 2\n", "1 of 2\n"])
        harness.wait_for(lambda: not self.workloads(), "its quota to be given back, though a task has failed")

    def test_what_it_takes_off_is_tried_again_when_it_lets_it(self):
        job = self.job(run=f"echo try $YM_ATTEMPT; {self.until('go')}")
        self.server.wait_state(job, "RUNNING")
        KUEUE.apply(queue("HoldAndDrain"))
        harness.wait_for(lambda: len(self.server.get(job)["attempts"]) == 2, "another attempt")
        self.wait_gated(job)
        self.touch("go")
        KUEUE.apply(queue())
        self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(self.job_log(job), "try 2\n")

    def test_a_job_that_is_cancelled_while_it_waits_leaves_nothing(self):
        running = self.job(resources={"gpus": GPUS}, run=self.until("go"))
        self.server.wait_state(running, "RUNNING")
        waiting = self.job(run="echo never", nodes=2)
        self.wait_gated(waiting, 2)
        self.server.ym("cancel", waiting)
        self.server.wait_state(waiting, "CANCELLED")
        harness.wait_for(lambda: not self.pods(waiting) and len(self.workloads()) == 1, "its pods and its workload to be gone")
        self.touch("go")
        self.server.wait_state(running, "SUCCEEDED")
