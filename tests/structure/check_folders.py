"""Every folder of a library says in a README what it is and has one subject; links in the documents lead somewhere."""

import re
import sys

import check_layering
import tree

MOST_LINES = 60
# Sources and headers of a folder, its tests aside.
MOST_SOURCES = 45

ADVICE = """
A folder's README.md is a few lines: what it is, what it is not, where to start (src/base/README.md
is one). Longer explanations go to docs/design/, rules of use into headers. A folder that has too many
sources has several subjects: give one of them a folder of its own (of the same library).
"""


def folders(root):
    return sorted({path.parent for path in tree.files(root, ["src", *check_layering.OUTSIDE], {".h", ".cc"})})


def readme_findings(root):
    found = []
    for folder in folders(root):
        readme = root / folder / "README.md"
        if not readme.is_file():
            found.append(f"{folder}: has no README.md")
            continue
        lines = readme.read_text(encoding="utf-8").strip().splitlines()
        if len(lines) < 3:
            found.append(f"{folder}/README.md: says too little to help anybody")
        if len(lines) > MOST_LINES:
            found.append(f"{folder}/README.md: {len(lines)} lines; a reader wants at most {MOST_LINES}")
    return found


def size_findings(root):
    found = []
    for folder in folders(root):
        if folder.parts[0] != "src":
            continue
        sources = [path for path in (root / folder).iterdir()
                   if path.suffix in {".h", ".cc"} and not path.stem.endswith("_test")]
        if len(sources) > MOST_SOURCES:
            found.append(f"{folder}: has {len(sources)} sources; at most {MOST_SOURCES} are allowed")
    return found


def link_findings(root):
    found = []
    documents = [path for path in root.glob("*.md")]
    documents += [root / path for path in tree.files(root, ["docs", "src", "apps", "demo", "tests", "sdk", "bench", "deploy"], {".md"})]
    for document in documents:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:", target) and not (document.parent / target).exists():
                found.append(f"{document.relative_to(root)}: the link to {target} leads nowhere")
    return found


def check(root):
    return readme_findings(root) + size_findings(root) + link_findings(root)


if __name__ == "__main__":
    sys.exit(tree.report(check(tree.arguments(__doc__).root), ADVICE))
