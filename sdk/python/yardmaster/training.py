"""For training programs: report progress and checkpoints, resume, and learn when to stop.

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

Outside Yardmaster (no YM_JOB_ID) it does nothing: it finds no checkpoint, and asks for no save and no stop.

Nothing here raises into the training. An error of the network, the disk or a value is logged (logger "yardmaster") and
has no other effect.
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
    """Connects this process to its Yardmaster job. Use it as `with ym.train() as t:`, or call `t.close()` at the end.

    `checkpoint_every`: seconds between two checkpoints, instead of the job file's `checkpoint.every`.

    `signals`: signals that count as a notice. If the job's `preemption.signal` is not SIGTERM, pass that signal. The
    handlers only set a flag, and call a Python handler that was set before. They are set in the main thread only,
    restored at the end, and removed in forked children (DataLoader workers).

    `agree`: combines votes over the ranks by element-wise maximum, for programs that do not use torch.distributed. With
    `agree_every=N` the ranks agree at every Nth call, instead of about once a second.
    """
    try:
        return Training(os.environ, checkpoint_every, signals, agree, agree_every)
    except Exception as error:  # an error of this package must not reach the training
        Trouble().tell("training goes on without Yardmaster", repr(error))
        return Training({})


class Training:
    """The result of `ym.train()`. Use it from one thread.

    Each rank makes one and calls the same methods in the same order. `should_checkpoint` and `should_stop` are agreed
    between the ranks, so they are collective calls: each rank calls them equally often, best both once a step, in this
    order. All ranks may call `report`, `checkpoint` and `complete`; only global rank 0 sends anything.

    A step counts completed steps. After step number `step` of a loop from 0, report and save `step + 1`, and start the
    loop at `resume_step()`.
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

    # --- identity
    @property
    def active(self) -> bool:
        """Whether this process runs under Yardmaster, and the session is open."""
        return self._open

    @property
    def job_id(self) -> str:
        return self._environment.job_id

    @property
    def attempt(self) -> int:
        """The number of the attempt, from 1; 0 outside Yardmaster."""
        return self._environment.attempt

    @property
    def checkpoint_dir(self) -> Optional[str]:
        """Where to save: a path or a URL, from the job file's `checkpoint.dir`."""
        return self._environment.checkpoint_dir

    # --- resume
    @property
    def resume_from(self) -> Optional[str]:
        """The newest durable checkpoint of the earlier attempts: the reported `uri`, as a path if it is one.

        None: there is none, so start from the beginning. All ranks get the same value, so it does not check whether
        this rank can read it.
        """
        return self._environment.resume_from

    def resume_step(self) -> int:
        """The step that was reported with that checkpoint; 0 if there is none."""
        return self._environment.resume_step

    # --- progress
    def report(self, step: int, total_steps: Optional[int] = None, **metrics: Any) -> None:
        """Reports progress. Cheap enough for each step, and never waits.

        One post is sent in 5 s, with the latest values. Metrics are numbers or values that float() accepts; NaN,
        infinity and other values are left out. A value on a GPU is read only when a post is due, because reading it
        waits for the GPU.
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
        """Reports that a checkpoint is durable now. Call it after the save has returned, or after its future has
        resolved.

        `uri`: a path (a relative one starts from the current folder) or a URL. The next attempt gets it as
        `resume_from`, and `step` as its `resume_step()`. `save_seconds`: how long the save took. Default: the time
        since `should_checkpoint()` asked for it. The report is sent at once; this call does not wait for it.
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
        """Reports that the training is complete. If a job that was asked to stop exits with status 0, it continues
        later; after this call, it has succeeded instead.

        Waits up to 10 s until the server or the marker file has the report. Returns whether it arrived.
        """
        if not self._open:
            return True
        with self._trouble.borne("complete()"):
            return self._environment.global_rank() != 0 or self._reporter.complete(_COMPLETE_WAIT)
        return False

    # --- save and stop
    def should_checkpoint(self) -> bool:
        """Whether to save now: the interval has passed, or the attempt must stop (then once). Agreed between the ranks.
        """
        if not self._open:
            return False
        with self._trouble.borne("should_checkpoint()"):
            return self._advice.should_checkpoint()
        return False

    def should_stop(self) -> bool:
        """Whether to end now, because of a notice or a signal. Agreed between the ranks; stays True.

        In a loop that calls `should_checkpoint` equally often, it becomes True only after `should_checkpoint` was, so
        the loop has saved.
        """
        if not self._open:
            return False
        with self._trouble.borne("should_stop()"):
            return self._advice.should_stop()
        return False

    @property
    def notice(self) -> Optional[Notice]:
        """The notice as this process sees it, not agreed between the ranks. None: there is no notice, or only a signal.
        """
        return self._notices.get(at_once=True) if self._open else None

    # --- end
    def close(self) -> None:
        """Sends waiting reports for at most 5 s, leaves the rest in the marker file, and restores the signal handlers.

        The end of the `with` block calls it. After that, all methods do nothing.
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
        # A child is not the training: it has none of the threads, must not report, and signals end it as usual.
        self._open = False
        self._signals.forget()
