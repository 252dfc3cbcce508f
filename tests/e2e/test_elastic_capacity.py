"""Nodes that do not exist yet: of a simulated cluster; on a real Kubernetes API server and scheduler, where placeholders
make an autoscaler act; and on a real Slurm, which starts nodes that are off."""

import signal
import unittest

import autoscaler
import harness
import labs
import pod_runner

def config(lab):
    return f"""
clusters:
  - name: gke
    executor: kubernetes
    kubernetes: {{kubeconfig: {lab.kubeconfig}, namespace: default, image: any, wrapper_image: any}}
flavors:
  - name: h100
    match: {{cluster: gke, gpu: h100}}
    elastic: {{max: 3, provisioning: 1m, node: {{gpus: "h100:4", cpus: 64, memory: 256GiB}}}}
queues:
  - {{name: team, quota: {{h100: {{gpus: 8}}}}}}
"""


class Simulated(harness.ServerTest):
    """An elastic flavor: nodes come for who waits, and go when nobody does."""

    config = """
clusters:
  - {name: lab, executor: simulated, nodes: [{names: a1, gpus: "h100:8", cpus: 64}]}
  - {name: cloud, executor: simulated, nodes: [{names: c1, gpus: "h100:8", cpus: 64, labels: {pool: rented}}]}
flavors:
  - {name: own, match: {cluster: lab}}
  - name: rented
    match: {cluster: cloud, gpu: h100}
    price_per_gpu_hour: 2
    elastic: {max: 3, provisioning: 8s, idle: 1s, node: {gpus: "h100:8", cpus: 64, labels: {pool: rented}}}
"""

    def names(self):
        return {node["name"] for node in self.server.json("nodes")}

    def test_they_come_for_waiting_jobs_and_go_when_none_waits(self):
        spec = {"run": ["sleep", "3600"], "resources": {"gpus": 8}}
        jobs = [self.server.submit({**spec, "name": f"job{n}"}) for n in range(5)]
        for job in jobs[:2]:
            self.server.wait_state(job, "RUNNING")
        harness.wait_for(lambda: self.server.get(jobs[2])["reason"] == "Provisioning", "the reason")
        why = self.server.json("why", jobs[2])["dominant"]
        self.assertIn("2 more nodes of flavor rented are being made", why["message"])
        self.assertEqual(self.server.get(jobs[4])["reason"], "WaitingForCapacity", "there may be three, and no more")
        for job in jobs[2:4]:
            ran = self.server.wait_state(job, "RUNNING")
            self.assertTrue(ran["attempts"][0]["placement"][0]["node"].startswith("rented-"))
        self.assertEqual(self.names(), {"a1", "c1", "rented-1", "rented-2"})
        self.server.ym("cancel", *jobs)
        harness.wait_for(lambda: self.names() == {"a1", "c1"}, "the idle nodes to go")
        events = [event for event in self.server.json("events") if event["type"] == "nodes.wanted"]
        self.assertEqual([event["data"]["nodes"] for event in events][-1], 0)

    def test_nodes_that_are_added_to_the_configuration_stay(self):
        spec = {"run": ["sleep", "3600"], "resources": {"gpus": 8}}
        jobs = [self.server.submit({**spec, "name": f"job{n}"}) for n in range(3)]
        self.server.wait_state(jobs[2], "RUNNING")
        self.assertEqual(self.names(), {"a1", "c1", "rented-1"})
        self.server.config.write_text(self.config.replace("names: c1", 'names: "c[1-2]"'))
        self.server.process.send_signal(signal.SIGHUP)
        harness.wait_for(lambda: "c2" in self.names(), "the node that was added")
        self.server.ym("cancel", jobs[2])
        # Then the cluster reports all of its nodes.
        harness.wait_for(lambda: "rented-1" not in self.names(), "the idle node to go")
        self.assertEqual(self.names(), {"a1", "c1", "c2"})
        more = self.server.submit({**spec, "name": "more"})
        ran = self.server.wait_state(more, "RUNNING")
        self.assertEqual(ran["attempts"][0]["placement"][0]["node"], "c2")

    def test_of_a_configuration_that_is_refused_nothing_is_used(self):
        spec = {"run": ["sleep", "3600"], "resources": {"gpus": 8}}
        first = self.server.submit({**spec, "name": "first"})
        self.server.wait_state(first, "RUNNING")
        self.assertEqual(self.server.get(first)["attempts"][0]["cluster"], "lab")
        without = [line for line in self.config.splitlines() if "name: lab," not in line and "cluster: lab}" not in line]
        self.server.config.write_text("\n".join([*without, ""]).replace("names: c1", 'names: "c[1-2]"'))
        self.server.process.send_signal(signal.SIGHUP)
        refusal = "not reloaded: cluster 'lab' is not in the configuration any more"
        harness.wait_for(lambda: refusal in self.server.log_text(), "the refusal")
        jobs = [self.server.submit({**spec, "name": f"job{n}"}) for n in range(2)]
        for job in jobs:
            self.server.wait_state(job, "RUNNING")
        # The cluster has reported all of its nodes.
        self.assertEqual(self.names(), {"a1", "c1", "rented-1"})


