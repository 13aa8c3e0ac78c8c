"""One scenario as it was read: every section checked against the others, before anything starts.

What a name stands for is known here: a step's call, a case, a claim, a program of the subject. What a world or a fake
takes as settings is not: they check it themselves when a run begins.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.faults.plan import Plan
from harness.faults.problem import PlanProblem, nearest
from harness.judged.then import FORMS, LAW
from harness.kept.origin import BACKS
from harness.laws.table import LAWS
from harness.problem import UsageProblem
from harness.scenario.broken import fault_in
from harness.scenario.document import Node, read_file
from harness.scenario.schema import (
    ACTIONS,
    CASE,
    ITEM,
    NEEDS,
    ONLY,
    SCENARIO,
    STEP,
    TOOTH,
    check_pattern,
    one_of,
    read_section,
    read_selection,
    refuse,
)
from harness.subjects import Subject, subject

ROOT = Path("scenarios")
FILE_BACKS = ("model", "tape", "engine")


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a `then`. data: as the run sheet has it; only: where it is judged; line: where it stands."""

    data: Mapping[str, Any]
    claims: tuple[str, ...]
    only: Mapping[str, tuple[str, ...]]
    line: int


@dataclass(frozen=True, slots=True)
class Case:
    """What is different in one case. given: the sections that it has, as in the file."""

    name: str
    given: Mapping[str, Any]
    only: Mapping[str, tuple[str, ...]]
    then: tuple[Item, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Tooth:
    """A broken stack, and the claims that it must break. entry: `{broken, with}`."""

    entry: Mapping[str, Any]
    of: str | None
    turns: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """One file. name: its path below scenarios/; given: its sections as they stand, steps with their shorthands.
    stranger: whose stack it was put to, where that is not ours."""

    name: str
    file: str
    title: str
    system: Subject
    about: tuple[str, ...]
    profiles: tuple[str, ...]
    backs: tuple[str, ...]
    runs: tuple[str, ...]
    given: Mapping[str, Any]
    then: tuple[Item, ...]
    laws: Mapping[int, tuple[str, ...]]
    cases: Mapping[str, Case] = field(default_factory=dict)
    teeth: tuple[Tooth, ...] = ()
    stranger: Mapping[str, str] | None = None

    @property
    def claims(self) -> frozenset[str]:
        """Every claim that something in it stands for."""
        items = [*self.then, *(item for case in self.cases.values() for item in case.then)]
        return frozenset(claim for item in items for claim in item.claims) | frozenset(
            claim for claims in self.laws.values() for claim in claims
        )


def load_scenario(path: Path, claims: Collection[str] | None = None, name: str | None = None) -> Scenario:
    """The scenario in a file. claims: the ids that there are; None: they are not checked. name: in run sheets, by
    default the path below scenarios/. Raises ScenarioProblem."""
    return _Loader(str(path), claims).scenario(read_file(path), name or name_of(path))


def name_of(path: Path) -> str:
    """`computer-use/click.yaml` for a file below a folder scenarios/; else its own name."""
    parts = path.absolute().parts
    if ROOT.name in parts:
        last = len(parts) - 1 - parts[::-1].index(ROOT.name)
        return "/".join(parts[last + 1 :])
    return path.name


class _Loader:
    def __init__(self, file: str, claims: Collection[str] | None) -> None:
        self._file = file
        self._claims = claims

    def scenario(self, root: Node, name: str) -> Scenario:
        file = self._file
        nodes = read_section(root, SCENARIO, file, "a scenario")
        try:
            system = subject(nodes["subject"].value)
        except UsageProblem as problem:
            raise refuse(nodes["subject"], file, problem.seen, problem.expected, problem.advice) from None
        steps = self._steps(nodes["steps"])
        given = {key: node.plain() for key, node in nodes.items() if key not in ("then", "laws", "cases", "teeth")}
        given["steps"] = steps
        calls = names_of(steps)
        self._programs(nodes, system)
        cases = self._cases(nodes.get("cases"), calls, system)
        scenario = Scenario(
            name, file, given["scenario"], system,
            self._names(nodes["about"], system.parts, "a program"),
            self._names(nodes.get("profiles"), tuple(system.profiles), "a profile") or tuple(system.profiles),
            self._names(nodes.get("backs"), FILE_BACKS, "a back") or FILE_BACKS[:1],
            self._names(nodes.get("runs"), tuple(BACKS), "a mode") or ("virtual",),
            given, self._items(nodes.get("then"), calls, system), self._laws(nodes.get("laws")), cases,
            self._teeth(nodes.get("teeth"), cases),
        )  # fmt: skip
        if not scenario.claims and not scenario.then and not cases:
            raise refuse(root, file, "a scenario that asserts nothing", "then, cases or laws", "say what it shows")
        for number, tooth in enumerate(scenario.teeth):
            for claim in tooth.turns:
                if claim not in scenario.claims:
                    node = nodes["teeth"].value[number]
                    raise refuse(node, file, f"turns {claim}", "a claim that stands on an item or law of this scenario")
        return scenario

    def _names(self, node: Node | None, known: tuple[str, ...], what: str) -> tuple[str, ...]:
        if node is None:
            return ()
        for each in node.value:
            if each.value not in known:
                raise refuse(each, self._file, f"{each.value!r} for {what}{nearest(each.value, known)}",
                             f"one of {', '.join(known)}")
        names = tuple(node.plain())
        if not names or len(set(names)) < len(names):
            raise refuse(node, self._file, f"{list(names)!r}", f"{what} or several, each once")
        return names

    def _programs(self, nodes: Mapping[str, Node], system: Subject) -> None:
        for section in ("programs", "start_ms"):
            node = nodes.get(section)
            if node is not None:
                for key in node.value:
                    if key not in system.parts:
                        seen = f"{key!r} in {section}{nearest(key, system.parts)}"
                        raise refuse(node, self._file, seen, f"one of {', '.join(system.parts)}", line=node.keys[key])

    # Steps

    def _steps(self, node: Node) -> list[dict[str, Any]]:
        if not isinstance(node.value, list) or not node.value:
            raise refuse(node, self._file, "no step", "a list of steps")
        steps: list[dict[str, Any]] = []
        seen: set[str] = set()
        stacks: set[str] = set()
        for each in node.value:
            step = self._step(each)
            if "interrupt" in step and each is not node.value[-1]:
                raise refuse(each, self._file, "a step after everything was cancelled", "interrupt as the last step")
            name = step.get("as")
            if name in seen:
                raise refuse(each, self._file, f"a second call named {name!r}", "each name once")
            for key in ("cancel", "await"):
                if key in step and step[key] not in seen:
                    raise refuse(each, self._file, f"{key} of {step[key]!r}", "the name (`as`) of a call before it")
            if step.get("on") is not None and step["on"] not in stacks:
                raise refuse(each, self._file, f"on {step['on']!r}", "the name of a stack that is open")
            if "close" in step and step["close"] not in stacks:
                raise refuse(each, self._file, f"close {step['close']!r}", "the name of a stack that is open")
            stacks = (stacks | {step.get("open", "")}) - {"", step.get("close", "")}
            seen |= {name} if name is not None else set()
            steps.append(step)
        return steps

    def _step(self, node: Node) -> dict[str, Any]:
        read_section(node, STEP, self._file, "a step")
        step: dict[str, Any] = node.plain()
        actions = one_of(ACTIONS, step)
        if len(actions) != 1:
            raise refuse(node, self._file, f"a step with {' and '.join(actions) or 'no action'}",
                         f"one of {', '.join(ACTIONS)}")
        for key in step:
            if key != actions[0] and key not in ACTIONS[actions[0]]:
                raise refuse(node, self._file, f"{key!r} of a step that is {actions[0]!r}",
                             f"one of {', '.join(ACTIONS[actions[0]]) or 'no other key'}", line=node.keys[key])
        if step.get("background") and "as" not in step:
            raise refuse(node, self._file, "a call in the background without a name", "as: its name")
        return step

    # Assertions

    def _items(self, node: Node | None, calls: Mapping[str, int], system: Subject) -> tuple[Item, ...]:
        if node is None:
            return ()
        if not isinstance(node.value, list) or not node.value:
            raise refuse(node, self._file, "no item", "a list of items")
        return tuple(self._item(each, calls, system) for each in node.value)

    def _item(self, node: Node, calls: Mapping[str, int], system: Subject) -> Item:
        file = self._file
        nodes = read_section(node, ITEM, file, "an item of `then`")
        forms = one_of((*FORMS, LAW), nodes)
        if len(forms) != 1:
            expected = f"one of {', '.join((*FORMS, LAW))}"
            raise refuse(node, file, f"an item with {' and '.join(forms) or 'no assertion'}", expected)
        form = forms[0]
        data: dict[str, Any] = {"says": nodes["says"].value}
        for key, each in nodes.items():
            if key in ("claim", "says", "only"):
                continue
            beside = () if form == LAW else FORMS[form][1]
            if key != form and key not in beside:
                expected = ", ".join(beside) or "nothing"
                raise refuse(node, file, f"{key!r} beside {form!r}", f"{expected} beside it", line=node.keys[key])
            data[key] = _numbered(self._assertion(key, each, form), calls, each, file)
        for key in NEEDS.get(form, ()):
            if key not in data:
                raise refuse(node, file, f"{form!r} without {key!r}", f"{key}: {ITEM[key][2]}")
        if form == "count" and len(one_of(("is", "at_least", "at_most"), data)) != 1:
            raise refuse(node, file, "a count without one number", "is, at_least or at_most")
        claims = tuple(self._claim_ids(nodes.get("claim")))
        return Item(data, claims, self._only(nodes.get("only"), system), node.line)

    def _assertion(self, key: str, node: Node, form: str) -> Any:
        if key == "has":
            check_pattern(node, self._file)
            return node.plain()
        if key in ("order", "equal"):
            if not isinstance(node.value, list) or len(node.value) < 2:
                raise refuse(node, self._file, f"{key} of fewer than two", "a list of selections")
            return [read_selection(each, self._file, pointer=key == "equal") for each in node.value]
        if key != LAW and key in (form, "among"):
            return read_selection(node, self._file, pointer=False)
        return node.plain()

    def _claim_ids(self, node: Node | None) -> list[str]:
        ids: list[str] = node.plain() if node is not None else []
        for id in ids:
            if self._claims is not None and id not in self._claims:
                assert node is not None
                raise refuse(node, self._file, f"claim {id!r}{nearest(id, list(self._claims))}",
                             "an id of scenarios/claims")
        return ids

    def _only(self, node: Node | None, system: Subject) -> dict[str, tuple[str, ...]]:
        if node is None:
            return {}
        known = {"profile": tuple(system.profiles), "mode": tuple(BACKS), "back": FILE_BACKS}
        if not isinstance(node.value, dict) or not node.value.keys() <= set(ONLY):
            expected = f"any of {', '.join(ONLY)} with a list of names"
            raise refuse(node, self._file, "an `only` of another form", expected)
        return {
            key: self._names(each if isinstance(each.value, list) else Node([each], each.line), known[key], f"a {key}")
            for key, each in node.value.items()
        }

    def _laws(self, node: Node | None) -> dict[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        if node is None:
            return found
        if not isinstance(node.value, dict):
            raise refuse(node, self._file, "laws of another form", "number of a law: its claims")
        for key, each in node.value.items():
            if key not in {str(number) for number in LAWS} or not isinstance(each.value, list) or not each.value:
                raise refuse(node, self._file, f"{key!r} in laws", "a number from 1 to 8, with a list of claims",
                             line=node.keys[key])
            found[int(key)] = tuple(self._claim_ids(each))
        return found

    # Cases and teeth

    def _cases(self, node: Node | None, calls: Mapping[str, int], system: Subject) -> dict[str, Case]:
        if node is None:
            return {}
        if not isinstance(node.value, dict) or not node.value:
            raise refuse(node, self._file, "no case", "name of a case: what is different")
        return {name: self._case(name, each, calls, system) for name, each in node.value.items()}

    def _case(self, name: str, node: Node, calls: Mapping[str, int], system: Subject) -> Case:
        nodes = read_section(node, CASE, self._file, f"the case {name!r}")
        given = {key: each.plain() for key, each in nodes.items() if key not in ("then", "only")}
        if not given:
            raise refuse(node, self._file, f"the case {name!r} with nothing different", f"one of {', '.join(CASE)}")
        if "steps" in nodes:
            given["steps"] = self._steps(nodes["steps"])
            calls = names_of(given["steps"])
        if "faults" in nodes:
            given["faults"] = self._faults(nodes["faults"])
        for key in given.get("expect", {}):
            if key not in calls:
                raise refuse(nodes["expect"], self._file, f"expect of {key!r}{nearest(key, list(calls))}",
                             "the name (`as`) of a call")
        self._programs(nodes, system)
        then = self._items(nodes["then"], calls, system)
        return Case(name, given, self._only(nodes.get("only"), system), then, node.line)

    def _faults(self, node: Node) -> list[dict[str, Any]]:
        """The plan's entries with their ids; the plan is checked whole, and an error has the entry's line."""
        if not isinstance(node.value, list) or not node.value:
            raise refuse(node, self._file, "no fault", "a list of faults")
        entries = []
        for number, each in enumerate(node.value, 1):
            entry = each.plain()
            if isinstance(entry, dict):
                entry = {"id": f"f{number}", **entry}
            try:
                Plan({"v": 1, "faults": [entry]})
            except PlanProblem as problem:
                raise refuse(each, self._file, problem.seen, problem.expected, problem.advice) from None
            entries.append(entry)
        ids = [entry["id"] for entry in entries]
        if len(set(ids)) < len(ids):
            raise refuse(node, self._file, f"ids {', '.join(ids)}", "each id once")
        return entries

    def _teeth(self, node: Node | None, cases: Mapping[str, Case]) -> tuple[Tooth, ...]:
        if node is None:
            return ()
        if not isinstance(node.value, list) or not node.value:
            raise refuse(node, self._file, "no tooth", "a list of broken stacks")
        return tuple(self._tooth(each, cases) for each in node.value)

    def _tooth(self, node: Node, cases: Mapping[str, Case]) -> Tooth:
        nodes = read_section(node, TOOTH, self._file, "a tooth")
        entry: dict[str, Any] = {key: node.plain() for key, node in nodes.items() if key in ("broken", "with")}
        fault = fault_in(entry)
        if fault is not None:
            raise refuse(node, self._file, *fault)
        of = nodes["of"].value if "of" in nodes else None
        if of is not None and of not in cases:
            raise refuse(nodes["of"], self._file, f"{of!r}{nearest(of, list(cases))}", "the name of a case")
        turns = tuple(self._claim_ids(nodes["turns"]))
        if not turns:
            raise refuse(nodes["turns"], self._file, "a tooth that turns nothing", "a list of claims")
        return Tooth(entry, of, turns, node.line)


def names_of(steps: list[dict[str, Any]]) -> dict[str, int]:
    """Name of a call -> its number: call N is the Nth step that calls, from 0."""
    calling = [step for step in steps if "call" in step]
    return {step["as"]: number for number, step in enumerate(calling) if "as" in step}


def _numbered(value: Any, calls: Mapping[str, int], node: Node, file: str) -> Any:
    """A selection with the number of each call that it names in a pattern of the history."""
    if isinstance(value, list):
        return [_numbered(each, calls, node, file) for each in value]
    pattern = value.get("history") if isinstance(value, dict) else None
    if not isinstance(pattern, dict) or not isinstance(pattern.get("call"), str):
        return value
    if pattern["call"] not in calls:
        seen = f"call {pattern['call']!r}{nearest(pattern['call'], list(calls))}"
        raise refuse(node, file, seen, "the name (`as`) of a call, or its number")
    return {**value, "history": {**pattern, "call": calls[pattern["call"]]}}
