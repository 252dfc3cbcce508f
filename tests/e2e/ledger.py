"""A ledger that jobs write themselves: when their user code began and ended."""

import datetime

# Two lines a run: when it began and when it ended. O_APPEND writes of this size are atomic.
JOB = """echo "start $YM_JOB_ID $YM_ATTEMPT $YM_NODE_RANK $(date +%s%N)" >> "$LEDGER"
sleep $NAP
echo "end $YM_JOB_ID $YM_ATTEMPT $YM_NODE_RANK $(date +%s%N)" >> "$LEDGER"
"""


def read_ledger(path):
    """{(job, attempt, rank): [(start, end or None)]}"""
    runs = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        kind, job, attempt, rank, at = line.split()
        entries = runs.setdefault((job, int(attempt), int(rank)), [])
        if kind == "start":
            entries.append([int(at), None])
        elif entries:
            entries[-1][1] = int(at)
    return runs


def nanoseconds(time_text):
    moment = datetime.datetime.fromisoformat(time_text.replace("Z", "+00:00"))
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (moment - epoch) // datetime.timedelta(microseconds=1) * 1000
