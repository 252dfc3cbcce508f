"""A wrong file is named as what it is, and each mistake once; queues without quota beside others are named."""

import json
import signal
import unittest

import harness

try:
    import yaml
except ImportError:
    yaml = None

GAPS = harness.FIVE_NODES + """
queues:
  - {name: has, quota: {t4: {gpus: 1}}}
  - {name: passes-by}
  - name: org
    children:
      - {name: lends, quota: {t4: {gpus: 1}}}
      - {name: borrows}
"""


class Named(harness.ServerTest):
    config = harness.FIVE_NODES

    def start_in_vain(self, content):
        """The lines that a server says whose configuration is this."""
        path = self.folder / "wrong.yaml"
        path.write_bytes(content)
        run = self.server.ym("serve", "--state", str(self.folder / "other"), "--config", str(path), check=False)
        self.assertEqual(run.returncode, 2, run.stderr)
        return run.stderr.splitlines()

    def test_a_configuration_of_another_type_is_named_with_its_line(self):
        for content, words in ((b"queues:\n\t- name: a\n", ("line 2", "tab")), (b"\x89PNG\r\n\x1a\n\0", ("PNG image",)),
                               (b"import torch\nimport os\n", ("Python program",)), (b"", ("is empty",)),
                               (b"queues: []\nqueues: []\n", ("given twice", "line 2"))):
            with self.subTest(content=content):
                lines = self.start_in_vain(content)
                self.assertEqual(len(lines), 1, lines)
                for word in ("wrong.yaml", *words):
                    self.assertIn(word, lines[0])

    def test_each_mistake_is_said_once(self):
        lines = self.start_in_vain(b"clusters: [{name: a, executor: locl}]\nqueus: []\n")
        self.assertEqual([sum(word in line for line in lines) for word in ("'locl'", "'queus'", "wrong.yaml")], [1, 1, 2])
        self.assertIn("did you mean local?", "".join(lines))

    def test_a_folder_is_no_configuration(self):
        run = self.server.ym("serve", "--state", str(self.folder / "other"), "--config", str(self.folder), check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("folder", run.stderr)

    def expect_gaps(self, log):
        gaps = [line for line in log.splitlines() if "no quota" in line]
        self.assertEqual(len(gaps), 2, log)
        self.assertIn("'borrows'", gaps[0])
        self.assertIn("'passes-by'", gaps[1])
        for fine in ("'has'", "'lends'", "'org'"):
            self.assertNotIn(fine, "".join(gaps))

    def test_queues_without_quota_are_named_at_a_reload_and_at_the_start(self):
        self.assertNotIn("no quota", self.server.log_text())
        (self.server.folder / "config.yaml").write_text(GAPS)
        self.server.process.send_signal(signal.SIGHUP)
        harness.wait_for(lambda: "was reloaded" in self.server.log_text(), "the reload")
        self.expect_gaps(self.server.log_text())
        self.server.stop()
        before = len(self.server.log_text())
        self.server.start()
        self.expect_gaps(self.server.log_text()[before:])

    @unittest.skipIf(yaml is None, "no PyYAML")
    def test_yaml_means_to_pyyaml_what_the_json_means(self):
        env = {"A": "010", "B": "yes", "C": "1e3", "D": "12:30:45", "E": "2026-11-21", "on": "null", "F": "0x1F"}
        job = self.server.submit({"name": "on", "run": ["sleep", "600"], "env": env,
                                  "resources": {"cpus": 0.5}})
        self.server.wait_state(job, "RUNNING")
        for words in (("get", job), ("nodes",), ("queue",)):
            as_yaml = self.server.ym(*words, "-o", "yaml").stdout
            self.assertEqual(yaml.safe_load(as_yaml), json.loads(self.server.ym(*words, "-o", "json").stdout))
        self.assertEqual(yaml.safe_load(self.server.ym("get", job, "-o", "yaml").stdout)["spec"]["env"], env)


if __name__ == "__main__":
    unittest.main()
