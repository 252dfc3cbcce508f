"""Certificate authorities of tests, made by the openssl program."""

import pathlib
import shutil
import subprocess

MISSING = None if shutil.which("openssl") else "openssl is not installed, which makes the certificates"


def openssl(*words, folder=None):
    return subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


class Authority:
    """`folder` gets ca.pem, and NAME.pem with NAME.key of each certificate."""

    NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.openssl("req", "-x509", *self.NEW_KEY, "-days", "9", "-subj", "/CN=our own", "-keyout", "ca.key", "-out", "ca.pem")
        self.ca = self.folder / "ca.pem"

    def openssl(self, *words):
        openssl(*words, folder=self.folder)

    def issue(self, name, alternative_names, *, days=9, usage="serverAuth"):
        """The paths of a certificate and its key. With -1 `days` it has expired."""
        self.openssl("req", *self.NEW_KEY, "-subj", f"/CN={name}", "-addext", f"subjectAltName={alternative_names}",
                     "-addext", "basicConstraints=critical,CA:FALSE", "-addext", f"extendedKeyUsage={usage}",
                     "-keyout", f"{name}.key", "-out", f"{name}.csr")
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                     "-days", str(days), "-copy_extensions", "copyall", "-out", f"{name}.pem")
        return self.folder / f"{name}.pem", self.folder / f"{name}.key"


def fingerprint(certificate):
    """As openssl writes it: hexadecimal digits with colons."""
    return openssl("x509", "-in", str(certificate), "-noout", "-fingerprint", "-sha256").strip().partition("=")[2]
