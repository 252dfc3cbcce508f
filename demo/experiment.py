"""Stands for an ad-hoc experiment: looks for the smallest value of a bumpy function, and takes its time."""

import math
import os
import random
import time

NAME = os.environ.get("YM_JOB_NAME", "experiment-0")
INDEX = int(os.environ.get("YM_ARRAY_INDEX", 0))
SECONDS = 18 + INDEX * 7 % 13  # so that they do not all end at once


def bumpy(x, y):
    return x * x + y * y + 10 * (2 - math.cos(2 * math.pi * x) - math.cos(2 * math.pi * y))


def main():
    chance = random.Random(INDEX)
    x, y = chance.uniform(-5, 5), chance.uniform(-5, 5)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for _ in range(200):
            near = x + chance.gauss(0, 0.5), y + chance.gauss(0, 0.5)
            if bumpy(*near) < bumpy(x, y):
                x, y = near
        print(f"{NAME}: best so far {bumpy(x, y):.4f}", flush=True)
        time.sleep(1)


if __name__ == "__main__":
    main()
