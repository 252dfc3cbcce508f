"""Forked children: ends each session of the parent in the child."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Session(Protocol):
    def _after_fork(self) -> None: ...


_SESSIONS: weakref.WeakSet[Session] = weakref.WeakSet()


def watch(session: Session) -> None:
    _SESSIONS.add(session)


def unwatch(session: Session) -> None:
    _SESSIONS.discard(session)


def _tell_sessions() -> None:
    for session in list(_SESSIONS):
        session._after_fork()
    _SESSIONS.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_tell_sessions)
