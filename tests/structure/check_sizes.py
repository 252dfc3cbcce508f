"""A ratchet on the length of files and functions.

Short is free. Between the soft and the hard limit a length has to stand in sizes.txt,
where it may only fall; above the hard limit nothing passes. `--update` writes down what
became shorter; it never allows anything to grow.
"""

import argparse
import ast
import pathlib
import sys

import cpp_functions
import tree

LIMITS = {"file": (400, 600), "function": (40, 60)}  # soft, hard; in lines
LEDGER = pathlib.Path("tests/structure/sizes.txt")
HEADER = """\
# Files above 400 lines and functions above 40, each with the length that it may not exceed.
# Lengths only fall here (`tools/dev ratchet` writes that down). A new line is a decision: it
# wants a reason in its commit, such as that the thing reads straight down.
"""

ADVICE = """
What to do instead of making it longer: in a file, look for a second subject that has a name of its
own and give it a header and a source beside this one; in a function, name the steps (a screenful
that reads as a list of named steps is the aim), or turn a chain of cases into a table or a variant's
visitor. What reads straight down and has no seam may be entered in tests/structure/sizes.txt, up to
the hard limit, with a reason in the commit.
"""


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def measure(root):
    """(kind, path, name) -> (length, line) of everything above a soft limit."""
    sizes = {}
    paths = tree.cpp_files(root) + tree.files(root, ["tests", "tools", "demo", "cmake", "sdk", "bench", "deploy"], {".py", ".sh", ".cmake"})
    for path in paths:
        text = (root / path).read_text(encoding="utf-8")
        entries = [("file", "-", 1, len(text.splitlines()))]
        if path.suffix in (".h", ".cc"):
            entries += [("function", *entry) for entry in cpp_functions.functions(text)]
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
    return f"{file}" if kind == "file" else f"{file}:{line}: {name}"


def check(root):
    sizes, ledger, found = measure(root), read_ledger(root), []
    for key, (length, line) in sorted(sizes.items()):
        soft, hard = LIMITS[key[0]]
        if length > hard:
            found.append(f"{what(key, line)} has {length} lines; a {key[0]} may have {hard} at the very most")
        elif key not in ledger:
            found.append(f"{what(key, line)} has {length} lines; a {key[0]} should have at most {soft}")
        elif length > ledger[key]:
            found.append(f"{what(key, line)} grew from {ledger[key]} to {length} lines; lengths only fall")
    for key, length in sorted(ledger.items()):
        if sizes.get(key, (0, 0))[0] < length:
            found.append(f"{what(key, 0)} became shorter than {length} lines: well done; run `tools/dev ratchet`")
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
