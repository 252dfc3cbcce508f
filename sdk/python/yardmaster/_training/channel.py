"""How a report leaves the process: by HTTP, or by the marker file."""

from __future__ import annotations

import http.client
import os
from dataclasses import dataclass
from typing import Optional, Union

from .._http import Cancel, Exchange, NotConnected, Reply, Trust, Url
from .environment import Environment
from .trouble import Trouble

MAX_REPORT = 16 << 10
_POST_TIMEOUT = 5.0


@dataclass(frozen=True)
class Delivered:
    pass


@dataclass(frozen=True)
class Refused:
    """The report will never be accepted: it is wrong, or the attempt has ended."""


@dataclass(frozen=True)
class Later:
    """The server asks to wait for this number of seconds."""

    seconds: float


@dataclass(frozen=True)
class Failed:
    """No channel works now."""


Outcome = Union[Delivered, Refused, Later, Failed]


def authorized(
    url: str, method: str, token_file: Optional[str], *, body: Optional[bytes] = None, timeout: float, cancel: Cancel
) -> Reply:
    """One request with the present token, which rotates. After a 401 it reads the token file again.

    Raises ValueError (a wrong address), OSError, HTTPException, NotConnected, Interrupted.
    """
    address = Url(url)
    before: Optional[str] = None
    while True:
        token = _read_token(token_file)
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        with Exchange(
            address,
            method,
            address.target,
            headers=headers,
            body=body,
            timeout=timeout,
            connect_timeout=_POST_TIMEOUT,
            cancel=cancel,
            trust=Trust(os.environ.get("YM_JOB_CA_FILE", "")),
        ) as exchange:
            reply = exchange.read(1 << 20)
        if reply.status != 401 or before is not None:
            return reply
        before = token


def _read_token(path: Optional[str]) -> str:
    if path is None:
        return ""
    try:
        with open(path, "rb") as file:
            text = file.read(8192).decode("ascii", errors="replace").strip()
    except OSError:
        return ""
    return text if text.isascii() and text.isprintable() else ""


class Channel:
    """Sends reports. Several threads may call it: calls do not depend on each other."""

    def __init__(self, environment: Environment, trouble: Trouble) -> None:
        self._environment, self._trouble = environment, trouble
        self.cancel = Cancel()

    def post(self, body: bytes) -> Outcome:
        """Raises nothing but Interrupted."""
        url = self._environment.progress_url
        if url is None:
            return Failed()
        try:
            reply = authorized(
                url, "POST", self._environment.token_file, body=body, timeout=_POST_TIMEOUT, cancel=self.cancel
            )
        except (OSError, http.client.HTTPException, NotConnected, ValueError) as error:
            self._trouble.tell("progress cannot be sent now", error)
            return Failed()
        if reply.status < 300:
            return Delivered()
        if reply.status == 429:
            return Later(min(max(reply.retry_after or 1.0, 0.1), 30.0))
        self._trouble.tell("progress was not taken", f"HTTP status {reply.status}")
        # The token has just expired, or the server has a problem: the marker file may still work.
        return Failed() if reply.status >= 500 or reply.status in (401, 403, 408) else Refused()

    def mark(self, body: bytes) -> bool:
        """Writes the marker file: whole or not at all, and durable. False: it cannot be written."""
        path = self._environment.progress_file
        if path is None:
            return False
        beside = f"{path}.{os.getpid()}.tmp"
        try:
            try:
                _write_durably(beside, body)
                os.replace(beside, path)
            except BaseException:
                _remove(beside)
                raise
            _sync_folder(os.path.dirname(path) or ".")
        except OSError as error:
            self._trouble.tell("the progress file cannot be written", error)
            return False
        return True


def _write_durably(path: str, body: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        rest = memoryview(body)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
