"""Real clusters on loopback for tests: Slurm and Kubernetes control planes that scripts beside the project start.

Where the scripts, or what they need, are not there, a test is skipped and says why. YM_LABS names their folder; without
it they are looked for beside the checkout.
"""

import fcntl
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import unittest

import harness
import ports

FOLDERS = [os.environ.get("YM_LABS"), harness.ROOT.parent / "shared/tools"]


def script(name):
    for folder in filter(None, FOLDERS):
        path = pathlib.Path(folder) / name
        if path.exists():
            return path
    raise unittest.SkipTest(f"there is no {name}: set YM_LABS to the folder that has it")


def cache():
    """Where what labs need is built, once a machine."""
    return pathlib.Path(os.environ.get("YM_LAB_CACHE", pathlib.Path.home() / ".cache/yardmaster-lab"))


CLOUD = """
PrivateData=cloud
ResumeProgram={folder}/resume
SuspendProgram={folder}/suspend
ResumeTimeout=60
SuspendTimeout=12
SuspendTime=6
SuspendExcNodes=n[1-{nodes}]
NodeName=c[1-{cloud}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=16 Sockets=1 CoresPerSocket=16 \
ThreadsPerCore=1 RealMemory=64000 Gres=gpu:h100:{gpus} State=CLOUD
"""

# Who manages the cloud: it starts and ends a slurmd, and tells Slurm where the machine answers.
POWER = """#!/bin/sh
exec </dev/null >>{lab}/log/power.log 2>&1
export SLURM_CONF={lab}/etc/slurm.conf PATH=/usr/sbin:/usr/bin:/sbin:/bin
for node in $(scontrol show hostnames "$1"); do
  {each}
done
"""
RESUME = """sleep 3
  {lab}/bin/slurmd -b -N $node -d {lab}/bin/slurmstepd -f $SLURM_CONF
  scontrol update nodename=$node nodeaddr=127.0.0.1 nodehostname={host}"""
SUSPEND = "kill $(cat {lab}/run/slurmd-$node.pid)"


class SlurmLab:
    """A Slurm of its own. Its folder is short: sockets are in it. `cloud`: so many nodes more, c1 and so on, that are off
    until Slurm starts them for a job, and off again when they are idle for some seconds."""

    def __init__(self, nodes=4, gpus=8, extra=(), conf="", cloud=0):
        for program in ("sbatch", "munged", "slurmctld"):
            if not (shutil.which(program) or pathlib.Path("/usr/sbin", program).exists()):
                raise unittest.SkipTest(f"Slurm is not installed: no {program} (packages slurm-wlm, munge)")
        self.script = script("slurm-lab.sh")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ymslurm-", dir="/tmp")) / "lab"
        self.folder.parent.chmod(0o755)  # its users are others, too
        self.nodes, self.gpus, self.extra = nodes, gpus, list(extra)
        self.port = ports.free(4, (1001, nodes + cloud))
        if cloud:
            conf += self.cloud_conf(cloud)
        if conf:
            path = self.folder.parent / "extra.conf"
            path.write_text(conf)
            self.extra += ["--conf", str(path)]

    def start(self):
        self.run("start", "--nodes", self.nodes, "--gpus", self.gpus, "--port", self.port, *self.extra)
        return self

    def cloud_conf(self, cloud):
        host = socket.gethostname().split(".")[0]
        for name, each in (("resume", RESUME), ("suspend", SUSPEND)):
            program = self.folder.parent / name
            program.write_text(POWER.format(lab=self.folder, each=each.format(lab=self.folder, host=host)))
            program.chmod(0o755)
        first = self.port + 1001 + self.nodes
        return CLOUD.format(folder=self.folder.parent, nodes=self.nodes, cloud=cloud, host=host, first=first,
                            last=first + cloud - 1, gpus=self.gpus)

    def run(self, verb, *arguments):
        command = ["bash", self.script, verb, *arguments, "--dir", self.folder]
        done = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=120,
                              stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise AssertionError(f"slurm-lab.sh {verb} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    @property
    def conf(self):
        return self.folder / "etc/slurm.conf"

    def slurm(self, *command):
        """One of Slurm's own commands; its output."""
        done = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=60,
                              env=os.environ | {"SLURM_CONF": str(self.conf)})
        if done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def nodes_are_idle(self):
        """Slurm takes a node out of service on which a busy machine was slow to end a job; the next test has it back."""
        states = dict(line.split() for line in self.slurm("sinfo", "-h", "-N", "-o", "%N %T").splitlines())
        for name, state in states.items():
            if state.startswith(("drain", "down", "fail")):
                self.slurm("scontrol", "update", f"nodename={name}", "state=resume")
        return states if all(state == "idle" for state in states.values()) else None

    def stop(self):
        """A daemon that ends may take its pid file away just before the script reads it: then the script gives up,
        and what it left is ended by the next try. So many daemons, so many tries."""
        try:
            for left in range(self.nodes, -1, -1):
                try:
                    return self.run("stop")
                except AssertionError:
                    if left == 0:
                        raise
        finally:
            shutil.rmtree(self.folder.parent, ignore_errors=True)


