"""A ratchet on the length of files and functions, on parameters, on what a class offers, and on chains of includes.

Small is free. Between the soft and the hard limit a number has to stand in sizes.txt, where it may only fall; above
the hard limit nothing passes. `--update` writes down what became smaller; it never allows anything to grow.
"""

import argparse
import ast
import pathlib
import re
import sys

import cpp_functions
import tree

# soft, hard, of what
LIMITS = {"file": (400, 600, "lines"), "function": (40, 60, "lines"), "parameters": (5, 8, "parameters"),
          "class": (25, 65, "public functions"), "includes": (18, 26, "headers in a row")}
LEDGER = pathlib.Path("tests/structure/sizes.txt")
HEADER = """\
# What is above a soft limit of check_sizes.py, each with the number that it may not exceed: lines of files and
# functions, parameters, public functions of a class, headers that include each other in a row.
# Numbers only fall here (`tools/dev ratchet` writes that down). A new line is a decision: it wants a reason in its
# commit, such as that the thing reads straight down.
"""

ADVICE = """
What to do instead of making it longer: in a file, look for a second subject that has a name of its
own and give it a header and a source beside this one; parameters that go together are a struct; a class that offers much is two; in a function, name the steps (a screenful
that reads as a list of named steps is the aim), or turn a chain of cases into a table or a variant's
visitor. What reads straight down and has no seam may be entered in tests/structure/sizes.txt, up to
the hard limit, with a reason in the commit.
"""


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def include_depths(root):
    """path -> how many headers of ours include each other in a row, at most, from the header on."""
    includes = {}
    for path in tree.files(root, ["src"], {".h"}):
        text = (root / path).read_text(encoding="utf-8")
        includes[str(path)] = [f"src/{name}" for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)]
    depths = {}

    def depth(name, above=()):
        if name not in depths and name not in above:
            below = [depth(inner, (*above, name)) for inner in includes.get(name, []) if inner in includes]
            depths[name] = 1 + max(below, default=0)
        return depths.get(name, 0)

    return {name: depth(name) for name in includes}


def cpp_entries(text):
    for name, line, length, parameters in cpp_functions.functions_with_parameters(text):
        yield "function", name, line, length
        yield "parameters", name, line, parameters
    for name, line, number in cpp_functions.classes(text):
        yield "class", name, line, number


def measure(root):
    """(kind, path, name) -> (length, line) of everything above a soft limit."""
    sizes = {("includes", path, "-"): (depth, 1) for path, depth in include_depths(root).items() if depth > LIMITS["includes"][0]}
    paths = tree.cpp_files(root) + tree.files(root, ["tests", "tools", "demo", "cmake", "sdk", "bench", "deploy"], {".py", ".sh", ".cmake"})
    for path in paths:
        text = (root / path).read_text(encoding="utf-8")
        entries = [("file", "-", 1, len(text.splitlines()))]
        if path.suffix in (".h", ".cc"):
            entries += cpp_entries(text)
        elif path.suffix == ".py":
            entries += [("function", *entry) for entry in python_functions(text)]
        for kind, name, line, length in entries:
            key = (kind, str(path), name)
            if length > LIMITS[kind][0] and length > sizes.get(key, (0, 0))[0]:
                sizes[key] = (length, line)
    return sizes


def read_ledger(root):
    ledger = {}
    path = root / LEDGER
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        if line.strip() and not line.startswith("#"):
            kind, length, file, name = line.split(maxsplit=3)
            ledger[(kind, file, name)] = int(length)
    return ledger


def write_ledger(root, ledger):
    lines = [f"{kind} {length} {file} {name}\n" for (kind, file, name), length in sorted(ledger.items())]
    (root / LEDGER).write_text(HEADER + "".join(lines), encoding="utf-8")


def what(key, line):
    kind, file, name = key
    return f"{file}" if name == "-" else f"{file}:{line}: {name}"


def check(root):
    sizes, ledger, found = measure(root), read_ledger(root), []
    for key, (length, line) in sorted(sizes.items()):
        soft, hard, unit = LIMITS[key[0]]
        if length > hard:
            found.append(f"{what(key, line)} has {length} {unit}; {hard} at the very most")
        elif key not in ledger:
            found.append(f"{what(key, line)} has {length} {unit}; it should have at most {soft}")
        elif length > ledger[key]:
            found.append(f"{what(key, line)} grew from {ledger[key]} to {length} {unit}; numbers only fall")
    for key, length in sorted(ledger.items()):
        if sizes.get(key, (0, 0))[0] < length:
            found.append(f"{what(key, 0)} is below {length} {LIMITS[key[0]][2]} now: well done; run `tools/dev ratchet`")
    return found


def update(root):
    sizes = measure(root)
    write_ledger(root, {key: min(length, sizes[key][0]) for key, length in read_ledger(root).items() if key in sizes})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=tree.ROOT)
    parser.add_argument("--update", action="store_true", help="write down what became shorter")
    options = parser.parse_args()
    if options.update:
        update(options.root)
    else:
        sys.exit(tree.report(check(options.root), ADVICE))


if __name__ == "__main__":
    main()
