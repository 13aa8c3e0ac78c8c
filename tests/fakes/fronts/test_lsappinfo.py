"""lsappinfo's front, info and listen, in both forms of macOS. CUA-FOC-01 needs both."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from tests.fakes.drive import Run, run

CHESS, TEXT = "com.apple.Chess", "com.apple.TextEdit"
LISTEN = ("listen", "+becameFrontmost", "forever")


def output(*line: str, world: dict[str, Any] | None = None) -> tuple[int, str, str]:
    found: list[tuple[int, str, str]] = []

    async def body(made: Run) -> None:
        found.append(await made.output("lsappinfo", *line))

    run(body, world=world)
    return found[0]


def test_the_front_app_is_named_by_its_number() -> None:
    assert output("front") == (0, "ASN:0x0-0x1f51f5:\n", "")
    assert output("front", world={"apps": []}) == (0, "[ NULL ]\n", "")


INFO = (
    (26, "bundleID", "ASN:0x0-0x1f51f5:", f'"CFBundleIdentifier"="{CHESS}"\n'),
    (26, "name", "ASN:0x0-0x1f51f5:", '"LSDisplayName"="Chess"\n'),
    (27, "bundleID", "ASN:0x0-0x1f51f5:", f'[ NULL ]  ASN:0x0-0x1f51f5: (in front) \n\tbundleID="{CHESS}"\n'),
    (27, "bundleID", "ASN:0x0-0x1f61f6:", f'[ NULL ]  ASN:0x0-0x1f61f6: \n\tbundleID="{TEXT}"\n'),
    (27, "name", "ASN:0x0-0x1f51f5:", '[ NULL ]  ASN:0x0-0x1f51f5: (in front) \n\tname="Chess"\n'),
    (26, "bundleID", "ASN:0x0-0x1:", ""),
    (26, "colour", "ASN:0x0-0x1f51f5:", ""),
)


@pytest.mark.parametrize(("macos", "key", "asn", "text"), INFO)
def test_info_is_written_as_the_version_has_it(macos: int, key: str, asn: str, text: str) -> None:
    assert output("info", "-only", key, asn, world={"macos": macos}) == (0, text, "")


@pytest.mark.parametrize(
    "line", [(), ("list",), ("info",), ("info", "x", "bundleID", "y"), ("listen", "+quit", "forever")]
)
def test_other_words_are_a_usage_error(line: tuple[str, ...]) -> None:
    status, out, errors = output(*line)
    assert (status, out) == (1, "")
    assert errors.startswith("lsappinfo: usage")


def test_every_change_of_the_front_app_is_one_line_from_the_time_of_listening() -> None:
    async def body(made: Run) -> None:
        made.world.change("before", front=TEXT)
        peer = await made.start("lsappinfo", *LISTEN)
        await trio.sleep(0.01)
        for key in (CHESS, CHESS, TEXT):
            made.world.change("a person", front=key)
        lines = [(await peer.line()).decode() for _ in range(2)]
        assert '"LSOtherASN"=ASN:0x0-0x1f61f6:, ' in lines[0], "the app that was in front stands on the line too"
        assert 'affectedASN="Chess" ASN:0x0-0x1f51f5:  ' in lines[0]
        assert f'"CFBundleIdentifier"="{TEXT}" }}' in lines[1]
        assert peer.process.stdin is not None
        await peer.process.stdin.aclose()
        await trio.sleep(1)
        assert peer.process.returncode is None, "the end of stdin means nothing to it"
        peer.process.terminate()
        assert await peer.process.wait() == -15

    run(body)


def test_the_first_app_that_comes_to_the_front_took_it_from_nobody() -> None:
    async def body(made: Run) -> None:
        peer = await made.start("lsappinfo", *LISTEN)
        await trio.sleep(0.01)
        made.world.front = None
        made.world.change("x", front=CHESS)
        assert b"LSOtherASN" not in await peer.line()

    run(body)


def test_it_may_be_deaf() -> None:
    async def body(made: Run) -> None:
        peer = await made.start("lsappinfo", *LISTEN)
        await trio.sleep(0.01)
        made.world.change("x", front=TEXT)
        with trio.move_on_after(100) as waited:
            await peer.line()
        assert waited.cancelled_caught

    run(body, programs={"lsappinfo": {"deaf": True}})
