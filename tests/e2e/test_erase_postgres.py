"""A person's data leaves a state in PostgreSQL: its rows, and the files of its tables."""

import json
import shutil
import subprocess
import unittest

import harness
import standbys
from test_erase import CANARIES, NAME, ErasedState


class EraseOnPostgres(standbys.OnPostgres):
    as_user, submit, leave_traces = ErasedState.as_user, ErasedState.submit, ErasedState.leave_traces
    wait_until_sealed, verify = ErasedState.wait_until_sealed, ErasedState.verify

    def setUp(self):
        super().setUp()
        self.heads = self.folder / "heads"
        self.server = self.member("a", harness.FIVE_NODES)
        self.server.arguments += ["--audit-seal-every", "200ms", "--audit-heads", str(self.heads)]
        self.server.begin()
        self.tokens = {name: self.server.ym("token", "create", "--for", name, "--note", f"secretnote of {name}").stdout.strip()
                       for name in (NAME, "bob")}

    def found(self, content):
        """Which canaries are in the bytes, as they are or in hexadecimal digits."""
        return {text for text in CANARIES if text.encode() in content or text.encode().hex().encode() in content}

    def found_in_rows(self):
        tables = self.database.sql(f"SELECT tablename FROM pg_tables WHERE schemaname = '{self.schema}'").split()
        self.assertIn("events", tables)
        rows = [self.database.sql(f"SELECT t::text FROM {self.schema}.{table} t") for table in tables]
        return self.found("\n".join(rows).encode())

    def found_in_files(self):
        self.database.sql("CHECKPOINT")
        paths = self.database.sql("SELECT pg_relation_filepath(c.oid) FROM pg_class c LEFT JOIN pg_class o ON o.reltoastrelid = c.oid "
                                  f"WHERE '{self.schema}'::regnamespace IN (c.relnamespace, o.relnamespace) AND c.relkind IN ('r', 't', 'i')")
        return self.found(b"".join((self.database.folder / "data" / path).read_bytes() for path in paths.split()))

    def test_nothing_of_it_is_left_and_the_chain_holds(self):
        mine, other, waits = self.leave_traces()
        bobs = self.server.get(other)
        self.server.stop()
        kept = self.folder / "kept"
        shutil.copy(self.heads, kept)
        self.assertEqual(self.found_in_rows(), set(CANARIES))
        self.assertEqual(self.found_in_files(), set(CANARIES))
        erased = json.loads(self.server.ym("identity", "erase", NAME, "--state", self.server.state, "--store",
                                           self.database.url(), "--schema", self.schema, "-o", "json").stdout)
        self.assertEqual((erased["jobs"], erased["tokens"]), (3, 1))
        self.assertEqual(self.found_in_rows(), {"secretnote"}, "that of bob's token")
        self.assertEqual(self.found_in_files(), {"secretnote"})
        self.server.start().wait_to_lead()
        self.assertTrue(self.verify("--against", kept)["valid"])
        self.assertEqual(self.server.get(other), bobs)
        for job in (mine, waits):
            self.assertEqual((self.server.get(job)["user"], self.server.get(job)["name"]), (erased["pseudonym"], "erased"))

    def erase(self):
        return self.server.ym("identity", "erase", NAME, "--state", self.server.state, "--store", self.database.url(), "--schema",
                              self.schema, check=False)

    def test_rows_that_another_transaction_keeps_are_told(self):
        self.leave_traces()
        self.server.stop()
        reader = subprocess.Popen([self.database.bin / "psql", "-XAtq", "-h", self.database.socket, "-U", "ym", "-d", "yardmaster"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(reader.communicate)
        reader.stdin.write("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;\n")
        reader.stdin.flush()
        self.assertEqual(reader.stdout.readline(), "1\n")
        kept = self.erase()
        self.assertNotEqual(kept.returncode, 0, "old rows are still in the files")
        self.assertEqual(self.found_in_rows(), {"secretnote"}, "it is erased all the same")
        self.assertGreater(self.found_in_files(), {"secretnote"})
        reader.stdin.write("COMMIT; SELECT 2;\n")
        reader.stdin.flush()
        self.assertEqual(reader.stdout.readline(), "2\n")
        again = self.erase()
        self.assertEqual((again.returncode, "nothing of it is left" in again.stderr), (2, True), again.stderr)
        self.assertEqual(self.found_in_files(), {"secretnote"})

    def test_a_leader_is_not_disturbed(self):
        self.leave_traces()
        refused = self.server.ym("identity", "erase", NAME, "--state", self.folder / "other", "--store", self.database.url(),
                                 "--schema", self.schema, check=False)
        self.assertNotEqual(refused.returncode, 0, refused.stdout)
        self.assertEqual(self.found_in_rows(), set(CANARIES))


if __name__ == "__main__":
    unittest.main()
