"""Who may include whom. Dependencies point one way: base <- model <- engine <- control <- api."""

import sys

import tree

# Library (a folder with a CMakeLists.txt below src/, or of OUTSIDE) -> what it may include: other
# libraries, or single headers. Its own files are always allowed.
STORE_PORT = "store/store.h"
EXECUTOR_PORT = "executor/executor.h"
TASK_LINK = "executor/task_link.h"
ALLOWED = {
    "base": [],
    "base/testing": ["base"],
    "model": ["base"],
    "model/json": ["base", "model"],
    "model/testing": ["base", "model", "model/json"],
    "engine": ["base", "model"],
    # HTTP to others: of what is said there it knows nothing.
    "net": ["base"],
    "munge": ["base"],
    # The two ports know only the model, so that an implementation needs nothing else.
    "store": ["base", "model"],
    "store/memory": ["base", "model", "store"],
    # What rows hold, whatever database keeps them.
    "store/rows": ["base", "model", "model/json", "store"],
    "store/sqlite": ["base", "model", "model/json", "store", "store/rows"],
    "store/postgres": ["base", "model", "model/json", "store", "store/rows"],
    "store/conformance": ["base", "model", "model/json", "model/testing", "store"],
    "executor": ["base", "model"],
    "executor/conformance": ["base", "model", "executor"],
    "executor/launcher": ["base", "model", "executor"],
    "executor/logs": ["base", "model", "executor"],
    # What user code writes is read where it arrives; the meaning of a report has one reader.
    "executor/local": ["base", "model", "executor", "executor/launcher", "executor/local/attempt", "executor/logs",
                       "executor/local/machine", "spec/progress_report.h"],
    "executor/local/attempt": ["base", "model", "executor"],
    "executor/local/machine": ["base", "model", "executor", "executor/local/attempt"],
    "executor/local/supervisor": ["base", "model", "executor", "executor/local/attempt"],
    "executor/local/testing": ["base", "model", "executor", "executor/conformance", "executor/local", "executor/local/attempt"],
    "executor/simulated": ["base", "model", "executor"],
    "executor/prefixed": ["base", "model", "executor"],
    # Tasks on other machines, and who runs beside them there: it lays out a task's folder as the supervisor wants it.
    "executor/remote": ["base", "model", "model/json", "executor", "executor/launcher", "spec/progress_report.h"],
    "executor/remote/agent": ["base", "model", "net", "executor", "executor/remote", "executor/local/attempt",
                                "executor/local/machine", "executor/local/supervisor/supervisor.h"],
    "executor/remote/testing": ["base", "model", "executor", "executor/remote"],
    "executor/slurm": ["base", "model", "net", "executor", "executor/logs", "executor/remote"],
    "executor/slurm/testing": ["base", "model", "executor", "executor/conformance", "executor/remote",
                               "executor/remote/testing", "executor/slurm"],
    "executor/kubernetes": ["base", "model", "net", "executor", "executor/logs", "executor/remote", "spec/text/value.h"],
    "executor/kubernetes/testing": ["base", "model", "net", "executor", "executor/remote", "executor/remote/testing",
                                    "executor/kubernetes"],
    "executor/kubernetes/testing/pod_host": ["base", "model", "executor", "executor/conformance", "executor/kubernetes",
                                             "executor/kubernetes/testing", "executor/remote/testing"],
    # What others answer, as files, and who plays them; executors are tried against them.
    "executor/testing/recorded_responses": ["base", "model", "executor", "executor/remote", "net/testing/server.h"],
    "executor/testing/recorded_responses/slurm": ["base", "model", "executor", "executor/remote", "executor/testing/recorded_responses",
                                       "executor/slurm"],
    "executor/testing/recorded_responses/kubernetes": ["base", "model", "executor", "executor/remote", "executor/testing/recorded_responses",
                                            "executor/kubernetes"],
    # Control sees ports, never what stands behind them.
    "control": ["base", "model", "engine", STORE_PORT, EXECUTOR_PORT, TASK_LINK],
    # Beside control, not in it: what it is told to write down.
    "recording": ["base", "model", "model/json", "engine", "control"],
    # Old events from the store to files, and what is read of these.
    "archive": ["base", "model", "model/json", "control", STORE_PORT, "store/stored_event.h", "study/options"],
    # Text to model values: needed by api and cli, and by neither engine nor control.
    "spec": ["base", "model", "model/json"],
    # Its texts from files.
    "spec/files": ["base", "model", "spec"],
    # What other schedulers are told, as job files; it writes what spec reads.
    "spec/convert": ["base", "model", "spec"],
    # Identity tokens of others, and the providers that make them: what they say, not what it means here.
    "oidc": ["base", "net", "spec/text/value.h"],
    # Which proofs of others count, and logins on their way. It gives no rights: commands do.
    "login": ["base", "model", "munge", "oidc"],
    "api": ["base", "model", "model/json", "engine", "control", "spec", "login", "oidc/digest.h", "oidc/web.h", STORE_PORT,
            EXECUTOR_PORT, TASK_LINK],
    "api/testing": ["base", "model", "model/json", "engine", "control", "spec", "api", STORE_PORT, EXECUTOR_PORT,
                    TASK_LINK],
    # A client of the HTTP API like any other: nothing of the server's.
    "cli": ["base", "net", "model", "model/json", "spec", "spec/convert", "munge", "study/options", "oidc/digest.h"],
    # The whole of the server on one thread, and what runs there in place of programs.
    "sim": ["base", "model", "engine", "control", "spec", "executor/simulated", STORE_PORT, EXECUTOR_PORT],
    # What history says of what will be asked for.
    "sim/demand": ["base", "model", "sim"],
    # The verbs that answer from recorded work; the command line knows their options alone.
    "study/options": ["base", "model"],
    "study": ["base", "model", "spec", "spec/files", "sim", "sim/demand", "recording", STORE_PORT, "study/options"],
    # Schedulers of the literature, and ours beside them, under the protocols of papers.
    "papers": ["base", "model", "sim"],
    # What none of them can reach; a solver of linear programs comes with it.
    "papers/ceiling": ["base", "model", "sim", "papers"],
    # A whole server with the disk below it: what is tried is that it survives there.
    "fault_injection": ["base", "model", "engine", "control", "archive", "sim", "executor/simulated", "store", "store/sqlite", EXECUTOR_PORT],
}

