"""A training in small, for jobs of these tests: it goes down a slope of which every step is known beforehand.

It prints where it begins, the loss of each step, and what it was told at the end; saves when it should, and goes on
from what it saved. Run it with `job()`; what it must have printed is in `losses()`.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def loss_and_next(weight):
    return weight * weight, weight - 0.01 * weight


def losses(steps):
    """What an uninterrupted training prints, step by step."""
    weight, printed = 10.0, []
    for _ in range(steps):
        loss, weight = loss_and_next(weight)
        printed.append(repr(loss))
    return printed


def job(folder, *, steps, pace=0.05, end=None, **spec):
    """A job spec. With `end`, the program waits for that file between its save and its exit when it is told to stop."""
    run = [sys.executable, "-u", str(pathlib.Path(__file__).resolve()), "--steps", str(steps), "--pace", str(pace)]
    return {"run": run + (["--end", str(end)] if end else []), "env": {"PYTHONPATH": str(ROOT / "sdk/python")},
            "checkpoint": {"dir": str(pathlib.Path(folder) / "saves"), "every": "1s"}} | spec


def read_log(text):
    """(the step it began with, [(step, loss)], the last line as a dict or None)"""
    begin = int(re.search(r"^from (\d+)$", text, re.M)[1])
    steps = [(int(step), loss) for step, loss in re.findall(r"^(\d+) (\S+)$", text, re.M)]
    end = re.search(r"^end (.*)$", text, re.M)
    return begin, steps, json.loads(end[1]) if end else None


def save(folder, step, weight):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{step:06d}.json"
    beside = path.with_suffix(".tmp")
    beside.write_text(json.dumps({"step": step, "weight": weight}))
    beside.replace(path)
    return path


def main():
    import yardmaster as ym

    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int)
    parser.add_argument("--pace", type=float)
    parser.add_argument("--end", type=pathlib.Path)
    options = parser.parse_args()
    signals = []
    signal.signal(signal.SIGTERM, lambda number, _: signals.append(signal.Signals(number).name))
    with ym.train() as t:
        begin, weight, stopped = t.resume_step(), 10.0, False
        if t.resume_from:
            weight = json.loads(pathlib.Path(t.resume_from).read_text())["weight"]
        print("from", begin)
        for step in range(begin, options.steps):
            loss, weight = loss_and_next(weight)
            print(step + 1, repr(loss))
            t.report(step + 1, options.steps, loss=loss)
            if t.should_checkpoint():
                t.checkpoint(save(pathlib.Path(t.checkpoint_dir), step + 1, weight), step + 1)
            if t.should_stop():
                stopped = True
                break
            time.sleep(options.pace)
        else:
            t.complete()
        while stopped and options.end and not options.end.exists():
            time.sleep(0.05)
        notice = t.notice
    print("end", json.dumps({"signals": signals, "notice": notice.reason if notice else None, "pid": os.getpid()}))


if __name__ == "__main__":
    main()
