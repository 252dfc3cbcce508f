"""Arrays as a whole, through the command line, against the real server."""

import unittest

import harness


class Arrays(harness.ServerTest):
    config = harness.FIVE_NODES

    def submit_sweep(self, **changes):
        self.server.json("submit", "-", input=str({"name": "sw", "array": 3, "run": ["sleep", "600"]} | changes).replace("'", '"'))
        return self.server.json("get", "sw")

    def states(self, name="sw"):
        return [job["state"] for job in self.server.json("get", name)]

    def test_get_shows_the_members_by_name_and_by_group(self):
        members = self.submit_sweep()
        self.assertEqual([job["name"] for job in members], ["sw-0", "sw-1", "sw-2"])
        self.assertEqual([job["id"] for job in self.server.json("get", members[0]["group_id"])], [job["id"] for job in members])
        self.assertIn("sw-1", self.server.ym("get", "sw").stdout)

    def test_hold_release_and_cancel_act_on_all(self):
        big = {"resources": {"gpus": 4}, "nodes": 5}
        blocker = self.server.submit({"name": "blocker", "run": ["sleep", "600"]} | big)
        self.server.wait_state(blocker, "RUNNING")
        self.submit_sweep(**big)
        self.server.ym("hold", "sw")
        self.assertEqual(self.states(), ["HELD"] * 3)
        self.server.ym("release", "sw")
        self.assertEqual(self.states(), ["QUEUED"] * 3)
        cancelled = self.server.json("cancel", "sw")
        self.assertEqual([job["state"] for job in cancelled], ["CANCELLED"] * 3)
        self.assertEqual(self.server.ym("wait", "sw", check=False).returncode, 1)
        late = self.server.ym("cancel", "sw", check=False)
        self.assertEqual(late.returncode, 2)
        self.assertIn("no member of array", late.stderr)
        self.assertEqual(self.server.get(blocker)["state"], "RUNNING")

    def test_wait_is_for_all_and_found_when_the_first_have_ended(self):
        self.submit_sweep(run="test $YM_ARRAY_INDEX = 0 || sleep 2")
        self.server.wait_state("sw-0", "SUCCEEDED")
        waited = self.server.json("wait", "sw")
        self.assertEqual([job["state"] for job in waited], ["SUCCEEDED"] * 3)
        self.assertEqual(len(self.server.json("get", "sw")), 3, "also when all have ended")

    def test_logs_and_why_ask_for_a_member(self):
        self.submit_sweep()
        for verb in ("logs", "why", "events"):
            refused = self.server.ym(verb, "sw", check=False)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("name one of them: sw[0] to sw[2]", refused.stderr)

    def test_a_job_with_a_number_makes_no_array(self):
        self.server.submit({"name": "exp-0", "run": ["sleep", "600"]})
        refused = self.server.ym("get", "exp", check=False)
        self.assertEqual((refused.returncode, refused.stderr),
                         (2, "ym: there is no job or array 'exp': it is neither an id nor a name of yours; "
                             "for a job of another user, write its id\n"))

    def test_a_retried_member_keeps_its_index(self):
        self.submit_sweep(run="echo index $YM_ARRAY_INDEX; test $YM_ARRAY_INDEX != 1 || test -e ok", workdir=str(self.folder))
        self.assertEqual(self.server.ym("wait", "sw", check=False).returncode, 1)
        (self.folder / "ok").touch()
        again = self.server.json("retry", "sw-1")[0]
        self.assertEqual((again["name"], again["group_index"]), ("sw-1", 1))
        self.server.wait_state(again["id"], "SUCCEEDED")
        self.assertEqual(self.job_log(again["id"]), "index 1\n")
        self.assertEqual(self.server.ym("wait", "sw").returncode, 0, "the newest of each member counts")

    def test_the_members_that_failed_are_retried_by_one_command(self):
        self.submit_sweep(run="test $YM_ARRAY_INDEX = 1 || test -e ok", workdir=str(self.folder))
        self.assertEqual(self.server.ym("wait", "sw", check=False).returncode, 1)
        (self.folder / "ok").touch()
        again = self.server.json("retry", "sw", "--failed")
        self.assertEqual([job["name"] for job in again], ["sw-0", "sw-2"])
        self.assertEqual(self.server.ym("wait", "sw").returncode, 0)
        self.assertEqual(self.server.json("retry", "sw", "--failed"), [], "nothing is left to retry")

    def test_only_so_many_members_run_at_a_time(self):
        self.submit_sweep(array={"count": 4, "parallel": 2})
        for member in ("sw[0]", "sw[1]"):
            self.server.wait_state(member, "RUNNING")
        self.assertEqual([job["reason"] for job in self.server.json("get", "sw[2-3]")], ["LimitReached"] * 2)
        self.assertIn("at most 2 of its jobs may run at once", self.server.ym("why", "sw[3]").stdout)
        self.server.ym("cancel", "sw[0,2]")
        self.server.wait_state("sw[3]", "RUNNING")
        self.assertEqual(self.states("sw[1,3]"), ["RUNNING"] * 2)
        self.assertEqual(len(self.server.json("ps", "--name", "sw")), 2)


if __name__ == "__main__":
    unittest.main()
