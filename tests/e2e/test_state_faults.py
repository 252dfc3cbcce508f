"""State that is damaged, missing, newer or already served: refused, with words that help."""

import os
import shutil
import sqlite3
import unittest

import harness


class StateFaults(harness.ServerTest):
    config = harness.FIVE_NODES

    def refused(self, *said):
        """The server must not start; what it says must hold these words."""
        before = len(self.server.log_text())
        process = self.server.spawn()
        code = process.wait(harness.PATIENCE)
        text = self.server.log_text()[before:]
        self.assertNotEqual(code, 0, text)
        for word in said:
            self.assertIn(word, text)

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
        self.refused("yardmaster.db")

    def test_bit_flipped(self):
        job = self.server.submit({"name": "needle-in-the-haystack", "run": ["sleep", "600"]})
        self.server.wait_state(job, "RUNNING")
        self.server.stop()
        data = bytearray(self.database().read_bytes())
        at = data.index(b"needle-in-the-haystack")
        data[at] ^= 0x01
        self.database().write_bytes(data)
        self.refused("yardmaster.db")

    def test_database_missing(self):
        self.stop_with_jobs(1)
        for name in ("yardmaster.db", "yardmaster.db-wal", "yardmaster.db-shm"):
            (self.server.state / name).unlink(missing_ok=True)
        self.refused("yardmaster.db", "--init")

    def test_directory_missing(self):
        self.stop_with_jobs(1)
        shutil.rmtree(self.server.state)
        self.refused("--init")
        self.server.arguments = ["--init"]
        self.server.start()

    def test_newer_schema(self):
        self.stop_with_jobs(1)
        with sqlite3.connect(self.database()) as database:
            version = database.execute("pragma user_version").fetchone()[0]
            table = "pragma" if version else "meta"
            if version:
                database.execute(f"pragma user_version = {version + 1000}")
            else:
                database.execute("update meta set value = 1000 where key like '%schema%'")
        self.refused("newer")

    def test_a_second_server_exits_at_once(self):
        second = harness.Server(self.folder, harness.FIVE_NODES)
        second.log = self.folder / "second.log"
        second.listen = "127.0.0.1:0"
        process = second.spawn()
        self.assertNotEqual(process.wait(harness.PATIENCE), 0)
        self.assertIn("another server is running", second.log_text())
        self.assertEqual(self.server.api("GET", "/queues")[0], 200)

    def test_killed_in_the_middle_of_writing(self):
        ids = [self.server.submit({"name": f"job-{n}", "run": ["true"]}) for n in range(10)]
        self.server.kill()
        self.server.start()
        for job in ids:
            self.server.wait_state(job, "SUCCEEDED")


if __name__ == "__main__":
    unittest.main()
