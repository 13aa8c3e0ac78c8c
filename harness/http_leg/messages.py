"""Requests and replies of an HTTP leg, and their form in the `flow` events of a tape.

Separate from recorder and player, which must agree on it.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.tape.event import get_bytes, put_bytes

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """url: the whole address, as the upstream saw it. headers: in the order of the wire."""

    method: str
    url: str
    headers: Headers = ()
    body: bytes = b""

    @property
    def target(self) -> str:
        """Path and query: what of the address a replay compares."""
        rest = self.url.partition("://")[2]
        return f"/{rest.partition('/')[2]}"

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name), None)

    def as_json(self) -> dict[str, Any]:
        """The `request` of a flow."""
        return {"method": self.method, "url": self.url, **_rest(self.headers, self.body)}


@dataclass(frozen=True, slots=True)
class Response:
    """body: without any content coding."""

    status: int
    headers: Headers = ()
    body: bytes = b""

    def as_json(self) -> dict[str, Any]:
        """The `response` of a flow."""
        return {"status": self.status, **_rest(self.headers, self.body)}


def _rest(headers: Headers, body: bytes) -> dict[str, Any]:
    return {"headers": [list(pair) for pair in headers], **(put_bytes(body) if body else {})}


def request_of(fields: Mapping[str, Any]) -> Request:
    """The `request` of a flow of a checked tape."""
    return Request(fields["method"], fields["url"], headers_of(fields), body_of(fields))


def response_of(fields: Mapping[str, Any]) -> Response:
    """The `response` of a flow of a checked tape."""
    return Response(fields["status"], headers_of(fields), body_of(fields))


def headers_of(fields: Mapping[str, Any]) -> Headers:
    return tuple((pair[0], pair[1]) for pair in fields.get("headers", ()))


def body_of(fields: Mapping[str, Any]) -> bytes:
    return get_bytes(fields) if "b" in fields or "b64" in fields else b""
