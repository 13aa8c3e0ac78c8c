"""Names of sessions, and whether a server of a name lives."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from anyio.abc import ByteStream

from stack.errors import CallError
from stack.session import place
from stack.session.place import State
from tests.stack.session.holding import host_in, run


@pytest.mark.parametrize("name", ["", "a/b", "..", "-a", "a b", "x" * 33, "é"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(CallError):
        place.check_name(name)


@pytest.mark.claim("JXA-SES-06", tooth="a socket and a file that a dead server has left")
def test_a_name_is_live_dead_or_nobodys(tmp_path: Path) -> None:
    host = host_in(tmp_path)

    async def main() -> list[State]:
        states = [(await place.reach(host, "a"))[0]]
        listener = await host.listen(place.address(host, "a"))
        state, stream = await place.reach(host, "a")
        assert stream is not None
        await stream.aclose()
        await listener.aclose()
        host.publish(place.file_of("a"), b"{}")
        states += [state, (await place.reach(host, "a"))[0]]
        place.clear(host, "a")
        return [*states, (await place.reach(host, "a"))[0]]

    assert run(main) == [State.NONE, State.LIVE, State.DEAD, State.NONE]


def test_a_server_of_another_user_is_none_of_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = host_in(tmp_path)
    dial = host.dial
    reached: list[ByteStream] = []

    async def kept(address: str) -> ByteStream:
        reached.append(await dial(address))
        return reached[-1]

    monkeypatch.setattr(host, "dial", kept)
    monkeypatch.setattr(host, "is_mine", lambda stream: False)

    async def main() -> None:
        listener = await host.listen(place.address(host, "a"))
        async with listener:
            with pytest.raises(PermissionError, match="another user's"):
                await place.reach(host, "a")
            async with reached[0]:
                with pytest.raises(anyio.ClosedResourceError):
                    await reached[0].send(b"x")

    run(main)
