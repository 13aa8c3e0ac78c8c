"""A real process of somebody else's is judged by the same laws: a good one keeps all, and each flaw breaks its law."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.campaign.tries import first_words
from harness.strangers.adapter import LISTS, Adapter
from harness.strangers.problem import StrangerError
from harness.strangers.stack import Stranger
from tests.harness.strangers.rig import adapter_of, flawed, judged, scenario_of, words

GOOD = {1: "holds", 2: "holds", 3: "holds", 6: "holds", 7: "holds", 8: "holds"}


@pytest.mark.claim("HAR-BYO-01")
def test_a_good_stranger_keeps_every_law(tmp_path: Path) -> None:
    found = flawed(tmp_path, "none")
    assert (words(found), found.word) == (GOOD, "holds")
    assert found.run.sheet["stack"]["name"] == "tests-own"
    assert {origin.back for origin in found.run.provenance.origins.values()} == {"model"}


FLAWS = {
    "does it twice": 1,
    "goes elsewhere": 2,
    "says so and does nothing": 3,
    "denies it": 3,
    "hangs": 4,
    "tells all": 6,
    "leaves a process": 7,
    "refuses everything": 8,
}


@pytest.mark.claim("HAR-BYO-01", tooth="a stranger with a flaw")
@pytest.mark.parametrize("flaw", FLAWS)
def test_a_stranger_with_a_flaw_breaks_the_law_of_it(flaw: str, tmp_path: Path) -> None:
    found = flawed(tmp_path, flaw)
    assert words(found).get(FLAWS[flaw]) == "broken", found.laws


def test_a_line_that_is_no_message_is_read_over(tmp_path: Path) -> None:
    assert words(flawed(tmp_path, "talks")) == GOOD


def test_what_is_no_server_shows_nothing(tmp_path: Path) -> None:
    with pytest.raises(ExceptionGroup) as raised:
        flawed(tmp_path, "no server")
    assert re.search("Problem: .*this is no server.*correct `command`", first_words(raised.value))


def test_tools_and_status_are_the_strangers_own(tmp_path: Path) -> None:
    adapter = adapter_of(tmp_path)
    steps = [{"look": "tools"}, {"look": "status"}]
    found = judged(scenario_of(tmp_path, adapter, steps=steps, goal=None, then=[ANY]))
    listed, reported = (line for line in found.run.history if line["e"] in ("listed", "reported"))
    assert [tool["name"] for tool in listed["tools"]] == ["go", "titles"]
    assert reported["status"]["server"]["name"] == "server of the tests"


ANY = {"says": "it ends", "count": {"history": {"e": "left"}}, "is": 1}


@pytest.mark.parametrize("event", [{"tell": "task_end"}])
def test_nothing_is_told_to_a_stranger(event: dict[str, str], tmp_path: Path) -> None:
    found = judged(scenario_of(tmp_path, adapter_of(tmp_path), steps=[event], goal=None, then=[ANY]))
    assert [line["event"] for line in found.run.history if line["e"] == "unheeded"] == ["task_end"]


CODEX_SERVER = Path(__file__).with_name("codex_server.py")


def test_a_stranger_that_starts_codex_finds_it_by_a_variable(tmp_path: Path) -> None:
    adapter = adapter_of(
        tmp_path, subject="codex", finds={"codex": {"env": "CODEX"}}, command=[sys.executable, str(CODEX_SERVER)],
        tools={"ask": {"tool": "ask"}},
    )  # fmt: skip
    keys: dict[str, Any] = {"subject": "codex", "about": ["codex"], "world": {}, "canaries": None, "goal": None}
    found = judged(scenario_of(tmp_path, adapter, **keys, steps=[{"call": "ask", "expect": "done"}], then=[ANY]))
    assert found.word == "holds"
    (answer,) = (line for line in found.run.history if line["e"] == "answered")
    assert "0.171.0" in answer["content"][0]["text"]


def stranger(**keys: Any) -> Stranger:
    adapter = Adapter.from_json({**adapter_of_keys(), **keys})
    return Stranger(None, adapter, {})  # type: ignore[arg-type]


def adapter_of_keys() -> dict[str, Any]:
    plain = dict.fromkeys(("file", "stack", "version", "origin", "subject"), "x")
    lists = dict.fromkeys(LISTS, ())
    return {**plain, **lists, "finds": {}, "env": {}, "files": {}, "call_ms": 1, "tools": {}}


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"result": {"content": [{"type": "text", "text": text}], **more}}


ANSWERS = [
    (said("it is so"), True, ("done", None)),
    (said("it is so", structuredContent={"a": 1}), False, ("done", None)),
    (said("it failed", isError=True), True, ("refused", "tool_error")),
    (said("it timed out", isError=True), True, ("unknown", "tool_error")),
    (said("it timed out", isError=True), False, ("refused", "tool_error")),
    (said("FAILED: no"), True, ("refused", "tool_error")),
    ({"error": {"code": -32602, "message": "no such tool"}}, True, ("refused", "protocol_error")),
    ({"error": {"code": -32001, "message": "it timed out"}}, True, ("unknown", "protocol_error")),
]


@pytest.mark.parametrize(("answer", "changing", "expected"), ANSWERS)
def test_what_an_answer_says_of_the_world(
    answer: dict[str, Any], changing: bool, expected: tuple[str, str | None]
) -> None:
    reply = stranger(unsure=["timed out"], failed=["FAILED"]).reply(answer, changing=changing)
    assert (reply.outcome, reply.code) == expected


@pytest.mark.parametrize("answer", [{}, {"result": {}}, {"result": {"content": "text"}}])
def test_what_is_no_answer_of_mcp_is_none(answer: dict[str, Any]) -> None:
    with pytest.raises(StrangerError):
        stranger().reply(answer, changing=True)
