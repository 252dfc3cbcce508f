# tools/dev test: everything that has to pass before a change lands.

PASSED=0 FAILED=0 SKIPPED=0

# Libraries whose tests also run under ASan and UBSan here; `check` runs them all.
SANITIZED='model|engine|control|store|store_memory|store_rows|store_sqlite|store_postgres'
# Without these in that run, the pattern above no longer means what it says.
SANITIZED_AT_LEAST='engine_test model_test control_test store_memory_test store_sqlite_test store_postgres_test'

export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS="external_symbolizer_path=$ASAN_SYMBOLIZER_PATH"

# One of the counts at the head of a JUnit report.
attribute() { sed -n "2,12s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1; }

# run_ctest PRESET NAME ARGUMENTS...: runs a part of the tests and adds up the outcome. A -j in the arguments counts.
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
    FAILED=$((FAILED + 1))
    return 1
  fi
  all=$(attribute tests "$report") failures=$(attribute failures "$report") skipped=$(attribute skipped "$report")
  FAILED=$((FAILED + ${failures:-0})) SKIPPED=$((SKIPPED + ${skipped:-0}))
  PASSED=$((PASSED + ${all:-0} - ${failures:-0} - ${skipped:-0}))
  [ "$status" -eq 0 ] && [ "${failures:-0}" -eq 0 ]
}

sanitized_targets() {
  ninja -C "build/$1" -t targets all | sed -nE "s/^((${2})_test): phony$/\1/p" | sort -u
}

build_sanitized() {
  local targets must
  dev_configure debug || return 1
  # The list of targets is read from the build files, which must be up to date for that.
  quietly configure-debug ninja -C build/debug build.ninja || return 1
  mapfile -t targets < <(sanitized_targets debug "$SANITIZED")
  for must in $SANITIZED_AT_LEAST; do
    case " ${targets[*]} " in
      *" $must "*) ;;
      *)
        complain "the sanitizer run expects the target $must: was the library renamed? See tools/lib/test.sh"
        return 1
        ;;
    esac
  done
  dev_build debug "${targets[@]}"
}

# The sanitized build, on what the tests beside it leave of the processors: most of those wait for real clusters.
build_sanitized_beside() {
  renice -n 19 "$BASHPID" >/dev/null 2>&1
  build_sanitized
} >"$LOGS/build-beside.log" 2>&1

# finish_beside PID: waits for that build, and says what failed.
finish_beside() {
  wait "$1" && return 0
  cat "$LOGS/build-beside.log"
  return 1
}

closing_line() {
  stage_times
  say ""
  say "$PASSED passed, $FAILED failed, $SKIPPED skipped"
}

# A build that fails ends the run: what was counted so far, and one failure.
give_up() {
  FAILED=$((FAILED + 1))
  closing_line
  return 1
}

dev_test() {
  local status=0
  stage "setup" dev_setup || { give_up; return 1; }
  # Beside the build: it takes minutes where it was never built.
  { build_kube_lab; build_kueue; } >/dev/null 2>&1 &
  local lab=$!
  stage "build release" dev_build release || { give_up; return 1; }
  stage "Kubernetes lab" wait "$lab"
  build_sanitized_beside &
  local sanitized=$!
  stage "unit tests" run_ctest release unit -j $((JOBS + 2)) -R '^unit\.' --no-tests=error || status=1
  stage "other tests" run_ctest release other -E '^(unit|structure|e2e)\.|^demo\.play$' --no-tests=ignore || status=1
  stage "end-to-end tests" run_ctest release e2e -R '^e2e\.' --no-tests=error || status=1
  stage "build debug (ASan, UBSan), the rest of it" finish_beside "$sanitized" || { give_up; return 1; }
  stage "unit tests under ASan, UBSan" run_ctest debug unit -j $((2 * JOBS)) -R "^unit\.($SANITIZED)(\.[0-9]+)?\$" --no-tests=error || status=1
  stage "demo" run_ctest release demo -R '^demo\.play$' --no-tests=error || status=1
  stage "structure tests" run_ctest release structure -R '^structure\.' --no-tests=error || status=1
  closing_line
  [ $status -eq 0 ] && [ $FAILED -eq 0 ] && [ $PASSED -gt 0 ]
}
