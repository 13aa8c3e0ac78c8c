"""Which effect belongs to which call."""
from __future__ import annotations

import pytest

from harness.laws.attribution import ANYWHERE, NOT_SHOWN, Attribution
from harness.laws.facts import Facts, canonical
from tests.harness.laws.runs import BUTTON, OTHER, Script, click


def attribution(script: Script) -> Attribution:
    return Attribution(Facts(script.run()))


CASES: list[tuple[str, Script, dict[int, int], list[int]]] = [
    # name, run, number of a call -> k of its effect, k of strays
    ("one click", click(), {0: 3}, []),
    ("asked twice, done twice", click(click(), 1), {0: 3, 1: 7}, []),
    ("on another target", Script().show().ask(0, "click").effect(target=OTHER).answer(0), {}, [3]),
    ("with another value", Script().show().ask(0, "set", value="a").effect("set", value="b").answer(0), {}, [3]),
    ("of another verb", Script().show().ask(0, "click").effect("type").answer(0), {}, [3]),
    ("before it was asked", Script().show().effect().ask(0, "click").answer(0), {}, [2]),
    ("asked by nobody", Script().effect(), {}, [1]),
    ("a ref that was not shown", Script().ask(0, "click").effect().answer(0), {}, [2]),
    ("no ref, anywhere", Script().ask(0, "open", None).effect("open").answer(0), {0: 2}, []),
    ("no ref, but one that names it", Script().show().ask(0, "click", None).ask(1, "click").effect().answer(1),
        {1: 4}, []),
    ("value of another type", Script().show().ask(0, "set", value=1).effect("set", value=True).answer(0), {}, [3]),
    ("after the answer", Script().show().ask(0, "click").answer(0).effect(), {}, []),
    ("after an unknown answer", Script().show().ask(0, "click").answer(0, "unknown").effect(), {0: 4}, []),
    ("never answered", Script().show().ask(0, "click").effect(), {0: 3}, []),
    ("overlapping, the first to end first", Script().show().ask(0, "click").ask(1, "click").effect().answer(1).effect()
        .answer(0), {1: 4, 0: 6}, []),
    ("done before unknown", Script().show().ask(0, "click").ask(1, "click").effect().answer(0, "unknown").answer(1),
        {1: 4}, []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "script", "owned", "strays"), CASES)
def test_effects_and_their_calls(name: str, script: Script, owned: dict[int, int], strays: list[int]) -> None:
    found = attribution(script)
    mine = {number: effect["k"] for shares in found.shares.values() for number, effect in shares.of.items()}
    assert mine == owned
    assert [effect["k"] for effect in found.strays] == strays
    for call in found.facts.calls.values():
        effect = found.effect_of(call)
        assert (effect and effect["k"]) == owned.get(call.number)


def test_keys() -> None:
    script = Script().show().ask(0, "click").ask(1, "click", None).ask(2, "click", "9")
    found = attribution(script)
    assert set(found.groups) == {
        ("click", canonical(BUTTON), "null"), ("click", ANYWHERE, "null"), ("click", NOT_SHOWN, "null"),
    }  # fmt: skip
    assert [call.number for call in found.unseen] == [2]


@pytest.mark.parametrize(("effects", "at"), [(0, None), (1, None), (2, 4), (3, 4)])
def test_the_first_effect_too_many(effects: int, at: int | None) -> None:
    [group] = attribution(click(effects=effects)).groups.values()
    surplus = group.surplus()
    assert (surplus and surplus["k"]) == at


def test_two_effects_before_the_second_was_asked() -> None:
    script = Script().show().ask(0, "click").effect().effect().ask(1, "click").answer(1)
    [group] = attribution(script).groups.values()
    surplus = group.surplus()
    assert surplus is not None
    assert surplus["k"] == 4


def test_what_a_stray_may_have_been_meant_for() -> None:
    script = Script().show().ask(0, "set", value="a").ask(1, "set", value="b").ask(2, "click").effect("set", OTHER, "b")
    found = attribution(script.effect("set", OTHER, "c").effect("drag"))
    assert [[call.number for call in found.calls_near(effect)] for effect in found.strays] == [[1], [0, 1], []]
