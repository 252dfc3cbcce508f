"""Whether this attempt should stop: reads the notice file, or polls the server if the file is out of reach."""

from __future__ import annotations

import datetime
import http.client
import json
import os
import threading
import time
from dataclasses import dataclass
from typing import Callable, Optional

from .._http import Cancel, Interrupted, NotConnected
from ..models import parse_time
from .channel import authorized
from .environment import Environment
from .trouble import Trouble
from .values import seconds_of

_LOOK_EVERY = 0.2  # seconds between two looks at the file
_WAIT = 30  # seconds for which the server holds a poll
_LONGEST_PAUSE = 30.0


@dataclass(frozen=True)
class Notice:
    """The attempt must stop. `deadline`: when all of it is killed. `grace_seconds`: the grace at the beginning."""

    reason: str = ""
    deadline: Optional[datetime.datetime] = None
    grace_seconds: Optional[float] = None

    @classmethod
    def parse(cls, body: bytes) -> Notice:
        """The existence of the notice counts, whatever its content."""
        try:
            raw = json.loads(body)
        except ValueError:
            raw = None
        if not isinstance(raw, dict):
            return cls()
        reason = raw.get("reason")
        return cls(
            reason if isinstance(reason, str) else "",
            parse_time(raw.get("deadline")),
            seconds_of(raw.get("grace_seconds")),
        )


class NoticeWatch:
    """Cheap enough for each step."""

    def __init__(
        self, environment: Environment, trouble: Trouble, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._environment, self._trouble, self._clock = environment, trouble, clock
        self._notice: Optional[Notice] = None
        self._looked_at: Optional[float] = None
        self._cancel = Cancel()
        self._file = environment.notice_file
        if self._file is not None and not os.path.isdir(os.path.dirname(self._file) or "."):
            self._file = None
        # One process of a node polls for all of them. The ranks agree on its result.
        if self._file is None and environment.notice_url is not None and environment.local_rank == 0:
            threading.Thread(target=self._poll, name="yardmaster-notice", daemon=True).start()

    def get(self, at_once: bool = False) -> Optional[Notice]:
        """`at_once`: looks now, even if the last look was recent."""
        if self._notice is None and self._file is not None:
            now = self._clock()
            if at_once or self._looked_at is None or now - self._looked_at >= _LOOK_EVERY:
                self._looked_at = now
                self._notice = self._read(self._file)
        return self._notice

    def close(self) -> None:
        self._cancel.cancel()

    def _read(self, path: str) -> Optional[Notice]:
        try:
            with open(path, "rb") as file:
                return Notice.parse(file.read(65536))
        except FileNotFoundError:
            return None
        except OSError as error:
            self._trouble.tell("the notice file cannot be read", error)
            return Notice() if os.path.exists(path) else None

    def _poll(self) -> None:
        url = self._environment.notice_url or ""
        url += ("&" if "?" in url else "?") + f"wait={_WAIT}s"
        pause = 1.0
        try:
            while not self._cancel.cancelled:
                status = self._ask(url)
                if self._notice is not None or status in (404, 410):
                    return  # the notice is there, or the attempt has ended
                pause = 1.0 if status == 204 else min(pause * 2, _LONGEST_PAUSE)
                # A server that does not hold the poll must not be asked in a busy loop.
                self._cancel.sleep(min(pause, 1.0) if status == 204 else pause)
        except Interrupted:
            pass
        except Exception as error:  # an error of this package must not reach the training
            self._trouble.tell("watching for the notice ended", repr(error))

    def _ask(self, url: str) -> int:
        """The status; 0: no answer."""
        try:
            reply = authorized(url, "GET", self._environment.token_file, timeout=_WAIT + 10, cancel=self._cancel)
        except (OSError, http.client.HTTPException, NotConnected, ValueError) as error:
            if self._cancel.cancelled:
                raise Interrupted from None
            self._trouble.tell("the server cannot be asked for a notice now", error)
            return 0
        if reply.status == 200:
            self._notice = Notice.parse(reply.body)
        elif reply.status != 204:
            self._trouble.tell("the server was asked for a notice", f"HTTP status {reply.status}")
        return reply.status
