"""Requests to a server: finds it, repeats requests, checks answers."""

from __future__ import annotations

import http.client
import json
import socket
import urllib.parse
from typing import Any, Dict, Iterator, Mapping, Optional, Union

from ._http import Cancel, Exchange, Interrupted, NotConnected, Reply, Url
from .discovery import Endpoint, discover
from .errors import ApiError, Unavailable, error_of
from .models import JobInfo

JobRef = Union[str, JobInfo]
Query = Mapping[str, Union[str, int, None]]

PAGE = 1000
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 2.0
TRANSIENT = (NotConnected, OSError, http.client.HTTPException)


class Transport:
    """Sends requests; thread-safe. `timeout`: seconds for each wait for an answer. `retries`: most repetitions of a
    request.
    """

    def __init__(self, url: Optional[str], token: Optional[str], timeout: float, retries: int) -> None:
        self._url, self._token = url, token
        self._timeout, self._retries = timeout, retries
        self._found = False

    def endpoint(self) -> Endpoint:
        try:
            endpoint = discover(self._url, self._token)
        except Unavailable as error:
            if not self._found:
                raise
            # It answered before, so it probably restarts.
            raise NotConnected(error.detail) from error
        self._found = True
        return endpoint

    def open(
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
        """Sends one request once. Returns the answer, whatever the status."""
        endpoint = self.endpoint()
        try:
            url = Url(endpoint.url)
            endpoint.trust.validate(url)
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
            trust=endpoint.trust,
        )

    def call(
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
        """A successful answer. `repeatable`: the request may be sent twice, so it is repeated if its answer is lost."""
        cancel = cancel or Cancel()
        sent = {"Accept": "application/json", **(headers or {})}
        pause = FIRST_PAUSE
        for left in range(self._retries, -1, -1):
            try:
                with self.open(method, path, query=query or {}, headers=sent, body=body, cancel=cancel) as exchange:
                    reply = exchange.read()
            except TRANSIENT as error:
                if cancel.cancelled:
                    raise Interrupted from None
                arrived = not isinstance(error, NotConnected)
                if left == 0 or (arrived and not repeatable):
                    raise unavailable(error, arrived) from error
            else:
                if reply.status < 300:
                    return reply
                if left == 0 or not _may_be_sent_again(reply.status, repeatable):
                    raise error_of(reply)
                pause = max(pause, min(reply.retry_after or 0.0, 10.0))
            cancel.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        raise AssertionError("unreachable")

    def get(self, path: str, query: Optional[Query] = None, cancel: Optional[Cancel] = None) -> Dict[str, Any]:
        return object_of(self.call("GET", path, query=query, repeatable=True, cancel=cancel))

    def items(self, path: str, query: Query, page_size: int = PAGE) -> Iterator[Dict[str, Any]]:
        """The items of all pages. Fetches each page when it is needed."""
        cursor: Optional[str] = None
        while True:
            page = self.get(path, {**query, "limit": page_size, "cursor": cursor})
            yield from page.get("items", [])
            cursor = page.get("next")
            if cursor is None:
                return

    def job(self, ref: JobRef, cancel: Optional[Cancel] = None) -> JobInfo:
        return JobInfo.from_dict(self.get(job_path(ref), cancel=cancel))


def _may_be_sent_again(status: int, repeatable: bool) -> bool:
    """429 and 503 mean that nothing was done. 502 and 504 of a gateway do not."""
    return status in (429, 503) or (repeatable and status in (502, 504))


def job_path(job: JobRef, *rest: str) -> str:
    ref = job.id if isinstance(job, JobInfo) else job
    if not ref:
        raise ValueError("the id or name of a job is empty")
    return "/".join(["/api/v1/jobs", urllib.parse.quote(ref, safe=""), *rest])


def object_of(reply: Reply) -> Dict[str, Any]:
    try:
        answer = json.loads(reply.body)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise ApiError("the answer is not from Yardmaster; check the address", status=reply.status)
    return answer


def unavailable(error: Exception, arrived: bool) -> Unavailable:
    if not arrived:
        return Unavailable(f"the server cannot be reached: {error}", code="unavailable")
    what = "did not answer in time" if isinstance(error, socket.timeout) else "broke off the connection"
    return Unavailable(f"the server {what}: {error or type(error).__name__}", code="unavailable")
