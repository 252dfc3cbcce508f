"""An OpenID issuer that lies as a test wants: in its documents, its keys, its answers and its tokens.

    issuer = lying_issuer.LyingIssuer().start()
    issuer.lies["/jwks"] = lying_issuer.status(500)
    token = issuer.token(issuer.claims(sub="ada"), alg="none")

It serves /.well-known/openid-configuration and /jwks, and a login without a page: /authorize goes back at once, /token
gives what `make_token` makes. `counts` has the requests by path.
"""

import base64
import collections
import hashlib
import hmac
import http.server
import json
import secrets
import threading
import time
import urllib.parse

import ports

try:
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
    MISSING = ""
except ImportError:
    MISSING = "the Python package cryptography is not installed, which signs the issuer's tokens"

DISCOVERY = "/.well-known/openid-configuration"


def base64url(data, padded=False):
    """`data`: bytes, text, or what is written as JSON. `padded`: with the `=` that tokens must not have."""
    if not isinstance(data, (bytes, str)):
        data = json.dumps(data)
    text = base64.urlsafe_b64encode(data.encode() if isinstance(data, str) else data).decode()
    return text if padded else text.rstrip("=")


def _number(value, size=None):
    return base64url(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


class Key:
    """`kind`: rsa, rsa1024, p256 or ed25519."""

    ALGORITHMS = {"rsa": "RS256", "rsa1024": "RS256", "p256": "ES256", "ed25519": "EdDSA"}

    def __init__(self, kind):
        self.kind, self.kid, self.alg = kind, f"{kind}-{secrets.token_hex(4)}", self.ALGORITHMS[kind]
        if kind == "p256":
            self.private = ec.generate_private_key(ec.SECP256R1())
        elif kind == "ed25519":
            self.private = ed25519.Ed25519PrivateKey.generate()
        else:
            self.private = rsa.generate_private_key(public_exponent=65537, key_size=1024 if kind == "rsa1024" else 2048)
        self.public = self.private.public_key()

    def jwk(self):
        """The public key as it is published."""
        told = {"kid": self.kid, "use": "sig", "alg": self.alg}
        if self.kind == "ed25519":
            raw = self.public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
            return told | {"kty": "OKP", "crv": "Ed25519", "x": base64url(raw)}
        numbers = self.public.public_numbers()
        if self.kind == "p256":
            return told | {"kty": "EC", "crv": "P-256", "x": _number(numbers.x, 32), "y": _number(numbers.y, 32)}
        return told | {"kty": "RSA", "n": _number(numbers.n), "e": _number(numbers.e)}

    def pem(self):
        return self.public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    def sign(self, alg, data):
        """The signature. HS256: with the public key's PEM as the secret; none: empty."""
        if alg == "none":
            return b""
        if alg.startswith("HS"):
            return hmac.digest(self.pem(), data, f"sha{alg[2:]}")
        if alg == "EdDSA":
            return self.private.sign(data)
        digest = getattr(hashes, f"SHA{alg[2:]}")()
        if alg.startswith("ES"):
            r, s = utils.decode_dss_signature(self.private.sign(data, ec.ECDSA(digest)))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        pad = padding.PSS(padding.MGF1(digest), digest.digest_size) if alg.startswith("PS") else padding.PKCS1v15()
        return self.private.sign(data, pad, digest)


# --- lies: what a path answers in place of the truth
def status(code, body=b"this is a lie"):
    return lambda handler: handler.reply(code, body, "text/plain")


def text(body, kind="application/json"):
    """Such as what is not JSON, or JSON that is not a key set."""
    return lambda handler: handler.reply(200, body.encode(), kind)


def redirect(url, code=302):
    return lambda handler: handler.reply(code, b"", "text/plain", Location=url)


def huge(size=5_000_000):
    """A key set of this many bytes at least, well-formed, in which the true keys are first."""
    def answer(handler):
        document = handler.issuer.key_set()
        handler.reply(200, json.dumps({"keys": document["keys"], "padding": "x" * size}).encode())
    return answer


def never_ending(pause=0.1):
    """Blanks, one after the other, until the other side hangs up or the issuer stops."""
    def answer(handler):
        handler.begin(200, "application/json")
        while not handler.issuer.stopping.wait(pause):
            handler.wfile.write(b" ")
            handler.wfile.flush()
    return answer


def silent():
    """No answer at all until the issuer stops."""
    return lambda handler: handler.issuer.stopping.wait()


class _Handler(http.server.BaseHTTPRequestHandler):
    @property
    def issuer(self):
        return self.server.issuer

    def log_message(self, *_):
        pass

    def begin(self, code, kind, **headers):
        self.send_response(code)
        for name, value in ({"Content-Type": kind} | headers).items():
            self.send_header(name, value)
        self.end_headers()

    def reply(self, code, body, kind="application/json", **headers):
        self.begin(code, kind, **{"Content-Length": str(len(body))}, **headers)
        self.wfile.write(body)

    def do_GET(self):
        self.answer(b"")

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def answer(self, body):
        path, _, query = self.path.partition("?")
        self.issuer.count(path)
        fields = dict(urllib.parse.parse_qsl(body.decode() or query))
        known = {DISCOVERY: self.issuer.tell_discovery, "/jwks": self.issuer.tell_keys,
                 "/authorize": self.issuer.tell_code, "/token": self.issuer.tell_token}
        try:
            if path in self.issuer.lies:
                self.issuer.lies[path](self)
            elif path in known:
                known[path](self, fields)
            else:
                self.reply(404, b"{}")
        except OSError:
            self.close_connection = True


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads, block_on_close, request_queue_size = True, False, 64
    issuer = None


class LyingIssuer:
    """What may be changed at any time:

    `lies`               by path, one of the functions above: status(), text(), redirect(), huge(), never_ending(), ...
    `discovery`          members of its document in place of its own, such as issuer or jwks_uri; None takes one away
    `published`          names of the keys that /jwks has; rsa1024 is not among them at first
    `jwk`                members that each published key has in place of its own: {"kid": None}, {"use": "enc"}
    `more_keys`          more public keys, as they are written; they come first
    `cache_control`      the header of that name in its documents, or None
    `make_token`         what makes the ID token of a login from its claims; token() at first
    `token_answer`       members of the answer of /token in place of its own
    """

    def __init__(self, port=None, client="yardmaster"):
        self.port, self.client = port or ports.free(1), client
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.keys = {kind: Key(kind) for kind in Key.ALGORITHMS}
        self.withdrawn = []
        self.lies, self.discovery, self.jwk, self.token_answer, self.more_keys = {}, {}, {}, {}, []
        self.published, self.cache_control, self.make_token = ["rsa", "p256", "ed25519"], None, self.token
        self.subject, self.user = "ada", {"preferred_username": "ada", "groups": []}
        self.counts, self.logins = collections.Counter(), {}
        self.lock, self.stopping, self.server = threading.Lock(), threading.Event(), None

    # --- life
    def start(self):
        """Again on the same port after a stop()."""
        self.stopping.clear()
        self.server = _Server(("127.0.0.1", self.port), _Handler)
        self.server.issuer = self
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def stop(self):
        """Its port refuses connections from now on. It may be stopped already."""
        self.stopping.set()
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def rotate(self, kind="rsa"):
        """A new key; the old one is withdrawn, and returned: token(key=...) still signs with it."""
        old, self.keys[kind] = self.keys[kind], Key(kind)
        self.withdrawn.append(old)
        return old

    # --- answers
    def count(self, path):
        with self.lock:
            self.counts[path] += 1

    def document(self):
        true = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "PS256", "ES256", "EdDSA"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email", "groups", "offline_access"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        }
        return _changed(true, self.discovery)

    def key_set(self):
        return {"keys": self.more_keys + [_changed(self.keys[name].jwk(), self.jwk) for name in self.published]}

    def _tell(self, handler, document):
        headers = {"Cache-Control": self.cache_control} if self.cache_control else {}
        handler.reply(200, json.dumps(document).encode(), **headers)

    def tell_discovery(self, handler, _):
        self._tell(handler, self.document())

    def tell_keys(self, handler, _):
        self._tell(handler, self.key_set())

    def tell_code(self, handler, fields):
        code = secrets.token_urlsafe(16)
        self.logins[code] = fields
        back = {"code": code} | ({"state": fields["state"]} if "state" in fields else {})
        redirect(f"{fields.get('redirect_uri', '')}?{urllib.parse.urlencode(back)}")(handler)

    def tell_token(self, handler, fields):
        asked = self.logins.pop(fields.get("code"), None)
        if asked is None or asked.get("code_challenge") != _challenge(fields.get("code_verifier", "")):
            return handler.reply(400, b'{"error": "invalid_grant"}')
        claims = self.claims(aud=asked.get("client_id"), **({"nonce": asked["nonce"]} if "nonce" in asked else {}))
        answer = {"access_token": secrets.token_urlsafe(16), "token_type": "Bearer", "expires_in": 3600,
                  "id_token": self.make_token(claims)}
        return handler.reply(200, json.dumps(_changed(answer, self.token_answer)).encode())

    # --- tokens
    def claims(self, **changes):
        """Those of a true ID token, but for the changes; None takes one away."""
        now = int(time.time())
        true = {"iss": self.issuer, "sub": self.subject, "aud": self.client, "iat": now, "exp": now + 600} | self.user
        return _changed(true, changes)

    def token(self, claims=None, key="rsa", alg=None, header=None, raw_header=None, raw_payload=None, signature=None,
              padded=False):
        """A token, true unless the arguments say otherwise. It is signed by `alg`, whatever its header says.

        `key`: a name, or a Key. `alg`: the key's own if None; RS256, RS384, RS512, PS256, ES256, EdDSA, none, or HS256
        with the public key's PEM as the secret. `header`: members in place of its own (kid, jku, x5u, jwk, crit, ...);
        None takes one away. `raw_header`, `raw_payload`: text in place of either, e.g. with a member twice.
        `signature`: bytes in place of it. `padded`: base64 with the `=` that tokens must not have.
        """
        signer = key if isinstance(key, Key) else self.keys[key]
        alg = alg or signer.alg
        head = raw_header
        if head is None:
            head = _changed({"alg": alg, "kid": signer.kid, "typ": "JWT"}, header or {})
        payload = (self.claims() if claims is None else claims) if raw_payload is None else raw_payload
        signed = f"{base64url(head, padded)}.{base64url(payload, padded)}"
        made = signer.sign(alg, signed.encode()) if signature is None else signature
        return f"{signed}.{base64url(made, padded)}"


def _changed(members, changes):
    return {name: value for name, value in (members | changes).items() if value is not None}


def _challenge(verifier):
    return base64url(hashlib.sha256(verifier.encode()).digest())
