# tools/dev test: everything that has to pass before a change lands.

export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS="external_symbolizer_path=$ASAN_SYMBOLIZER_PATH"

# One of the counts at the head of a JUnit report.
attribute() { sed -n "2,12s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1; }

# The outcome of each run of tests, as rows "PASSED FAILED SKIPPED": runs beside each other write it, too.
COUNTS="$LOGS/counts"
begin_counts() { mkdir -p "$LOGS" && : >"$COUNTS"; }
count() { echo "$*" >>"$COUNTS"; }
counted() { awk -v column="$1" '{ sum += $column } END { print sum + 0 }' "$COUNTS"; }

# run_ctest PRESET NAME ARGUMENTS...: runs a part of the tests and counts the outcome. A -j in the arguments counts.
run_ctest() {
  local preset=$1 report="$LOGS/$1-$2.xml" status all failures skipped
  shift 2
  mkdir -p "$LOGS"
  rm -f "$report"
  ctest --test-dir "build/$preset" -j "$JOBS" --output-on-failure --test-output-size-failed 20000 \
    --test-output-truncation head --output-junit "$report" "$@" </dev/null 2>&1 |
    { grep -aEv '^(Internal ctest|Errors while running CTest|Output from these tests|Use "--rerun-failed|Test project|    Start |Total Test time|Label Time|$)' || true; }
  status=$?
  if [ ! -f "$report" ]; then
    count 0 1 0
    return 1
  fi
  all=$(attribute tests "$report") failures=$(attribute failures "$report") skipped=$(attribute skipped "$report")
  count $((${all:-0} - ${failures:-0} - ${skipped:-0})) "${failures:-0}" "${skipped:-0}"
  [ "$status" -eq 0 ] && [ "${failures:-0}" -eq 0 ]
}

# Build files are brought up to date before targets are read from them.
configured() { dev_configure "$1" && quietly "configure-$1" ninja -C "build/$1" build.ninja; }

# The test programs that the change asks for, to build/logs/sanitized, and their build (tools/lib/sanitized.py).
SANITIZED="$LOGS/sanitized"
build_sanitized() {
  local targets
  configured debug && "$PYTHON" -B tools/lib/sanitized.py --build build/debug >"$SANITIZED" || return 1
  mapfile -t targets <"$SANITIZED"
  [ ${#targets[@]} -eq 0 ] || dev_build debug "${targets[@]}"
}

test_sanitized() {
  local names
  names=$(sed 's/_test$//' "$SANITIZED" | paste -sd'|')
  if [ -z "$names" ]; then
    say "   no library has changed"
    return 0
  fi
  run_ctest debug unit -j $((2 * JOBS)) -R "^unit\.($names)(\.[0-9]+)?\$" --no-tests=error
}

# Checks that compile as much again as all else. A machine that comes to the tests later than DEEP_UNTIL leaves them to
# `tools/dev check`; what is not built under sanitizers by SANITIZED_UNTIL is left, too. Each counts as skipped.
DEEP='structure\.headers_alone|mutation'
DEEP_UNTIL=$((20 * 60))
SANITIZED_UNTIL=$((60 * 60))

leave() {
  local name
  for name in "$@"; do
    say "   after $(human_seconds $SECONDS): $name is left to tools/dev check"
    count 0 0 1
  done
}

# The sanitized build, on what the tests beside it leave of the processors: most of those wait for real clusters.
build_beside() {
  renice -n 19 "$BASHPID" >/dev/null 2>&1
  build_sanitized
}

# Begins it in a group of its own, which ends with this script. What it says goes to build/logs/beside.log.
BESIDE= LATE=
begin_beside() {
  mkdir -p "$LOGS"
  set -m
  LANE=beside "$@" >"$LOGS/beside.log" 2>&1 &
  BESIDE=$!
  set +m
  trap '[ -z "$BESIDE" ] || kill -- "-$BESIDE" 2>/dev/null' EXIT
}

end_beside_late() {
  sleep $((SECONDS < SANITIZED_UNTIL ? SANITIZED_UNTIL - SECONDS : 0)) && kill -- "-$BESIDE"
} >/dev/null 2>&1 </dev/null

# Waits for it, says what it said, and returns its status. If it was ended: 0, and LATE is set.
finish_beside() {
  local status watcher late
  watch_log "$LOGS/beside.current" &
  watcher=$!
  end_beside_late &
  late=$!
  wait "$BESIDE" 2>/dev/null
  status=$?
  BESIDE=
  kill "$watcher" "$late" 2>/dev/null
  wait "$watcher" "$late" 2>/dev/null
  [ $status -ne $((128 + 15)) ] || { LATE=1 && return 0; }
  [ -t 1 ] && printf '\r\033[K'
  cat "$LOGS/beside.log"
  return $status
}

closing_line() {
  stage_times
  say ""
  say "$(counted 1) passed, $(counted 2) failed, $(counted 3) skipped"
}

# A build that fails ends the run: what was counted so far, and one failure.
give_up() {
  count 0 1 0
  closing_line
  return 1
}

all_passed() { [ "$(counted 2)" -eq 0 ] && [ "$(counted 1)" -gt 0 ]; }

# 2: it does not build.
sanitized() {
  stage "build debug (ASan, UBSan), the rest of it" finish_beside || return 2
  if [ -n "$LATE" ]; then leave "the run under ASan, UBSan"; else stage "unit tests under ASan, UBSan" test_sanitized; fi
}

dev_test() {
  local status=0 lab without='demo\.play'
  begin_times test
  begin_counts
  stage "setup" dev_setup || { give_up; return 1; }
  # Beside the build: it takes minutes where it was never built.
  { build_kube_lab; build_kueue; } >/dev/null 2>&1 &
  lab=$!
  stage "build release" dev_build release || { give_up; return 1; }
  stage "Kubernetes lab" wait "$lab"
  if [ $SECONDS -lt $DEEP_UNTIL ]; then begin_beside build_beside; else
    leave "structure.headers_alone" "mutation" "the run under ASan, UBSan"
    without="$without|$DEEP"
  fi
  # Together: most of them wait for a cluster, a timer or a process. Those that compute count twice.
  stage "unit, end-to-end and structure tests" run_ctest release tests -j $((JOBS + 4)) -E "^($without)\$" --no-tests=error || status=1
  [ -z "$BESIDE" ] || sanitized || status=$?
  [ $status -ne 2 ] || { give_up; return 1; }
  stage "demo" run_ctest release demo -R '^demo\.play$' --no-tests=error || status=1
  closing_line
  [ $status -eq 0 ] && all_passed
}
