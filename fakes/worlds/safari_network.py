"""Requests that pages make, as the browser's inspector would see them. What a client is shown of them is its session's.

Ids have the form of WebKit's inspector (`0.28`), counted up over the run.
"""

from __future__ import annotations

from fakes.worlds.page_url import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fakes.worlds.page import Definition
    from fakes.worlds.safari_loading import Agenda
    from fakes.worlds.safari_windows import Document, Tab


class Network:
    """Writes into `tab.requests`, the newest last: {request_id, url, method, status, mime_type, response_size_bytes,
    duration_ms, initiator, at_ms, body}."""

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        self._count = 0

    def main(self, tab: Tab, url: str, definition: Definition) -> None:
        """The request for a document, which has just been answered."""
        redirect = definition["redirect"]
        status = definition["status"] if redirect is None or definition["status"] != 200 else 302
        body = "" if redirect is not None else f"<title>{definition['title']}</title>"
        self._add(tab, url, "GET", status, definition["mime"], body, definition["commit_ms"], "other")

    def sub(self, document: Document, request: dict[str, Any], initiator: str) -> None:
        """A request of a page. Its defaults are those of page_settings.REQUEST_KEYS."""
        url = resolve(document.url, request["url"])
        self._add(
            document.tab,
            url,
            request["method"],
            request["status"],
            request["mime"],
            request["body"],
            request["duration_ms"],
            initiator,
        )

    def _add(
        self, tab: Tab, url: str, method: str, status: int, mime: str, body: str, duration_ms: float, initiator: str
    ) -> None:
        self._count += 1
        tab.requests.append(
            {
                "request_id": f"0.{self._count}",
                "url": url,
                "method": method,
                "status": status,
                "mime_type": mime,
                "response_size_bytes": len(body.encode()),
                "duration_ms": duration_ms,
                "initiator": {"type": initiator},
                "at_ms": self._agenda.at_ms,
                "body": body,
            }
        )
