"""Scenario and choice to run sheet: pure, sound for the laws, and refused where it can't be had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.faults.problem import PlanProblem
from harness.kept.sheet import check_sheet
from harness.scenario.compile import SITUATION, Choice, applies, compile_sheet, merged, plan_of, runs_on
from harness.scenario.problem import ScenarioProblem
from harness.scenario.scenario import load_scenario
from harness.wire.jsontext import dumps
from tests.harness.scenario.files import loaded

ROOT = Path(__file__).resolve().parents[3] / "scenarios"
PLAN: dict[str, Any] = {"v": 1, "faults": [{"id": "f1", "fault": "drop", "at": {"way": "<<"}}]}


def test_a_sheet_is_what_the_laws_read(tmp_path: Path) -> None:
    sheet = compile_sheet(loaded(tmp_path), Choice())
    check_sheet(sheet)
    assert sheet == compile_sheet(loaded(tmp_path), Choice())
    assert dumps(sheet)
    assert (sheet["profile"], sheet["back"], sheet["mode"]) == ("0.171.0", "model", "virtual")
    assert sheet["programs"] == {"codex": {"profile": "0.171.0"}}
    assert sheet["steps"] == [
        {"call": {"tool": "get_app_state", "arguments": {"app": "Chess"}}, "as": "look", "means": None,
         "expect": {"outcome": "done"}},
    ]  # fmt: skip
    assert sheet["then"][0]["claims"] == ["CUA-RES-02"]
    assert sheet["plan"]["faults"] == []
    assert "case" not in sheet
    assert str(tmp_path) not in dumps(sheet)


@pytest.mark.parametrize("path", sorted(ROOT.glob("computer-use/*.yaml")), ids=lambda path: path.stem)
def test_every_scenario_and_case_compiles(path: Path) -> None:
    scenario = load_scenario(path)
    for profile in scenario.profiles:
        check_sheet(compile_sheet(scenario, Choice(profile)))
        for name, case in scenario.cases.items():
            if applies(case.only, profile, "virtual", "model"):
                check_sheet(compile_sheet(scenario, Choice(profile, case=name)))


def test_a_case_puts_its_sections_over_and_expects_what_it_says_itself(tmp_path: Path) -> None:
    text = """{a: {programs: {codex: {strict: false}}, world: {approvals: {com.apple.TextEdit: always}},
      expect: {again: refused}, then: [{says: x, some: {world: {}}}]}}"""
    steps = "[{call: x, as: first, expect: done}, {call: x, as: again, expect: done}]"
    sheet = compile_sheet(loaded(tmp_path, cases=text, steps=steps, goal="[{e: effect}]", then="", teeth="",
                                 laws="{7: [CUA-CLN-01]}"), Choice(case="a"))  # fmt: skip
    assert sheet["programs"]["codex"] == {"profile": "0.171.0", "strict": False}
    assert sheet["world"]["approvals"] == {"com.apple.Chess": "always", "com.apple.TextEdit": "always"}
    assert [step.get("expect") for step in sheet["steps"]] == [None, {"outcome": "refused"}]
    assert sheet["goal"] == []
    assert sheet["case"] == "a"


def test_after_its_faults_a_case_expects_the_next_attempts(tmp_path: Path) -> None:
    steps = "[{call: x, as: first, expect: done}, {call: x, as: next, expect: done, again: true}]"
    text = "{a: {faults: [{fault: drop, at: {way: '<<'}}], then: [{says: x, some: {world: {}}}]}}"
    sheet = compile_sheet(loaded(tmp_path, cases=text, steps=steps, then="", teeth=""), Choice(case="a"))
    assert [step.get("expect") for step in sheet["steps"]] == [None, {"outcome": "done"}]
    assert [fault["id"] for fault in sheet["plan"]["faults"]] == ["f1"]
    assert sheet["planned"] == "case"


def test_what_is_different_in_a_case_can_be_left_out(tmp_path: Path) -> None:
    scenario = loaded(tmp_path)
    whole = compile_sheet(scenario, Choice(case="a turn begins"))
    without = compile_sheet(scenario, Choice(case="a turn begins", without="f1"))
    assert without["plan"]["faults"] == []
    assert without["then"] == whole["then"]
    other = compile_sheet(scenario, Choice(case="another working folder", without=SITUATION))
    assert other["programs"] == {"codex": {"profile": "0.171.0"}}
    assert other["without"] == SITUATION


def test_a_given_plan_is_judged_by_the_laws_alone(tmp_path: Path) -> None:
    sheet = compile_sheet(loaded(tmp_path), Choice(plan=PLAN, seed=9))
    assert sheet["then"] == []
    assert sheet["planned"] == "given"
    assert sheet["plan"]["seed"] == 9


def test_items_are_judged_where_they_say(tmp_path: Path) -> None:
    then = """
  - {says: always, some: {world: {}}}
  - {says: old, only: {profile: "0.144.2"}, some: {world: {}}}
  - {says: real, only: {mode: process, back: [model, engine]}, some: {world: {}}}
