# Shared by the commands of tools/dev: messages, stages with times, quiet long commands.

LOGS="$YM_ROOT/build/logs"
JOBS=$(nproc 2>/dev/null || echo 2)
PYTHON=/usr/bin/python3
[ -x "$PYTHON" ] || PYTHON=python3

# The compiler cache lives where ccache puts it, unless there is no home to put it in.
if [ -z "${CCACHE_DIR:-}" ] && [ ! -w "${HOME:-/nonexistent}" ]; then
  export CCACHE_DIR="$YM_ROOT/build/ccache"
fi

say() { printf '%s\n' "$*"; }
complain() { printf 'tools/dev: %s\n' "$*" >&2; }

human_seconds() {
  if [ "$1" -ge 60 ]; then printf '%dm%02ds' $(($1 / 60)) $(($1 % 60)); else printf '%ds' "$1"; fi
}

# Stages and their durations are kept in build/times/COMMAND.tsv. COMMAND.before.tsv is that of the run before.
TIMES=
begin_times() {
  mkdir -p "$YM_ROOT/build/times"
  TIMES="$YM_ROOT/build/times/$1.tsv"
  [ -f "$TIMES" ] && mv "$TIMES" "${TIMES%.tsv}.before.tsv"
  printf 'stage\tseconds\toutcome\tseconds_before\n' >"$TIMES"
}

# The seconds that a stage took in the run before; nothing if there was none.
seconds_before() {
  [ -r "${TIMES%.tsv}.before.tsv" ] && awk -F'\t' -v title="$1" 'NR > 1 && $1 == title { print $2 }' "${TIMES%.tsv}.before.tsv" | tail -n 1
}

keep_time() { [ -z "$TIMES" ] || printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$(seconds_before "$1")" >>"$TIMES"; }

# stage TITLE COMMAND...: runs it, keeps how long it took, returns its status.
stage() {
  local title=$1 begin=$SECONDS status before outcome=ok
  shift
  before=$(seconds_before "$title")
  say "== $title${before:+ (the run before: $(human_seconds "$before"))}"
  "$@"
  status=$?
  [ $status -eq 0 ] || outcome=FAILED
  keep_time "$title" $((SECONDS - begin)) "$outcome"
  return $status
}

stage_times() {
  local title seconds outcome before
  keep_time all $SECONDS ""
  say ""
  say "Time per stage (kept in ${TIMES#"$YM_ROOT"/})"
  printf '  %-60s %8s  %8s\n' "" "now" "before"
  # A tab is white space to `read`, which would skip an empty column.
  tail -n +2 "$TIMES" | tr '\t' '|' | while IFS='|' read -r title seconds outcome before; do
    printf '  %-60s %8s  %8s  %s\n' "$title" "$(human_seconds "$seconds")" "${before:+$(human_seconds "$before")}" "${outcome#ok}"
  done
}

# How far a log has come, as "DONE ALL": steps of ninja, or what apt has fetched, unpacked and set up.
progress_of() {
  awk '
    match($0, /^\[[0-9]+\/[0-9]+\]/) { split(substr($0, 2, RLENGTH - 2), step, "/"); done = step[1]; all = step[2] }
    / newly installed, / { all = 3 * ($1 + $3); done = 0 }
    /^Need to get 0 B/ { all = all * 2 / 3 }
    /^(Get:|Unpacking |Setting up )/ { done++ }
    END { if (all > 2) print done, all }' "$1" 2>/dev/null
}

# progress_line DONE ALL SECONDS: what is done, and what is left at the pace so far.
progress_line() {
  local done=${1:-0} all=${2:-0} spent=$3 left=
  if [ "$all" -eq 0 ]; then
    printf '   %s so far' "$(human_seconds "$spent")"
    return
  fi
  # The first steps say nothing about the pace.
  [ "$done" -ge 10 ] && [ "$spent" -ge 5 ] && left=", about $(human_seconds $((spent * (all - done) / done))) left"
  printf '   %s of %s steps, %s so far%s' "$done" "$all" "$(human_seconds "$spent")" "$left"
}

# Shows how far a log has come, now and then, until killed.
watch_log() {
  local log=$1 begin=$SECONDS pause=10
  [ -t 1 ] && pause=1
  while sleep "$pause" >/dev/null 2>&1 </dev/null; do
    [ -t 1 ] && printf '\r\033[K'
    # shellcheck disable=SC2046
    set -- $(progress_of "$log")
    progress_line "${1:-0}" "${2:-0}" $((SECONDS - begin))
    [ -t 1 ] || printf '\n'
  done
}

# What a reader needs of a failed command's log: from the first error on, or its end.
log_excerpt() {
  local log=$1 first
  first=$(grep -anm 1 -E '^FAILED:|(^|[ :])error:|CMake Error' "$log" | cut -d: -f1)
  if [ -n "$first" ]; then
    tail -n "+$first" "$log" | head -n 60
  else
    tail -n 40 "$log"
  fi
}

# The name of what runs beside the rest (tools/lib/test.sh), in there.
LANE=${LANE:-}

# watched NAME COMMAND...: output to build/logs/NAME.log; meanwhile shows how far it is.
watched() {
  local log="$LOGS/$1.log" status watcher
  shift
  mkdir -p "$LOGS"
  : >"$log"
  if [ -n "$LANE" ]; then
    # Shown by whoever waits for it.
    ln -sfn "$log" "$LOGS/$LANE.current"
    "$@" >"$log" 2>&1 </dev/null
    return
  fi
  watch_log "$log" &
  watcher=$!
  "$@" >"$log" 2>&1 </dev/null
  status=$?
  kill "$watcher" 2>/dev/null
  wait "$watcher" 2>/dev/null
  [ -t 1 ] && printf '\r\033[K'
  return $status
}

# quietly NAME COMMAND...: the same; on failure shows what matters of the log.
quietly() {
  local name=$1
  shift
  watched "$name" "$@" && return 0
  log_excerpt "$LOGS/$name.log"
  complain "this failed: $* (the whole log: ${LOGS#"$YM_ROOT"/}/$name.log)"
  return 1
}
