"""What the page programs of the Safari MCP stack answer on the model: ready, read, link, find and search.

Written from what the programs promise (inputs and outputs), never from the stack's code; that the two agree is shown
where the same scenario runs on WebKit. Every answer is one JSON text: {program, url, ok, data} or {…, error}.
"""

from __future__ import annotations

from fakes.worlds.page_live import inner_text
from fakes.worlds.page_select import SelectorError, matches, select
from fakes.worlds.page_url import origin, resolve, split, unquoted
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fakes.worlds.page import Node
    from fakes.worlds.safari import Safari
    from fakes.worlds.safari_windows import Document
    from harness.wire.jsontext import Json

TITLE, LINK_TEXT, HREF = 300, 200, 2048
ROWS_BYTES = 40_000
NO_NAME = ("input", "textarea", "select")
ATTRIBUTES = ("aria-label", "aria-expanded", "aria-checked", "placeholder", "title", "href")
CONTAINERS = ".result, .web-result, article[data-testid='result']"
ADVERTS = ".result--ad, .badge--ad, [data-testid='ad'], [data-nrn='ad']"
RESULT_LINKS = "a.result__a[href], h2 a[href], a[data-testid='result-title-a'][href]"
SNIPPETS = ".result__snippet, [data-result='snippet']"
PROVIDER = "duckduckgo.com"


def cut(text: str, units: int) -> str:
    """The first UTF-16 units of a text; half of a surrogate pair at the end is dropped."""
    if len(text) * 2 <= units:
        return text
    data = text.encode("utf-16-le", "surrogatepass")[: units * 2]
    if len(data) >= 2 and 0xD8 <= data[-1] <= 0xDB:
        data = data[:-2]
    return data.decode("utf-16-le", "surrogatepass")


def units(text: str) -> int:
    """Length as JavaScript counts it."""
    return len(text) + sum(letter > "\uffff" for letter in text)


def collapsed(text: str) -> str:
    """White space runs are one space; none at the ends."""
    return " ".join(text.split())


def _ready(world: Safari, document: Document, given: Any) -> Json:
    return {"state": document.ready, "origin": _origin(document.url)}


def _origin(url: str) -> str:
    scheme = split(url)[0]
    return f"{scheme}://" if scheme == "safari-resource" else origin(url)


def _href(document: Document, link: Node) -> str:
    return resolve(document.url, link.attributes["href"].strip())


def _read(world: Safari, document: Document, given: Any) -> Json:
    text = document.page.text()
    found: list[Json] = []
    left_out = False
    for link in document.page.select("a[href]"):
        if not link.visible:
            continue
        href = _href(document, link)
        if len(found) >= given["links"] or units(href) > HREF:
            left_out = True
            continue
        found.append({"text": cut(collapsed(inner_text(link)), LINK_TEXT), "href": href})
    return {
        "title": cut(document.page.title, TITLE),
        "text": cut(text, given["chars"]),
        "textTruncated": units(text) > given["chars"],
        "links": found,
        "linksTruncated": left_out,
    }


def _link(world: Safari, document: Document, given: Any) -> Json:
    matched = document.page.select(given["selector"])
    links = [
        node
        for node in matched[: given["scan"]]
        if node.tag == "a" and "href" in node.attributes and node.visible
    ]
    return {
        "matched": len(links),
        "href": _href(document, links[0]) if links else None,
        "truncated": len(matched) > given["scan"],
    }


def _find(world: Safari, document: Document, given: Any) -> Json:
    rows: list[Json] = []
    size = scanned = 0
    truncated = False
    for node in _all(document) if given["selector"] is None else document.page.select(given["selector"]):
        if scanned >= given["scan"]:
            truncated = True
            break
        scanned += 1
        if not node.visible:
            continue
        name = _name(node)
        if given["text"] is not None and given["text"] not in name.lower():
            continue
        row = _row(document, node, name, world.viewport[0])
        size += len(dumps(row, ascii_only=False))
        if len(rows) >= given["limit"] or size > ROWS_BYTES:
            truncated = True
            break
        rows.append(row)
    return {"matches": rows, "scanned": scanned, "truncated": truncated}


