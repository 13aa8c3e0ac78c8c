"""URLs as a browser writes them, or refused: what is opened is compared with what the page says it is.

Only what every browser normalises in the same way is normalised here; a spelling that could come out otherwise is
refused with what to write instead. Credentials are refused everywhere. Source: the WHATWG URL standard.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final, NoReturn
from urllib.parse import quote

from stack.errors import CallError

LONGEST: Final = 8192
PORTS: Final = {"http": "80", "https": "443"}
_PARTS: Final = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#\\]*)(?P<path>/[^?#]*)?(?P<query>\?[^#]*)?(?P<fragment>#.*)?",
    re.DOTALL,
)
_HOST: Final = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]+)(?::(?P<port>[0-9]{0,5}))?")
_DOT: Final = re.compile(r"(\.|%2e)", re.IGNORECASE)
_CONTROL: Final = re.compile(r"[\x00-\x20\x7f-\x9f]")
_SCHEME: Final = re.compile(r"https?://", re.IGNORECASE)
_KEPT: Final = "!$&'()*+,-./:;=@_~%[]|\\"
"""What stays as it is in every part. What is added below is kept in that part alone."""


def _refuse(what: str) -> NoReturn:
    raise CallError("invalid_url", what)


def check_length(text: str) -> None:
    """CallError(invalid_url) for a URL that is longer than one may be."""
    if len(text) > LONGEST:
        _refuse(f"a URL of {len(text)} characters; at most {LONGEST}")


def page_url(text: str) -> str:
    """A URL that a page has, as a caller gives it back: HTTP(S), bounded, without credentials, and else unchanged."""
    check_length(text)
    if not _SCHEME.match(text):
        _refuse(f"a URL that does not begin with http:// or https://: {text[:80]!r}")
    authority = re.split(r"[/?#\\]", text.split("://", 1)[1], maxsplit=1)[0]
    if "@" in authority:
        _refuse("a URL with credentials; none may be given")
    return text


def web_url(text: str) -> str:
    """The normalized form of a URL that is to be opened. CallError(invalid_url)."""
    page_url(text)
    if _CONTROL.search(text):
        _refuse("a URL with a space or control character; write it percent-encoded")
    if "\\" in text:
        _refuse("a URL with a backslash; write %5C, or a slash")
    found = _PARTS.fullmatch(text)
    assert found is not None, "whatever begins as page_url has seen to has these parts"
    scheme = found["scheme"].lower()
    host = _host(found["authority"], scheme)
    path = _path(found["path"] or "/")
    query, fragment = found["query"] or "", found["fragment"] or ""
    normal = f"{scheme}://{host}{path}" + _quoted(query, "?^{}`/").replace("'", "%27") + _quoted(fragment, "?^{}#/")
    check_length(normal)
    return normal


def _quoted(text: str, kept: str) -> str:
    try:
        return quote(text, safe=_KEPT + kept)
    except UnicodeEncodeError:
        _refuse("a URL with half a character (a lone surrogate)")


def _host(authority: str, scheme: str) -> str:
    found = _HOST.fullmatch(authority)
    if found is None:
        _refuse("a URL whose host is missing or not in ASCII; write an international name in its xn-- form")
    host, port = found["host"].lower(), (found["port"] or "").lstrip("0")
    if found["port"] and not port:
        port = "0"
    if port and int(port) > 65535:
        _refuse(f"a URL with the port {port}")
    try:
        if host.startswith("["):
            host = f"[{IPv6Address(host[1:-1]).compressed}]"
        elif re.fullmatch(r"([0-9]+|0x[0-9a-f]*)", host.rstrip(".").rpartition(".")[2]):
            host = str(IPv4Address(host))
    except AddressValueError:
        _refuse("a URL whose host is no address in its usual form")
    return host if port in ("", PORTS[scheme]) else f"{host}:{port}"


def _path(path: str) -> str:
    if "^" in path:
        _refuse("a URL with ^ in its path; write %5E")
    done: list[str] = []
    segments = path.split("/")[1:]
    for place, segment in enumerate(segments):
        dots = _DOT.sub(".", segment)
        last = place == len(segments) - 1
        if dots == "..":
            done = done[:-1]
        elif dots != ".":
            done.append(segment)
            continue
        if last:
            done.append("")
    return "/" + "/".join(_quoted(segment, "") for segment in done)
