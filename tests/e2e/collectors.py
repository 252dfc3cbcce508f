"""Places that take records and heads of the audit log: a real rsyslog with TLS, and an HTTPS server that may refuse."""

import http.server
import os
import pathlib
import shutil
import ssl
import socket
import subprocess
import threading

import certificates
import harness
import ports

RSYSLOG = shutil.which("rsyslogd", path=os.environ.get("PATH", "") + ":/usr/sbin")


def no_rsyslog():
    """Why there is none; None: there is."""
    if certificates.MISSING:
        return certificates.MISSING
    if not RSYSLOG:
        return "rsyslogd is not installed (package rsyslog)"
    if not list(pathlib.Path("/usr/lib").glob("*/rsyslog/lmnsd_gtls.so")):
        return "rsyslog has no TLS (package rsyslog-gnutls)"
    return None


class Rsyslog:
    """Writes the text of each message to `lines`, a file in `folder`."""

    def __init__(self, folder, authority):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.lines = self.folder / "lines"
        certificate, key = authority.issue("log", "IP:127.0.0.1")
        self.port = port = ports.free(1)
        self.url = f"syslog+tls://127.0.0.1:{port}"
        self.config = self.folder / "rsyslog.conf"
        self.config.write_text(f"""
global(workDirectory="{self.folder}" defaultNetstreamDriver="gtls" defaultNetstreamDriverCAFile="{authority.ca}"
  defaultNetstreamDriverCertFile="{certificate}" defaultNetstreamDriverKeyFile="{key}")
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" address="127.0.0.1" port="{port}")
template(name="line" type="string" string="%timereported:::date-rfc3339% %programname% %msgid% %msg%\\n")
action(type="omfile" file="{self.lines}" template="line")
""")
        self.process = None

    def start(self):
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([RSYSLOG, "-n", "-iNONE", "-f", str(self.config)], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, cwd=self.folder)
        harness.wait_for(self.answers, "rsyslog to listen")

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def stop(self):
        """It writes what it has taken first."""
        if self.process:
            self.process.terminate()
            self.process.wait(harness.TIMEOUT)
            self.process = None

    def log_text(self):
        return (self.folder / "log").read_text()

    def messages(self, kind):
        """The texts of all messages of this kind, in the order in which they came."""
        if not self.lines.exists():
            return []
        # What is being written has no end of a line yet.
        whole = self.lines.read_text().split("\n")[:-1]
        return [words[3] for line in whole if (words := line.split(" ", 3))[1:3] == ["yardmaster", kind]]


class Collector:
    """An HTTPS server. `answers`: the next statuses; after these it answers 200 and keeps what it got."""

    def __init__(self, authority):
        self.answers, self.bodies, self.tokens, self.refused = [], [], [], 0
        self.lock = threading.Lock()  # guards the members above
        self.held = threading.Event()  # set: it answers; else requests wait
        self.held.set()
        certificate, key = authority.issue("collector", "IP:127.0.0.1")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # clients are killed
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"https://127.0.0.1:{self.server.server_address[1]}/records"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def handler(self):
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                with collector.lock:
                    status = collector.answers.pop(0) if collector.answers else 200
                    collector.tokens.append(self.headers["Authorization"])
                    if status == 200:
                        collector.bodies.append(body)
                    else:
                        collector.refused += 1
                collector.held.wait(harness.TIMEOUT)
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *words):
                pass

        return Handler

    def close(self):
        self.held.set()
        self.server.shutdown()
        self.server.server_close()

    def text(self):
        with self.lock:
            return "".join(self.bodies)

    def lines(self):
        return self.text().splitlines()
