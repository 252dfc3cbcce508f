"""Reports in the form of the server. Values without a valid form are left out."""

from __future__ import annotations

import datetime
import os
from typing import Any, Dict, Mapping, Optional

from .values import count_of, metrics_of, seconds_of

_LONGEST_URI = 4096


def progress_report(step: Any, total_steps: Any, metrics: Mapping[str, Any], may_wait: bool) -> Dict[str, Any]:
    """Empty: nothing to report. `may_wait`: may read values on a device, which waits for the device."""
    report: Dict[str, Any] = {}
    for key, count in (("step", count_of(step)), ("total_steps", count_of(total_steps))):
        if count is not None:
            report[key] = count
    numbers = metrics_of(metrics, may_wait)
    if numbers:
        report["metrics"] = numbers
    return report


def checkpoint_report(uri: object, step: Any, save_seconds: Any) -> Optional[Dict[str, Any]]:
    """A report of a checkpoint that is durable now. None: its uri or its step is not valid."""
    place, count = _place(uri), count_of(step)
    if place is None or count is None:
        return None
    report: Dict[str, Any] = {"uri": place, "step": count, "durable_at": _now()}
    took = seconds_of(save_seconds)
    if took is not None:
        report["save_seconds"] = round(took, 3)
    return report


def _place(uri: object) -> Optional[str]:
    if not isinstance(uri, (str, os.PathLike)):
        return None
    text = os.fspath(uri)
    if not isinstance(text, str) or not text.strip():
        return None
    scheme = text.split(":", 1)[0] if ":" in text else ""
    if not (len(scheme) > 1 and scheme.replace("+", "").isalnum() and "/" not in scheme):
        text = os.path.abspath(text)
    try:
        return text if len(text.encode()) <= _LONGEST_URI else None
    except UnicodeEncodeError:
        return None


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
