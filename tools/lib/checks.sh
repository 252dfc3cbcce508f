# The other commands of tools/dev.

# dev_demo [clusters]
dev_demo() {
  local play=demo/run.py
  case ${1:-} in
    "") ;;
    clusters) play=demo/clusters/run.py ;;
    *)
      complain "there is no demo '$1': leave it out, or write clusters"
      return 2
      ;;
  esac
  begin_times demo
  stage "setup" dev_setup product || return 1
  stage "build" dev_build product || return 1
  [ -z "${1:-}" ] || stage "Kubernetes lab" build_kube_lab || return 1
  stage_times
  say ""
  say "Now the demo plays. It takes about 2 minutes and a half."
  exec "$PYTHON" "$play"
}

cpp_files() { git ls-files -co --exclude-standard -- '*.cc' '*.h' | while read -r file; do [ -f "$file" ] && echo "$file"; done; }

dev_format() { cpp_files | xargs -r clang-format-19 -i; }

dev_tidy() {
  dev_setup_packages && dev_build release || return 1
  "$PYTHON" tests/structure/check_tidy.py --build build/release "$@"
}

dev_ratchet() { "$PYTHON" tests/structure/check_sizes.py --update; }

# dev_mutants [--search COUNT]: all of the list; or makes the list anew.
dev_mutants() {
  dev_setup_packages && dev_build release || return 1
  [ $# -gt 0 ] || set -- --whole
  "$PYTHON" -B tests/mutation/check_mutants.py --build build/release "$@"
}

# dev_faults [COUNT]
dev_faults() {
  dev_setup_packages && dev_build release fault_runs || return 1
  build/release/bin/fault_runs --seeds "${1:-10000}" --report docs/fault-runs.md
}

# Peers to compare with; without them the figures say that they are missing.
install_peers() {
  [ "${YM_SKIP_SETUP:-}" = 1 ] && return 0
  command -v /usr/sbin/slurmctld /usr/sbin/slurmrestd /usr/sbin/munged >/dev/null && return 0
  say "   installing Slurm, to compare with"
  install_packages slurm-wlm slurm-client slurmrestd munge || say "   it cannot be installed: its figures are left out"
}

# dev_fuzz [SECONDS]: each target for so long, from the inputs that are kept and those found before.
dev_fuzz() {
  local seconds=${1:-30} target status=0
  dev_build fuzz fuzz_targets || return 1
  mkdir -p build/fuzz/findings
  for target in job http record progress; do
    mkdir -p "build/fuzz/corpus/$target"
    say "   $target, ${seconds} s"
    quietly "fuzz-$target" "build/fuzz/bin/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 \
      -max_len=8192 -dict="tests/fuzz/$target.dict" -artifact_prefix="build/fuzz/findings/$target-" -print_final_stats=1 \
      "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" || status=1
  done
  return $status
}

dev_bench() {
  dev_setup_packages && install_peers && dev_build release || return 1
  "$PYTHON" bench/run.py "$@"
}

# The types of the Python package, against the library of the oldest Python that it is for.
dev_types() (
  cd sdk/python && quietly types "$YM_ROOT/build/venv/bin/python" -m mypy
)

dev_check() {
  local status=0
  export YM_CAMPAIGN=1  # every stage: faults more often, outputs as large as they may be
  begin_times check
  begin_counts
  stage "setup" dev_setup || { give_up; return 1; }
  stage "types of the Python package" dev_types || status=1
  stage "build release" dev_build release || { give_up; return 1; }
  # 5 ms each here, ten times that under sanitizers.
  YM_WORLDS=100000 stage "all tests, 100,000 random worlds of each kind" run_ctest release all -E '^e2e\.' --no-tests=error --timeout 5400 || status=1
  stage "1,000 fault-injection runs" build/release/bin/fault_runs --seeds 1000 || status=1
  stage "mutants of the engine" "$PYTHON" -B tests/mutation/check_mutants.py --build build/release --whole || status=1
  stage "clang-tidy, whole tree" "$PYTHON" tests/structure/check_tidy.py --build build/release --all || status=1
  stage "build debug (ASan, UBSan)" dev_build debug || { give_up; return 1; }
  stage "all tests under ASan, UBSan" run_ctest debug all -j $((2 * JOBS)) -E '^(e2e|structure)\.' --no-tests=error --timeout 5400 || status=1
  stage "build tsan" dev_build tsan control_test api_test || { give_up; return 1; }
  stage "control and api under TSan" run_ctest tsan some -R '^unit\.(control|api)$' --no-tests=error || status=1
  stage "fuzzing" dev_fuzz || status=1
  stage "end-to-end tests with the long fault campaign" run_ctest release e2e -R '^e2e\.' --no-tests=error || status=1
  closing_line
  [ $status -eq 0 ] && [ "$(counted 2)" -eq 0 ]
}
