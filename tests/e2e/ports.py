"""Ports for the daemons of tests, none of which the kernel gives to outgoing connections."""

import fcntl
import os
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
        blocks, locks = {(port - FIRST) // BLOCK for port in ports}, []
        if max(blocks) < BLOCKS and all(_take(block, locks) for block in blocks) and all(map(_is_free, ports)):
            _held.extend(locks)
            return first
        for lock in locks:
            os.close(lock)
    raise AssertionError("there are no free ports")


def _take(block, locks):
    """Whether nobody else has it. Where its file cannot be opened, it is only looked whether its ports are free."""
    try:
        locks.append(os.open(FOLDER / str(block), os.O_RDONLY | os.O_CREAT, 0o644))
    except OSError:
        return True
    try:
        fcntl.flock(locks[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True
