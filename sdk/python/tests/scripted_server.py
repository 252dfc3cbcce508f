"""A server whose answers are scripted, and the client against it."""

import json
import os
import socket
import threading
import unittest
import urllib.parse
from http.server import BaseHTTPRequestHandler

import yardmaster as ym
from tests.fake_server import QuietServer
from yardmaster import _transport


def job(state="RUNNING", attempts=(), **more):
    return {"id": "0000000A", "name": "train", "state": state, "attempts": list(attempts), **more}


def attempt(number, state="RUNNING"):
    return {"number": number, "state": state}


def sse(*seqs, finished=None):
    text = "retry: 1000\n\n: alive\n\n"
    for seq in seqs:
        kind = "job.finished" if seq == finished else "job.deferred"
        text += f"id: {seq}\nevent: {kind}\ndata: {json.dumps({'seq': seq, 'type': kind, 'job': '0000000A'})}\n\n"
    return text.encode()


class Hangup(Exception):
    """The connection ends without an answer."""


class Handler(BaseHTTPRequestHandler):
    scripted = None  # whose it is; a class of its own for each
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def serve(self):
        parts = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        request = (self.command, parts.path, dict(urllib.parse.parse_qsl(parts.query)), dict(self.headers), body)
        self.scripted.requests.append(request)
        try:
            status, headers, content = self.scripted.answer(*request)
        except Hangup:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if isinstance(content, list):
            self.stream(content, "Content-Length" in headers)
        else:
            data = json.dumps(content).encode()
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def stream(self, pieces, whole):
        if not whole:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            if piece is None:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            if callable(piece):
                piece()
                continue
            self.wfile.write(piece if whole else b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    do_GET = do_POST = serve


class ScriptedServer:
    """`answer(request)` gives (status, headers, body), or the pieces of a stream as a list; None in it cuts the
    connection. A request: method, path, query (dict), headers, body."""

    def __init__(self, answer):
        self.answer, self.requests = answer, []
        self.server = QuietServer(("127.0.0.1", 0), type("Own", (Handler,), {"scripted": self}))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class ClientCase(unittest.TestCase):
    def setUp(self):
        for name in ("FIRST_PAUSE", "LONGEST_PAUSE"):
            self.addCleanup(setattr, _transport, name, getattr(_transport, name))
            setattr(_transport, name, 0.01)
        kept = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("YM_")}
        self.addCleanup(os.environ.update, kept)

    def serve(self, answer, **options):
        self.server = ScriptedServer(answer)
        self.addCleanup(self.server.close)
        return ym.Client(self.server.url, "secret-token", **options)

    def scripted(self, *answers, **options):
        """Answers in turn; the last one again and again."""
        left = list(answers)

        def answer(*_):
            value = left.pop(0) if len(left) > 1 else left[0]
            if value is Hangup:
                raise Hangup
            return value

        return self.serve(answer, **options)
