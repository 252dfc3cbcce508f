"""Which test programs a change asks for under sanitizers: those of the libraries that changed, and of those that depend on them.

Says their targets, one a line; and on stderr why. What depends on what is read from `targets.tsv`, which CMake
writes (cmake/Targets.cmake). Of libraries that only depend on what changed, those in USUAL are taken: they compute and
need no lab. `tools/dev check` runs everything under sanitizers.
"""

import argparse
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/structure"))

import check_tidy  # noqa: E402  (it knows what a change is compared with)

USUAL = re.compile(r"(model|engine|control|store|store_memory|store_rows|store_sqlite|store_postgres)_test")
# If these are missing, USUAL no longer means what it says.
USUAL_AT_LEAST = {"engine_test", "model_test", "control_test", "store_memory_test", "store_sqlite_test", "store_postgres_test"}
# A change to one of these is a change to everything; so is one to a file in src/ or apps/ that belongs to no library.
EVERYTHING = ("CMakeLists.txt", "CMakePresets.json", "cmake/", "tools/debian-packages", "tools/lib/test.sh", "tools/lib/sanitized.py",
              "src/", "apps/")


class Graph:
    """The targets of the build: what each uses, and whose each file is."""

    def __init__(self, rows, root):
        self.uses, self.owners = {}, {}
        for target, folder, links, interface_links, dependencies, sources in rows:
            self.uses[target] = set(re.findall(r"\bym[\w-]*", f"{links} {interface_links} {dependencies}"))
            self.uses[target] |= set(re.findall(r"TARGET_OBJECTS:([\w-]+)", sources))
            own = self.relative(folder, root)
            self.own(own, target)
            for source in sources.split():
                place = self.relative(pathlib.Path(folder, source), root)
                if place is not None:
                    self.own(place, target)
                    # Of tests/NAME/ all belongs to who has sources in it: what they include and read.
                    if place.parts[0] == "tests" and len(place.parts) > 2:
                        self.own(pathlib.Path(*place.parts[:2]), target)

    @staticmethod
    def relative(path, root):
        path = pathlib.Path(path)
        return path.relative_to(root) if path.is_relative_to(root) else None

    def own(self, place, target):
        if place is not None and place != pathlib.Path("."):
            self.owners.setdefault(place, set()).add(target)

    def owners_of(self, file):
        """Of itself, or of the nearest folder around it. A header belongs to all targets of its folder."""
        for place in (pathlib.Path(file), *pathlib.Path(file).parents):
            if place in self.owners:
                return self.owners[place]
        return set()

    def closure(self, target):
        seen, left = set(), [target]
        while left:
            one = left.pop()
            if one in self.uses and one not in seen:
                seen.add(one)
                left += self.uses[one]
        return seen

    def tests(self):
        return {target for target in self.uses if target.endswith("_test") and not target.endswith("_link_test")}


def read_graph(build, root=ROOT):
    lines = (build / "targets.tsv").read_text(encoding="utf-8").splitlines()
    return Graph([(line + "\t" * 5).split("\t")[:6] for line in lines], root)


def usual(graph):
    return {test for test in graph.tests() if USUAL.fullmatch(test)}


def chosen(graph, files):
    """(test programs, why in words). `files`: what changed; None: it is not known."""
    if files is None:
        return usual(graph), "what changed is not known: all of the usual ones"
    changed = set()
    for file in files:
        owners = graph.owners_of(file)
        if not owners and file.startswith(EVERYTHING) and not file.endswith(".md"):
            return usual(graph), f"{file} changed: all of the usual ones"
        if not file.endswith(".md"):
            changed |= owners
    tests = graph.tests() & (changed | {target.removeprefix("ym_") + "_test" for target in changed})
    tests |= {test for test in usual(graph) if graph.closure(test) & changed}
    libraries = sorted(target.removeprefix("ym_") for target in changed if not target.endswith("_test"))
    return tests, f"changed: {', '.join(libraries) or 'no library'}"


def changed_files(root):
    base, words = check_tidy.base_commit(root)
    # Without a branch point only the last of several new commits would count.
    if not os.environ.get("YM_TIDY_BASE") and "where this branch left" not in words:
        return None, ""
    differs = check_tidy.git(root, "diff", "--name-only", "--no-renames", base) if base else None
    if differs is None:
        return None, "the beginning"
    # A deleted file counts as well: who had it is linked anew.
    new = check_tidy.git(root, "ls-files", "-o", "--exclude-standard") or ""
    return sorted({*differs.splitlines(), *new.splitlines()}), words


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a build folder that is configured")
    options = parser.parse_args()
    graph = read_graph(options.build)
    missing = USUAL_AT_LEAST - graph.tests()
    if missing:
        sys.exit(f"the sanitizer run expects {', '.join(sorted(missing))}: was a library renamed? See tools/lib/sanitized.py")
    files, since = (None, "") if os.environ.get("YM_SANITIZE_ALL") == "1" else changed_files(ROOT)
    tests, why = chosen(graph, files)
    print(f"{why}{f', since {since}' if since else ''}. Under sanitizers: {', '.join(sorted(tests)) or 'nothing'}", file=sys.stderr)
    for test in sorted(tests):
        print(test)


if __name__ == "__main__":
    main()
