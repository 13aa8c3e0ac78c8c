"""Law 2 on small runs made by hand."""
from __future__ import annotations

import pytest

from harness.laws.attribution import Attribution
from harness.laws.facts import Facts
from harness.laws.right_target import judge
from harness.laws.verdict import Finding
from tests.harness.laws.runs import BUTTON, OTHER, Script, click


def judged(script: Script) -> Finding:
    facts = Facts(script.run())
    return judge(facts, Attribution(facts))


CASES: list[tuple[str, Script, str, str]] = [
    ("what was shown", click(), "holds", ""),
    ("shown anew before the call", Script().show(what=OTHER).show(what=BUTTON).ask(0, "click").effect(), "holds", ""),
    ("shown anew after the call", Script().show().ask(0, "click").show(what=OTHER).effect(), "holds", ""),
    ("another node", Script().show().ask(0, "click").effect(target=OTHER), "broken", "call 0 named 4, which was"),
    ("what it was before", Script().show().show(what=OTHER).ask(0, "click").effect(target=BUTTON), "broken", "named 4"),
    ("the same node of another window", Script().show().ask(0, "click").effect(target={**BUTTON, "window": "b"}),
        "broken", "which was"),
    ("a target with less said of it", Script().show().ask(0, "click").effect(target={"node": "e2"}), "broken", ""),
    ("the right one, and another", click().effect(target=OTHER), "broken", "call 0"),
    ("shown by its own look", Script().ask(0, "click", looks=True).show().effect().answer(0), "holds", ""),
    ("not what its first look showed", Script().ask(0, "click", looks=True).show().show(what=OTHER)
        .effect(target=OTHER).answer(0), "broken", "call 0 named 4, which was"),
    ("a look of its own after it was done", Script().ask(0, "click", looks=True).effect().show().answer(0), "broken",
        "named 4"),
    ("never shown", Script().ask(0, "click", "9").effect(), "broken", "9, which had not been shown"),
    ("another value", Script().show().ask(0, "set", value="a").effect("set", value="b"), "broken", "another value"),
    ("asked by nobody", Script().show().effect(), "broken", "which no call had asked for"),
    ("a read-only call", Script().show().ask(0).effect(), "broken", "which no call had asked for"),
    ("changed on the way by a fault", Script().show().ask(0, "set", value="a").strike("corrupt", way=">>")
        .effect("set", value="b"), "unknown", "corrupt"),
    ("asked by nobody, after a fault", Script().strike("corrupt", way=">>").effect(), "unknown", "corrupt"),
    ("a fault before it was asked", Script().show().strike("corrupt", way=">>").ask(0, "click").effect(target=OTHER),
        "broken", ""),
    ("no ref", Script().ask(0, "open", None).effect("open"), "unknown", "nothing to judge"),
    ("no effect", click(effects=0), "unknown", "nothing to judge"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "script", "verdict", "why"), CASES)
def test_cases(name: str, script: Script, verdict: str, why: str) -> None:
    found = judged(script)
    assert found.verdict == verdict
    assert why in found.why
    assert found.moot == ("nothing to judge" in found.why)


def test_it_shows_what_it_saw() -> None:
    found = judged(Script().start().show().ask(0, "click").ask(1, "click").sent(b"1\n").effect(target=OTHER))
    assert (found.calls, found.world, found.frames) == ((1,), (1,), ((1, 1),))
