"""Finds and ends processes on this machine, by what /proc tells of them."""

import os
import pathlib
import signal
import time


def _read(pid, name):
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def state(pid):
    """One letter as in ps, e.g. R, S or Z; empty if there is no such process."""
    text = _read(pid, "stat")
    return text[text.rindex(b")") + 2:][:1].decode() if text else ""


def alive(pid):
    """Whether one of its threads is; a killed process can be a zombie whose other threads still hold its ports."""
    if state(pid) != "Z":
        return state(pid) != ""
    return len(_threads(pid)) > 1


def stop(pid):
    """Stops all threads of a process, as SIGSTOP does. That signal needs the first thread to run; until then the others
    go on, and on a busy machine that takes a while."""
    os.kill(pid, signal.SIGSTOP)
    deadline = time.monotonic() + 60
    while any(state(f"{pid}/task/{thread}") not in ("T", "Z", "") for thread in _threads(pid)):
        if time.monotonic() > deadline:
            raise AssertionError(f"process {pid} does not stop")
        time.sleep(0.001)


def _threads(pid):
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def start_time(pid):
    """With the pid it names a process for good, as long as the machine runs."""
    text = _read(pid, "stat")
    return int(text[text.rindex(b")") + 2:].split()[19]) if text else None


def environment(pid):
    """What the process was started with."""
    entries = _read(pid, "environ").decode(errors="replace").split("\0")
    return dict(entry.split("=", 1) for entry in entries if "=" in entry)


def with_environment(name, value):
    """Living processes that were started with NAME=value."""
    entry = f"{name}={value}".encode()
    return [pid for pid in _pids() if entry in _read(pid, "environ").split(b"\0") and alive(pid)]


def running(word):
    """Living processes with `word` in one of their arguments."""
    return [pid for pid in _pids() if word.encode() in _read(pid, "cmdline") and alive(pid)]


def belonging_to(folder):
    """Living servers and supervisors that name `folder` in their arguments, and jobs of a server whose HOME is in it."""
    mark = folder.encode()

    def is_ours(pid):
        words = _read(pid, "cmdline").split(b"\0")
        if os.path.basename(words[0]).startswith(b"ym") and any(mark in word for word in words):
            return True
        return any(entry.startswith((b"HOME=", b"YM_")) and mark in entry for entry in _read(pid, "environ").split(b"\0"))
    return [pid for pid in _pids() if is_ours(pid) and alive(pid)]


def end_all(folder, rounds=50):
    """Kills whatever belongs to a (temporary, unique) folder, until nothing is left."""
    for _ in range(rounds):
        pids = belonging_to(folder)
        if not pids:
            return
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
    raise AssertionError(f"processes of {folder} cannot be ended: {belonging_to(folder)}")
