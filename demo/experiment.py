"""Stands for an ad-hoc experiment: fits a curve to noisy points, step by step, and takes its time.

Plain Python that can be stopped at any step and goes on there.
"""

import argparse
import json
import math
import os
import pathlib
import random
import time

import job_tools
import yardmaster as ym
from job_tools import say

RATE, MOMENTUM = 0.01, 0.8


class Fit:
    """A parabola, by gradient descent."""

    def __init__(self, seed):
        chance = random.Random(seed)
        true = [chance.uniform(-3, 3) for _ in range(3)]
        self.points = [(x / 10, sum(weight * (x / 10) ** power for power, weight in enumerate(true)) + chance.gauss(0, 0.2))
                       for x in range(-15, 16)]
        self.weights, self.speed = [0.0] * 3, [0.0] * 3

    def errors(self):
        return [sum(weight * x**power for power, weight in enumerate(self.weights)) - y for x, y in self.points]

    def loss(self):
        return math.fsum(error * error for error in self.errors()) / len(self.points)

    def step(self):
        errors = self.errors()
        for power in range(3):
            slope = 2 * math.fsum(error * x**power for error, (x, _) in zip(errors, self.points)) / len(self.points)
            self.speed[power] = MOMENTUM * self.speed[power] - RATE * slope
            self.weights[power] += self.speed[power]

    def write(self, file):
        file.write(json.dumps({"weights": self.weights, "speed": self.speed}).encode())

    def read(self, path):
        kept = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        self.weights, self.speed = kept["weights"], kept["speed"]


def run(fit, t, options):
    folder = job_tools.folder_of(t.checkpoint_dir)
    if t.resume_from:
        fit.read(t.resume_from)
        say(f"resumed from step {t.resume_step()} (loss {fit.loss():.4f})")
    for step in range(t.resume_step(), options.steps):
        fit.step()
        time.sleep(options.pause)
        done, loss = step + 1, fit.loss()
        say(f"step {done}/{options.steps} loss {loss:.4f}")
        t.report(done, options.steps, loss=loss)
        if t.should_checkpoint() or done == options.first_save:
            if t.notice:
                say(job_tools.told_to_stop(t.notice))
            t.checkpoint(job_tools.save(folder, done, fit.write), done)
            say(f"saved step {done} (loss {loss:.4f})")
        if t.should_stop():
            return
    t.complete()
    say(f"done, loss {fit.loss():.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--pause", type=float, default=0.4, help="seconds in each step, as if there were more to compute")
    parser.add_argument("--first-save", type=int, metavar="STEP", help="also save after this step")
    options = parser.parse_args()
    with ym.train() as t:
        run(Fit(int(os.environ.get("YM_ARRAY_INDEX", 0))), t, options)


if __name__ == "__main__":
    main()
