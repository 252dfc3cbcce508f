"""Every header compiles alone: includes what it uses, works in whatever order it is included.

The build has one tiny source a header, which includes it twice; only those whose header changed
are compiled again. Headers that include the same costly ones share these, precompiled (header_groups.py).
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

import header_groups
import tree

ADVICE = """
Include in a header all that it names itself (and only that): whoever includes it should not have to
know what else it needs. The precompiled headers of the build hide what is missing; this check does
without what the header does not include.
"""

RULES = """\
rule shared
  command = $compiler -x c++-header -Xclang -fno-pch-timestamp -MD -MF $out.d $in -o $out
  depfile = $out.d
rule alone
  command = $compiler $with -fsyntax-only -MD -MF $out.d -MT $out $in && touch $out
  depfile = $out.d
"""


def compiled(build):
    """(compiler and flags, {header: its source}), as the build has them."""
    flags, sources = None, {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        header = re.search(r"/headers_alone/(.+\.h)\.cc$", entry["file"])
        if not header:
            continue
        sources[header.group(1)] = entry["file"]
        if flags is None:
            words = shlex.split(entry["command"])
            start = next(i for i, word in enumerate(words) if "clang++" in word)
            flags = shlex.join(words[start:words.index("-o")])
    return flags, sources


def write(path, text):
    """Only if it says something else: what depends on it is made again otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def write_build(folder, compiler, groups, sources):
    """A build file in `folder` for all of `sources`."""
    lines = [f"compiler = {compiler}", RULES]
    for roots, headers in sorted(groups.items()):
        shared = "-".join(re.sub(r"\W", "_", root) for root in roots) + ".h"
        if roots:
            write(folder / "shared" / shared, "".join(f"#include <{root}>\n" for root in roots))
            lines.append(f"build shared/{shared}.pch: shared shared/{shared}")
        for header in sorted(set(headers) & set(sources)):
            needs = f" | shared/{shared}.pch" if roots else ""
            lines.append(f"build {header}.ok: alone {sources[header]}{needs}")
            lines.append(f"  with = -include-pch shared/{shared}.pch" if roots else "  with =")
            (folder / header).parent.mkdir(parents=True, exist_ok=True)
    write(folder / "build.ninja", "\n".join(lines) + "\n")


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
    build = pathlib.Path(options.build).resolve()
    compiler, sources = compiled(build)
    folder = build / "headers_alone" / "checked"
    write_build(folder, compiler, header_groups.groups(options.root / "src"), sources)
    run = subprocess.run(["ninja", "-C", str(folder), "-k", "0"], capture_output=True, text=True)
    found = findings(run.stdout)
    if run.returncode != 0 and not found:
        found = [run.stdout[-4000:] + run.stderr[-1000:]]
    sys.exit(tree.report(found, ADVICE))


if __name__ == "__main__":
    main()
