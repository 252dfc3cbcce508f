"""A TLS proxy in front of a server, with a certificate by a certificate authority of one's own."""

import pathlib
import socket
import ssl
import subprocess
import threading


def make_certificates(folder):
    """ca.pem, and server.pem with server.key that it has signed for 127.0.0.1."""
    folder = pathlib.Path(folder)
    new_key = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    for words in (["-subj", "/CN=our own", "-keyout", "ca.key", "-out", "ca.pem"],
                  ["-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE",
                   "-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", "server.key", "-out", "server.pem"]):
        subprocess.run([*new_key, *words], cwd=folder, check=True, capture_output=True)
    return folder / "ca.pem", folder / "server.pem", folder / "server.key"


class TlsFront:
    """Listens at once; hands on to `port` once that is set."""

    def __init__(self, folder):
        self.ca, certificate, key = make_certificates(folder)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://127.0.0.1:{self.listener.getsockname()[1]}"
        self.port, self.served = None, 0
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        # Wakes the thread that accepts; close() alone does not.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            with self.context.wrap_socket(client, server_side=True) as tls, socket.create_connection(("127.0.0.1", self.port)) as server:
                self.served += 1
                threading.Thread(target=hand_on, args=(server, tls), daemon=True).start()
                hand_on(tls, server)
        except (OSError, ssl.SSLError):
            pass  # who does not know the authority hangs up


def hand_on(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_RDWR)
    except (OSError, ssl.SSLError):
        pass
