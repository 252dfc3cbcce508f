"""The time line that the demo prints: when, who, what."""

import textwrap
import time

WIDTH = 100


class TimeLine:
    def __init__(self, out):
        self.out, self.begin, self.status_shown = out, time.monotonic(), False
        self.said = []  # (clock, who, text)

    def seconds(self):
        return time.monotonic() - self.begin

    def clock(self):
        return f"{int(self.seconds()) // 60}:{int(self.seconds()) % 60:02d}"

    def title(self, text):
        self._clear()
        print(f"{text}\n{'=' * len(text)}\n", file=self.out, flush=True)

    def say(self, who, text):
        """One entry; long ones are wrapped under themselves."""
        self._clear()
        self.said.append((self.clock(), who, text))
        lines = textwrap.wrap(text, WIDTH - 20)
        print(f"{self.clock():>6}  {who:<10}  {lines[0]}", file=self.out)
        for line in lines[1:]:
            print(" " * 20 + line, file=self.out)
        self.out.flush()

    def show(self, command, output):
        """A command as a user would type it, and what it said."""
        self._clear()
        lines = output.rstrip().splitlines()
        indent = " " * (20 if max(map(len, lines), default=0) <= WIDTH else 2)
        print(f"{indent}$ {command}", file=self.out)
        for line in lines:
            print(f"{indent}  {line}", file=self.out)
        self.out.flush()

    def status(self, text):
        """What goes on meanwhile; only where a person watches, and gone with the next entry."""
        if self.out.isatty():
            print(f"\r\033[K{self.clock():>6}  {text[:WIDTH]}", end="", file=self.out, flush=True)
            self.status_shown = True

    def _clear(self):
        if self.status_shown:
            print("\r\033[K", end="", file=self.out)
            self.status_shown = False
