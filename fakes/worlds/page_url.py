"""URLs as a browser reads them, as far as pages need it: parts, resolving, origin.

`urllib.parse` would pull in `re` and `collections`, and a fake starts in the time of a bare interpreter.
"""

from __future__ import annotations

BLANK = "about:blank"
DEFAULT_PORTS = {"http": "80", "https": "443"}
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")


def split(url: str) -> tuple[str, str, str, str, str]:
    """(scheme, host with port, path, query with its `?`, fragment with its `#`). Without `//` the host is empty."""
    rest, mark, fragment = url.partition("#")
    fragment = mark + fragment
    scheme, colon, after = rest.partition(":")
    if not colon or not scheme.isascii() or not scheme.replace("+", "").replace("-", "").replace(".", "").isalnum():
        scheme, after = "", rest
    host = ""
    if after.startswith("//"):
        end = min(at for at in (after.find("/", 2), after.find("?", 2), len(after)) if at >= 0)
        host, after = after[2:end], after[end:]
    path, mark, query = after.partition("?")
    return scheme.lower(), host.lower(), path, mark + query, fragment


def normal(url: str) -> str:
    """The URL as the browser writes it: scheme and host in small letters, no default port, `/` for an empty path."""
    scheme, host, path, query, fragment = split(url)
    if not host:
        return url
    name, _, port = host.rpartition(":")
    if name and port == DEFAULT_PORTS.get(scheme):
        host = name
    return f"{scheme}://{host}{path or '/'}{query}{fragment}".replace(" ", "%20")


def resolve(base: str, reference: str) -> str:
    """What a link on the page `base` leads to."""
    scheme, host, path, query, fragment = split(reference)
    if scheme:
        return normal(reference)
    base_scheme, base_host, base_path, base_query, _ = split(base)
    if host:
        return normal(f"{base_scheme}:{reference}")
    if not path:
        return f"{base_scheme}://{base_host}{base_path}{query or base_query}{fragment}"
    if not path.startswith("/"):
        path = base_path.rpartition("/")[0] + "/" + path
    return f"{base_scheme}://{base_host}{_without_dots(path)}{query}{fragment}"


def _without_dots(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/")[1:]:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    if path.endswith(("/.", "/..")):
        parts.append("")
    return "/" + "/".join(parts)


def page_of(url: str) -> str:
    """The URL without its fragment."""
    return url.partition("#")[0]


def origin(url: str) -> str:
    """Scheme, host and port; `null` where there is no host."""
    scheme, host, _, _, _ = split(url)
    return f"{scheme}://{host}" if host else "null"


def form_text(text: str) -> str:
    """A name or value as a form puts it into a query."""
    return "".join(
        letter if letter in _PLAIN else "+" if letter == " " else "".join(f"%{byte:02X}" for byte in letter.encode())
        for letter in text
    )


def unquoted(text: str) -> str:
    """Percent escapes decoded; those that are none, or no UTF-8, stay as they are."""
    if "%" not in text:
        return text
    data = bytearray()
    at = 0
    raw = text.encode("utf-8", "surrogatepass")
    while at < len(raw):
        pair = raw[at + 1 : at + 3]
        if raw[at : at + 1] == b"%" and len(pair) == 2 and all(byte in b"0123456789abcdefABCDEF" for byte in pair):
            data.append(int(pair, 16))
            at += 3
        else:
            data.append(raw[at])
            at += 1
    return data.decode("utf-8", "replace")
