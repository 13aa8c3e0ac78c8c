"""The state machine: its rules build a draft, its teardown has the draft run and judged by the eight laws.

The rules run nothing. A rule of Hypothesis is a plain function, and a run is one trio program in virtual time; to step
it from rules would need its faults in the plan before their places are known, and a second way to run a scenario beside
the one that replays it. So an example is what a scenario file is: all steps first, then one run. What a rule would
learn from the run is known beforehand in the `Outlook`, and the laws look at every instant of the record, so nothing is
lost by judging at the end.
"""
from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from harness.faults.registry import FAULTS, LAYERS
from harness.faults.standard import VARIANTS
from harness.properties.aim import Aim
from harness.properties.draft import Draft
from harness.properties.trial import Trials
from harness.properties.vocabulary import LONG_WAIT_MS, Act, Outlook, Vocabulary
from harness.subjects import subject

Rule: TypeAlias = Callable[..., None]
FAULTS_LIMIT = 3
"""Faults of one draft."""
PAUSES_MS = (50, 150, 400, 1000)
"""Between a call in the background and its being taken back: at its start, in its middle, after its end."""
NEAR, FAR = 7, 63
"""Aims are numbers up to FAR, more places of one kind than a short run has; half are up to NEAR, where calls are."""


class Drawing(RuleBasedStateMachine):
    """What the rules do. `machine` makes the class with the rules of one system."""

    vocabulary: Vocabulary
    trials: Trials

    def __init__(self) -> None:
        super().__init__()
        words = self.vocabulary
        self.draft = Draft(words.system, words.about, list(subject(words.system).profiles)[-1])
        self.outlook = Outlook()
        self._before = sys.exc_info()[1]
        self._background: list[str] = []
        self._unseen: set[str] = set()
        """Targets that a call in the background may be showing: its caller has not seen them yet."""

    def teardown(self) -> None:
        """Run and judge, unless the drawing itself was given up: Hypothesis tears down then, too."""
        if sys.exc_info()[1] is self._before and self.draft.steps:
            for step in self.vocabulary.ends:
                self.add(step)
            self.trials.judge(self.draft)

    # What the rules do

    def begin(self, sections: Mapping[str, Any], profile: str) -> None:
        self.draft.sections = dict(sections)
        self.draft.profile = profile
        self.outlook.ready = set(self.vocabulary.ready(sections))
        for step in self.vocabulary.begins(sections):
            self.add(step)

    def add(self, step: Mapping[str, Any], **more: Any) -> None:
        """A step goes into the draft, and with it the canaries whose value it has."""
        step = {**step, **more}
        self.draft.steps.append(step)
        for canary in self.vocabulary.canaries:
            planted: list[Any] = self.draft.sections.get("canaries", [])
            if canary["value"] in (step.get("arguments") or {}).values() and canary not in planted:
                self.draft.sections["canaries"] = [*planted, dict(canary)]

    def show(self, target: str, **more: Any) -> None:
        """The call that shows a target, with what it is sure to come to."""
        self._unseen.discard(target)
        sure = self.outlook.look(target)
        if self.vocabulary.numbered is not None:
            self.outlook.keep(self.vocabulary.numbered.kept)
            if not sure:
                self.outlook.doubt()
        self.add(self.vocabulary.looks[target], **({"expect": "done", **more} if sure else {}))

    def do(self, target: str, act: Act) -> None:
        """An act on a target. Who acts on what he has not seen breaks law 2 himself, so it is looked at before."""
        self.see(target)
        sure = self.outlook.act(target, act)
        self.add(self.numbered(target, act.step), **({"expect": "done"} if sure else {}))

    def numbered(self, target: str, step: Mapping[str, Any]) -> Mapping[str, Any]:
        """A call on a target, which names its latest look where looks have numbers."""
        numbers = self.vocabulary.numbered
        return step if numbers is None else numbers.at(step, self.outlook.number.get(target, 1))

    def see(self, target: str) -> None:
        """Look at a target that may just be shown to somebody else, and wait for it."""
        if target in self._unseen:
            self.show(target)

    def unsettle(self, what: str) -> None:
        """Something happened that may have ended what was shown, or more than that."""
        if what in self.vocabulary.doubts:
            self.outlook.doubt()
        else:
            self.outlook.forget()

    def begin_background(self, target: str, step: Mapping[str, Any]) -> None:
        """A call that is not waited for. From then on nothing is sure."""
        if step is self.vocabulary.looks[target]:
            self._unseen.add(target)
            self.outlook.count(target)
        else:
            self.see(target)
            step = self.numbered(target, step)
        self.outlook.doubt()
        name = f"call {len(self._background) + 1}"
        self._background.append(name)
        self.add(step, **{"as": name, "background": True})


def machine(vocabulary: Vocabulary, trials: Trials) -> type[Drawing]:
    """The machine of one system. trials: where its drafts are judged."""
    rules = (*_beginning(vocabulary), *_calls(vocabulary), *_events(vocabulary))
    members = {each.__name__: each for each in rules}
    made: type[Drawing] = type("Machine", (Drawing,), {**members, "vocabulary": vocabulary, "trials": trials})
    return made


