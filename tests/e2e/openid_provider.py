"""A real OpenID provider for tests (the library oidc-provider, on Node), and a small browser to log in with.

    client = {"client_id": "web", "client_secret": "s", "redirect_uris": [server.url + "/callback"]}
    provider = openid_provider.Provider(folder, [client], {"ada": {"groups": ["ml"]}}).start()
    self.addCleanup(provider.stop)
    browser = openid_provider.Browser(ca=server.ca)
    page = openid_provider.login_at_provider(browser, server.url + "/login", "ada", stop_at=server.url + "/callback")
"""

import email.utils
import html.parser
import http.client
import json
import os
import pathlib
import re
import ssl
import subprocess
import time
import urllib.parse

import harness
import ports

MODULES = harness.ROOT / "build/openid"
NODE = harness.ROOT / "build/venv/bin/node"
PROGRAM = pathlib.Path(__file__).with_name("openid") / "provider.js"


MISSING = "" if NODE.exists() and (MODULES / "node_modules/oidc-provider").is_dir() else \
    "there is no OpenID provider: run tools/dev setup"


class Provider:
    """`users`: fields by name, as in openid/provider.js. `options`: more of its config, such as refresh="always"."""

    def __init__(self, folder, clients, users, port=None, **options):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = port or ports.free(1)
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.file, self.keys = self.folder / "config.json", self.folder / "keys.json"
        self.log = self.folder / "provider.log"
        self.clients, self.options = list(clients), options
        self.users = {name: dict(user) for name, user in users.items()}
        self.process = None
        self.write()

    def write(self):
        """Users are looked up in it at once; the rest of it counts from the next start."""
        config = {"port": self.port, "issuer": self.issuer, "clients": self.clients, "users": self.users, "pkce": True,
                  "keys_file": str(self.keys), "state_file": str(self.folder / "state.json")} | self.options
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(config), encoding="utf-8")
        os.replace(new, self.file)

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([str(NODE), str(PROGRAM), str(self.file), str(MODULES)],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env=harness.clean_environment(HOME=str(self.folder)))
        harness.wait_for(lambda: self.process.poll() is not None or self.answers(),
                         lambda: f"the OpenID provider: {self.log_text()}")
        if self.process.poll() is not None:
            ended = self.process.returncode
            raise AssertionError(f"the OpenID provider ended with {ended}:\n{self.log_text()[-4000:]}")
        return self

    def answers(self):
        try:
            return self.request("GET", "/.well-known/openid-configuration")[0] == 200
        except OSError:
            return False

    def stop(self):
        """Sessions and refresh tokens are there again after a start. It may be stopped already."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(harness.TIMEOUT)

    def restart(self):
        self.stop()
        return self.start()

    def log_text(self):
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def request(self, method, path, body=None):
        """(status, decoded JSON) of one of its answers in JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=harness.TIMEOUT)
        try:
            connection.request(method, path, body=None if body is None else json.dumps(body))
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def rotate_keys(self, keep=False):
        """New signing keys at once; the ids of all published ones. The old ones are withdrawn unless `keep`."""
        status, told = self.request("POST", "/test/keys", {"keep": keep})
        assert status == 200, self.log_text()
        return told["kids"]

    def published_keys(self):
        return self.request("GET", "/jwks")[1]["keys"]

    def set_user(self, name, **fields):
        """Changes a user, or adds it; None takes a field away."""
        user = self.users.get(name, {}) | fields
        self.users[name] = {field: value for field, value in user.items() if value is not None}
        self.write()

    def remove_user(self, name):
        del self.users[name]
        self.write()


def is_secure(parts):
    """Whether cookies that are Secure go there. Browsers trust loopback without TLS, too."""
    return parts.scheme == "https" or parts.hostname in ("127.0.0.1", "localhost")


