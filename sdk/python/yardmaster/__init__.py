"""Yardmaster for Python: `import yardmaster as ym`.

In a training program, `ym.train()` reports progress and checkpoints. It says where to resume, when to save and when to
stop (see `Training`). Outside Yardmaster it does nothing.

In other programs, `ym.Client` and `ym.AsyncClient` submit jobs and follow them over REST.

The package needs only the standard library.
"""

from ._version import __version__
from .aio import AsyncClient
from .client import Client
from .errors import (
    ApiError,
    Conflict,
    Expired,
    FieldError,
    Forbidden,
    Invalid,
    JobFailed,
    NotFound,
    RateLimited,
    ServerError,
    SeveralJobs,
    Unauthenticated,
    Unavailable,
    WaitTimeout,
    YardmasterError,
)
from .job import Job, JobFile
from .models import (
    AheadJob,
    Attempt,
    Caller,
    Checkpoint,
    Device,
    Event,
    Explanation,
    Hold,
    JobInfo,
    NodeInfo,
    PredictedStart,
    Progress,
    QueueCounts,
    QueueInfo,
    QueueUsage,
    UserUsage,
    Reason,
    Reservation,
    TaskPlacement,
)
from .training import Notice, Training, train

__all__ = [
    "AheadJob",
    "ApiError",
    "AsyncClient",
    "Attempt",
    "Caller",
    "Checkpoint",
    "Client",
    "Conflict",
    "Device",
    "Event",
    "Expired",
    "Explanation",
    "FieldError",
    "Forbidden",
    "Hold",
    "Invalid",
    "Job",
    "JobFailed",
    "JobFile",
    "JobInfo",
    "NodeInfo",
    "NotFound",
    "Notice",
    "PredictedStart",
    "Progress",
    "QueueCounts",
    "QueueInfo",
    "QueueUsage",
    "UserUsage",
    "RateLimited",
    "Reason",
    "Reservation",
    "ServerError",
    "SeveralJobs",
    "TaskPlacement",
    "Training",
    "Unauthenticated",
    "Unavailable",
    "WaitTimeout",
    "YardmasterError",
    "__version__",
    "train",
]
