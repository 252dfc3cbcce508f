"""A backup that is put back over a state that went on."""

import contextlib
import shutil
import sqlite3

import harness

# Says that it ran, waits until it may end, and says that it came to its end.
WAITS = """echo "$YM_ATTEMPT" >> $FOLDER/ran-$YM_JOB_NAME
while [ ! -e $FOLDER/go ] && [ ! -e $FOLDER/go-$YM_JOB_NAME ]; do sleep 0.1; done
echo end >> $FOLDER/ran-$YM_JOB_NAME"""


def back_up(server, to):
    """As the guide says it: while the server runs."""
    with contextlib.closing(sqlite3.connect(server.state / "yardmaster.db")) as source:
        with contextlib.closing(sqlite3.connect(to)) as backup:
            source.backup(backup)


def put_back(server, backup):
    """Precondition: the server does not run."""
    for name in ("yardmaster.db-wal", "yardmaster.db-shm", "acknowledged"):
        (server.state / name).unlink(missing_ok=True)
    shutil.copy(backup, server.state / "yardmaster.db")


def runs_nothing_twice(test):
    """Of a test on any cluster, with `job(**spec)`: over a backup all that runs goes on, what has ended has ended, and what
    the backup does not know is let be."""
    server, folder = test.server, test.folder
    submit = lambda name: test.job(name=name, run=WAITS, env={"FOLDER": str(folder)}, resources={"gpus": 1, "cpus": 0.25})
    early = submit("early")
    server.wait_state(early, "RUNNING")
    server.ym("queue", "hold", "default")
    later, ended = submit("later"), submit("ended")
    back_up(server, folder / "backup.db")
    server.ym("queue", "resume", "default")
    unknown = submit("unknown")
    for job in (later, ended, unknown):
        server.wait_state(job, "RUNNING")
    (folder / "go-ended").touch()
    server.wait_state(ended, "SUCCEEDED")
    server.kill()
    put_back(server, folder / "backup.db")
    server.start()
    server.wait_state(ended, "SUCCEEDED")
    for job in (early, later):
        server.wait_state(job, "RUNNING")
    test.assertNotIn(unknown, [job["id"] for job in server.json("ps", "-A")])
    test.assertIn(unknown, server.log.read_text())
    # Once more: what is let be stays so when the state is not put back any more.
    server.kill()
    server.start()
    for job in (early, later):
        server.wait_state(job, "RUNNING")
    (folder / "go").touch()
    for job in (early, later):
        server.wait_state(job, "SUCCEEDED")
    read = lambda name: (folder / f"ran-{name}").read_text()
    harness.wait_for(lambda: "end" in read("unknown"), "the job that is not known to come to its end")
    for name in ("early", "later", "ended", "unknown"):
        test.assertEqual(read(name), "1\nend\n", name)
