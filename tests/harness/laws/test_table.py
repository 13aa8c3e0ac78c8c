"""All eight laws at once: the table, and properties over random runs and changed ones."""
from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.faults.registry import FAULTS
from harness.kept import KeptRun
from harness.laws import LAWS, judge
from harness.laws.attribution import Attribution
from harness.laws.facts import Facts
from harness.laws.table import command_of
from harness.laws.verdict import EXIT_CODES
from tests.harness.laws.runs import BUTTON, OTHER, SHEET, Script, typical


def words(script: Script) -> dict[int, str]:
    return {verdict.law: verdict.verdict for verdict in judge(script.run())}


def test_the_eight_laws() -> None:
    assert list(LAWS) == list(range(1, 9))
    assert [law.name for law in LAWS.values()] == [
        "at most once", "right target", "honest outcome", "bounded",
        "consent", "nothing leaks", "nothing left", "useful",
    ]  # fmt: skip
    assert all(law.broken_when and law.judged_by for law in LAWS.values())
    assert all(law.meaning.startswith(f"Law {law.number}, {law.name}: ") for law in LAWS.values())


def test_a_typical_run() -> None:
    assert words(typical()) == dict.fromkeys(LAWS, "holds") | {5: "unknown", 6: "unknown"}


def test_an_empty_run_shows_nothing() -> None:
    assert words(Script()) == dict.fromkeys(LAWS, "unknown")


COMMANDS: list[tuple[dict[str, Any], str]] = [
    ({}, "trailcam run computer-use/click.yaml --seed 7"),
    ({"mode": "process"}, "trailcam run computer-use/click.yaml --seed 7 --mode process"),
    ({"back": "engine"}, "trailcam run computer-use/click.yaml --seed 7 --back engine"),
    ({"back": "live"}, "trailcam live --system computer-use"),
    ({"plan": {"v": 1, "faults": []}}, "trailcam run computer-use/click.yaml --seed 7"),
    (
        {"plan": {"v": 1, "faults": [{"id": "f1", "fault": "drop"}]}, "scenario": "it's.yaml"},
        "trailcam run 'it'\"'\"'s.yaml' --seed 7 --plan '{\"v\":1,\"faults\":[{\"id\":\"f1\",\"fault\":\"drop\"}]}'",
    ),
]


@pytest.mark.parametrize(("sheet", "command"), COMMANDS)
def test_every_verdict_can_be_run_again_from_one_line(sheet: dict[str, Any], command: str) -> None:
    run = Script(**sheet).run()
    assert command_of(run.sheet) == command
    assert {verdict.again for verdict in judge(run)} == {command}
    assert {verdict.run for verdict in judge(run)} == {run.name}
    assert {verdict.again for verdict in judge(run, "make it so")} == {"make it so"}


# Random runs

FEW = settings(max_examples=40)

REFS = ["4", "5"]
TARGETS = [BUTTON, OTHER, {}]
VALUES = st.sampled_from([None, 1, True, "a", [1], {"a": None}])
NAMES = st.sampled_from(["click", "type"])
FAULT_NAMES = st.sampled_from([*FAULTS, "gremlin"])
GRANTS: st.SearchStrategy[Any] = st.sampled_from([
    None, {}, {"grant": "*"}, {"grant": "g"}, {"grant": 3}, {"grant": "g", "lasts_ms": 5}, "text",
])  # fmt: skip
NEEDS: st.SearchStrategy[Any] = st.sampled_from([
    {}, {"needs": "g"}, {"needs": "g", "grant": None}, {"needs": "g", "grant": "1"},
])  # fmt: skip
ABOUT: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.sampled_from([
    ("cancelled", {}), ("questioned", {"question": {"message": "?"}}), ("replied", {"answer": None}),
    ("replied", {"answer": {"action": "accept"}}), ("replied", {"answer": {"action": 3}}),
])  # fmt: skip
PLACES: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {}, optional={"way": st.sampled_from([">>", "<<"]), "kind": st.sampled_from(["reply"])}
)
KINDS = ("ask", "answer", "about", "tell", "show", "effect", "strike", "hold", "event", "leave")


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """Any run that the tables allow, sensible or not."""
    script = Script(
        step_ms=draw(st.sampled_from([0, 0.5, 400])),
        mode=draw(st.sampled_from(["virtual", "process"])),
        steps=draw(st.lists(st.sampled_from([
            {"call": {}}, {"tell": "x"}, {"call": {}, "expect": {"outcome": "done"}},
            {"call": {}, "expect": {"outcome": "done"}, "again": True},
        ]), max_size=4)),
        bounds=draw(st.sampled_from([
            None, {}, {"call_ms": 900, "frame_bytes": 3, "questions": 1}, {"odd": 1}, {"call_ms": "x", "frames": None},
        ])),
        plan=draw(st.sampled_from([
            None, {"faults": [{"id": "f1", "args": {"ms": "no"}}]}, {"faults": [{"id": "f1", "args": "x"}]},
            {"faults": [{"id": [], "args": {}}, {}]},
        ])),
        goal=draw(st.sampled_from([[], [{"e": "effect"}], [{"what": [1]}]])),
        keeps=draw(st.sampled_from([[], ["a", "b/"]])),
        canaries=draw(st.sampled_from([[], [{"value": "canary-1", "allowed": ["wire.*"]}]])),
    )  # fmt: skip
    state: dict[int, str] = {}
    for _ in range(draw(st.integers(0, 14))):
        _step(draw, script, state)
    return script


