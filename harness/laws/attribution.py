"""Which effect belongs to which asked call: the one question that laws 1, 2, 3, 5 and 8 share.

An effect belongs to the calls with its key: the same verb, the same target (what the call's ref stood for when it was
asked, or when the call looked for itself) and the same value. A call without a ref names no target: an effect of its
verb and value belongs to it wherever it landed, unless a call that names the target fits too. What belongs to no call,
or came before it was asked, is a stray.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from harness.kept.lines import Line
from harness.laws.facts import Call, Facts, canonical

ANYWHERE = "anywhere"
NOT_SHOWN = "not shown"
Key = tuple[str, str, str]
"""Verb, target and value in canonical text; the target may be ANYWHERE."""


@dataclass(slots=True)
class Group:
    """The calls of one key, and what came of that key after the first of them was asked: effects, and what was feigned
    to be one."""

    key: Key
    calls: list[Call] = field(default_factory=list)
    effects: list[Line] = field(default_factory=list)
    feigned: list[Line] = field(default_factory=list)

    def surplus(self) -> Line | None:
        """The first effect at which there had been more effects than calls asked; None: there never were."""
        begins = sorted(call.begin for call in self.calls)
        for nth, effect in enumerate(self.effects):
            if nth >= len(begins) or begins[nth] > effect["k"]:
                return effect
        return None

    def share(self) -> Shares:
        """Give each effect to one call. Where calls of one key overlap nobody can tell them apart: the stack gets the
        benefit, so as many calls that say done as can be have an effect or, failing that, what was feigned to be one.
        What comes first goes to the call that ends first."""
        shares = Shares()
        done = sorted((call for call in self.calls if call.outcome == "done"), key=lambda call: call.end)
        owned = _in_turn(self.effects, done)
        spare = [effect for effect in self.effects if not any(effect is line for _, line in owned)]
        feigned: list[Line] = []
        for line in self.feigned:
            lines = [line, *(line for _, line in owned)]
            tried = _in_turn(sorted(lines, key=lambda line: int(line["k"])), done)
            if len(tried) == len(lines):
                feigned.append(line)
                owned = tried
        for call, line in owned:
            (shares.told if any(line is each for each in feigned) else shares.of)[call.number] = line
        open_ended = [call for call in self.calls if call.outcome not in ("done", "refused")]
        for effect in spare:
            taker = next((call for call in open_ended if call.begin < effect["k"]), None)
            if taker is None:
                shares.spare.append(effect)
            else:
                open_ended.remove(taker)
                shares.of[taker.number] = effect
        return shares


@dataclass(slots=True)
class Shares:
    """of: number of a call -> its effect. spare: effects left over. told: number of a call that says done and has no
    effect -> the line by which a program said that it was done; one line stands for one call."""

    of: dict[int, Line] = field(default_factory=dict)
    told: dict[int, Line] = field(default_factory=dict)
    spare: list[Line] = field(default_factory=list)


def _in_turn(lines: Iterable[Line], calls: Iterable[Call]) -> list[tuple[Call, Line]]:
    """Each line, in the order given, with the first of the calls that runs just then and has none yet. Of calls by
    their ends and lines by their instants no other way gives more of them away."""
    waiting = list(calls)
    owned: list[tuple[Call, Line]] = []
    for line in lines:
        taker = next((call for call in waiting if call.begin < line["k"] < call.end), None)
        if taker is not None:
            waiting.remove(taker)
            owned.append((taker, line))
    return owned


class Attribution:
    """Of one run. groups: by key; strays: effects that belong to no call."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.groups: dict[Key, Group] = {}
        self.strays: list[Line] = []
        self.unseen: list[Call] = []
        """Calls whose ref had not been shown when they were asked."""
        for call in facts.calls.values():
            if call.means is not None:
                self._place(call)
        for effect in facts.effects:
            group = self._group_of(effect)
            if group is None:
                self.strays.append(effect)
            else:
                group.effects.append(effect)
        for line in facts.feigned:
            group = self._group_of(line)
            if group is not None:
                group.feigned.append(line)

    def _place(self, call: Call) -> None:
        means = call.means
        assert means is not None
        target = ANYWHERE
        if means.get("ref") is not None:
            what = self.facts.named(call)
            if what is None:
                self.unseen.append(call)
                target = NOT_SHOWN
            else:
                target = canonical(what)
        key = (means["verb"], target, canonical(means.get("value")))
        self.groups.setdefault(key, Group(key)).calls.append(call)

    def _from(self, call: Call) -> int:
        """From when on an effect may be the call's: when it was asked, or when it had seen what it names."""
        line = self.facts.showing(call) if call.means is not None and call.means.get("looks") else None
        return call.begin if line is None else max(call.begin, int(line["k"]))

    def _group_of(self, effect: Line) -> Group | None:
        value = canonical(effect.get("value"))
        for target in (canonical(effect["target"]), ANYWHERE):
            group = self.groups.get((effect["verb"], target, value))
            if group is not None and any(self._from(call) < effect["k"] for call in group.calls):
                return group
        return None

    @cached_property
    def shares(self) -> dict[Key, Shares]:
        """How the effects of each group fall to its calls."""
        return {key: group.share() for key, group in self.groups.items()}

    def effect_of(self, call: Call) -> Line | None:
        """The effect that falls to a call."""
        for shares in self.shares.values():
            if call.number in shares.of:
                return shares.of[call.number]
        return None

    def was_told(self, call: Call) -> bool:
        """Whether a program said that what the call means was done, and did nothing."""
        return any(call.number in shares.told for shares in self.shares.values())

    def calls_near(self, effect: Line) -> list[Call]:
        """The calls that a stray may have been meant for: asked before it, of its verb; those of its value, if any."""
        value = canonical(effect.get("value"))
        before = [
            call
            for call in self.facts.calls.values()
            if call.means is not None and call.means["verb"] == effect["verb"] and call.begin < effect["k"]
        ]
        exact = [call for call in before if canonical(call.means.get("value")) == value]  # type: ignore[union-attr]
        return exact or before


def numbers(calls: Iterable[Call]) -> tuple[int, ...]:
    return tuple(call.number for call in calls)


def places(lines: Iterable[Line]) -> tuple[int, ...]:
    return tuple(int(line["n"]) for line in lines)
