"""Configurations that are not taken: cut off, or about another cluster than the one where jobs live."""

import signal
import unittest

import harness


class OfTheConfiguration(harness.ServerTest):
    config = harness.FIVE_NODES

    def reload(self, text):
        (self.server.folder / "config.yaml").write_text(text)
        before = len(self.server.log_text())
        self.server.process.send_signal(signal.SIGHUP)
        harness.wait_for(lambda: "onfiguration" in self.server.log_text()[before:], "a word on the configuration")
        return self.server.log_text()[before:]

    def test_a_file_that_is_empty_or_cut_off_is_not_taken(self):
        for text in ("", "\n# nothing yet\n", harness.FIVE_NODES.rstrip()[:-3]):
            with self.subTest(text=text):
                self.assertIn("the configuration was not reloaded", self.reload(text))
                self.assertEqual(len(self.server.json("nodes")), 5)
        self.server.stop()
        self.server.folder.joinpath("config.yaml").write_text("")
        path = self.server.folder / "config.yaml"
        self.refuses_to_start(f"{path}: the file is empty; if it is not cut off and you want the defaults, write {{}} "
                              "into it, or start without --config", code=2)

    def test_an_executor_stays_while_jobs_live_on_it(self):
        job = self.server.submit({"name": "sleeper", "run": ["sleep", "600"]})
        self.server.wait_state(job, "RUNNING")
        simulated = harness.FIVE_NODES.replace("executor: local", "executor: simulated")
        self.assertIn("was not reloaded", self.reload(simulated))
        self.server.stop()
        said = (f"cluster 'lab' was run by the executor 'local' and is now by 'simulated', but jobs are still there: {job}. Put "
                "it back as it was and cancel these jobs or wait for their end, or give the new one a name of its own beside it")
        self.refuses_to_start(said, code=2)
        (self.server.folder / "config.yaml").write_text(harness.FIVE_NODES)
        self.server.start()
        self.server.wait_state(job, "RUNNING")

    def test_logs_of_a_cluster_that_has_another_name_now_are_read(self):
        job = self.server.submit({"name": "talker", "run": ["echo", "kept"]})
        self.server.wait_state(job, "SUCCEEDED")
        self.server.stop()
        for config in (harness.FIVE_NODES.replace("lab", "lab2"),
                       harness.FIVE_NODES.replace("lab", "other").replace("executor: local", "executor: simulated")):
            (self.server.folder / "config.yaml").write_text(config)
            self.server.start()
            self.assertEqual(self.job_log(job), "kept\n")
            self.server.stop()


if __name__ == "__main__":
    unittest.main()
