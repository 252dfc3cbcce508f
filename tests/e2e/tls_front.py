"""A TLS proxy in front of a server, with a certificate by a certificate authority of one's own."""

import pathlib
import ssl
import subprocess

import fronts


def make_certificates(folder):
    """ca.pem, and server.pem with server.key that it has signed for 127.0.0.1."""
    folder = pathlib.Path(folder)
    new_key = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    for words in (["-subj", "/CN=our own", "-keyout", "ca.key", "-out", "ca.pem"],
                  ["-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE",
                   "-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", "server.key", "-out", "server.pem"]):
        subprocess.run([*new_key, *words], cwd=folder, check=True, capture_output=True)
    return folder / "ca.pem", folder / "server.pem", folder / "server.key"


class TlsFront(fronts.Front):
    """Hands on to the server at `target` once that is set."""

    def __init__(self, folder):
        self.ca, certificate, key = make_certificates(folder)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.target, self.served = None, 0
        super().__init__()
        self.url = f"https://127.0.0.1:{self.port}"

    def serve(self, client):
        try:
            with self.context.wrap_socket(client, server_side=True) as tls, fronts.connected(self.target) as server:
                self.served += 1
                fronts.join(tls, server)
        except (OSError, ssl.SSLError):
            pass  # who does not know the authority hangs up
