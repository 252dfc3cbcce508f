"""What tests of refused requests have in common: the exact answer, no trace, no secret, bounded memory."""

import json
import pathlib
import socket
import urllib.parse

import harness

PEAK_MIB = 300


def spec(**changes):
    return {"name": "probe", "run": ["true"]} | changes


class RefusalTest(harness.ServerTest):
    config = harness.FIVE_NODES

    def tearDown(self):
        self.assertLess(self.peak_kib() // 1024, PEAK_MIB, "the server's peak memory in MiB")
        self.assertNotIn(self.server.token(), self.server.log_text(), "the token is in the server's log")

    def peak_kib(self):
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0])

    def post(self, body, content_type="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        status, _, answer = self.server.request("POST", "/api/v1/jobs", data,
                                                [("Content-Type", content_type), *headers.items()])
        return status, json.loads(answer)

    def refused(self, body, pointer, *words, content_type="application/json", status=422, code="invalid"):
        """Answered with a problem that points at the field (None: at none); nothing is queued."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        found, headers, raw = self.server.request("POST", "/api/v1/jobs", data, [("Content-Type", content_type)])
        answer = json.loads(raw)
        text = json.dumps(answer)
        self.assertEqual((found, headers["content-type"]), (status, "application/problem+json"), text)
        self.assertEqual((answer["status"], answer["code"]), (status, code), text)
        self.assertEqual(answer["type"], "urn:yardmaster:problem:" + code)
        self.assertNotIn(self.server.token(), text)
        pointers = [error["pointer"] for error in answer["errors"]]
        self.assertEqual(pointers, [] if pointer is None else [pointer], text)
        for word in words:
            self.assertIn(word, text)
        self.assertEqual(self.server.api("GET", "/jobs")[1]["items"], [])
        return answer

    def raw(self, data, timeout=harness.TIMEOUT):
        """Sends bytes as they are; everything that comes back until the server closes."""
        host, port = urllib.parse.urlsplit(self.server.url).netloc.split(":")
        with socket.create_connection((host, int(port)), timeout=timeout) as connection:
            try:
                connection.sendall(data)
            except OSError:
                pass  # it may have hung up on us already
            answer = b""
            try:
                while chunk := connection.recv(65536):
                    answer += chunk
            except OSError:
                pass
            return answer.decode("latin-1")

    def raw_refused(self, data, status, code, timeout=harness.TIMEOUT):
        answer = self.raw(data, timeout)
        head, _, body = answer.partition("\r\n\r\n")
        self.assertIn(f" {status} ", head.splitlines()[0])
        self.assertIn("application/problem+json", head)
        self.assertEqual(json.loads(body)["code"], code)
        self.still_serves()

    def head(self, *lines, method="POST", path="/api/v1/jobs"):
        fixed = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {self.server.token()}"]
        return ("\r\n".join([*fixed, *lines]) + "\r\n\r\n").encode()

    def still_serves(self):
        self.assertEqual(self.server.api("GET", "/queues")[0], 200)
