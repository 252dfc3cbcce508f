"""2,000 no-op jobs on 16 virtual nodes of a real Slurm: through Yardmaster, and by plain sbatch."""

import time

import measure as m
import harness
import servers
import slurm

JOBS, NODES, GPUS = 2_000, 16, 8
AT_ONCE = 8  # sbatch of a user in a hurry
ROUNDS = 3
WANTED = ["--gres=gpu:1", "-n1", "-c1", "--no-requeue", "--chdir=/"]


def configuration(lab, logs, rest=False):
    by = f", rest: unix:{lab.rest_socket}" if rest else ""
    return f"""
clusters:
  - name: hpc
    executor: slurm
    slurm: {{partition: train, conf: {lab.folder}/etc/slurm.conf, log_dir: {logs}{by}}}
flavors:
  - {{name: h100, match: {{gpu: h100}}}}
"""


def counts(server):
    status, page = server.api("GET", "/queues")
    if status != 200:
        raise RuntimeError(f"the queues were answered with {status}")
    return tuple(sum(queue["counts"][what] for queue in page["items"]) for what in ("queued", "active"))


def wait_until_empty(lab):
    harness.wait_for(lambda: not lab.run("squeue", "-h", "-t", "PD,R,CG", "-o", "%i").strip(), "Slurm to be empty", timeout=300,
                     pause=1)


def ours(lab, rest=False):
    """Jobs a second, from their submit until the last is known to have succeeded. `rest`: slurmrestd is spoken to."""
    with servers.server(configuration(lab, servers.folder("logs"), rest)) as server:
        harness.wait_for(lambda: len(server.json("nodes")) == NODES, "the nodes", timeout=120)
        begin = time.monotonic()
        server.submit({"name": "noop", "run": ["true"], "resources": {"gpus": 1}, "array": JOBS, "workdir": "/"})
        harness.wait_for(lambda: counts(server) == (0, 0), "all jobs to end", timeout=900, pause=0.25)
        seconds = time.monotonic() - begin
        succeeded = len(servers.jobs(server, "state=SUCCEEDED"))
        if succeeded != JOBS:
            raise RuntimeError(f"{succeeded} of {JOBS} jobs succeeded")
        wait_until_empty(lab)
    return JOBS / seconds


def ended(lab):
    """Jobs of which Slurm has written that they ended: costs its controller nothing, unlike asking."""
    record = lab.folder / "log/jobcomp.txt"
    return record.read_bytes().count(b"\n") if record.exists() else 0


def until_ended(lab, submit):
    before, begin = ended(lab), time.monotonic()
    submit()
    harness.wait_for(lambda: ended(lab) - before == JOBS, "Slurm's jobs to end", timeout=900, pause=0.25)
    seconds = time.monotonic() - begin
    wait_until_empty(lab)
    return JOBS / seconds


def plain(lab):
    """The same by one sbatch a job."""
    script = lab.folder / "noop.sh"
    script.write_text("#!/bin/sh\n/bin/true\n", encoding="utf-8")
    numbers = "\n".join(map(str, range(JOBS)))
    words = ["sbatch", "--parsable", "--job-name=noop-{}", f"--output={servers.folder('logs')}/%j.log", *WANTED, str(script)]
    return until_ended(lab, lambda: lab.run("xargs", "-P", str(AT_ONCE), "-I{}", *words, input=numbers))


def array(lab):
    words = [f"--array=0-{JOBS - 1}", f"--output={servers.folder('logs')}/%A-%a.log", *WANTED, "--wrap", "/bin/true"]
    return until_ended(lab, lambda: lab.run("sbatch", "--parsable", *words))


def tables():
    table = m.Table(f"{JOBS:,} no-op jobs on a real Slurm of {NODES} virtual nodes")
    with slurm.lab(NODES, GPUS, rest=True) as lab:
        values = m.interleaved(ROUNDS, ours=lambda: ours(lab), plain=lambda: plain(lab), rest=lambda: ours(lab, rest=True))
        by_array = array(lab)
    rate, base = m.median(values["ours"]), m.median(values["plain"])
    table.row("jobs a second, first submit to last end", f"{rate:.1f}/s {m.spread(values['ours'])}",
              f"sbatch, {AT_ONCE} at once {base:.1f}/s {m.spread(values['plain'])}", f"{rate / base:.2f}", ">= 0.9", rate >= 0.9 * base)
    by_rest = m.median(values["rest"])
    table.row("the same, by slurmrestd", f"{by_rest:.1f}/s {m.spread(values['rest'])}", f"sbatch {base:.1f}/s", f"{by_rest / base:.2f}")
    table.row("the same", f"{rate:.1f}/s", f"one sbatch --array {by_array:.1f}/s", f"{rate / by_array:.2f}")
    table.note(f"{ROUNDS} rounds in turn on the same Slurm, tuned. Ours: one durable submit of an array, for each member an sbatch, a "
               "wrapper that holds the launch barrier, a supervisor and user code `true`, its log and its end, until the server knows "
               "all of them as succeeded. Plain: `true` in a batch script, with its output in a file, until Slurm has recorded all ends.")
    yield table
