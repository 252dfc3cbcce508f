"""Tolerant reading of the server's JSON objects: a field that is missing or has another type counts as absent."""

from __future__ import annotations

import datetime
from dataclasses import field
from typing import Any, Dict, List, Optional, Tuple

Raw = Dict[str, Any]


def parse_time(value: Any) -> Optional[datetime.datetime]:
    """An RFC 3339 time; None for anything else."""
    if not isinstance(value, str):
        return None
    text = value[:-1] + "+00:00" if value.endswith(("Z", "z")) else value
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        return None


def str_of(raw: Raw, key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""


def opt_str_of(raw: Raw, key: str) -> Optional[str]:
    value = raw.get(key)
    return value if isinstance(value, str) else None


def opt_int_of(raw: Raw, key: str) -> Optional[int]:
    value = raw.get(key)
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def int_of(raw: Raw, key: str) -> int:
    return opt_int_of(raw, key) or 0


def opt_float_of(raw: Raw, key: str) -> Optional[float]:
    value = raw.get(key)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def float_of(raw: Raw, key: str) -> float:
    return opt_float_of(raw, key) or 0.0


def dict_of(raw: Raw, key: str) -> Raw:
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def objects_of(raw: Raw, key: str) -> List[Raw]:
    value = raw.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def strings_of(raw: Raw, key: str) -> Tuple[str, ...]:
    value = raw.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def raw_field() -> Any:
    return field(default_factory=dict, repr=False, compare=False)
