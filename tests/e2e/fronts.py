"""What stands before servers in tests: a listener that hands connections on."""

import socket
import ssl
import threading


class Front:
    """Listens at once; each connection is served on a thread of its own, by `serve` of who derives from this."""

    def __init__(self, host="127.0.0.1"):
        self.listener = socket.create_server((host, 0))
        self.port = self.listener.getsockname()[1]
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


def connected(port):
    return socket.create_connection(("127.0.0.1", port))


def join(client, server):
    """Hands on what either says, until one of them hangs up."""
    threading.Thread(target=hand_on, args=(server, client), daemon=True).start()
    hand_on(client, server)


def hand_on(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_RDWR)
    except (OSError, ssl.SSLError):
        pass
