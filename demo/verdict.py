"""What the demo promises, and the tables at its end. The same rows go onto the page."""

import threading

import processes
import reckoning
from reckoning import instant

MOST_TORCH_PROCESSES = 12
MOST_SECONDS = 240
STARTS_WITHIN = 35  # seconds after its submit: the grace of 25, and a server that is dead meanwhile
LOSS_MAY_GROW = 0.05  # from the last step before a stop to the first one after it


class Promises:
    def __init__(self):
        self.kept = []

    def check(self, what, condition):
        self.kept.append((what, bool(condition)))

    def print(self):
        """The exit status of the demo."""
        print("\nPromised and checked")
        for what, kept in self.kept:
            print(f"  {'yes' if kept else 'NO ':<4}{what}")
        broken = sum(not kept for _, kept in self.kept)
        print(f"\n{'All promises were kept.' if not broken else f'{broken} promises were broken.'}")
        return 1 if broken else 0


class TorchCount:
    """Counts, now and then, the living processes with a word in their arguments."""

    def __init__(self, word):
        self.word, self.most, self._done = word, 0, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._done.wait(1.0):
            self.most = max(self.most, len(processes.running(self.word)))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()


# --- promises
def judge(record, torch_processes, seconds, promises):
    stops = reckoning.stops(record)
    judge_choice(record, stops, promises)
    judge_preempted_jobs(record, stops, promises)
    judge_all(record, stops, promises)
    promises.check(f"at most {MOST_TORCH_PROCESSES} torch processes at once (there were {torch_processes})",
                   0 < torch_processes <= MOST_TORCH_PROCESSES)
    promises.check(f"all of it in under 4 minutes ({seconds:.0f} s)", seconds < MOST_SECONDS)


def named(record, name):
    return next(job for job in record["jobs"] if job["name"] == name)


def judge_choice(record, stops, promises):
    retraining = named(record, "retraining")
    waited = instant(retraining["started_at"]) - instant(retraining["submitted_at"])
    promises.check(f"the retraining started within {STARTS_WITHIN} s of its submit ({waited:.1f} s)", waited <= STARTS_WITHIN)
    place = {device for attempt in retraining["attempts"][:1] for device in reckoning.devices_of(attempt)}
    freed = [device for stop in stops for device in reckoning.devices_of(stop.job["attempts"][stop.number - 1])]
    promises.check(f"it runs on the {len(place)} GPUs that were freed for it, and none was freed for nothing",
                   stops and sorted(freed) == sorted(place) and all(stop.yields_to == retraining["id"] for stop in stops))
    rows = reckoning.costs(record, stops) if stops else []
    chosen = [row for row in rows if row.chosen]
    least = sum(row.lost for row in [row for row in rows if row.lawful][:len(chosen)])
    promises.check("stopped were only jobs of a queue that had borrowed", chosen and all(row.lawful for row in chosen))
    promises.check("and of those the ones that lost least", chosen and sum(row.lost for row in chosen) <= least + 0.5)


def judge_preempted_jobs(record, stops, promises):
    told = {stop.job["id"]: reckoning.attempts_told(record, stop.job) for stop in stops}
    count = len(stops)
    promises.check(f"each of the {count} ended as preempted, went back to the queue and SUCCEEDED in its second attempt", stops and all(
        [attempt["ended_by"] for attempt in stop.job["attempts"]] == ["preempted", "exit"] and stop.job["state"] == "SUCCEEDED"
        for stop in stops))
    promises.check("each wrote a checkpoint in its grace, and resumed from exactly that step", stops and all(
        stop.save and stop.after and stop.after.resumed and stop.resumes_from and
        0 < stop.save.number == stop.resumes_from["step"] == stop.after.resumed.number for stop in stops))
    promises.check("no step ran twice, and none was left out", stops and all(
        [step.number for said in told[stop.job["id"]] for step in said.steps] == list(range(1, told[stop.job["id"]][-1].steps[-1].number + 1))
        for stop in stops))
    promises.check("the loss goes on where it stopped", stops and all(
        stop.after and stop.after.steps and stop.after.steps[0].loss <= stop.before.steps[-1].loss * (1 + LOSS_MAY_GROW) + LOSS_MAY_GROW
        for stop in stops))
    saved = sum(any(killed <= stop.save.at <= back for killed, back in record["deaths"]) for stop in stops if stop.save)
    promises.check(f"what was saved while no server lived counts too ({saved} of the {count})", saved > 0)
    late = [job["id"] for job in record["jobs"] if job["name"].startswith("late-")]
    promises.check("they kept their place in the queue: all went on before those that were submitted after them", stops and late and
                   max(reckoning.admitted(record, stop.job["id"], stop.number + 1) for stop in stops if stop.after)
                   < min(reckoning.admitted(record, job) for job in late))


