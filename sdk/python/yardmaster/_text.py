"""Splits streams of bytes into lines, and lines into server-sent events."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Iterator, List, Optional

_LONGEST_LINE = 16 << 20


class LineSplitter:
    """Lines without their ends. Bytes that are not UTF-8 become U+FFFD. `\\r` alone does not end a line."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._rest: List[str] = []
        self._length = 0

    def feed(self, data: bytes) -> Iterator[str]:
        *lines, rest = self._decoder.decode(data).split("\n")
        for line in lines:
            yield self._take() + line
        self._rest.append(rest)
        self._length += len(rest)
        if self._length > _LONGEST_LINE:
            yield self._take()

    def flush(self) -> Iterator[str]:
        """The text after the last newline, if there is any."""
        self._rest.append(self._decoder.decode(b"", final=True))
        rest = self._take()
        if rest:
            yield rest

    def _take(self) -> str:
        text = "".join(self._rest)
        self._rest, self._length = [], 0
        return text


@dataclass(frozen=True)
class ServerSentEvent:
    id: Optional[str]
    data: str


class SseParser:
    """The server-sent events of one connection. A comment (heartbeat) gives None."""

    def __init__(self) -> None:
        self._lines = LineSplitter()
        self._data: List[str] = []
        self._id: Optional[str] = None

    def feed(self, data: bytes) -> Iterator[Optional[ServerSentEvent]]:
        for line in self._lines.feed(data):
            line = line[:-1] if line.endswith("\r") else line
            if not line:
                if self._data:
                    yield ServerSentEvent(self._id, "\n".join(self._data))
                self._data = []
            elif line.startswith(":"):
                yield None
            else:
                name, _, value = line.partition(":")
                value = value[1:] if value.startswith(" ") else value
                if name == "data":
                    self._data.append(value)
                elif name == "id":
                    self._id = value
