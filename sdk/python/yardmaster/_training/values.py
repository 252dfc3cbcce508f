"""Values from training as numbers that JSON has."""

from __future__ import annotations

import json
import math
import operator
from typing import Any, Dict, Mapping, Optional, Tuple

from .channel import MAX_REPORT

_MOST_METRICS = 64
_LONGEST_NAME = 128
_LARGEST = 1 << 53  # what every JSON reader takes exactly


def count_of(value: Any) -> Optional[int]:
    """A step: a whole number from 0 on, of any numeric type; else None."""
    try:
        number = operator.index(value) if hasattr(value, "__index__") else int(value)
        return number if 0 <= number <= _LARGEST else None
    except Exception:  # whatever a foreign type raises
        return None


def seconds_of(value: Any) -> Optional[float]:
    number = number_of(value)
    return number if number is not None and number >= 0 else None


def number_of(value: Any) -> Optional[float]:
    """A finite number; None for NaN, infinity and what is no number."""
    try:
        number = float(value)
    except Exception:  # whatever a foreign type raises
        return None
    return number if math.isfinite(number) else None


def on_accelerator(value: Any) -> bool:
    """Whether reading it waits for a device."""
    if isinstance(value, (int, float)):
        return False
    device = getattr(value, "device", None)
    return device is not None and str(getattr(device, "type", device)).lower() != "cpu"


def metrics_of(values: Mapping[str, Any], may_wait: bool) -> Dict[str, float]:
    """The finite ones. Without `may_wait` those on a device are left out."""
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
    """A report as JSON of at most 16 KiB; metrics are left out until it fits."""
    body = _json(report)
    while len(body) > MAX_REPORT and report.get("metrics"):
        kept: Tuple[Tuple[str, float], ...] = tuple(report["metrics"].items())
        report = {**report, "metrics": dict(kept[: len(kept) // 2])}
        body = _json(report)
    return body


def _json(report: Mapping[str, Any]) -> bytes:
    return json.dumps(report, allow_nan=False, separators=(",", ":")).encode()
