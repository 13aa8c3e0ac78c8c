"""Requests as the inspector sees them."""

from __future__ import annotations

from tests.fakes.worlds.surf import HOME, surf


def test_documents_parts_and_redirects() -> None:
    made, tab = surf(
        requests=[{"url": "/api", "method": "POST", "body": "é", "status": 201}],
        world={"pages": {HOME + "r": {"redirect": "/two"}}},
    )
    main, sub = tab.requests
    assert (main["request_id"], main["url"], main["status"], main["initiator"], main["at_ms"]) == (
        "0.1",
        HOME,
        200,
        {"type": "other"},
        5,
    )
    assert (sub["request_id"], sub["url"], sub["status"], sub["response_size_bytes"]) == ("0.2", HOME + "api", 201, 2)
    assert sub["initiator"] == {"type": "parser"}
    made.world.navigate(1, tab, HOME + "r")
    made.later(100)
    assert [(each["url"], each["status"]) for each in tab.requests[2:]] == [(HOME + "r", 302), (HOME + "two", 200)]


def test_a_host_that_there_is_not_gets_no_request() -> None:
    made, tab = surf()
    made.world.navigate(1, tab, "http://nowhere.test/")
    made.later(100)
    assert len(tab.requests) == 1
