"""What the server answers, as frozen dataclasses.

A field that this version does not know is ignored (and is in `raw`, the object as it came); one that is missing has
its default. So a client works with an older and with a newer server.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple

Raw = Dict[str, Any]

ENDED_STATES = frozenset({"SUCCEEDED", "FAILED", "CANCELLED", "TIMED_OUT"})


def parse_time(value: Any) -> Optional[datetime.datetime]:
    """An RFC 3339 time; None for anything else."""
    if not isinstance(value, str):
        return None
    text = value[:-1] + "+00:00" if value.endswith(("Z", "z")) else value
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        return None


def _str(raw: Raw, key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""


def _opt_str(raw: Raw, key: str) -> Optional[str]:
    value = raw.get(key)
    return value if isinstance(value, str) else None


def _opt_int(raw: Raw, key: str) -> Optional[int]:
    value = raw.get(key)
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _int(raw: Raw, key: str) -> int:
    return _opt_int(raw, key) or 0


def _opt_float(raw: Raw, key: str) -> Optional[float]:
    value = raw.get(key)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _float(raw: Raw, key: str) -> float:
    return _opt_float(raw, key) or 0.0


def _dict(raw: Raw, key: str) -> Raw:
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def _objects(raw: Raw, key: str) -> List[Raw]:
    value = raw.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _strings(raw: Raw, key: str) -> Tuple[str, ...]:
    value = raw.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _raw() -> Any:
    return field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class TaskPlacement:
    """Where one task of an attempt is: its node and the ids of its devices there."""

    task: int
    node: str
    devices: Tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, raw: Raw) -> TaskPlacement:
        return cls(_int(raw, "task"), _str(raw, "node"), _strings(raw, "devices"))


@dataclass(frozen=True)
class Attempt:
    """One execution of a job. `ended_by`: exit, signal, oom, time_limit, preempted, cancelled, lost, start_failed."""

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
    checkpoint_step: Optional[int] = None
    lost_gpu_seconds: Optional[float] = None
    raw: Raw = _raw()

    @property
    def has_ended(self) -> bool:
        return self.state == "ENDED"

    @classmethod
    def from_dict(cls, raw: Raw) -> Attempt:
        return cls(
            number=_int(raw, "number"),
            state=_str(raw, "state"),
            cluster=_str(raw, "cluster"),
            flavor=_str(raw, "flavor"),
            placement=tuple(TaskPlacement.from_dict(item) for item in _objects(raw, "placement")),
            started_at=parse_time(raw.get("started_at")),
            ended_at=parse_time(raw.get("ended_at")),
            exit_code=_opt_int(raw, "exit_code"),
            signal=_opt_int(raw, "signal"),
            ended_by=_opt_str(raw, "ended_by"),
            message=_str(raw, "message"),
            checkpoint_step=_opt_int(raw, "checkpoint_step"),
            lost_gpu_seconds=_opt_float(raw, "lost_gpu_seconds"),
            raw=raw,
        )


@dataclass(frozen=True)
class JobInfo:
    """A job as the server knows it.

    `state` is one of HELD, QUEUED, STARTING, RUNNING, STOPPING, UNREACHABLE and, at the end, SUCCEEDED, FAILED,
    CANCELLED, TIMED_OUT. `reason`: while it waits, the code of why. `attempts` count from 1, in order.
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
    attempts: Tuple[Attempt, ...] = ()
    spec: Optional[Mapping[str, Any]] = field(default=None, repr=False)
    raw: Raw = _raw()

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
        attempts = sorted(map(Attempt.from_dict, _objects(raw, "attempts")), key=lambda attempt: attempt.number)
        return cls(
            id=_str(raw, "id"),
            name=_str(raw, "name"),
            state=_str(raw, "state"),
            user=_str(raw, "user"),
            project=_str(raw, "project"),
            queue=_str(raw, "queue"),
            priority=_int(raw, "priority"),
            reason=_opt_str(raw, "reason"),
            message=_str(raw, "message"),
            group_id=_opt_str(raw, "group_id"),
            group_index=_opt_int(raw, "group_index"),
            submitted_at=parse_time(raw.get("submitted_at")),
            started_at=parse_time(raw.get("started_at")),
            ended_at=parse_time(raw.get("ended_at")),
            attempts=tuple(attempts),
            spec=spec if isinstance(spec, dict) else None,
            raw=raw,
        )


@dataclass(frozen=True)
class Reason:
    """Why a job waits: a code of a fixed list, a sentence, and the numbers in it."""

    code: str
    message: str
    numbers: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, raw: Raw) -> Reason:
        return cls(_str(raw, "code"), _str(raw, "message"), _dict(raw, "numbers"))


@dataclass(frozen=True)
class AheadJob:
    """A job that goes before the one asked about."""

    id: str
    name: str
    user: str
    gpus: float

    @classmethod
    def from_dict(cls, raw: Raw) -> AheadJob:
        return cls(_str(raw, "id"), _str(raw, "name"), _str(raw, "user"), _float(raw, "gpus"))


@dataclass(frozen=True)
class PredictedStart:
    """When a job is expected to start: the middle of the forecast and its range."""

    median: Optional[datetime.datetime]
    low: Optional[datetime.datetime]
    high: Optional[datetime.datetime]


