"""How servers find hosts: what is published is found, and what is otherwise is nobody's."""

from __future__ import annotations

import json

import pytest

from stack.chrome.endpoint import endpoints, make_endpoint, publish, sweep, withdraw
from tests.stack.chrome.rig import Rig, play


def test_an_endpoint_is_found_until_it_is_withdrawn() -> None:
    async def body(rig: Rig) -> None:
        host = rig.host(parent=42)
        endpoint = make_endpoint(host, "chrome-extension://x/", "0.1.0")
        assert (endpoint.browser, len(endpoint.token)) == (42, 64)
        assert endpoints(host) == []
        publish(host, endpoint)
        assert endpoints(rig.host()) == [endpoint]
        await sweep(host)
        assert endpoints(host) == []
        publish(host, endpoint)
        withdraw(host, endpoint)
        assert rig.meeting == {}

    play(body)


@pytest.mark.parametrize(
    "change",
    [{"socket": "/tmp/other.sock"}, {"browser": "42"}, {"browser": True}, {"token": None}, {"id": "../x"}, {"more": 1}],
)
def test_a_file_of_another_form_is_nobodys(change: dict[str, object]) -> None:
    async def body(rig: Rig) -> None:
        host = rig.host()
        endpoint = make_endpoint(host, "o", "v")
        publish(host, endpoint)
        name = f"chrome-{endpoint.id}.json"
        fields = json.loads(rig.meeting[name])
        rig.meeting[name] = json.dumps({**fields, **change}).encode()
        rig.meeting["chrome-x.json"] = b"{"
        rig.meeting["chrome-y.json"] = b"[]"
        rig.meeting["other.json"] = b"{}"
        rig.meeting["chrome-z.json"] = json.dumps(fields).encode()
        assert endpoints(host) == []

    play(body)