def _step(draw: st.DrawFn, script: Script, state: dict[int, str]) -> None:
    open_calls = [call for call, now in state.items() if now == "asked"]
    kind = draw(st.sampled_from(KINDS))
    if kind == "ask":
        call = len(state)
        script.ask(call, draw(st.none() | NAMES), draw(st.none() | st.sampled_from(REFS)), draw(VALUES),
                   draw(st.sampled_from([None, 0, 500])))
        state[call] = "asked"
    elif kind == "answer" and open_calls:
        call = draw(st.sampled_from(open_calls))
        script.answer(call, draw(st.sampled_from(["done", "refused", "unknown"])), content=draw(st.just("canary-1")))
        state[call] = "answered"
    elif kind == "about" and state:
        call = draw(st.sampled_from(list(state)))
        e, fields = draw(ABOUT)
        script.past(e, call=call, **fields)
    elif kind == "tell":
        data = draw(GRANTS)
        script.past("told", event=draw(st.sampled_from(["grant", "revoke", "session_switch", "run_limit"])), data=data)
    elif kind == "show":
        script.show(draw(st.sampled_from(REFS)), draw(st.sampled_from(TARGETS)))
    elif kind == "effect":
        script.effect(draw(NAMES), draw(st.sampled_from(TARGETS)), draw(VALUES), **draw(NEEDS))
    elif kind == "strike":
        script.strike(draw(FAULT_NAMES), **draw(PLACES))
    elif kind == "hold":
        script.world_line(draw(st.sampled_from(["held", "freed"])), p=1, what="lock", id=draw(st.sampled_from("ab")))
        script.world_line("changed", what=draw(VALUES), by=draw(st.sampled_from(["page", "answer:1"])))
    elif kind == "event":
        script.start(p=draw(st.integers(1, 2)), parent=draw(st.integers(1, 2)))
        script.sent(draw(st.binary(max_size=4) | st.just(b'{"a":"canary-1"}')), draw(st.integers(1, 3)))
        script.event("gap", 0, why="x") if draw(st.booleans()) else None
    elif kind == "leave":
        names = st.none() | st.lists(st.sampled_from(["a", "b/c"]), max_size=2)
        script.leave(draw(names), draw(names), draw(names))


@given(scripts())
@settings(max_examples=200)
def test_judging_never_raises_and_always_says_why(script: Script) -> None:
    verdicts = judge(script.run())
    assert [verdict.law for verdict in verdicts] == list(LAWS)
    for verdict in verdicts:
        assert verdict.verdict in EXIT_CODES
        assert verdict.why
        assert not (verdict.moot and verdict.verdict != "unknown")
        assert set(verdict.calls) <= {line["call"] for line in script.history if "call" in line}
        assert all(0 <= n < len(script.world) for n in verdict.world)
        assert all(script.journal[n]["p"] == p for p, n in verdict.frames)
        assert "canary-1" not in verdict.why


@given(scripts())
@FEW
def test_one_run_gives_one_verdict(script: Script) -> None:
    assert judge(script.run()) == judge(script.run())


# Changed runs: a run that keeps a law, and one change that has to break it


def again(run: KeptRun, world: list[dict[str, Any]] | None = None, history: Any = None, **sheet: Any) -> KeptRun:
    """The run with other books, numbered anew."""
    past, truth = (
        [{**line, "n": n} for n, line in enumerate(lines)]
        for lines in (run.history if history is None else history, run.world if world is None else world)
    )
    return KeptRun({**run.sheet, **sheet}, past, truth, run.journal)


@st.composite
def kept_runs(draw: st.DrawFn) -> KeptRun:
    """A run in which each of several calls does what it says, with room between any two places in the order."""
    script = Script(steps=[{"call": {}, "expect": {"outcome": "done"}}] * 5).start()
    for call in range(draw(st.integers(1, 5))):
        target = draw(st.sampled_from([BUTTON, OTHER]))
        value = draw(VALUES)
        script.show("4", target).ask(call, draw(NAMES), "4", value).sent(b"{}\n")
        means = script.history[-1]["means"]
        script.effect(means["verb"], target, value).answer(call)
    script.leave()
    for line in [*script.history, *script.world]:
        line["k"] *= 10
    return script.run()


def verdict_of(law: int, run: KeptRun) -> str:
    facts = Facts(run)
    return LAWS[law].judge(facts, Attribution(facts)).verdict


def effects_of(run: KeptRun) -> list[int]:
    return [index for index, line in enumerate(run.world) if line["e"] == "effect"]


