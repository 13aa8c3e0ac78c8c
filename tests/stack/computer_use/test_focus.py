"""lsappinfo's words, and the finding from what was seen."""

from __future__ import annotations

import anyio
import pytest

from stack.computer_use.focus import FocusWatch, Front, judge, read_bundle, read_event, read_front, same
from stack.computer_use.settings import LINUX, Settings
from stack.contract import Program
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.scripted_programs import LsAppInfo, event_line
from tests.stack.scripted_server import DONE, AppServer
from tests.stack.staging import play, staged

A, B = b"ASN:0x0-0x39039:", b"ASN:0x0-0xa40a4:"
FINDER, EDIT, NAMELESS = Front(A, b"com.apple.finder"), Front(B, b"com.apple.textedit"), Front(B, None)
OBSERVED = (
    b"Notification: kLSNotifyBecameFrontmost time=12/01/25 dataRef={ "
    b'"LSOtherASN"=ASN:0x0-0x11011:, "LSMenuBarOwnerASN"=ASN:0x0-0xa40a4:, "LSASN"=ASN:0x0-0xa40a4:, '
    b'"LSFrontApplicationSeed"=495, "CFBundleIdentifier"="com.apple.TextEdit" } affectedASN="TextEdit" '
    b"ASN:0x0-0xa40a4:  context=0x0 sessionID=100016 notificationID=0xd0"
)


@pytest.mark.claim("CUA-FOC-01")
def test_the_application_that_came_to_the_front_is_the_lines_own() -> None:
    assert read_event(OBSERVED) == EDIT
    assert read_event(event_line(B.decode(), None, A.decode()).strip()) == NAMELESS


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"rubbish",
        OBSERVED.replace(b"kLSNotifyBecameFrontmost", b"kLSNotifyOther"),
        OBSERVED.replace(b'"LSASN"=ASN', b'"LSASN"=NULL'),
        OBSERVED.replace(b'"LSASN"', b'"LSASX"'),
        OBSERVED + b' "LSASN"=ASN:0x0-0x1:',
        OBSERVED[:120],
        OBSERVED[:10] + OBSERVED,  # one line cut short, and the next run into it
        OBSERVED[:60] + OBSERVED,
        OBSERVED[:120] + OBSERVED,
    ],
)
def test_a_line_that_can_not_be_understood_is_no_event(line: bytes) -> None:
    assert read_event(line) is None


@pytest.mark.parametrize(
    ("output", "asn"),
    [(b"ASN:0x0-0x39039:\n", A), (b"  ASN:0x0-0x39039: ", A), (b"[ NULL ]\n", None), (b"", None), (A + A, None)],
)
def test_what_front_prints(output: bytes, asn: bytes | None) -> None:
    assert read_front(output) == asn


@pytest.mark.claim("CUA-FOC-01")
@pytest.mark.parametrize(
    ("output", "bundle"),
    [
        (b'"CFBundleIdentifier"="com.apple.Chess"\n', b"com.apple.chess"),
        (b'[ NULL ]  ASN:0x0-0x39039: (in front) \n\tbundleID="com.apple.Chess"\n', b"com.apple.chess"),
        (b'[ NULL ]  ASN:0x0-0x39039: \n\tbundleID="com.apple.Chess"', b"com.apple.chess"),
        (b"[ NULL ]  ASN:0x0-0x39039: (in front) \n\tbundleID=[ NULL ]\n", None),
        (b'"CFBundleIdentifier"=[ NULL ]\n', None),
        (b'x "CFBundleIdentifier"="com.apple.Chess"\n', None),
        (b"", None),
    ],
)
def test_what_info_prints_on_macos_26_and_27(output: bytes, bundle: bytes | None) -> None:
    assert read_bundle(output) == bundle


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        (FINDER, FINDER, True),
        (FINDER, EDIT, False),
        (FINDER, Front(B, b"com.apple.finder"), True),
        (FINDER, Front(A, None), True),
        (FINDER, NAMELESS, None),
        (Front(A, None), EDIT, None),
    ],
)
def test_whether_two_are_one(one: Front, other: Front, verdict: bool | None) -> None:
    assert same(one, other) is verdict


@pytest.mark.claim("CUA-FOC-01", "CUA-FOC-02")
@pytest.mark.parametrize(
    ("before", "events", "after", "whole", "finding"),
    [
        (FINDER, [], FINDER, True, True),
        (FINDER, [FINDER], FINDER, True, True),
        (FINDER, [EDIT, FINDER], FINDER, True, False),
        (FINDER, [], EDIT, True, False),
        (FINDER, [], EDIT, False, False),
        (FINDER, [], FINDER, False, None),
        (FINDER, [None], FINDER, True, None),
        (FINDER, [None, EDIT], FINDER, True, False),
        (FINDER, [NAMELESS], FINDER, True, None),
        (FINDER, [], None, True, None),
        (None, [EDIT], EDIT, True, None),
    ],
)
def test_the_finding(
    before: Front | None, events: list[Front | None], after: Front | None, whole: bool, finding: bool | None
) -> None:
    assert judge(before, events, after, whole=whole) is finding


@pytest.mark.claim("CUA-FOC-02")
def test_the_listener_has_time_to_come_up_and_its_end_is_verified() -> None:
    async def main() -> None:
        async with staged(fronts=LsAppInfo()) as (host, _), anyio.create_task_group() as tasks:
            watch = FocusWatch(host, Settings(platform=LINUX))
            tasks.start_soon(watch.run)
            await watch.up.wait()
            began = anyio.current_time()
            await watch.before()
            assert anyio.current_time() - began >= 0.1
            assert await watch.after() is True
            assert len(host.of(Program.LSAPPINFO, "info")) == 1  # the same application is asked for once
            assert await watch.end() == []
            assert await watch.end() == []
            assert host.running() == []

    play(main)


@pytest.mark.claim("CUA-FOC-02")
def test_a_finding_that_takes_too_long_is_none() -> None:
    fronts = LsAppInfo(events=[(1000, b"".join(event_line(f"ASN:0x0-0x{n}:", None) for n in range(9)))])
    fronts.bundles = {f"ASN:0x0-0x{n}:": "hang" for n in range(9)}

    async def main() -> None:
        async with staged(AppServer({"mcpServer/tool/call": [2000.0, DONE]}), fronts=fronts) as (_, stack):
            began = anyio.current_time()
            answer = await stack.call("click", {"app": "Chess"}, ScriptedCaller())
            assert (answer.outcome, answer.evidence["backgroundPreserved"]) == ("done", None)
            assert anyio.current_time() - began < 2 + 0.3 + 6.5

    play(main)


@pytest.mark.claim("CUA-FOC-02")
def test_a_listener_that_started_late_finds_nothing_whole() -> None:
    async def main() -> None:
        async with staged(fronts=LsAppInfo()) as (host, _), anyio.create_task_group() as tasks:
            watch = FocusWatch(host, Settings(platform=LINUX))
            await watch.before()
            tasks.start_soon(watch.run)
            await watch.up.wait()
            assert await watch.after() is None
            await watch.end()

    play(main)
