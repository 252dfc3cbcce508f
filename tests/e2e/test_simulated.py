"""A large cluster that is not there: queues, topology and usage on the real server, over a simulated executor."""

import datetime
import json
import unittest

import harness

CONFIG = """
clusters:
  - name: lab
    executor: simulated
    topology: [rack]
    nodes:
      - {names: "a[1-2]", gpus: "h100:8", cpus: 64, labels: {rack: r1}}
      - {names: "b[1-4]", gpus: "h100:8", cpus: 64, labels: {rack: r2}}
flavors:
  - {name: h100, match: {gpu: h100}}
"""

QUEUES = """
queues:
  - name: team
    quota: {h100: {gpus: 48}}
    policy: {stop: %s}
"""


class Simulated(harness.ServerTest):
    config = CONFIG

    def test_jobs_live_as_long_as_they_say(self):
        short = self.server.submit({"name": "short", "run": ["sleep", "0.2"], "resources": {"gpus": 8}})
        fails = self.server.submit({"name": "fails", "run": ["train.py"], "env": {"SIMULATED_EXIT_CODE": "3"}})
        self.assertEqual(self.server.wait_state(short, "SUCCEEDED")["attempts"][0]["exit_code"], 0)
        self.assertEqual(self.server.wait_state(fails, "FAILED")["attempts"][0]["exit_code"], 3)
        long = self.server.submit({"name": "long", "run": ["sleep", "3600"], "resources": {"gpus": 8}})
        self.server.wait_state(long, "RUNNING")
        self.server.ym("cancel", long)
        self.server.wait_state(long, "CANCELLED")

    def test_gangs_stay_in_a_rack(self):
        gang = {"name": "gang", "run": ["sleep", "3600"], "resources": {"gpus": 8}, "nodes": 2,
                "placement": {"topology": {"required": "rack"}}}
        job = self.server.wait_state(self.server.submit(gang), "RUNNING")
        self.assertEqual([task["node"] for task in job["attempts"][0]["placement"]], ["a1", "a2"])
        self.assertEqual(job["spec"]["placement"]["topology"], {"required": "rack"})
        large = self.server.submit({**gang, "name": "large", "nodes": 5})
        harness.wait_for(lambda: self.server.get(large)["reason"] == "ExceedsCapacity", "the reason")
        self.assertEqual(self.server.json("why", large)["dominant"]["message"],
                         "the job needs 5 nodes with 8 GPUs each of one rack; 4 are large enough of flavor h100, even when "
                         "empty")

    def test_a_change_is_tried_before_it_is_made(self):
        self.server.ym("queue", "apply", "-f", "-", input="queues: [{name: small, quota: {h100: {gpus: 8}}}]")
        spec = {"queue": "small", "run": ["sleep", "3600"], "resources": {"gpus": 8}, "time_limit": "1h"}
        first = self.server.submit({**spec, "name": "first"})
        self.server.wait_state(first, "RUNNING")
        second = self.server.submit({**spec, "name": "second"})
        third = self.server.submit({**spec, "name": "third"})
        harness.wait_for(lambda: self.server.get(third)["reason"] == "WaitingForQuota", "the reason")
        larger = "queues: [{name: small, quota: {h100: {gpus: 16}}}]"
        diff = json.loads(self.server.ym("policy", "diff", "-f", "-", "-o", "json", input=larger).stdout)
        self.assertEqual([job["id"] for job in diff["starts"]], [second])
        self.assertEqual([job["id"] for job in diff["sooner"]], [third])
        self.assertEqual(diff["stops"], [])
        shown = self.server.ym("policy", "diff", "-f", "-", input=larger).stdout
        self.assertIn(f"starts  second ({second})", shown)
        drained = "queues: [{name: small, quota: {h100: {gpus: 8}}, policy: {stop: hold-and-drain}}]"
        diff = json.loads(self.server.ym("policy", "diff", "-f", "-", "-o", "json", input=drained).stdout)
        self.assertEqual([(stop["id"], stop["drained_queue"]) for stop in diff["stops"]], [(first, "small")])
        self.assertEqual(self.server.get(first)["state"], "RUNNING")
        wrong = self.server.ym("policy", "diff", "-f", "-", check=False, input="queues: [{name: a, quota: {t4: {gpus: 1}}}]")
        self.assertNotEqual(wrong.returncode, 0)
        self.assertIn("/queues/0/quota/t4: there is no flavor 't4'; there are: h100 (line 1)", wrong.stderr)

    def test_a_policy_that_is_set_while_it_runs_stays(self):
        text = "scheduling: {placement: spread}\nqueues:\n  - {name: late, quota: {h100: {gpus: 8}}}\n"
        self.server.ym("policy", "apply", "-f", "-", input=text)
        self.assertIn("late", [queue["name"] for queue in self.server.json("queue", "list")])
        self.server.kill()
        self.server.start()
        policy = self.server.json("policy", "show")
        self.assertEqual(policy["scheduling"]["placement"], "spread")
        self.assertEqual(policy["said_by"]["scheduling.placement"], "api")
        self.assertEqual(policy["said_by"]["scheduling.age_cap"], "default")
        spread = {"queue": "late", "run": ["sleep", "3600"], "resources": {"gpus": 1}}
        nodes = set()
        for name in ("one", "two"):
            job = self.server.wait_state(self.server.submit({**spread, "name": name}), "RUNNING")
            nodes.add(job["attempts"][0]["placement"][0]["node"])
        self.assertEqual(len(nodes), 2, "they would be packed by default")
        self.assertIn("scheduling.placement                fgd", self.server.ym("policy", "reset").stdout)
        wrong = self.server.ym("policy", "apply", "-f", "-", check=False, input="scheduling:\n  placement: best\n")
        self.assertNotEqual(wrong.returncode, 0)
        self.assertIn("(line 2)", wrong.stderr)

    def test_why_of_a_job_that_runs(self):
        self.server.ym("queue", "apply", "-f", "-", input="queues: [{name: own, quota: {h100: {gpus: 8}}}]")
        job = self.server.submit({"name": "train", "queue": "own", "run": ["sleep", "3600"], "resources": {"gpus": 8},
                                  "time_limit": "1h"})
        self.server.wait_state(job, "RUNNING")
        because = harness.wait_for(lambda: self.server.json("why", job)["because"], "why it runs")
        self.assertIn("flavor h100 of cluster lab", because[0])
        self.assertIn("its quota is 8 GPUs", because[1])
        self.assertIn("because     admitted after waiting", self.server.ym("why", job).stdout)
        self.assertIn("own  stop: hold-and-drain", self.server.ym("queue", "drain", "own").stdout)
        harness.wait_for(lambda: self.server.get(job)["reason"] == "Held", "it to be drained")
        self.server.ym("queue", "resume", "own")
        self.server.wait_state(job, "RUNNING")

    def test_nodes_are_set_aside(self):
        shown = self.server.ym("reservation", "create", "disks", "--duration", "2h", "--count", "6", "--flavor", "h100",
                               "--message", "new disks").stdout
        self.assertIn("none (maintenance)", shown)
        job = self.server.submit({"name": "train", "run": ["sleep", "3600"], "resources": {"gpus": 8},
                                  "time_limit": "30m"})
        harness.wait_for(lambda: self.server.get(job)["reason"] == "Reserved", "the reason")
        self.assertIn("reservation disks sets nodes aside", self.server.ym("why", job).stdout)
        again = self.server.ym("reservation", "create", "disks", "--duration", "1h", "--nodes", "a1", check=False)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("there is a reservation 'disks' already", again.stderr)
        self.server.stop()
        self.server.start()
        self.assertIn("a1,a2,b1,b2 +2", self.server.ym("reservation", "list").stdout)
        self.assertEqual(self.server.ym("reservation", "delete", "disks").stdout, "disks  removed\n")
        self.server.wait_state(job, "RUNNING")
        busy = self.server.ym("reservation", "create", "paper", "--duration", "1h", "--nodes", "a[1-2]", "--nodes",
                              "b[1-4]", "--users", "eve", check=False)
        self.assertIn(f"jobs may still run on its nodes when it begins: {job}", busy.stderr)
        self.server.ym("reservation", "create", "paper", "--duration", "1h", "--nodes", "a[1-2],b[1-4]", "--users",
                       "eve", "--ignore-jobs")
        self.assertEqual(self.server.get(job)["state"], "RUNNING")

    def test_a_budget_is_kept_and_a_promise_is_broken(self):
        self.server.ym("queue", "apply", "-f", "-", input="""
queues: [{name: poor, policy: {budgets: [{gpu_hours: 10, per: month}], wait_promises: [{within: 1s}]}}]""")
        spec = {"name": "train", "queue": "poor", "run": ["sleep", "3600"], "resources": {"gpus": 8}, "time_limit": "1h"}
        first = self.server.submit(spec)
        self.server.wait_state(first, "RUNNING")
        second = self.server.submit(spec)
        harness.wait_for(lambda: self.server.get(second)["reason"] == "BudgetExhausted", "the reason")
        harness.wait_for(lambda: "8 GPU-hours are spent or promised" in self.server.ym("why", second).stdout, "why")
        harness.wait_for(lambda: "this is broken" in self.server.ym("why", second).stdout, "the promise to be broken")
        self.assertIn('yardmaster_overdue_waits{queue="poor"} 1', self.server.request("GET", "/metrics")[2].decode())
        budget = harness.wait_for(lambda: self.queue("poor")["policy"]["budgets"][0]["used"] and
                                  self.queue("poor")["policy"]["budgets"][0], "what is used")
        self.assertEqual(budget, {"gpu_hours": 10, "per": "month", "used": 8})
        self.server.ym("cancel", first)
        self.server.wait_state(second, "RUNNING")

    def queue(self, name):
        return next(one for one in self.server.json("queue") if one["name"] == name)

    def test_a_deadline_is_judged(self):
        def by(hours):
            return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)).isoformat()

        spec = {"name": "train", "run": ["sleep", "3600"], "resources": {"gpus": 8}, "nodes": 6, "time_limit": "2h"}
        first = self.server.submit({**spec, "deadline": by(3)})
        self.server.wait_state(first, "RUNNING")
        self.assertIn("feasible; it starts by", self.server.ym("why", first).stdout)
        said = self.server.ym("submit", "-", input=json.dumps({**spec, "deadline": by(9)})).stderr
        self.assertRegex(said, "deadline .* UTC: feasible; it starts by .* and takes at most 2h")
        said = self.server.ym("submit", "-", input=json.dumps({**spec, "deadline": by(3)})).stderr
        self.assertIn(f"feasible if other jobs yield: {first}; it takes 2h", said)
        said = self.server.ym("submit", "-", input=json.dumps({**spec, "deadline": by(1)})).stderr
        self.assertIn("infeasible; it takes 2h", said)
        del spec["time_limit"]
        said = self.server.ym("submit", "-", input=json.dumps({**spec, "deadline": by(9)})).stderr
        self.assertIn("not known; set a time_limit to say", said)

    def test_a_smaller_quota_stops_jobs(self):
        queue = "queues: [{name: own, quota: {h100: {gpus: %d}}, policy: {shrink_after: 1s}}]"
        self.server.ym("queue", "apply", "-f", "-", input=queue % 16)
        spec = {"name": "train", "queue": "own", "run": ["sleep", "3600"], "resources": {"gpus": 8}}
        jobs = [self.server.submit({**spec, "priority": priority}) for priority in (60, 40)]
        for job in jobs:
            self.server.wait_state(job, "RUNNING")
        diff = self.server.ym("policy", "diff", "-f", "-", input=queue % 8).stdout
        self.assertIn("no quota left, as queue own has less", diff)
        self.server.ym("queue", "apply", "-f", "-", input=queue % 8)
        stopped = self.server.wait_state(jobs[1], "QUEUED")
        self.assertEqual(stopped["attempts"][0]["ended_by"], "preempted")
        self.assertEqual(self.server.get(jobs[0])["state"], "RUNNING")

    def test_a_queue_is_held_and_drained(self):
        def set_stop(policy):
            self.server.ym("queue", "apply", "-f", "-", input=QUEUES % policy)

        set_stop("none")
        spec = {"name": "train", "queue": "team", "run": ["sleep", "3600"], "resources": {"gpus": 8}}
        first = self.server.submit(spec)
        self.server.wait_state(first, "RUNNING")
        set_stop("hold")
        second = self.server.submit(spec)
        harness.wait_for(lambda: self.server.get(second)["reason"] == "Held", "the reason")
        self.assertEqual(self.server.json("why", second)["dominant"]["message"],
                         "queue team is held: none of its jobs begins until that is over")
        self.assertEqual(self.server.get(first)["state"], "RUNNING")
        set_stop("hold-and-drain")
        drained = self.server.wait_state(first, "QUEUED")
        self.assertEqual(drained["attempts"][0]["ended_by"], "preempted")
        harness.wait_for(lambda: self.server.get(first)["reason"] == "Held", "the reason")
        set_stop("none")
        for job in (first, second):
            self.server.wait_state(job, "RUNNING")
        self.assertIn("team", self.server.ym("queue").stdout)



