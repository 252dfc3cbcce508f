"""Servers of one state on a real PostgreSQL: one leads, the others stand by, and any of them may fail at any time."""

import http.client
import json
import signal
import threading
import unittest

import harness
import processes
import standbys


class Standby(standbys.OnPostgres):
    def test_a_standby_answers_reads_and_refuses_the_rest(self):
        leader, standby = self.pair()
        done = self.run_for(leader, 0, name="done")
        leader.wait_end(done)
        runs = leader.submit({"name": "runs", "run": ["sleep", "600"], "resources": {"gpus": "h100:8"}})
        leader.wait_state(runs, "RUNNING")
        waits = leader.submit({"name": "waits", "run": ["sleep", "1"], "resources": {"gpus": "h100:8"}, "nodes": 2})
        harness.wait_for(lambda: leader.get(waits)["reason"] == "WaitingForCapacity", "the reason")
        self.wait_until_alike(leader, standby)
        for job in (done, runs, waits):
            self.assertEqual(lasting(standby.get(job)), lasting(leader.get(job)))
        self.assertEqual(standby.get("runs")["id"], runs)
        for path in ("/events?limit=1000", f"/jobs/{done}/events"):
            self.assertEqual(standby.api("GET", path), leader.api("GET", path), path)
        self.assertEqual(quotas(standby), quotas(leader))
        used = {node["name"]: node["used"] for node in leader.json("nodes")}
        self.assertEqual({node["name"]: node["used"] for node in standby.json("nodes")}, used)
        self.assertEqual(standby.json("why", waits)["dominant"]["code"], "WaitingForCapacity")
        self.assertIn("yardmaster_", standby.request("GET", "/metrics")[2].decode())
        self.assertEqual(standby.request("GET", "/healthz", authenticated=False)[0], 200)
        self.check_refusals(leader, standby, done)

    def check_refusals(self, leader, standby, job):
        status, detail = standby.readiness()
        self.assertEqual(status, 503)
        self.assertRegex(detail, f"^this server stands by; .* leads at {leader.url}$")
        spec = {"name": "refused", "run": ["true"]}
        for method, path, body in (("POST", "/jobs", spec), ("POST", f"/jobs/{job}/cancel", None),
                                   ("GET", f"/jobs/{job}/logs", None)):
            status, headers, answer = standby.request(method, "/api/v1" + path, body)
            problem = json.loads(answer)
            self.assertEqual((status, problem["code"], problem["detail"]), (503, "unavailable", detail), path)
            self.assertEqual(problem["errors"], [{"pointer": "/leader", "message": leader.url}])
            self.assertEqual(headers["content-type"], "application/problem+json")
        said = standby.ym("submit", "-", input=json.dumps(spec), check=False)
        self.assertEqual(said.returncode, 6)
        self.assertIn(f"leads at {leader.url}", said.stderr)
        self.assertEqual(standby.api("GET", "/jobs", headers={"Authorization": "Bearer none"})[0], 401)
        self.assertEqual(leader.api("GET", "/jobs?name=refused")[1]["items"], [])

    def wait_until_alike(self, one, other):
        def newest(server):
            return server.api("GET", "/jobs?limit=1")[1]["as_of"]
        harness.wait_for(lambda: newest(one) == newest(other), "the standby to follow")

    def test_it_takes_over_and_nothing_is_lost_or_doubled(self):
        leader, standby = self.pair()
        done = self.run_for(leader, 0, name="done")
        ended = leader.wait_end(done)
        here = [self.run_for(leader, 20, name=f"here-{n}") for n in range(3)]
        far = [leader.submit({"name": f"far-{n}", "run": ["sleep", "2"], "resources": {"gpus": "h100:1"}}) for n in range(4)]
        for job in here:
            leader.wait_state(job, "RUNNING")
        watcher = standbys.Watcher(standby)
        clients = [standbys.Client(f"c{n}", [leader, standby]) for n in range(2)]
        for client in clients:
            client.start()
        harness.wait_for(lambda: all(len(client.submitted) >= 5 for client in clients), "some submits")
        leader.kill()
        standby.wait_to_lead()
        counts = [len(client.submitted) for client in clients]
        harness.wait_for(lambda: all(len(client.submitted) >= count + 5 for client, count in zip(clients, counts)),
                         "submits to the one that leads now")
        for client in clients:
            client.end()
        self.check_submits(standby, clients)
        self.assertEqual(standby.get(done), ended)
        for job in far:
            standby.wait_state(job, "SUCCEEDED")
        # They run on the machine of the server that is gone: that is all that is known of them.
        for job in here:
            self.assertIn("another server started it", standby.wait_state(job, "UNREACHABLE")["message"])
        leader.start()
        self.assertEqual(leader.readiness()[0], 503)
        self.assertEqual(standby.stop(), 0)
        leader.wait_to_lead()
        for job in here:
            self.assertEqual(len(leader.wait_state(job, "SUCCEEDED")["attempts"]), 1)
        self.check_ran_once(done, *here)
        self.assertEqual(leader.get(done), ended)
        watcher.check(self, leader)

    def check_submits(self, server, clients):
        names = {}
        for job in standbys.every_job(server):
            names.setdefault(job["name"], []).append(job["id"])
        for client in clients:
            self.assertEqual(client.errors, [])
            for name, job in client.submitted.items():
                self.assertEqual(names.get(name), [job], "an acknowledged submit exists exactly once")

    def test_a_leader_that_is_stopped_hands_over_at_once(self):
        leader, standby = self.pair()
        job = leader.submit({"name": "kept", "run": ["sleep", "600"], "resources": {"gpus": "h100:1"}})
        leader.wait_state(job, "RUNNING")
        term = self.sql("SELECT term FROM leader")
        self.assertEqual(leader.stop(), 0)
        given_up = self.sql(f"SELECT has_lapsed(leader) OR term > {term} FROM leader")
        self.assertEqual(given_up, "t", "the lease has not to end first")
        standby.wait_to_lead()
        standby.ym("cancel", job)
        self.assertEqual(standby.wait_end(job)["state"], "CANCELLED")

    def test_a_leader_that_slept_past_its_lease_stores_nothing_more(self):
        leader, standby = self.pair()
        processes.stop(leader.process.pid)
        late = threading.Thread(target=submit_late, args=(leader,))
        late.start()
        standby.wait_to_lead()
        job = standby.submit({"name": "on-time", "run": ["true"], "resources": {"gpus": "h100:1"}})
        standby.wait_state(job, "SUCCEEDED")
        leader.process.send_signal(signal.SIGCONT)
        self.assertEqual(leader.process.wait(harness.TIMEOUT), 1)
        late.join(harness.TIMEOUT)
        # By its commit or by the renewal of its lease, whichever comes first.
        self.assertRegex(leader.log_text(), "another server (has taken over|leads)")
        self.assertEqual([one["name"] for one in standbys.every_job(standby)], ["on-time"])
        self.assertEqual(self.sql("SELECT count(*) FROM events WHERE type = 'server.started'"), "2")
        leader.start()
        self.assertEqual(leader.readiness()[0], 503)

    def test_one_that_stands_by_is_told_to_stop_and_reads_its_configuration_again(self):
        leader, standby = self.pair()
        standby.config.write_text(standbys.CONFIG.replace("s[1-2]", "s[1-3]"), encoding="utf-8")
        standby.process.send_signal(signal.SIGHUP)
        said = "takes effect when this server leads"
        harness.wait_for(lambda: said in standby.log_text(), "the reload")
        third = self.member("c").start()
        self.assertEqual(third.stop(), 0)
        leader.stop()
        standby.wait_to_lead()
        self.assertIn("s3", [node["name"] for node in standby.json("nodes")])


def lasting(job):
    """Of a job what does not change with each second that it runs."""
    return {key: job[key] for key in ("id", "name", "user", "state", "reason", "submitted_at", "attempts", "spec")}


def quotas(server):
    return [(queue["name"], queue["counts"], queue["usage"]) for queue in server.api("GET", "/queues")[1]["items"]]


def submit_late(server):
    """To a server that sleeps; it may answer that it could not, or end without an answer."""
    try:
        server.api("POST", "/jobs", {"name": "late", "run": ["true"], "resources": {"gpus": "h100:1"}})
    except (OSError, http.client.HTTPException):
        pass


if __name__ == "__main__":
    unittest.main()
