"""The audit log at places outside: records by `ym audit export --follow`, and heads by `ym serve --audit-heads`."""

import json
import re
import subprocess
import unittest

import certificates
import collectors
import harness

NO_RSYSLOG = collectors.no_rsyslog()


class Sinks(harness.ServerTest):
    config = harness.FIVE_NODES
    arguments = ["--audit-seal-every", "200ms"]

    def setUp(self):
        super().setUp()
        self.authority = certificates.Authority(self.folder / "tls")
        self.place = self.folder / "place"

    def collector(self):
        one = collectors.Collector(self.authority)
        self.addCleanup(one.close)
        return one

    def rsyslog(self):
        one = collectors.Rsyslog(self.folder / "rsyslog", self.authority)
        self.addCleanup(one.stop)
        one.start()
        return one

    def change(self, count=1):
        """Each is a record."""
        for _ in range(count):
            for act in ("drain", "undrain"):
                status, body = self.server.api("POST", f"/nodes/n1/{act}")
                self.assertLess(status, 300, body)

    def recorded(self):
        """The numbers of all records."""
        return [one["seq"] for one in self.server.json("audit", "list")]

    def words(self, to, *more):
        return ["audit", "export", "--follow", "--to", str(to), "--to-ca", str(self.authority.ca), "--state", str(self.place), *more]

    def export(self, to, *more, **environment):
        process = self.server.spawn_ym(*self.words(to, *more), **environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def kill(self, process):
        process.kill()
        process.wait(harness.TIMEOUT)

    def ends_with(self, code, process):
        self.assertEqual(process.wait(harness.TIMEOUT), code)

    def wait_for_all(self, seen):
        """Until all that is recorded now has arrived; what has arrived."""
        wanted = set(self.recorded())
        return harness.wait_for(lambda: now if wanted <= set(now := seen()) else None,
                                lambda: f"records {sorted(wanted - set(seen()))}")

    def verify(self, kept):
        key = re.search(r"verified with (\S+)", self.server.log_text())[1]
        run = self.server.ym("audit", "verify", "--against", kept, "--key", key, "-o", "json", check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr + kept.read_text())
        seen = json.loads(run.stdout)
        self.assertTrue(seen["valid"])
        self.assertGreater(seen["compared"], 0)


@unittest.skipIf(certificates.MISSING, certificates.MISSING)
class Urls(Sinks):
    def setUp(self):
        super().setUp()
        self.url = self.collector()
        self.token = self.folder / "token"
        self.token.write_text("s3cret\n")

    def seen(self):
        return [json.loads(line)["seq"] for line in self.url.lines()]

    def test_first_tries_fail_and_nothing_is_lost(self):
        self.url.answers[:] = [503, 429]
        self.change(3)
        process = self.export(self.url.url, "--to-token-file", str(self.token))
        seen = self.wait_for_all(self.seen)
        self.assertEqual(self.url.refused, 2)
        self.assertEqual(seen, sorted(set(seen)), "each once, in order")
        self.assertEqual(set(self.url.tokens), {"Bearer s3cret"})
        harness.wait_for(lambda: int(self.place.read_text()) == seen[-1], "its place to be kept")
        self.assertEqual(self.server.ym(*self.words(self.folder / "out"), check=False).returncode, 2, "one at a time")
        process.terminate()
        self.ends_with(0, process)

    def test_a_batch_without_an_answer_is_given_again(self):
        self.change(2)
        self.url.held.clear()
        process = self.export(self.url.url)
        first = harness.wait_for(self.url.lines, "the first batch")
        self.kill(process)
        self.assertEqual(int(self.place.read_text()), 0)
        self.url.held.set()
        self.export(self.url.url)
        seen = harness.wait_for(lambda: len(self.seen()) >= 2 * len(first) and self.seen(), "the batch once more")
        self.assertEqual(seen[:len(first)], seen[len(first):2 * len(first)])

    def test_the_server_may_be_away(self):
        self.export(self.url.url)
        self.wait_for_all(self.seen)
        self.server.kill()
        self.server.start()
        self.change(2)
        self.wait_for_all(self.seen)

    def test_formats_are_those_of_an_export_that_ends(self):
        self.change(1)
        self.export(self.url.url, "--format", "ocsf")
        written = harness.wait_for(lambda: lines if len(lines := self.url.lines()) >= len(self.recorded()) else None, "all records")
        self.assertEqual(written, self.server.ym("audit", "export", "--format", "ocsf").stdout.splitlines()[:len(written)])

    def test_refusals_that_stay_end_it(self):
        self.change(1)
        for status, code in ((401, 5), (400, 2), (404, 2), (413, 2)):
            with self.subTest(status):
                self.url.answers[:] = [status]
                self.ends_with(code, self.export(self.url.url))
        self.ends_with(4, self.export(self.url.url, YM_TOKEN="ymp_wrong", YM_TOKEN_FILE=""))
        self.assertEqual(self.url.lines(), [])

    def test_addresses_that_cannot_be_used_are_refused_at_once(self):
        for bad in ("http://example.org/in", "https://ann:hunter2@127.0.0.1/in", "syslog://127.0.0.1"):
            run = self.server.ym(*self.words(bad), check=False)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertNotIn("hunter2", run.stderr)
            run = self.server.ym("serve", "--state", self.folder / "other", "--audit-heads", bad, check=False)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn("--audit-heads: ", run.stderr)
        self.assertFalse(self.place.exists())

    def test_heads_arrive_at_several_places(self):
        file = self.folder / "heads"
        self.server.stop()
        self.url.answers[:] = [503]
        self.server.arguments += ["--audit-heads", str(file), "--audit-heads", self.url.url,
                                  "--audit-heads-ca", str(self.authority.ca), "--audit-heads-token-file", str(self.token)]
        self.server.start()
        self.change(1)
        harness.wait_for(lambda: self.url.text().endswith("\n\n") and file.exists(), "a head")
        self.server.stop()
        self.assertIn("Bearer s3cret", self.url.tokens)
        self.assertIn(f"did not arrive: {self.url.url} answers with status 503", self.server.log_text())
        self.assertNotIn("s3cret", self.server.log_text())
        self.server.start()
        arrived = self.folder / "arrived"
        arrived.write_text(self.url.text())
        self.verify(arrived)
        self.verify(file)
        self.server.stop()
        file.write_text(file.read_text()[:-30])
        size = file.stat().st_size
        self.verify_of_cut(file, size)

    def verify_of_cut(self, file, size):
        """A signature that a full disk cut is no forgery, also behind the next head."""
        self.server.start()
        self.change(1)
        harness.wait_for(lambda: file.stat().st_size > size + 100 and file.read_text().endswith("\n\n"), "another head")
        self.verify(file)

    def test_a_place_that_is_away_does_not_hold_up_the_server(self):
        self.server.stop()
        self.url.held.clear()
        self.server.arguments += ["--audit-heads", self.url.url, "--audit-heads-ca", str(self.authority.ca)]
        self.server.start()
        harness.wait_for(lambda: self.url.lines(), "a head that gets no answer")
        before = self.server.json("audit", "verify")["to"]
        self.change(1)
        harness.wait_for(lambda: self.server.json("audit", "verify")["to"] > before, "another seal")
        self.assertEqual(self.server.stop(), 0)


@unittest.skipIf(NO_RSYSLOG, NO_RSYSLOG)
class Syslog(Sinks):
    def setUp(self):
        super().setUp()
        self.log = self.rsyslog()

    def logged(self):
        return [json.loads(text)["seq"] for text in self.log.messages("audit")]

    def test_kills_lose_no_record(self):
        for _ in range(6):
            process = self.export(self.log.url)
            self.change(10)
            self.kill(process)
        self.export(self.log.url)
        seen = self.wait_for_all(self.logged)
        first = list(dict.fromkeys(seen))
        self.assertEqual(first, sorted(first), "what is given again is in order, too")

    def test_rsyslog_may_be_away(self):
        self.log.stop()
        self.export(self.log.url)
        self.change(2)
        self.log.start()
        self.wait_for_all(self.logged)
        self.log.stop()
        self.change(2)
        self.log.start()
        self.wait_for_all(self.logged)

    def test_it_must_show_a_certificate_of_the_authority(self):
        other = certificates.Authority(self.folder / "other-tls")
        words = self.words(self.log.url)
        words[words.index("--to-ca") + 1] = str(other.ca)
        process = subprocess.Popen([str(harness.BIN / "ym"), *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, env=self.server.environment(), cwd=self.folder)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertIn("TLS: ", process.stderr.readline())
        self.kill(process)
        self.assertEqual(self.log.messages("audit"), [])

    def test_heads_arrive_and_are_verified(self):
        self.server.stop()
        self.server.arguments += ["--audit-heads", self.log.url, "--audit-heads-ca", str(self.authority.ca)]
        self.server.start()
        self.change(1)
        harness.wait_for(lambda: self.log.messages("head"), lambda: "a head: " + self.log.log_text())
        self.verify(self.log.lines)


if __name__ == "__main__":
    unittest.main()
