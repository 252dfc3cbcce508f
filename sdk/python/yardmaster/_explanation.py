"""Why a job waits, as the server explains it."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple

from ._raw import Raw, dict_of, float_of, int_of, objects_of, parse_time, raw_field, str_of


@dataclass(frozen=True)
class Reason:
    """A reason to wait: a code of a fixed list, a sentence, and its numbers."""

    code: str
    message: str
    numbers: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, raw: Raw) -> Reason:
        return cls(str_of(raw, "code"), str_of(raw, "message"), dict_of(raw, "numbers"))


@dataclass(frozen=True)
class AheadJob:
    """A job that is ahead of the explained one."""

    id: str
    name: str
    user: str
    gpus: float

    @classmethod
    def from_dict(cls, raw: Raw) -> AheadJob:
        return cls(str_of(raw, "id"), str_of(raw, "name"), str_of(raw, "user"), float_of(raw, "gpus"))


@dataclass(frozen=True)
class PredictedStart:
    """The predicted start of a job: the median and a range.

    Four of five jobs start between `low` and `high`. `high` is None if it is beyond the forecast.
    """

    median: Optional[datetime.datetime]
    low: Optional[datetime.datetime]
    high: Optional[datetime.datetime]


@dataclass(frozen=True)
class Reservation:
    """A backfill reservation: the job starts on these nodes at this time, or earlier.

    `until` is None for a job without a time limit.
    """

    start: Optional[datetime.datetime]
    until: Optional[datetime.datetime]
    cluster: str
    flavor: str
    nodes: Tuple[str, ...]

    @classmethod
    def from_dict(cls, raw: Raw) -> Reservation:
        return cls(
            parse_time(raw.get("from")),
            parse_time(raw.get("until")),
            str_of(raw, "cluster"),
            str_of(raw, "flavor"),
            tuple(map(str, raw.get("nodes") or ())),
        )


@dataclass(frozen=True)
class Explanation:
    """The explanation of a job. `dominant` is None for a job that does not wait.

    `because`: for a job that has nodes, why it is there. `deadline`: whether it will meet its deadline. `promise`: the
    start that its queue promises. `no_estimate`: the code of why there is no `predicted_start` ("no-time-limit"). It is
    None if there is a prediction, or if no forecast was made.
    """

    dominant: Optional[Reason]
    also: Tuple[Reason, ...] = ()
    ahead: Tuple[AheadJob, ...] = ()
    ahead_total: int = 0
    reservation: Optional[Reservation] = None
    predicted_start: Optional[PredictedStart] = None
    sooner: Tuple[Mapping[str, Any], ...] = ()
    because: Tuple[str, ...] = ()
    deadline: Optional[Mapping[str, Any]] = None
    promise: Optional[Mapping[str, Any]] = None
    no_estimate: Optional[str] = None
    raw: Raw = raw_field()

    @classmethod
    def from_dict(cls, raw: Raw) -> Explanation:
        start = raw.get("predicted_start")
        predicted = None
        if isinstance(start, dict):
            predicted = PredictedStart(*(parse_time(start.get(key)) for key in ("median", "low", "high")))
        return cls(
            dominant=Reason.from_dict(dict_of(raw, "dominant")) if raw.get("dominant") else None,
            also=tuple(map(Reason.from_dict, objects_of(raw, "also"))),
            ahead=tuple(map(AheadJob.from_dict, objects_of(raw, "ahead"))),
            ahead_total=int_of(raw, "ahead_total"),
            reservation=Reservation.from_dict(dict_of(raw, "reservation")) if raw.get("reservation") else None,
            predicted_start=predicted,
            sooner=tuple(objects_of(raw, "sooner")),
            because=tuple(map(str, raw.get("because") or ())),
            deadline=dict_of(raw, "deadline") or None,
            promise=dict_of(raw, "promise") or None,
            no_estimate=str_of(raw, "no_estimate") or None,
            raw=raw,
        )
