"""Every header compiles alone: includes what it uses, works in whatever order it is included.

The build has one tiny source a header (target `headers_alone`); only those whose header
changed are compiled again.
"""

import re
import subprocess
import sys

import tree

ADVICE = """
Include in a header all that it names itself (and only that): whoever includes it should not have to
know what else it needs. The precompiled headers of the build hide what is missing; this check does
without them.
"""


def findings(output):
    """The first error of each header in the output of the build."""
    found = {}
    for line in output.splitlines():
        match = re.match(r"(?:\.\./)*(\S+?\.h):(\d+):\d+: (?:fatal )?error: (.*)", line)
        if match:
            name = match.group(1).split("/src/")[-1]
            found.setdefault(name, f"{name}:{match.group(2)}: {match.group(3)}")
    return list(found.values())


def main():
    options = tree.arguments(__doc__, ("--build", "the build folder"))
    run = subprocess.run(["ninja", "-C", options.build, "-k", "0", "headers_alone"], capture_output=True, text=True)
    found = findings(run.stdout)
    if run.returncode != 0 and not found:
        found = [run.stdout[-4000:] + run.stderr[-1000:]]
    sys.exit(tree.report(found, ADVICE))


if __name__ == "__main__":
    main()
