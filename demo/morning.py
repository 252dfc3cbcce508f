"""The story: who submits what, who makes room, and what happens to the server."""

import pathlib
import re
import time

import harness
import processes
import reckoning

DEMO = pathlib.Path(__file__).resolve().parent
GPUS, RUNNING = 20, 12  # jobs that fill them: eight of one GPU, two of two, two of four
OFTEN, RARELY = ("experiment", "finetune"), ("search", "ablation")  # how they save
AWAY = 4  # seconds at least without a server
APART = 15  # seconds that the newest save of those who save rarely is older than that of the others


def play(server, line, promises):
    """Plays it to the end; the record of it (see reckoning.py), and `deaths` of the server in seconds of the epoch."""
    story = Morning(server, line, promises)
    story.open()
    story.lend()
    story.fill()
    story.too_big()
    story.wait_for_saves()
    story.retraining()
    story.kill_while_they_save()
    story.start()
    story.kill_while_it_trains()
    story.finish()
    return story.record()


class Morning:
    def __init__(self, server, line, promises):
        self.server, self.line, self.promises = server, line, promises
        self.ids = {}  # name of a job -> id
        self.preempted_jobs = []  # names
        self.deaths = []  # of the server: (killed, started again)

    # --- helpers
    def submit(self, name):
        answer = self.server.json("submit", f"jobs/{name}.yaml", cwd=DEMO)
        self.ids |= {job["name"]: job["id"] for job in answer}
        return answer[0]["id"]

    def everything(self):
        return self.server.json("ps", "-A")

    def count(self, *states):
        jobs = self.everything()
        self.line.status(f"{sum(job['state'] == 'RUNNING' for job in jobs)} jobs run, "
                         f"{sum(job['state'] == 'QUEUED' for job in jobs)} wait, "
                         f"{sum(job['state'] in harness.TERMINAL for job in jobs)} have ended")
        return sum(job["state"] in states for job in jobs)

    def show(self, *arguments, last=None):
        lines = self.server.ym(*arguments).stdout.splitlines()
        self.line.show("ym " + " ".join(arguments) + (f" | tail -n {last}" if last else ""), "\n".join(lines[-last:] if last else lines))

    def processes_of(self, names):
        return {(pid, processes.start_time(pid)) for name in names for pid in self.server.processes_of(self.ids[name])}

    def of_kinds(self, kinds):
        return [name for name in self.ids if name.rsplit("-", 1)[0] in kinds or name in kinds]

    # --- the chapters
    def open(self):
        self.line.title("A team's morning: three teams, twenty GPUs, one queue")
        self.server.start()
        self.line.say("server", "ym serve is up: 5 nodes x 4 GPUs, all virtual. team-a and team-b own 8 GPUs each, team-c 4; "
                                "what one leaves idle the others may borrow.")

    def lend(self):
        for name in (*OFTEN, *RARELY):
            self.submit(name)
        self.line.say("team-b", "submits experiments, real finetunings with PyTorch, a search and an ablation: 16 GPUs, "
                                "8 of its own and 8 borrowed from team-a, which is asleep")

    def fill(self):
        self.submit("preprocess")
        job = self.submit("embedding")
        self.line.say("team-c", "submits a preprocessing job, which needs no GPU, and an elastic one: nodes: {min: 1, max: 2}")
        running = self.server.wait_state(job, "RUNNING")
        got = len(running["attempts"][-1]["placement"])
        self.line.say("team-c", f"the elastic job runs at once on {got} node: one was left. It is team-c's own quota")
        self.promises.check("the elastic job started on the one node of its two that was free", got == 1)
        self.submit("late")
        self.line.say("team-b", "submits four late experiments; every GPU is taken, so they wait")
        harness.wait_for(lambda: self.count("RUNNING") >= RUNNING, f"{RUNNING} running jobs", 120, 0.3)
        self.server.wait_state(self.ids["preprocess"], "SUCCEEDED")
        self.line.say("team-c", f"preprocessing is done: team-a's data is ready. {GPUS} of {GPUS} GPUs are busy")

    def too_big(self):
        job = self.submit("too-big")
        self.line.say("team-c", "submits a job for 12 GPUs, although it owns 4 and may borrow 4. ym tells why it waits:")
        harness.wait_for(lambda: self.server.get(job).get("reason") == "ExceedsMaxQuota", "a reason for too-big")
        self.show("why", "too-big")

    def saved_at(self, names):
        jobs = [self.server.get(self.ids[name]) for name in names]
        return [reckoning.instant(job["checkpoints"][0]["durable_at"]) if job["checkpoints"] else None for job in jobs]

    def wait_for_saves(self):
        """Until it makes a difference who is stopped."""
        def is_clear():
            often, rarely = (self.saved_at(self.of_kinds(kinds)) for kinds in (OFTEN, RARELY))
            self.line.status(f"{sum(map(bool, often + rarely))} of {len(often + rarely)} jobs of team-b have saved")
            return all(often) and all(rarely) and min(often) - max(rarely) >= APART
        harness.wait_for(is_clear, "saves of all of team-b's jobs", 90, 0.5)
        self.line.say("team-b", "all its jobs report what they have saved. Experiments and finetunings save every few seconds, "
                                "search and ablation every ten minutes. What a stop would lose stands under AT RISK:")
        self.show("ps", "-o", "wide", "--state", "RUNNING")

    def retraining(self):
        job = self.submit("retraining")
        self.line.say("team-a", "is awake, and submits its retraining at priority 90: torchrun, a gang of 8 GPUs on 2 nodes, all "
                                "together or not at all. Its quota is lent out, so some of those who borrowed have to give back:")
        self.preempted_jobs = harness.wait_for(lambda: sorted(job["name"] for job in self.everything() if job["state"] == "STOPPING"),
                                        "somebody to be stopped")
        self.show("why", "retraining")
        self.promises.check("the retraining waits as PreemptionPending", self.server.get(job).get("reason") == "PreemptionPending")
        self.line.say("ym", f"has chosen those that lose least: {', '.join(self.preempted_jobs)}. They have 25 s to save; nobody "
                            "else gets their GPUs meanwhile")

    def has_notice(self, name):
        return any(self.server.state.glob(f"attempts/*/{self.ids[name]}/1/*/user/notice"))

    def kill(self):
        self.server.kill()
        self.deaths.append([time.time(), None])

    def revive(self):
        time.sleep(max(0.0, AWAY - (time.time() - self.deaths[-1][0])))
        self.server.start()
        self.deaths[-1][1] = time.time()
        return self.deaths[-1][1] - self.deaths[-1][0]

    def kill_while_they_save(self):
        spared = self.of_kinds((*RARELY, "embedding"))
        harness.wait_for(lambda: all(map(self.has_notice, self.preempted_jobs)), "the notices")
        before = self.processes_of(spared)
        self.line.say("(fate)", "SIGKILL to the server, while all of them are in their grace")
        self.kill()
        answer = self.server.ym("ps", check=False)
        self.line.show("ym ps", answer.stderr or answer.stdout)
        self.promises.check("without its server, `ym` says that it cannot reach it (exit code 6)", answer.returncode == 6)
        harness.wait_for(lambda: not self.processes_of(self.preempted_jobs), "the preempted jobs to leave", pause=0.3)
        away, after = self.revive(), self.processes_of(spared)
        self.line.say("server", f"is started again after {away:.0f} seconds. They have saved and left without it; it finds their "
                                f"checkpoints, still keeps their GPUs, and {len(after)} processes of the others never stopped")
        self.promises.check("the processes of those that were spared are the same after the SIGKILL", before and before == after)

    def start(self):
        self.submit("baseline")
        self.line.say("team-a", "submits the same training on one GPU, to compare with")
        job = self.ids["retraining"]
        self.server.wait_state(job, "STARTING", "RUNNING")
        attempt = self.server.get(job)["attempts"][-1]
        where = " and ".join(f"{task['node']} ({len(task['devices'])} GPUs)" for task in attempt["placement"])
        self.line.say("team-a", f"the retraining starts on {where}, which were kept for it")
        seen = next(name for name in self.preempted_jobs if name.startswith("finetune"))
        self.line.say("team-b", f"{seen} is back in the queue, where it was before, and its log ends with its checkpoint:")
        self.show("logs", seen, "--attempt", "1", last=4)

    def epoch(self):
        """The last epoch in the log of the retraining."""
        epochs = re.findall(r"epoch (\d+)/", self.server.ym("logs", self.ids["retraining"], check=False).stdout)
        self.line.status(f"the retraining is at epoch {epochs[-1] if epochs else 0}")
        return int(epochs[-1]) if epochs else 0

    def kill_while_it_trains(self):
        harness.wait_for(lambda: self.epoch() >= 3, "the third epoch of the retraining", timeout=120, pause=0.5)
        before, running = self.epoch(), self.processes_of(["retraining"])
        self.line.say("(fate)", f"SIGKILL to the server once more, in the middle of epoch {before + 1} of the retraining")
        self.kill()
        away, alive = self.revive(), self.processes_of(["retraining"])
        after = self.epoch()
        self.line.say("server", f"is started again after {away:.0f} seconds; {len(alive)} processes of the retraining never stopped. "
                                f"It is at epoch {after} now: it went on meanwhile")
        self.promises.check("the training's processes are the same after the SIGKILL", running and running == alive)
        self.promises.check("the training went on while the server was away", after > before)

    def finish(self):
        for name, text in (("retraining", "with 8 workers on 2 nodes"), ("baseline", "with 1 worker")):
            self.server.wait_end(self.ids[name], timeout=120)
            lines = self.server.ym("logs", self.ids[name]).stdout.splitlines()
            said = [text for text in lines if text.startswith("test accuracy")]
            self.line.say("team-a", f"{name} {text} has ended: {said[-1] if said else 'no accuracy!'}")
            self.judge_training(name, lines, said)
        harness.wait_for(lambda: self.count(*harness.TERMINAL) == len(self.ids) - 1, "all jobs to end", 120, 0.5)
        seen = next((name for name in self.preempted_jobs if name.startswith("finetune")), self.preempted_jobs[0])
        self.line.say("team-b", f"all that made room went on where they were. The log of {seen}, its first attempt and its second:")
        for attempt, cut in (("1", slice(-3, None)), ("2", slice(0, 4))):
            lines = self.server.ym("logs", self.ids[seen], "--attempt", attempt).stdout.splitlines()
            self.line.show(f"ym logs {seen} --attempt {attempt} | {'tail -n 3' if attempt == '1' else 'head -n 4'}", "\n".join(lines[cut]))
        self.line.say("everybody", "all is done, but for too-big, which waits with its reason: it could never run")

    def judge_training(self, name, lines, said):
        reached = float(said[-1].split()[2]) if said else 0.0
        self.promises.check(f"{name}: test accuracy {reached:.2f} is over 0.95", reached > 0.95)
        epochs = [match.group(1) for match in (re.search(r"epoch (\d+)/", text) for text in lines) if match]
        self.promises.check(f"{name}: each epoch ran exactly once", epochs and len(epochs) == len(set(epochs)))

    def record(self):
        jobs = [self.server.get(job) for job in self.ids.values()]
        logs = {job["id"]: {str(attempt["number"]): self.server.ym("logs", job["id"], "--attempt", str(attempt["number"])).stdout
                            for attempt in job["attempts"]} for job in jobs}
        nominal = {queue["name"]: (((queue["quota"] or {}).get("t4") or {}).get("gpus") or {}).get("nominal") or 0
                   for queue in self.server.json("queue")}
        return {"jobs": jobs, "events": {job["id"]: self.server.json("events", job["id"]) for job in jobs}, "logs": logs,
                "nominal": nominal, "deaths": self.deaths}
