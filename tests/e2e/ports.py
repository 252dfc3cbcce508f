"""Ports for the daemons of tests, none of which the kernel gives to outgoing connections."""

import fcntl
import pathlib
import random
import socket

# Tests in C++ share them by the same files (executor/remote/testing/free_ports.cc).
FIRST, BLOCKS, BLOCK = 20_000, 750, 16
FOLDER = pathlib.Path("/tmp/ym-ports")
_held = []


def free(count, *others):
    """The first of so many in a row that are free. They are this process's until it ends, though its daemon be dead for a
    while: no other test is given them. `others`: (offset, count) of more that have to be, counted from the first."""
    FOLDER.mkdir(exist_ok=True)
    for _ in range(500):
        first = FIRST + BLOCK * random.randrange(BLOCKS)
        ports = [first + offset + n for offset, many in [(0, count), *others] for n in range(many)]
        locks = _locks({(port - FIRST) // BLOCK for port in ports})
        if locks and all(map(_is_free, ports)):
            _held.extend(locks)
            return first
    raise AssertionError("there are no free ports")


def _locks(blocks):
    """Nothing: somebody else has one of them, or they go beyond the last."""
    files = []
    for block in blocks if max(blocks) < BLOCKS else ():
        files.append((FOLDER / str(block)).open("a"))
        try:
            fcntl.flock(files[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return []
    return files


def _is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True
