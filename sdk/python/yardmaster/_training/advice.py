"""What the training should do now: save, stop. Each rank votes, and the ranks agree on the answer."""

from __future__ import annotations

import time
from typing import Optional

from .agreement import Agreement
from .environment import Environment
from .notice import NoticeWatch
from .signals import SignalFlag


class Advice:
    """`checkpoint_every`: seconds between two saves; None: save only before a stop."""

    def __init__(
        self,
        environment: Environment,
        agreement: Agreement,
        notices: NoticeWatch,
        signals: SignalFlag,
        checkpoint_every: Optional[float],
    ) -> None:
        self._environment, self._agreement = environment, agreement
        self._notices, self._signals = notices, signals
        self._checkpoint_every = checkpoint_every
        self._stop = self._save = False
        self._asked_to_save = False
        self._stops_in_a_row = 0
        self._saved_at = time.monotonic()
        self._save_began: Optional[float] = None

    def should_checkpoint(self) -> bool:
        self._asked_to_save, self._stops_in_a_row = True, 0
        self._look()
        save, self._save = self._save, False
        if save:
            self._saved_at = self._save_began = time.monotonic()
        return save

    def should_stop(self) -> bool:
        self._stops_in_a_row += 1
        # The save comes first: in a usual loop only should_checkpoint() reads the news.
        if not self._asked_to_save or self._stops_in_a_row > 1:
            self._look()
        return self._stop

    def saved(self) -> Optional[float]:
        """Notes a checkpoint. Returns how many seconds the save took, if should_checkpoint() asked for it."""
        now = time.monotonic()
        began, self._save_began = self._save_began, None
        self._saved_at = now
        return None if began is None else now - began

    def _look(self) -> None:
        if self._agreement.has_begun():
            self._stop = self._save = False  # the earlier opinion of one rank is not that of all
        if self._stop or not self._agreement.is_time():
            return
        stop = self._signals.is_set or self._notices.get() is not None
        agreed_stop, agreed_save = self._agreement.agree([int(stop), int(self._is_save_due())])
        self._stop = bool(agreed_stop)
        self._save = self._save or self._stop or bool(agreed_save)

    def _is_save_due(self) -> bool:
        """One clock decides. Otherwise each rank would ask for saves at its own time."""
        if self._checkpoint_every is None or self._save or self._environment.global_rank() != 0:
            return False
        return time.monotonic() - self._saved_at >= self._checkpoint_every
