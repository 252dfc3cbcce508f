# Configures and builds a preset.

# The programs that people get; `ym` needs the two others beside it.
PRODUCT=(ym ym-supervisor ym-task)

# `product` and `release` share build/release: the tests come on top of what is built already.
build_folder() { if [ "$1" = product ]; then echo build/release; else echo "build/$1"; fi; }

is_on() { grep -q "^$1:[A-Z]*=ON\$" "$2/CMakeCache.txt" 2>/dev/null; }

is_configured() {
  local folder
  folder=$(build_folder "$1")
  [ -f "$folder/build.ninja" ] || return 1
  [ "$1" = product ] || { is_on YM_TESTS "$folder" && is_on YM_PAPERS "$folder"; }
}

dev_configure() { is_configured "$1" || quietly "configure-$1" cmake --preset "$1"; }

# dev_build PRESET [TARGET...]: all targets if none is named.
dev_build() {
  local preset=$1
  shift
  case $preset in
    product) set -- "${PRODUCT[@]}" ;;
    release | debug | tsan | fuzz) ;;
    *)
      complain "there is no preset '$preset': product, release, debug, tsan or fuzz"
      return 2
      ;;
  esac
  dev_configure "$preset" || return 1
  quietly "build-$preset" ninja -C "$(build_folder "$preset")" -j "$JOBS" "$@" || return 1
  if [ "$preset" = product ] || { [ "$preset" = release ] && [ $# -eq 0 ]; }; then
    say "   build/release/bin/ym, with ym-supervisor and ym-task beside it"
  fi
}

# What `tools/dev build PRESET` needs to be installed.
build_needs() { [ "$1" != product ] || echo product; }
