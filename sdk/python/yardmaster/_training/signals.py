"""Signals that only set a flag, and leave no trace: not after the session, and not in forked children."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any, Dict, Iterable

from .trouble import Trouble


class SignalFlag:
    """`is_set` once one of the signals came to this process.

    A handler that was set in Python before is called too, after the flag is set. A signal whose handler was not set
    from Python is left alone, since it could not be put back. Only the main thread can set handlers.
    """

    def __init__(self, signals: Iterable[int], trouble: Trouble) -> None:
        self.is_set = False
        self._process = os.getpid()
        self._over = False
        self._previous: Dict[int, Any] = {}
        if threading.current_thread() is not threading.main_thread():
            return
        for number in signals:
            previous = signal.getsignal(number)
            if previous is None:
                continue
            try:
                signal.signal(number, self._handle)
            except (OSError, ValueError) as error:
                trouble.tell("no handler for a signal", error)
            else:
                self._previous[number] = previous

    def restore(self) -> None:
        """Puts the previous handlers back, where ours are still the present ones."""
        self._over = True
        for number, previous in list(self._previous.items()):
            try:
                if signal.getsignal(number) == self._handle:
                    signal.signal(number, previous)
                del self._previous[number]
            except (OSError, ValueError):
                pass  # not the main thread: the handler stays, and passes signals on

    def forget(self) -> None:
        """In a forked child: as if there had been no session."""
        self.restore()
        self.is_set = False

    def _handle(self, number: int, frame: Any) -> None:
        previous = self._previous.get(number)
        if (self._over or os.getpid() != self._process) and previous == signal.SIG_DFL:
            # Restored by another thread, or a child in which forget() did not run: it must be possible to end it.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        self.is_set = True
        if callable(previous):
            previous(number, frame)
