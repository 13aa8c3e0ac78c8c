"""Drift of the form of messages: what is gone, what changed, what is new, and what is none."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.live.drift import Drift, Form, committed, drift
from tests.tidy.tree import ROOT

TAPE = "scenarios/tapes/codex/{}/s01_happy.jsonl"


def form(*messages: Any) -> Form:
    made = Form()
    for message in messages:
        made.note(message)
    return made


def differences(before: list[Any], now: list[Any]) -> list[tuple[str, str, str, str]]:
    key = ("reply", "initialize")
    return [(each.kind, each.pointer, each.was, each.now) for each in drift({key: form(*before)}, {key: form(*now)})]


CASES: list[tuple[str, list[Any], list[Any], list[tuple[str, str, str, str]]]] = [
    ("the same", [{"a": 1}], [{"a": 2.5}], []),
    ("the id is the exchange's own", [{"id": 1, "a": 1}], [{"id": "x", "a": 1}], []),
    ("an inner id is not", [{"a": {"id": 1}}], [{"a": {"id": "x"}}], [("changed", "/a/id", "number", "text")]),
    ("gone", [{"a": 1, "b": "x"}], [{"a": 1}], [("removed", "/b", "text", "")]),
    ("gone with all in it", [{"a": {"b": {"c": 1}}}], [{}], [("removed", "/a", "object", "")]),
    ("was not always there", [{"a": 1}, {}], [{}], []),
    ("is not always there now", [{"a": 1}], [{"a": 1}, {}], []),
    ("added", [{}], [{"a": {"b": 1}}], [("added", "/a", "", "object")]),
    ("another type", [{"a": 1}], [{"a": None}], [("changed", "/a", "number", "null")]),
    ("one of the known types", [{"a": 1}, {"a": None}], [{"a": None}], []),
    ("true is no number", [{"a": 1}], [{"a": True}], [("changed", "/a", "number", "true or false")]),
    ("an empty list", [{"a": [{"b": 1}]}], [{"a": []}], []),
    ("a list that was empty", [{"a": []}], [{"a": [{"b": 1}]}], []),
    ("in two shapes of one list", [{"a": [1, "x"]}, {"a": []}], [{"a": []}], []),
    ("a schema by its values", [{"tools": {"t": {"inputSchema": {"type": "object"}}}}],
     [{"tools": {"t": {"inputSchema": {"type": "array"}}}}],
     [("changed", "/tools/t/inputSchema/type", '"object"', '"array"')]),
    ("prose in a schema", [{"t": {"inputSchema": {"type": "x", "description": "a"}}}],
     [{"t": {"inputSchema": {"type": "x", "description": "b"}}}], []),
    ("a tool is gone", [{"tools": {"a": {"x": 1}, "b": {"x": 1}}}], [{"tools": {"a": {"x": 1}}}],
     [("removed", "/tools/b", "object", "")]),
    ("a slash in a name", [{}], [{"a/b~": 1}], [("added", "/a~1b~0", "", "number")]),
]  # fmt: skip


@pytest.mark.claim("HAR-LIVE-01")
@pytest.mark.parametrize(("before", "now", "found"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_messages(before: list[Any], now: list[Any], found: list[tuple[str, str, str, str]]) -> None:
    assert differences(before, now) == found


def test_a_message_that_no_tape_has_is_new_and_one_that_was_not_seen_is_nothing() -> None:
    [found] = drift({("reply", "a"): form({})}, {("notice", "b"): form({})})
    assert (found.message, found.kind, found.breaks) == ("notice b", "new", False)


def test_only_what_a_client_may_notice_breaks() -> None:
    kinds = {kind: Drift("reply a", kind, "/x", "text", "number") for kind in ("removed", "changed", "added", "new")}
    assert {kind: each.breaks for kind, each in kinds.items()} == {
        "removed": True, "changed": True, "added": False, "new": False,
    }  # fmt: skip
    assert kinds["removed"].words == "reply a /x: text is gone"
    assert kinds["changed"].words == "reply a /x: text became number"
    assert kinds["added"].words == "reply a /x: new: number"
    assert kinds["added"].as_json()["pointer"] == "/x"


def test_two_real_versions_of_codex_differ_and_each_equals_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    old, new = (committed([TAPE.format(version)], "codex") for version in ("0.144.2", "0.171.0"))
    assert drift(old, old) == drift(new, new) == []
    upgrade, downgrade = drift(old, new), drift(new, old)
    assert "/emittedAtMs" in {each.pointer for each in upgrade if each.kind == "added"}
    assert "/emittedAtMs" in {each.pointer for each in downgrade if each.kind == "removed"}


def test_tapes_of_one_version_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    path = TAPE.format("0.171.0")
    once, twice = committed([path], "codex"), committed([path, path], "codex")
    assert twice["reply", "initialize"].count == 2 * once["reply", "initialize"].count
    assert drift(once, twice) == []
    assert committed([path], "helper") == {}
    assert Path(path).is_file()
