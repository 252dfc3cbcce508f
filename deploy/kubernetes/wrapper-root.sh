#!/bin/sh
# Lays out the root of the image that brings ym-task to pods.
#
#   wrapper-root.sh BIN_DIR ROOT     BIN_DIR holds ym-task; ROOT is made, and must be new or empty
#
# In it: /ym-tools with the program, the loader and every library that ym-task needs; and a static busybox, whose
# only task is to copy that folder into the pod (an init container does so).
set -eu
[ $# = 2 ] || { sed -n '2,7p' "$0" >&2; exit 2; }
bin=$1 root=$2
busybox=$(command -v busybox) || { echo "wrapper-root.sh: needs busybox-static" >&2; exit 1; }
if ldd "$busybox" > /dev/null 2>&1; then echo "wrapper-root.sh: $busybox is not static: install busybox-static" >&2; exit 1; fi
if [ -e "$root" ] && [ -n "$(ls -A "$root")" ]; then echo "wrapper-root.sh: $root is not empty" >&2; exit 1; fi

mkdir -p "$root/bin" "$root/ym-tools" "$root/tmp"
chmod 1777 "$root/tmp"
install -m 755 "$busybox" "$root/bin/busybox"
ln -s busybox "$root/bin/sh"
ln -s busybox "$root/bin/cp"

install -m 755 "$bin/ym-task" "$root/ym-tools/ym-task"
# "libx.so.1 => /lib/libx.so.1 (0x..)", and for the loader "/lib64/ld-linux-x86-64.so.2 (0x..)"
ldd "$bin/ym-task" | sed -n 's/^.*=> \(\/[^ ]*\) (.*$/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\) (.*$/\1/p' |
  while read -r library; do install -m 755 "$library" "$root/ym-tools/$(basename "$library")"; done
if ldd "$bin/ym-task" | grep -q 'not found'; then echo "wrapper-root.sh: ym-task misses a library" >&2; exit 1; fi
