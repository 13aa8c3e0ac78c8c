"""Law 1 on small runs made by hand."""
from __future__ import annotations

import pytest

from harness.laws.at_most_once import judge
from harness.laws.attribution import Attribution
from harness.laws.facts import Facts
from harness.laws.verdict import Finding
from tests.harness.laws.runs import OTHER, Script, click


def judged(script: Script) -> Finding:
    facts = Facts(script.run())
    return judge(facts, Attribution(facts))


CASES: list[tuple[str, Script, str]] = [
    ("once", click(), "holds"),
    ("asked twice", click(click(), 1), "holds"),
    ("after the caller gave up", Script().show().ask(0, "click").answer(0, "unknown").effect(), "holds"),
    ("twice", click(effects=2), "broken"),
    ("twice, though asked again later", Script().show().ask(0, "click").effect().effect().ask(1, "click"), "broken"),
    ("twice, the second after the answer", click().effect(), "broken"),
    ("twice by two refs of one thing", Script().show("4").show("5").ask(0, "click", "4").ask(1, "click", "5").effect()
        .effect().effect(), "broken"),
    ("resent after a reply was lost", Script().show().ask(0, "click").effect().strike("drop", way="<<").effect(),
        "broken"),
    ("a request was delayed, and sent again", Script().show().ask(0, "click").strike("delay", way=">>").effect()
        .effect(), "broken"),
    ("delivered twice by a fault", Script().show().ask(0, "click").strike("duplicate", way=">>").effect().effect(),
        "unknown"),
    ("that fault came before the call", Script().strike("duplicate", way=">>").show().ask(0, "click").effect()
        .effect(), "broken"),
    ("the other way", Script().show().ask(0, "click").strike("duplicate", way="<<").effect().effect(), "broken"),
    ("no effect", click(effects=0), "unknown"),
    ("one on another target", Script().show().ask(0, "click").effect(target=OTHER), "unknown"),
    ("nothing at all", Script(), "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "script", "verdict"), CASES)
def test_cases(name: str, script: Script, verdict: str) -> None:
    assert judged(script).verdict == verdict


def test_it_shows_what_it_saw() -> None:
    script = Script().start().show().ask(0, "click").sent(b"1\n").effect().sent(b"2\n").effect().answer(0)
    found = judged(script)
    assert (found.calls, found.world, found.frames) == ((0,), (1, 2), ((1, 1), (1, 2)))
    assert found.why == "2 effects of click for 1 asked"


def test_nothing_to_judge_says_so() -> None:
    assert judged(Script()).moot
    assert not judged(Script().show().ask(0, "click").strike("duplicate", way=">>").effect().effect()).moot
