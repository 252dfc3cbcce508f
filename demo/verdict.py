"""What the demo promises, and the table of jobs at its end."""

import datetime
import threading
import time

import processes

MOST_TORCH_PROCESSES = 12
MOST_SECONDS = 240


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


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() if text else None


def given_twice(jobs):
    """Devices that two attempts held at the same time."""
    held = {}
    for job in jobs:
        for attempt in job["attempts"]:
            begin, end = instant(attempt["started_at"]), instant(attempt["ended_at"]) or time.time()
            for task in attempt["placement"] if begin else []:
                for device in task["devices"]:
                    held.setdefault((task["node"], device), []).append((begin, end))
    return [device for device, spans in held.items()
            if any(later[0] < earlier[1] for earlier, later in zip(sorted(spans), sorted(spans)[1:]))]


def judge(jobs, torch_processes, seconds, promises):
    ran = [job for job in jobs if job["name"] != "too-big"]
    promises.check("every other job SUCCEEDED", all(job["state"] == "SUCCEEDED" for job in ran))
    promises.check("each of them in exactly one attempt: no job noticed the SIGKILL",
                   all(len(job["attempts"]) == 1 for job in ran))
    promises.check("no GPU was given to two jobs at a time", not given_twice(jobs))
    promises.check(f"at most {MOST_TORCH_PROCESSES} torch processes at once (there were {torch_processes})",
                   0 < torch_processes <= MOST_TORCH_PROCESSES)
    promises.check(f"all of it in under 4 minutes ({seconds:.0f} s)", seconds < MOST_SECONDS)


def devices_of(job):
    if not job["attempts"]:
        return "-"
    shown = []
    for task in job["attempts"][-1]["placement"]:
        shown.append(f"{task['node']}:{','.join(task['devices'])}" if task["devices"] else task["node"])
    return " ".join(shown)


def seconds_between(begin, end):
    return f"{instant(end) - instant(begin):.1f}s" if begin and end else "-"


def print_table(jobs):
    rows = [("JOB", "NAME", "QUEUE", "PRIO", "STATE", "WAIT", "RUN", "ATTEMPTS", "DEVICES")]
    for job in sorted(jobs, key=lambda job: job["submitted_at"] + job["id"]):
        state = job["state"] if not job.get("reason") else f"{job['state']} ({job['reason']})"
        rows.append((job["id"], job["name"], job["queue"], str(job["priority"]), state,
                     seconds_between(job["submitted_at"], job["started_at"]),
                     seconds_between(job["started_at"], job["ended_at"]), str(len(job["attempts"])), devices_of(job)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def numbers(jobs, deaths):
    """What the terminal and the page tell of the morning: rows of (what, value)."""
    attempts = [attempt for job in jobs for attempt in job["attempts"] if attempt["started_at"] and attempt["ended_at"]]
    busy = sum((instant(attempt["ended_at"]) - instant(attempt["started_at"])) * len(task["devices"])
               for attempt in attempts for task in attempt["placement"])
    waits = [instant(job["started_at"]) - instant(job["submitted_at"]) for job in jobs if job["started_at"]]
    return [("jobs", str(len(jobs))), ("attempts that ran", str(len(attempts))), ("GPU-seconds used", f"{busy:.0f}"),
            ("longest wait", f"{max(waits):.1f} s"), ("without a server", f"{sum(end - begin for begin, end in deaths):.1f} s")]


def print_numbers(rows):
    print("\nIn numbers")
    for what, value in rows:
        print(f"  {what:<20}{value}")
