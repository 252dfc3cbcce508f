"""The output of tasks: read once, or followed from attempt to attempt."""

from __future__ import annotations

import socket
from typing import Generator, Iterator, Optional

from . import _transport
from ._events import LOOK_AGAIN
from ._http import Cancel
from ._outage import Outage
from ._text import LineSplitter
from ._transport import TRANSIENT, JobRef, Query, Transport, job_path, unavailable
from .errors import NotFound, Unavailable, error_of
from .models import Attempt, JobInfo


class Logs:
    """`patience`: seconds for which `follow` tolerates a server that does not answer."""

    def __init__(self, transport: Transport, patience: float) -> None:
        self._transport, self._patience = transport, patience

    def read(
        self, job: JobRef, rank: int, attempt: Optional[int], tail: Optional[int], cancel: Cancel
    ) -> Iterator[str]:
        query: Query = {"rank": rank, "attempt": attempt, "tail": tail}
        splitter = LineSplitter()
        try:
            headers = {"Accept": "text/plain"}
            with self._transport.open(
                "GET", job_path(job, "logs"), query=query, headers=headers, cancel=cancel
            ) as exchange:
                if exchange.status >= 300:
                    raise error_of(exchange.read())
                for piece in exchange.pieces():
                    yield from splitter.feed(piece)
        except TRANSIENT as error:
            raise unavailable(error, arrived=True) from error
        yield from splitter.flush()

    def follow(
        self, ref: JobRef, rank: int, attempt: Optional[int], tail: Optional[int], cancel: Cancel
    ) -> Iterator[str]:
        outage = Outage(self._patience, cancel)
        job = outage.bear(lambda: self._transport.job(ref, cancel))
        above = job.attempts[-1].number - 1 if job.attempts else 0
        log = _Position(attempt, rank, tail)
        while True:
            job = outage.bear(lambda: self._transport.job(job.id, cancel))
            if log.attempt is None:
                log.attempt = _first_above(job, above)
            if _is_past(job, log, attempt):
                return
            before = log.offset
            complete = yield from self._take_up(job, log, outage, cancel)
            if complete:
                yield from log.lines.flush()
                if attempt is not None:
                    return
                above = log.attempt or above
                log = _Position(None, rank, None)
            elif log.offset == before:
                cancel.sleep(_transport.FIRST_PAUSE)

    def _take_up(self, job: JobInfo, log: _Position, outage: Outage, cancel: Cancel) -> Generator[str, None, bool]:
        """Reads on from the position `log`. Returns whether the attempt has ended and all of its output was read."""
        seen = log.seen_in(job)
        if seen is None:
            return False
        try:
            whole = yield from self._stream(job.id, log, cancel)
            outage.over()
            return seen.has_ended and whole
        except NotFound:
            return seen.has_ended  # none of its output is kept
        except (*TRANSIENT, Unavailable) as error:
            outage.met(error)
            return False

    def _stream(self, job: str, log: _Position, cancel: Cancel) -> Generator[str, None, bool]:
        """Returns whether it reached the end of the present output."""
        query: Query = {
            "attempt": log.attempt,
            "rank": log.rank,
            "follow": 1,
            "offset": log.offset,
            "tail": log.tail if log.offset is None else None,
        }
        # A quiet job sends nothing, so silence is not an error. The next connection shows whether the server answers.
        with self._transport.open(
            "GET",
            job_path(job, "logs"),
            query=query,
            headers={"Accept": "text/plain"},
            timeout=LOOK_AGAIN,
            cancel=cancel,
        ) as exchange:
            if exchange.status >= 300:
                raise error_of(exchange.read())
            if log.offset is None:
                log.offset = int(exchange.headers.get("log-offset", "0"))
            try:
                for piece in exchange.pieces():
                    log.offset += len(piece)
                    yield from log.lines.feed(piece)
            except socket.timeout:
                return False
        return True


class _Position:
    """The position in the output of one task of one attempt. `attempt`: None until the job has one."""

    def __init__(self, attempt: Optional[int], rank: int, tail: Optional[int]) -> None:
        self.attempt, self.rank, self.tail = attempt, rank, tail
        self.offset: Optional[int] = None
        self.lines = LineSplitter()

    def seen_in(self, job: JobInfo) -> Optional[Attempt]:
        return None if self.attempt is None else job.attempt(self.attempt)


def _first_above(job: JobInfo, number: int) -> Optional[int]:
    """The number of the next attempt. Numbers have gaps if the server's state was restored from a backup."""
    return next((attempt.number for attempt in job.attempts if attempt.number > number), None)


def _is_past(job: JobInfo, log: _Position, attempt: Optional[int]) -> bool:
    """Whether this attempt will never exist. An attempt that the caller named must exist now."""
    if log.seen_in(job) is not None or not (job.has_ended or attempt is not None):
        return False
    if attempt is not None and not job.has_ended:
        raise NotFound(f"the job has no attempt {attempt} so far", status=404, code="not_found")
    return True