# Libraries of the table that are not of the product, and so not in src/: what their includes are relative to.
OUTSIDE = {"bench/papers": "bench", "tests/fault_injection": "tests"}

# Tests may use more: the library's own `testing/`, and these. An implementation in memory is what a port is tried with.
ALLOWED_IN_TESTS = {
    "archive": ["store/sqlite", "store", "store/conformance"],
    "control": ["store/memory", "store"],
    "api": ["store/memory", "store", "net"],
    "store/memory": ["store/conformance"],
    "store/rows": ["store/conformance"],
    "store/sqlite": ["store/conformance"],
    "store/postgres": ["store/conformance", "store/memory"],
    "executor/local": ["executor/conformance"],
    "executor/simulated": ["executor/conformance"],
    "executor/remote/agent": ["executor/remote/testing"],
    "executor/slurm": ["executor/conformance", "executor/remote/testing"],
    "executor/kubernetes": ["executor/conformance", "executor/remote/testing"],
    "executor/testing/recorded_responses": ["net"],
    "fault_injection": ["store/conformance/must.h"],
}

# Of these libraries others see only the headers named here; what stands behind them may change
# without anybody's knowing.
PUBLIC_HEADERS = {
    "net": ["net/http_client.h", "net/testing/server.h", "net/url.h", "net/sinks/backoff.h", "net/sinks/sink.h",
            "net/sinks/sink_address.h", "net/sinks/sink_queue.h"],
    "engine": [
        "engine/engine.h",
        "engine/plan.h",
        "engine/reason.h",
        "engine/invariants.h",
        "engine/plan_audit.h",
        "engine/explain/outlook.h",
        "engine/forecast/forecast.h",
        "engine/forecast/policy_diff.h",
        "engine/forecast/deadline_verdict.h", "engine/forecast/sooner.h",
        "engine/forecast/start_trials.h", "engine/forecast/learnt_factor.h",
    ],
}

