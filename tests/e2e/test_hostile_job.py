"""Jobs that turn against the files that the server keeps of them."""

import contextlib
import http.client
import pathlib
import threading
import time
import unittest

import harness

# What a job does first: it finds the folder of its own task.
FIND = "cd $(echo STATE/attempts/*/$YM_JOB_ID/1/0) || exit 9; "


class HostileJob(harness.ServerTest):
    config = harness.FIVE_NODES

    def attack(self, script, name="attack", **keys):
        script = FIND.replace("STATE", str(self.server.state)) + script
        return self.server.submit({"name": name, "run": script, **keys})

    def marker(self, name):
        return self.server.folder / name

    def log_status(self, job, query="?tail=10"):
        return self.server.request("GET", f"/api/v1/jobs/{job}/logs{query}")[0]


class InPlaceOfALog(HostileJob):
    def test_a_pipe_a_folder_or_a_link_is_an_error_and_holds_up_no_request(self):
        secret = self.marker("secret")
        secret.write_text("of somebody else\n")
        for what, change in (("pipe", "mkfifo log"), ("folder", "mkdir log"), ("link", f"ln -s {secret} log")):
            with self.subTest(what=what):
                go = self.marker(f"go-{what}")
                job = self.attack(f"rm log; {change}; touch {go}-set; until [ -e {go} ]; do sleep 0.05; done; echo on")
                harness.wait_for(lambda go=go: pathlib.Path(f"{go}-set").exists(), "the attack")
                for query in ("", "?tail=10", "?follow=1"):
                    self.assertEqual(self.log_status(job, query), 409)
                self.assertNotEqual(self.server.ym("logs", job, check=False).returncode, 0)
                self.assertEqual(self.server.request("GET", "/healthz", authenticated=False)[0], 200)
                go.touch()
                self.server.wait_state(job, "SUCCEEDED")
                self.assertEqual(self.log_status(job), 409)
        self.server.stop()

    def test_a_pipe_holds_up_no_stop_and_no_restart(self):
        done = self.marker("done")
        job = self.attack(f"rm log; mkfifo log; rm -f user/progress; mkfifo user/progress; touch {done}; sleep 600")
        harness.wait_for(done.exists, "the attack")

        def follow():
            with contextlib.suppress(OSError, http.client.HTTPException):  # the server stops
                self.log_status(job, "?follow=1")

        readers = [threading.Thread(target=follow, daemon=True) for _ in range(8)]
        for reader in readers:
            reader.start()
        self.server.stop()
        self.server.start()
        self.server.wait_state(job, "RUNNING")
        self.server.ym("cancel", job)
        self.server.wait_state(job, "CANCELLED")


class AnEndlessLine(HostileJob):
    def test_its_last_lines_are_bounded_and_hold_up_no_request(self):
        job = self.attack("truncate -s 3G log")
        self.server.wait_state(job, "SUCCEEDED")
        answers = []

        def read():
            status, _, body = self.server.request("GET", f"/api/v1/jobs/{job}/logs?tail=10")
            answers.append((status, len(body)))

        readers = [threading.Thread(target=read) for _ in range(8)]
        for reader in readers:
            reader.start()
        for _ in range(5):
            self.assertEqual(self.server.request("GET", "/healthz", authenticated=False)[0], 200)
            time.sleep(0.01)
        for reader in readers:
            reader.join()
        self.assertEqual(answers, [(200, 65536)] * 8)

    def test_a_progress_bar_has_lines(self):
        job = self.server.submit({"name": "bar", "run": r"for i in 1 2 3 4; do printf '\r%d of 4' $i; done"})
        self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(self.server.request("GET", f"/api/v1/jobs/{job}/logs?tail=1")[2], b"4 of 4")
        self.assertEqual(self.server.request("GET", f"/api/v1/jobs/{job}/logs?tail=2")[2], b"3 of 4\r4 of 4")


class OfItsAttempt(HostileJob):
    """What a job does to its files makes no second attempt beside the first, whoever is restarted when."""

    ATTACKS = {
        "claim": "rm claim",
        "claim and lock": "rm claim lock",
        "records": "rm -f claim lock started sock ../decision ../launch",
        "forged end": "cp claim exit",
        "folder": "rm -r ../../$YM_ATTEMPT",
        "attempts": f"rm -r ../../../../../attempts",
    }

    def run_and_attack(self, name, script):
        ledger, go, done = (self.marker(f"{name}-{what}".replace(" ", "-")) for what in ("ledger", "go", "done"))
        run = f"echo $YM_ATTEMPT >> {ledger}; {script}; cd /; touch {done}; until [ -e {go} ]; do sleep 0.05; done"
        job = self.attack(run, name=name.replace(" ", "-"), retry={"infra": 3, "error": 3}, preemption={"grace": "1s"})
        harness.wait_for(done.exists, f"the attack on its {name}")
        return job, ledger, go

    def test_after_a_restart_it_runs_on_and_ends_once(self):
        for name, script in self.ATTACKS.items():
            with self.subTest(attack=name):
                job, ledger, go = self.run_and_attack(name, script)
                self.server.kill()
                self.server.start()
                time.sleep(2.5)  # long enough for a second attempt
                self.assertEqual(ledger.read_text(), "1\n")
                self.assertEqual(len(self.server.get(job)["attempts"]), 1)
                self.assertIn(self.server.get(job)["attempts"][0]["state"], {"RUNNING", "UNKNOWN"})
                go.touch()
                harness.wait_for(lambda job=job: self.server.get(job)["attempts"][-1]["state"] == "ENDED", "its end")
                self.server.ym("cancel", job, check=False)
                self.server.wait_end(job)

    def test_it_can_be_cancelled_after_a_restart(self):
        for name, script in self.ATTACKS.items():
            with self.subTest(attack=name):
                job, ledger, _ = self.run_and_attack(name, script)
                self.server.kill()
                self.server.start()
                self.server.ym("cancel", job, check=False)
                self.server.wait_state(job, "CANCELLED")
                self.assertEqual(self.server.processes_of(job), [])
                self.assertEqual(ledger.read_text(), "1\n")

    def test_attempts_that_are_removed_end_without_a_restart(self):
        job, _, go = self.run_and_attack("attempts", self.ATTACKS["attempts"])
        other = self.server.submit({"name": "bystander", "run": f"until [ -e {go} ]; do sleep 0.05; done"})
        self.server.wait_state(other, "RUNNING")
        go.touch()
        for each in (job, other):
            harness.wait_for(lambda each=each: self.server.get(each)["attempts"][0]["state"] == "ENDED", "its end")


if __name__ == "__main__":
    unittest.main()
