"""The client over REST."""

from __future__ import annotations

import http.client
import json
import os
import socket
import time
import urllib.parse
import uuid
from typing import Any, Callable, Dict, Generator, Iterable, Iterator, List, Mapping, Optional, TypeVar, Union

from ._http import Cancel, Exchange, Interrupted, NotConnected, Reply, Url
from ._submission import Spec, submission_of
from ._text import LineSplitter, SseParser
from .discovery import Endpoint, discover
from .errors import ApiError, JobFailed, NotFound, SeveralJobs, Unavailable, WaitTimeout, error_of
from .models import Caller, Event, Explanation, JobInfo, NodeInfo, QueueInfo

T = TypeVar("T")
Query = Mapping[str, Union[str, int, None]]
JobRef = Union[str, JobInfo]

_PAGE = 1000
_LOOK_AGAIN = 30.0  # seconds without a word on a stream, after which it is opened anew
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 2.0
_TRANSIENT = (OSError, http.client.HTTPException)


class Client:
    """Talks to a Yardmaster server.

    Without `url` and `token` it finds them as the command line does: YM_URL, YM_TOKEN, YM_TOKEN_FILE, else the local
    server of the default state directory (which is looked up again for each request, so a restarted server is found).

    A job is named by its id, by its name (the caller's newest unfinished job of that name), or by a JobInfo.

    Every call raises an ApiError if the server refuses, and Unavailable if it cannot be reached. What can safely be
    sent again is: reads, submits (each has an Idempotency-Key, so a repeated submit makes one job), and whatever
    certainly did not arrive. `timeout`: seconds for each wait for an answer; `retries`: how often one request is sent
    again; `patience`: how many seconds `wait` and the follow modes of `logs` and `events` bear a server that is away.

    A client may be used from several threads.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        timeout: float = 30.0,
        retries: int = 4,
        patience: float = 300.0,
    ) -> None:
        if timeout <= 0 or retries < 0 or patience < 0:
            raise ValueError("timeout must be above zero, retries and patience not below it")
        if url is not None:
            Url(url)  # a wrong address is told at once
        self._url, self._token = url, token
        self._timeout, self._retries, self._patience = timeout, retries, patience
        self._found = False

    def __repr__(self) -> str:
        return f"Client(url={self._url!r})"

    # --- submitting
    def submit(
        self,
        spec: Spec,
        *,
        idempotency_key: Optional[str] = None,
        workdir: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> JobInfo:
        """Submits one job: a Job, a mapping with the keys of `ym.yaml`, a JobFile, the path of a job file or its text.

        A string is a path unless it has a line break, a ": " or begins with "{". `workdir`: what a relative or missing
        `workdir` in the spec refers to; the present folder by default. The same `idempotency_key` with the same content
        gives the same job, also much later.

        Several documents or an array are refused with ValueError before anything is sent; use `submit_all`.
        """
        submission = submission_of(spec)
        if submission.may_be_several:
            raise ValueError("this may make several jobs (an array, or several documents); use submit_all()")
        jobs = self.submit_all(spec, idempotency_key=idempotency_key, workdir=workdir)
        if len(jobs) != 1:
            raise SeveralJobs(jobs)
        return jobs[0]

    def submit_all(
        self,
        spec: Spec,
        *,
        idempotency_key: Optional[str] = None,
        workdir: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> List[JobInfo]:
        """As `submit`, for several documents and arrays too: all jobs or none."""
        submission = submission_of(spec)
        key = idempotency_key or uuid.uuid4().hex
        where = os.path.abspath(os.getcwd() if workdir is None else os.fspath(workdir))
        try:
            reply = self._call(
                "POST",
                "/api/v1/jobs",
                query={"workdir": where},
                body=submission.body,
                headers={"Content-Type": submission.content_type, "Idempotency-Key": key},
                repeatable=True,
            )
        except Unavailable as error:
            error.idempotency_key = key
            raise
        answer = _object(reply)
        items = answer.get("items")
        return [JobInfo.from_dict(item) for item in (items if isinstance(items, list) else [answer])]

    # --- looking
    def get(self, job: JobRef) -> JobInfo:
        return JobInfo.from_dict(self._get(_path(job)))

    def list(
        self,
        *,
        owner: Optional[str] = None,
        queue: Optional[str] = None,
        name: Optional[str] = None,
        project: Optional[str] = None,
        group: Optional[str] = None,
        state: Union[str, Iterable[str], None] = None,
        page_size: int = 100,
    ) -> Iterator[JobInfo]:
        """Jobs, the newest first, finished ones too; pages are fetched as they are needed.

        `state`: one state, or several.
        """
        states = state if isinstance(state, str) or state is None else ",".join(state)
        query = {"owner": owner, "queue": queue, "name": name, "project": project, "group": group, "state": states}
        return map(JobInfo.from_dict, self._items("/api/v1/jobs", query, page_size))

    def why(self, job: JobRef) -> Explanation:
        """Why it waits, who is ahead, when it may start."""
        return Explanation.from_dict(self._get(_path(job, "why")))

    def queues(self) -> List[QueueInfo]:
        return [QueueInfo.from_dict(item) for item in self._items("/api/v1/queues", {}, _PAGE)]

    def nodes(self) -> List[NodeInfo]:
        return [NodeInfo.from_dict(item) for item in self._items("/api/v1/nodes", {}, _PAGE)]

    def whoami(self) -> Caller:
        answer = self._get("/api/v1/whoami")
        return Caller(str(answer.get("user", "")), str(answer.get("role", "")))

    # --- acting
    def cancel(self, job: JobRef) -> JobInfo:
        """Stops it, or takes it from the queue. A job that runs has its grace: `wait` for the end."""
        return self._act(job, "cancel")

    def hold(self, job: JobRef) -> JobInfo:
        """Keeps a queued job from starting."""
        return self._act(job, "hold")

    def release(self, job: JobRef) -> JobInfo:
        """Lets a held job go on."""
        return self._act(job, "release")

    def retry(self, job: JobRef) -> JobInfo:
        """Submits an ended job again; the new job. As with `submit`, a request that is sent again makes one job."""
        return self._act(job, "retry", key=uuid.uuid4().hex)

    # --- following
    def wait(self, job: JobRef, *, timeout: Optional[float] = None, raise_on_failure: bool = False) -> JobInfo:
        """Returns the job when it has ended. It bears restarts of the server.

        Raises WaitTimeout after `timeout` seconds (the job goes on), and with `raise_on_failure` JobFailed for a job
        that did not succeed.
        """
        return self._wait(job, timeout, raise_on_failure, Cancel())

    def wait_all(
        self, jobs: Iterable[JobRef], *, timeout: Optional[float] = None, raise_on_failure: bool = False
    ) -> List[JobInfo]:
        """As `wait` for each, with one `timeout` for all; with `raise_on_failure` raises once all have ended."""
        deadline = None if timeout is None else time.monotonic() + timeout
        ended = [self._wait(job, _left(deadline), False, Cancel()) for job in jobs]
        for job in ended:
            if raise_on_failure and not job.has_succeeded:
                raise JobFailed(job)
        return ended

    def logs(
        self,
        job: JobRef,
        *,
        follow: bool = False,
        rank: int = 0,
        attempt: Optional[int] = None,
        tail: Optional[int] = None,
    ) -> Iterator[str]:
        """The lines that task `rank` wrote, without line ends.

        `attempt`: the newest by default. With `follow` it waits for what comes and ends with the attempt, if one was
        named, else with the job: the output of further attempts follows. A lost connection is taken up where it broke.
        `tail`: only the last lines of what there is.
        """
        if follow:
            return self._follow_log(job, rank, attempt, tail, Cancel())
        return self._read_log(job, rank, attempt, tail, Cancel())

    def events(
        self, job: Optional[JobRef] = None, *, after: Optional[int] = None, follow: bool = False
    ) -> Iterator[Event]:
        """Events of a job, or of everything, after the event `after` (a `seq`).

        Without `after`: from the first, but with `follow` and no job, from now on. With `follow` it waits for more; a
        lost connection goes on behind the last event that was given, and for a job it ends when the job has.
        Raises Expired if events so old are no longer kept.
        """
        if follow:
            return self._follow_events(job, after, Cancel())
        return self._list_events(job, after)

    # --- within: requests
    def _endpoint(self) -> Endpoint:
        try:
            endpoint = discover(self._url, self._token)
        except Unavailable as error:
            if not self._found:
                raise
            # It was there before: most likely it starts again.
            raise NotConnected(error.detail) from error
        self._found = True
        return endpoint

    def _open(
        self,
        method: str,
        path: str,
        *,
        query: Query,
        headers: Mapping[str, str],
        body: Optional[bytes] = None,
        timeout: Optional[float] = None,
        cancel: Optional[Cancel] = None,
    ) -> Exchange:
        endpoint = self._endpoint()
        try:
            url = Url(endpoint.url)
        except ValueError as error:
            raise Unavailable(f"{endpoint.url}: {error}", code="unavailable") from None
        given = {key: str(value) for key, value in query.items() if value is not None}
        target = url.path.rstrip("/") + path + (f"?{urllib.parse.urlencode(given)}" if given else "")
        sent = dict(headers)
        if endpoint.token:
            sent["Authorization"] = f"Bearer {endpoint.token}"
        return Exchange(
            url,
            method,
            target,
            headers=sent,
            body=body,
            timeout=self._timeout if timeout is None else timeout,
            connect_timeout=min(self._timeout, 10.0),
            cancel=cancel,
        )

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Query] = None,
        body: Optional[bytes] = None,
        headers: Optional[Mapping[str, str]] = None,
        repeatable: bool = False,
        cancel: Optional[Cancel] = None,
    ) -> Reply:
        """A success. `repeatable`: sending it twice does no harm, so it is sent again when the answer is lost."""
        cancel = cancel or Cancel()
        pause = _FIRST_PAUSE
        for left in range(self._retries, -1, -1):
            try:
                sent = {"Accept": "application/json", **(headers or {})}
                with self._open(method, path, query=query or {}, headers=sent, body=body, cancel=cancel) as exchange:
                    reply = exchange.read()
            except (NotConnected, *_TRANSIENT) as error:
                if cancel.cancelled:
                    raise Interrupted from None
                arrived = not isinstance(error, NotConnected)
                if left == 0 or (arrived and not repeatable):
                    raise _unavailable(error, arrived) from error
            else:
                if reply.status < 300:
                    return reply
                # 429 and 503 say that nothing was done; a gateway's 502 and 504 do not know.
                again = reply.status in (429, 503) or (repeatable and reply.status in (502, 504))
                if left == 0 or not again:
                    raise error_of(reply)
                pause = max(pause, min(reply.retry_after or 0.0, 10.0))
            cancel.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        raise AssertionError("unreachable")

    def _get(self, path: str, query: Optional[Query] = None, cancel: Optional[Cancel] = None) -> Dict[str, Any]:
        return _object(self._call("GET", path, query=query, repeatable=True, cancel=cancel))

    def _act(self, job: JobRef, verb: str, key: Optional[str] = None) -> JobInfo:
        headers = {"Idempotency-Key": key} if key else {}
        answer = _object(self._call("POST", _path(job, verb), headers=headers, repeatable=key is not None))
        if "items" in answer:  # an array as a whole
            raise TypeError(f"{job} is an array: {verb} was done for its {len(answer['items'])} jobs; list(group=...) has them")
        return JobInfo.from_dict(answer)

    def _items(self, path: str, query: Query, page_size: int) -> Iterator[Dict[str, Any]]:
        cursor: Optional[str] = None
        while True:
            page = self._get(path, {**query, "limit": page_size, "cursor": cursor})
            yield from page.get("items", [])
            cursor = page.get("next")
            if cursor is None:
                return

    # --- within: waiting
    def _wait(self, ref: JobRef, timeout: Optional[float], raise_on_failure: bool, cancel: Cancel) -> JobInfo:
        deadline = None if timeout is None else time.monotonic() + timeout
        outage = _Outage(self._patience, cancel)
        job = self._look(ref, outage, cancel)
        while not job.has_ended:
            if deadline is not None and time.monotonic() >= deadline:
                raise WaitTimeout(job)
            # First where the feed stands, then the job: what happens in between is in both.
            seq = outage.bear(lambda: self._newest(cancel))
            job = self._look(job.id, outage, cancel)
            if not job.has_ended:
                self._await_end(job.id, seq, deadline, cancel)
        if raise_on_failure and not job.has_succeeded:
            raise JobFailed(job)
        return job

    def _look(self, job: JobRef, outage: _Outage, cancel: Cancel) -> JobInfo:
        return JobInfo.from_dict(outage.bear(lambda: self._get(_path(job), cancel=cancel)))

    def _newest(self, cancel: Cancel) -> int:
        return int(self._get("/api/v1/jobs", {"limit": 1}, cancel).get("as_of", 0))

    def _await_end(self, job: str, seq: int, deadline: Optional[float], cancel: Cancel) -> None:
        """Returns when the job may have ended, time is up, or it is time to look again."""
        until = time.monotonic() + _LOOK_AGAIN
        until = until if deadline is None else min(until, deadline)
        try:
            for event in self._stream_events(job, seq, lambda: max(until - time.monotonic(), 0.05), cancel):
                if (event is not None and event.type == "job.finished") or time.monotonic() >= until:
                    return
        except (NotConnected, ApiError, *_TRANSIENT):
            pass  # looking at the job will tell what is the matter
        left = max(until - time.monotonic(), 0.0)
        cancel.sleep(min(left, 0.2))

    # --- within: events
    def _list_events(self, job: Optional[JobRef], after: Optional[int]) -> Iterator[Event]:
        path = _events_path(job)
        cursor: Optional[int] = after
        while True:
            page = self._get(path, {"limit": _PAGE, "cursor": cursor})
            yield from map(Event.from_dict, page.get("items", []))
            cursor = page.get("next")
            if cursor is None:
                return

    def _stream_events(
        self, job: Optional[str], after: Optional[int], patience: Callable[[], float], cancel: Cancel
    ) -> Iterator[Optional[Event]]:
        """One connection's events, and None for each heartbeat; `patience()`: seconds to wait for the next bytes."""
        headers = {"Accept": "text/event-stream"}
        if after is not None:
            headers["Last-Event-ID"] = str(after)
        with self._open(
            "GET", _events_path(job), query={}, headers=headers, timeout=patience(), cancel=cancel
        ) as exchange:
            if exchange.status >= 300:
                raise error_of(exchange.read())
            parser = SseParser()
            for piece in exchange.pieces():
                for event in parser.feed(piece):
                    yield Event.from_dict(json.loads(event.data)) if event is not None else None

    def _follow_events(self, ref: Optional[JobRef], after: Optional[int], cancel: Cancel) -> Iterator[Event]:
        outage = _Outage(self._patience, cancel)
        job = None if ref is None else self._look(ref, outage, cancel).id
        if job is None and after is None:
            after = outage.bear(lambda: self._newest(cancel))
        while True:
            # Whether it had ended before, since then the stream below would wait for nothing.
            had_ended = job is not None and self._look(job, outage, cancel).has_ended
            if had_ended:
                for event in self._list_events(job, after):
                    yield event
                return
            try:
                for seen in self._stream_events(job, after or 0, lambda: _LOOK_AGAIN, cancel):
                    outage.over()
                    if seen is None:
                        continue
                    after = seen.seq
                    yield seen
                    if job is not None and seen.type == "job.finished":
                        return
                cancel.sleep(_FIRST_PAUSE)
            except (NotConnected, *_TRANSIENT) as error:
                outage.met(error)
            except Unavailable as error:
                outage.met(error)

    # --- within: logs
    def _read_log(
        self, job: JobRef, rank: int, attempt: Optional[int], tail: Optional[int], cancel: Cancel
    ) -> Iterator[str]:
        query: Query = {"rank": rank, "attempt": attempt, "tail": tail}
        splitter = LineSplitter()
        try:
            headers = {"Accept": "text/plain"}
            with self._open("GET", _path(job, "logs"), query=query, headers=headers, cancel=cancel) as exchange:
                if exchange.status >= 300:
                    raise error_of(exchange.read())
                for piece in exchange.pieces():
                    yield from splitter.feed(piece)
        except (NotConnected, *_TRANSIENT) as error:
            raise _unavailable(error, arrived=True) from error
        yield from splitter.flush()

    def _follow_log(
        self, ref: JobRef, rank: int, attempt: Optional[int], tail: Optional[int], cancel: Cancel
    ) -> Iterator[str]:
        outage = _Outage(self._patience, cancel)
        job = self._look(ref, outage, cancel)
        number = attempt or (job.attempts[-1].number if job.attempts else 1)
        log = _LogPosition(number, rank, tail)
        while True:
            job = self._look(job.id, outage, cancel)
            seen = job.attempt(log.attempt)
            had_ended = seen is not None and seen.has_ended
            if seen is None and (job.has_ended or attempt is not None):
                if attempt is not None and not job.has_ended:
                    raise NotFound(f"the job has no attempt {attempt} so far", status=404, code="not_found")
                return
            before = log.offset
            complete = False
            if seen is not None:
                try:
                    whole = yield from self._stream_log(job.id, log, cancel)
                    complete = had_ended and whole
                    outage.over()
                except NotFound:
                    complete = had_ended  # it wrote nothing that is kept
                except (NotConnected, *_TRANSIENT, Unavailable) as error:
                    outage.met(error)
            if complete:
                yield from log.lines.flush()
                if attempt is not None:
                    return
                log = _LogPosition(log.attempt + 1, rank, None)
            elif log.offset == before:
                cancel.sleep(_FIRST_PAUSE)

    def _stream_log(self, job: str, log: _LogPosition, cancel: Cancel) -> Generator[str, None, bool]:
        """Whether it came to the end of what there is."""
        query: Query = {
            "attempt": log.attempt,
            "rank": log.rank,
            "follow": 1,
            "offset": log.offset,
            "tail": log.tail if log.offset is None else None,
        }
        # Nothing comes while the job is quiet, so silence is no error; the next connection shows whether it lives.
        with self._open(
            "GET",
            _path(job, "logs"),
            query=query,
            headers={"Accept": "text/plain"},
            timeout=_LOOK_AGAIN,
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


class _LogPosition:
    """How far the output of one task of one attempt was read."""

    def __init__(self, attempt: int, rank: int, tail: Optional[int]) -> None:
        self.attempt, self.rank, self.tail = attempt, rank, tail
        self.offset: Optional[int] = None
        self.lines = LineSplitter()


class _Outage:
    """Bears a server that is away for a while, with pauses."""

    def __init__(self, patience: float, cancel: Cancel) -> None:
        self._patience, self._cancel = patience, cancel
        self._answered = False
        self.over(answered=False)

    def over(self, answered: bool = True) -> None:
        self._since: Optional[float] = None
        self._pause = _FIRST_PAUSE
        self._answered = self._answered or answered

    def met(self, error: Exception) -> None:
        """Pauses before the next try, or raises: too long, never heard of it yet, or cancelled."""
        if self._cancel.cancelled:
            raise Interrupted
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        if not self._answered or now - self._since >= self._patience:
            raise error if isinstance(error, ApiError) else _unavailable(error, arrived=True)
        self._cancel.sleep(self._pause)
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)

    def bear(self, call: Callable[[], T]) -> T:
        while True:
            try:
                value = call()
            except Unavailable as error:
                self.met(error)
            else:
                self.over()
                return value


def _left(deadline: Optional[float]) -> Optional[float]:
    return None if deadline is None else max(deadline - time.monotonic(), 0.0)


def _path(job: JobRef, *rest: str) -> str:
    ref = job.id if isinstance(job, JobInfo) else job
    if not ref:
        raise ValueError("the id or name of a job is empty")
    return "/".join(["/api/v1/jobs", urllib.parse.quote(ref, safe=""), *rest])


def _events_path(job: Optional[JobRef]) -> str:
    return "/api/v1/events" if job is None else _path(job, "events")


def _object(reply: Reply) -> Dict[str, Any]:
    try:
        answer = json.loads(reply.body)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise ApiError("the answer is not what Yardmaster sends; is this its address?", status=reply.status)
    return answer


def _unavailable(error: Exception, arrived: bool) -> Unavailable:
    if not arrived:
        return Unavailable(f"the server cannot be reached: {error}", code="unavailable")
    what = "did not answer in time" if isinstance(error, socket.timeout) else "broke off the connection"
    return Unavailable(f"the server {what}: {error or type(error).__name__}", code="unavailable")
