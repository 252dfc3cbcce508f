"""Job specs: built in Python, or a job file sent unchanged."""

from __future__ import annotations

import datetime
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Sequence, Union

Amount = Union[int, float, str]
Time = Union[int, str, datetime.timedelta]


@dataclass(frozen=True)
class JobFile:
    """The text of a job file, YAML (one or more documents) or JSON. The server parses it."""

    text: str
    path: Optional[Path] = None

    @property
    def is_json(self) -> bool:
        try:
            return isinstance(json.loads(self.text), dict)
        except ValueError:
            return False


_RESOURCES = ("gpus", "gpu_share", "gpu_memory", "mig", "cpus", "memory", "shm")


@dataclass(frozen=True)
class Job:
    """A job spec with the keys of `ym.yaml`. A field that is None is left out, and the server's default holds.

    `run` is a list (program and arguments, executed as it is) or a string (one argument of `sh -c`, nothing added).
    `gpus`, `cpus`, `memory`, `shm` are the `resources` of each node: `gpus=2` or `gpus="t4:2"`, `memory="32GiB"`. A
    size needs a unit; a bare number is refused. In place of `gpus`: `gpu_share=0.5` for a part of one GPU, with
    `gpu_memory="8GiB"` for its memory; or MIG slices, `mig="1g.10gb:2"`.

    `array` is a number, or `{"count": 100, "parallel": 10}`. `nodes` is a number, or `{"min": 2, "max": 8}`. `groups`
    is for tasks of several kinds: a list of mappings, each with `name`, and with its own `nodes`, `resources`, `run`,
    `launcher` and `env` as in the job file. Times are "1h30m", seconds, or a timedelta. `extra` has keys that this
    version does not know. A key that it knows raises ValueError there.

        ym.Job(run=["python", "train.py"], name="ddp", gpus=8, nodes=2, launcher="torchrun")
    """

    run: Optional[Union[str, Sequence[str]]] = None
    name: Optional[str] = None
    queue: Optional[str] = None
    project: Optional[str] = None
    priority: Optional[int] = None
    gpus: Optional[Amount] = None
    gpu_share: Optional[Amount] = None
    gpu_memory: Optional[Amount] = None
    mig: Optional[str] = None
    cpus: Optional[Amount] = None
    memory: Optional[Amount] = None
    shm: Optional[Amount] = None
    nodes: Optional[Union[int, Mapping[str, int]]] = None
    launcher: Optional[str] = None
    workdir: Optional[Union[str, "os.PathLike[str]"]] = None
    env: Optional[Mapping[str, Union[str, int, float, bool]]] = None
    time_limit: Optional[Time] = None
    retry: Optional[Mapping[str, Any]] = None
    placement: Optional[Mapping[str, Any]] = None
    preemption: Optional[Mapping[str, Any]] = None
    checkpoint: Optional[Mapping[str, Any]] = None
    array: Optional[Union[int, Mapping[str, int]]] = None
    groups: Optional[Sequence[Mapping[str, Any]]] = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> Dict[str, Any]:
        """The spec in the form of the server."""
        words = self.run is not None and not isinstance(self.run, str)
        spec: Dict[str, Any] = {"run": list(self.run or ()) if words else self.run}
        for key in ("name", "queue", "project", "priority", "nodes", "launcher", "retry", "placement", "preemption"):
            spec[key] = getattr(self, key)
        spec["workdir"] = None if self.workdir is None else os.fspath(self.workdir)
        spec["env"] = None if self.env is None else dict(self.env)
        spec["checkpoint"], spec["array"], spec["groups"] = self.checkpoint, self.array, self.groups
        resources = {key: getattr(self, key) for key in _RESOURCES}
        spec["resources"] = {key: value for key, value in resources.items() if value is not None} or None
        spec["time_limit"] = self.time_limit
        known = set(spec)
        doubled = known & set(self.extra)
        if doubled:
            raise ValueError(f"give {', '.join(sorted(doubled))} by name, not in extra")
        whole = {**spec, **self.extra}
        return {key: _plain(value) for key, value in whole.items() if value is not None}

    @staticmethod
    def load(path: Union[str, "os.PathLike[str]"]) -> JobFile:
        """Reads a job file, to submit it unchanged. Raises OSError, and ValueError if it is not UTF-8."""
        return JobFile(Path(path).read_text(encoding="utf-8"), Path(path))


def _plain(value: Any) -> Any:
    """Converts to the types of JSON, with times in the form of the server."""
    if isinstance(value, datetime.timedelta):
        return f"{round(value.total_seconds() * 1000)}ms"
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
