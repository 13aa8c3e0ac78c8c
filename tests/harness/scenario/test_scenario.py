"""Scenario files: what is read, what is refused with its line, and that the ones of the checkout stand on claims."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.claims import load_claims
from harness.scenario.problem import ScenarioProblem
from harness.scenario.scenario import Scenario, load_scenario, name_of, names_of
from tests.harness.scenario.files import SMALL, loaded, written

ROOT = Path(__file__).resolve().parents[3] / "scenarios"
FILES = sorted(ROOT.glob("computer-use/*.yaml"))


def test_a_scenario_is_read(tmp_path: Path) -> None:
    scenario = loaded(tmp_path)
    assert scenario.name == "computer-use/small.yaml"
    assert scenario.system.name == "computer-use"
    assert scenario.profiles == tuple(scenario.system.profiles)
    assert (scenario.backs, scenario.runs) == (("model",), ("virtual",))
    assert scenario.claims == {"CUA-RES-02", "CUA-RUN-04", "CUA-RUN-07"}
    assert list(scenario.cases) == ["a turn begins", "another working folder"]
    assert scenario.then[0].data["every"] == {"history": {"e": "answered", "call": 0}}
    assert scenario.cases["another working folder"].only == {"back": ("model",)}
    assert scenario.teeth[0].turns == ("CUA-RES-02",)


REFUSED: list[tuple[dict[str, str], int | None, str, str]] = [
    ({"senario": "x"}, 32, "'senario' in a scenario (did you mean scenario?)", "one of scenario"),
    ({"scenario": "''"}, 1, "'' for 'scenario'", "a text"),
    ({"steps": ""}, 1, "a scenario without 'steps'", "what is done"),
    ({"steps": "[]"}, 6, "no step", "a list of steps"),
    ({"subject": "computer-usa"}, 2, "subject 'computer-usa'", "computer-use"),
    ({"about": "codex"}, 3, "'codex' for 'about'", "a list of texts"),
    ({"about": "[codecs]"}, 3, "'codecs' for a program (did you mean codex?)", "codex, helper"),
    ({"about": "[codex, codex]"}, 3, "['codex', 'codex']", "each once"),
    ({"about": "[]"}, 3, "[]", "a program or several"),
    ({"profiles": "[0.1]"}, 32, "[0.1] for 'profiles'", "a list of texts"),
    ({"profiles": "['0.1']"}, 32, "'0.1' for a profile", "0.144.2, 0.171.0"),
    ({"backs": "[live]"}, 32, "'live' for a back", "model, tape, engine"),
    ({"runs": "[alone]"}, 32, "'alone' for a mode", "virtual, process"),
    ({"plans": "all"}, 32, "'all' for 'plans'", "one of none, few, standard"),
    ({"world": "[1]"}, 4, "[1] for 'world'", "an object"),
    ({"programs": "{codecs: {}}"}, 32, "'codecs' in programs (did you mean codex?)", "one of codex"),
    ({"start_ms": "{lsapp: 3}"}, 32, "'lsapp' in start_ms (did you mean lsappinfo?)", "one of codex"),
    ({"steps": "[{call: x, tell: y}]"}, 6, "a step with call and tell", "one of call"),
    ({"steps": "[{as: x}]"}, 6, "a step with no action", "one of call"),
    ({"steps": "[{tell: x, as: y}]"}, 6, "'as' of a step that is 'tell'", "one of data"),
    ({"steps": "[{wait_ms: x}]"}, 6, "'x' for 'wait_ms'", "a number from 0"),
    ({"steps": "[{wait_ms: true}]"}, 6, "True for 'wait_ms'", "a number from 0"),
    ({"steps": "[{look: world}]"}, 6, "'world' for 'look'", "one of status, tools"),
    ({"steps": "[{call: x, background: true}]"}, 6, "a call in the background without a name", "as: its name"),
    ({"steps": "[{call: x, as: a}, {call: x, as: a}]"}, 6, "a second call named 'a'", "each name once"),
    ({"steps": "[{await: a}]"}, 6, "await of 'a'", "the name (`as`) of a call before it"),
    ({"steps": "[{cancel: a}]"}, 6, "cancel of 'a'", "the name (`as`) of a call before it"),
    ({"steps": "[{call: x, on: b}]"}, 6, "on 'b'", "the name of a stack that is open"),
    ({"steps": "[{close: b}]"}, 6, "close 'b'", "the name of a stack that is open"),
    ({"steps": "[{open: b}, {close: b}, {call: x, on: b}]"}, 6, "on 'b'", "the name of a stack that is open"),
    ({"steps": "[{call: x, means: {verb: 1}}]"}, 6, "{'verb': 1} for 'means'", "{verb, ref, value, looks}"),
    ({"steps": "[{call: x, means: {verb: a, looks: 1}}]"}, 6, "'looks': 1} for 'means'", "{verb, ref, value, looks}"),
    ({"steps": "[{call: x, expect: fine}]"}, 6, "'fine' for 'expect'", "one of done, refused, unknown"),
    ({"then": "[]"}, 8, "no item", "a list of items"),
    ({"then": "[{says: x}]"}, 8, "an item with no assertion", "one of some"),
    ({"then": "[{some: {world: {}}}]"}, 8, "an item of `then` without 'says'", "the item in words"),
    ({"then": "[{says: x, some: {world: {}}, none: {world: {}}}]"}, 8, "an item with some and none", "one of some"),
    ({"then": "[{says: x, some: {word: {}}}]"}, 8, "'word' for a book (did you mean world?)", "one book of history"),
    ({"then": "[{says: x, some: {world: {}, history: {}}}]"}, 8, "for a selection", "one book of history"),
    ({"then": "[{says: x, some: {world: [1]}}]"}, 8, "[1] for a pattern", "keys and values"),
    ({"then": "[{says: x, some: [1]}]"}, 8, "[1] for a selection", "one book"),
    ({"then": "[{says: x, some: {world: {e: {$like: a}}}}]"}, 8, "/e/$like in a pattern", "one of $absent"),
    ({"then": "[{says: x, some: {world: {e: {$matches: '('}}}}]"}, 8, "/e/$matches in a pattern", "regular expression"),
    ({"then": "[{says: x, every: {world: {}}, has: {a: {$size: -1}}}]"}, 8, "/a/$size in a pattern", "of this length"),
    ({"then": "[{says: x, every: {world: {}}, has: 1}]"}, 8, "1 for a pattern", "keys and values"),
    ({"then": "[{says: x, none: {world: {}}}]"}, 8, "'none' without 'among'", "what must be there"),
    ({"then": "[{says: x, every: {world: {}}}]"}, 8, "'every' without 'has'", "what each line must have"),
    ({"then": "[{says: x, some: {world: {}}, has: {}}]"}, 8, "'has' beside 'some'", "among beside it"),
    ({"then": "[{says: x, law: 7, among: {world: {}}}]"}, 8, "'among' beside 'law'", "nothing beside it"),
    ({"then": "[{says: x, law: 9}]"}, 8, "9 for 'law'", "a number from 1 to 8"),
    ({"then": "[{says: x, count: {world: {}}}]"}, 8, "a count without one number", "is, at_least or at_most"),
    ({"then": "[{says: x, count: {world: {}}, is: 1, at_most: 2}]"}, 8, "a count without one number", "is, at_least"),
    ({"then": "[{says: x, order: [{world: {}}]}]"}, 8, "order of fewer than two", "a list of selections"),
    ({"then": "[{says: x, order: 1}]"}, 8, "order of fewer than two", "a list of selections"),
    ({"then": "[{says: x, equal: [{world: {}}, {world: {}}]}]"}, 8, "for a selection", "at: a JSON pointer"),
    ({"then": "[{says: x, equal: [{world: {}, at: e}, {world: {}, at: /e}]}]"}, 8, "'e' for a pointer", "/value/id"),
    ({"then": "[{says: x, some: {history: {call: lok}}}]"}, 8, "call 'lok' (did you mean look?)", "the name (`as`)"),
    ({"then": "[{says: x, some: {world: {}}, only: {day: monday}}]"}, 8, "an `only` of another form", "any of profile"),
    ({"then": "[{says: x, some: {world: {}}, only: {mode: alone}}]"}, 8, "'alone' for a mode", "virtual, process"),
    ({"laws": "[1]"}, 32, "laws of another form", "number of a law"),
    ({"laws": "{9: [CUA-RES-02]}"}, 32, "'9' in laws", "a number from 1 to 8"),
    ({"laws": "{3: []}"}, 32, "'3' in laws", "with a list of claims"),
    ({"cases": "{}"}, 13, "no case", "name of a case"),
    ({"cases": "{a: {then: [{says: x, some: {world: {}}}]}}"}, 13, "the case 'a' with nothing", "one of faults"),
    ({"cases": "{a: {world: {}}}"}, 13, "the case 'a' without 'then'", "asserted"),
    ({"cases": "{a: {faults: [], then: [{says: x, some: {world: {}}}]}}"}, 13, "no fault", "a list of faults"),
    ({"cases": "{a: {faults: [{fault: drip}], then: [{says: x, some: {world: {}}}]}}"}, 13, "drip", "name of a fault"),
    ({"cases": "{a: {faults: [1], then: [{says: x, some: {world: {}}}]}}"}, 13, "faults[0] = 1", "an object"),
    (
        {"cases": "{a: {faults: [{id: f2, fault: drop, at: {way: '<<'}}, {fault: drop, at: {way: '<<'}}], "
                  "then: [{says: x, some: {world: {}}}]}}"},
        13, "ids f2, f2", "each id once",
    ),
    ({"cases": "{a: {world: {}, expect: {lok: done}, then: [{says: x, some: {world: {}}}]}}"}, 13, "of 'lok'", "call"),
    ({"cases": "{a: {programs: {codecs: {}}, then: [{says: x, some: {world: {}}}]}}"}, 13, "'codecs' in", "codex"),
    ({"teeth": "[]"}, 30, "no tooth", "a list of broken stacks"),
    ({"teeth": "[{broken: sulks, turns: [CUA-RES-02]}]"}, 30, "broken = 'sulks'", "one of answers"),
    ({"teeth": "[{broken: answers, with: {colour: red}, turns: [CUA-RES-02]}]"}, 30, "'colour' of", "one of tool"),
    ({"teeth": "[{broken: takes_long, turns: [CUA-RES-02]}]"}, 30, "takes_long without 'ms'", "so long"),
    ({"teeth": "[{broken: refuse, turns: []}]"}, 30, "broken = 'refuse'", "one of answers"),
    ({"teeth": "[{broken: calls_twice, turns: []}]"}, 30, "a tooth that turns nothing", "a list of claims"),
    ({"teeth": "[{broken: calls_twice, turns: [CUA-SIG-01]}]"}, 30, "turns CUA-SIG-01", "of this scenario"),
    ({"teeth": "[{broken: calls_twice, of: a turn begin, turns: [CUA-RES-02]}]"}, 30, "did you mean a turn", "a case"),
    ({"then": "", "cases": "", "teeth": ""}, 1, "a scenario that asserts nothing", "then, cases or laws"),
]  # fmt: skip


@pytest.mark.claim("HAR-CLI-01")
@pytest.mark.parametrize(("replaced", "line", "seen", "expected"), REFUSED)
def test_what_is_refused_is_named_with_its_line(
    tmp_path: Path, replaced: dict[str, str], line: int | None, seen: str, expected: str
) -> None:
    with pytest.raises(ScenarioProblem) as caught:
        loaded(tmp_path, **replaced)
    assert seen in caught.value.seen
    assert expected in caught.value.expected
    assert caught.value.line == line
    assert caught.value.file == str(tmp_path / "scenarios/computer-use/small.yaml")
    assert caught.value.exit_code == 2


def test_a_claim_that_there_is_not_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert load_scenario(path, {"CUA-RES-02", "CUA-RUN-04", "CUA-RUN-07"}).claims
    with pytest.raises(ScenarioProblem, match=r"claim 'CUA-RUN-07' \(did you mean CUA-RUN-04\?\)"):
        load_scenario(path, {"CUA-RES-02", "CUA-RUN-04"})


def test_names_of_files(tmp_path: Path) -> None:
    assert name_of(tmp_path / "scenarios" / "a" / "b.yaml") == "a/b.yaml"
    assert name_of(tmp_path / "b.yaml") == "b.yaml"


def test_calls_are_numbered_as_the_history_numbers_them() -> None:
    assert names_of([{"tell": "x"}, {"call": "a"}, {"call": "b", "as": "second"}]) == {"second": 1}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_scenarios_of_the_checkout_are_sound(path: Path) -> None:
    scenario = load_scenario(path, load_claims(ROOT / "claims"))
    assert scenario.claims
    assert path.stem.replace("-", "").isalnum()
    assert scenario.teeth or scenario.cases or scenario.laws


@given(st.data())
def test_a_spoiled_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(SMALL)))
    length = data.draw(st.integers(0, 12))
    put = data.draw(st.sampled_from(["", "x", ": ", "- ", "{", "]", "\n", "'", "&a ", "12", "null"]))
    path = tmp_path_factory.mktemp("spoiled") / "s.yaml"
    path.write_text(SMALL[:begin] + put + SMALL[begin + length :], encoding="utf-8")
    found: Scenario | ScenarioProblem
    try:
        found = load_scenario(path)
    except ScenarioProblem as problem:
        found = problem
    assert found.file == str(path)
    assert isinstance(found, Scenario) or found.line is None or found.line >= 1
