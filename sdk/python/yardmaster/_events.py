"""The feed of events, and waiting for the end of a job by that feed."""

from __future__ import annotations

import json
import time
from typing import Callable, Iterator, List, Optional, Sequence

from . import _transport
from ._http import Cancel
from ._outage import Outage
from ._text import SseParser
from ._transport import PAGE, TRANSIENT, JobRef, Transport, job_path
from .errors import ApiError, JobFailed, Unavailable, WaitTimeout, error_of
from .models import Event, JobInfo

LOOK_AGAIN = 30.0  # a stream that is silent for this number of seconds is opened again


class Events:
    """`patience`: seconds for which `follow` and `wait` tolerate a server that does not answer."""

    def __init__(self, transport: Transport, patience: float) -> None:
        self._transport, self._patience = transport, patience

    def stored(self, job: Optional[JobRef], after: Optional[int]) -> Iterator[Event]:
        path = _path(job)
        cursor: Optional[int] = after
        while True:
            page = self._transport.get(path, {"limit": PAGE, "cursor": cursor})
            yield from map(Event.from_dict, page.get("items", []))
            cursor = page.get("next")
            if cursor is None:
                return

    def follow(self, ref: Optional[JobRef], after: Optional[int], cancel: Cancel) -> Iterator[Event]:
        outage = Outage(self._patience, cancel)
        job = None if ref is None else self._look(ref, outage, cancel).id
        if job is None and after is None:
            after = outage.bear(lambda: self._newest(cancel))
        while True:
            # If the job had ended already, the stream below would wait for no event.
            had_ended = job is not None and self._look(job, outage, cancel).has_ended
            if had_ended:
                yield from self.stored(job, after)
                return
            try:
                for seen in self._stream(job, after or 0, lambda: LOOK_AGAIN, cancel):
                    outage.over()
                    if seen is None:
                        continue
                    after = seen.seq
                    yield seen
                    if job is not None and seen.type == "job.finished":
                        return
                cancel.sleep(_transport.FIRST_PAUSE)
            except (*TRANSIENT, Unavailable) as error:
                outage.met(error)

    def wait(self, ref: JobRef, timeout: Optional[float], raise_on_failure: bool, cancel: Cancel) -> JobInfo:
        deadline = None if timeout is None else time.monotonic() + timeout
        outage = Outage(self._patience, cancel)
        job = self._look(ref, outage, cancel)
        while not job.has_ended:
            if deadline is not None and time.monotonic() >= deadline:
                raise WaitTimeout(job)
            # Reads the position of the feed first and the job second: no event between the two is missed.
            seq = outage.bear(lambda: self._newest(cancel))
            job = self._look(job.id, outage, cancel)
            if not job.has_ended:
                self._await_end(job.id, seq, deadline, cancel)
        if raise_on_failure and not job.has_succeeded:
            raise JobFailed(job)
        return job

    def wait_all(
        self, jobs: Sequence[JobRef], timeout: Optional[float], raise_on_failure: bool, cancel: Cancel
    ) -> List[JobInfo]:
        deadline = None if timeout is None else time.monotonic() + timeout
        ended = [self.wait(job, _left(deadline), False, cancel) for job in jobs]
        for job in ended:
            if raise_on_failure and not job.has_succeeded:
                raise JobFailed(job)
        return ended

    def _look(self, job: JobRef, outage: Outage, cancel: Cancel) -> JobInfo:
        return outage.bear(lambda: self._transport.job(job, cancel))

    def _newest(self, cancel: Cancel) -> int:
        return int(self._transport.get("/api/v1/jobs", {"limit": 1}, cancel).get("as_of", 0))

    def _await_end(self, job: str, seq: int, deadline: Optional[float], cancel: Cancel) -> None:
        """Returns when the job may have ended, when the timeout ends, or when it is time to look at the job again."""
        until = time.monotonic() + LOOK_AGAIN
        until = until if deadline is None else min(until, deadline)
        try:
            for event in self._stream(job, seq, lambda: max(until - time.monotonic(), 0.05), cancel):
                if (event is not None and event.type == "job.finished") or time.monotonic() >= until:
                    return
        except (ApiError, *TRANSIENT):
            pass  # looking at the job will show what is wrong
        left = max(until - time.monotonic(), 0.0)
        cancel.sleep(min(left, 0.2))

    def _stream(
        self, job: Optional[str], after: int, patience: Callable[[], float], cancel: Cancel
    ) -> Iterator[Optional[Event]]:
        """The events of one connection, and None for each heartbeat. `patience()`: seconds to wait for the next bytes.
        """
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        with self._transport.open(
            "GET", _path(job), query={}, headers=headers, timeout=patience(), cancel=cancel
        ) as exchange:
            if exchange.status >= 300:
                raise error_of(exchange.read())
            parser = SseParser()
            for piece in exchange.pieces():
                for event in parser.feed(piece):
                    yield Event.from_dict(json.loads(event.data)) if event is not None else None


def _path(job: Optional[JobRef]) -> str:
    return "/api/v1/events" if job is None else job_path(job, "events")


def _left(deadline: Optional[float]) -> Optional[float]:
    return None if deadline is None else max(deadline - time.monotonic(), 0.0)
