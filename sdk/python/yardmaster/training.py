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
import os
import signal
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from ._training import forks
from ._training.advice import Advice
from ._training.agreement import Agreement
from ._training.channel import Channel
from ._training.environment import Environment
from ._training.notice import Notice, NoticeWatch
from ._training.reporter import Reporter
from ._training.reports import checkpoint_report, progress_report
from ._training.signals import SignalFlag
from ._training.trouble import Trouble
from ._training.values import count_of, seconds_of

__all__ = ["Notice", "Training", "train"]

_COMPLETE_WAIT = 10.0
_CLOSE_WAIT = 5.0


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
        if not self._open:
            return
        self._reporter = Reporter(Channel(self._environment, self._trouble), self._trouble)
        self._notices = NoticeWatch(self._environment, self._trouble)
        self._signals = SignalFlag(signals, self._trouble)
        self._advice = Advice(
            self._environment,
            Agreement(self._trouble, agree, count_of(agree_every) or None),
            self._notices,
            self._signals,
            seconds_of(checkpoint_every) or self._environment.checkpoint_every,
        )
        forks.watch(self)
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
        with self._trouble.borne("report()"):
            if self._environment.global_rank() != 0:
                return
            report = progress_report(step, total_steps, metrics, self._reporter.is_due())
            if report:
                self._reporter.progress(report)

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
        with self._trouble.borne("checkpoint()"):
            measured = self._advice.saved()
            if self._environment.global_rank() != 0:
                return
            report = checkpoint_report(uri, step, measured if save_seconds is None else save_seconds)
            if report is None:
                self._trouble.tell("a checkpoint was not reported", "its uri or step is not one")
                return
            self._reporter.checkpoint(report)

    def complete(self) -> bool:
        """Says that the training is done. Without it, an exit with status 0 while the job is asked to stop means that
        it goes on later; with it, the job has succeeded.

        Waits up to ten seconds until the server has it, or the marker file; whether it arrived.
        """
        if not self._open:
            return True
        with self._trouble.borne("complete()"):
            return self._environment.global_rank() != 0 or self._reporter.complete(_COMPLETE_WAIT)
        return False

    # --- what to do
    def should_checkpoint(self) -> bool:
        """Whether to save now: the interval is over, or the attempt is to stop (then once). Agreed between ranks."""
        if not self._open:
            return False
        with self._trouble.borne("should_checkpoint()"):
            return self._advice.should_checkpoint()
        return False

    def should_stop(self) -> bool:
        """Whether to end now, since there is a notice or a signal came. Agreed between the ranks; stays True.

        In a loop that calls `should_checkpoint` as often, it is never True before that was, so there was a save.
        """
        if not self._open:
            return False
        with self._trouble.borne("should_stop()"):
            return self._advice.should_stop()
        return False

    @property
    def notice(self) -> Optional[Notice]:
        """The notice as this process sees it, not agreed between ranks; None if there is none, or only a signal."""
        return self._notices.get(at_once=True) if self._open else None

    # --- the end
    def close(self) -> None:
        """Sends what waits, for five seconds at most (the rest is left in the marker file), and restores handlers.

        The end of the `with` block does this. Afterwards all methods do nothing.
        """
        if not self._open:
            return
        self._open = False
        with self._trouble.borne("close()"):
            forks.unwatch(self)
            atexit.unregister(self.close)
            self._notices.close()
            self._reporter.close(_CLOSE_WAIT)
            self._signals.restore()

    def __enter__(self) -> Training:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _after_fork(self) -> None:
        # A child is not the training: it has none of the threads, must not report, and is ended by signals as usual.
        self._open = False
        self._signals.forget()
