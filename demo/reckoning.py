"""What happened, reckoned from jobs and events as Yardmaster tells them, and from the logs of the jobs.

Pure: no processes, no network. A record is {"jobs": [...], "events": {job: [...]}, "logs": {job: {attempt: text}},
"nominal": {queue: GPUs}}, all of it JSON.
"""

import dataclasses
import datetime
import re
from typing import Optional

DAY = 86400.0
SAID = re.compile(r"^(\d\d):(\d\d):(\d\d\.\d{3}) (?:(saved|resumed from) )?(?:step|epoch) (\d+)(?:/\d+)? \(?loss (-?[\d.]+)\)?$")


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() if text else None


def gpus_of(attempt):
    return sum(len(task["devices"]) for task in attempt["placement"])


def nodes_of(attempt):
    return {task["node"] for task in attempt["placement"]}


def devices_of(attempt):
    return [(task["node"], device) for task in attempt["placement"] for device in task["devices"]]


# --- what the log of an attempt says
@dataclasses.dataclass
class Step:
    at: float
    number: int
    loss: float


@dataclasses.dataclass
class Told:
    steps: list
    saved: list
    resumed: Optional[Step] = None


def told(log, started):
    """`started`: when the attempt did; lines tell the time of the day only."""
    said = Told([], [])
    for line in log.splitlines():
        match = SAID.match(line)
        if not match:
            continue
        hours, minutes, seconds, kind, number, loss = match.groups()
        at = started - started % DAY + int(hours) * 3600 + int(minutes) * 60 + float(seconds)
        step = Step(at + (DAY if at < started - DAY / 2 else 0), int(number), float(loss))
        if kind == "resumed from":
            said.resumed = step
        else:
            (said.saved if kind == "saved" else said.steps).append(step)
    return said


def attempts_told(record, job):
    return [told(record["logs"][job["id"]][str(attempt["number"])], instant(attempt["started_at"]))
            for attempt in job["attempts"] if attempt["started_at"]]


# --- who was stopped, and what that cost
@dataclasses.dataclass
class Stop:
    """A preemption: of this attempt, for that job."""
    job: dict
    number: int
    yields_to: str
    gpus: int
    seq: int  # of the decision
    noticed: float
    ended: float  # its processes; a server that was away heard of it later
    kept_until: float  # what it had saved before the notice; its start if nothing
    estimated: float  # GPU-seconds that the engine reckoned with, a start included
    counted: float  # those that Yardmaster counted when it had ended, a start included: what is to be done again
    before: Told
    after: Optional[Told]  # the next attempt
    resumed_at: Optional[float]  # when that began
    resumes_from: Optional[dict]

    @property
    def save(self):
        """What it wrote in its grace: its last save, if that came after the notice."""
        last = self.before.saved[-1] if self.before.saved else None
        return last if last and last.at >= self.noticed else None

    @property
    def at_risk(self):
        return self.gpus * (self.noticed - self.kept_until)

    @property
    def lost_spans(self):
        """Times in which its GPUs did nothing that lasts: saving and leaving, starting and loading again."""
        spans = [(max(self.before.steps[-1].at, self.noticed), self.ended)] if self.before.steps else []
        if self.after and self.after.steps:
            spans.append((self.resumed_at, self.after.steps[0].at))
        return spans

    @property
    def lost(self):
        return self.gpus * (sum(end - begin for begin, end in self.lost_spans) + self.repeated_seconds)

    @property
    def repeated(self):
        """Steps that were done in both attempts."""
        again = {step.number for step in self.after.steps} if self.after else set()
        return sorted(again & {step.number for step in self.before.steps})

    @property
    def repeated_seconds(self):
        again = set(self.repeated)
        steps = self.before.steps
        return sum(later.at - step.at for step, later in zip(steps, steps[1:]) if later.number in again)


def saved_until(record, job, attempt, moment):
    """Up to when its work was kept, as far as Yardmaster had heard by then."""
    saved = instant(attempt["started_at"])
    for event in record["events"][job["id"]]:
        checkpoint = event["data"].get("checkpoint") if event["type"] == "attempt.progress" else None
        if checkpoint and event["attempt"] == attempt["number"] and instant(event["time"]) <= moment:
            saved = max(saved, instant(checkpoint["durable_at"]))
    return saved


