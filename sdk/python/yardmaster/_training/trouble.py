"""Trouble that must not reach training: each kind is logged once as a warning, then for debugging only."""

from __future__ import annotations

import logging
from typing import Set

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