class Cookie:
    """What a browser keeps of one Set-Cookie. `attributes`: by name in lower case."""

    def __init__(self, line, url):
        """`line`: the value of a Set-Cookie header. `url`: what set it."""
        pair, *attributes = [part.strip() for part in line.split(";")]
        self.name, _, self.value = pair.partition("=")
        split = (text.partition("=") for text in attributes)
        self.attributes = {name.strip().lower(): value.strip() for name, _, value in split}
        path = self.attributes.get("path", "")
        self.path = path if path.startswith("/") else urllib.parse.urlsplit(url).path.rpartition("/")[0] or "/"
        self.secure, self.http_only = "secure" in self.attributes, "httponly" in self.attributes
        self.same_site = self.attributes.get("samesite")

    def is_over(self):
        """Whether it was sent to delete itself."""
        if "max-age" in self.attributes:
            return int(self.attributes["max-age"]) <= 0
        moment = self.attributes.get("expires")
        return moment is not None and email.utils.parsedate_to_datetime(moment).timestamp() <= time.time()

    def may_be_set(self, secure):
        whole = self.secure and "domain" not in self.attributes and self.attributes.get("path") == "/"
        return (secure or not self.secure) and (whole or not self.name.startswith("__Host-")) and \
            (self.secure or not self.name.startswith("__Secure-"))

    def is_for(self, secure, path):
        below = self.path if self.path.endswith("/") else self.path + "/"
        return (secure or not self.secure) and (path == self.path or path.startswith(below))


class Response:
    """`url`: where it is from; `headers`: as http.client has them; `body`: bytes."""

    def __init__(self, url, status, headers, body):
        self.url, self.status, self.headers, self.body = url, status, headers, body

    def __repr__(self):
        return f"<{self.status} of {self.url}: {self.text()[:2000]}>"

    def text(self):
        return self.body.decode("utf-8", errors="replace")

    def json(self):
        return json.loads(self.body)

    def target(self):
        """The URL that it redirects to, or None."""
        place = self.headers.get("Location") if self.status in (301, 302, 303, 307, 308) else None
        return place and urllib.parse.urljoin(self.url, place)

    def forms(self):
        parser = _Forms()
        parser.feed(self.text())
        parser.close()
        return parser.forms


class Form:
    """`fields` are what it sends unless they are changed, `buttons` are (name, value, text on it)."""

    def __init__(self, attributes):
        self.id, self.action = attributes.get("id"), attributes.get("action") or ""
        self.method = (attributes.get("method") or "get").upper()
        self.fields, self.buttons = {}, []

    def button(self, wanted):
        """The first button, or that with this name, value or text."""
        for name, value, text in self.buttons:
            if wanted is None or wanted in (name, value, text.strip()):
                return {name: value} if name else {}
        if wanted is None:
            return {}
        raise AssertionError(f"there is no button {wanted!r}, but {self.buttons}")