def _stop(record, job, event):
    attempt = job["attempts"][event["attempt"] - 1]
    after = job["attempts"][event["attempt"]] if len(job["attempts"]) > event["attempt"] else None
    said = attempts_told(record, job)
    noticed, number = instant(event["time"]), event["attempt"]
    exits = [instant(other["data"]["ended_at"]) for other in record["events"][job["id"]]
             if (other["type"], other["attempt"]) == ("task.ended", number)]
    return Stop(job=job, number=number, yields_to=event["data"]["yields_to"], gpus=gpus_of(attempt), seq=event["seq"],
                noticed=noticed, ended=max(exits, default=instant(attempt["ended_at"])), kept_until=saved_until(record, job, attempt, noticed),
                estimated=event["data"]["estimated_lost_gpu_seconds"], counted=attempt["lost_gpu_seconds"], before=said[number - 1],
                after=said[number] if len(said) > number else None,
                resumed_at=instant(after["started_at"]) if after else None,
                resumes_from=after["resumes_from"] if after else None)


def stops(record):
    """Every preemption, by the name of the job."""
    found = [_stop(record, job, event) for job in record["jobs"] for event in record["events"][job["id"]]
             if event["type"] == "attempt.stopping" and event["data"]["cause"] == "preemption"]
    return sorted(found, key=lambda stop: (stop.job["name"], stop.number))


# --- who held what when, in the order of events
def held(record):
    """(node, device) -> [(first seq, last seq or None, job, attempt)], from admission to the end."""
    spans = {}
    for job in record["jobs"]:
        seqs = {(event["type"], event["attempt"]): event["seq"] for event in record["events"][job["id"]]}
        for attempt in job["attempts"]:
            begin, end = (seqs.get((kind, attempt["number"])) for kind in ("attempt.admitted", "attempt.ended"))
            for device in devices_of(attempt):
                spans.setdefault(device, []).append((begin, end, job, attempt))
    return {device: sorted(entries, key=lambda entry: entry[0]) for device, entries in spans.items()}


def given_twice(record):
    return [device for device, spans in held(record).items()
            if any(earlier[1] is None or later[0] < earlier[1] for earlier, later in zip(spans, spans[1:]))]


def admitted(record, job, number=1):
    """When the engine gave this attempt its devices, as a place in the order of all events."""
    return next(event["seq"] for event in record["events"][job] if (event["type"], event["attempt"]) == ("attempt.admitted", number))


@dataclasses.dataclass
class NodeCost:
    """What it would have cost, at the moment of the decision, to empty this node."""
    node: str
    jobs: list  # names
    lost: float  # GPU-seconds since the last saves
    lawful: bool  # all who were on it were of queues that borrowed
    chosen: bool


def costs(record, chosen):
    """By what it costs. `chosen`: the stops of one decision."""
    seq, moment, on = chosen[0].seq, chosen[0].noticed, {}
    for spans in held(record).values():
        for begin, end, job, attempt in spans:
            if begin < seq and (end is None or end > seq):
                for node in nodes_of(attempt):
                    on.setdefault(node, {})[job["id"]] = (job, attempt)
    used = {}
    for job, attempt in {job["id"]: (job, attempt) for jobs in on.values() for job, attempt in jobs.values()}.values():
        used[job["queue"]] = used.get(job["queue"], 0) + gpus_of(attempt)
    borrows = {queue for queue, gpus in used.items() if gpus > record["nominal"].get(queue, 0)}
    stopped = {stop.job["id"] for stop in chosen}
    rows = []
    for node, jobs in on.items():
        lost = sum(gpus_of(attempt) * (moment - saved_until(record, job, attempt, moment)) for job, attempt in jobs.values())
        rows.append(NodeCost(node, sorted(job["name"] for job, _ in jobs.values()), lost,
                             all(job["queue"] in borrows for job, _ in jobs.values()), set(jobs) <= stopped))
    return sorted(rows, key=lambda row: (not row.lawful, row.lost, row.node))
