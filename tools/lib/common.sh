# Shared by the commands of tools/dev: messages, stages with times, quiet long commands.

LOGS="$YM_ROOT/build/logs"
JOBS=$(nproc 2>/dev/null || echo 2)
PYTHON=/usr/bin/python3
[ -x "$PYTHON" ] || PYTHON=python3
STAGES=()

# The compiler cache lives where ccache puts it, unless there is no home to put it in.
if [ -z "${CCACHE_DIR:-}" ] && [ ! -w "${HOME:-/nonexistent}" ]; then
  export CCACHE_DIR="$YM_ROOT/build/ccache"
fi

say() { printf '%s\n' "$*"; }
complain() { printf 'tools/dev: %s\n' "$*" >&2; }

human_seconds() {
  if [ "$1" -ge 60 ]; then printf '%dm%02ds' $(($1 / 60)) $(($1 % 60)); else printf '%ds' "$1"; fi
}

# stage TITLE COMMAND...: runs it, remembers how long it took, returns its status.
stage() {
  local title=$1 begin=$SECONDS status
  shift
  say "== $title"
  "$@"
  status=$?
  local outcome=ok
  [ $status -eq 0 ] || outcome=FAILED
  STAGES+=("$(printf '%-52s %8s  %s' "$title" "$(human_seconds $((SECONDS - begin)))" "$outcome")")
  return $status
}

stage_times() {
  say ""
  say "Time per stage"
  printf '  %s\n' "${STAGES[@]}"
  printf '  %-52s %8s\n' "all" "$(human_seconds $SECONDS)"
}

# How far a ninja build in a log has come, now and then, until killed.
watch_log() {
  local log=$1 begin=$SECONDS pause=30 far
  [ -t 1 ] && pause=1
  while sleep "$pause" >/dev/null 2>&1 </dev/null; do
    far=$(tail -c 4000 "$log" 2>/dev/null | grep -ao '^\[[0-9]*/[0-9]*\]' | tail -n 1)
    if [ -t 1 ]; then
      printf '\r\033[K   %s %s' "$far" "$(human_seconds $((SECONDS - begin)))"
    else
      printf '   %s %s\n' "$far" "$(human_seconds $((SECONDS - begin)))"
    fi
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

# quietly NAME COMMAND...: output to build/logs/NAME.log; on failure shows what matters of it.
quietly() {
  local log="$LOGS/$1.log" status watcher
  shift
  mkdir -p "$LOGS"
  : >"$log"
  watch_log "$log" &
  watcher=$!
  "$@" >"$log" 2>&1 </dev/null
  status=$?
  kill "$watcher" 2>/dev/null
  wait "$watcher" 2>/dev/null
  [ -t 1 ] && printf '\r\033[K'
  if [ $status -ne 0 ]; then
    log_excerpt "$log"
    complain "this failed: $* (the whole log: ${log#"$YM_ROOT"/})"
  fi
  return $status
}
