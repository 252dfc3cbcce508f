"""A PostgreSQL of one's own for tests: on a Unix socket in a folder of its own, killed and started at will.

Where it is not installed a test is skipped and says so. YM_PG_BIN names the folder of its programs; without it the
newest of Debian's is taken.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest
import urllib.parse

import harness
import processes


def programs():
    """The folder of initdb and postgres."""
    told = os.environ.get("YM_PG_BIN")
    found = [pathlib.Path(told)] if told else sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"),
                                                     key=lambda path: float(path.parent.name))
    for folder in reversed(found):
        if (folder / "initdb").exists():
            return folder
    raise unittest.SkipTest("PostgreSQL is not installed (package postgresql); YM_PG_BIN names the folder of another one")


def as_unprivileged():
    """It refuses to run as root."""
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []


def children(parent):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            text = pathlib.Path(f"/proc/{name}/stat").read_text()
        except OSError:
            continue
        if int(text[text.rindex(")") + 2:].split()[1]) == parent:
            found.append(int(name))
    return found


class Database:
    """`folder` may be on a disk that is to be measured; by default it is a new one below /tmp. Everything in it goes."""

    def __init__(self, folder=None, settings=()):
        self.bin = programs()
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="ym-pg-", dir="/tmp"))
        self.settings, self.process = list(settings), None
        # A path of a socket is short, whatever the folder's is.
        self.socket = pathlib.Path(tempfile.mkdtemp(prefix="ym-pgs-", dir="/tmp"))
        if os.geteuid() == 0:
            for path in (self.folder, self.socket):
                shutil.chown(path, "nobody", "nogroup")
        self.run(*as_unprivileged(), self.bin / "initdb", "-D", self.folder / "data", "-A", "trust", "-U", "ym", "--no-sync",
                 "-k", "-E", "UTF8", "--locale=C")

    def run(self, *command):
        done = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=120, cwd="/")
        if done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def start(self):
        """Returns when it answers."""
        settings = ["listen_addresses=", "max_connections=50", *self.settings]
        words = [self.bin / "postgres", "-D", self.folder / "data", "-k", self.socket]
        command = [*as_unprivileged(), *words, *[word for setting in settings for word in ("-c", setting)]]

        def answers():
            if self.process is None or self.process.poll() is not None:
                with open(self.folder / "server.log", "ab") as log:
                    self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                                    stdout=log, stderr=log, cwd="/", start_new_session=True)
            return subprocess.run([str(self.bin / "pg_isready"), "-q", "-h", str(self.socket)], check=False).returncode == 0
        harness.wait_for(answers, "PostgreSQL to answer", pause=0.1)
        return self

    def create(self, name="yardmaster"):
        """A database that a role with no more rights than need be owns."""
        self.sql("CREATE ROLE plain LOGIN", database="postgres")
        self.sql(f"CREATE DATABASE {name} OWNER plain", database="postgres")
        return self

    def sql(self, statement, database="yardmaster"):
        return self.run(self.bin / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.socket, "-U", "ym", "-d",
                        database, "-c", statement).strip()

    def url(self, name="yardmaster"):
        return f"postgresql://plain@{urllib.parse.quote(str(self.socket), safe='')}:5432/{name}"

    def kill(self):
        """SIGKILL to all of its processes, as when its machine fails."""
        backends = children(self.process.pid)
        for pid in [self.process.pid, *backends]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        harness.wait_for(lambda: not any(map(processes.alive, backends)), "its processes to be gone")

    def close(self):
        if self.process and self.process.poll() is None:
            self.kill()
        for folder in (self.folder, self.socket):
            shutil.rmtree(folder, ignore_errors=True)
