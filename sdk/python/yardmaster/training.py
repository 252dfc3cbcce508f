"""The training side of Yardmaster's contract: progress, checkpoints, resume, and when to stop.

    with ym.train() as t:
        start = t.resume_step()
        if t.resume_from:
            load(t.resume_from)
        for step in range(start, steps):
            loss = train_one(step)
            t.report(step + 1, steps, loss=loss)
            if t.should_checkpoint():
                t.checkpoint(save(step + 1), step + 1)
            if t.should_stop():
                break
        else:
            t.complete()

Outside Yardmaster (no YM_JOB_ID) all of it does nothing: there is no checkpoint to resume from, nothing to save for and
nothing to stop for.

Nothing here raises into training. What goes wrong with the network, the disk or a value is logged (logger "yardmaster")
and otherwise without effect.
"""

from __future__ import annotations

import atexit
import datetime
import os
import signal
import time
import weakref
from types import TracebackType
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Type, Union

from ._training.agreement import Agreement
from ._training.channel import Channel
from ._training.environment import Environment
from ._training.notice import Notice, NoticeWatch
from ._training.reporter import Reporter
from ._training.signals import SignalFlag
from ._training.trouble import Trouble
from ._training.values import count_of, metrics_of, seconds_of

__all__ = ["Notice", "Training", "train"]

_COMPLETE_WAIT = 10.0
_CLOSE_WAIT = 5.0
_LONGEST_URI = 4096


def train(
    *,
    checkpoint_every: Optional[float] = None,
    signals: Iterable[int] = (signal.SIGTERM,),
    agree: Optional[Callable[[Sequence[int]], Sequence[int]]] = None,
    agree_every: Optional[int] = None,
) -> Training:
    """Joins this process to its Yardmaster job; use it as `with ym.train() as t:` or call `t.close()` at the end.

    `checkpoint_every`: seconds between two checkpoints, instead of the job file's `checkpoint.every`.

    `signals`: what also counts as notice; give the job's own if its `preemption.signal` is not SIGTERM. The handlers
    only set a flag and call a Python handler that was there before. They are set in the main thread only, put back at
    the end, and taken away in forked children (DataLoader workers).

    `agree`: combines votes over the ranks by element-wise maximum, for programs whose ranks do not use
    torch.distributed. With `agree_every=N` ranks agree at every Nth call, rather than about once a second.
    """
    try:
        return Training(os.environ, checkpoint_every, signals, agree, agree_every)
    except Exception as error:  # a bug of ours must not be training's
        Trouble().tell("training goes on without Yardmaster", repr(error))
        return Training({})


