"""Which tests a change asks for under sanitizers (tools/lib/sanitized.py)."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/lib"))

import sanitized  # noqa: E402

ROOT = pathlib.Path("/tree")


def row(target, folder, links="", sources=""):
    return (target, str(ROOT / folder), links, "", "", sources)


GRAPH = sanitized.Graph([
    row("ym_options", ""),
    row("ym_base", "src/base", "ym_options", "text.cc"),
    row("ym_model", "src/model", "ym_base;ym_options", "job.cc"),
    row("model_test", "src/model", "ym_model", "job_test.cc"),
    row("ym_engine", "src/engine", "ym_model", "cycle/cycle.cc"),
    row("engine_test", "src/engine", "ym_engine;rapidcheck", "cycle/cycle_test.cc /tree/tests/reference/naive.cc"),
    row("ym_executor", "src/executor"),
    row("ym_executor_slurm", "src/executor/slurm", "$<LINK_ONLY:ym_executor>;ym_base", "slurm.cc"),
    row("executor_slurm_test", "src/executor/slurm", "ym_executor_slurm", "slurm_test.cc"),
    row("executor_slurm_link_test", "src/executor/slurm", "ym_executor_slurm"),
    row("ym_control", "src/control", "ym_engine;ym_executor", "server.cc"),
    row("control_test", "src/control", "ym_control", "server_test.cc"),
], ROOT)


class Chosen(unittest.TestCase):
    def asked(self, *files):
        return sorted(sanitized.chosen(GRAPH, list(files))[0])

    def test_a_library_and_those_that_depend_on_it(self):
        self.assertEqual(self.asked("src/engine/cycle/cycle.cc"), ["control_test", "engine_test"])
        self.assertEqual(self.asked("src/model/job.h"), ["control_test", "engine_test", "model_test"])

    def test_a_test_alone(self):
        self.assertEqual(self.asked("src/model/job_test.cc"), ["model_test"])
        self.assertEqual(self.asked("src/control/server_test.cc"), ["control_test"])

    def test_headers_of_a_library_without_sources(self):
        self.assertEqual(self.asked("src/executor/executor.h"), ["control_test"])

    def test_what_waits_for_a_lab_only_if_it_changed_itself(self):
        self.assertEqual(self.asked("src/executor/slurm/slurm.cc"), ["executor_slurm_test"])
        self.assertNotIn("executor_slurm_test", self.asked("src/base/text.h"))

    def test_what_tests_read_and_share(self):
        self.assertEqual(self.asked("tests/reference/naive.h"), ["engine_test"])

    def test_what_no_library_is_made_of(self):
        self.assertEqual(self.asked("docs/guide/job-file.md", "tests/e2e/test_clock.py", "src/model/README.md", "README.md"), [])

    def test_what_everything_is_made_of(self):
        everything = ["control_test", "engine_test", "model_test"]
        for file in ("CMakeLists.txt", "cmake/Toolchain.cmake", "tools/debian-packages.txt", "src/CMakeLists.txt"):
            self.assertEqual(self.asked(file), everything, file)
        self.assertEqual(sorted(sanitized.chosen(GRAPH, None)[0]), everything)


if __name__ == "__main__":
    unittest.main()