def judge_all(record, stops, promises):
    ran = [job for job in record["jobs"] if job["name"] != "too-big"]
    stopped = {stop.job["id"] for stop in stops}
    promises.check("every job but too-big SUCCEEDED", all(job["state"] == "SUCCEEDED" for job in ran))
    promises.check("whoever was not preempted needed one attempt: no job noticed a SIGKILL of the server",
                   all(len(job["attempts"]) == 1 for job in ran if job["id"] not in stopped))
    promises.check("no GPU was given to two jobs at a time", not reckoning.given_twice(record))
    waiting = named(record, "too-big")
    promises.check("too-big stays QUEUED with ExceedsMaxQuota", (waiting["state"], waiting["reason"]) == ("QUEUED", "ExceedsMaxQuota"))


# --- tables: a head and rows of text
def jobs_table(record):
    rows = []
    for job in sorted(record["jobs"], key=lambda job: job["submitted_at"] + job["id"]):
        state = job["state"] if not job.get("reason") else f"{job['state']} ({job['reason']})"
        rows.append((job["name"], job["queue"], str(job["priority"]), state, seconds_between(job["submitted_at"], job["started_at"]),
                     seconds_between(job["started_at"], job["ended_at"]), str(len(job["attempts"])), places(job)))
    return ("JOB", "QUEUE", "PRIO", "STATE", "WAITED", "RAN", "ATTEMPTS", "DEVICES"), rows


def places(job):
    shown = []
    for attempt in job["attempts"]:
        shown.append(" ".join(f"{task['node']}:{','.join(task['devices'])}" if task["devices"] else task["node"]
                              for task in attempt["placement"]))
    return ", then ".join(shown) or "-"


def seconds_between(begin, end):
    return f"{instant(end) - instant(begin):.1f} s" if begin and end else "-"


def costs_table(record):
    """What a stop of each node would have lost, at the moment when the retraining arrived."""
    stops = reckoning.stops(record)
    rows = [(row.node, ", ".join(row.jobs), f"{row.lost:.1f}", "stopped" if row.chosen else
             "spared: would lose more" if row.lawful else "not to be stopped: within its own quota")
            for row in (reckoning.costs(record, stops) if stops else [])]
    return ("NODE", "JOBS ON IT", "GPU-SECONDS SINCE THEIR LAST SAVES", "WHAT BECAME OF IT"), rows


def stops_table(record):
    rows = []
    for stop in reckoning.stops(record):
        save, after = stop.save, stop.after
        rows.append((stop.job["name"], f"step {save.number}, loss {save.loss:.4f}" if save else "nothing",
                     f"{stop.ended - stop.noticed:.1f} s",
                     f"step {after.resumed.number}" if after and after.resumed else "zero" if after else "-",
                     f"{after.steps[0].loss:.4f}" if after and after.steps else "-", str(len(stop.repeated)), f"{stop.lost:.1f}",
                     f"{stop.estimated:.1f}", f"{stop.counted:.1f}"))
    return ("PREEMPTED", "SAVED IN ITS GRACE", "GRACE USED", "WENT ON FROM", "FIRST LOSS", "STEPS TWICE", "GPU-SECONDS LOST",
            "ESTIMATED, WITH 1 MIN A START", "COUNTED, WITH 1 MIN A START"), rows


def numbers(record):
    """Rows of (what, value)."""
    attempts = [attempt for job in record["jobs"] for attempt in job["attempts"] if attempt["started_at"] and attempt["ended_at"]]
    busy = sum((instant(attempt["ended_at"]) - instant(attempt["started_at"])) * reckoning.gpus_of(attempt) for attempt in attempts)
    stops = reckoning.stops(record)
    costs = reckoning.costs(record, stops) if stops else []
    spared = [row.lost for row in costs if row.lawful and not row.chosen]
    lost = sum(stop.lost for stop in stops)
    retraining = named(record, "retraining")
    return [("jobs", str(len(record["jobs"]))), ("attempts that ran", str(len(attempts))), ("of them preempted", str(len(stops))),
            ("GPU-seconds used", f"{busy:.0f}"),
            ("at risk in the jobs that were stopped", f"{sum(stop.at_risk for stop in stops):.0f} GPU-seconds since their last saves"),
            ("at risk in the borrowers that were spared", f"{sum(spared):.0f} GPU-seconds"),
            ("steps done twice", str(sum(len(stop.repeated) for stop in stops))),
            ("lost to saving, leaving and loading", f"{lost:.0f} GPU-seconds, {100 * lost / busy if busy else 0:.1f} % of all that were used"),
            ("the retraining waited", seconds_between(retraining["submitted_at"], retraining["started_at"])),
            ("without a server", f"{sum(end - begin for begin, end in record['deaths']):.1f} s")]


def print_table(title, head, rows):
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    print(f"\n{title}")
    for row in [head, *rows]:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def print_numbers(rows):
    print("\nIn numbers")
    width = max(len(what) for what, _ in rows)
    for what, value in rows:
        print(f"  {what:<{width}}  {value}")
