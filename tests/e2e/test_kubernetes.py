"""Jobs in pods of a real kubelet: the same job files, another cluster behind the queue.

One node runs processes (localhost). For gangs, each task of which has a node of its own, there are two more that run
none: with `placement: delegated` and a runtime of that one node, the cluster's scheduler puts all of a gang on it.
"""

import json
import pathlib
import signal
import unittest

import harness
import labs
import ports
import restores
import standbys
import takeovers
import trainings

LAB, WRAPPER = None, None
BRIDGE = "10.245.0.1"  # this machine, as the lab's pods reach it
RUNTIME = {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "processes"}, "handler": "runc",
           "scheduling": {"nodeSelector": {"kube-lab.test/kubelet": "real"}}}


def setUpModule():
    global LAB, WRAPPER
    LAB = labs.KubeLab(nodes=2, kubelet=True)
    LAB.start()
    try:
        WRAPPER = LAB.import_wrapper()
        LAB.kubectl("apply", "--server-side", "-f", harness.ROOT / "deploy/kubernetes/rbac.yaml")
        # For mounts of the node's folders, as the guide says.
        LAB.kubectl("label", "namespace", "yardmaster", "pod-security.kubernetes.io/enforce=privileged", "--overwrite")
        LAB.kubectl("label", "node", "localhost", "nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3")
        (LAB.folder / "runtime.json").write_text(json.dumps(RUNTIME))
        LAB.kubectl("create", "-f", LAB.folder / "runtime.json")
    except BaseException:
        LAB.stop()
        raise


def tearDownModule():
    if LAB:
        LAB.stop()


class Server(harness.Server):
    """Reached by pods, too."""

    def __init__(self, folder, config):
        port = ports.free(1)
        super().__init__(folder, config, ["--advertise-url", f"http://{BRIDGE}:{port}", "--trusted-proxies", "0.0.0.0/0"])
        self.everywhere = self.listen = f"0.0.0.0:{port}"

    def start(self, timeout=harness.TIMEOUT):
        self.listen = self.everywhere
        return super().start(timeout)


class OnKubernetes:
    """Of a test that has a folder: its configuration."""

    settings, queues = "node_selector: {kube-lab.test/kubelet: real}", ""

    def access(self):
        """By a kubeconfig of the service account that the manifest makes."""
        token = LAB.kubectl("create", "token", "yardmaster", "-n", "yardmaster").strip()
        config = json.loads(LAB.kubeconfig.read_text())
        config["users"][0]["user"]["token"] = token
        config["contexts"][0]["context"]["namespace"] = "yardmaster"
        path = self.folder / "kubeconfig"
        path.write_text(json.dumps(config))
        return f"kubeconfig: {path}"

    def configuration(self):
        return f"""
clusters:
  - name: aks
    executor: kubernetes
    kubernetes:
      {self.access()}
      image: kube-lab.test/base:1
      wrapper_image: {WRAPPER}
      tolerations: [kube-lab.test/kubelet]
      mounts:
        - {{host_path: /usr, mount: /usr, read_only: true}}
        - {{host_path: {self.folder}, mount: {self.folder}}}
        - {{host_path: {harness.ROOT}, mount: {harness.ROOT}, read_only: true}}
      {self.settings}
flavors:
  - {{name: h100, match: {{gpu: h100}}}}
{self.queues}"""


class KubernetesTest(OnKubernetes, harness.ServerTest):
    started = False

    def setUp(self):
        super().setUp()
        self.server = Server(self.folder, self.configuration())
        self.addCleanup(self.server.close)
        self.addCleanup(LAB.kubectl, "delete", "pods", "--all", "-n", "yardmaster", "--grace-period=1", "--timeout=60s")
        self.server.start()
        harness.wait_for(lambda: "localhost" in [node["name"] for node in self.server.json("nodes")], "the node")

    def job(self, **spec):
        return self.server.submit({"name": "job", "workdir": "/tmp", "resources": {"gpus": 1}} | spec)

    def pods(self):
        return [item["metadata"]["name"] for item in
                json.loads(LAB.kubectl("get", "pods", "-n", "yardmaster", "-o", "json"))["items"]]

    def until_asked(self, what):
        """A line of shell that goes on when `touch` is called with the same word."""
        return f"while [ ! -e {self.folder}/{what} ]; do sleep 0.1; done"

    def touch(self, what):
        (self.folder / what).touch()


