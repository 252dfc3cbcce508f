"""HTTP over http.client: one connection for each request, and a time-out for each step.

Redirects are not followed, because a token must not go to an address that an answer names. Proxies of the environment
are not used, because the server is on this machine or in this network.
"""

from __future__ import annotations

import hashlib
import http.client
import re
import socket
import ssl
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
                    # Not the method of a TLS socket: that one first goes back to plain text.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
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


@dataclass(frozen=True)
class Trust:
    """Which certificates of servers are believed, by the variables of the command line."""

    ca_file: str = ""
    """YM_CA_FILE: authorities, PEM, in place of the system's."""
    fingerprint: str = ""
    """YM_FINGERPRINT: the server shows exactly this certificate; its authority, names and times do not count."""

    @staticmethod
    def of(environment: Mapping[str, str]) -> Trust:
        return Trust(environment.get("YM_CA_FILE", ""), environment.get("YM_FINGERPRINT", ""))

    def validate(self, url: Url) -> None:
        """Raises ValueError: the fingerprint is not one, or has no use at this address."""
        if not self.fingerprint:
            return
        if not re.fullmatch("sha256:[0-9a-f]{64}", self.fingerprint[:7] + self.fingerprint[7:].replace(":", "").lower()):
            raise ValueError("YM_FINGERPRINT is not a fingerprint: write sha256: and 64 hexadecimal digits")
        if not url.secure:
            raise ValueError("YM_FINGERPRINT needs an https address")

    def context(self) -> ssl.SSLContext:
        """Raises NotConnected if the file cannot be used."""
        if self.fingerprint:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        else:
            try:
                context = ssl.create_default_context(cafile=self.ca_file or None)
            except OSError as error:
                raise NotConnected(f"the authorities in {self.ca_file or 'the system'}: {error}") from error
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context

    def check(self, sock: Optional[socket.socket]) -> None:
        """Raises NotConnected if the connection shows another certificate than the pinned one."""
        if not self.fingerprint or not isinstance(sock, ssl.SSLSocket):
            return
        shown = hashlib.sha256(sock.getpeercert(binary_form=True) or b"").hexdigest()
        if self.fingerprint.partition(":")[2].replace(":", "").lower() != shown:
            raise NotConnected("the server shows another certificate than the one with this fingerprint")


SYSTEM = Trust()


class Url:
    """The parts of an http or https address. Raises ValueError for any other text."""

    def __init__(self, text: str) -> None:
        parts = urllib.parse.urlsplit(text)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the server's address must look like http://HOST:PORT or https://HOST")
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
        trust: Trust = SYSTEM,
    ) -> None:
        self._connection: http.client.HTTPConnection
        if url.secure:
            self._connection = http.client.HTTPSConnection(
                url.host, url.port, timeout=connect_timeout, context=trust.context()
            )
        else:
            self._connection = http.client.HTTPConnection(url.host, url.port, timeout=connect_timeout)
        self._trust = trust
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
            self._trust.check(self._connection.sock)
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
