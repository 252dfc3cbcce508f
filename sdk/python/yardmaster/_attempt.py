"""Attempts of a job: their nodes, progress, saves and ends."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Mapping, Optional, Tuple

from ._raw import (
    Raw,
    dict_of,
    int_of,
    objects_of,
    opt_float_of,
    opt_int_of,
    opt_str_of,
    parse_time,
    raw_field,
    str_of,
    strings_of,
)


@dataclass(frozen=True)
class TaskPlacement:
    """One task of an attempt: its node and the ids of its devices there."""

    task: int
    node: str
    devices: Tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, raw: Raw) -> TaskPlacement:
        return cls(int_of(raw, "task"), str_of(raw, "node"), strings_of(raw, "devices"))


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint from which a later attempt can start, as `attempt` reported it."""

    uri: str
    step: int = 0
    durable_at: Optional[datetime.datetime] = None
    attempt: int = 0

    @classmethod
    def from_dict(cls, raw: Raw) -> Checkpoint:
        return cls(str_of(raw, "uri"), int_of(raw, "step"), parse_time(raw.get("durable_at")), int_of(raw, "attempt"))


@dataclass(frozen=True)
class Progress:
    """The newest progress of an attempt, field by field; `at` is the time of its last report."""

    step: Optional[int] = None
    total_steps: Optional[int] = None
    metrics: Mapping[str, float] = field(default_factory=dict)
    completed: bool = False
    at: Optional[datetime.datetime] = None

    @classmethod
    def from_dict(cls, raw: Raw) -> Progress:
        numbers = ((name, opt_float_of(dict_of(raw, "metrics"), name)) for name in dict_of(raw, "metrics"))
        return cls(
            opt_int_of(raw, "step"),
            opt_int_of(raw, "total_steps"),
            {name: number for name, number in numbers if number is not None},
            raw.get("completed") is True,
            parse_time(raw.get("at")),
        )


@dataclass(frozen=True)
class Hold:
    """A nominated placement: kept for a job until `expires_at`, while the jobs in `victims` (ids) stop for it."""

    cluster: str = ""
    flavor: str = ""
    placement: Tuple[TaskPlacement, ...] = ()
    victims: Tuple[str, ...] = ()
    expires_at: Optional[datetime.datetime] = None

    @classmethod
    def from_dict(cls, raw: Raw) -> Hold:
        return cls(
            str_of(raw, "cluster"),
            str_of(raw, "flavor"),
            tuple(map(TaskPlacement.from_dict, objects_of(raw, "placement"))),
            strings_of(raw, "victims"),
            parse_time(raw.get("expires_at")),
        )


@dataclass(frozen=True)
class Attempt:
    """One run of a job.

    `ended_by`: exit, signal, oom, time_limit, preempted, cancelled, lost, start_failed. `stop_cause`: why it must stop.
    `stop_by`: when its rest is killed. `yields_to`: the job for which it stops. `estimated_lost_gpu_seconds`: the loss
    that was estimated when the stop was decided. `lost_gpu_seconds`: work that must be repeated because it ended, for
    any cause; the estimate until it has ended. `resumes_from`: the checkpoint that it got. `checkpoint_step`: the step
    of its newest checkpoint.
    """

    number: int
    state: str
    cluster: str = ""
    flavor: str = ""
    placement: Tuple[TaskPlacement, ...] = ()
    started_at: Optional[datetime.datetime] = None
    ended_at: Optional[datetime.datetime] = None
    exit_code: Optional[int] = None
    signal: Optional[int] = None
    ended_by: Optional[str] = None
    message: str = ""
    progress: Optional[Progress] = None
    resumes_from: Optional[Checkpoint] = None
    checkpoint_step: Optional[int] = None
    stop_cause: Optional[str] = None
    stop_by: Optional[datetime.datetime] = None
    yields_to: Optional[str] = None
    lost_gpu_seconds: Optional[float] = None
    estimated_lost_gpu_seconds: Optional[float] = None
    raw: Raw = raw_field()

    @property
    def has_ended(self) -> bool:
        return self.state == "ENDED"

    @classmethod
    def from_dict(cls, raw: Raw) -> Attempt:
        return cls(
            number=int_of(raw, "number"),
            state=str_of(raw, "state"),
            cluster=str_of(raw, "cluster"),
            flavor=str_of(raw, "flavor"),
            placement=tuple(TaskPlacement.from_dict(item) for item in objects_of(raw, "placement")),
            started_at=parse_time(raw.get("started_at")),
            ended_at=parse_time(raw.get("ended_at")),
            exit_code=opt_int_of(raw, "exit_code"),
            signal=opt_int_of(raw, "signal"),
            ended_by=opt_str_of(raw, "ended_by"),
            message=str_of(raw, "message"),
            progress=Progress.from_dict(dict_of(raw, "progress")) if raw.get("progress") else None,
            resumes_from=Checkpoint.from_dict(dict_of(raw, "resumes_from")) if raw.get("resumes_from") else None,
            checkpoint_step=opt_int_of(raw, "checkpoint_step"),
            stop_cause=opt_str_of(raw, "stop_cause"),
            stop_by=parse_time(raw.get("stop_by")),
            yields_to=opt_str_of(raw, "yields_to"),
            lost_gpu_seconds=opt_float_of(raw, "lost_gpu_seconds"),
            estimated_lost_gpu_seconds=opt_float_of(raw, "estimated_lost_gpu_seconds"),
            raw=raw,
        )