class Training:
    """What `ym.train()` gives. Use it from one thread.

    Every rank makes it and calls the same methods in the same order. `should_checkpoint` and `should_stop` are agreed
    between the ranks and so are collective calls: each rank calls them equally often, best both once a step, in this
    order. `report`, `checkpoint` and `complete` may be called by all; only global rank 0 sends anything.

    A step is a count of steps that are done: report and save as `step + 1` what was reached by step number `step` of a
    loop from 0, and start the loop at `resume_step()`.
    """

    def __init__(
        self,
        variables: Mapping[str, str],
        checkpoint_every: Optional[float] = None,
        signals: Iterable[int] = (),
        agree: Optional[Callable[[Sequence[int]], Sequence[int]]] = None,
        agree_every: Optional[int] = None,
    ) -> None:
        self._trouble = Trouble()
        self._environment = Environment.read(variables)
        self._open = self._environment.is_job
        every = seconds_of(checkpoint_every) or self._environment.checkpoint_every
        self._checkpoint_every = every
        self._stop = self._save = False
        self._asked_to_save = False
        self._stops_in_a_row = 0
        self._saved_at = time.monotonic()
        self._save_began: Optional[float] = None
        if not self._open:
            return
        self._reporter = Reporter(Channel(self._environment, self._trouble), self._trouble)
        self._agreement = Agreement(self._trouble, agree, count_of(agree_every) or None)
        self._notices = NoticeWatch(self._environment, self._trouble)
        self._signals = SignalFlag(signals, self._trouble)
        _SESSIONS.add(self)
        atexit.register(self.close)

    # --- what this is
    @property
    def active(self) -> bool:
        """Whether this process runs under Yardmaster, and the session is open."""
        return self._open

    @property
    def job_id(self) -> str:
        return self._environment.job_id

    @property
    def attempt(self) -> int:
        """Counts from 1; 0 outside Yardmaster."""
        return self._environment.attempt

    @property
    def checkpoint_dir(self) -> Optional[str]:
        """Where to save: a path, or a URL, as the job file's `checkpoint.dir` says."""
        return self._environment.checkpoint_dir

    # --- where to go on
    @property
    def resume_from(self) -> Optional[str]:
        """The newest durable checkpoint of the attempts before: the `uri` that was reported, as a path if it is one.

        None if there is none: begin at the beginning. The same in every rank, so it is not looked whether this rank can
        read it.
        """
        return self._environment.resume_from

    def resume_step(self) -> int:
        """The step that was reported with that checkpoint; 0 if there is none."""
        return self._environment.resume_step

    # --- what was reached
    def report(self, step: int, total_steps: Optional[int] = None, **metrics: Any) -> None:
        """Says how far training is. Cheap enough for every step, and never waits.

        One post leaves in five seconds, with the latest values. Metrics are numbers or what float() takes; NaN,
        infinity and the rest are left out. A value on a GPU is read only when a post is due, since reading it waits for
        the GPU.
        """
        if not self._open:
            return
        try:
            if self._environment.global_rank() != 0:
                return
            report: dict[str, Any] = {}
            for key, count in (("step", count_of(step)), ("total_steps", count_of(total_steps))):
                if count is not None:
                    report[key] = count
            numbers = metrics_of(metrics, self._reporter.is_due())
            if numbers:
                report["metrics"] = numbers
            if report:
                self._reporter.progress(report)
        except Exception as error:
            self._trouble.tell("report() failed", repr(error))

    def checkpoint(
        self,
        uri: Union[str, "os.PathLike[str]"],
        step: int,
        save_seconds: Optional[float] = None,
    ) -> None:
        """Says that a checkpoint is durable now: call it after the save has returned, or its future has resolved.

        `uri`: a path (a relative one is taken from the present folder), or a URL; the next attempt gets it as
        `resume_from`, and `step` as its `resume_step()`. `save_seconds`: how long the save took; left out, it is
        measured from the `should_checkpoint()` that asked for it. Sent at once, without waiting for it.
        """
        if not self._open:
            return
        try:
            now = time.monotonic()
            began, self._save_began = self._save_began, None
            self._saved_at = now
            if self._environment.global_rank() != 0:
                return
            place, count = _place(uri), count_of(step)
            if place is None or count is None:
                self._trouble.tell("a checkpoint was not reported", "its uri or step is not one")
                return
            report: dict[str, Any] = {"uri": place, "step": count, "durable_at": _now()}
            took = seconds_of(save_seconds) if save_seconds is not None else now - began if began is not None else None
            if took is not None:
                report["save_seconds"] = round(took, 3)
            self._reporter.checkpoint(report)
        except Exception as error:
            self._trouble.tell("checkpoint() failed", repr(error))

    def complete(self) -> bool:
        """Says that the training is done. Without it, an exit with status 0 while the job is asked to stop means that
        it goes on later; with it, the job has succeeded.

        Waits up to ten seconds until the server has it, or the marker file; whether it arrived.
        """
        if not self._open:
            return True
        try:
            return self._environment.global_rank() != 0 or self._reporter.complete(_COMPLETE_WAIT)
        except Exception as error:
            self._trouble.tell("complete() failed", repr(error))
            return False

    # --- what to do
    def should_checkpoint(self) -> bool:
        """Whether to save now: the interval is over, or the attempt is to stop (then once). Agreed between ranks."""
        if not self._open:
            return False
        try:
            self._asked_to_save, self._stops_in_a_row = True, 0
            self._look()
            save, self._save = self._save, False
            if save:
                self._saved_at = self._save_began = time.monotonic()
            return save
        except Exception as error:
            self._trouble.tell("should_checkpoint() failed", repr(error))
            return False

    def should_stop(self) -> bool:
        """Whether to end now, since there is a notice or a signal came. Agreed between the ranks; stays True.

        In a loop that calls `should_checkpoint` as often, it is never True before that was, so there was a save.
        """
        if not self._open:
            return False
        try:
            self._stops_in_a_row += 1
            # The save comes first: in the usual loop only should_checkpoint() looks for news.
            if not self._asked_to_save or self._stops_in_a_row > 1:
                self._look()
            return self._stop
        except Exception as error:
            self._trouble.tell("should_stop() failed", repr(error))
            return False

    @property
    def notice(self) -> Optional[Notice]:
        """The notice as this process sees it, not agreed between ranks; None if there is none, or only a signal."""
        return self._notices.get(at_once=True) if self._open else None

    def _look(self) -> None:
        if self._agreement.has_begun():
            self._stop = self._save = False  # what one rank thought before is not what all do
        if self._stop or not self._agreement.is_time():
            return
        stop = self._signals.is_set or self._notices.get() is not None
        agreed_stop, agreed_save = self._agreement.agree([int(stop), int(self._is_save_due())])
        self._stop = bool(agreed_stop)
        self._save = self._save or self._stop or bool(agreed_save)

    def _is_save_due(self) -> bool:
        """One clock decides, or ranks would save at each other's time."""
        if self._checkpoint_every is None or self._save or self._environment.global_rank() != 0:
            return False
        return time.monotonic() - self._saved_at >= self._checkpoint_every

    # --- the end
    def close(self) -> None:
        """Sends what waits, for five seconds at most (the rest is left in the marker file), and restores handlers.

        The end of the `with` block does this. Afterwards all methods do nothing.
        """
        if not self._open:
            return
        self._open = False
        try:
            _SESSIONS.discard(self)
            atexit.unregister(self.close)
            self._notices.close()
            self._reporter.close(_CLOSE_WAIT)
            self._signals.restore()
        except Exception as error:
            self._trouble.tell("close() failed", repr(error))

    def __enter__(self) -> Training:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def _after_fork(self) -> None:
        # A child is not the training: it has none of the threads, must not report, and is ended by signals as usual.
        self._open = False
        self._signals.forget()


def _place(uri: object) -> Optional[str]:
    if not isinstance(uri, (str, os.PathLike)):
        return None
    text = os.fspath(uri)
    if not isinstance(text, str) or not text.strip():
        return None
    scheme = text.split(":", 1)[0] if ":" in text else ""
    if not (len(scheme) > 1 and scheme.replace("+", "").isalnum() and "/" not in scheme):
        text = os.path.abspath(text)
    try:
        return text if len(text.encode()) <= _LONGEST_URI else None
    except UnicodeEncodeError:
        return None


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_SESSIONS: weakref.WeakSet[Training] = weakref.WeakSet()


def _forget_sessions() -> None:
    for session in list(_SESSIONS):
        session._after_fork()
    _SESSIONS.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_sessions)
