"""Scripts on the model: fixed texts, programs by hash, and a plain error for all else."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from fakes.worlds.page_programs import ScriptError, evaluate, parts, stateful
from fakes.worlds.page_safari_mcp import ANSWERS
from harness.wire.jsontext import dumps, loads
from tests.fakes.worlds.surf import HOME, surf

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = {
    path.stem: path.read_text(encoding="utf-8").strip() for path in (ROOT / "stack/safari_mcp/programs").glob("*.js")
}


def test_the_manifest_has_the_programs_of_the_stack_and_no_other() -> None:
    manifest: Any = loads((ROOT / "fakes/worlds/programs.json").read_text(encoding="ascii"))
    ours = {digest: name for digest, name in manifest.items() if name.startswith("safari_mcp_")}
    assert ours == {hashlib.sha256(text.encode()).hexdigest(): f"safari_mcp_{name}" for name, text in PROGRAMS.items()}
    assert set(ours.values()) == set(ANSWERS)


@pytest.mark.parametrize(("script", "expected"), [
    ("return (P)(1)", ("P", "1")),
    (" return (P)({\"a\":\")(\"});", ("P", "{\"a\":\")(\"}")),
    ("return P(1)", ("", "")),
    ("(P)(1)", ("", "")),
    ("return (P)(1", ("", "")),
    ("return (P)", ("", "")),
])  # fmt: skip
def test_parts(script: str, expected: tuple[str, str]) -> None:
    assert parts(script) == expected


@pytest.mark.parametrize(("script", "expected"), [
    ("return (P\n)({})", "(P\n)({})"),
    (" return (P\n)({}); ", "(P\n)({})"),
    ("return (P)({})", None),
    ("(P\n)({})", None),
    ("return P\n)({})", None),
])  # fmt: skip
def test_a_program_with_a_state_ends_in_a_line_of_its_own(script: str, expected: str | None) -> None:
    assert stateful(script) == expected


def test_fixed_texts() -> None:
    made, tab = surf("hello")
    for script, value in (
        ("1+1", None),
        ("return document.title", "Home"),
        ("return document.readyState;", "complete"),
        (" return location.href ", HOME),
        ("return document.body.innerText", "hello"),
    ):
        assert evaluate(made.world, tab.document, script) == value
        assert made.world.evaluate(tab.document, script) == value


@pytest.mark.parametrize("script", ["alert(1)", "return (function () { return 1 })({})", "", "return 1"])
def test_what_it_does_not_know_has_no_value(script: str) -> None:
    made, tab = surf("hello")
    with pytest.raises(ScriptError) as raised:
        evaluate(made.world, tab.document, script)
    assert "knows no page program" in raised.value.text


def test_what_a_known_program_is_given_must_be_json() -> None:
    made, tab = surf("hello")
    with pytest.raises(ScriptError, match="SyntaxError"):
        evaluate(made.world, tab.document, f"return ({PROGRAMS['ready']})(nothing)")
    call = dumps({"selector": "a:hover", "scan": 1})
    with pytest.raises(ScriptError, match="does not know :hover"):
        evaluate(made.world, tab.document, f"return ({PROGRAMS['link']})({call})")