def real_kubelet_lock():
    """There can be one on a machine: whoever else has one is waited for, other test programs too."""
    for program in ("containerd", "ctr", "runc", "busybox", "ip", "nsenter"):
        if not (shutil.which(program) or pathlib.Path("/usr/sbin", program).exists()):
            raise unittest.SkipTest(f"a real kubelet needs {program} (tools/debian-packages-tests.txt)")
    if os.geteuid() != 0:
        raise unittest.SkipTest("a real kubelet needs root")
    lock = open("/tmp/ym-kubelet-lab.lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


class KubeLab:
    """A Kubernetes control plane of its own; its kubelets are simulated, but for one with `kubelet`."""

    def __init__(self, nodes=3, gpus=8, kubelet=False, extra=()):
        self.script = script("kube-lab.sh")
        if not any(cache().glob("kube-lab-*")):
            raise unittest.SkipTest(f"the Kubernetes lab is not built: run `{self.script} build` once")
        self.lock = real_kubelet_lock() if kubelet else None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ymkube-", dir="/tmp")) / "lab"
        self.arguments = ["--nodes", nodes, "--gpus", gpus, *(["--kubelet"] if kubelet else []), *extra]

    def start(self):
        self.run("start", "--port", ports.free(4), *self.arguments, timeout=240)
        return self

    def run(self, verb, *arguments, timeout=120):
        command = ["bash", self.script, verb, *arguments, "--dir", self.folder]
        done = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=timeout,
                              stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise AssertionError(f"kube-lab.sh {verb} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def start_api_server(self):
        """What was killed a moment ago may hold its port yet, so it is tried again."""
        def starts():
            try:
                return self.run("apiserver-start") or True
            except AssertionError as error:
                said.append(error)
                return False
        said = []
        harness.wait_for(starts, lambda: f"the API server: {said[-1]}", timeout=30, pause=0.2)

    def kubectl(self, *arguments):
        return self.run("kubectl", *arguments)

    def env(self):
        """KUBECONFIG, KUBE_API_URL, KUBE_TOKEN and KUBE_CA_FILE."""
        lines = [line.removeprefix("export ") for line in self.run("env").splitlines() if line.startswith("export ")]
        return dict(line.split("=", 1) for line in lines)

    def import_wrapper(self, name="kube-lab.test/wrapper:1"):
        """The wrapper's image, by the recipe that users have, into the real kubelet's store; its name."""
        recipe, work = harness.ROOT / "deploy/kubernetes", self.folder / "wrapper"
        work.mkdir()
        for command in (["sh", recipe / "wrapper-root.sh", harness.BIN, work / "root"],
                        ["sh", recipe / "wrapper-oci.sh", work / "root", name, work / "image.tar"],
                        ["ctr", "-a", self.folder / "run/containerd.sock", "-n", "k8s.io", "images", "import", work / "image.tar"]):
            done = subprocess.run([str(word) for word in command], text=True, capture_output=True)
            if done.returncode != 0:
                raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return name

    @property
    def kubeconfig(self):
        return self.folder / "etc/admin.kubeconfig"

    def stop(self):
        try:
            self.run("stop")
        finally:
            shutil.rmtree(self.folder.parent, ignore_errors=True)
            if self.lock:
                self.lock.close()
