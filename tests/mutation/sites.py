"""Where the engine can be made wrong: each comparison, sign and connective of its sources, turned around."""

import hashlib
import pathlib
import re
from dataclasses import dataclass

# What stands between spaces is an operator here: clang-format sees to it, and leaves templates without.
TURNED = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ", " + ": " - ",
          " - ": " + ", " && ": " || ", " || ": " && ", " += ": " -= ", " -= ": " += "}
OPERATOR = re.compile("|".join(re.escape(operator) for operator in sorted(TURNED, key=len, reverse=True)))

# Assertions hold for nobody's benefit but the programmer's; what only reserves memory changes nothing.
LEFT_OUT = re.compile(r"YM_ASSERT|\.reserve\(|static_assert|^\s*//|^#|operator")


@dataclass(frozen=True)
class Site:
    file: str  # below the source tree
    line: int  # from 1
    column: int
    operator: str
    text: str  # of the line, as it stands

    @property
    def name(self):
        return f"{self.file}: {self.text.strip()} [{self.operator.strip()} -> {TURNED[self.operator].strip()}]"

    def mutated(self, source):
        lines = source.split("\n")
        before = lines[self.line - 1]
        lines[self.line - 1] = before[:self.column] + TURNED[self.operator] + before[self.column + len(self.operator):]
        return "\n".join(lines)


def sites_of(root, path):
    for number, line in enumerate((root / path).read_text().split("\n"), 1):
        code = line.split("//")[0]
        if LEFT_OUT.search(line) or '"' in code:
            continue
        for found in OPERATOR.finditer(code):
            yield Site(str(path), number, found.start(), found.group(), line)


def all_sites(root):
    """Of all of the engine, in an order that is the same everywhere and has nothing to do with where they stand."""
    files = sorted(path.relative_to(root) for path in (pathlib.Path(root) / "src/engine").rglob("*.cc")
                   if not path.name.endswith("_test.cc"))
    found = [site for path in files for site in sites_of(pathlib.Path(root), path)]
    return sorted(found, key=lambda site: (hashlib.sha256(site.name.encode()).hexdigest(), site.line, site.column))
