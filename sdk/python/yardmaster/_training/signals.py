"""Signals that only set a flag. The handlers are removed after the session, and in forked children."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any, Dict, Iterable

from .trouble import Trouble


class SignalFlag:
    """`is_set` becomes True when one of the signals arrives.

    A handler that Python code had set before is called too, after the flag is set. A signal whose handler was not set
    from Python is not touched, because its handler could not be restored. Only the main thread can set handlers.
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
        """Restores the previous handlers, if they have not been replaced since."""
        self._over = True
        for number, previous in list(self._previous.items()):
            try:
                if signal.getsignal(number) == self._handle:
                    signal.signal(number, previous)
                del self._previous[number]
            except (OSError, ValueError):
                pass  # not the main thread: the handler stays, and passes signals on

    def forget(self) -> None:
        """Called in a forked child: restores the state without a session."""
        self.restore()
        self.is_set = False

    def _handle(self, number: int, frame: Any) -> None:
        previous = self._previous.get(number)
        if (self._over or os.getpid() != self._process) and previous == signal.SIG_DFL:
            # Another thread restored it, or forget() did not run in this child: the signal must end the process.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        self.is_set = True
        if callable(previous):
            previous(number, frame)
