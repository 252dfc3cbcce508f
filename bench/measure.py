"""Rounds, medians and spreads. Every figure is a ratio against what was measured beside it."""

import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = ROOT / "build/release/bin"
sys.path.insert(0, str(ROOT / "tests/e2e"))
sys.dont_write_bytecode = True

ROUNDS = 5


def program(name, *arguments, env=None, timeout=600):
    """Runs a program of ours that prints one JSON object; the object."""
    run = subprocess.run([str(BIN / name), *map(str, arguments)], capture_output=True, text=True, env=env, timeout=timeout)
    if run.returncode != 0:
        raise RuntimeError(f"{name} ended with {run.returncode}: {run.stderr}")
    return json.loads(run.stdout)


def interleaved(rounds, **measurements):
    """Calls each measurement in turn, `rounds` times over, so that what else the machine does hits
    all of them alike; lists of values by name. A measurement returns a number, or several."""
    values = {name: [] for name in measurements}
    for _ in range(rounds):
        for name, measure in measurements.items():
            values[name].append(measure())
    return values


def by_round(values):
    """The median of each round, where a round is many measurements, one round after the other."""
    each = len(values) // ROUNDS
    return [median(values[each * number:each * (number + 1)]) for number in range(ROUNDS)]


def median(values):
    return statistics.median(values)


def spread(values):
    """Half the range, relative to the median: '±7 %'."""
    middle = median(values)
    return f"±{(max(values) - min(values)) / 2 / middle * 100:.0f} %" if middle else "-"


class Table:
    """Rows of one figure: what, measured, baseline, ratio, what was to reach, whether it is."""

    def __init__(self, title):
        self.title, self.rows, self.notes = title, [], []

    def row(self, what, measured, baseline="-", ratio="-", wanted="-", reached=None):
        verdict = "" if reached is None else "yes" if reached else "NO"
        self.rows.append([what, measured, baseline, ratio, wanted, verdict])

    def note(self, text):
        self.notes.append(text)

    def __str__(self):
        lines = [f"### {self.title}", "", "| what | measured | baseline in the same run | ratio | to reach | reached |",
                 "| --- | --- | --- | --- | --- | --- |"]
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join([*lines, *([""] if self.notes else []), *self.notes, ""])