@dataclass(frozen=True)
class Explanation:
    """The answer to "why does it wait". `dominant` is None for a job that does not wait."""

    dominant: Optional[Reason]
    also: Tuple[Reason, ...] = ()
    ahead: Tuple[AheadJob, ...] = ()
    ahead_total: int = 0
    predicted_start: Optional[PredictedStart] = None
    sooner: Tuple[Mapping[str, Any], ...] = ()
    raw: Raw = _raw()

    @classmethod
    def from_dict(cls, raw: Raw) -> Explanation:
        start = raw.get("predicted_start")
        predicted = None
        if isinstance(start, dict):
            predicted = PredictedStart(*(parse_time(start.get(key)) for key in ("median", "low", "high")))
        return cls(
            dominant=Reason.from_dict(_dict(raw, "dominant")) if raw.get("dominant") else None,
            also=tuple(map(Reason.from_dict, _objects(raw, "also"))),
            ahead=tuple(map(AheadJob.from_dict, _objects(raw, "ahead"))),
            ahead_total=_int(raw, "ahead_total"),
            predicted_start=predicted,
            sooner=tuple(_objects(raw, "sooner")),
            raw=raw,
        )


@dataclass(frozen=True)
class Event:
    """Something that happened. `seq` orders all events and is the cursor to go on from; `data` depends on `type`."""

    seq: int
    type: str
    time: Optional[datetime.datetime] = None
    actor: str = ""
    reason: str = ""
    job: Optional[str] = None
    attempt: Optional[int] = None
    data: Mapping[str, Any] = field(default_factory=dict)
    raw: Raw = _raw()

    @classmethod
    def from_dict(cls, raw: Raw) -> Event:
        return cls(
            seq=_int(raw, "seq"),
            type=_str(raw, "type"),
            time=parse_time(raw.get("time")),
            actor=_str(raw, "actor"),
            reason=_str(raw, "reason"),
            job=_opt_str(raw, "job"),
            attempt=_opt_int(raw, "attempt"),
            data=_dict(raw, "data"),
            raw=raw,
        )


@dataclass(frozen=True)
class QueueUsage:
    """How much of a resource of a flavor a queue has (None: no limit), uses, and borrows from others."""

    flavor: str
    resource: str
    nominal: Optional[float]
    used: float
    borrowed: float

    @classmethod
    def from_dict(cls, raw: Raw) -> QueueUsage:
        return cls(
            _str(raw, "flavor"),
            _str(raw, "resource"),
            _opt_float(raw, "nominal"),
            _float(raw, "used"),
            _float(raw, "borrowed"),
        )


@dataclass(frozen=True)
class QueueCounts:
    """How many jobs of a queue wait, are held, have a place."""

    queued: int = 0
    held: int = 0
    active: int = 0


@dataclass(frozen=True)
class QueueInfo:
    """A queue with its quota (by flavor and resource) and use."""

    name: str
    parent: Optional[str] = None
    quota: Optional[Mapping[str, Any]] = None
    accepts_jobs: bool = True
    managed_by: str = ""
    usage: Tuple[QueueUsage, ...] = ()
    counts: QueueCounts = QueueCounts()
    raw: Raw = _raw()

    @classmethod
    def from_dict(cls, raw: Raw) -> QueueInfo:
        quota = raw.get("quota")
        counts = _dict(raw, "counts")
        return cls(
            name=_str(raw, "name"),
            parent=_opt_str(raw, "parent"),
            quota=quota if isinstance(quota, dict) else None,
            accepts_jobs=raw.get("accepts_jobs") is not False,
            managed_by=_str(raw, "managed_by"),
            usage=tuple(map(QueueUsage.from_dict, _objects(raw, "usage"))),
            counts=QueueCounts(_int(counts, "queued"), _int(counts, "held"), _int(counts, "active")),
            raw=raw,
        )


@dataclass(frozen=True)
class Device:
    """A GPU of a node, and the job that has it."""

    id: str
    healthy: bool = True
    job: Optional[str] = None
    attempt: Optional[int] = None

    @classmethod
    def from_dict(cls, raw: Raw) -> Device:
        return cls(_str(raw, "id"), raw.get("healthy") is not False, _opt_str(raw, "job"), _opt_int(raw, "attempt"))


@dataclass(frozen=True)
class NodeInfo:
    """A machine (or virtual node). `memory` in bytes; `used`: cpus, memory and gpus that jobs have."""

    name: str
    cluster: str = ""
    gpu_type: Optional[str] = None
    devices: Tuple[Device, ...] = ()
    cpus: float = 0.0
    memory: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    schedulable: bool = True
    message: str = ""
    used: Mapping[str, float] = field(default_factory=dict)
    raw: Raw = _raw()

    @classmethod
    def from_dict(cls, raw: Raw) -> NodeInfo:
        return cls(
            name=_str(raw, "name"),
            cluster=_str(raw, "cluster"),
            gpu_type=_opt_str(raw, "gpu_type"),
            devices=tuple(map(Device.from_dict, _objects(raw, "devices"))),
            cpus=_float(raw, "cpus"),
            memory=_int(raw, "memory"),
            labels=_dict(raw, "labels"),
            schedulable=raw.get("schedulable") is not False,
            message=_str(raw, "message"),
            used=_dict(raw, "used"),
            raw=raw,
        )


@dataclass(frozen=True)
class Caller:
    """Whom the token belongs to."""

    user: str
    role: str