def _beginning(words: Vocabulary) -> tuple[Rule, ...]:
    """What is drawn first: the surroundings, and the faults."""

    @initialize(sections=words.surroundings, profile=st.sampled_from(list(subject(words.system).profiles)[::-1]))
    def surroundings(self: Drawing, sections: dict[str, Any], profile: str) -> None:
        self.begin(sections, profile)

    @initialize(drawn=st.lists(aims(words), max_size=FAULTS_LIMIT))
    def faults(self: Drawing, drawn: list[Aim]) -> None:
        self.draft.aims = list(drawn)

    return (surroundings, faults)


def _calls(words: Vocabulary) -> tuple[Rule, ...]:
    """Rules that call."""
    shown = st.sampled_from(list(words.looks))
    acts = [(on, act) for on, own in words.acts.items() for act in own]
    calls = [*words.looks.items(), *((on, act.step) for on, act in acts)]
    by_tool: dict[str, list[tuple[str, Act]]] = {}
    for on, each in acts:
        by_tool.setdefault(each.step["call"], []).append((on, each))

    @rule(on=shown)
    def look(self: Drawing, on: str) -> None:
        self.show(on)

    @precondition(lambda self: self.outlook.looked)
    @rule(data=st.data())
    def act(self: Drawing, data: st.DataObject) -> None:
        target = data.draw(st.sampled_from(self.outlook.looked))
        self.do(target, data.draw(st.sampled_from(words.acts[target])))

    @rule(drawn=st.sampled_from(sorted(by_tool)).flatmap(lambda tool: st.sampled_from(by_tool[tool])))
    def use(self: Drawing, drawn: tuple[str, Act]) -> None:
        """An act on what is shown, which it is made sure of: what acts do is what the laws are about."""
        on, act = drawn
        if on not in self.outlook.shown:
            self.show(on)
        self.do(on, act)

    @rule(on=shown)
    def next_attempt(self: Drawing, on: str) -> None:
        if words.again is None:
            self.show(on, again=True)
        elif self.outlook.ready:
            self.add(words.again, expect="done", again=True)

    @precondition(lambda self: bool(words.strays))
    @rule(step=st.sampled_from(list(words.strays)))
    def anything(self: Drawing, step: Mapping[str, Any]) -> None:
        self.outlook.forget()
        self.add(step)

    @rule(drawn=st.sampled_from(acts))
    def act_unprepared(self: Drawing, drawn: tuple[str, Act]) -> None:
        """An act on what may never have been shown."""
        self.outlook.forget()
        self.do(*drawn)

    @precondition(lambda self: words.overlap)
    @rule(drawn=st.sampled_from(calls), end=st.sampled_from(["", "await", "cancel"]), ms=st.sampled_from(PAUSES_MS))
    def in_the_background(self: Drawing, drawn: tuple[str, Mapping[str, Any]], end: str, ms: int) -> None:
        self.begin_background(*drawn)
        if end == "cancel":
            self.add({"wait_ms": ms})
        if end:
            self.add({end: self._background[-1]})

    return (look, act, use, next_attempt, anything, act_unprepared, in_the_background)


def _events(words: Vocabulary) -> tuple[Rule, ...]:
    """Rules in which something happens that is no call."""

    @precondition(lambda self: bool(words.waits_ms))
    @rule(ms=st.sampled_from(list(words.waits_ms)))
    def wait(self: Drawing, ms: int) -> None:
        if ms >= LONG_WAIT_MS:
            self.unsettle("wait_ms")
        self.add({"wait_ms": ms})

    @precondition(lambda self: bool(words.tells))
    @rule(step=st.sampled_from(list(words.tells)))
    def tell(self: Drawing, step: Mapping[str, Any]) -> None:
        self.unsettle(step["tell"])
        self.add(step)

    @precondition(lambda self: bool(words.changes))
    @rule(change=st.sampled_from(list(words.changes)))
    def change(self: Drawing, change: tuple[Mapping[str, Any], frozenset[str]]) -> None:
        self.outlook.spoil(change[1])
        self.add({"change": dict(change[0])})

    @precondition(lambda self: bool(words.answers(self.draft.sections)))
    @rule(data=st.data())
    def answer(self: Drawing, data: st.DataObject) -> None:
        self.add(data.draw(st.sampled_from(list(words.answers(self.draft.sections)))))

    return (wait, tell, change, answer)


def aims(words: Vocabulary) -> st.SearchStrategy[Aim]:
    """A fault of any layer, each layer as likely as the others, and where it is to strike."""
    order = [*reversed(LAYERS[:-1]), LAYERS[-1]]
    layers = [[name for name in words.faults if FAULTS[name].layer == layer] for layer in order]
    layers = [names for names in layers if names]
    changes = [dict(change) for change, _ in words.changes]

    @st.composite
    def drawn(draw: st.DrawFn) -> Aim:
        name = draw(st.sampled_from(draw(st.sampled_from(layers))))
        variants = changes if FAULTS[name].arguments is None else list(VARIANTS.get(name, ({},)))
        number = st.integers(0, NEAR) | st.integers(0, FAR)
        return Aim(name, draw(st.sampled_from(variants)), draw(number), draw(number), draw(number))

    return drawn()
