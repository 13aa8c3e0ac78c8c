"""Which effect belongs to which call."""
from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

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
    ("what was feigned to the first leaves the effect to the second", Script().show().ask(0, "click").feign("click")
        .ask(1, "click").effect().answer(0).answer(1), {1: 5}, []),
    ("an effect before what is feigned", Script().show().ask(0, "click").feign("click").effect().answer(0), {0: 4}, []),
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


Score = tuple[int, int, int]
"""Calls that say done and have something, those of them with an effect, and calls of any outcome with an effect."""


def every_order(outcomes: Sequence[str | None], lines: Sequence[str]) -> Iterator[Script]:
    """Calls of one key that begin, end and overlap in every order, with these lines of the world in every place."""
    ends = [str(call) for call, outcome in enumerate(outcomes) for _ in range(1 if outcome is None else 2)]
    for order in sorted(set(itertools.permutations([*ends, *lines]))):
        script, asked = Script().show(), set[str]()
        for token in order:
            if token == "effect":
                script.effect()
            elif token == "feigned":
                script.feign("click")
            elif token in asked:
                script.answer(int(token), str(outcomes[int(token)]))
            else:
                script.ask(int(token), "click")
                asked.add(token)
        yield script


def every_score(found: Attribution) -> Iterator[Score]:
    """Of every way to give lines to calls, a line to one call and to a call one line."""
    calls = [call for group in found.groups.values() for call in group.calls]
    lines = [*found.facts.effects, *found.facts.feigned]
    for takers in itertools.product([None, *calls], repeat=len(lines)):
        given = [(call, line) for call, line in zip(takers, lines, strict=True) if call is not None]
        if len({call.number for call, _ in given}) == len(given) and all(
            call.begin < line["k"] < call.end if call.outcome == "done"
            else line["e"] == "effect" and call.outcome != "refused" and call.begin < line["k"]
            for call, line in given
        ):  # fmt: skip
            done = [line for call, line in given if call.outcome == "done"]
            effects = [line for line in done if line["e"] == "effect"]
            yield len(done), len(effects), sum(line["e"] == "effect" for _, line in given)


@pytest.mark.parametrize(("outcomes", "lines"), [
    (["done", "done"], ["effect", "feigned"]),
    (["done", "done"], ["effect", "effect", "feigned"]),
    (["done", "done"], ["effect", "feigned", "feigned"]),
    (["done", "unknown"], ["effect", "effect", "feigned"]),
    (["done", "refused"], ["effect", "effect"]),
    (["done", None, "unknown"], ["effect", "effect"]),
    (["done", "done", None], ["effect", "feigned"]),
])  # fmt: skip
def test_no_other_way_gives_more_calls_what_they_say(outcomes: Sequence[str | None], lines: Sequence[str]) -> None:
    done = {call for call, outcome in enumerate(outcomes) if outcome == "done"}
    for script in every_order(outcomes, lines):
        found = attribution(script)
        [shares] = found.shares.values()
        assert not shares.of.keys() & shares.told.keys()
        assert shares.told.keys() <= done
        effects = done & shares.of.keys()
        assert (len(effects) + len(shares.told), len(effects), len(shares.of)) == max(every_score(found))
        assert len(shares.of) + len(shares.spare) + len(found.strays) == len(found.facts.effects)
