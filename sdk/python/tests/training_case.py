"""A job's environment for tests: a folder, a server, a token."""

import json
import logging
import pathlib
import shutil
import signal
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.fake_server import FakeServer  # noqa: E402
from yardmaster.training import Training  # noqa: E402


class TrainingCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ym-sdk-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.server = FakeServer()
        self.addCleanup(lambda: self.server.close())
        (self.folder / "token").write_text("first\n")
        self.variables = {
            "YM_JOB_ID": "0000000A",
            "YM_ATTEMPT": "2",
            "YM_PROGRESS_URL": self.server.url + "/progress",
            "YM_PROGRESS_FILE": str(self.folder / "progress"),
            "YM_TOKEN_FILE": str(self.folder / "token"),
            "YM_NOTICE_FILE": str(self.folder / "notice"),
            "YM_NOTICE_URL": self.server.url + "/notice",
        }
        self.records = []
        handler = logging.Handler()
        handler.emit = self.records.append
        logger = logging.getLogger("yardmaster")
        logger.addHandler(handler)
        propagate, logger.propagate = logger.propagate, False
        self.addCleanup(setattr, logger, "propagate", propagate)
        self.addCleanup(logger.removeHandler, handler)
        before = signal.getsignal(signal.SIGTERM)
        self.addCleanup(signal.signal, signal.SIGTERM, before)

    def train(self, *, without=(), signals=(signal.SIGTERM,), interval=None, **options):
        """A session in this process; `interval`: seconds between posts of plain progress."""
        variables = {**self.variables, **options.pop("variables", {})}
        session = Training({k: v for k, v in variables.items() if k not in without}, signals=signals, **options)
        if interval is not None:
            session._reporter._interval = interval
        self.addCleanup(session.close)
        return session

    def marker(self):
        path = self.folder / "progress"
        return json.loads(path.read_text()) if path.exists() else None

    def warnings(self):
        return [record.getMessage() for record in self.records if record.levelno >= logging.WARNING]

    def write_notice(self, text='{"reason": "preemption", "deadline": "2026-01-01T00:00:30.000Z", "grace_seconds": 30}'):
        beside = self.folder / "notice.tmp"
        beside.write_text(text)
        beside.rename(self.folder / "notice")
