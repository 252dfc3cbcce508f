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

# The sanitized build, on what the tests beside it leave of the processors: most of those wait for real clusters.
build_beside() {
  renice -n 19 "$BASHPID" >/dev/null 2>&1
  build_sanitized
}

# Begins it in a group of its own, which ends with this script. What it says goes to build/logs/beside.log.
BESIDE=
begin_beside() {
  mkdir -p "$LOGS"
  set -m
  LANE=beside "$@" >"$LOGS/beside.log" 2>&1 &
  BESIDE=$!
  set +m
  trap '[ -z "$BESIDE" ] || kill -- "-$BESIDE" 2>/dev/null' EXIT
}

# Waits for it, says what it said, and returns its status.
finish_beside() {
  local status watcher
  watch_log "$LOGS/beside.current" &
  watcher=$!
  wait "$BESIDE"
  status=$?
  BESIDE=
  kill "$watcher" 2>/dev/null
  wait "$watcher" 2>/dev/null
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

dev_test() {
  local status=0 lab
  begin_times test
  begin_counts
  stage "setup" dev_setup || { give_up; return 1; }
  # Beside the build: it takes minutes where it was never built.
  { build_kube_lab; build_kueue; } >/dev/null 2>&1 &
  lab=$!
  stage "build release" dev_build release || { give_up; return 1; }
  stage "Kubernetes lab" wait "$lab"
  begin_beside build_beside
  # Together: most of them wait for a cluster, a timer or a process. Those that compute count twice.
  stage "unit, end-to-end and structure tests" run_ctest release tests -j $((JOBS + 4)) -E '^demo\.play$' --no-tests=error || status=1
  stage "build debug (ASan, UBSan), the rest of it" finish_beside || { give_up; return 1; }
  stage "unit tests under ASan, UBSan" test_sanitized || status=1
  stage "demo" run_ctest release demo -R '^demo\.play$' --no-tests=error || status=1
  closing_line
  [ $status -eq 0 ] && all_passed
}
