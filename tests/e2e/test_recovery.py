"""What a server finds when parts of its world are gone or are not what they were."""

import os
import shutil
import signal
import unittest

import harness
import processes

ONE_CLUSTER = harness.FIVE_NODES


class Recovery(harness.ServerTest):
    config = ONE_CLUSTER

    def run_marking(self, name="long", seconds=600):
        """A running job that writes a line when its user code starts."""
        marker = self.folder / f"{name}.marker"
        job = self.server.submit({"name": name, "run": f"echo $YM_JOB_ID $YM_ATTEMPT >> {marker}; exec sleep {seconds}",
                                  "preemption": {"grace": "1s"}})
        self.server.wait_state(job, "RUNNING")
        harness.wait_for(marker.exists, "its first line")
        return job, marker

    def test_attempts_that_vanished_are_not_started_again(self):
        job, marker = self.run_marking()
        self.server.kill()
        moved = self.folder / "attempts.moved"
        shutil.move(self.server.state / "attempts", moved)
        self.server.start()
        seen = self.server.wait_state(job, "UNREACHABLE")
        self.assertIn("ym cancel", seen["message"])
        self.assertEqual(marker.read_text().count("\n"), 1, "user code started twice")
        self.server.kill()
        shutil.rmtree(self.server.state / "attempts")
        shutil.move(moved, self.server.state / "attempts")
        self.server.start()
        self.assertEqual(len(self.server.wait_state(job, "RUNNING")["attempts"]), 1)
        self.assertEqual(marker.read_text().count("\n"), 1)

    def test_an_attempt_that_vanished_is_given_up_by_a_cancel(self):
        job, marker = self.run_marking()
        self.server.kill()
        shutil.move(self.server.state / "attempts", self.folder / "attempts.moved")
        self.server.start()
        self.server.wait_state(job, "UNREACHABLE")
        self.server.ym("cancel", job)
        self.assertEqual(self.server.wait_end(job)["state"], "CANCELLED")
        self.assertEqual(marker.read_text().count("\n"), 1)

    def test_an_attempt_that_vanished_with_its_processes_is_tried_again(self):
        job, marker = self.run_marking()
        self.server.kill()
        processes.end_all(str(self.server.state))
        shutil.rmtree(self.server.state / "attempts")
        self.server.start()
        harness.wait_for(lambda: len(self.server.get(job)["attempts"]) == 2, "another attempt")
        self.server.wait_state(job, "RUNNING")
        self.assertEqual(self.server.get(job)["attempts"][0]["ended_by"], "lost")
        self.assertEqual(marker.read_text(), f"{job} 1\n{job} 2\n")

    def test_a_backup_put_back_does_not_give_a_job_anothers_run(self):
        self.server.wait_end(self.server.submit({"name": "before", "run": ["true"]}))
        self.server.stop()
        backup = self.folder / "backup.db"
        shutil.copy(self.server.state / "yardmaster.db", backup)
        self.server.start()
        # Forgotten by the backup, but what it left behind is still there.
        lost = self.server.submit({"name": "lost", "run": "echo of the lost one"})
        self.server.wait_end(lost)
        self.server.stop()
        for name in ("yardmaster.db-wal", "yardmaster.db-shm", "acknowledged"):
            (self.server.state / name).unlink(missing_ok=True)
        shutil.copy(backup, self.server.state / "yardmaster.db")
        self.server.start()
        job = self.server.submit({"name": "own", "run": "echo own code ran"})
        self.assertNotEqual(job, lost, "no id is given out twice")
        ended = self.server.wait_state(job, "SUCCEEDED")
        self.assertEqual(len(ended["attempts"]), 1)
        self.assertEqual(self.job_log(job), "own code ran\n")

    def test_an_empty_state_does_not_begin_over_tasks_that_run(self):
        job, _ = self.run_marking()
        supervisors = set(processes.running("ym-supervisor")) & set(processes.belonging_to(str(self.server.state)))
        self.assertEqual(len(supervisors), 1)
        self.server.kill()
        for name in ("yardmaster.db", "yardmaster.db-wal", "yardmaster.db-shm"):
            (self.server.state / name).unlink(missing_ok=True)
        self.server.arguments = ["--init"]
        state = self.server.state
        self.refuses_to_start(
            f"tasks of the earlier state of {state} still run (pid {supervisors.pop()}), and their devices would be given out "
            "twice. Nothing was changed. Wait until they have ended, or end them (`pkill -KILL -P PID` ends the job of such a "
            f"supervisor, which goes with it), then start `ym serve --state {state} --init` again")
        self.assertTrue((self.server.state / "attempts").exists())
        for pid in self.server.processes_of(job):
            os.kill(pid, signal.SIGKILL)
        harness.wait_for(lambda: not set(processes.running("ym-supervisor")) & set(processes.belonging_to(str(self.server.state))),
                         "its supervisor to end")
        self.server.start()
        self.assertEqual(self.server.json("ps", "-A"), [])

    def test_a_cluster_that_is_renamed_under_its_jobs(self):
        job, marker = self.run_marking()
        self.server.stop()
        self.server.config.write_text(ONE_CLUSTER.replace("name: lab", "name: laboratory"))
        self.refuses_to_start(f"cluster 'lab' is not in the configuration any more, but jobs are still there: {job}. Bring the "
                              "cluster back under this name, or cancel these jobs before it is taken out", code=2)
        self.server.config.write_text(ONE_CLUSTER)
        self.server.start()
        self.server.ym("cancel", job)
        self.assertEqual(self.server.wait_end(job)["state"], "CANCELLED")
        self.assertEqual(marker.read_text().count("\n"), 1)
        self.server.stop()
        self.server.config.write_text(ONE_CLUSTER.replace("name: lab", "name: laboratory"))
        self.server.start()

    def test_a_server_without_its_lock_file_gives_way(self):
        first = self.server
        (first.state / "lock").unlink()
        second = harness.Server(self.folder, ONE_CLUSTER)
        second.log = self.folder / "second.log"
        self.addCleanup(second.close)
        second.start()
        status = None
        try:
            status = first.api("POST", "/jobs", {"name": "late", "run": ["true"]})[0]
        except OSError:
            pass  # it ended before it answered
        self.assertIn(status, (503, None))
        self.assertEqual(first.process.wait(harness.TIMEOUT), 1)
        self.assertIn(f"critical another server has taken over {first.state}: its {first.state / 'lock'} is not ours any more; "
                      "this server ends\n", first.log_text())
        job = second.submit({"name": "kept", "run": ["true"]})
        second.wait_state(job, "SUCCEEDED")


if __name__ == "__main__":
    unittest.main()
