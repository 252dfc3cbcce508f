"""A real Slurm on loopback, by a script that starts it (README.md here says which), tuned as a site would for throughput."""

import contextlib
import os
import pathlib
import shutil
import subprocess

import measure  # first: makes the harness importable
import ports
import servers

LAB = pathlib.Path(os.environ.get("YM_SLURM_LAB") or measure.ROOT.parent / "shared/tools/slurm-lab.sh")
TUNED = ("defer,batch_sched_delay=1,sched_min_interval=100000,sched_max_job_start=0,default_queue_depth=10000,"
         "sched_interval=1,bf_interval=1,bf_continue")
CONFIGURATION = "MinJobAge=2\nSlurmctldDebug=error\nSlurmdDebug=error\n"


def missing():
    """Why there is no Slurm to compare with; None if there is."""
    if not os.access(LAB, os.X_OK):
        return f"there is no script {LAB} to start it; name one in YM_SLURM_LAB (bench/README.md says what it has to do)"
    absent = [name for name in ("munged", "slurmctld", "slurmd", "slurmrestd") if not shutil.which(name, path="/usr/sbin:/usr/bin")]
    return f"not installed: {' '.join(absent)} (tools/dev bench installs them on Debian 12)" if absent else None


class Slurm:
    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment

    def run(self, *words, **options):
        return subprocess.run(words, env=self.environment, check=True, capture_output=True, text=True, **options).stdout

    @property
    def rest_socket(self):
        return self.folder / "run/rest.sock"


@contextlib.contextmanager
def lab(nodes, gpus=8, rest=False, slow_fsync=False, fake=False, parameters=TUNED, cpus=64):
    """A started one, stopped afterwards. `slow_fsync`: all of its daemons have it preloaded. `fake`: nodes without slurmd, to
    which jobs are given that never begin."""
    folder = servers.folder("slurm")
    extra = folder.with_suffix(".conf")
    extra.write_text(CONFIGURATION, encoding="utf-8")
    words = [str(LAB), "start", "--dir", str(folder), "--nodes", str(nodes), "--gpus", str(gpus), "--cpus", str(cpus),
             "--port", str(ports.free(3, (1001, 0 if fake else nodes))), "--params", parameters, "--conf", str(extra), *(["--rest"] if rest else []),
             *(["--fake"] if fake else [])]
    # To files: the daemons inherit the streams, and a pipe would never end.
    preload = {"LD_PRELOAD": str(servers.SLOW_FSYNC)} if slow_fsync else {}
    with open(folder.with_suffix(".log"), "wb") as log:
        done = subprocess.run(words, check=False, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | preload)
    if done.returncode != 0:
        raise RuntimeError(f"{LAB} did not start: {folder.with_suffix('.log').read_text()[-1000:]}")
    environment = os.environ | {"SLURM_CONF": str(folder / "etc/slurm.conf"), "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    try:
        if slow_fsync:
            servers.require_slow_fsync(int((folder / "run/slurmctld.pid").read_text()))
        yield Slurm(folder, environment)
    finally:
        subprocess.run([str(LAB), "stop", "--dir", str(folder)], check=False, stdout=subprocess.DEVNULL)
