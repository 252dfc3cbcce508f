"""Servers of one's own to measure, each on a fresh state directory."""

import contextlib
import json
import pathlib
import shutil
import tempfile

import measure  # first: makes the harness importable
import harness

# On the disk, not in memory: durability is what is measured.
PLACE = measure.ROOT / "build/bench"
SLOW_FSYNC = measure.BIN / "slow_fsync.so"


def folder(kind):
    """A new one, which stays until all is measured (`remove_folders`)."""
    PLACE.mkdir(parents=True, exist_ok=True)
    return pathlib.Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=PLACE))


def remove_folders():
    """At the very end: a disk on which much was just deleted makes files slowly for minutes."""
    shutil.rmtree(PLACE, ignore_errors=True)


def nodes(count, gpus=4):
    return f"""
clusters:
  - name: lab
    executor: local
    nodes:
      - {{names: "n[1-{count}]", gpus: "t4:{gpus}", cpus: 64, memory: 256GiB}}
flavors:
  - {{name: t4, match: {{gpu: t4}}}}
"""


def require_slow_fsync(pid):
    """A preload that did not take effect would be measured as a fast disk."""
    if SLOW_FSYNC.name not in pathlib.Path(f"/proc/{pid}/maps").read_text():
        raise RuntimeError(f"process {pid} runs without {SLOW_FSYNC}")


@contextlib.contextmanager
def server(config=None, slow_fsync=False, arguments=(), tls=False):
    """A started server, ended afterwards."""
    one = harness.Server(folder("server"), config, [*arguments, *(["--tls-self-signed"] if tls else [])],
                         wrapper=["env", f"LD_PRELOAD={SLOW_FSYNC}"] if slow_fsync else [])
    one.ca = one.state / "tls.pem" if tls else None
    try:
        one.start()
        if slow_fsync:
            require_slow_fsync(one.process.pid)
        yield one
    finally:
        one.close()


def jobs(one, query):
    """Those of all pages."""
    found, cursor = [], ""
    while cursor is not None:
        status, page = one.api("GET", f"/jobs?limit=1000&{query}" + (f"&cursor={cursor}" if cursor else ""))
        if status != 200:
            raise RuntimeError(f"the list of jobs was answered with {status}")
        found += page["items"]
        cursor = page["next"]
    return found


def body_file(one, spec):
    path = one.folder / "body.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


def submit_load(one, spec, clients, requests):
    """Submits with distinct Idempotency-Keys; what http_load measured."""
    seen = measure.program("bench_http_load", "--connect", one.listen, "--target", "/api/v1/jobs", "--clients", clients,
                           "--requests", requests, "--body", body_file(one, spec), "--unique", "Idempotency-Key",
                           "--header", "Content-Type: application/json",
                           "--header", f"Authorization: Bearer {one.token()}", *(["--ca", one.ca] if one.ca else []))
    if seen["statuses"] != {"201": requests}:
        raise RuntimeError(f"not every submit was accepted: {seen['statuses']}")
    return seen


def waiting_job(name="wait"):
    """A job that no node can take: it is stored, decided upon and explained, and never starts."""
    return {"name": name, "run": ["true"], "resources": {"gpus": 1}, "placement": {"select": {"rack": "none"}}}
