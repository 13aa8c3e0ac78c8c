"""How servers find hosts: what is published is found, and what is otherwise is nobody's."""

from __future__ import annotations

import json

import anyio
import pytest

from stack.chrome.endpoint import Notice, endpoints, make_endpoint, notices, post, publish, sweep, unpost, withdraw
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


def test_who_looks_whether_a_host_lives_hangs_up_at_once() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        await sweep(rig.host())
        await anyio.sleep(1)
        assert b"a server was refused" in started.said

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


def test_a_notice_is_its_browsers_while_that_runs() -> None:
    async def body(rig: Rig) -> None:
        host = rig.host()
        host.tree = lambda pid: (pid,) if pid == 7 else ()
        post(host, Notice(7, "first"))
        post(host, Notice(7, "second"))
        post(host, Notice(8, "of a browser that has ended"))
        rig.meeting["chrome-refused-9.json"] = b'{"browser": "7", "message": "of another form"}'
        rig.meeting["chrome-refused-7.txt"] = rig.meeting["other-7.json"] = b"nobody's"
        assert notices(host) == [Notice(7, "second")]
        assert endpoints(host) == []
        assert sorted(rig.meeting) == ["chrome-refused-7.json", "chrome-refused-7.txt", "other-7.json"]
        unpost(host, 8)
        unpost(host, 7)
        assert notices(host) == []

    play(body)
