"""The story: a sweep that fills what is idle, a training that takes its cluster back, and a cluster that cannot be reached."""

import pathlib
import re
import subprocess
import sys
import time

DEMO = pathlib.Path(__file__).resolve().parents[1]
ROOT = DEMO.parent
sys.path[:0] = [str(ROOT / "tests/e2e"), str(DEMO)]

import harness  # noqa: E402  (from tests/e2e)
import labs  # noqa: E402
import pod_runner  # noqa: E402
from timeline import TimeLine  # noqa: E402
from verdict import Promises  # noqa: E402

NODES, GPUS, TRIALS = 3, 2, 10  # of each cluster; a trial has a GPU of its own
GRACE = "25s"


class Cluster:
    """A control plane, and the processes of its pods."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.lab = labs.KubeLab(nodes=NODES, gpus=GPUS)

    def start(self):
        self.lab.start()
        self.runner = pod_runner.PodRunner(self.lab, self.folder / f"pods-{self.name}").start()
        return self

    def stop(self):
        if hasattr(self, "runner"):
            self.runner.stop()
        self.lab.stop()

    def pods(self):
        return self.lab.kubectl("get", "pods", "-A", "--no-headers", "-l", "yardmaster.dev/managed-by").split("\n")[:-1]


class Story:
    """`pace`: seconds of a trial's step; `steps`: of a trial; `away`: for how many seconds the second cluster cannot be
    reached; `epochs`: of the training."""

    def __init__(self, folder, line=None, pace=0.4, steps=120, away=60, epochs=40):
        self.folder, self.pace, self.steps, self.away, self.epochs = pathlib.Path(folder), pace, steps, away, epochs
        self.line, self.promises = line or TimeLine(sys.stdout), Promises()
        self.aks, self.gke = Cluster("aks", self.folder), Cluster("gke", self.folder)
        self.server = None

    # --- life
    def open(self):
        self.line.title("One queue over two clusters")
        for cluster in (self.aks, self.gke):
            cluster.start()
            self.line.say(cluster.name, f"a Kubernetes control plane is up: {NODES} nodes x {GPUS} GPUs")
        text = (DEMO / "clusters/clusters.yaml").read_text(encoding="utf-8")
        config = text.format(aks=self.aks.lab.kubeconfig, gke=self.gke.lab.kubeconfig)
        self.server = harness.Server(self.folder, config)
        self.server.start()
        harness.wait_for(lambda: len(self.server.json("nodes")) == 2 * NODES, "the nodes of both clusters")
        self.line.say("server", "ym serve is up, with both behind one queue. llm owns the GPUs of aks, research those of gke; what "
                                "llm leaves idle research may borrow")

    def close(self):
        if self.server:
            self.server.close()
        for cluster in (self.aks, self.gke):
            cluster.stop()

    # --- helpers
    def job(self, name, program, *arguments, **spec):
        environment = {"PYTHONPATH": f"{ROOT / 'sdk/python'}:{DEMO}", "PYTHONDONTWRITEBYTECODE": "1"}
        base = {"name": name, "run": [program, *map(str, arguments)], "workdir": "/tmp", "env": environment,
                "checkpoint": {"dir": str(self.folder / "checkpoints"), "every": "2s"}, "preemption": {"grace": GRACE}}
        return self.server.submit(base | spec)

    def show(self, *arguments):
        self.line.show("ym " + " ".join(arguments), self.server.ym(*arguments).stdout)

    def everything(self):
        return {job["id"]: job for job in self.server.json("ps", "-A")}

    def states(self, state):
        return [job for job in self.everything().values() if job["state"] == state]

    def place_of(self, job):
        """The cluster of its newest attempt."""
        attempts = self.server.get(job)["attempts"]
        return attempts[-1]["placement"][0]["node"].split("-")[0] if attempts else None

    def places(self, jobs):
        return [self.place_of(job) for job in jobs]

    def step_of(self, job):
        """As the server knows it."""
        return (self.server.get(job)["attempts"][-1].get("progress") or {}).get("step") or 0

    def steps_of(self, job):
        """As its logs tell, by attempt."""
        logs = [self.server.ym("logs", job, "--attempt", attempt["number"]).stdout for attempt in self.server.get(job)["attempts"]]
        return [[int(step) for step in re.findall(r" step (\d+)/", log)] for log in logs]

    # --- the chapters
    def sweep(self):
        self.trials = [self.job(f"trial-{n}", "/usr/bin/python3", DEMO / "experiment.py", "--steps", self.steps, "--pause", self.pace,
                                "--first-save", 3, queue="research", priority=30, resources={"gpus": 1}) for n in range(TRIALS)]
        self.line.say("research", f"submits a sweep of {TRIALS} trials, a GPU each")
        harness.wait_for(lambda: len(self.states("RUNNING")) == TRIALS, "all trials to run", 120, 0.3)
        places = self.places(self.trials)
        self.show("ps")
        self.line.say("ym", f"{places.count('aks')} run on aks, which is idle, and {places.count('gke')} on gke. For who looks, it is one queue")
        self.promises.check("the sweep fills what is idle of aks, and goes on to gke", (places.count("aks"), places.count("gke")) == (6, 4))
        harness.wait_for(lambda: all(self.server.get(job)["checkpoints"] for job in self.trials), "a checkpoint of each trial", 120, 0.5)

    def training(self):
        self.llm = self.job("llm", str(ROOT / "build/venv/bin/python"), DEMO / "train_digits.py", "--statistics", self.statistics(), "--epochs", self.epochs,
                            nodes=NODES, launcher="torchrun", queue="llm", priority=80, resources={"gpus": GPUS})
        self.line.say("llm", f"submits its training: torchrun on {NODES} nodes x {GPUS} GPUs, all of aks. Its quota is lent out:")
        harness.wait_for(lambda: self.server.get(self.llm)["state"] in ("STARTING", "RUNNING"), "the training's place", 90, 0.2)
        self.server.wait_state(self.llm, "RUNNING", timeout=90)
        moved = [job for job in self.trials if len(self.server.get(job)["attempts"]) > 1]
        self.line.say("ym", "the trials on aks have saved and given way. As many as gke has room for go on there, from where they were; "
                            "the others wait")
        harness.wait_for(lambda: [job for job in self.trials if len(self.server.get(job)["attempts"]) == 2
                                  and self.place_of(job) == "gke" and self.server.get(job)["state"] == "RUNNING"],
                         "a trial that has moved", 90, 0.3)
        moved = [job for job in self.trials if len(self.server.get(job)["attempts"]) == 2]
        self.promises.check("the training runs on all nodes of aks", {task["node"] for task in self.server.get(self.llm)["attempts"][-1]["placement"]}
                            == {f"aks-n{n}" for n in range(1, NODES + 1)})
        self.promises.check("trials that gave way on aks go on on gke", moved and set(self.places(moved)) == {"gke"})
        waits = harness.wait_for(lambda: [job["id"] for job in self.states("QUEUED")], "trials that wait")
        self.show("why", waits[0])

    def statistics(self):
        """What the training wants to know of its data."""
        path = self.folder / "statistics.json"
        subprocess.run([str(ROOT / "build/venv/bin/python"), str(DEMO / "preprocess.py"), "--out", str(path)], check=True,
                       capture_output=True, cwd=DEMO)
        return path

    def loss_is_noticed(self):
        events = [event for event in self.server.json("events") if event["type"] == "cluster.set" and event["actor"] == "executor:gke"]
        return events and not events[-1]["data"]["available"]

    def outage(self):
        on_gke = [job["id"] for job in self.states("RUNNING") if self.place_of(job["id"]) == "gke"]
        before = {job: self.step_of(job) for job in on_gke}
        self.gke.lab.run("apiserver-kill")
        began = time.monotonic()
        self.line.say("(fate)", f"gke's API server is killed, for {self.away} seconds. Nothing of it can be asked, nothing new starts there")
        harness.wait_for(self.loss_is_noticed, "the loss to be noticed", 60, 0.5)
        time.sleep(max(0.0, self.away - (time.monotonic() - began)))
        alive = [job for job in on_gke if self.step_of(job) > before[job]]
        self.line.say("ym", f"{len(alive)} of {len(on_gke)} trials there have gone on meanwhile: their wrappers report to the server itself")
        self.show("ps")
        self.promises.check("what runs on a cluster that cannot be reached goes on, and is heard of", on_gke and len(alive) == len(on_gke))
        self.promises.check("nobody is said to be lost", not [job for job in self.everything().values() if job["state"] in ("UNREACHABLE", "FAILED")])
        self.gke.lab.start_api_server()
        self.line.say("gke", "is back")

    def finish(self):
        for job in (self.llm, *self.trials):
            self.server.wait_end(job, timeout=600)
        said = re.findall(r"test accuracy .*", self.server.ym("logs", self.llm).stdout)
        self.line.say("llm", f"the training has ended: {said[-1] if said else 'no accuracy!'}")
        self.promises.check("the training succeeded", self.server.get(self.llm)["state"] == "SUCCEEDED")
        self.line.say("research", "all trials are done; one of those that moved, its first attempt and its second:")
        moved = next(job for job in self.trials if len(self.server.get(job)["attempts"]) > 1)
        for attempt in ("1", "2"):
            lines = self.server.ym("logs", moved, "--attempt", attempt).stdout.splitlines()
            cut = lines[-3:] if attempt == "1" else lines[:3]
            self.line.show(f"ym logs trial --attempt {attempt} | {'tail' if attempt == '1' else 'head'} -n 3", "\n".join(cut))
        self.judge()

    def judge(self):
        jobs = [self.server.get(job) for job in self.trials]
        self.promises.check("every trial succeeded", all(job["state"] == "SUCCEEDED" for job in jobs))
        told = [[step for attempt in self.steps_of(job["id"]) for step in attempt] for job in jobs]
        self.promises.check("each trial did each step once: nothing was lost, and nothing done twice",
                            all(steps == list(range(1, self.steps + 1)) for steps in told))
        pairs = [(one, other) for job in jobs for one, other in zip(job["attempts"], job["attempts"][1:])]
        self.promises.check("no job was in two places at a time", all(one["ended_at"] <= other["started_at"] for one, other in pairs))
        self.promises.check("who moved was preempted, and went on from a checkpoint",
                            pairs and all(one["ended_by"] == "preempted" and one["checkpoint_step"] for one, _ in pairs))
        harness.wait_for(lambda: not (self.aks.pods() + self.gke.pods()), "the pods to be gone", 90, 0.5)
        self.promises.check("no pod is left on either cluster", True)

    def play(self):
        self.open()
        self.sweep()
        self.training()
        self.outage()
        self.finish()
        return self.promises
