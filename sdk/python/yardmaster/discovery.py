"""Finds the server and the token, by the rules of the command line.

The address: the argument, YM_URL, the context YM_CONTEXT, the one of `ym login` unless YM_STATE is set, or `server.json`
of the default state directory (YM_STATE, else $XDG_STATE_HOME/yardmaster, else ~/.local/state/yardmaster). The token: the
argument, YM_TOKEN, the file YM_TOKEN_FILE, the context with this address, or `admin.token` of that directory.
`admin.token` is used only for the server of that directory.
For https: the authorities YM_CA_FILE, and the certificate's fingerprint: YM_FINGERPRINT, or the one of `server.json`.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Mapping, Optional, Tuple

from ._http import SYSTEM, Trust
from .errors import Unauthenticated, Unavailable

_LARGEST = 64 << 10


@dataclass(frozen=True)
class Endpoint:
    url: str
    token: str = field(repr=False)
    trust: Trust = SYSTEM


def _read(path: Path) -> Optional[str]:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8", errors="replace").strip()
    except OSError:
        return None


def default_state_dir(environment: Mapping[str, str]) -> Optional[Path]:
    """The state folder of a server that was started without --state. None: HOME is not set."""
    if environment.get("YM_STATE"):
        return Path(environment["YM_STATE"]).absolute()
    # The XDG specification: ignore relative paths.
    if environment.get("XDG_STATE_HOME", "").startswith("/"):
        return Path(environment["XDG_STATE_HOME"]) / "yardmaster"
    if environment.get("HOME", "").startswith("/"):
        return Path(environment["HOME"]) / ".local/state/yardmaster"
    return None


def _local_server(state: Optional[Path]) -> Tuple[str, str]:
    """Its address, and the fingerprint of its certificate."""
    text = _read(state / "server.json") if state else None
    try:
        record = json.loads(text) if text else {}
    except ValueError:
        return "", ""
    found = [record.get(key) if isinstance(record, dict) else None for key in ("url", "fingerprint")]
    url, fingerprint = (text if isinstance(text, str) else "" for text in found)
    return url, fingerprint


def _contexts(environment: Mapping[str, str]) -> Tuple[str, Mapping[str, Mapping[str, str]]]:
    """The name of the current one, and all by name."""
    xdg, home = environment.get("XDG_CONFIG_HOME", ""), environment.get("HOME", "")
    folder = Path(xdg) if xdg.startswith("/") else Path(home) / ".config" if home.startswith("/") else None
    text = _read(folder / "yardmaster/contexts.json") if folder else None
    if text is None:
        return "", {}
    try:
        record = json.loads(text)
        contexts = {name: dict(context) for name, context in record["contexts"].items()}
        if not all(context["url"] for context in contexts.values()):
            raise ValueError
        return str(record.get("current", "")), contexts
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Unavailable("contexts.json does not hold contexts; log in again with `ym login`", code="invalid") from None


def _context(environment: Mapping[str, str], address: str, token: str) -> Mapping[str, str]:
    """What a context knows of the server; empty: nothing. `address`: of the server; empty: the context names it."""
    if address and token:
        return {}
    current, contexts = _contexts(environment)
    if address:
        same = [name for name, context in contexts.items() if context.get("url") == address]
        return contexts[current if current in same else same[0]] if same else {}
    named = environment.get("YM_CONTEXT", "")
    # A state folder that is named says which server is meant.
    wanted = named or ("" if environment.get("YM_STATE") else current)
    if not wanted:
        return {}
    if wanted not in contexts:
        raise Unavailable(f"there is no context '{wanted}'; see `ym context list`", code="invalid")
    # A token of somewhere else, as in a job, must not go to the server that the user is logged in to.
    if token and not named:
        raise Unavailable("a token is given, but not the server that it is for: set YM_URL or YM_CONTEXT", code="invalid")
    return contexts[wanted]


def _explicit_token(token: Optional[str], environment: Mapping[str, str]) -> str:
    found = token or environment.get("YM_TOKEN", "")
    path = environment.get("YM_TOKEN_FILE", "")
    if found or not path:
        return found.strip()
    text = _read(Path(path))
    if text is None:
        raise Unauthenticated(f"YM_TOKEN_FILE names {path}, which cannot be read", code="unauthenticated")
    return text


def discover(
    url: Optional[str] = None, token: Optional[str] = None, environment: Optional[Mapping[str, str]] = None
) -> Endpoint:
    """Raises Unavailable if no server is known, Unauthenticated if YM_TOKEN_FILE cannot be read."""
    environment = os.environ if environment is None else environment
    known = _explicit_token(token, environment)
    state = default_state_dir(environment)
    local, fingerprint = _local_server(state)
    address = (url or environment.get("YM_URL", "")).rstrip("/")
    context = _context(environment, address, known)
    address = context.get("url") or address or local
    if not address:
        where = f"{state} has no server.json" if state else "HOME is not set"
        raise Unavailable(
            f"no server is running here ({where}); start one with `ym serve` or `ym run`, or name one with YM_URL",
            code="unavailable",
        )
    trust = Trust.of(environment)
    known = known or context.get("token", "")
    if trust == SYSTEM:
        trust = Trust(context.get("ca_file", ""), context.get("fingerprint", ""))
    if state is not None and address == local:
        known = known or _read(state / "admin.token") or ""
        trust = replace(trust, fingerprint=trust.fingerprint or fingerprint)
    return Endpoint(address.rstrip("/"), known, trust)
