"""A ledger that jobs write themselves: when their user code began and ended, where it went on from, what it saved."""

import datetime

# Asks again if a signal that was meant for the job ended `date`.
SAY = """say() {
  at=; while [ -z "$at" ]; do at=$(date +%s%N); done
  echo "$1 $YM_JOB_ID $YM_ATTEMPT $YM_NODE_RANK $at $2" >> "$LEDGER"
}
"""

# A line when it begins and one when it ends. O_APPEND writes of this size are atomic. Some do harm to their own files
# below the folder STATE: what proves that they run, or their log.
JOB = SAY + """say start
[ -z "$HARM" ] || say harms
own="$(echo "$STATE"/attempts/*/"$YM_JOB_ID/$YM_ATTEMPT/$YM_NODE_RANK")"
case "$HARM" in
  claim) rm -f "$own/claim";;
  log) rm -f "$own/log"; mkfifo "$own/log";;
  folder) rm -rf "$own";;
esac
sleep $NAP
say end
"""

# Saves after each step, says so by its output or by its marker file, goes on from what it saved, and leaves with 75
# when it is told to; or does not hear it, and is killed at its deadline. A signal that was meant for the job may end `mv`:
# then nothing was reported, and the ledger does not name the save.
TRAINING = SAY + """report() {
  if [ "$BY" = output ]; then echo "YM_PROGRESS $1"; return; fi
  echo "$1" > "$YM_PROGRESS_FILE.new" && mv "$YM_PROGRESS_FILE.new" "$YM_PROGRESS_FILE"
}
step=${YM_RESUME_STEP:-0} stop=
if [ "$DEAF" = yes ]; then trap '' TERM; else trap 'stop=yes' TERM; fi
say start "$step"
while [ "$step" -lt "$STEPS" ] && [ -z "$stop" ]; do
  sleep 0.1
  step=$((step + 1))
  save="$YM_CHECKPOINT_DIR/$YM_JOB_ID.$step"
  echo "$step" > "$save"
  report "{\\"step\\": $step, \\"checkpoint\\": {\\"uri\\": \\"$save\\", \\"step\\": $step}}" && say saved "$step"
done
say end "$step"
[ -z "$stop" ] || exit 75
report '{"completed": true}'
"""


def _lines(path, *kinds):
    """(kind, (job, attempt, rank), nanoseconds, step or None) of each line of these kinds."""
    for line in path.read_text().splitlines() if path.exists() else []:
        kind, job, attempt, rank, at, *step = line.split()
        if kind in kinds:
            yield kind, (job, int(attempt), int(rank)), int(at), int(step[0]) if step else None


def read_ledger(path):
    """{(job, attempt, rank): [(start, end or None)]}"""
    runs = {}
    for kind, run, at, _ in _lines(path, "start", "end"):
        entries = runs.setdefault(run, [])
        if kind == "start":
            entries.append([at, None])
        elif entries:
            entries[-1][1] = at
    return runs


def harmed_jobs(path):
    """Those that did harm to their own files."""
    return {job for _, (job, _, _), _, _ in _lines(path, "harms")}


def read_steps(path, kind):
    """{(job, attempt): the last step of the lines of this kind}"""
    return {run[:2]: step for _, run, _, step in _lines(path, kind) if step is not None}


def nanoseconds(time_text):
    moment = datetime.datetime.fromisoformat(time_text.replace("Z", "+00:00"))
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (moment - epoch) // datetime.timedelta(microseconds=1) * 1000


def story(server, attempt):
    """What became of the job of "<job>.<attempt>", for whoever has to find out why."""
    events = server.api("GET", f"/jobs/{attempt.split('.')[0]}/events?limit=1000")[1]["items"]
    lines = (f"  {event['time']} {event['type']} {event.get('attempt', '')} {event['reason']}" for event in events)
    return "\n".join([attempt, *lines])
