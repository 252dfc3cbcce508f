"""Whether jobs start when it was said that they would: four of five within the range, on the later half of recorded workloads.

The same on every machine, so that it need not be quiet. The traces are looked for in the folder named by YM_TRACES (if unset,
../shared/traces beside this repository); those that are not there are left out. Each virtual cluster has nodes of its own, as
where they were recorded; Philly's a quarter of them, since all of them would leave nobody waiting.
"""

import collections
import csv
import gzip
import json
import os
import pathlib
import subprocess
import time

import measure as m
import servers

TRACES = pathlib.Path(os.environ.get("YM_TRACES", m.ROOT.parent / "shared/traces"))
GPUS_PER_NODE = 8
# Nodes of eight GPUs, as the artifact of Helios has them.
PHILLY = {"6214e9": 64, "7f04ca": 32, "11cb48": 16, "b436b2": 64, "ee9e8c": 64, "e13805": 16, "6c71a0": 32, "2869ce": 16,
          "ed69ec": 8, "103959": 8, "0e4a51": 32}
HELIOS = {"vcvGl": 20, "vcvlY": 2}
# What is foreseen at most once in so much time: a few thousand forecasts.
EVERY = "1h"


def philly_nodes(trace):
    """A quarter of them, and as many as the largest job needs."""
    largest = collections.Counter()
    with gzip.open(trace, "rt") as file:
        for row in csv.DictReader(file):
            largest[row["cluster"]] = max(largest[row["cluster"]], int(row["num_gpus"]))
    return {name: max(-(-nodes // 4), -(-largest[name] // GPUS_PER_NODE)) for name, nodes in PHILLY.items()}


def cluster(nodes):
    """A configuration in which each queue has nodes, and a flavor, of its own."""
    names = {name: f"vc-{index}" for index, name in enumerate(nodes)}
    lines = ["clusters:", "  - name: lab", "    executor: simulated", "    nodes:"]
    lines += [f'      - {{names: "{own}-[1-{nodes[name]}]", gpus: "gpu:{GPUS_PER_NODE}", cpus: 64, labels: {{vc: {own}}}}}'
              for name, own in names.items()]
    lines += ["flavors:"] + [f"  - {{name: {own}, match: {{labels: {{vc: {own}}}}}}}" for own in names.values()]
    lines += ["queues:"]
    lines += [f'  - {{name: "{name}", quota: {{{own}: {{gpus: {nodes[name] * GPUS_PER_NODE}}}}}}}' for name, own in names.items()]
    return "\n".join([*lines, ""])


def foreseen(folder, name, nodes, trace):
    path = folder / f"{name}.yaml"
    path.write_text(cluster(nodes), encoding="utf-8")
    begin = time.monotonic()
    run = subprocess.run([str(m.BIN / "ym"), "simulate", "--cluster", str(path), "--workload", str(trace), "--forecasts", EVERY,
                          "-o", "json"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(run.stdout)["policies"][0]["start_forecasts"], time.monotonic() - begin


def in_range(figures):
    return (f"{figures['inside']:.1%} (before it {figures['early']:.1%}, after it {figures['late']:.1%}; {figures['open']:.1%} open; "
            f"width {figures['width']:.2f} times the time ahead)")


def add_rows(table, title, told, took):
    said = told["said"]
    table.row(f"{title}: starts in the range that was said, of {said['jobs']:,}", in_range(said), wanted="75 to 85 %",
              reached=0.75 <= said["inside"] <= 0.85)
    table.row(f"{title}: as learnt on the first half", in_range(told["learnt_on_first_half"]), wanted="printed")
    table.row(f"{title}: with nothing learnt", in_range(told["nothing_learnt"]), wanted="printed")
    for one in told["by_wait"]:
        up_to = "more" if one["up_to_seconds"] is None else f"up to {one['up_to_seconds'] / 3600:.2g} h"
        table.row(f"{title}: as said, {up_to} ahead, of {one['jobs']:,}", in_range(one), wanted="printed")
    table.row(f"{title}: error of the middle, in parts of the wait", f"{told['error']:.2f} (median)", wanted="printed")
    none = ", ".join(f"{count:,} {cause}" for cause, count in told["no_estimate"].items())
    table.note(f"{title}: {told['made']:,} forecasts, {told['ahead']:,} of a start that was ahead; without one: {none or 'none'}; "
               f"{took:.0f} s")


def measure():
    table = m.Table("Predicted starts, on the later half of recorded workloads")
    folder = servers.folder("forecasts")
    philly = TRACES / "philly-passed-2017/philly.csv.gz"
    helios = TRACES / "helios-venus-sept2020-2vc/helios_venus_2vc_sept.csv"
    helios = helios if helios.exists() else helios.with_suffix(".csv.gz")
    for title, trace, nodes_of in (("Philly", philly, philly_nodes), ("Helios", helios, lambda _: HELIOS)):
        if trace.exists():
            add_rows(table, title, *foreseen(folder, title, nodes_of(trace), trace))
        else:
            table.note(f"Left out, because {trace} is not there: {title}")
    yield table
