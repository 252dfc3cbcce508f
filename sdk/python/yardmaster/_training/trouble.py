"""Trouble that must not reach training: each kind is logged once as a warning, then for debugging only."""

from __future__ import annotations

import logging
from typing import Optional, Set

LOG = logging.getLogger("yardmaster")


class Trouble:
    def __init__(self) -> None:
        self._told: Set[str] = set()

    def tell(self, kind: str, message: object) -> None:
        level = logging.DEBUG if kind in self._told else logging.WARNING
        self._told.add(kind)
        try:
            LOG.log(level, "%s: %s", kind, message)
        except Exception:  # a broken handler is not training's business either
            pass

    def borne(self, call: str) -> Borne:
        """`with` it: an exception of ours ends the block, and is told."""
        return Borne(self, call)


class Borne:
    def __init__(self, trouble: Trouble, call: str) -> None:
        self._trouble, self._call = trouble, call

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: Optional[BaseException], trace: object) -> bool:
        if not isinstance(error, Exception):
            return False
        self._trouble.tell(f"{self._call} failed", repr(error))
        return True
