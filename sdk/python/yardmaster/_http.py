"""HTTP over http.client: one connection for each request, and a time-out for each step.

Redirects are not followed, because a token must not go to an address that an answer names. Proxies of the environment
are not used, because the server is on this machine or in this network.
"""

from __future__ import annotations

import http.client
import socket
import threading
import urllib.parse
from dataclasses import dataclass
from typing import Dict, Iterator, List, Mapping, Optional

from ._version import __version__

MAX_ANSWER = 256 << 20


class NotConnected(Exception):
    """No connection was made, so the request was certainly not sent."""


class Interrupted(Exception):
    """Another thread cancelled the exchange."""


@dataclass(frozen=True)
class Reply:
    """An answer; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def retry_after(self) -> Optional[float]:
        """Seconds of a Retry-After header; None: it has none."""
        try:
            seconds = float(self.headers.get("retry-after", ""))
        except ValueError:
            return None
        return seconds if 0 <= seconds < 86400 else None


class Cancel:
    """Ends the network operations of one thread from another thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._socket: Optional[socket.socket] = None

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        with self._lock:
            self._event.set()
            if self._socket is not None:
                try:
                    self._socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def sleep(self, seconds: float) -> None:
        """Raises Interrupted if cancelled before or during the block."""
        if self._event.wait(seconds):
            raise Interrupted

    def hold(self, sock: Optional[socket.socket]) -> None:
        with self._lock:
            self._socket = sock
            if sock is not None and self._event.is_set():
                raise Interrupted


class Url:
    """The parts of an http or https address. Raises ValueError for any other text."""

    def __init__(self, text: str) -> None:
        parts = urllib.parse.urlsplit(text)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the server's address must look like http://HOST:PORT")
        self.secure = parts.scheme == "https"
        self.host = parts.hostname
        self.port = parts.port or (443 if self.secure else 80)
        self.path = parts.path
        self.query = parts.query

    @property
    def target(self) -> str:
        return (self.path or "/") + (f"?{self.query}" if self.query else "")


class Exchange:
    """One request and its answer; use as a context manager.

    `connect_timeout` bounds the connection, `timeout` each wait for bytes. Raises NotConnected, OSError,
    http.client.HTTPException, Interrupted.
    """

    def __init__(
        self,
        url: Url,
        method: str,
        target: str,
        *,
        headers: Mapping[str, str],
        body: Optional[bytes] = None,
        timeout: float = 30.0,
        connect_timeout: float = 10.0,
        cancel: Optional[Cancel] = None,
    ) -> None:
        kind = http.client.HTTPSConnection if url.secure else http.client.HTTPConnection
        self._connection = kind(url.host, url.port, timeout=connect_timeout)
        self._cancel = cancel
        try:
            self._connect(timeout)
            sent = {"User-Agent": f"yardmaster-python/{__version__}", "Connection": "close", **headers}
            self._connection.request(method, target, body=body, headers=sent)
            self._response = self._connection.getresponse()
        except BaseException:
            self.close()
            raise
        self.status = self._response.status
        self.headers: Dict[str, str] = {name.lower(): value for name, value in self._response.getheaders()}

    def _connect(self, timeout: float) -> None:
        if self._cancel is not None and self._cancel.cancelled:
            raise Interrupted
        try:
            self._connection.connect()
        except (OSError, http.client.HTTPException) as error:
            raise NotConnected(str(error) or type(error).__name__) from error
        if self._connection.sock is not None:
            self._connection.sock.settimeout(timeout)
            if self._cancel is not None:
                self._cancel.hold(self._connection.sock)

    def read(self, limit: int = MAX_ANSWER) -> Reply:
        """The whole answer. Raises HTTPException if it is longer than `limit`."""
        pieces: List[bytes] = []
        left = limit
        for piece in self.pieces():
            left -= len(piece)
            if left < 0:
                raise http.client.HTTPException("the answer is too long")
            pieces.append(piece)
        return Reply(self.status, self.headers, b"".join(pieces))

    def pieces(self) -> Iterator[bytes]:
        """The body, as it arrives. Ends only at its proper end; raises an exception if it was cut."""
        while True:
            piece = self._response.read1(65536)
            if piece:
                yield piece
                continue
            # http.client does not report a body that ends before its announced length.
            if self._response.length:
                raise http.client.IncompleteRead(b"", self._response.length)
            return

    def close(self) -> None:
        if self._cancel is not None:
            self._cancel.hold(None)
        self._connection.close()

    def __enter__(self) -> Exchange:
        return self

    def __exit__(self, *_: object) -> None:
        self._response.close()
        self.close()
