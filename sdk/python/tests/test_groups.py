"""Jobs of several groups of tasks: how they are written, and who speaks for all of them."""

import unittest

import yardmaster as ym
from yardmaster._training.environment import Environment


class Groups(unittest.TestCase):
    def test_they_are_written_as_in_the_file(self):
        groups = [{"name": "a", "nodes": 2, "run": ["x"]}, {"name": "b", "resources": {"gpus": 1}, "run": "y"}]
        self.assertEqual(ym.Job(name="rl", groups=groups).to_dict(), {"name": "rl", "groups": groups})

    def test_the_first_of_the_first_group_speaks_for_all(self):
        groups = {"YM_GROUPS": "a=10.0.0.1;ab=10.0.0.2"}
        self.assertEqual(Environment.read({**groups, "YM_GROUP": "a", "RANK": "0"}).global_rank(), 0)
        self.assertEqual(Environment.read({**groups, "YM_GROUP": "a", "RANK": "3"}).global_rank(), 3)
        self.assertEqual(Environment.read({**groups, "YM_GROUP": "ab", "RANK": "0"}).global_rank(), 1)
        self.assertEqual(Environment.read({"RANK": "0"}).global_rank(), 0)


if __name__ == "__main__":
    unittest.main()
