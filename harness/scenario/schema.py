"""What a scenario file may say: one table a section, and strict reading of nodes by a table.

A key that no table has is refused with the nearest one, a value of another kind with what was expected; both with file
and line. docs/scenarios.md is written from these tables.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from harness.faults.problem import nearest
from harness.judged.books import BOOKS
from harness.judged.match import faults_of
from harness.judged.then import FORMS, LAW
from harness.kept.lines import OUTCOMES
from harness.laws.table import LAWS
from harness.scenario.broken import KINDS as BROKEN
from harness.scenario.document import Node
from harness.scenario.failing import KEYS as FAILURE
from harness.scenario.failing import fault_in_host
from harness.scenario.problem import ScenarioProblem
from harness.tape.schema import shown

Table: TypeAlias = Mapping[str, tuple[str, bool, str]]
"""Key -> (kind of its value, required, meaning)."""

ADVICE = "see docs/scenarios.md"

SCENARIO: Table = {
    "scenario": ("text", True, "the behaviour in words: one sentence"),
    "subject": ("text", True, "the system under verification: a name of harness/subjects.py"),
    "about": ("texts", True, "the programs that it is about, the main one first: its fault plans strike in that order"),
    "profiles": ("texts", False, "versions to be run with; all that the subject has, where absent"),
    "backs": ("texts", False, "what may stand behind the main program: model (the default), tape, engine"),
    "runs": ("texts", False, "modes of a run: virtual (the default), process"),
    "plans": (
        "none|few|standard",
        False,
        (
            "fault plans of `trailcam verify`, chosen from the census: all that are standard, with every profile; the "
            "few that tell most, with the newest (where absent); or none"
        ),
    ),
    "changes": ("objects", False, "changes of the world that are standard plans too: arguments of the fault `world`"),
    "world": ("object", False, "settings of the world"),
    "programs": ("object", False, "program -> settings of its fake"),
    "settings": ("object", False, "settings of the stack"),
    "host": ("host", False, "where the host below the stack fails: a list of {fails, of, nth, errno}"),
    "start_ms": ("object", False, "program -> what its start costs; the subject's where absent"),
    "modes": ("texts", False, "kinds of questions that the caller can be asked"),
    "told_ms": ("number", False, "how long the client takes to be told that the list of tools has changed"),
    "bounds": ("object", False, "bounds of law 4; the subject's own where absent"),
    "canaries": ("objects", False, "secrets that are planted: {name, value, allowed, planted} (law 6)"),
    "goal": ("objects", False, "lines that the world record must have where no fault fired (law 8)"),
    "keeps": ("texts", False, "files that may stay (law 7), beside the subject's own"),
    "tapes": ("object", False, "profile -> {program: tape} for the tape back, from the checkout's root"),
    "limits": ("texts", False, "what it does not show of its claims, in words, for the report"),
    "steps": ("steps", True, "what is done"),
    "then": ("items", False, "what is asserted of the run as it is, without faults"),
    "laws": ("laws", False, "number of a law -> claims that stand on its verdict"),
    "cases": ("cases", False, "name -> what is different in this case, and its own `then`"),
    "teeth": ("teeth", False, "deliberately broken stacks, and which claims each must break"),
}
CASE: Table = {
    "faults": ("faults", False, "a fault plan: entries as in docs/faults.md; an id is made where there is none"),
    "world": ("object", False, "settings of the world, over the scenario's"),
    "programs": ("object", False, "settings of the fakes, over the scenario's"),
    "settings": ("object", False, "settings of the stack, over the scenario's"),
    "host": ("host", False, "where the host fails, in place of the scenario's"),
    "modes": ("texts", False, "kinds of questions, in place of the scenario's"),
    "told_ms": ("number", False, "how long the client takes to be told, in place of the scenario's"),
    "steps": ("steps", False, "steps in place of the scenario's"),
    "expect": ("object", False, "name of a step -> what it is to expect in place of its own"),
    "goal": ("objects", False, "in place of the scenario's"),
    "only": ("only", False, "profile, mode or back -> the names for which the case is run"),
    "then": ("items", True, "what is asserted of the run in this case"),
}
STEP: Table = {
    "call": ("text", False, "call this tool"),
    "tell": ("text", False, "tell the stack of an event: task_end, cancel, grant, …"),
    "answer": ("object", False, "the answer to the next question: {action, content, meta, wait_ms, not_json}, {fails}"),
    "change": ("object", False, "the user changes the world: a change of the subject's world"),
    "cancel": ("text", False, "the caller takes back the call of this name"),
    "await": ("text", False, "wait until the call of this name has been answered"),
    "wait_ms": ("number", False, "time passes"),
    "look": ("status|tools", False, "ask the stack for its list of tools, or for its status"),
    "interrupt": (
        "flag", False, "everything is cancelled at once, as where the stack's process is told to end; the last step"
    ),
    "open": ("text", False, "open a second stack of this name, with a state folder of its own; calls name it by `on`"),
    "close": ("text", False, "close the stack of this name"),
    "arguments": ("object", False, "arguments of the call"),
    "means": ("means", False, "what the call means to change: {verb, ref, value, looks}"),
    "as": ("text", False, "name of the call"),
    "background": ("flag", False, "do not wait for the answer"),
    "expect": ("expect", False, "what is to be answered where no fault fired: an outcome, or members of the answer"),
    "again": ("flag", False, "the next attempt after a fault: it must meet what it expects (law 8)"),
    "on": ("text", False, "name of the stack that is called"),
    "data": ("any", False, "data of the event"),
}
ACTIONS: Mapping[str, tuple[str, ...]] = {
    "call": ("arguments", "means", "as", "background", "expect", "again", "on"),
    "tell": ("data",),
    "answer": (),
    "change": (),
    "cancel": (),
    "await": (),
    "wait_ms": (),
    "look": (),
    "interrupt": (),
    "open": (),
    "close": (),
}
"""What a step does -> the other keys that it may have."""
ITEM: Table = {
    "claim": ("texts", False, "the claims that stand on this item"),
    "says": ("text", True, "the item in words, as the report shows it"),
    "only": ("only", False, "profile, mode or back -> the names for which the item is judged"),
    **{form: ("selections" if form in ("order", "equal") else "selection", False, meaning)
       for form, (_, _, meaning) in FORMS.items()},
    LAW: ("law", False, "number of a law, from 1 to 8: its verdict of the run is the item's"),
    "among": ("selection", False, "what must be there for the item to be judged at all"),
    "has": ("pattern", False, "what each line must have"),
    "is": ("count", False, "so many"),
    "at_least": ("count", False, "at least so many"),
    "at_most": ("count", False, "at most so many"),
}  # fmt: skip
TOOTH: Table = {
    "broken": ("text", True, "kind of a deliberately broken stack: " + ", ".join(BROKEN)),
    "with": ("object", False, "its arguments"),
    "of": ("text", False, "name of the case that it is put into; the scenario itself where absent"),
    "turns": ("texts", True, "claims that hold, and must be broken with it"),
}
ONLY = ("profile", "mode", "back")
NEEDS: Mapping[str, tuple[str, ...]] = {"none": ("among",), "every": ("has",)}
"""Form -> keys that it must have: an absence says nothing where nothing could have been."""


def refuse(node: Node, file: str, seen: str, expected: str, advice: str = ADVICE, line: int | None = None) -> Exception:
    """The error for a node."""
    return ScenarioProblem(seen, expected, advice, file=file, line=line or node.line)


def read_section(node: Node, table: Table, file: str, what: str) -> dict[str, Node]:
    """The members of a mapping, each known and of its kind; required ones are there."""
    if not isinstance(node.value, dict):
        raise refuse(node, file, f"{shown(node.plain())} for {what}", f"keys and values: {', '.join(table)}")
    for key, member in node.value.items():
        if key not in table:
            seen = f"{key!r} in {what}{nearest(key, list(table))}"
            raise refuse(node, file, seen, f"one of {', '.join(table)}", line=node.keys[key])
        kind, _, meaning = table[key]
        check(member, kind, file, f"{key!r} in {what}", meaning)
    for key, (_, required, meaning) in table.items():
        if required and key not in node.value:
            raise refuse(node, file, f"{what} without {key!r}", f"{key}: {meaning}")
    return dict(node.value)


def check(node: Node, kind: str, file: str, where: str, meaning: str) -> None:
    """Raises ScenarioProblem unless a node is of a kind. Kinds that are sections of their own are read elsewhere."""
    if kind in SECTIONS:
        return
    if kind in KINDS:
        fits, expected = KINDS[kind]
    else:
        words = kind.split("|")
        fits, expected = (lambda value: value in words), f"one of {', '.join(words)}"
    if not fits(node.plain()):
        raise refuse(node, file, f"{shown(node.plain())} for {where}", f"{expected}: {meaning}")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and each for each in value)


def _is_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_means(value: Any) -> bool:
    return value is None or (
        isinstance(value, dict) and isinstance(value.get("verb"), str) and isinstance(value.get("ref"), str | None)
        and isinstance(value.get("looks"), bool | None) and value.keys() <= {"verb", "ref", "value", "looks"}
    )  # fmt: skip


def _is_expect(value: Any) -> bool:
    return value in OUTCOMES if isinstance(value, str) else isinstance(value, dict) and bool(value)


KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "text": (lambda value: isinstance(value, str) and bool(value.strip()), "a text"),
    "texts": (_is_texts, "a list of texts"),
    "number": (_is_number, "a number from 0"),
    "count": (_is_count, "a whole number from 0"),
    "law": (lambda value: type(value) is int and value in LAWS, "a number from 1 to 8"),
    "flag": (lambda value: isinstance(value, bool), "true or false"),
    "object": (lambda value: isinstance(value, dict), "an object"),
    "objects": (_is_objects, "a list of objects"),
    "means": (_is_means, "{verb, ref, value, looks}, or null"),
    "expect": (_is_expect, f"one of {', '.join(OUTCOMES)}, or an object"),
    "host": (lambda value: _is_objects(value) and fault_in_host(value) is None, f"a list of {{{', '.join(FAILURE)}}}"),
    "any": (lambda value: True, "any value"),
}  # fmt: skip
SECTIONS = ("steps", "items", "laws", "cases", "teeth", "faults", "only", "selection", "selections", "pattern")


def read_selection(node: Node, file: str, *, pointer: bool) -> dict[str, Any]:
    """`{BOOK: PATTERN}`, with `at` where a pointer is asked for."""
    value = node.plain()
    keys = [key for key in value if key != "at"] if isinstance(value, dict) else []
    books = f"one book of {', '.join(BOOKS)} with a pattern" + (", and at: a JSON pointer" if pointer else "")
    if len(keys) != 1 or (("at" in value) != pointer):
        raise refuse(node, file, f"{shown(value)} for a selection", books)
    book = keys[0]
    if book not in BOOKS:
        raise refuse(node, file, f"{book!r} for a book{nearest(book, list(BOOKS))}", books, line=node.keys[book])
    if not isinstance(value[book], dict):
        raise refuse(node.value[book], file, f"{shown(value[book])} for a pattern", "keys and values")
    check_pattern(node.value[book], file)
    if pointer and not (isinstance(value["at"], str) and value["at"].startswith("/")):
        raise refuse(node.value["at"], file, f"{shown(value['at'])} for a pointer", "a JSON pointer such as /value/id")
    return dict(value)


def check_pattern(node: Node, file: str) -> None:
    """Raises ScenarioProblem for an operator that there is not, or with an argument that it does not take."""
    if not isinstance(node.value, dict):
        raise refuse(node, file, f"{shown(node.plain())} for a pattern", "keys and values")
    for where, expected in faults_of(node.plain()):
        raise refuse(node, file, f"{where} in a pattern", expected)


def one_of(names: Iterable[str], keys: Iterable[str]) -> list[str]:
    """Which of these keys are among the names, in the order of the names."""
    there = set(keys)
    return [name for name in names if name in there]
