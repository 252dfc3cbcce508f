"""Writes the state of a server with something of everything, as `ym` leaves it when it is killed.

    YM_BIN=FOLDER python3 make.py documents-N    # where ym, ym-supervisor and ym-task of that version are
"""

import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

import harness  # noqa: E402
import postgres  # noqa: E402
import processes  # noqa: E402

CONFIG = (HERE / "config.yaml").read_text()
QUEUES = (HERE / "queues.yaml").read_text()
POLICY = """
scheduling: {age_cap: 3h, start_allowance: 30s, fair_share: instant, usage_half_life: 2d, placement: pack, flavors: cheapest,
             consolidation: advice, resize: on, resize_interval: 20m}
preemption: {restart_cost: 20s, reclaim_min_runtime_cap: 5m, preemptions_per_hour: 3, hold_margin: 1m}
"""

# What saves once, and then runs until it is found dead: its next attempt ends at once.
SAVES = """
echo "YM_PROGRESS {\\"step\\": 40, \\"total_steps\\": 100, \\"metrics\\": {\\"loss\\": 0.25}, \\"checkpoint\\": {\\"uri\\": \
\\"s3://saves/$YM_JOB_NAME/40\\", \\"step\\": 40, \\"durable_at\\": \\"$(date -u +%FT%TZ)\\"}}"
[ "$YM_ATTEMPT" -gt 1 ] || exec sleep 3600
"""
ONCE = '[ "$YM_ATTEMPT" -gt 1 ] || exec sleep 3600'
DEAF = "trap '' TERM; " + ONCE.replace("exec ", "")

EVERY_KEY = {
    "name": "every-key", "queue": "team-a", "project": "vision", "priority": 70, "deadline": "2040-01-01T12:00:00Z",
    "time_limit": "6h", "run": ["true"], "env": {"OMP_NUM_THREADS": "4"}, "nodes": 20, "launcher": "none",
    "resources": {"gpus": "t4:1 | a10:1", "cpus": 2, "memory": "1GiB", "shm": "64MiB"},
    "placement": {"select": {"room": "east"}, "exclude": ["n[5-6]"],
                  "topology": {"required": "room", "slice": {"level": "rack", "nodes": 2}}},
    "preemption": {"allow": False, "signal": "SIGUSR1", "grace": "2m", "min_runtime": "10m"},
    "checkpoint": {"dir": "/data/ck", "every": "15m", "expect_save": "20s"},
    "retry": {"infra": 5, "error": 1, "preempted": 7, "backoff": "10s", "backoff_max": "1h"}}


