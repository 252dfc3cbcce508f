"""The answers of the server, as frozen dataclasses.

A field that this version does not know is ignored; `raw` has the whole object. A missing field has its default. So a
client works with an older and with a newer server.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple

from ._attempt import Attempt, Checkpoint, Hold, Progress, TaskPlacement
from ._cluster import Device, NodeInfo, QueueCounts, QueueInfo, QueueUsage, UserUsage
from ._explanation import AheadJob, Explanation, PredictedStart, Reason, Reservation
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

__all__ = [
    "ENDED_STATES",
    "AheadJob",
    "Attempt",
    "Caller",
    "Checkpoint",
    "Device",
    "Event",
    "Explanation",
    "Hold",
    "JobInfo",
    "NodeInfo",
    "PredictedStart",
    "Progress",
    "QueueCounts",
    "QueueInfo",
    "QueueUsage",
    "UserUsage",
    "Reason",
    "Reservation",
    "TaskPlacement",
    "parse_time",
]

ENDED_STATES = frozenset({"SUCCEEDED", "FAILED", "CANCELLED", "TIMED_OUT"})


@dataclass(frozen=True)
class JobInfo:
    """A job, in the form of the server.

    `state` is HELD, QUEUED, STARTING, RUNNING, STOPPING, UNREACHABLE or, after its end, SUCCEEDED, FAILED, CANCELLED,
    TIMED_OUT. `reason`: the code of why it waits. `attempts`: in order. Their numbers have gaps if the server's state
    was restored from a backup.

    `checkpoints`: the newest three durable ones, newest first. `work_at_risk_gpu_seconds`: work that would be repeated
    if it were stopped now; None unless it runs. `preemptions`: number of its preemptions. `hold`: its nominated
    placement, kept while other jobs stop for it. `warnings`: parts of its spec that are probably not intended.
    """

    id: str
    name: str
    state: str
    user: str = ""
    project: str = ""
    queue: str = ""
    priority: int = 0
    reason: Optional[str] = None
    message: str = ""
    group_id: Optional[str] = None
    group_index: Optional[int] = None
    submitted_at: Optional[datetime.datetime] = None
    started_at: Optional[datetime.datetime] = None
    ended_at: Optional[datetime.datetime] = None
    checkpoints: Tuple[Checkpoint, ...] = ()
    work_at_risk_gpu_seconds: Optional[float] = None
    preemptions: int = 0
    hold: Optional[Hold] = None
    warnings: Tuple[str, ...] = ()
    attempts: Tuple[Attempt, ...] = ()
    spec: Optional[Mapping[str, Any]] = field(default=None, repr=False)
    raw: Raw = raw_field()

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED_STATES

    @property
    def has_succeeded(self) -> bool:
        return self.state == "SUCCEEDED"

    def attempt(self, number: int) -> Optional[Attempt]:
        return next((attempt for attempt in self.attempts if attempt.number == number), None)

    @classmethod
    def from_dict(cls, raw: Raw) -> JobInfo:
        spec = raw.get("spec")
        attempts = sorted(map(Attempt.from_dict, objects_of(raw, "attempts")), key=lambda attempt: attempt.number)
        return cls(
            id=str_of(raw, "id"),
            name=str_of(raw, "name"),
            state=str_of(raw, "state"),
            user=str_of(raw, "user"),
            project=str_of(raw, "project"),
            queue=str_of(raw, "queue"),
            priority=int_of(raw, "priority"),
            reason=opt_str_of(raw, "reason"),
            message=str_of(raw, "message"),
            group_id=opt_str_of(raw, "group_id"),
            group_index=opt_int_of(raw, "group_index"),
            submitted_at=parse_time(raw.get("submitted_at")),
            started_at=parse_time(raw.get("started_at")),
            ended_at=parse_time(raw.get("ended_at")),
            checkpoints=tuple(map(Checkpoint.from_dict, objects_of(raw, "checkpoints"))),
            work_at_risk_gpu_seconds=opt_float_of(raw, "work_at_risk_gpu_seconds"),
            preemptions=int_of(raw, "preemptions"),
            hold=Hold.from_dict(dict_of(raw, "hold")) if raw.get("hold") else None,
            warnings=strings_of(raw, "warnings"),
            attempts=tuple(attempts),
            spec=spec if isinstance(spec, dict) else None,
            raw=raw,
        )


@dataclass(frozen=True)
class Event:
    """An event. `seq` orders all events and is a cursor for `after`; `data` depends on `type`."""

    seq: int
    type: str
    time: Optional[datetime.datetime] = None
    actor: str = ""
    reason: str = ""
    job: Optional[str] = None
    attempt: Optional[int] = None
    data: Mapping[str, Any] = field(default_factory=dict)
    raw: Raw = raw_field()

    @classmethod
    def from_dict(cls, raw: Raw) -> Event:
        return cls(
            seq=int_of(raw, "seq"),
            type=str_of(raw, "type"),
            time=parse_time(raw.get("time")),
            actor=str_of(raw, "actor"),
            reason=str_of(raw, "reason"),
            job=opt_str_of(raw, "job"),
            attempt=opt_int_of(raw, "attempt"),
            data=dict_of(raw, "data"),
            raw=raw,
        )


@dataclass(frozen=True)
class Caller:
    """The user of the token."""

    user: str
    role: str
