"""Every C++ file is as clang-format-19 writes it."""

import subprocess
import sys

import tree

ADVICE = "Run `tools/dev format`; what it does is not up for debate, so nobody has to think of it."


def check(root):
    names = [str(root / name) for name in tree.cpp_files(root)]
    if not names:
        return []
    run = subprocess.run(["clang-format-19", "--dry-run", "-Werror", "--ferror-limit=1", *names],
                         capture_output=True, text=True)
    lines = [line for line in run.stderr.splitlines() if "[-Wclang-format-violations]" in line]
    if run.returncode != 0 and not lines:
        lines = [run.stderr.strip() or f"clang-format-19 ended with {run.returncode}"]
    return lines


if __name__ == "__main__":
    sys.exit(tree.report(check(tree.arguments(__doc__).root), ADVICE))
