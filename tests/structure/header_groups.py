"""Which headers share a precompiled one while each is compiled alone.

A header that has ROOT among all that it includes, near or far, is compiled just as alone with
ROOT precompiled: nothing is there that would not be there anyway. Only the order of its includes
is not tried, and each of those is compiled alone itself.
"""

import functools

import tree

# Much included, and costly to read. A root that another root includes comes before it.
ROOTS = (
    "string", "vector", "functional", "chrono", "gtest/gtest.h", "boost/json/value.hpp", "base/result.h",
    "model/job.h", "model/event.h", "executor/executor.h", "engine/plan.h", "store/store.h", "engine/engine.h",
    "engine/state/impl.h", "control/command.h", "control/serve/reads.h",
)
# Fewer headers than this are not worth a precompiled one of their own.
LEAST = 4


def groups(folder):
    """{roots to precompile: the headers of `folder` that are compiled with them}"""
    direct = {
        path.relative_to(folder).as_posix(): [name for _, name, _ in tree.includes(path.read_text())]
        for path in sorted(folder.rglob("*.h"))
    }

    @functools.cache
    def reached(header):
        found = set(direct.get(header, ()))
        return frozenset(found.union(*(reached(name) for name in found if name != header)))

    def roots_of(header):
        return tuple(root for root in ROOTS if root in reached(header))

    def outermost(roots):
        return tuple(root for root in roots if not any(root in reached(other) for other in roots))

    wanted = {header: outermost(roots_of(header)) for header in direct}
    shared = [key for key in set(wanted.values()) if list(wanted.values()).count(key) >= LEAST]
    found = {}
    for header, key in wanted.items():
        if key not in shared:  # the largest part of it that others share too
            parts = [other for other in shared if set(other) <= set(roots_of(header))]
            key = max(parts, key=lambda part: (max((ROOTS.index(root) for root in part), default=-1), part), default=())
        found.setdefault(key, []).append(header)
    return found
