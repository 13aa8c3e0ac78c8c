"""Law 6 on small runs made by hand: each place, each form, and what it can't judge."""
from __future__ import annotations

import base64
from typing import Any

import pytest

from harness.laws.attribution import Attribution
from harness.laws.facts import Facts
from harness.laws.nothing_leaks import PLACES, judge
from harness.laws.verdict import Finding
from tests.harness.laws.runs import Script

SECRET = "hush-93-SECRET"


def judged(script: Script) -> Finding:
    facts = Facts(script.run())
    return judge(facts, Attribution(facts))


def planted(*allowed: str, **sheet: Any) -> Script:
    canaries = [{"name": "note", "value": SECRET, "allowed": list(allowed)}]
    return Script(canaries=canaries, **{"world": {"secret": SECRET}, **sheet}).start()


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


LEAKS: list[tuple[str, Script, str]] = [
    ("an answer", planted().ask(0).answer(0, content=f"it is {SECRET}"), "answered"),
    ("structured content", planted().ask(0).answer(0, structured={"a": [SECRET]}), "answered"),
    ("evidence", planted().ask(0).answer(0, evidence={"note": SECRET}), "answered"),
    ("a code", planted().ask(0).answer(0, "refused", f"no_{SECRET}"), "answered"),
    ("a question", planted().ask(0).past("questioned", call=0, question={"message": SECRET}).answer(0), "questioned"),
    ("a log", planted().past("wrote", place="log", text=f"x{SECRET}"), "wrote.log"),
    ("an error", planted().past("wrote", place="error", text=SECRET), "wrote.error"),
    ("a variable", planted().past("launched", program="codex", env={"K": SECRET}, cwd="/", folders=[]),
        "launched.codex"),
    ("the list of tools", planted().past("listed", tools=[{"name": SECRET}]), "listed"),
    ("the status", planted().past("reported", status={"note": SECRET}), "reported"),
    ("a file's name", planted().leave(files=[f"{SECRET}.png"]), "left"),
    ("an effect", planted().effect("type", value=SECRET), "effect"),
    ("argv", planted().start("osascript", 2, argv=["-e", SECRET]), "argv.osascript"),
    ("environment", planted().start("osascript", 2, env=[SECRET]), "argv.osascript"),
    ("what the stack sends", planted().sent(f'{{"a":"{SECRET}"}}\n'.encode()), "wire.codex.stdio.in"),
    ("what a program says", planted().sent(SECRET.encode(), s="out"), "wire.codex.stdio.out"),
    ("its stderr", planted().sent(SECRET.encode(), s="err"), "wire.codex.stdio.err"),
    ("bytes that are no text", planted().sent(b"\xff" + SECRET.encode()), "wire.codex.stdio.in"),
    ("cut by reads", planted().sent(SECRET[:5].encode()).sent(SECRET[5:].encode()), "wire.codex.stdio.in"),
    ("in pieces", planted().sent(f'{{"t":"{SECRET[:5]}"}}\n'.encode()).sent(f'{{"t":"{SECRET[5:]}"}}\n'.encode()),
        "wire.codex.stdio.in"),
    ("answers in pieces", planted().ask(0).answer(0, content=SECRET[:5]).ask(1).answer(1, content=SECRET[5:]),
        "answered"),
    ("in base64", planted().sent(base64_of(f"seen {SECRET}!").encode()), "wire.codex.stdio.in"),
    ("a request by HTTP", planted().event("flow", w="model", request={"method": "GET", "url": f"http://h/{SECRET}"}),
        "flow.codex.model.request"),
    ("a body", planted().event("flow", w="model", request={"method": "POST", "url": "http://h/", "b": SECRET}),
        "flow.codex.model.request"),
    ("a response", planted().event("flow", w="model", request={"method": "GET", "url": "http://h/"}, response={
        "status": 200, "b64": base64_of(SECRET)}), "flow.codex.model.response"),
    ("a remark", planted().event("note", 0, text=SECRET), "note"),
    ("an unknown process", Script(canaries=[{"value": SECRET, "allowed": []}], world={"s": SECRET}).sent(
        SECRET.encode(), 7), "wire.unknown.stdio.in"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "script", "place"), LEAKS)
