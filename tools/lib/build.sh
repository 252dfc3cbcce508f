# Configures and builds a preset.

dev_configure() {
  local preset=$1
  [ -f "build/$preset/build.ninja" ] || quietly "configure-$preset" cmake --preset "$preset"
}

# dev_build PRESET [TARGET...]: all targets if none is named.
dev_build() {
  local preset=$1
  shift
  case $preset in
    release | debug | tsan | fuzz) ;;
    *)
      complain "there is no preset '$preset': release, debug, tsan or fuzz"
      return 2
      ;;
  esac
  dev_configure "$preset" || return 1
  quietly "build-$preset" ninja -C "build/$preset" -j "$JOBS" "$@" || return 1
  if [ "$preset" = release ] && [ $# -eq 0 ]; then
    say "   build/release/bin/ym, with ym-supervisor and ym-task beside it"
  fi
}
