"""Nothing is used twice at a time: by the times that jobs wrote of themselves, and by what their launches were given."""

import os

from ledger import harmed_jobs, read_ledger


def never_overlap(test, used, tell=str):
    """`used`: {what: [(start, end, by whom)]}. `tell`: the story of one of whom."""
    for what, intervals in used.items():
        intervals.sort()
        for (_, end, one), (start, _, other) in zip(intervals, intervals[1:]):
            told = "\n".join(map(tell, (one, other)))
            test.assertLessEqual(end, start, f"{what} was of {one} and {other} at once\n{told}")


def check_overlaps(test, ledger, state):
    """Of a server on this machine: neither attempts of a job nor tasks on a device, of jobs that it knows and of others."""
    lines = ledger.read_text().splitlines()
    tell = lambda who: "\n".join(line for line in lines if line.split()[1:3] == who.split("."))
    times = spans(ledger, state)
    check_jobs(test, times, tell)
    check_devices(test, times, state, tell)


def spans(ledger, state):
    """{(job, attempt, rank): (start, end)}. Who was killed wrote no end: it had ended when its supervisor said so. Of who
    did harm to its files that may be said late, so its start is all that is known."""
    harmed, found = harmed_jobs(ledger), {}
    for (job, attempt, rank), [(start, end)] in read_ledger(ledger).items():
        if end is None and job not in harmed:
            end = _said_at(state, job, attempt, rank)
        found[job, attempt, rank] = start, end or start
    return found


def check_jobs(test, times, tell=str):
    """Of no job do two attempts run at a time."""
    whole = {}
    for (job, attempt, _), (start, end) in times.items():
        first, last = whole.get((job, attempt), (start, end))
        whole[job, attempt] = min(first, start), max(last, end)
    used = {}
    for (job, attempt), span in whole.items():
        used.setdefault(f"job {job}", []).append((*span, f"{job}.{attempt}"))
    never_overlap(test, used, tell)


def check_devices(test, times, state, tell=str):
    """No device is two tasks' at a time. A launch says itself what it was given: the state may not know it any more."""
    used = {}
    for (job, attempt, rank), span in times.items():
        node, *devices = _placed(state, job, attempt)[rank]
        for device in devices:
            used.setdefault(f"device {device} of {node}", []).append((*span, f"{job}.{attempt}"))
    test.assertTrue(used, "no launch had a device: nothing was checked")
    never_overlap(test, used, tell)


def folder_of(state, job, attempt):
    """Of a launch on this machine: src/executor/local/attempt/layout.h says what is in it."""
    [folder] = (state / "attempts").glob(f"*/{job}/{attempt}")
    return folder


def _said_at(state, job, attempt, rank):
    exit_record = folder_of(state, job, attempt) / str(rank) / "exit"
    return os.stat(exit_record).st_mtime_ns if exit_record.exists() else None


def _placed(state, job, attempt):
    """By rank: the node, and the devices on it."""
    record = (folder_of(state, job, attempt) / "launch").read_bytes()
    return [value.decode().split("\n") for key, value in _fields(record) if key == b"placed"]


def _fields(record):
    """Of a record as src/executor/local/attempt/record.h says it: a line with key and length before each value."""
    at = record.index(b"\n") + 1
    while not record.startswith(b"sum ", at):
        behind = record.index(b"\n", at) + 1
        key, length = record[at:behind].split()
        yield key, record[behind:behind + int(length)]
        at = behind + int(length) + 1
