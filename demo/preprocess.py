"""Reads scikit-learn's digits as a file and writes the mean and deviation of each pixel: plain Python, no GPU."""

import argparse
import csv
import gzip
import importlib.util
import json
import math
import pathlib
import time


def rows():
    package = pathlib.Path(importlib.util.find_spec("sklearn").origin).parent
    with gzip.open(package / "datasets/data/digits.csv.gz", "rt", encoding="ascii") as file:
        for row in csv.reader(file):
            yield [float(value) for value in row[:64]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out
    images = list(rows())
    mean, deviation = [], []
    for pixel in range(64):
        values = [image[pixel] for image in images]
        mean.append(sum(values) / len(values))
        deviation.append(math.sqrt(sum((value - mean[-1]) ** 2 for value in values) / len(values)))
        if pixel % 16 == 15:
            print(f"{pixel + 1} of 64 pixels", flush=True)
            time.sleep(1)  # as if there were more data
    partial = out.with_suffix(".partial")
    partial.write_text(json.dumps({"mean": mean, "deviation": deviation}), encoding="ascii")
    partial.rename(out)
    print(f"statistics of {len(images)} images written")


if __name__ == "__main__":
    main()
