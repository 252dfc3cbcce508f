"""A small morning that never was, as the demo records it: two jobs of b make room for the retraining of a."""

import copy
import datetime
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "demo"), str(ROOT / "tests/e2e")]

BEGIN = datetime.datetime(2026, 3, 2, 23, 59, 0, tzinfo=datetime.timezone.utc)  # midnight is in it


def epoch(seconds):
    return BEGIN.timestamp() + seconds


def at(seconds):
    moment = BEGIN + datetime.timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def clock(seconds):
    return at(seconds)[11:23]


def log(begin, first, last, resumed=False, saved=True):
    """Steps `first` to `last`, one a second from `begin` on, then a save of two seconds."""
    lines = [f"{clock(begin)} resumed from step {first - 1} (loss {loss(first - 1):.4f})"] if resumed else []
    lines += [f"{clock(begin + 1 + number - first)} step {number}/40 loss {loss(number):.4f}" for number in range(first, last + 1)]
    if saved:
        lines.append(f"{clock(begin + 1 + last - first + 2)} saved step {last} (loss {loss(last):.4f})")
    return "\n".join(lines) + "\n"


def loss(step):
    return 2.0 / (1 + step)


def attempt(number, node, devices, begin, end, ended_by="exit", resumes_from=None, lost=None):
    return {"number": number, "placement": [{"task": 0, "node": node, "devices": devices}], "started_at": at(begin),
            "ended_at": at(end), "ended_by": ended_by, "resumes_from": resumes_from and {"step": resumes_from, "uri": "/x"},
            "lost_gpu_seconds": lost}


class Morning:
    def __init__(self):
        self.record = {"jobs": [], "events": {}, "logs": {}, "nominal": {"team-a": 2, "team-b": 2, "team-c": 1},
                       "deaths": [[epoch(21), epoch(26)]], "begin": epoch(0)}

    def job(self, name, queue, submitted, attempts, events, logs=(), **more):
        job = {"id": f"id-{name}", "name": name, "queue": queue, "priority": 40, "state": "SUCCEEDED", "reason": None,
               "submitted_at": at(submitted), "started_at": attempts[0]["started_at"] if attempts else None,
               "ended_at": attempts[-1]["ended_at"] if attempts else None, "attempts": attempts} | more
        self.record["jobs"].append(job)
        self.record["events"][job["id"]] = [{"seq": seq, "time": at(time), "type": kind, "attempt": number, "data": data}
                                            for seq, time, kind, number, data in events]
        self.record["logs"][job["id"]] = {str(number): text for number, text in enumerate(logs, 1)}


def saved(seq, time, number, step):
    return seq, time, "attempt.progress", number, {"checkpoint": {"step": step, "durable_at": at(time), "uri": "/x"}}


def stopped(morning, name, device, seq, saved_at):
    """Runs from 2 on, saves at `saved_at`, is told to stop at 20, saves step 18 until 22, leaves, and goes on from 40 to 50."""
    stopping = {"cause": "preemption", "yields_to": "id-retraining", "lost_gpu_seconds": 64.0, "estimated_lost_gpu_seconds": 64.0}
    morning.job(name, "team-b", 1,
                [attempt(1, "n1", [device], 2, 22.5, "preempted", lost=60.25), attempt(2, "n1", [device], 40, 50, resumes_from=18)],
                [(seq, 1, "attempt.admitted", 1, {}), saved(30 + seq, saved_at, 1, 5), (50 + seq, 20, "attempt.stopping", 1, stopping),
                 (60 + seq, 22.5, "task.ended", 1, {"ended_at": at(22.25)}), (70 + seq, 22.5, "attempt.ended", 1, {}),
                 (110 + seq, 39, "attempt.admitted", 2, {}), (150 + seq, 50, "attempt.ended", 2, {})],
                [log(2, 1, 18), log(41, 19, 26, resumed=True, saved=False)])


def whole(morning, name, queue, node, devices, seqs, times, events=(), submitted=1, **more):
    first, last = seqs
    morning.job(name, queue, submitted, [attempt(1, node, devices, *times)],
                [(first, times[0], "attempt.admitted", 1, {}), *events, (last, times[1], "attempt.ended", 1, {})], ["hello\n"], **more)


def morning():
    """The record. Nodes: n1 is emptied, n2 would lose more, n3 is team-c's own."""
    made = Morning()
    stopped(made, "experiment-0", "0", 1, 15)
    stopped(made, "experiment-1", "1", 2, 17)
    whole(made, "search-0", "team-b", "n2", ["0"], (3, 160), (2, 55), [saved(20, 4, 1, 2)])
    whole(made, "search-1", "team-b", "n2", ["1"], (4, 161), (2, 56), [saved(21, 4, 1, 2)])
    whole(made, "embedding", "team-c", "n3", ["0"], (5, 162), (2, 57))
    whole(made, "retraining", "team-a", "n1", ["0", "1"], (80, 90), (24, 38), submitted=19.9, priority=90)
    whole(made, "late-0", "team-b", "n1", ["0"], (200, 201), (51, 60), submitted=5)
    made.job("too-big", "team-c", 6, [], [], state="QUEUED", reason="ExceedsMaxQuota")
    return made.record


def named(record, name):
    return next(job for job in record["jobs"] if job["name"] == name)


def changed(record, name, /, **members):
    """A copy in which the job has other members."""
    record = copy.deepcopy(record)
    named(record, name).update(members)
    return record
