"""One queue over a real Slurm and a real Kubernetes control plane: the same job file runs on either, and nobody has to say
which."""

import unittest

import harness
import labs
import pod_runner


class OneQueue(harness.ServerTest):
    started = False

    def setUp(self):
        super().setUp()
        self.slurm = labs.SlurmLab(nodes=1, gpus=2)
        self.addCleanup(self.slurm.stop)
        self.kube = labs.KubeLab(nodes=1, gpus=2)
        self.addCleanup(self.kube.stop)
        self.slurm.start()
        self.kube.start()
        (self.folder / "logs").mkdir()
        self.server = harness.Server(self.folder, f"""
clusters:
  - name: hpc
    executor: slurm
    slurm: {{log_dir: {self.folder / "logs"}, conf: {self.slurm.conf}}}
  - name: gke
    executor: kubernetes
    kubernetes: {{kubeconfig: {self.kube.kubeconfig}, namespace: default, image: any, wrapper_image: any}}
    node_prefix: gke-
flavors:
  - {{name: own, match: {{cluster: hpc}}}}
  - {{name: burst, match: {{cluster: gke}}}}
queues:
  - {{name: team, quota: {{own: {{gpus: 2}}, burst: {{gpus: 2}}}}}}
""")
        self.addCleanup(self.server.close)
        self.server.start()
        harness.wait_for(lambda: self.nodes() == {"n1", "gke-n1"}, "the nodes of both", timeout=60)

    def run_pods(self):
        """Before it, pods have nodes, and their wrappers are not started."""
        runner = pod_runner.PodRunner(self.kube, self.folder / "pods").start()
        self.addCleanup(runner.stop)

    def nodes(self):
        return {node["name"] for node in self.server.json("nodes") if not node["withheld"]}

    def job(self, name, go, **more):
        return self.server.submit({"name": name, "queue": "team", "workdir": "/tmp", "resources": {"gpus": 2},
                                   "env": {"GO": str(self.folder / go), "OUT": str(self.folder / name)},
                                   "run": "echo $$ >> $OUT; echo up; while [ ! -e $GO ]; do sleep 0.1; done; echo done"} | more)

    def cluster_of(self, job):
        return self.server.get(job)["attempts"][-1]["cluster"]

    def test_it_begins_where_there_is_room_and_users_notice_nothing(self):
        self.run_pods()
        first, second, third = (self.job(name, "go-" + name) for name in ("first", "second", "third"))
        self.server.wait_state(first, "RUNNING")
        self.server.wait_state(second, "RUNNING")
        self.assertEqual((self.cluster_of(first), self.cluster_of(second)), ("hpc", "gke"))
        listed = {row["id"]: row["state"] for row in self.server.json("ps")}
        self.assertEqual(listed, {first: "RUNNING", second: "RUNNING", third: "QUEUED"})
        for job in (first, second):
            harness.wait_for(lambda: "up" in self.job_log(job), "the log")
        why = self.server.ym("why", third).stdout
        self.assertIn("own", why)
        self.assertIn("burst", why)
        (self.folder / "go-second").touch()
        self.server.wait_state(second, "SUCCEEDED")
        self.server.wait_state(third, "RUNNING")
        self.assertEqual(self.cluster_of(third), "gke", "where there is room first")
        (self.folder / "go-first").touch()
        (self.folder / "go-third").touch()
        for job in (first, third):
            self.server.wait_state(job, "SUCCEEDED")
            self.assertIn("done", self.job_log(job))

    def test_what_has_not_begun_leaves_a_cluster_that_is_away_and_runs_once(self):
        """What it leaves behind finds the launch barrier closed."""
        fills = self.job("fills", "go-fills")
        self.server.wait_state(fills, "RUNNING")
        moves = self.job("moves", "go-moves")
        harness.wait_for(lambda: self.pods(), "its pod")
        self.assertEqual(self.cluster_of(moves), "gke")
        self.kube.run("apiserver-kill")
        (self.folder / "go-fills").touch()
        self.server.wait_state(fills, "SUCCEEDED")
        (self.folder / "go-moves").touch()
        ended = self.server.wait_state(moves, "SUCCEEDED", timeout=240)
        self.assertEqual([attempt["cluster"] for attempt in ended["attempts"]], ["gke", "hpc"])
        self.assertIn("cluster gke does not answer, and the job had not begun there", ended["attempts"][0]["message"])
        self.kube.start_api_server()
        self.run_pods()
        harness.wait_for(lambda: not self.pods(), "what it left behind to go", timeout=60)
        self.assertEqual(len((self.folder / "moves").read_text().split()), 1, "it ran once")

    def pods(self):
        return self.kube.kubectl("get", "pods", "-n", "default", "--no-headers", "--ignore-not-found").split("\n")[:-1]


if __name__ == "__main__":
    unittest.main()
