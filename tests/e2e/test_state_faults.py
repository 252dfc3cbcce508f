"""State that is damaged, missing, newer or already served: refused, with words that help."""

import os
import shutil
import sqlite3
import unittest

import harness
from row_sums import row_sum


class StateFaults(harness.ServerTest):
    config = harness.FIVE_NODES

    def receipt(self):
        """Where it stands, outside of the state directory, that there was a state."""
        folder = self.server.home / ".local/state/yardmaster-initialised"
        return next(file for file in folder.iterdir() if not file.suffix)

    def damaged(self, what):
        state = self.server.state
        return (f"{state}/yardmaster.db: {what}. Nothing was changed. Restore {state}/yardmaster.db from a backup (and delete "
                f"acknowledged, yardmaster.db-wal and yardmaster.db-shm beside it), or move it away and start `ym serve --state {state} --init` to begin with an "
                "empty state")

    def lost(self, traces, what):
        state = self.server.state
        return (f"{state} held a state before ({', '.join([*traces, str(self.receipt())])}), but {what} is missing or empty. "
                f"Nothing was changed. Restore it from a backup, or start `ym serve --state {state} --init` to begin with an "
                "empty state: all earlier jobs are forgotten then")

    def database(self):
        return self.server.state / "yardmaster.db"

    def stop_with_jobs(self, count=20):
        ids = [self.server.submit({"name": f"job-{number}", "run": ["true"]}) for number in range(count)]
        for job in ids:
            self.server.wait_end(job)
        self.server.stop()

    def test_truncated(self):
        self.stop_with_jobs()
        size = self.database().stat().st_size
        os.truncate(self.database(), size // 2)
        self.refuses_to_start(self.damaged("database disk image is malformed"))

    def test_bit_flipped(self):
        job = self.server.submit({"name": "needle-in-the-haystack", "run": ["sleep", "600"]})
        self.server.wait_state(job, "RUNNING")
        self.server.stop()
        data = bytearray(self.database().read_bytes())
        at = data.index(b"needle-in-the-haystack")
        data[at] ^= 0x01
        self.database().write_bytes(data)
        self.refuses_to_start(self.damaged("row 1 of table specs does not match its checksum"))

    def test_database_missing(self):
        self.stop_with_jobs(1)
        for name in ("yardmaster.db", "yardmaster.db-wal", "yardmaster.db-shm"):
            (self.server.state / name).unlink(missing_ok=True)
        traces = ("yardmaster.state", "attempts", "admin.token", "acknowledged")
        self.refuses_to_start(self.lost(traces, "yardmaster.db"))

    def test_directory_missing(self):
        self.stop_with_jobs(1)
        shutil.rmtree(self.server.state)
        self.refuses_to_start(self.lost((), "the whole directory"))
        self.server.arguments = ["--init"]
        self.server.start()

    def test_newer_schema(self):
        self.stop_with_jobs(1)
        with sqlite3.connect(self.database()) as database:
            version = database.execute("pragma user_version").fetchone()[0]
            database.execute(f"pragma user_version = {version + 1000}")
        self.refuses_to_start(f"{self.database()} was written by a newer version of Yardmaster (schema {version + 1000}; this "
                              f"one knows up to {version}). Nothing was changed. Start that version, or a later one")

    def test_newer_documents(self):
        self.stop_with_jobs(1)
        with sqlite3.connect(self.database()) as database:
            known = database.execute("SELECT documents FROM meta").fetchone()[0]
            row = database.execute("SELECT id, last_seq, last_id, epoch, last_time, unfinished FROM meta").fetchone()
            database.execute("UPDATE meta SET documents = ?, sum = ?", (known + 1, row_sum("meta", *row, known + 1)))
        self.refuses_to_start(f"{self.database()} was written by a newer version of Yardmaster (documents {known + 1}; this "
                              f"one knows up to {known}). Nothing was changed. Start that version, or a later one")

    def test_a_second_server_exits_at_once(self):
        second = harness.Server(self.folder, harness.FIVE_NODES)
        second.log = self.folder / "second.log"
        second.listen = "127.0.0.1:0"
        self.refuses_to_start(f"another server is running on {second.state} (process {self.server.process.pid}). Stop it first, "
                              "or use another state directory", server=second)
        self.assertEqual(self.server.api("GET", "/queues")[0], 200)

    def test_killed_in_the_middle_of_writing(self):
        ids = [self.server.submit({"name": f"job-{n}", "run": ["true"]}) for n in range(10)]
        self.server.kill()
        self.server.start()
        for job in ids:
            self.server.wait_state(job, "SUCCEEDED")


if __name__ == "__main__":
    unittest.main()
