"""Values of the training as numbers that JSON has."""

from __future__ import annotations

import json
import math
import operator
from typing import Any, Dict, Mapping, Optional, Tuple

from .channel import MAX_REPORT

_MOST_METRICS = 64
_LONGEST_NAME = 128
_LARGEST = 1 << 53  # the largest integer that all JSON readers keep exact


def count_of(value: Any) -> Optional[int]:
    """A step: a whole number, at least 0, of any numeric type. Otherwise None."""
    try:
        number = operator.index(value) if hasattr(value, "__index__") else int(value)
        return number if 0 <= number <= _LARGEST else None
    except Exception:  # a foreign type may raise any exception
        return None


def seconds_of(value: Any) -> Optional[float]:
    number = number_of(value)
    return number if number is not None and number >= 0 else None


def number_of(value: Any) -> Optional[float]:
    """A finite number. None for NaN, infinity and values that are not numbers."""
    try:
        number = float(value)
    except Exception:  # a foreign type may raise any exception
        return None
    return number if math.isfinite(number) else None


def on_accelerator(value: Any) -> bool:
    """Whether reading it waits for a device."""
    if isinstance(value, (int, float)):
        return False
    device = getattr(value, "device", None)
    return device is not None and str(getattr(device, "type", device)).lower() != "cpu"


def metrics_of(values: Mapping[str, Any], may_wait: bool) -> Dict[str, float]:
    """The finite values. Without `may_wait`, leaves out values on a device."""
    metrics: Dict[str, float] = {}
    for name, value in values.items():
        if len(metrics) >= _MOST_METRICS:
            break
        if len(name) > _LONGEST_NAME or isinstance(value, str) or (not may_wait and on_accelerator(value)):
            continue
        number = number_of(value)
        if number is not None:
            metrics[name] = number
    return metrics


def encode(report: Mapping[str, Any]) -> bytes:
    """A report as JSON of at most 16 KiB. Leaves out metrics until it fits."""
    body = _json(report)
    while len(body) > MAX_REPORT and report.get("metrics"):
        kept: Tuple[Tuple[str, float], ...] = tuple(report["metrics"].items())
        report = {**report, "metrics": dict(kept[: len(kept) // 2])}
        body = _json(report)
    return body


def _json(report: Mapping[str, Any]) -> bytes:
    return json.dumps(report, allow_nan=False, separators=(",", ":")).encode()