"""
    scenario = loaded(tmp_path, then=then, teeth="")

    def said(**choice: Any) -> list[str]:
        return [item["says"] for item in compile_sheet(scenario, Choice(**choice))["then"]]

    assert said() == ["always"]
    assert said(profile="0.144.2") == ["always", "old"]
    assert said(mode="process") == ["always", "real"]


def test_the_engine_stands_in_the_sheet_by_its_name(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, backs="[model, engine]")
    sheet = compile_sheet(scenario, Choice("0.144.2", "engine", "process"))
    assert sheet["programs"] == {"codex": {"engine": "codex-0.144.2", "dialect": "jsonrpc"}}
    assert sheet["backs"] == {"codex": "engine"}
    assert not runs_on(scenario, scenario.cases["another working folder"], "engine")
    assert runs_on(scenario, scenario.cases["a turn begins"], "engine")


def test_a_tape_stands_in_the_sheet_by_its_path(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, backs="[model, tape]", tapes='{"0.171.0": {codex: scenarios/tapes/x.jsonl}}')
    sheet = compile_sheet(scenario, Choice(back="tape"))
    assert sheet["backs"] == {"codex": "tape"}
    assert sheet["programs"]["codex"] == {"tape": "scenarios/tapes/x.jsonl", "argv": "free"}
    assert not any(runs_on(scenario, case, "tape") for case in scenario.cases.values())
    assert runs_on(scenario, None, "tape")


def test_on_a_tape_no_call_means_anything_and_there_is_no_goal(tmp_path: Path) -> None:
    means = {"verb": "click", "ref": None, "value": None}
    steps = f"\n  - {{call: click, as: look, arguments: {{}}, means: {dumps(means)}}}\n  - {{wait_ms: 1}}"
    scenario = loaded(
        tmp_path, backs="[model, tape]", tapes='{"0.171.0": {codex: x.jsonl}}', steps=steps,
        goal="[{e: effect}]",
    )  # fmt: skip
    wanted = {back: compile_sheet(scenario, Choice(back=back)) for back in ("model", "tape")}
    assert [wanted[back]["steps"][0]["means"] for back in wanted] == [means, None]
    assert [wanted[back]["goal"] for back in wanted] == [[{"e": "effect"}], []]
    assert wanted["tape"]["steps"][1] == {"wait_ms": 1}


def test_canaries_around_the_stack_are_there_in_process_runs_alone(tmp_path: Path) -> None:
    canaries = """
  - {name: a, value: canary-a-1, allowed: [], planted: environment KEY}
  - {name: b, value: canary-b-1, allowed: [], planted: home .codex/auth.json}
  - {name: c, value: canary-c-1, allowed: []}