class Moving(harness.ServerTest):
    config = """
clusters:
  - name: lab
    executor: simulated
    nodes: [{names: "n[1-2]", gpus: "h100:4", cpus: 64}]
scheduling: {placement: spread, consolidation: on}
preemption: {restart_cost: 0s}
"""

    def test_a_job_is_moved_to_open_a_place(self):
        small = {"run": ["sleep", "3600"], "resources": {"gpus": 2}, "time_limit": "9h",
                 "preemption": {"grace": "1s"}}
        jobs = [self.server.submit({**small, "name": f"small-{i}"}) for i in range(2)]
        for job in jobs:
            self.server.wait_state(job, "RUNNING")
        places = {self.server.get(job)["attempts"][0]["placement"][0]["node"] for job in jobs}
        self.assertEqual(places, {"n1", "n2"})
        whole = self.server.submit({"name": "whole", "run": ["sleep", "3600"], "resources": {"gpus": 4}})
        self.server.wait_state(whole, "RUNNING")
        for job in jobs:
            self.server.wait_state(job, "RUNNING")
        moved = [self.server.get(job) for job in jobs if len(self.server.get(job)["attempts"]) > 1]
        self.assertEqual(len(moved), 1)
        self.assertEqual(moved[0]["attempts"][0]["ended_by"], "preempted")
        self.assertIn("moved to open a place for job", self.server.ym("events", moved[0]["id"]).stdout)
        self.assertIn('cause="consolidation"', self.server.request("GET", "/metrics")[2].decode())


if __name__ == "__main__":
    unittest.main()
