"""`trailcam guards`: survivors first, counts, reasons, mistakes, teeth; exit codes 0, 1, 2, 3."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.campaign.bench import Bench
from harness.campaign.guards import KINDS, Guard
from harness.campaign.killers import read_killers
from harness.campaign.scripts.find import KINDS as SCRIPT_KINDS
from harness.campaign.teeth import guard_teeth
from harness.campaign.trial import Tried
from harness.campaign.verdict import Verdict
from harness.campaign.wrong_logic import Mistake
from harness.cli import compose
from harness.commands import guards
from harness.commands.guards import Outcome

SCENARIO = """scenario: A call without a target is refused
subject: computer-use
about: [codex]
world: {approvals: {com.apple.Chess: always}}
steps:
  - {call: get_app_state, as: look, arguments: {app: ""}}
then:
  - claim: [CUA-RUN-01]
    says: it is refused
    every: {history: {e: answered}}
    has: {outcome: refused, code: invalid_arguments}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "scenarios" / "computer-use" / "a.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(SCENARIO)
    return tmp_path


def words(folder: Path, *more: str) -> list[str]:
    return ["guards", "--scenarios", str(folder / "scenarios"), "--teeth", str(folder / "teeth.jsonl"),
            "--reasons", str(folder / "none.yaml"), "--killers", str(folder / "killers.json"),
            "--jobs", "2", *more]  # fmt: skip


def test_guards_of_one_function_against_one_scenario(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = compose(words(folder, "--module", "call.py#Call._prepared", "--json", "--thorough", "--learn"))
    found = json.loads(capsys.readouterr().out)
    states = {row["guard"].partition("#")[2]: row["state"] for row in found["guards"]}
    assert states == {"Call._prepared:raise:1": "killed"}
    assert status == 0
    assert found["counts"]["killed"] == 1
    teeth = guard_teeth(folder / "teeth.jsonl")
    assert [claims["CUA-RUN-01"] for claims in teeth.values()] == [
        ["guard:stack/computer_use/call.py#Call._prepared:raise:1"]
    ] * 2, "one for each profile"
    (row,) = read_killers(folder / "killers.json").items()
    assert row == (found["guards"][0]["guard"], found["guards"][0]["by"])


def test_where_nothing_taken_out_is_noticed_no_guard_is_tried(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bench, "control", lambda bench: Tried(True, "can't be imported"))
    assert compose(words(folder, "--module", "call.py#Call._prepared", "--json")) == 3
    found = json.loads(capsys.readouterr().out)
    assert found["guards"] == []
    assert found["unable"] == ["the stack with nothing taken out: can't be imported "]


def test_what_nobody_noticed_is_said_as_soon_as_it_is_known(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compose(words(folder, "--module", "call.py#Call._pre")) == 0
    assert "raise:1" not in capsys.readouterr().err, "what is killed is counted, and no more"
    assert compose(words(folder, "--module", "applications.py#_single:raise:1")) == 1
    said = "trailcam guards: unreached: guard:stack/computer_use/applications.py#_single:raise:1 (no run comes by it)"
    assert said in capsys.readouterr().err


def test_the_list_names_guards_and_tries_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compose(words(folder, "--list", "--module", "applications.py#_single")) == 0
    out = capsys.readouterr().out
    assert out.startswith("guard:stack/computer_use/applications.py#_single:raise:1  raise CallError")
    assert compose(words(folder, "--list", "--json", "--module", "applications.py#_single")) == 0
    assert json.loads(capsys.readouterr().out)[1]["kind"] == "raise"


@pytest.mark.parametrize("more", [["--module", "nowhere"], ["--jobs", "x"], ["--system", "another"]])
def test_wrong_words_are_usage(folder: Path, more: list[str]) -> None:
    assert compose(words(folder, *more)) == 2


def test_a_folder_without_scenarios_is_usage(tmp_path: Path) -> None:
    assert compose(words(tmp_path)) == 2


GUARD = Guard("guard:a.py#f:raise:1", "raise", "a.py", (1, 1), "raise A")
KILLED = Verdict(GUARD, "killed", Tried(True, "law 1", "a: base", "again"))
MISTAKE = Mistake("m", "a.yaml", "", "a.py", "old", "new")


@pytest.mark.parametrize(("outcome", "status"), [
    (Outcome([KILLED], [(MISTAKE, Tried(True, "law 1"))]), 0),
    (Outcome([Verdict(GUARD, "equivalent", Tried(False), "why")]), 0),
    (Outcome([KILLED, Verdict(GUARD, "survived", Tried(False), "why")]), 1),
    (Outcome([Verdict(GUARD, "unreached", Tried(False), "why")]), 1),
    (Outcome([KILLED], [(MISTAKE, Tried(False))]), 1),
    (Outcome([KILLED], stale=["line 3: …"]), 1),
    (Outcome([Verdict(GUARD, "untried", Tried(False), "why")]), 3),
    (Outcome([KILLED], unable=["a.yaml: …"]), 3),
    (Outcome([KILLED], baseline=["a.yaml: …"]), 3),
])  # fmt: skip
def test_exit_codes(outcome: Outcome, status: int) -> None:
    assert outcome.exit_code == status
    assert outcome.verdicts[0].guard.id in json.dumps(guards.as_json(outcome))


def test_text_has_survivors_first_and_hides_nothing() -> None:
    outcome = Outcome([KILLED, Verdict(GUARD, "survived", Tried(False), "3 runs noticed nothing")],
                      [(MISTAKE, Tried(False))], ["line 3"], ["b"], ["c"], 9)  # fmt: skip
    lines = list(guards.as_text(outcome))
    assert lines[0].startswith("2 guards: 1 killed, 0 equivalent, 1 survived")
    assert lines[1].startswith("survived    guard:a.py#f:raise:1  raise A")
    assert "3 runs noticed nothing" in lines[2]
    assert lines[3] == "NOT CAUGHT  m  (noticed by nothing; a.yaml)"
    assert lines[4:7] == ["stale reason  line 3", "could not run  b", "broken as it is  c"]
    assert lines[7] == "raise       1 killed, 1 survived"


@pytest.mark.parametrize("kind", [*KINDS, *SCRIPT_KINDS])
def test_a_guard_of_every_kind_is_counted(kind: str) -> None:
    verdict = Verdict(Guard(f"guard:a#f:{kind}:1", kind, "a", (1, 1), "text"), "killed", Tried(True, "law 1"))
    assert guards.as_json(Outcome([verdict]))["kinds"] == {kind: {"killed": 1}}
