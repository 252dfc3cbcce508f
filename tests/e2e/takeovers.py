"""What jobs on clusters live through when the server that leads is killed: shared by the tests of Slurm and of Kubernetes."""

import fronts


class Balancer(fronts.Front):
    """The address that tasks report to: hands connections on to whichever server leads."""

    members = ()

    def leader(self):
        return next((one for one in self.members if one.url and one.readiness()[0] == 200), None)

    def serve(self, client):
        with client:
            leader = self.leader()
            if not leader:
                return
            try:
                with fronts.connected(int(leader.listen.rsplit(":", 1)[1])) as server:
                    fronts.join(client, server)
            except OSError:
                pass  # it was killed


class Gate:
    """Files that jobs wait for, and what they wrote when they began."""

    def __init__(self, folder):
        self.folder = folder

    def until(self, what):
        """A line of shell that says that it began, and goes on when `open` is called with the same word."""
        return f"echo $YM_NODE_RANK >> {self.folder}/{what}.began; while [ ! -e {self.folder}/{what} ]; do sleep 0.1; done"

    def open(self, what):
        (self.folder / what).touch()

    def began(self, what):
        return sorted((self.folder / f"{what}.began").read_text().split())


def jobs_outlive_their_leader(test, leader, standby, gate, cpus=1):
    """A gang goes on, what ends while nobody leads is known, what is cancelled afterwards has its grace; nothing begins twice."""
    common = {"workdir": "/tmp", "resources": {"gpus": 1, "cpus": cpus}}
    gang = leader.submit({"name": "gang", "nodes": 2, "run": f"{gate.until('gang')}; exit 5"} | common)
    ends = leader.submit({"name": "ends", "run": f"{gate.until('ends')}; echo the end"} | common)
    saves = leader.submit({"name": "saves", "run": f"trap 'echo saving; exit 0' TERM; {gate.until('saves')}"} | common)
    for job in (gang, ends, saves):
        leader.wait_state(job, "RUNNING")
    leader.kill()
    gate.open("ends")
    standby.wait_to_lead()
    later = standby.submit({"name": "later", "run": "echo later"} | common)
    standby.wait_state(later, "SUCCEEDED", timeout=120)
    standby.wait_state(ends, "SUCCEEDED", timeout=120)
    test.assertIn("the end", standby.ym("logs", ends).stdout)
    for job in (gang, saves):
        standby.wait_state(job, "RUNNING")
    standby.ym("cancel", saves)
    standby.wait_state(saves, "CANCELLED", timeout=120)
    test.assertIn("saving", standby.ym("logs", saves).stdout)
    gate.open("gang")
    ended = standby.wait_state(gang, "FAILED", timeout=120)
    test.assertEqual([attempt["exit_code"] for attempt in ended["attempts"]], [5])
    for job in (ends, saves):
        test.assertEqual(len(standby.get(job)["attempts"]), 1)
    test.assertEqual(gate.began("gang"), ["0", "1"], "each task once")
    test.assertEqual((gate.began("ends"), gate.began("saves")), (["0"], ["0"]))