class Story:
    """`server`: of tests/e2e/harness.py, started."""

    def __init__(self, server):
        self.server, self.ids = server, {}

    def submit(self, name, run=("true",), queue="team-a", gpus=0, state=None, **spec):
        resources = {"resources": {"gpus": gpus}} if "resources" not in spec else {}
        spec = {"name": name, "run": run, "queue": queue, "workdir": "/tmp", "preemption": {"grace": "1s"}} | resources | spec
        self.ids[name] = self.server.submit(spec)
        if state:
            self.server.wait_state(self.ids[name], state)
        return self.ids[name]

    def rules(self):
        ym = self.server.ym
        ym("queue", "apply", "-f", "-", input=QUEUES)
        ym("queue", "delete", "gone")
        ym("policy", "apply", "-f", "-", input=POLICY)
        ym("node", "drain", "n4", "--message", "its fan is loud")
        ym("node", "drain", "n6")
        ym("node", "undrain", "n6")
        ym("reservation", "create", "course", "--nodes", "n5", "--from", "2036-01-01T08:00:00Z", "--duration", "4h", "--users",
           "ann,bob", "--message", "a course")
        ym("reservation", "create", "disks", "--count", "1", "--flavor", "t4", "--from", "2036-02-01T08:00:00Z", "--duration",
           "2h", "--queues", "org", "--ignore-jobs")
        ym("reservation", "create", "over", "--nodes", "n5", "--from", "2036-03-01T08:00:00Z", "--duration", "1h")
        ym("reservation", "delete", "over")
        tokens = [ym("token", "create", "--for", name, "--role", role).stdout.strip()
                  for name, role in (("ann", "user"), ("bob", "viewer"), ("eve", "user"))]
        ym("token", "revoke", "--for", "eve")
        return tokens

    def ended(self, token_of_ann):
        self.submit("done", "true", gpus=2, time_limit="1h", state="SUCCEEDED")
        for member in self.server.submit({"name": "short", "queue": "free", "workdir": "/tmp", "array": 4, "run": ["true"]}):
            self.server.wait_state(member, "SUCCEEDED")
        self.submit("short", queue="free", state="SUCCEEDED")  # its run time is predicted
        mine = self.server.json("submit", "-", input='{"name": "of-ann", "run": ["true"], "queue": "team-b", "workdir": "/tmp"}',
                                YM_TOKEN=token_of_ann)[0]["id"]
        self.ids["of-ann"] = mine
        self.server.wait_state(mine, "SUCCEEDED")
        self.submit("fails", "exit 3", retry={"error": 1, "backoff": "100ms"}, state="FAILED")
        self.submit("slow", ["sleep", "3600"], time_limit="1s", state="TIMED_OUT")
        self.submit("pair-fails", '[ "$YM_NODE_RANK" = 0 ] || exit 7; exec sleep 3600', nodes=2, gpus=1, state="FAILED")
        self.server.ym("cancel", self.submit("cancelled", ["sleep", "3600"], state="RUNNING"))
        self.server.wait_state(self.ids["cancelled"], "CANCELLED")
        self.ids["again"] = self.server.json("retry", self.ids["fails"])[0]["id"]
        self.server.wait_state(self.ids["again"], "FAILED")

    def running(self):
        self.submit("trains", SAVES, gpus=4, time_limit="8h", priority=60, checkpoint={"dir": "/tmp/saves", "every": "10s"},
                    state="RUNNING")
        self.submit("gang", ONCE, nodes=2, gpus=2, time_limit="1h", state="RUNNING")
        self.submit("elastic", SAVES, queue="free", nodes={"min": 1, "max": 2}, gpus=2, time_limit="2h", state="RUNNING")
        self.submit("groups", ONCE, queue="free", state="RUNNING", groups=[
            {"name": "learners", "nodes": 1, "resources": {"gpus": "t4:1"}},
            {"name": "actors", "nodes": 2, "resources": {"gpus": "a10:1"}, "env": {"ROLE": "actor"}}])
        self.submit("share", ONCE, queue="free", resources={"gpu_share": "500m", "gpu_memory": "4GiB"}, state="RUNNING")
        self.submit("slice", ONCE, queue="free", resources={"mig": "1g.5gb"}, state="RUNNING")
        self.submit("backoff", "exit 3", retry={"error": 5, "backoff": "1h", "backoff_max": "1h"})
        members = self.server.submit({"name": "sweep", "queue": "team-a", "workdir": "/tmp", "array": {"count": 4, "parallel": 2},
                                      "run": '[ "$YM_ARRAY_INDEX" = 0 ] || ' + ONCE})
        for index, member in enumerate(members):
            self.ids[f"sweep-{index}"] = member
        self.server.wait_state(members[0], "SUCCEEDED")
        self.server.wait_state(members[2], "RUNNING")

    def preempted(self):
        """One that has given way, and one that is about to, deaf."""
        self.submit("gave-way", SAVES, queue="team-b", gpus=4, priority=20, state="RUNNING")
        harness.wait_for(lambda: self.server.get(self.ids["gave-way"])["checkpoints"], "its save")
        self.submit("urgent", ONCE, queue="team-b", gpus=4, priority=90, time_limit="1h", state="RUNNING")
        self.submit("gives-way", DEAF, queue="team-c", gpus=4, priority=20, preemption={"grace": "1h"}, state="RUNNING")
        self.submit("kept-for", ONCE, queue="team-c", gpus=4, priority=90)
        self.server.wait_state(self.ids["gives-way"], "STOPPING")
        harness.wait_for(lambda: self.server.get(self.ids["kept-for"])["hold"], "a place that is kept")

    def waiting(self):
        self.submit("too-large", nodes=9, gpus="t4:4")
        self.submit("waits", queue="team-b", gpus=4, time_limit="10m")
        self.submit("broke", queue="poor", gpus=1, time_limit="2h")
        self.server.ym("hold", self.submit("held", nodes=9, gpus="t4:4"))
        self.server.ym("hold", self.submit("let-go", nodes=9, gpus="t4:4"))
        self.server.ym("release", self.ids["let-go"])
        self.server.ym("hold", self.submit("anchored", queue="free", nodes=9, gpus=4, placement={"anchor": 1,
                                           "topology": {"preferred": "room"}}))
        self.server.ym("hold", self.submit(**EVERY_KEY))
        self.server.ym("queue", "hold", "ruled")
        self.submit("in-held-queue", queue="ruled", time_limit="10m")
        self.server.ym("cancel", self.submit("stops", DEAF, queue="free", preemption={"grace": "1h"}, state="RUNNING"))
        harness.wait_for(lambda: all(self.server.get(self.ids[name])["reason"] for name in ("too-large", "waits", "broke")),
                         "reasons")

    def out_of_contact(self):
        """The supervisor of `quiet` is stopped, and does not answer."""
        quiet = self.submit("quiet", ONCE, queue="free", state="RUNNING")
        for pid in processes.running(f"/{quiet}/"):
            processes.stop(pid)
        self.server.wait_state(quiet, "UNREACHABLE")

    def tell(self):
        ann = self.rules()[0]
        self.ended(ann)
        self.running()
        self.preempted()
        self.waiting()
        self.out_of_contact()
        samples = "/events?limit=1000"
        harness.wait_for(lambda: [event["type"] for event in self.server.api("GET", samples)[1]["items"]].count("usage.sampled") > 1,
                         "a minute of usage")


def dump_sqlite(database):
    """As `.dump` of sqlite3 writes it, and the version of the schema."""
    copy = sqlite3.connect(":memory:")
    sqlite3.connect(database).backup(copy)
    version = copy.execute("PRAGMA user_version").fetchone()[0]
    return "\n".join([*copy.iterdump(), f"PRAGMA user_version={version};", ""])


def dump_postgres(server, database):
    """The state of a server that has ended, moved there and dumped; without the secrets of its servers."""
    server.ym("migrate", "--state", server.state, "--to", database.url())
    words = [database.bin / "pg_dump", "-h", database.socket, "-U", "ym", "--schema=yardmaster", "--inserts", "--no-owner",
             "--no-privileges", "--exclude-table-data=yardmaster.secrets", "yardmaster"]
    text = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=True,
                          env=os.environ | {"PGOPTIONS": "-c bytea_output=escape"}).stdout
    kept = [line for line in text.splitlines() if line and not line.startswith(("--", "\\", "SET ", "SELECT pg_catalog.set_config"))]
    return "\n".join([*kept, ""])


def main():
    target = HERE / sys.argv[1]
    target.mkdir()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ym-old-state-"))
    server, database = harness.Server(folder, CONFIG), postgres.Database()
    try:
        Story(server.start()).tell()
        server.kill()
        (target / "sqlite.sql").write_text(dump_sqlite(server.state / "yardmaster.db"))
        (target / "postgres.sql").write_text(dump_postgres(server, database.start().create()))
    finally:
        server.close()
        database.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
