"""`ym simulate` as a user types it: no server, files in, figures out."""

import csv
import json
import pathlib
import subprocess
import tempfile
import unittest

import harness

CLUSTER = """
clusters:
  - name: lab
    executor: simulated
    nodes: [{names: "n[1-4]", gpus: "t4:4", cpus: 16}]
flavors:
  - {name: t4, match: {gpu: t4}}
queues:
  - {name: research, quota: {t4: {gpus: 16}}}
"""
SHORTEST = "queues:\n  - {name: research, quota: {t4: {gpus: 16}}, policy: {order: shortest-first}}\n"


class Simulate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ym-e2e-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("cluster.yaml", CLUSTER)
        rows = [f"{i},research,{i},{600 - 10 * i},16,{700 - 10 * i}" for i in range(40)] + ["40,elsewhere,5,60,1,"]
        self.write("trace.csv", "\n".join(["id,queue,submit,run_time,gpus,time_limit", *rows, ""]))

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def simulate(self, *words, code=0):
        run = subprocess.run([str(harness.BIN / "ym"), "simulate", "--cluster", "cluster.yaml", *words], cwd=self.folder, text=True,
                             capture_output=True, env=harness.clean_environment(HOME=str(self.folder)), timeout=harness.TIMEOUT)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def figures(self, *words):
        return json.loads(self.simulate("--workload", "trace.csv", *words, "-o", "json").stdout)

    def test_the_same_files_give_the_same_bytes(self):
        first = self.simulate("--workload", "trace.csv", "-o", "json").stdout
        self.assertEqual(self.simulate("--workload", "trace.csv", "-o", "json").stdout, first)
        figures = json.loads(first)["policies"][0]
        self.assertEqual((figures["submitted"], figures["all"]["jobs"], figures["never_started"]), (41, 41, 0))
        self.assertEqual(figures["moved_to_default"], 1)
        # One after the other, the small one beside none of them: all GPUs are taken.
        self.assertEqual(figures["makespan_seconds"], sum(600 - 10 * i for i in range(40)) + 60)

    def test_policies_are_compared_and_the_best_is_marked(self):
        self.write("shortest.yaml", SHORTEST)
        self.write("fifo.yaml", SHORTEST.replace("shortest-first", "fifo"))
        policies = self.figures("--policy", "fifo.yaml", "--policy", "shortest.yaml")["policies"]
        self.assertEqual([policy["policy"] for policy in policies], ["fifo.yaml", "shortest.yaml"])
        fifo, shortest = (policy["all"]["wait_seconds"]["mean"] for policy in policies)
        self.assertLess(shortest, fifo)
        table = self.simulate("--workload", "trace.csv", "--policy", "fifo.yaml", "--policy", "shortest.yaml").stdout
        row = next(line for line in table.splitlines() if line.startswith("wait, mean"))
        self.assertTrue(row.rstrip().endswith("*"), row)

    def test_what_was_foreseen_is_held_against_what_came(self):
        rows = [f"{i},research,{i},{600 - 10 * i},16,{700 - 10 * i}" for i in range(40)]
        self.write("limited.csv", "\n".join(["id,queue,submit,run_time,gpus,time_limit", *rows, ""]))
        words = ["--workload", "limited.csv", "--forecasts", "1s"]
        told = json.loads(self.simulate(*words, "-o", "json").stdout)["policies"][0]["start_forecasts"]
        self.assertEqual(told["ahead"], 39, "all but the first wait when they come")
        self.assertEqual(told["said"]["jobs"] + told["not_started"], told["ahead"] - told["ahead"] // 2)
        self.assertGreater(told["said"]["inside"], 0.9, "nobody takes longer than its limit, and none a tenth of it")
        self.assertLess(told["error"], 0.4)
        self.assertNotIn("start_forecasts", self.figures()["policies"][0])
        text = self.simulate(*words).stdout
        self.assertIn("as predicted", text)
        self.assertIn("nothing learnt", text)
        self.assertIn("--forecasts needs the workload", self.simulate(*words, "--seeds", "2", code=2).stderr)

    def tune(self, *words, code=0):
        run = subprocess.run([str(harness.BIN / "ym"), "policy", "tune", "--cluster", "cluster.yaml", "--workload", "trace.csv",
                              "--objective", "wait-mean", *words], cwd=self.folder, text=True, capture_output=True,
                             env=harness.clean_environment(HOME=str(self.folder)), timeout=harness.TIMEOUT)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def test_settings_that_would_have_been_better_are_found(self):
        tries = ["--try", "queues.research.order=fifo,shortest-first", "--try", "scheduling.age_cap=1h,24h"]
        report = json.loads(self.tune(*tries, "-o", "json").stdout)
        best = report["tried"][report["best"]]
        self.assertEqual(best["settings"]["queues.research.order"], "shortest-first")
        self.assertEqual(best["value"], min(one["value"] for one in report["tried"]))
        self.assertLess(best["value"], report["tried"][0]["value"])
        self.assertTrue(report["complete"])
        text = self.tune(*tries).stdout
        self.assertIn("shortest-first", next(line for line in text.splitlines() if line.endswith(" *")))
        self.assertRegex(text, r"wait-mean: [0-9.]+[a-z]\S* instead of [0-9.]+[a-z]\S* \(-[0-9.]+ %\)")
        self.assertIn("no runs were left", self.tune(*tries, "--runs", "2").stderr)

    def test_a_setting_that_cannot_be_tried_is_refused_at_once(self):
        for tried, said in (("scheduling.placement=fog", "'fog' is not known here; write fgd"), ("queues.b.order=fifo", "there is no queue 'b'"),
                            ("queues.research.colour=red", "of a queue you can try: order, "), ("order", "write SECTION.KEY=VALUE"),
                            ("weather.rain=1", "is not one of scheduling, preemption and queues"), ("scheduling.age_cap=,1h", "a value is empty")):
            self.assertIn(said, self.tune("--try", tried, code=2).stderr)

    def ask(self, verb, *words, code=0):
        run = subprocess.run([str(harness.BIN / "ym"), verb, *words], cwd=self.folder, text=True, capture_output=True,
                             env=harness.clean_environment(HOME=str(self.folder)), timeout=harness.TIMEOUT)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def write_weeks(self, days):
        """Ten jobs each working hour; one more each day of every week that has passed."""
        rows = [f"{86400 * day + 3600 * hour + 300 * i},research,{600 + 60 * i},{1 + i % 4}"
                for day in range(days) for hour in range(9, 17) for i in range(10 + day // 7)]
        self.write("weeks.csv", "\n".join(["submit,queue,run_time,gpus", *rows, ""]))

    def test_what_will_be_asked_for_is_said_with_its_errors(self):
        self.write_weeks(42)
        report = json.loads(self.ask("forecast", "--workload", "weeks.csv", "-o", "json").stdout)
        self.assertAlmostEqual(report["next_day"]["jobs"]["typical"], 120, delta=40)
        self.assertAlmostEqual(sum(size["share"] for size in report["sizes"]), 1, places=2)
        self.assertLess(report["errors"]["jobs"]["said"], 0.5)
        self.assertIn("jobs, next day", self.ask("forecast", "--workload", "weeks.csv").stdout)
        self.assertIn("too short", self.ask("forecast", "--workload", "trace.csv").stderr)

    def test_how_many_nodes_are_enough(self):
        self.write_weeks(21)
        words = ["--cluster", "cluster.yaml", "--workload", "weeks.csv"]
        report = json.loads(self.ask("capacity", *words, "--wait-p90", "5m", "--budget", "7200", "--price", "2.5", "-o", "json").stdout)
        enough = report["enough"]
        self.assertLessEqual(enough["wait_p90_seconds"], 300)
        self.assertTrue(report["exact"])
        fewer = [run for run in report["tried"] if run["nodes"] == enough["nodes"] - 1]
        self.assertTrue(enough["nodes"] == 1 or fewer[0]["wait_p90_seconds"] > 300, report["tried"])
        self.assertEqual((report["present"]["nodes"], report["budget_buys"]["nodes"]), (4, 1))  # 2.5 for 4 GPUs and 720 hours
        self.assertIn("enough", self.ask("capacity", *words, "--wait-p90", "5m").stdout)
        for more, said in ((["--flavor", "h100"], "name one of t4"), (["--wait-p90", "soon"], "--wait-p90: "),
                           (["--utilisation", "7"], "--utilisation: ")):
            self.assertIn(said, self.ask("capacity", *words, *more, code=2).stderr)

    def test_several_seeds_say_how_sure_it_is(self):
        self.write("shortest.yaml", SHORTEST)
        self.write("fifo.yaml", SHORTEST.replace("shortest-first", "fifo"))
        days = [f"{day}-{i},research,{86400 * day + i},{600 - 10 * i + day},16,{700 - 10 * i}" for day in range(5) for i in range(40)]
        self.write("week.csv", "\n".join(["id,queue,submit,run_time,gpus,time_limit", *days, ""]))
        words = ["--workload", "week.csv", "--policy", "fifo.yaml", "--policy", "shortest.yaml", "--seeds", "4"]
        report = json.loads(self.simulate(*words, "-o", "json").stdout)
        self.assertEqual(report["seeds"], 4)
        fifo, shortest = report["policies"]
        self.assertGreater(fifo["ci95"]["all"]["wait_seconds"]["mean"], 0)
        told = shortest["difference_to_first"]
        self.assertAlmostEqual(told["all"]["wait_seconds"]["mean"],
                               shortest["all"]["wait_seconds"]["mean"] - fifo["all"]["wait_seconds"]["mean"], places=1)
        table = self.simulate(*words).stdout
        row = next(line for line in table.splitlines() if line.startswith("wait, mean") and ("better" in line or "worse" in line))
        self.assertIn("better", row)

    def test_a_row_for_each_job(self):
        self.figures("--jobs", "jobs.csv")
        rows = list(csv.DictReader((self.folder / "jobs.csv").read_text(encoding="utf-8").splitlines()))
        self.assertEqual(len(rows), 41)
        self.assertEqual(sorted(int(row["trace_id"]) for row in rows), list(range(41)))
        self.assertEqual({row["queue"] for row in rows}, {"research", "default"})
        for row in rows:
            self.assertAlmostEqual(float(row["completion_seconds"]), float(row["wait_seconds"]) + float(row["run_seconds"]), places=2)

    def test_the_page_is_one_file_that_loads_nothing(self):
        figures = self.figures("--html", "page.html")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertNotRegex(page, r"(src|href)\s*=")
        told = json.loads(page.split('id="report">', 1)[1].split("</script>", 1)[0])
        policy = told["policies"][0]
        self.assertEqual(policy["all"], figures["policies"][0]["all"])
        timeline = policy["timeline"]
        held = sum(timeline["means"]["gpus"][:-1]) / 1000 * timeline["width_seconds"] / 3600
        self.assertAlmostEqual(held, policy["all"]["used_gpu_hours"], delta=0.3, msg="the same GPU time, summed up otherwise")
        self.assertNotIn("timeline", figures["policies"][0], "for the page alone")

    def test_what_is_wrong_is_said(self):
        def refused(*words):
            return self.simulate(*words, code=2).stderr
        self.write("bad.csv", "submit,run_time,gpus\n0,-1,2\n")
        self.assertIn("bad.csv:2: column 2 (run_time): '-1' is negative", refused("--workload", "bad.csv"))
        self.assertIn("cannot read the trace nowhere.csv", refused("--workload", "nowhere.csv"))
        self.write("policy.yaml", "queues:\n  - {name: a, quota: {h100: 8}, colour: red}\n")
        self.assertIn("policy.yaml: ", refused("--workload", "trace.csv", "--policy", "policy.yaml"))
        self.write("policy.yaml", "queues:\n  - {name: a, quota: {h100: {gpus: 8}}}\n")
        self.assertIn("policy.yaml: /queues/0/quota/h100: there is no flavor 'h100' in the cluster's file",
                      refused("--workload", "trace.csv", "--policy", "policy.yaml"))
        self.write("cluster.yaml", "clusters: [{name: lab, executor: local}]\n")
        self.assertIn("cluster 'lab' has no", refused("--workload", "trace.csv"))


class OwnHistory(harness.ServerTest):
    """What a server has recorded, under another policy."""

    config = harness.FIVE_NODES

    def simulate(self, *words):
        return self.server.ym("simulate", "--cluster", str(self.server.config), *words)

    def test_jobs_of_the_server_run_again_as_they_did(self):
        sweep = [{"name": "short", "run": ["sleep", "0.3"], "resources": {"gpus": 4}, "array": 4, "env": {"SECRET": "x"}},
                 {"name": "gang", "run": ["sleep", "0.3"], "resources": {"gpus": 4}, "nodes": 2},
                 {"name": "broken", "run": "exit 3"}]
        self.server.submit(*sweep)
        self.server.ym("wait", "short", "gang", "broken", check=False)
        figures = json.loads(self.simulate("--since", "1h", "-o", "json", "--jobs", "jobs.csv").stdout)
        policy = figures["policies"][0]
        self.assertEqual(figures["format"], "history")
        self.assertEqual(policy["all"]["states"], {"SUCCEEDED": 5, "FAILED": 1})
        self.assertEqual((policy["refused"], policy["never_started"]), (0, 0))
        rows = {row["trace_id"]: row for row in csv.DictReader((self.folder / "jobs.csv").read_text(encoding="utf-8").splitlines())}
        for job in self.server.json("ps", "-A"):
            ran = sum((harness.moment(a["ended_at"]) - harness.moment(a["started_at"])).total_seconds() for a in job["attempts"])
            self.assertAlmostEqual(float(rows[job["id"]]["run_seconds"]), ran, places=2)
            self.assertEqual(rows[job["id"]]["user"], job["user"])
        # The database says the same, beside the server and without it.
        for file in ("beside.csv", "without.csv"):
            self.simulate("--since", "1h", "--state", str(self.server.state), "--jobs", file)
            self.assertEqual((self.folder / file).read_text(), (self.folder / "jobs.csv").read_text())
            if self.server.process.poll() is None:
                self.server.stop()

    def test_without_a_job_or_with_two_sources_it_says_so(self):
        for words, said in ((["--since", "1h"], "no job was submitted since then"), ([], "write what to simulate"),
                            (["--since", "1h", "--workload", "x.csv"], "write what to simulate"), (["--since", "soon"], "--since: ")):
            refused = self.server.ym("simulate", "--cluster", str(self.server.config), *words, check=False)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn(said, refused.stderr)


if __name__ == "__main__":
    unittest.main()
