"""Whether the engine's tests notice when it is made wrong.

Flips comparisons and signs of src/engine one at a time, compiles the file that changed, with its batch, links the
engine's tests with it and runs them: they have to fail. Nothing in the source tree is touched.

    check_mutants.py --build build/release                  three of the list, in turn by the number of commits
    check_mutants.py --build build/release --whole          all of the list: 95 % have to be caught
    check_mutants.py --build build/release --search COUNT   tries so many sites; writes the list anew
    check_mutants.py --count                                whether enough of the list is there still; builds nothing

The list, mutants.txt, has a line for each site, and what survives says why: it is `equivalent` to the original, so that no
test can tell it apart, and is not counted; or it `survives`, for want of a test. A line of the list whose code has changed is passed over,
and said so; when too few are left, the list has to be drawn anew.
"""

import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import sites

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/structure"))

import batches  # noqa: E402  (the checks of the structure know them, too)

LIST = HERE / "mutants.txt"
IN_TURN = 3
WANTED_PERCENT = 95
FEWEST = 60
# Enough of the random worlds to see what scenarios do not, few enough to be quick.
WORLDS = "400"
# It notices every change, also one that is right.
NOT_COUNTED = "*.SameBytesEverywhere"
LONGEST_S = 240


class Mutants:
    """Builds and runs them in a folder of their own below the build."""

    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        self.folder = self.build / "mutants"
        self.folder.mkdir(exist_ok=True)
        entries = json.loads((self.build / "compile_commands.json").read_text())
        self.compiles = {source: entry for entry in entries if "ym_engine.dir" in entry["command"]
                         for source in batches.sources_of(entry["file"])}
        ninja = subprocess.run(["ninja", "-C", str(self.build), "-t", "commands", "bin/engine_test"], capture_output=True,
                               text=True, check=True)
        self.link = next(line for line in reversed(ninja.stdout.splitlines()) if " -o bin/engine_test " in line)

    def run(self, command, timeout=None, **environment):
        return subprocess.run(command, cwd=self.build, capture_output=True, text=True, shell=isinstance(command, str),
                              env=os.environ | environment, timeout=timeout)

    def object_of(self, site):
        """The object of the mutated file, and the one that it stands for; nothing: it does not compile."""
        entry = self.compiles[str(ROOT / site.file)]
        words = shlex.split(entry["command"])
        source = self.folder / pathlib.Path(site.file).name
        source.write_text(site.mutated((ROOT / site.file).read_text()))
        if "/Unity/" in entry["file"]:
            batch = pathlib.Path(entry["file"]).read_text().replace(f'"{ROOT / site.file}"', f'"{source}"')
            source = self.folder / pathlib.Path(entry["file"]).name
            source.write_text(batch)
        made = self.folder / "mutant.o"
        original = words[words.index("-o") + 1]
        for option in ("-MD", "-MT", "-MF"):
            if option in words:
                at = words.index(option)
                del words[at:at + (1 if option == "-MD" else 2)]
        words[words.index("-o") + 1] = str(made)
        words[words.index(entry["file"])] = str(source)
        words = [word for word in words if word != "-Werror"]
        return (made, pathlib.Path(original).name) if self.run(words).returncode == 0 else None

    def is_caught(self, site):
        """None: it does not compile."""
        found = self.object_of(site)
        if found is None:
            return None
        made, original = found
        library = self.folder / "libym_engine.a"
        shutil.copyfile(self.build / "src/engine/libym_engine.a", library)
        shutil.move(made, self.folder / original)
        self.run(["ar", "r", str(library), str(self.folder / original)])
        program = self.folder / "engine_test"
        link = self.link.replace(" -o bin/engine_test ", f" -o {program} ").replace("src/engine/libym_engine.a", str(library))
        linked = self.run(link.replace(": && ", "", 1).removesuffix(" && :"))
        if linked.returncode != 0:
            raise RuntimeError(f"a mutant does not link:\n{linked.stderr}")
        try:
            return self.run([str(program), "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter=-{NOT_COUNTED}"], LONGEST_S,
                            YM_WORLDS=WORLDS).returncode != 0
        except subprocess.TimeoutExpired:
            return True  # it hangs: that is seen


def listed():
    """(name, why it may survive) of each line; empty: it may not."""
    rows = []
    for line in LIST.read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, why = line.partition("  # ")
            rows.append((name, why))
    return rows


def living(rows):
    """(site, why) of those whose code is there still."""
    by_name = {}
    for site in sites.all_sites(ROOT):
        by_name.setdefault(site.name, site)
    for name, _ in rows:
        if name not in by_name:
            print(f"its code has changed: {name}")
    return [(by_name[name], why) for name, why in rows if name in by_name]


def told_apart(rows):
    return [(site, why) for site, why in rows if not why.startswith("equivalent")]


def in_turn(rows):
    commits = subprocess.run(["git", "-C", str(ROOT), "rev-list", "--count", "HEAD"], capture_output=True, text=True)
    turn = int(commits.stdout.strip() or 0) * IN_TURN
    strict = [row for row in rows if not row[1]]
    return [strict[(turn + i) % len(strict)] for i in range(min(IN_TURN, len(strict)))]


def check(mutants, rows):
    """How many are caught, and which survive that should not."""
    caught, survived = 0, []
    for site, why in rows:
        seen = mutants.is_caught(site)
        print(f"{'caught' if seen else 'SURVIVES'}: {site.name}", flush=True)
        caught += bool(seen)
        if not seen and not why:
            survived.append(site.name)
    return caught, survived


def search(mutants, count):
    known = dict(listed())
    rows = {}
    for site in sites.all_sites(ROOT):
        if len(rows) == count:
            break
        seen = None if site.name in rows else mutants.is_caught(site)
        if seen is None:
            continue
        print(f"{'caught' if seen else 'SURVIVES'}: {site.name}", flush=True)
        rows[site.name] = "" if seen else known.get(site.name) or "survives: no test tells it apart yet"
    head = "# Mutants of the engine that its tests are held to; see check_mutants.py. After two spaces and a # why one survives.\n"
    LIST.write_text(head + "".join(f"{name}  # {why}\n" if why else f"{name}\n" for name, why in rows.items()))


def check_whole(mutants, rows):
    caught, _ = check(mutants, rows)
    asked = len(told_apart(rows))
    percent = 100 * caught / max(1, asked)
    print(f"{caught} of {asked} caught ({percent:.0f} %; {WANTED_PERCENT} % are wanted); "
          f"{len(rows) - asked} are equivalent to the original")
    return percent >= WANTED_PERCENT


def check_in_turn(mutants, rows):
    _, survived = check(mutants, in_turn(rows))
    for name in survived:
        print(f"\nNo test notices this any more: {name}\nAdd the scenario that does.", file=sys.stderr)
    return not survived


def has_enough(rows):
    asked = len(told_apart(rows))
    if asked < FEWEST:
        print(f"{asked} lines of mutants.txt are left that a test can tell apart, {FEWEST} are wanted: "
              "draw it anew with --search", file=sys.stderr)
    return asked >= FEWEST


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=ROOT / "build/release")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--search", type=int)
    options = parser.parse_args()
    if options.search:
        return search(Mutants(options.build), options.search)
    rows = living(listed())
    good = has_enough(rows)
    if not options.count:
        good = (check_whole if options.whole else check_in_turn)(Mutants(options.build), rows) and good
    sys.exit(not good)


if __name__ == "__main__":
    main()
