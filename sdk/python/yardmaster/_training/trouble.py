"""Errors that must not reach the training. Logs each kind once as a warning, later ones for debugging only."""

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
        except Exception:  # a broken log handler must not reach the training either
            pass

    def borne(self, call: str) -> Borne:
        """Use it in a `with` statement: an exception of this package ends the block and is logged."""
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
