"""What the structure checks share: the files of the tree, and how findings are told."""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPP_FOLDERS = ("src", "apps", "tests", "bench", "demo", "cmake")
SKIPPED = {"build", "__pycache__", "node_modules", ".git"}


def files(root, folders, suffixes):
    """Files below `folders` of `root` with one of the suffixes, as sorted relative paths."""
    found = []
    for folder in folders:
        for path in (pathlib.Path(root) / folder).rglob("*"):
            relative = path.relative_to(root)
            if path.suffix in suffixes and path.is_file() and not SKIPPED & set(relative.parts):
                found.append(relative)
    return sorted(found)


def cpp_files(root):
    return files(root, CPP_FOLDERS, {".h", ".cc"})


def includes(text):
    """(line number, header, quoted) of each #include in `text`."""
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(2), match.group(1) == '"'


def arguments(description, *extra):
    """Parses --root and the options in `extra`, pairs of (name, help)."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    for name, text in extra:
        parser.add_argument(name, help=text, required=True)
    return parser.parse_args()


def report(findings, advice):
    """Prints the findings and what to do about them; the exit status."""
    for finding in findings:
        print(finding)
    if findings:
        print(f"\n{len(findings)} found. {advice.strip()}")
    return 1 if findings else 0


def main(findings, advice):
    sys.exit(report(findings, advice))
