"""Runs the figures that are named, or all: python3 bench/run.py [FIGURE...]; or a table of the literature: papers --table C1"""

import argparse
import importlib
import os
import subprocess
import sys
import time

import measure
import servers

FIGURES = ["submit", "latency", "dispatch", "preempt", "reading", "logs", "cancel", "restart", "memory", "access", "flood", "recording", "prune", "engine", "beside", "backfill", "shapes", "kueue", "sim", "forecasts", "lives", "clusters"]


def papers(words):
    """Tables of the literature (bench/papers): the same on every machine, so that it need not be quiet."""
    traces = os.environ.get("YM_TRACES", str(measure.ROOT.parent / "shared/traces"))
    return subprocess.run([str(measure.BIN / "bench_papers"), "--traces", traces, *words], check=False).returncode


def options_of(words):
    parser = argparse.ArgumentParser(prog="tools/dev bench")
    parser.add_argument("figures", nargs="*")
    parser.add_argument("--jobs", type=int, help="of `prune`: so many old jobs, to try it with less")
    return parser.parse_args(words)


def main(words):
    if words and words[0] == "papers":
        return papers(words[1:])
    options = options_of(words)
    names, settings = options.figures, {"prune": {"jobs": options.jobs} if options.jobs else {}}
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        print(f"there is no figure {', '.join(unknown)}; there are: {' '.join(FIGURES)}", file=sys.stderr)
        return 2
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"The machine is not quiet (load {load:.1f}): figures will be worse than they are.\n")
    try:
        for name in names or FIGURES:
            begin = time.monotonic()
            for table in importlib.import_module(f"figures.{name}").measure(**settings.get(name, {})):
                print(table, flush=True)
            print(f"({name}: {time.monotonic() - begin:.0f} s)\n", flush=True)
    finally:
        servers.remove_folders()
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(measure.ROOT / "bench"))
    sys.exit(main(sys.argv[1:]))
