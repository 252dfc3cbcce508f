"""Numbers of the demo, exactly, on a made-up morning."""

import unittest

import made_up
import reckoning


class Logs(unittest.TestCase):
    def test_steps_saves_and_where_it_went_on(self):
        said = reckoning.told("10:00:01.500 epoch 3/9 loss 0.5000\nnoise\n10:00:02.000 saved step 3 (loss 0.5000)\n"
                              "10:00:00.000 resumed from step 2 (loss 0.7500)\n", reckoning.instant("2026-03-02T09:59:59.000Z"))
        self.assertEqual([(step.number, step.loss) for step in said.steps], [(3, 0.5)])
        self.assertEqual([step.number for step in said.saved], [3])
        self.assertEqual((said.resumed.number, said.resumed.loss), (2, 0.75))
        self.assertEqual(said.steps[0].at, reckoning.instant("2026-03-02T10:00:01.500Z"))

    def test_midnight_passes(self):
        said = reckoning.told("00:00:01.000 step 1 loss 1.0\n", reckoning.instant("2026-03-02T23:59:59.000Z"))
        self.assertEqual(said.steps[0].at, reckoning.instant("2026-03-03T00:00:01.000Z"))


class Stops(unittest.TestCase):
    def setUp(self):
        self.record = made_up.morning()
        self.stop = reckoning.stops(self.record)[0]

    def test_what_was_at_risk_and_what_was_lost(self):
        self.assertEqual([stop.job["name"] for stop in reckoning.stops(self.record)], ["experiment-0", "experiment-1"])
        self.assertAlmostEqual(self.stop.at_risk, 5.0)  # saved at 15, told at 20
        self.assertAlmostEqual(self.stop.lost, 2.25 + 2.0)  # from the notice to its exit; from its start to its first step
        self.assertEqual((self.stop.estimated, self.stop.counted), (64.0, 60.25))  # as Yardmaster says it, before and after its grace
        self.assertEqual((self.stop.save.number, self.stop.after.resumed.number, self.stop.repeated), (18, 18, []))

    def test_a_save_before_the_notice_is_not_one_of_the_grace(self):
        self.record["logs"]["id-experiment-0"]["1"] = made_up.log(-2, 1, 18)
        self.assertIsNone(reckoning.stops(self.record)[0].save)

    def test_steps_done_twice_are_lost(self):
        self.record["logs"]["id-experiment-0"]["2"] = made_up.log(41, 17, 26, resumed=True, saved=False)
        stop = reckoning.stops(self.record)[0]
        self.assertEqual(stop.repeated, [17, 18])
        self.assertAlmostEqual(stop.lost, 2.25 + 2.0 + 2.0)


class Choice(unittest.TestCase):
    def test_nodes_by_what_their_jobs_would_lose(self):
        record = made_up.morning()
        rows = reckoning.costs(record, reckoning.stops(record))
        self.assertEqual([(row.node, row.lawful, row.chosen) for row in rows],
                         [("n1", True, True), ("n2", True, False), ("n3", False, False)])
        self.assertAlmostEqual(rows[0].lost, 5.0 + 3.0)
        self.assertAlmostEqual(rows[1].lost, 16.0 + 16.0)
        self.assertAlmostEqual(rows[2].lost, 18.0)  # it never saved

    def test_what_was_reported_later_was_not_known(self):
        record = made_up.morning()
        record["events"]["id-search-0"][1]["time"] = made_up.at(21)
        rows = reckoning.costs(record, reckoning.stops(record))
        self.assertAlmostEqual(rows[1].lost, 18.0 + 16.0)


class Devices(unittest.TestCase):
    def test_one_after_the_other(self):
        self.assertEqual(reckoning.given_twice(made_up.morning()), [])

    def test_two_at_a_time(self):
        record = made_up.morning()
        record["events"]["id-retraining"][0]["seq"] = 60  # before the stopped ones had left
        self.assertEqual(sorted(reckoning.given_twice(record)), [("n1", "0"), ("n1", "1")])


if __name__ == "__main__":
    unittest.main()
