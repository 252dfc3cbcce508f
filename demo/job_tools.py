"""What the programs of the jobs share: lines of a log with the time, and files that are whole or not there."""

import datetime
import os
import pathlib
import time

SAVE_SECONDS = 3.0  # as if there were gigabytes to write
KEPT = 3  # the newest checkpoints that Yardmaster knows


def say(text):
    now = datetime.datetime.now(datetime.timezone.utc)
    print(f"{now:%H:%M:%S}.{now.microsecond // 1000:03d} {text}", flush=True)


def folder_of(checkpoint_dir):
    """Each job's own, below the folder that the job file names."""
    return pathlib.Path(checkpoint_dir or "checkpoints") / os.environ.get("YM_JOB_NAME", "job")


def save(folder, step, write):
    """A checkpoint that is whole and on disk when this returns its path; `write(file)` fills it."""
    time.sleep(SAVE_SECONDS)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"step-{step:06d}"
    beside = path.with_suffix(".partial")
    with beside.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    for old in sorted(folder.glob("step-??????"))[:-KEPT]:
        old.unlink()
    return path


def told_to_stop(notice):
    left = f", {notice.grace_seconds:.0f} s at most" if notice.grace_seconds else ""
    return f"told to stop ({notice.reason or 'no reason is given'}{left}): saving"
