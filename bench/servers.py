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


@contextlib.contextmanager
def server(config=None, slow_fsync=False, start=True):
    """A started server, ended and removed afterwards."""
    PLACE.mkdir(parents=True, exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="server-", dir=PLACE))
    wrapper = ["env", f"LD_PRELOAD={measure.BIN / 'slow_fsync.so'}"] if slow_fsync else []
    one = harness.Server(folder, config, wrapper=wrapper)
    try:
        yield one.start() if start else one
    finally:
        one.close()
        shutil.rmtree(folder, ignore_errors=True)


def body_file(one, spec):
    path = one.folder / "body.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


def submit_load(one, spec, clients, requests):
    """Submits with distinct Idempotency-Keys; what http_load measured."""
    seen = measure.program("bench_http_load", "--connect", one.listen, "--target", "/api/v1/jobs", "--clients", clients,
                           "--requests", requests, "--body", body_file(one, spec), "--unique", "Idempotency-Key",
                           "--header", "Content-Type: application/json",
                           "--header", f"Authorization: Bearer {one.token()}")
    if seen["statuses"] != {"201": requests}:
        raise RuntimeError(f"not every submit was accepted: {seen['statuses']}")
    return seen


def waiting_job(name="wait"):
    """A job that no node can take: it is stored, decided upon and explained, and never starts."""
    return {"name": name, "run": ["true"], "resources": {"gpus": 1}, "placement": {"select": {"rack": "none"}}}
