"""Bearing a server that is away for a while."""

from __future__ import annotations

import time
from typing import Callable, Optional, TypeVar

from . import _transport
from ._http import Cancel, Interrupted
from .errors import ApiError, Unavailable

T = TypeVar("T")


class Outage:
    """Lets tries go on, with pauses, for `patience` seconds; a server that has never answered yet is not borne at all."""

    def __init__(self, patience: float, cancel: Cancel) -> None:
        self._patience, self._cancel = patience, cancel
        self._answered = False
        self.over(answered=False)

    def over(self, answered: bool = True) -> None:
        self._since: Optional[float] = None
        self._pause = _transport.FIRST_PAUSE
        self._answered = self._answered or answered

    def met(self, error: Exception) -> None:
        """Pauses before the next try, or raises: too long, never heard of it yet, or cancelled."""
        if self._cancel.cancelled:
            raise Interrupted
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        if not self._answered or now - self._since >= self._patience:
            raise error if isinstance(error, ApiError) else _transport.unavailable(error, arrived=True)
        self._cancel.sleep(self._pause)
        self._pause = min(self._pause * 2, _transport.LONGEST_PAUSE)

    def bear(self, call: Callable[[], T]) -> T:
        while True:
            try:
                value = call()
            except Unavailable as error:
                self.met(error)
            else:
                self.over()
                return value
