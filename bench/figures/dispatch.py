"""Dispatch and completion of 2,000 no-op jobs on 16 virtual nodes, against real Slurm."""

import time

import harness
import measure as m
import servers
import slurm

JOBS, NODES, GPUS = 2000, 16, 8


def ours(arguments=(), look=None):
    """From the moment on when the nodes are put into service until every job has ended. `look` at the server then."""
    with servers.server(servers.nodes(NODES, GPUS), arguments=arguments) as one:
        names = [f"n{number}" for number in range(1, NODES + 1)]
        for name in names:
            one.ym("node", "drain", name)
        one.submit({"name": "noop", "run": ["true"], "resources": {"gpus": 1}, "array": JOBS, "workdir": "/"})
        begin = time.monotonic()
        for name in names:
            one.ym("node", "undrain", name)

        def unfinished():
            _, page = one.api("GET", "/queues")
            return sum(queue["counts"]["queued"] + queue["counts"]["active"] for queue in page["items"])
        harness.wait_for(lambda: unfinished() == 0, "all jobs to end", timeout=600, pause=0.05)
        seconds = time.monotonic() - begin
        succeeded = len(servers.jobs(one, "state=SUCCEEDED"))
        if succeeded != JOBS:
            raise RuntimeError(f"{succeeded} of {JOBS} jobs succeeded")
        if look:
            look(one)
    return JOBS / seconds


def theirs():
    with slurm.lab(NODES, GPUS) as lab:
        lab.run("scontrol", "update", "PartitionName=train", "State=DOWN")
        lab.run("sbatch", "--parsable", f"--array=0-{JOBS - 1}", "--gres=gpu:1", "-n1", "-c1", "--mem=64", "-o", "/dev/null",
                "--wrap", "true")
        begin = time.monotonic()
        lab.run("scontrol", "update", "PartitionName=train", "State=UP")
        harness.wait_for(lambda: not lab.run("squeue", "-h", "-t", "PD,R,CG", "-o", "%i").strip(), "Slurm's jobs to end",
                         timeout=900, pause=0.2)
        return JOBS / (time.monotonic() - begin)


def floor():
    servers.PLACE.mkdir(parents=True, exist_ok=True)
    return m.program("bench_floor", "jobs", servers.PLACE, JOBS, 32)["per_second"]


def measure():
    table = m.Table(f"Dispatch and completion of {JOBS:,} no-op jobs on {NODES} virtual nodes")
    why_not = slurm.missing()
    peers = {} if why_not else {"slurm": theirs}
    values = m.interleaved(m.ROUNDS, floor=floor, ours=ours, **peers)
    rate, base = m.median(values["ours"]), m.median(values["floor"])
    table.row("jobs a second", f"{rate:,.0f}/s {m.spread(values['ours'])}",
              f"two fork+execs and a durable exit record {base:,.0f}/s {m.spread(values['floor'])}", f"{rate / base:.2f}")
    if why_not:
        table.note(f"No comparison with Slurm: {why_not}.")
    else:
        peer = m.median(values["slurm"])
        table.row("jobs a second", f"{rate:,.0f}/s", f"real Slurm, tuned {peer:,.0f}/s {m.spread(values['slurm'])}",
                  f"{rate / peer:.1f}", ">= 5", rate >= 5 * peer)
    yield table
