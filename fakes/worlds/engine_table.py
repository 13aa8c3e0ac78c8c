"""The pages of a run sheet as the table that the engine's page server answers from (fakes/engines/pages.py).

Every address that a page can ask for is in it: the pages themselves, and what they fetch. What a definition says of
its delivery (status, redirect, failure, time) is said here, since HTML can't.
"""

from __future__ import annotations

from fakes.worlds.page_html import page_of
from fakes.worlds.page_url import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from fakes.worlds.page import Definition

HELD = "/.held"
"""Path of an invisible picture of each origin that takes as long as the page takes to load, where that is long."""
PLAIN = [["Content-Type", "text/plain"]]
LONG_MS = 200
"""A shorter load is left to the engine, which takes some of it anyway."""


def table(pages: Mapping[str, Sequence[Definition]]) -> dict[str, Any]:
    """pages: URL, or prefix with `*`, -> what its first load gives, its second, ..."""
    found: dict[str, Any] = {}
    for url, many in pages.items():
        for definition in many:
            for request in requests(definition):
                asked = resolve(url.rstrip("*"), request["url"])
                found.setdefault(asked, _asked(request))
            if definition["load_ms"] >= LONG_MS:
                held = resolve(url.rstrip("*"), f"{HELD}/{definition['load_ms']}")
                found[held] = {"status": 204, "headers": PLAIN, "delay_ms": definition["load_ms"]}
    for url, many in pages.items():
        turns = [_page(definition) for definition in many]
        found[url] = {"turns": turns} if len(turns) > 1 else turns[0]
    return found


def _page(definition: Definition) -> dict[str, Any]:
    if definition["fails"] is not None:
        return {"refused": True}
    if definition["redirect"] is not None:
        status = definition["status"] if definition["status"] != 200 else 302
        moved = [["Location", definition["redirect"]]]
        return {"status": status, "headers": moved, "delay_ms": definition["commit_ms"]}
    body = page_of(definition)
    if definition["load_ms"] >= LONG_MS:
        body = body.replace("</body>", f'<img hidden alt="" src="{HELD}/{definition["load_ms"]}"></body>')
    return {
        "status": definition["status"],
        "headers": [["Content-Type", f"{definition['mime']}; charset=utf-8"]],
        "body": body,
        "delay_ms": definition["commit_ms"],
    }


def _asked(request: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "status": request.get("status", 200),
        "headers": [["Content-Type", request.get("mime", "application/json")]],
        "body": request.get("body", ""),
        "delay_ms": request.get("duration_ms", 0),
    }


def requests(definition: Definition) -> Iterator[Mapping[str, Any]]:
    """What a page may ask for: its requests, and every `fetch` among its effects, wherever they stand."""
    yield from definition["requests"]
    for part in (definition["timers"], definition["on"], definition.body):
        yield from _fetched(part)


def _fetched(part: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(part, dict):
        if isinstance(part.get("fetch"), dict) and "url" in part["fetch"]:
            yield part["fetch"]
        for each in part.values():
            yield from _fetched(each)
    elif isinstance(part, list):
        for each in part:
            yield from _fetched(each)
