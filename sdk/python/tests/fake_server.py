"""A small server of the contract's training side: what it answers is scripted, what it hears is kept."""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TIMEOUT = 60.0  # seconds; a deadline, not an expectation


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    block_on_close = False

    def handle_error(self, *arguments):
        if not isinstance(sys.exc_info()[1], OSError):  # clients that leave are part of the tests
            super().handle_error(*arguments)


def wait_for(condition, what):
    deadline = time.monotonic() + TIMEOUT
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.01)


class Handler(BaseHTTPRequestHandler):
    fake = None  # whose it is; a class of its own for each

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def is_known(self):
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        self.fake.seen_tokens.append(token)
        return self.fake.tokens is None or token in self.fake.tokens

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.fake.changed:
            self.fake.requests.append(("POST", self.path))
            status, headers = self.fake.answers.pop(0) if self.fake.answers else (204, ())
            if not self.is_known():
                status, headers = 401, ()
            if status < 300:
                self.fake.reports.append(body)
            self.fake.changed.notify_all()
        self.answer(status, headers=headers)

    def do_GET(self):
        with self.fake.changed:
            self.fake.requests.append(("GET", self.path))
            known = self.is_known()
            self.fake.changed.notify_all()
            if known:
                self.fake.changed.wait_for(lambda: self.fake.notice is not None or self.fake.over, 30)
        if not known:
            self.answer(401)
        elif self.fake.notice is None:
            self.answer(204)
        else:
            self.answer(200, json.dumps(self.fake.notice).encode())


class FakeServer:
    """`reports`: what was accepted. `tokens`: those that are good (None: any). `answers`: (status, headers) for the next
    posts, before the normal 204. `notice`: what the long poll answers once it is not None."""

    def __init__(self, port=0):
        self.reports, self.seen_tokens, self.answers, self.requests = [], [], [], []
        self.tokens, self.notice = None, None
        self.changed = threading.Condition()
        self.over = False
        self.server = QuietServer(("127.0.0.1", port), type("Own", (Handler,), {"fake": self}))
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def wait(self, condition, what):
        with self.changed:
            if not self.changed.wait_for(condition, TIMEOUT):
                raise AssertionError(f"waited in vain for {what}; heard {self.reports}")

    def give_notice(self, notice):
        with self.changed:
            self.notice = notice
            self.changed.notify_all()

    def close(self):
        with self.changed:
            self.over = True
            self.changed.notify_all()
        self.server.shutdown()
        self.server.server_close()
