"""Sends reports from its own thread, so that training never waits for the network.

Plain progress is throttled: one post in `interval` seconds, with the newest values. Checkpoints and completion are sent
at once. A report that cannot be posted goes to the marker file. If that fails too, it is sent again with growing
pauses.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Dict, Mapping, Optional

from .._http import Interrupted
from .channel import Channel, Delivered, Later, Refused
from .trouble import Trouble
from .values import encode

Report = Dict[str, Any]

_CHECKPOINTS_KEPT = 3  # the number of checkpoints that the server keeps for a job
_LONGEST_PAUSE = 30.0


@dataclass
class _Batch:
    progress: Optional[Report]
    checkpoint: Optional[Report]
    completed: bool

    def report(self) -> Report:
        report = dict(self.progress or {})
        if self.checkpoint is not None:
            report["checkpoint"] = self.checkpoint
        if self.completed:
            report["completed"] = True
        return report


class Reporter:
    """Thread-safe. No method raises, waits longer than documented, or uses the network in the caller's thread."""

    def __init__(
        self,
        channel: Channel,
        trouble: Trouble,
        interval: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._channel, self._trouble = channel, trouble
        self._interval, self._clock = interval, clock
        self._changed = threading.Condition()
        self._thread: Optional[threading.Thread] = None
        self._progress: Optional[Report] = None
        self._checkpoints: Deque[Report] = deque(maxlen=_CHECKPOINTS_KEPT)
        self._completed = False
        self._known: Report = {}  # everything reported so far, for the marker file
        self._next_post = clock()
        self._not_before = clock()
        self._failures = 0
        self._busy = False
        self._closing = False
        self._over = False  # the thread has ended

    # --- from training
    def is_due(self) -> bool:
        """Whether a progress report would be sent at once."""
        with self._changed:
            return not self._busy and self._clock() >= self._next_post

    def progress(self, report: Mapping[str, Any]) -> None:
        """Adds `metrics` to the waiting ones. Every other field replaces the waiting value."""
        with self._changed:
            waiting = self._progress or {}
            metrics = {**waiting.get("metrics", {}), **report.get("metrics", {})}
            merged = {**waiting, **report}
            if metrics:
                merged["metrics"] = metrics
            was_idle = self._progress is None
            self._progress = merged
            self._known.update(merged)
            if was_idle:  # otherwise the thread knows, and only waits for its time
                self._wake()

    def checkpoint(self, checkpoint: Report) -> None:
        with self._changed:
            self._checkpoints.append(checkpoint)
            self._known["checkpoint"] = checkpoint
            self._wake()

    def complete(self, timeout: float) -> bool:
        """Returns whether the server or the marker file has it."""
        with self._changed:
            self._completed = True
            self._known["completed"] = True
            self._wake()
        return self._settle(timeout)

    def close(self, timeout: float) -> bool:
        """Sends all waiting reports without throttling, and ends the thread. Returns whether all of them arrived."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        settled = self._settle(timeout)
        self._channel.cancel.cancel()
        return settled

    def _settle(self, timeout: float) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._is_settled() or self._over, timeout)
            if self._is_settled():
                return True
            report = dict(self._known)
        # The thread hangs in the network, or the server asked to wait: the marker file gets everything.
        if not self._channel.mark(encode(report)):
            return False
        with self._changed:
            self._progress, self._completed = None, False
            self._checkpoints.clear()
        return True

    # --- the thread
    def _wake(self) -> None:
        if self._thread is None and not self._closing:
            self._thread = threading.Thread(target=self._run, name="yardmaster-report", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _is_settled(self) -> bool:
        return not self._busy and not self._has_urgent()

    def _has_urgent(self) -> bool:
        return bool(self._checkpoints) or self._completed or (self._closing and self._progress is not None)

    def _pause(self) -> Optional[float]:
        """Seconds until the next action; None: until something changes."""
        if self._has_urgent():
            return self._not_before - self._clock()
        if self._progress is not None:
            return max(self._not_before, self._next_post) - self._clock()
        return None

    def _run(self) -> None:
        try:
            while True:
                batch = self._next_batch()
                if batch is None:
                    return
                self._send(batch)
        except Interrupted:
            pass
        except Exception as error:  # an error of this package must not reach the training
            self._trouble.tell("reporting ended", repr(error))
        finally:
            with self._changed:
                self._busy, self._over = False, True
                self._changed.notify_all()

    def _next_batch(self) -> Optional[_Batch]:
        with self._changed:
            while True:
                pause = self._pause()
                if pause is not None and pause <= 0:
                    break
                if pause is None and self._closing:
                    return None
                self._changed.wait(pause)
            checkpoint = self._checkpoints.popleft() if self._checkpoints else None
            last = not self._checkpoints
            batch = _Batch(self._progress, checkpoint, self._completed and last)
            self._progress = None
            if last:
                self._completed = False
            self._busy = True
            return batch

    def _send(self, batch: _Batch) -> None:
        outcome = self._channel.post(encode(batch.report()))
        if not isinstance(outcome, (Delivered, Refused, Later)):
            with self._changed:
                report = dict(self._known)
            if self._channel.mark(encode(report)):
                outcome = Delivered()
        with self._changed:
            now = self._clock()
            self._next_post = now + self._interval
            if isinstance(outcome, (Delivered, Refused)):
                self._failures = 0
            else:
                self._failures += 1
                growing = min(2.0 ** min(self._failures - 1, 5), _LONGEST_PAUSE)
                self._not_before = now + (outcome.seconds if isinstance(outcome, Later) else growing)
                self._take_back(batch)
            self._busy = False
            self._changed.notify_all()

    def _take_back(self, batch: _Batch) -> None:
        if batch.progress is not None:
            newer = self._progress or {}
            self._progress = {**batch.progress, **newer}
        if batch.checkpoint is not None and len(self._checkpoints) < _CHECKPOINTS_KEPT:
            self._checkpoints.appendleft(batch.checkpoint)
        self._completed = self._completed or batch.completed