class _Forms(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms, self.form, self.inside = [], None, None
        self.select, self.area = None, None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        name, value = attributes.get("name"), attributes.get("value")
        if tag == "form":
            self.form = Form(attributes)
            self.forms.append(self.form)
        elif tag == "button" and attributes.get("type", "submit") == "submit":
            self.button(attributes.get("form"), name, value or "")
        elif self.form is None:
            return
        elif tag == "input":
            self.input(attributes.get("type", "text").lower(), name, value, "checked" in attributes)
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and (self.select not in self.form.fields or "selected" in attributes):
            self.form.fields[self.select] = value or ""
        elif tag == "textarea" and name:
            self.area, self.form.fields[name] = name, ""

    def button(self, form, name, value):
        """`form`: the id of the form that it sends, where it stands outside of it."""
        sent = next((one for one in self.forms if form and one.id == form), self.form)
        if sent:
            sent.buttons.append((name, value, ""))
            self.inside = sent.buttons

    def input(self, kind, name, value, checked):
        if kind == "submit":
            self.form.buttons.append((name, value or "", value or ""))
        elif name and kind in ("checkbox", "radio"):
            if checked:
                self.form.fields[name] = "on" if value is None else value
        elif name and kind not in ("button", "reset", "image", "file"):
            self.form.fields[name] = value or ""

    def handle_data(self, data):
        if self.inside:
            name, value, text = self.inside[-1]
            self.inside[-1] = (name, value, text + data)
        elif self.area:
            self.form.fields[self.area] += data

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        elif tag == "button":
            self.inside = None
        elif tag == "select":
            self.select = None
        elif tag == "textarea":
            self.area = None


class Browser:
    """Follows redirects, keeps cookies and sends forms; no scripts. `ca`: the file of the authority that it trusts.

    Cookies are kept by host and port, unlike in real browsers, so that two servers on 127.0.0.1 have their own.
    SameSite is only remembered. `history` is every response, the oldest first; `refused_cookies` are lines of
    Set-Cookie that a browser refuses.
    """

    LONGEST = 30  # redirects in a row

    def __init__(self, ca=None, headers=()):
        self.context = ssl.create_default_context(cafile=ca) if ca else None
        self.headers = dict(headers)
        self.jar, self.history, self.refused_cookies = {}, [], []

    # --- cookies
    def cookies(self, url):
        """The cookies that are sent to this URL, the longest path first."""
        parts = urllib.parse.urlsplit(url)
        here = self.jar.get(parts.netloc, {}).values()
        sent = [cookie for cookie in here if cookie.is_for(is_secure(parts), parts.path or "/")]
        return sorted(sent, key=lambda cookie: -len(cookie.path))

    def cookie(self, url, name):
        return next((cookie for cookie in self.cookies(url) if cookie.name == name), None)

    def _keep_cookies(self, response):
        parts = urllib.parse.urlsplit(response.url)
        jar = self.jar.setdefault(parts.netloc, {})
        for line in response.headers.get_all("Set-Cookie", []):
            cookie = Cookie(line, response.url)
            if not cookie.may_be_set(is_secure(parts)):
                self.refused_cookies.append(line)
            elif cookie.is_over():
                jar.pop((cookie.name, cookie.path), None)
            else:
                jar[cookie.name, cookie.path] = cookie

    # --- requests
    def request(self, method, url, body=None, headers=()):
        """One request, without following where it leads. A dict as `body` is sent as a form."""
        parts = urllib.parse.urlsplit(url)
        sent = {"Accept": "text/html,*/*;q=0.8"} | self.headers | dict(headers)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies(url))
        sent |= {"Cookie": cookies} if cookies else {}
        if isinstance(body, dict):
            body = urllib.parse.urlencode(body)
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(parts.netloc, timeout=harness.TIMEOUT, context=self.context)
        else:
            connection = http.client.HTTPConnection(parts.netloc, timeout=harness.TIMEOUT)
        try:
            target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
            connection.request(method, target, body, sent)
            answer = connection.getresponse()
            response = Response(url, answer.status, answer.headers, answer.read())
        finally:
            connection.close()
        self._keep_cookies(response)
        self.history.append(response)
        return response

    def open(self, url, stop_at=None, fetch=True):
        """GETs it and follows redirects; the last response. `stop_at`: see follow()."""
        return self.follow(self.request("GET", url), stop_at, fetch)

    def follow(self, response, stop_at=None, fetch=True):
        """Follows redirects until a URL with the prefix `stop_at` was fetched; without `fetch` that URL is returned in
        place of a response."""
        for _ in range(self.LONGEST):
            url = response.target()
            if url is None:
                return response
            stop = stop_at is not None and url.startswith(stop_at)
            if stop and not fetch:
                return url
            if response.status in (307, 308):
                raise AssertionError(f"a redirect that repeats the request: {response}")
            response = self.request("GET", url)
            if stop:
                return response
        raise AssertionError(f"more than {self.LONGEST} redirects, the last to {response.target()}")

    def submit(self, page, fields=(), button=None, form=0, stop_at=None, fetch=True, headers=()):
        """Sends a form of the page with these fields and the button (by its name, value or text), and follows."""
        forms = page.forms()
        if len(forms) <= form:
            raise AssertionError(f"there is no form {form}: {page}")
        chosen = forms[form]
        sent = chosen.fields | chosen.button(button) | dict(fields)
        url = urllib.parse.urljoin(page.url, chosen.action)
        if chosen.method == "GET":
            return self.open(url.partition("?")[0] + "?" + urllib.parse.urlencode(sent), stop_at, fetch)
        parts = urllib.parse.urlsplit(page.url)
        # As the Fetch standard has it: a page that sends no referrer has no origin for its forms, either.
        hidden = page.headers.get("Referrer-Policy") == "no-referrer"
        own = {"Origin": "null"} if hidden else {"Origin": f"{parts.scheme}://{parts.netloc}", "Referer": page.url}
        headers = own | dict(headers)
        return self.follow(self.request("POST", url, sent, headers), stop_at, fetch)


INTERACTION = re.compile(r"/interaction/[\w-]+$")


def login_at_provider(browser, start_url, user, stop_at, fetch=True):
    """Logs in as `user`: from our server's URL to the provider, over its login and consent pages, and back until a URL
    with the prefix `stop_at` was fetched: its response. Without `fetch` it is not asked for, and the URL itself is
    returned. A provider that refuses, or has no more to ask, ends it with its own response.
    """
    page = browser.open(start_url, stop_at, fetch)
    while isinstance(page, Response) and not page.url.startswith(stop_at) and page.status == 200 and \
            INTERACTION.search(urllib.parse.urlsplit(page.url).path):
        fields = {"login": user, "password": "any"} if "login" in page.forms()[0].fields else {}
        page = browser.submit(page, fields, stop_at=stop_at, fetch=fetch)
    return page
