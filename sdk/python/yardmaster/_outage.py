"""Tolerates a server that does not answer for a while."""

from __future__ import annotations

import time
from typing import Callable, Optional, TypeVar

from . import _transport
from ._http import Cancel, Interrupted
from .errors import ApiError, Unavailable

T = TypeVar("T")


class Outage:
    """Allows retries, with pauses, for `patience` seconds. If the server has never answered, allows none."""

    def __init__(self, patience: float, cancel: Cancel) -> None:
        self._patience, self._cancel = patience, cancel
        self._answered = False
        self.over(answered=False)

    def over(self, answered: bool = True) -> None:
        self._since: Optional[float] = None
        self._pause = _transport.FIRST_PAUSE
        self._answered = self._answered or answered

    def met(self, error: Exception) -> None:
        """Pauses before the next try. Raises if the outage is too long, if the server has never answered, or if
        cancelled.
        """
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
