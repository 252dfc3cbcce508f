"""The package keeps to Python 3.9: its grammar, and what that version's standard library has."""

import ast
import pathlib
import unittest

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "yardmaster"
OLDEST = (3, 9)

# What is imported from each module, all of it in the library reference of 3.9. A name that is new here wants a look
# there ("New in version ..."); attributes of modules are looked at by mypy, which has that library's stubs.
IN_OLDEST = {
    "__future__": {"annotations"},
    "collections": {"deque"},
    "concurrent.futures": {"ThreadPoolExecutor"},
    "dataclasses": {"dataclass", "field", "replace"},
    "functools": {"partial"},
    "pathlib": {"Path"},
    "typing": {
        "Any", "AsyncIterator", "Callable", "Deque", "Dict", "Generator", "Iterable", "Iterator", "List", "Mapping",
        "Optional", "Protocol", "Sequence", "Set", "Tuple", "Type", "TypeVar", "Union", "cast",
    },
}
MODULES_OF_OLDEST = {
    "asyncio", "atexit", "codecs", "datetime", "hashlib", "http.client", "importlib", "json", "logging", "math", "operator",
    "os", "re", "signal", "socket", "ssl", "sys", "threading", "time", "urllib.parse", "uuid", "weakref",
}


def too_new(source):
    """What of an import is not known to be in the oldest Python's library."""
    found = []
    for node in ast.walk(ast.parse(source, feature_version=OLDEST)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name not in MODULES_OF_OLDEST]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            known = IN_OLDEST.get(node.module, ())
            found += [f"{node.module}.{alias.name}" for alias in node.names if alias.name not in known]
    return found


class OldestPythonTest(unittest.TestCase):
    def test_every_file(self):
        files = sorted(PACKAGE.rglob("*.py"))
        self.assertGreater(len(files), 10)
        for path in files:
            with self.subTest(path.name):
                self.assertEqual(too_new(path.read_text(encoding="utf-8")), [])

    def test_what_is_newer_is_seen(self):
        for source in ("match x:\n    case 1:\n        pass\n", "try:\n    pass\nexcept* OSError:\n    pass\n"):
            with self.assertRaises(SyntaxError):
                too_new(source)
        self.assertEqual(too_new("import tomllib\nfrom typing import Any, Self\nfrom .job import Job\n"),
                         ["tomllib", "typing.Self"])


if __name__ == "__main__":
    unittest.main()