class OnKubernetes(harness.ServerTest):
    started = False

    def setUp(self):
        super().setUp()
        self.lab = labs.KubeLab(nodes=1, gpus=4)
        self.addCleanup(self.lab.stop)
        self.lab.start()
        self.runner = pod_runner.PodRunner(self.lab, self.folder / "pods").start()
        self.addCleanup(self.runner.stop)
        self.scaler = autoscaler.Autoscaler(self.lab, most=3)
        self.addCleanup(self.scaler.stop)
        self.server = harness.Server(self.folder, config(self.lab))
        self.addCleanup(self.server.close)
        self.server.start()
        harness.wait_for(lambda: self.nodes() == {"n1"}, "the node that is there")

    def nodes(self):
        return {node["name"] for node in self.server.json("nodes")}

    def placeholders(self):
        lines = self.lab.kubectl("get", "pods", "-n", "default", "--no-headers", "-l", "yardmaster.dev/placeholder").splitlines()
        return [line.split()[0] for line in lines]

    def test_nodes_come_for_waiting_jobs_and_go_again(self):
        go = self.folder / "go"
        spec = {"queue": "team", "workdir": "/tmp", "resources": {"gpus": 4}, "env": {"GO": str(go)},
                "run": "while [ ! -e $GO ]; do sleep 0.1; done"}
        jobs = [self.server.submit({**spec, "name": f"job{n}"}) for n in range(3)]
        self.server.wait_state(jobs[0], "RUNNING")
        # One for the second; the third has no quota, and nothing is made for it.
        harness.wait_for(lambda: len(self.placeholders()) == 1, "a placeholder")
        self.assertEqual(self.server.get(jobs[1])["reason"], "Provisioning")
        self.assertEqual(self.server.get(jobs[2])["reason"], "WaitingForCapacity")
        self.server.kill()
        self.server.start()
        self.assertEqual(len(self.placeholders()), 1, "the same after a restart")
        self.scaler.start()
        ran = self.server.wait_state(jobs[1], "RUNNING")
        self.assertEqual(ran["attempts"][0]["placement"][0]["node"], "new-1")
        harness.wait_for(lambda: not self.placeholders(), "the placeholder to go")
        self.assertEqual(self.nodes(), {"n1", "new-1"}, "no more than was asked for")
        go.touch()
        for job in jobs:
            self.server.wait_state(job, "SUCCEEDED")
        harness.wait_for(lambda: self.nodes() == {"n1"}, "the idle node to go")
        wanted = [event["data"]["nodes"] for event in self.server.json("events") if event["type"] == "nodes.wanted"]
        self.assertEqual(wanted, [2, 0])


class OnSlurm(harness.ServerTest):
    started = False

    def setUp(self):
        super().setUp()
        self.lab = labs.SlurmLab(nodes=1, gpus=4, cloud=2)
        self.addCleanup(self.lab.stop)
        self.lab.start()
        (self.folder / "logs").mkdir()
        self.server = harness.Server(self.folder, f"""
clusters:
  - name: hpc
    executor: slurm
    slurm: {{log_dir: {self.folder / "logs"}, conf: {self.lab.conf}}}
flavors:
  - name: h100
    match: {{cluster: hpc, gpu: h100}}
    elastic: {{max: 3, provisioning: 1m, node: {{gpus: "h100:4", cpus: 16, memory: 60GiB}}}}
queues:
  - {{name: team, quota: {{h100: {{gpus: 8}}}}}}
""")
        self.addCleanup(self.server.close)
        self.server.start()
        # Until a node has reported to Slurm no job can have it, and one node more would be asked for.
        harness.wait_for(lambda: self.usable() == {"n1"}, "the node that is there", timeout=60)
        harness.wait_for(lambda: self.off() == {"c1", "c2"}, "the nodes that are off", timeout=60)

    def usable(self):
        return {node["name"] for node in self.server.json("nodes") if node["schedulable"] and not node["withheld"]}

    def off(self):
        return {node["name"] for node in self.server.json("nodes") if "off in Slurm" in (node["withheld"] or "")}

    def wakers(self):
        return [name for name in self.lab.slurm("squeue", "-h", "-o", "%j").split() if name.startswith("ym-node-")]

    def test_nodes_that_are_off_are_started_for_waiting_jobs_and_go_off_again(self):
        go = self.folder / "go"
        spec = {"queue": "team", "workdir": "/tmp", "resources": {"gpus": 4}, "env": {"GO": str(go)},
                "run": "while [ ! -e $GO ]; do sleep 0.1; done"}
        jobs = [self.server.submit({**spec, "name": f"job{n}"}) for n in range(3)]
        self.server.wait_state(jobs[0], "RUNNING")
        # One for the second; the third has no quota, and nothing is started for it.
        harness.wait_for(lambda: self.server.get(jobs[1])["reason"] == "Provisioning", "the reason")
        self.assertIn("1 more node of flavor h100", self.server.json("why", jobs[1])["dominant"]["message"])
        harness.wait_for(lambda: [name for name in self.wakers() if name.startswith("ym-node-c1-")], "what wakes it", timeout=60)
        self.server.kill()
        self.server.start()
        ran = self.server.wait_state(jobs[1], "RUNNING", timeout=120)
        self.assertEqual(ran["attempts"][0]["placement"][0]["node"], "c1")
        harness.wait_for(lambda: not self.wakers(), "what woke it to go", timeout=60)
        self.assertEqual(self.off(), {"c2"}, "no more than was asked for")
        go.touch()
        for job in jobs:
            self.server.wait_state(job, "SUCCEEDED", timeout=120)
        harness.wait_for(lambda: self.off() == {"c1", "c2"}, "the idle node to go off", timeout=120)
        wanted = [event["data"]["nodes"] for event in self.server.json("events") if event["type"] == "nodes.wanted"]
        self.assertEqual(wanted, [2, 0])


if __name__ == "__main__":
    unittest.main()
