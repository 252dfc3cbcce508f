"""Writes the state of a server with rights, seals, kept heads and segments, as `ym` leaves it when it is killed.

    YM_BIN=FOLDER python3 make_sealed.py sealed-N    # where ym, ym-supervisor and ym-task of that version are
"""

import json
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

import harness  # noqa: E402
from make import dump_sqlite  # noqa: E402

CONFIG = (HERE / "sealed.yaml").read_text()


def verified(server):
    return json.loads(server.ym("audit", "verify", "-o", "json").stdout)


def tell(server):
    """Jobs of two users, roles that were given by hand, changes and refusals; all of it sealed, the first part pruned."""
    server.ym("role", "create", "watcher", "--permission", "jobs.list")
    server.ym("token", "create", "--for", "robot", "--service", "--ttl", "30d", "--scope", "viewer")
    server.ym("role", "bind", "watcher", "--to", "group:crew", "--scope", "site")
    token = server.ym("token", "create", "--for", "ann", "--note", "of ann").stdout.strip()
    server.ym("identity", "groups", "ann", "--group", "crew")
    as_ann = {"YM_TOKEN": token, "YM_TOKEN_FILE": ""}
    old = [server.submit({"name": f"old-{n}", "project": "vision", "run": ["true"]}, **as_ann) for n in range(3)]
    for job in old:
        server.wait_end(job)
    server.ym("policy", "show", check=False, **as_ann)
    server.ym("drain", "n1", check=False, **as_ann)

    def left():
        server.ym("token", "create", "--for", "noise")
        return all(server.ym("get", job, check=False).returncode == 2 for job in old)
    harness.wait_for(left, "old jobs to leave", pause=0.3)
    kept = server.submit({"name": "kept", "project": "vision", "run": ["true"], "nodes": 9}, **as_ann)
    last = max(event["seq"] for event in server.json("events") if event["type"] != "log.sealed")
    harness.wait_for(lambda: verified(server)["to"] >= last, "all to be sealed")
    return kept


def main():
    target = HERE / sys.argv[1]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ym-old-state-"))
    heads = folder / "heads"
    server = harness.Server(folder, CONFIG, ["--audit-seal-every", "1s", "--audit-heads", str(heads)])
    try:
        tell(server.start())
        key = re.search(r"verified with (\S+)", server.log_text())[1]
        server.kill()
        target.mkdir()
        (target / "sqlite.sql").write_text(dump_sqlite(server.state / "yardmaster.db"))
        (target / "key").write_text(key + "\n")
        shutil.copy(heads, target / "heads")
        shutil.copytree(server.state / "history", target / "history")
    finally:
        server.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