class Life(KubernetesTest):
    def test_a_jobs_end_and_output_come_back_and_its_pod_is_taken_away(self):
        job = self.job(run="echo out of $YM_JOB_NAME; echo and err >&2; exit 3", resources={"gpus": 2})
        ended = self.server.wait_state(job, "FAILED")
        self.assertEqual(ended["attempts"][0]["exit_code"], 3)
        self.assertEqual(ended["attempts"][0]["placement"][0]["node"], "localhost")
        self.assertEqual(self.job_log(job), "out of job\nand err\n")
        harness.wait_for(lambda: not self.pods(), "the pod to be gone")
        self.assertEqual(self.job_log(job), "out of job\nand err\n", "it is kept")

    def test_a_cancel_gives_the_grace(self):
        job = self.job(run="trap 'echo saving; exit 0' TERM; echo up; while :; do sleep 0.1; done")
        self.server.wait_state(job, "RUNNING")
        harness.wait_for(lambda: "up" in self.job_log(job), "the job to be up")
        self.server.ym("cancel", job)
        self.server.wait_state(job, "CANCELLED")
        self.assertIn("saving", self.job_log(job))
        harness.wait_for(lambda: not self.pods(), "the pod to be gone")

    def test_what_others_take_off_is_tried_again(self):
        job = self.job(run=f"echo try $YM_ATTEMPT; {self.until_asked('go')}")
        self.server.wait_state(job, "RUNNING")
        LAB.kubectl("delete", "pod", "-n", "yardmaster", *self.pods())
        harness.wait_for(lambda: len(self.server.get(job)["attempts"]) == 2, "another attempt")
        self.touch("go")
        self.server.wait_state(job, "SUCCEEDED")
        self.assertIn("try 2", self.job_log(job))
        self.assertIn("try 1", self.job_log(job, "--attempt", "1"), "it was kept when its pod went")


class Faults(KubernetesTest):
    def test_a_server_that_dies_and_comes_back_finds_its_jobs(self):
        job = self.job(run=f"echo once >> {self.folder}/ran; {self.until_asked('go')}; exit 5")
        self.server.wait_state(job, "RUNNING")
        self.server.kill(signal.SIGKILL)
        self.touch("go")
        self.server.start()
        self.assertEqual(self.server.wait_state(job, "FAILED")["attempts"][0]["exit_code"], 5)
        self.assertEqual((self.folder / "ran").read_text(), "once\n")

    def test_a_backup_that_is_put_back_runs_nothing_twice(self):
        restores.runs_nothing_twice(self)

    def test_an_api_server_that_is_away_changes_nothing(self):
        runs = self.job(run=f"{self.until_asked('go')}; echo through")
        self.server.wait_state(runs, "RUNNING")
        LAB.run("apiserver-kill")
        try:
            self.touch("go")
            # Its end is the wrapper's to tell.
            self.server.wait_state(runs, "SUCCEEDED")
            waits = self.job(run="echo later")
        finally:
            LAB.start_api_server()
        self.server.wait_state(waits, "SUCCEEDED", timeout=120)
        self.assertEqual(self.job_log(waits), "later\n")
        self.assertEqual(len(self.server.get(runs)["attempts"]), 1)


class Preemption(KubernetesTest):
    queues = "queues: [{name: train, quota: {h100: {gpus: 8}}}]\n"

    def test_a_job_makes_room_saves_and_goes_on(self):
        trainings.makes_room_and_goes_on(self, {"gpus": 8, "cpus": 1}, "/usr/bin/python3")


class Gangs(KubernetesTest):
    settings = "placement: delegated\n      runtime_class: processes"

    def setUp(self):
        super().setUp()
        harness.wait_for(lambda: len(self.server.json("nodes")) == 3, "all nodes")

    def test_a_gang_starts_together_and_knows_its_members(self):
        job = self.job(nodes=3, run="echo rank $YM_NODE_RANK of $YM_NODES: $YM_NODE_IPS", resources={"gpus": 1, "cpus": "500m"})
        self.server.wait_state(job, "SUCCEEDED")
        logs = [self.job_log(job, "--rank", rank) for rank in range(3)]
        addresses = {log.split(": ")[1] for log in logs}
        self.assertEqual(len(addresses), 1, "all are told the same")
        self.assertEqual(len(set(addresses.pop().strip().split(","))), 3, "each pod has an address of its own")
        for rank, log in enumerate(logs):
            self.assertTrue(log.startswith(f"rank {rank} of 3: 10.245.0."), log)

    def test_a_gang_under_torchrun_trains_together(self):
        libraries = "/usr/lib/x86_64-linux-gnu"
        trainings.trains_together(self, LD_LIBRARY_PATH=f"{libraries}/lapack:{libraries}/blas")


class Takeover(OnKubernetes, standbys.OnPostgres):
    settings = "placement: delegated\n      runtime_class: processes"

    def setUp(self):
        super().setUp()
        self.balancer = takeovers.Balancer("0.0.0.0")
        self.addCleanup(self.balancer.close)
        self.balancer.members = self.members
        self.addCleanup(LAB.kubectl, "delete", "pods", "--all", "-n", "yardmaster", "--grace-period=1", "--timeout=60s")

    def member(self, name, config=None):
        one = super().member(name, config or self.configuration())
        one.arguments += ["--advertise-url", f"http://{BRIDGE}:{self.balancer.port}"]
        return one

    def test_jobs_outlive_their_leader(self):
        leader, standby = self.pair()
        harness.wait_for(lambda: len(leader.json("nodes")) == 3, "all nodes")
        takeovers.jobs_outlive_their_leader(self, leader, standby, takeovers.Gate(self.folder), cpus="100m")


if __name__ == "__main__":
    unittest.main()