def test_a_leak_is_found_and_its_place_named(name: str, script: Script, place: str) -> None:
    found = judged(script)
    assert found.verdict == "broken"
    assert f"is in {place}," in found.why
    assert SECRET not in found.why


@pytest.mark.parametrize(("name", "script", "place"), LEAKS)
def test_where_it_is_allowed_it_is_no_leak(name: str, script: Script, place: str) -> None:
    script.sheet["canaries"] = [{"value": SECRET, "allowed": ["nowhere", place]}]
    assert judged(script).verdict == "holds"


def test_every_place_has_a_leak() -> None:
    pattern = {place.partition(".")[0] for place in PLACES}
    assert {place.partition(".")[0] for _, _, place in LEAKS} == pattern


NO_LEAKS: list[tuple[str, Script, str]] = [
    ("nowhere", planted().ask(0).answer(0, content="fine").sent(b"{}\n"), "holds"),
    ("said by the scenario", planted().tell("grant", note=SECRET).ask(0).past("replied", call=0, answer={"a": SECRET})
        .answer(0), "holds"),
    ("true of the world", planted().show(what={"node": SECRET}).world_line("changed", what=SECRET, by="page"), "holds"),
    ("one of two streams", planted("wire.codex.*").sent(SECRET.encode(), s="out"), "holds"),
    ("half of it", planted().sent(SECRET[:9].encode()), "holds"),
    ("no canary", Script().ask(0).answer(0), "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "script", "verdict"), NO_LEAKS)
def test_no_leak(name: str, script: Script, verdict: str) -> None:
    assert judged(script).verdict == verdict


UNKNOWN: list[tuple[str, Script, str]] = [
    ("planted nowhere", planted(world={}), "canary note was planted nowhere"),
    ("content in short", planted().ask(0).answer(0, content="fine", bytes=99), "answer to call 0 was not kept whole"),
    ("content of another hash", planted().ask(0).answer(0, sha256="0" * 64), "answer to call 0 was not kept whole"),
    ("another structure", planted().ask(0).answer(0, structured={"a": 1}, sha256="0" * 64), "not kept whole"),
    ("a gap", planted().event("gap", 0, why="disk full"), "the journal has a gap at 1"),
]


@pytest.mark.parametrize(("name", "script", "why"), UNKNOWN)
def test_what_was_not_there_to_be_searched_is_unknown(name: str, script: Script, why: str) -> None:
    found = judged(script)
    assert (found.verdict, found.moot) == ("unknown", False)
    assert why in found.why


def test_a_leak_is_broken_whatever_is_missing() -> None:
    assert judged(planted(world={}).event("gap", 0, why="full").sent(SECRET.encode())).verdict == "broken"


def test_planted_by_the_runner_or_seen_where_it_is_allowed() -> None:
    elsewhere = planted(world={})
    elsewhere.sheet["canaries"][0]["planted"] = "environment of the caller"
    assert judged(elsewhere).verdict == "holds"
    assert judged(planted("wire.codex.stdio.out", world={}).sent(SECRET.encode(), s="out")).verdict == "holds"


def test_it_shows_the_frame_and_the_call() -> None:
    script = planted().sent(b"first\n").sent(f"x{SECRET}\n".encode()).sent(b"third\n")
    assert judged(script).frames == ((1, 2),)
    assert judged(planted().sent(SECRET[:5].encode()).sent(SECRET[5:].encode())).frames == ((1, 1),)
    assert judged(planted().ask(0).answer(0, content=SECRET)).calls == (0,)
    assert judged(planted().effect("type", value=SECRET)).world == (0,)
    unnamed = Script(canaries=[{"value": SECRET, "allowed": []}], world={"s": SECRET}).ask(0).answer(0, content=SECRET)
    assert "canary number 1 is in answered" in judged(unnamed).why


def test_frames_with_a_length_before_them_are_read() -> None:
    script = planted().sent(b"\x0f\x00\x00\x00" + f'{{"t":"{SECRET[:5]}"}}'.encode())
    script.sent(b"{broken").sent(b"\x0f\x00\x00\x00" + f'{{"t":"{SECRET[5:]}"}}'.encode())
    assert judged(script).verdict == "broken"
