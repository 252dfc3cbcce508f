"""The exceptions of this package. All of them are YardmasterErrors."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple, Type

from ._http import Reply
from .models import JobInfo


class YardmasterError(Exception):
    """Base class of all exceptions of this package."""


@dataclass(frozen=True)
class FieldError:
    """One wrong field. `pointer`: a JSON pointer into the body, or /query/NAME, or /header/NAME."""

    pointer: str
    message: str


class ApiError(YardmasterError):
    """The server refused the request, or did not answer.

    `status`: the HTTP status (0: no answer). `code`: the server's stable word for the kind of error. `detail`: a
    sentence. `errors`: the wrong fields, with messages.
    """

    def __init__(
        self,
        detail: str,
        *,
        status: int = 0,
        code: str = "",
        title: str = "",
        errors: Sequence[FieldError] = (),
    ) -> None:
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.errors: Tuple[FieldError, ...] = tuple(errors)
        super().__init__(detail)

    def __str__(self) -> str:
        lines = [self.detail or self.title or self.code or f"HTTP status {self.status}"]
        lines += [f"  {error.pointer}: {error.message}" for error in self.errors if error.message not in lines[0]]
        return "\n".join(lines)


class Invalid(ApiError):
    """The request is wrong; `errors` names the fields."""


class Unauthenticated(ApiError):
    """The token is missing, wrong or expired."""


class Forbidden(ApiError):
    """The token does not permit the request."""


class NotFound(ApiError):
    """The job, log or object does not exist."""


class Conflict(ApiError):
    """The present state does not permit the request, or a name means several jobs (`code` is "ambiguous")."""


class Expired(ApiError):
    """The server no longer keeps events as old as the cursor: list the jobs, and continue from there."""


class RateLimited(ApiError):
    """Too many requests, also after waiting."""


class ServerError(ApiError):
    """An error inside the server."""


class Unavailable(ApiError):
    """The server cannot be reached, sent an incomplete answer, or cannot serve now.

    Jobs go on without the server. `idempotency_key` is set if it is not known whether a submit arrived: submitting the
    same again with this key is safe.
    """

    idempotency_key: Optional[str] = None


class JobFailed(YardmasterError):
    """`wait(raise_on_failure=True)`: the job ended in a state other than SUCCEEDED. `job`: its last state."""

    def __init__(self, job: JobInfo) -> None:
        self.job = job
        super().__init__(f"job {job.id} ({job.name}) is {job.state}" + (f": {job.message}" if job.message else ""))


class WaitTimeout(YardmasterError, TimeoutError):
    """`wait(timeout=...)`: the timeout ended; the job goes on. `job`: its last known state."""

    def __init__(self, job: JobInfo) -> None:
        self.job = job
        super().__init__(f"job {job.id} ({job.name}) is still {job.state}")


class SeveralJobs(YardmasterError):
    """`submit()` created several jobs; `jobs` has all of them. Use `submit_all()`."""

    def __init__(self, jobs: Sequence[JobInfo]) -> None:
        self.jobs: Tuple[JobInfo, ...] = tuple(jobs)
        super().__init__(f"{len(jobs)} jobs were submitted: {', '.join(job.id for job in jobs)}; use submit_all()")


_BY_STATUS: List[Tuple[int, Type[ApiError]]] = [
    (400, Invalid),
    (401, Unauthenticated),
    (403, Forbidden),
    (404, NotFound),
    (409, Conflict),
    (410, Expired),
    (413, Invalid),
    (415, Invalid),
    (422, Invalid),
    (429, RateLimited),
    (502, Unavailable),
    (503, Unavailable),
    (504, Unavailable),
]


def error_of(reply: Reply) -> ApiError:
    """The exception for an answer that is not a success. Accepts any body."""
    kind = dict(_BY_STATUS).get(reply.status, ServerError if reply.status >= 500 else ApiError)
    try:
        problem = json.loads(reply.body)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        return kind(f"the server answered with HTTP status {reply.status}", status=reply.status)
    return kind(
        _text(problem.get("detail")),
        status=reply.status,
        code=_text(problem.get("code")),
        title=_text(problem.get("title")),
        errors=[
            FieldError(_text(item.get("pointer")), _text(item.get("message")))
            for item in _items(problem.get("errors"))
            if isinstance(item, dict)
        ],
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _items(value: Any) -> List[Any]:
    return value if isinstance(value, list) else []
