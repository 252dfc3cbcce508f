"""clang-tidy on what changed: uncommitted files and those that differ from the base.

The base is YM_TIDY_BASE, or where this branch left the remote's main branch, or the commit
before this one. What changed most comes first, tests last, and the number is bounded, so that
the check takes two minutes at most; `--all` looks at everything. The closing line says how many
of the changed files were looked at, and which the base was.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import batches
import tree

MOST_FILES = 60

ADVICE = """
Each finding names its check in brackets. Mend the code; if a check is wrong about a line, say so
there with `// NOLINT(check): why`; if it is wrong about this project, .clang-tidy is the place, with
a reason. `tools/dev tidy` runs this alone.
"""


def git(root, *arguments):
    run = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else None


def base_commit(root):
    """The commit (None: there is none, everything is new), and in words which one it is."""
    if os.environ.get("YM_TIDY_BASE"):
        return os.environ["YM_TIDY_BASE"], f"{os.environ['YM_TIDY_BASE']} (YM_TIDY_BASE)"
    head = git(root, "rev-parse", "HEAD")
    for remote in ("origin/main", "origin/master"):
        base = git(root, "merge-base", "HEAD", remote)
        if base and base != head:
            return base, f"{base[:12]} (where this branch left {remote})"
    before = git(root, "rev-parse", "--verify", "--quiet", "HEAD~1")
    return before, f"{before[:12]} (the commit before this one)" if before else "the beginning"


def changed(root, base):
    """C++ files that differ from the commit `base`, those with most changed lines first, tests last."""
    lines = {}
    for row in (git(root, "diff", "--numstat", base or "HEAD") or "").splitlines():
        added, _, name = row.split("\t")
        lines[name] = int(added) if added.isdigit() else 0
    for name in (git(root, "ls-files", "-o", "--exclude-standard") or "").splitlines():
        lines[name] = (root / name).read_bytes().count(b"\n")
    if base is None:  # a single commit, or a shallow clone: everything is new
        lines.update({str(path): 1 for path in tree.cpp_files(root) if str(path) not in lines})
    known = {str(path) for path in tree.cpp_files(root)}
    return sorted(known & set(lines), key=lambda name: (name.endswith("_test.cc"), -lines[name], name))


def flags_of(command):
    """The flags of a compiler's command line, without the compiler, what it reads and what it writes."""
    words = shlex.split(command)
    while not os.path.basename(words.pop(0)).startswith("clang++"):
        pass
    flags = []
    while words:
        word = words.pop(0)
        if word == "-o":
            words.pop(0)
        elif word != "-c" and not word.endswith((".cxx", ".cc")):
            flags.append(word)
    return flags


def compiled_as(root, build):
    """File -> the source through which it is looked at, and its flags where the compilation database has it only as a
    part of a batch (cmake/Targets.cmake)."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        source = pathlib.Path(entry["directory"], entry["file"]).resolve()
        text = str(source)
        if source.is_relative_to(build.resolve()):
            header = re.search(r"/headers_alone/(.+\.h)\.cc$", text)
            if header:
                found["src/" + header.group(1)] = (text, None)
            elif "/Unity/" in text:
                for part in batches.sources_of(source):
                    if pathlib.Path(part).is_relative_to(root.resolve()):
                        found[str(pathlib.Path(part).relative_to(root.resolve()))] = (part, flags_of(entry["command"]))
        elif source.is_relative_to(root.resolve()):
            found[str(source.relative_to(root.resolve()))] = (text, None)
    return found


def look(build, source, flags):
    how = ["-p", str(build), source] if flags is None else [source, "--", *flags]
    run = subprocess.run(["clang-tidy-19", "--quiet", *how], capture_output=True, text=True)
    text = "\n".join(line for line in run.stdout.splitlines() if line.strip())
    failed = run.returncode != 0 or re.search(r": (warning|error): ", text)
    return (text or run.stderr.strip()[-2000:]) if failed else None


def closing_line(looked_at, found, since):
    """`since`: None if not only changed files were meant."""
    if since is None:
        return f"{looked_at} files looked at"
    partly = "" if looked_at == found else ", so partly: those that changed most (tools/dev tidy --all looks at every file)"
    return f"{looked_at} of {found} changed files looked at{partly}; changed since {since}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=tree.ROOT)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build folder")
    parser.add_argument("--all", action="store_true", help="every file")
    options = parser.parse_args()
    sources = compiled_as(options.root, options.build)
    base, since = (None, None) if options.all else base_commit(options.root)
    names = sorted(sources) if options.all else changed(options.root, base)
    found = list({sources[name][0]: sources[name] for name in names if name in sources}.values())
    chosen = found if options.all else found[:MOST_FILES]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        outcomes = list(pool.map(lambda each: look(options.build, *each), chosen))
    print(closing_line(len(chosen), len(found), since))
    sys.exit(tree.report([text for text in outcomes if text], ADVICE))


if __name__ == "__main__":
    main()
