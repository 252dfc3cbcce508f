"""Queues with their quotas and usage, and nodes with the jobs on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple

from ._raw import Raw, dict_of, float_of, int_of, objects_of, opt_float_of, opt_int_of, opt_str_of, raw_field, str_of


@dataclass(frozen=True)
class QueueUsage:
    """A queue's quota of one resource in a flavor (`nominal`; None: no limit), its use, and what it borrows.

    `lately`: decayed usage: past usage, halved after each half-life of the server.
    """

    flavor: str
    resource: str
    nominal: Optional[float]
    used: float
    borrowed: float
    lately: float = 0.0

    @classmethod
    def from_dict(cls, raw: Raw) -> QueueUsage:
        return cls(
            str_of(raw, "flavor"),
            str_of(raw, "resource"),
            opt_float_of(raw, "nominal"),
            float_of(raw, "used"),
            float_of(raw, "borrowed"),
            float_of(raw, "lately"),
        )


@dataclass(frozen=True)
class UserUsage:
    """Decayed usage of a user in a queue, for one flavor: cpus, memory (bytes) and gpus."""

    user: str
    flavor: str
    lately: Mapping[str, float]

    @classmethod
    def from_dict(cls, raw: Raw) -> UserUsage:
        return cls(str_of(raw, "user"), str_of(raw, "flavor"), dict_of(raw, "lately"))


@dataclass(frozen=True)
class QueueCounts:
    """Numbers of jobs of a queue: waiting, held, with nodes."""

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
    users: Tuple[UserUsage, ...] = ()
    counts: QueueCounts = QueueCounts()
    raw: Raw = raw_field()

    @classmethod
    def from_dict(cls, raw: Raw) -> QueueInfo:
        quota = raw.get("quota")
        counts = dict_of(raw, "counts")
        return cls(
            name=str_of(raw, "name"),
            parent=opt_str_of(raw, "parent"),
            quota=quota if isinstance(quota, dict) else None,
            accepts_jobs=raw.get("accepts_jobs") is not False,
            managed_by=str_of(raw, "managed_by"),
            usage=tuple(map(QueueUsage.from_dict, objects_of(raw, "usage"))),
            users=tuple(map(UserUsage.from_dict, objects_of(raw, "users"))),
            counts=QueueCounts(int_of(counts, "queued"), int_of(counts, "held"), int_of(counts, "active")),
            raw=raw,
        )


@dataclass(frozen=True)
class Device:
    """A GPU of a node, and the job that uses it. `hidden_jobs`: how many use it that the caller may not see."""

    id: str
    healthy: bool = True
    job: Optional[str] = None
    attempt: Optional[int] = None
    jobs: Tuple[str, ...] = ()
    profile: Optional[str] = None
    memory: Optional[int] = None
    hidden_jobs: int = 0

    @classmethod
    def from_dict(cls, raw: Raw) -> Device:
        return cls(str_of(raw, "id"), raw.get("healthy") is not False, opt_str_of(raw, "job"), opt_int_of(raw, "attempt"),
                   tuple(str(job) for job in raw.get("jobs") or ()), opt_str_of(raw, "profile"), opt_int_of(raw, "memory"),
                   int_of(raw, "hidden_jobs"))


@dataclass(frozen=True)
class NodeInfo:
    """A machine (or virtual node). `memory` in bytes; `used`: cpus, memory and gpus of its jobs."""

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
    raw: Raw = raw_field()

    @classmethod
    def from_dict(cls, raw: Raw) -> NodeInfo:
        return cls(
            name=str_of(raw, "name"),
            cluster=str_of(raw, "cluster"),
            gpu_type=opt_str_of(raw, "gpu_type"),
            devices=tuple(map(Device.from_dict, objects_of(raw, "devices"))),
            cpus=float_of(raw, "cpus"),
            memory=int_of(raw, "memory"),
            labels=dict_of(raw, "labels"),
            schedulable=raw.get("schedulable") is not False,
            message=str_of(raw, "message"),
            used=dict_of(raw, "used"),
            raw=raw,
        )
