"""Every promise of the demo can be broken, and is then said to be."""

import unittest

import made_up
import verdict


def broken(record, torch_processes=10, seconds=100):
    promises = verdict.Promises()
    verdict.judge(record, torch_processes, seconds, promises)
    return [what for what, kept in promises.kept if not kept]


class Judged(unittest.TestCase):
    def setUp(self):
        self.record = made_up.morning()

    def breaks(self, *words, **options):
        found = broken(self.record, **options)
        self.assertEqual(len(found), len(words), found)
        for word, what in zip(words, found):
            self.assertIn(word, what)

    def test_nothing_is_broken_in_a_good_morning(self):
        self.assertEqual(broken(self.record), [])

    def test_limits(self):
        self.breaks("at most 12 torch", torch_processes=13)
        self.breaks("under 4 minutes", seconds=241)

    def test_a_job_that_lost_more_was_stopped(self):
        for job in ("id-search-0", "id-search-1"):
            self.record["events"][job].insert(1, dict(self.record["events"][job][1], data={
                "checkpoint": {"step": 17, "durable_at": made_up.at(19.5), "uri": "/x"}}, time=made_up.at(19.5)))
        self.breaks("the ones that lost least")

    def test_a_job_within_the_own_quota_was_stopped(self):
        self.record["nominal"]["team-b"] = 4
        self.breaks("of a queue that had borrowed", "the ones that lost least")

    def test_it_resumed_from_another_step(self):
        self.record["logs"]["id-experiment-0"]["2"] = made_up.log(41, 6, 26, resumed=True, saved=False)
        self.breaks("resumed from exactly", "no step ran twice", "the loss goes on")

    def test_a_step_ran_twice(self):
        self.record["logs"]["id-experiment-1"]["2"] += f"{made_up.clock(49.5)} step 26/40 loss 0.07\n"
        self.breaks("no step ran twice")

    def test_the_loss_begins_again(self):
        text = self.record["logs"]["id-experiment-1"]["2"]
        self.record["logs"]["id-experiment-1"]["2"] = text.replace(f"step 19/40 loss {made_up.loss(19):.4f}", "step 19/40 loss 2.3000")
        self.breaks("the loss goes on")

    def test_no_server_was_away_when_they_saved(self):
        self.record["deaths"] = [[made_up.epoch(30), made_up.epoch(33)]]
        self.breaks("no server lived")

    def test_one_that_came_later_went_first(self):
        self.record["events"]["id-late-0"][0]["seq"] = 100
        self.record["events"]["id-late-0"][1]["seq"] = 101
        self.breaks("kept their place")

    def test_states(self):
        self.record = made_up.changed(self.record, "search-0", state="FAILED")
        self.breaks("every job but too-big SUCCEEDED")
        self.record = made_up.changed(made_up.morning(), "too-big", reason="WaitingForQuota")
        self.breaks("ExceedsMaxQuota")

    def test_the_retraining_came_late(self):
        self.record = made_up.changed(self.record, "retraining", submitted_at=made_up.at(-20))
        self.breaks("within 35 s")

    def test_no_preemption_at_all_is_noticed(self):
        for job in ("id-experiment-0", "id-experiment-1"):
            self.record["events"][job] = [event for event in self.record["events"][job] if event["type"] != "attempt.stopping"]
        self.assertGreaterEqual(len(broken(self.record)), 6)

    def test_the_numbers(self):
        numbers = dict(verdict.numbers(self.record))
        self.assertEqual(numbers["of them preempted"], "2")
        self.assertEqual(numbers["steps done twice"], "0")
        self.assertTrue(numbers["at risk in the jobs that were stopped"].startswith("8 "), numbers)
        self.assertTrue(numbers["at risk in the borrowers that were spared"].startswith("32 "), numbers)
        self.assertTrue(numbers["lost to saving, leaving and loading"].startswith("8 GPU-seconds, 3.3 %"), numbers)
        self.assertEqual(numbers["without a server"], "5.0 s")


if __name__ == "__main__":
    unittest.main()
