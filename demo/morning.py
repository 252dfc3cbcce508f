"""The story: who submits what, and what happens to the server."""

import pathlib
import re
import time

import harness
import processes

DEMO = pathlib.Path(__file__).resolve().parent
EXPERIMENTS, GPUS = 28, 20
AWAY = 4  # seconds without a server


def play(server, line, promises):
    """Plays it to the end; every job as `ym get` shows it, and when the server was dead."""
    story = Morning(server, line, promises)
    story.open()
    story.fill()
    story.preprocess()
    story.too_big()
    story.retraining()
    story.kill_server()
    return story.finish(), story.deaths


class Morning:
    def __init__(self, server, line, promises):
        self.server, self.line, self.promises = server, line, promises
        self.ids = {}  # name of the file in jobs/ -> job id
        self.overtaken = []
        self.deaths = []  # of the server: (killed, started again), in seconds of the epoch

    # --- helpers
    def submit(self, name):
        answer = self.server.json("submit", f"jobs/{name}.yaml", cwd=DEMO)
        self.ids[name] = answer[0]["id"]
        return self.ids[name]

    def everything(self):
        return self.server.json("ps", "-A")

    def count(self, *states):
        jobs = self.everything()
        self.line.status(f"{sum(job['state'] == 'RUNNING' for job in jobs)} jobs run, "
                         f"{sum(job['state'] == 'QUEUED' for job in jobs)} wait, "
                         f"{sum(job['state'] in harness.TERMINAL for job in jobs)} have ended")
        return sum(job["state"] in states for job in jobs)

    def show(self, *arguments):
        self.line.show("ym " + " ".join(arguments), self.server.ym(*arguments).stdout)

    def epoch(self):
        """The last epoch in the log of the retraining."""
        epochs = re.findall(r"epoch (\d+)/", self.server.ym("logs", self.ids["retraining"], check=False).stdout)
        self.line.status(f"the retraining is at epoch {epochs[-1] if epochs else 0}")
        return int(epochs[-1]) if epochs else 0

    def user_processes(self):
        return {(pid, processes.start_time(pid)) for pid in self.server.processes_of(self.ids["retraining"])}

    # --- the chapters
    def open(self):
        self.line.title("A team's morning: three teams, twenty GPUs, one queue")
        self.server.start()
        self.line.say("server", "ym serve is up: 5 nodes x 4 GPUs, all virtual. team-a and team-b own 8 GPUs each, team-c 4; "
                                "what one leaves idle the others may borrow.")

    def fill(self):
        self.submit("experiments")
        self.line.say("team-b", f"submits {EXPERIMENTS} ad-hoc experiments, one GPU each")
        harness.wait_for(lambda: self.count("RUNNING") == GPUS, f"{GPUS} running experiments")
        self.line.say("team-b", f"{GPUS} of them run, on 8 GPUs of its own and 12 borrowed ones; "
                                f"{EXPERIMENTS - GPUS} wait. The cluster is full.")

    def preprocess(self):
        job = self.submit("preprocess")
        self.line.say("team-c", "submits a data preprocessing job; it needs no GPU, so it need not wait")
        self.server.wait_state(job, "SUCCEEDED")
        self.line.say("team-c", "preprocessing is done: team-a's data is ready")

    def too_big(self):
        job = self.submit("too-big")
        self.line.say("team-c", "submits a job for 12 GPUs, although it owns 4 and may borrow 4. ym tells why it waits:")
        harness.wait_for(lambda: self.server.get(job).get("reason"), "a reason for too-big")
        self.show("why", job)

    def retraining(self):
        job = self.submit("retraining")
        self.line.say("team-a", "submits its retraining at priority 90: torchrun, a gang of 8 GPUs on 2 nodes, "
                                "all together or not at all. Two whole nodes are free nowhere yet:")
        self.overtaken = [job["id"] for job in self.everything() if job["state"] == "QUEUED" and job["queue"] == "team-b"]
        self.show("why", job)
        self.submit("baseline")
        self.line.say("team-a", "submits the same training on one GPU at priority 30, to compare with")
        harness.wait_for(lambda: self.count("RUNNING") and self.server.get(job)["state"] in ("STARTING", "RUNNING"),
                         "the retraining to start", patience=120, pause=0.3)
        attempt = self.server.get(job)["attempts"][-1]
        where = " and ".join(f"{task['node']} ({len(task['devices'])} GPUs)" for task in attempt["placement"])
        self.line.say("team-a", f"the retraining starts on {where}, ahead of the {len(self.overtaken)} experiments "
                                "that had waited longer")

    def kill_server(self):
        job = self.ids["retraining"]
        harness.wait_for(lambda: self.epoch() >= 3, "the third epoch of the retraining", patience=120, pause=0.5)
        before, running = self.epoch(), self.user_processes()
        self.line.say("(fate)", f"SIGKILL to the server, in the middle of epoch {before + 1} of the retraining")
        self.server.kill()
        killed = time.time()
        answer = self.server.ym("ps", check=False)
        self.line.show("ym ps", answer.stderr or answer.stdout)
        self.promises.check("without its server, `ym` says that it cannot reach it (exit code 6)", answer.returncode == 6)
        time.sleep(AWAY)
        alive = self.user_processes()
        self.line.say("server", f"is started again after {AWAY} seconds; {len(alive)} processes of the retraining never stopped")
        self.server.start()
        self.deaths.append((killed, time.time()))
        after = self.epoch()
        self.line.say("server", f"finds every running job again. The retraining is at epoch {after} now: "
                                "it went on meanwhile")
        self.promises.check("the training's processes are the same after the SIGKILL", running and running == alive)
        self.promises.check("the training went on while the server was away", after > before)
        self.promises.check("the retraining runs on in its first attempt",
                            [attempt["number"] for attempt in self.server.get(job)["attempts"]] == [1])

    def finish(self):
        for name, text in (("retraining", "with 8 workers on 2 nodes"), ("baseline", "with 1 worker")):
            self.server.wait_end(self.ids[name], patience=120)
            lines = self.server.ym("logs", self.ids[name]).stdout.splitlines()
            said = [text for text in lines if text.startswith("test accuracy")]
            self.line.say("team-a", f"{name} {text} has ended: {said[-1] if said else 'no accuracy!'}")
            self.judge_training(name, lines, said)
        harness.wait_for(lambda: self.count(*harness.TERMINAL) == EXPERIMENTS + 3, "all jobs to end", 120, 0.5)
        self.line.say("everybody", "all is done, but for too-big, which waits with its reason: it could never run")
        jobs = [self.server.get(job["id"]) for job in self.everything()]
        self.judge_order(jobs)
        return jobs

    # --- what was promised of them
    def judge_training(self, name, lines, said):
        reached = float(said[-1].split()[2]) if said else 0.0
        self.promises.check(f"{name}: test accuracy {reached:.2f} is over 0.95", reached > 0.95)
        epochs = [match.group(1) for match in (re.search(r"epoch (\d+)/", text) for text in lines) if match]
        self.promises.check(f"{name}: each epoch ran exactly once", epochs and len(epochs) == len(set(epochs)))

    def admitted(self, job):
        """When the engine gave it its devices, as a place in the order of all events."""
        return next(event["seq"] for event in self.server.json("events", job) if event["type"] == "attempt.admitted")

    def judge_order(self, jobs):
        known = {job["id"]: job for job in jobs}
        start = self.admitted(self.ids["retraining"])
        later = all(self.admitted(job) > start for job in self.overtaken)
        self.promises.check("the retraining went ahead of all that waited before it", self.overtaken and later)
        waiting = known[self.ids["too-big"]]
        self.promises.check("too-big stays QUEUED with ExceedsMaxQuota",
                            (waiting["state"], waiting["reason"]) == ("QUEUED", "ExceedsMaxQuota"))