# Beast and Asio cost seconds for every file that includes them, and their types spread.
# They stay behind plain headers of ours, in these files only; a header among them is
# private: only the others of the list may include it.
ASIO_FILES = {
    "src/api/http/listener.cc",
    "src/api/http/session.cc",
    "src/api/http/session.h",
    "src/api/http/session_exchange.cc",
    "src/api/http/stream.cc",
    "src/api/http/stream.h",
    "src/api/http/unix_socket.cc",
    "src/api/http/unix_socket.h",
    "src/net/reply_reader.cc",
    "src/net/transport.cc",
}

# The engine gets time, randomness and text from its arguments.
ENGINE_BANNED = {
    "chrono", "thread", "mutex", "shared_mutex", "condition_variable", "atomic", "future", "random",
    "fstream", "iostream", "filesystem", "ctime", "cstdlib", "unistd.h", "time.h", "pthread.h",
}

ADVICE = """
Dependencies point one way: base <- model <- engine <- control <- api (ARCHITECTURE.md).
Instead: pass what you need in as a value or an interface; put a type that two layers share into
the lower one; choose and wire implementations in apps/. If an edge is really missing, add it to
tests/structure/check_layering.py and say why in docs/design/.
"""


def library_of(path, libraries):
    """The innermost library that a path relative to src/ belongs to, or None."""
    best = None
    for name in libraries:
        if str(path).startswith(name + "/") and (best is None or len(name) > len(best)):
            best = name
    return best


def allowed(owner, header, is_test):
    rules = list(ALLOWED[owner])
    if is_test:
        rules += ["base/testing", "model/testing", f"{owner}/testing", *ALLOWED_IN_TESTS.get(owner, [])]
    target = library_of(header, ALLOWED)
    return target is None or target == owner or target in rules or header in rules


def is_private(owner, header):
    """Whether the header is not one of those that its library shows to others."""
    target = library_of(header, ALLOWED)
    return target != owner and target in PUBLIC_HEADERS and header not in PUBLIC_HEADERS[target]


def is_for_tests(path):
    return path.name.endswith("_test.cc") or path.name.startswith("test_") or "testing" in path.parts


def as_included(relative):
    """The path by which a file of a library is included, or None if it is of none: a program, a test."""
    if relative.parts[0] == "src":
        return relative.relative_to("src")
    for folder, base in OUTSIDE.items():
        if relative.is_relative_to(folder):
            return relative.relative_to(base)
    return None


def check_file(relative, text):
    """Findings in one file; `relative` is its path from the root."""
    found = []
    place = str(relative)
    inside = as_included(relative)
    owner = library_of(inside, ALLOWED) if inside else None
    if inside and owner is None:
        return [f"{place}: belongs to no library that check_layering.py knows"]
    for line, header, quoted in tree.includes(text):
        where = f"{place}:{line}"
        if place not in ASIO_FILES and (header.startswith(("boost/asio", "boost/beast")) or f"src/{header}" in ASIO_FILES):
            found.append(f"{where}: includes {header}, and with it Asio or Beast, which appear only in a few files "
                         "(ASIO_FILES in check_layering.py)")
        if owner == "engine" and header in ENGINE_BANNED:
            found.append(f"{where}: the engine is pure and does not include <{header}>")
        if quoted and is_private(owner, header):
            found.append(f"{where}: {header} is private to {library_of(header, ALLOWED)} (PUBLIC_HEADERS in "
                         "check_layering.py)")
        if owner and quoted and not allowed(owner, header, is_for_tests(relative)):
            found.append(f"{where}: {owner} may not include {header}")
    return found


def check(root):
    found = []
    for relative in tree.files(root, ["src", "apps", *OUTSIDE], {".h", ".cc"}):
        found += check_file(relative, (root / relative).read_text(encoding="utf-8"))
    for listing in tree.files(root, ["src"], {".txt"}):
        name = str(listing.parent.relative_to("src"))
        if listing.name == "CMakeLists.txt" and name != "." and name not in ALLOWED:
            found.append(f"{listing}: a new library; say in check_layering.py what it may include")
    return found


if __name__ == "__main__":
    sys.exit(tree.report(check(tree.arguments(__doc__).root), ADVICE))
