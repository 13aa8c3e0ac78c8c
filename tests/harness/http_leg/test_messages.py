"""Requests and replies as they stand in flows."""
from __future__ import annotations

from typing import Any

import pytest

from harness.http_leg.messages import Request, Response, request_of, response_of
from harness.tape.schema import event_fault


@pytest.mark.parametrize("body", [b"", b"{}", b"\xff\x00", "é".encode()])
def test_they_stand_in_flows_and_come_back(body: bytes) -> None:
    request = Request("POST", "http://a/b?c=d", (("Host", "a"), ("host", "b")), body)
    response = Response(200, (("X", "y"),), body)
    flow: Any = {"n": 0, "t": 0, "p": 1, "e": "flow", "w": "http", "request": request.as_json(),
            "response": response.as_json()}  # fmt: skip
    assert event_fault(flow, 0) is None
    assert request_of(request.as_json()) == request
    assert response_of(response.as_json()) == response
    assert ("b" in request.as_json() or "b64" in request.as_json()) == bool(body)


@pytest.mark.parametrize(
    ("url", "target"),
    [("http://a/b?c=d", "/b?c=d"), ("https://a:1", "/"), ("http://a/", "/"), ("http://[::1]:1/x", "/x"), ("/x", "/")],
)
def test_of_an_address_path_and_query_count(url: str, target: str) -> None:
    assert Request("GET", url).target == target


def test_headers_are_found_in_any_case() -> None:
    request = Request("GET", "http://a/", (("Content-Type", "a"), ("content-type", "b")))
    assert request.header("content-type") == "a"
    assert request.header("x") is None