def _all(document: Document) -> list[Node]:
    return list(document.page.walk())


def _name(node: Node) -> str:
    label = node.attributes.get("aria-label", "").strip()
    if label:
        return label
    return "" if node.tag in NO_NAME else collapsed(inner_text(node))


def _row(document: Document, node: Node, name: str, width: float) -> Json:
    attributes = node.attributes
    x, y, wide, high = document.page.layout(width).boxes.get(node, (0.0, 0.0, 0.0, 0.0))
    left, top = document.page.scroll
    return {
        "tag": node.tag,
        "id": cut(attributes.get("id", ""), 200),
        "role": cut(attributes.get("role", ""), 100),
        "type": cut(attributes.get("type", ""), 100),
        "name": cut(name, 500),
        "disabled": "disabled" in attributes and node.tag in ("button", *NO_NAME),
        "checked": node.checked,
        "attributes": {each: cut(attributes.get(each, ""), 500) for each in ATTRIBUTES},
        "rect": {"x": x - left, "y": y - top, "width": wide, "height": high},
    }


def _search(world: Safari, document: Document, given: Any) -> Json:
    results: list[dict[str, str]] = []
    truncated = False
    scanned = 0
    for container in document.page.select(CONTAINERS):
        if scanned >= given["containers"]:
            break
        scanned += 1
        row = _result(document, container)
        if row is None or row["url"] in [result["url"] for result in results]:
            continue
        if len(results) >= given["limit"]:
            truncated = True
            break
        results.append(row)
    return {
        "results": results,
        "containers": scanned,
        "truncated": truncated or scanned >= given["containers"],
    }


def _result(document: Document, container: Node) -> dict[str, str] | None:
    """One eligible result; None for an advert and for what is no result."""
    inner = list(container.walk())[1:]
    links = [node for node in select(container, RESULT_LINKS) if node is not container]
    if matches(container, ADVERTS) or any(matches(node, ADVERTS) for node in inner):
        return None
    if not links or not links[0].visible or not container.visible:
        return None
    url = unwrapped(_href(document, links[0]))
    title = cut(collapsed(inner_text(links[0])), TITLE)
    if url is None or not title:
        return None
    snippets = [node for node in select(container, SNIPPETS) if node is not container]
    text = collapsed(inner_text(snippets[0])) if snippets and snippets[0].visible else ""
    return {"title": title, "url": url, "snippet": cut(text, 600)}


def unwrapped(url: str) -> str | None:
    """The URL that a result leads to, out of the provider's redirect; None where it is no result."""
    _, host, path, query, _ = split(url)
    if _of_provider(host):
        pairs = [pair.partition("=") for pair in query[1:].split("&")]
        found = [unquoted(value.replace("+", " ")) for name, _, value in pairs if name == "uddg"]
        if path != "/l/" or not found:
            return None
        url = resolve("", found[0])
        host = split(url)[1]
        if _of_provider(host):
            return None
    scheme, host, _, _, _ = split(url)
    return None if scheme not in ("http", "https") or not host or "@" in host or units(url) > HREF else url


def _of_provider(host: str) -> bool:
    return host == PROVIDER or host.endswith(f".{PROVIDER}")


PROGRAMS: dict[str, Callable[[Safari, Document, Any], Json]] = {
    "ready": _ready,
    "read": _read,
    "link": _link,
    "find": _find,
    "search": _search,
}
"""Name of the program -> its `data`."""


def _answer(program: str) -> Callable[[Safari, Document, Any], Json]:
    def answer(world: Safari, document: Document, given: Any) -> Json:
        reply: dict[str, Json] = {"program": program, "url": document.url}
        try:
            reply.update(ok=True, data=PROGRAMS[program](world, document, given))
        except SelectorError as problem:
            if not problem.known:
                raise
            reply.update(ok=False, error="invalid_selector")
        return dumps(reply, ascii_only=False)

    return answer


ANSWERS = {f"safari_mcp_{program}": _answer(program) for program in PROGRAMS}
"""Name in the manifest -> its answer."""