"""
    scenario = loaded(tmp_path, canaries=canaries)
    assert [each["name"] for each in compile_sheet(scenario, Choice())["canaries"]] == ["c"]
    assert [each["name"] for each in compile_sheet(scenario, Choice(mode="process"))["canaries"]] == ["a", "b", "c"]


def test_files_of_a_second_stack_may_stay_too(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, steps="[{open: other}, {call: x, as: look, on: other}]", keeps="[notes.txt]")
    assert compile_sheet(scenario, Choice())["keeps"] == [
        "computer-use-audit.jsonl", "notes.txt", "other/computer-use-audit.jsonl", "other/notes.txt",
    ]  # fmt: skip


REFUSED: list[tuple[Choice, dict[str, str], str, str]] = [
    (Choice(profile="0.1"), {}, "profile '0.1'", "0.144.2, 0.171.0"),
    (Choice(profile="0.144.2"), {"profiles": '["0.171.0"]'}, "profile '0.144.2'", "0.171.0"),
    (Choice(back="engine", mode="process"), {}, "back 'engine'", "model"),
    (Choice(mode="alone"), {}, "mode 'alone'", "virtual, process"),
    (Choice(back="engine"), {"backs": "[engine]"}, "back engine in mode virtual", "mode process"),
    (Choice(case="a tern begins"), {}, "'a tern begins' (did you mean a turn begins?)", "another working folder"),
    (Choice(case="x"), {"cases": ""}, "the case 'x'", "it has no cases"),
    (
        Choice(case="another working folder", back="engine", mode="process"), {"backs": "[engine, model]"},
        "the case 'another working folder' with 0.171.0, process, engine", "what its `only` has",
    ),
    (
        Choice(back="engine", mode="process"), {"backs": "[engine]", "programs": "{codex: {strict: false}}"},
        "back engine with settings of a fake", "no settings of codex",
    ),
    (Choice(back="tape"), {"backs": "[tape]"}, "back tape of 0.171.0", "a tape under `tapes`"),
    (Choice(back="tape", case="a turn begins"), {"backs": "[tape]"}, "back tape in the case", "as it is"),
]  # fmt: skip


@pytest.mark.parametrize(("choice", "replaced", "seen", "expected"), REFUSED)
def test_a_choice_that_can_not_be_had_is_refused(
    tmp_path: Path, choice: Choice, replaced: dict[str, str], seen: str, expected: str
) -> None:
    with pytest.raises(ScenarioProblem) as caught:
        compile_sheet(loaded(tmp_path, **replaced), choice)
    assert seen in caught.value.seen
    assert expected in caught.value.expected


def test_a_profile_without_an_engine_has_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = loaded(tmp_path, backs="[engine]")
    bare = {
        name: type(profile)(profile.programs, profile.versions) for name, profile in scenario.system.profiles.items()
    }
    monkeypatch.setattr("harness.scenario.compile.runs_on", lambda *given: True)
    changed = type(scenario.system)(**{**fields_of(scenario.system), "profiles": bare})
    with pytest.raises(ScenarioProblem, match="a profile with an engine"):
        compile_sheet(type(scenario)(**{**fields_of(scenario), "system": changed}), Choice("", "engine", "process"))


def fields_of(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def test_merging_goes_member_by_member() -> None:
    assert merged({"a": {"b": 1, "c": [1]}, "d": 2}, {"a": {"c": [2]}, "d": {"e": 1}}) == {
        "a": {"b": 1, "c": [2]}, "d": {"e": 1},
    }  # fmt: skip


def test_a_plan_in_json_is_checked() -> None:
    assert plan_of(dumps(PLAN))["faults"][0]["at"] == {"way": "<<", "nth": 1}
    with pytest.raises(ScenarioProblem, match="a plan that is no JSON"):
        plan_of("{", "p.json")
    with pytest.raises(PlanProblem, match="the name of a fault"):
        plan_of('{"v":1,"faults":[{"id":"f1","fault":"drip"}]}')


def test_an_engine_behind_the_fakes_leaves_them_and_their_settings(tmp_path: Path) -> None:
    text = (
        "scenario: A page\nsubject: safari-mcp\nabout: [safaridriver]\nbacks: [model, engine]\n"
        "programs: {safaridriver: {call_ms: 1}}\nsteps: [{call: tabs}]\n"
        "then: [{claim: [SAF-TABS-01], says: it answers, count: {history: {e: answered}}, is: 1}]\n"
    )
    path = tmp_path / "page.yaml"
    path.write_text(text)
    scenario = load_scenario(path)
    sheet = compile_sheet(scenario, Choice("27.0", "engine", "process"))
    assert sheet["backs"] == {"page": "engine"} and sheet["carries"] == {"safaridriver": ["page"]}
    assert sheet["programs"] == {"safaridriver": {"profile": "27.0", "call_ms": 1}}
    model = compile_sheet(scenario, Choice("27.0", "model", "process"))
    assert "carries" not in model and "backs" not in model
    assert {**sheet, "back": "model"}.keys() - model.keys() == {"backs", "carries"}
