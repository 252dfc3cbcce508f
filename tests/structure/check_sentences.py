"""Every section of tests/sentences.txt is of a test that exists."""

import re
import sys

import tree

TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", re.MULTILINE)

ADVICE = """
A section is written by its test (src/base/testing/sentences.h). When a test is renamed or removed,
take its section out, and write the new one with YM_WRITE_SENTENCES=1.
"""


def tests(root):
    found = set()
    for path in tree.files(root, ["src", "tests", "bench"], {".cc"}):
        found.update(TEST.findall((root / path).read_text(encoding="utf-8")))
    return found


def check(root):
    known = tests(root)
    found = []
    for number, line in enumerate((root / "tests/sentences.txt").read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith(("#", "  ")):
            continue
        # "spec Suite.Name", or "spec Instance/Suite.Name/0" of a test with parameters.
        suite, _, name = line.partition(" ")[2].partition(".")
        if (suite.rpartition("/")[2], name.partition("/")[0]) not in known:
            found.append(f"tests/sentences.txt:{number}: there is no test {line}")
    return found


if __name__ == "__main__":
    sys.exit(tree.report(check(tree.arguments(__doc__).root), ADVICE))
