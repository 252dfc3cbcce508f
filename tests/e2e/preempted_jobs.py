"""What must hold of jobs that made room for others, however often the server died meanwhile."""

import harness
from ledger import read_steps

# Half of each kind of work is the other queue's when that has some.
TWO_QUEUES = harness.FIVE_NODES + """
queues:
  - name: org
    children:
      - {name: a, quota: {t4: {gpus: 10}}}
      - {name: b, quota: {t4: {gpus: 10}}}
preemption: {restart_cost: 0s, preemptions_per_hour: 16}
"""


def check(test, jobs, cancelled, ledger):
    """`jobs` by id, as they ended; `cancelled`: those whose cancel was acknowledged. How many attempts made room."""
    began, saved = read_steps(ledger, "start"), read_steps(ledger, "saved")
    preempted = 0
    for job in jobs.values():
        if job["id"] not in cancelled:
            test.assertEqual(job["state"], "SUCCEEDED", job)
        test.assertNotEqual(job["state"], "FAILED", job)
        last = 0
        for attempt in job["attempts"]:
            preempted += attempt["ended_by"] == "preempted"
            run = (job["id"], attempt["number"])
            _check_resume(test, job, attempt, began.get(run), last)
            last = max(last, saved.get(run, 0))
    return preempted


def _check_resume(test, job, attempt, began, last):
    """What was reported before the attempt before ended is known: one save at most has been reported, but not yet written
    into the ledger when its job was killed."""
    resumed = (attempt["resumes_from"] or {"step": 0})["step"]
    test.assertIn(resumed, (last, last + 1), f"{job['name']}, attempt {attempt['number']} goes on from an old save")
    if began is not None:
        test.assertEqual(began, resumed, f"{job['name']}, attempt {attempt['number']} was told another step")
