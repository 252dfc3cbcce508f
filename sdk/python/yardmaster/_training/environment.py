"""The variables that Yardmaster sets for a job. Tolerant: a malformed value counts as absent."""

from __future__ import annotations

import re
import sys
import urllib.parse
from dataclasses import dataclass
from typing import Any, Mapping, Optional

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True)
class Environment:
    job_id: str = ""
    attempt: int = 0
    resume_from: Optional[str] = None
    resume_step: int = 0
    checkpoint_dir: Optional[str] = None
    checkpoint_every: Optional[float] = None
    progress_url: Optional[str] = None
    progress_file: Optional[str] = None
    token_file: Optional[str] = None
    notice_file: Optional[str] = None
    notice_url: Optional[str] = None
    rank: Optional[int] = None
    local_rank: int = 0
    node_rank: int = 0
    in_later_group: bool = False

    @property
    def is_job(self) -> bool:
        return bool(self.job_id)

    @classmethod
    def read(cls, variables: Mapping[str, str]) -> Environment:
        def text(name: str) -> Optional[str]:
            return variables.get(name, "").strip() or None

        resume_from = local_path(text("YM_RESUME_FROM"))
        ranks = (natural(text(name)) for name in ("RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"))
        groups = text("YM_GROUPS")
        return cls(
            job_id=text("YM_JOB_ID") or "",
            attempt=natural(text("YM_ATTEMPT")) or 0,
            resume_from=resume_from,
            resume_step=(natural(text("YM_RESUME_STEP")) or 0) if resume_from else 0,
            checkpoint_dir=local_path(text("YM_CHECKPOINT_DIR")),
            checkpoint_every=seconds(text("YM_CHECKPOINT_EVERY")),
            progress_url=text("YM_PROGRESS_URL"),
            progress_file=text("YM_PROGRESS_FILE"),
            token_file=text("YM_TOKEN_FILE"),
            notice_file=text("YM_NOTICE_FILE"),
            notice_url=text("YM_NOTICE_URL"),
            rank=next((rank for rank in ranks if rank is not None), None),
            local_rank=natural(text("LOCAL_RANK")) or 0,
            # Without a launcher that numbers processes, each node runs the program once.
            node_rank=natural(text("YM_NODE_RANK")) or 0,
            in_later_group=groups is not None and not groups.startswith(f"{text('YM_GROUP')}="),
        )

    def global_rank(self) -> int:
        """Rank among all processes of the job. Launchers count from 0 in each group; the job's first process is in the
        first group.
        """
        if self.in_later_group:
            return max(self.own_rank(), 1)
        return self.own_rank()

    def own_rank(self) -> int:
        if self.rank is not None:
            return self.rank
        distributed = torch_group()
        return int(distributed.get_rank()) if distributed is not None else self.node_rank


def natural(text: Optional[str]) -> Optional[int]:
    return int(text) if text is not None and re.fullmatch(r"[0-9]{1,18}", text) else None


def seconds(text: Optional[str]) -> Optional[float]:
    """Seconds, as a number or with units ("90", "15m", "1h30m"); None for anything else, and for zero."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,9})?", text):
        return float(text) or None
    if not re.fullmatch(r"([0-9]{1,12}(ms|[smhd]))+", text):
        return None
    return sum(int(n) * _UNITS[unit] for n, unit in re.findall(r"([0-9]+)(ms|[smhd])", text)) or None


def local_path(place: Optional[str]) -> Optional[str]:
    """The path of a `file:` URI. Any other text does not change."""
    if place is None or not place.startswith("file:"):
        return place
    try:
        parts = urllib.parse.urlsplit(place)
        path = urllib.parse.unquote(parts.path)
    except ValueError:
        return place
    return path if path and parts.netloc in ("", "localhost") else place


def torch_group() -> Optional[Any]:
    """torch.distributed, if the program has imported and initialised it. Never imports it."""
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed is None or not distributed.is_available() or not distributed.is_initialized():
            return None
    except Exception:  # partly imported, or another module of that name
        return None
    return distributed
