"""Documents for users, and sources, have none of the idioms of words.txt: plain words, and the field's terms. Names in C++
have none of the words of names.txt."""

import pathlib
import re
import sys

import sentences
import tree

WORDS = pathlib.Path(__file__).with_name("words.txt")
NAMES = pathlib.Path(__file__).with_name("names.txt")
NAMED = ("apps", "bench", "src", "tests")
# It has the words of the literature.
NOT_NAMED = pathlib.PurePath("bench/papers")
DOCUMENTS = ("README.md", "docs/glossary.md")
FOLDERS = ("docs/guide",)
# Folders whose comments and messages are held to the list, tests aside. The tuple grows; nothing leaves it.
SOURCES = (
    "bench/cycles", "bench/shapes", "src/api", "src/base", "src/cli", "src/control", "src/engine", "src/executor", "src/model", "src/net",
    "src/recording", "src/sim", "src/spec", "src/store", "src/study", "apps", "sdk")

ADVICE = """
Short sentences: subject, verb, object, in the active voice; one instruction a sentence; the number with its unit. A job is "it".
Terms: docs/glossary.md. If the words are right all the same, as in a quoted name or message, put them into `code`.
"""


def entries(text):
    """(what is listed, advice) of each line of a list."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        listed, arrow, advice = line.partition(" => ")
        if not arrow or not advice.strip():
            raise ValueError(f"line {number} of the list has no ' => ' and what to write instead")
        yield listed, advice.strip()


def idioms(text):
    """(pattern, advice) of each line of words.txt."""
    found = []
    for pattern, advice in entries(text):
        # A line may break between two words.
        words = pattern.replace(" ", r"\s+")
        found.append((re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE), advice))
    return found


def parts(name):
    return {part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def prose(text):
    """The text with blanks in place of code, quotations and targets of links; lines stay where they are."""
    lines, fenced, after_blank, indented = [], False, True, False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        if line.strip():
            indented = line.startswith("    ") and (indented or after_blank)
        lines.append("" if fence or fenced or indented else line)
        fenced ^= fence
        after_blank = not line.strip()
    text = "\n".join(lines)
    text = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", blank, text, flags=re.DOTALL)
    text = re.sub(r"\"[^\"\n]{20,}\"", blank, text)  # what a program prints
    return re.sub(r"\]\([^)]*\)", blank, text)


def documents(root):
    return [path for path in map(pathlib.Path, DOCUMENTS) if (root / path).is_file()] + tree.files(root, FOLDERS, {".md"})


def is_test(path):
    return (path.stem.endswith("_test") or path.name.startswith("test_")
            or not {"testing", "tests"}.isdisjoint(path.parts))


def sources(root):
    return [path for path in tree.files(root, SOURCES, {".h", ".cc", ".py"}) if not is_test(path)]


def texts(root):
    """(path, its sentences) of each file."""
    for path in documents(root):
        yield path, prose((root / path).read_text(encoding="utf-8"))
    for path in sources(root):
        yield path, sentences.of_source(path, (root / path).read_text(encoding="utf-8"))


def check(root, words=None):
    found = []
    listed = idioms(WORDS.read_text(encoding="utf-8") if words is None else words)
    for path, text in texts(root):
        for pattern, advice in listed:
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                found.append((path, line, f"{path}:{line}: '{' '.join(match.group().split())}'; write {advice}"))
    return [finding for _, _, finding in sorted(found)]


def check_names(root, names=None):
    listed = {word: advice for words, advice in entries(NAMES.read_text(encoding="utf-8") if names is None else names)
              for word in words.split()}
    found = []
    for path in tree.files(root, NAMED, {".h", ".cc"}):
        if NOT_NAMED in path.parents:
            continue
        code = sentences.without_sentences((root / path).read_text(encoding="utf-8"))
        for name in sorted(set(re.findall(r"[A-Za-z_]\w*", code)) | {path.stem}):
            found += [f"{path}: `{name}`; write {listed[part]}" for part in sorted(parts(name) & listed.keys())]
    return found


if __name__ == "__main__":
    at = tree.arguments(__doc__).root
    sys.exit(tree.report(check(at) + check_names(at), ADVICE))