@given(kept_runs())
@FEW
def test_the_runs_that_are_changed_keep_the_laws(run: KeptRun) -> None:
    run = again(run, steps=run.sheet["steps"][: len(effects_of(run))])
    assert {law: verdict_of(law, run) for law in LAWS} == dict.fromkeys(LAWS, "holds") | {5: "unknown", 6: "unknown"}


@given(kept_runs(), st.data())
@FEW
def test_an_effect_twice_breaks_law_1(run: KeptRun, data: st.DataObject) -> None:
    index = data.draw(st.sampled_from(effects_of(run)))
    last = run.history[-1]
    copy = {**run.world[index], "k": last["k"] + 5, "j": last["j"]}
    assert verdict_of(1, again(run, [*map(dict, run.world), copy])) == "broken"


@given(kept_runs(), st.data())
@FEW
def test_an_effect_elsewhere_breaks_law_2(run: KeptRun, data: st.DataObject) -> None:
    index = data.draw(st.sampled_from(effects_of(run)))
    world = [dict(line) for line in run.world]
    world[index]["target"] = {"node": "nobody named it"}
    assert verdict_of(2, again(run, world)) == "broken"
    assert verdict_of(3, again(run, world)) == "broken"


@given(kept_runs(), st.data())
@FEW
def test_an_effect_that_is_missing_breaks_laws_3_and_8(run: KeptRun, data: st.DataObject) -> None:
    index = data.draw(st.sampled_from(effects_of(run)))
    world = [dict(line) for number, line in enumerate(run.world) if number != index]
    assert verdict_of(3, again(run, world)) == "broken"
    assert verdict_of(8, again(run, world)) == "broken"


@given(kept_runs(), st.sampled_from(["refused", "unknown"]), st.data())
@FEW
def test_any_other_outcome_breaks_laws_3_and_8(run: KeptRun, outcome: str, data: st.DataObject) -> None:
    answers = [index for index, line in enumerate(run.history) if line["e"] == "answered"]
    history = [dict(line) for line in run.history]
    history[data.draw(st.sampled_from(answers))]["outcome"] = outcome
    assert verdict_of(3, again(run, history=history)) == "broken"
    assert verdict_of(8, again(run, history=history)) == "broken"


@given(kept_runs(), st.data(), st.floats(0.001, 1e6))
@FEW
def test_a_late_answer_breaks_law_4(run: KeptRun, data: st.DataObject, late_ms: float) -> None:
    answers = [index for index, line in enumerate(run.history) if line["e"] == "answered"]
    history = [dict(line) for line in run.history]
    answer = history[data.draw(st.sampled_from(answers))]
    asked = next(line for line in history if line["e"] == "asked" and line["call"] == answer["call"])
    answer["t"] = asked["t"] + asked["deadline_ms"] + late_ms
    assert verdict_of(4, again(run, history=history)) == "broken"
    assert verdict_of(4, again(run, history=history, mode="process")) == "unknown"


@given(kept_runs(), st.data())
@FEW
def test_a_restricted_effect_breaks_law_5(run: KeptRun, data: st.DataObject) -> None:
    index = data.draw(st.sampled_from(effects_of(run)))
    world = [dict(line) for line in run.world]
    world[index]["needs"] = "a grant that nobody gave"
    assert verdict_of(5, again(run, world)) == "broken"
    world[index]["grant"] = "but the world knows of it"
    assert verdict_of(5, again(run, world)) == "holds"


@given(st.binary(max_size=20), st.binary(max_size=20), st.integers(0, 14))
@FEW
def test_a_canary_anywhere_in_a_stream_breaks_law_6(before: bytes, after: bytes, cut: int) -> None:
    secret = b"hush-93-SECRET"
    script = Script(canaries=[{"value": secret.decode(), "allowed": []}], world={"secret": secret.decode()}).start()
    clean = script.sent(before).sent(after).run()
    assert verdict_of(6, clean) == "holds"
    data = before + secret + after
    middle = len(before) + cut
    assert verdict_of(6, script.sent(data[:middle]).sent(data[middle:]).run()) == "broken"


@given(kept_runs())
@FEW
def test_what_is_held_and_not_freed_breaks_law_7(run: KeptRun) -> None:
    last = run.history[-1]
    held = {"n": 0, "t": 0, "k": last["k"] + 1, "j": last["j"], "e": "held", "p": 1, "what": "lock", "id": "a"}
    world = [*map(dict, run.world), held]
    assert verdict_of(7, again(run, world)) == "broken"
    assert verdict_of(7, again(run, [*world, {**held, "k": held["k"] + 1, "e": "freed"}])) == "holds"


def test_no_law_reads_a_verdict_out_of_the_sheet() -> None:
    sheet = {**SHEET, "verdict": "holds", "laws": {str(law): "holds" for law in LAWS}}
    assert {verdict.verdict for verdict in judge(KeptRun(sheet, [], [], []))} == {"unknown"}
    assert re.fullmatch(r"[0-9a-f]{64}", judge(KeptRun(sheet, [], [], []))[0].run)
