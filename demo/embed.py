"""Stands for embedding a data set: each node of the job takes every so many-th chunk. Runs on any number of nodes."""

import argparse
import json
import os
import pathlib
import time

import job_tools
import yardmaster as ym
from job_tools import say


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100)
    parser.add_argument("--pause", type=float, default=0.4, help="seconds for each chunk")
    options = parser.parse_args()
    nodes, rank = int(os.environ.get("YM_NODES", 1)), int(os.environ.get("YM_NODE_RANK", 0))
    with ym.train() as t:
        folder = job_tools.folder_of(t.checkpoint_dir)
        first = json.loads(pathlib.Path(t.resume_from).read_text(encoding="utf-8")) if t.resume_from else 0
        say(f"node {rank} of {nodes}, from chunk {first}")
        # Rounds of as many chunks as there are nodes, so that all nodes are equally far.
        for begin in range(first, options.chunks, nodes):
            time.sleep(options.pause if begin + rank < options.chunks else 0)
            done = min(begin + nodes, options.chunks)
            t.report(done, options.chunks)
            if rank == 0 and t.should_checkpoint():
                t.checkpoint(job_tools.save(folder, done, lambda file: file.write(str(done).encode())), done)
                say(f"saved chunk {done}")
            if t.should_stop():
                return
        t.complete()
        say(f"all {options.chunks} chunks are embedded")


if __name__ == "__main__":
    main()
