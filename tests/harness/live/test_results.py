"""What a live run came to, in every mixture of verdicts and drift."""
from __future__ import annotations

from dataclasses import replace

import pytest

from harness.claims import Claim
from harness.evidence.summary import ClaimState
from harness.laws.verdict import Word
from harness.live.drift import Drift
from harness.live.results import DRIFT_SHOWN, Results
from tests.harness.live.rehearsed import rehearsed

GONE = Drift("reply initialize", "removed", "/result/userAgent", "text", "")
NEW = Drift("reply initialize", "added", "/result/x", "", "text")


def state(word: Word) -> ClaimState:
    return ClaimState(Claim("CUA-RUN-02", "behaviour", "ours", ("codex",), "x"), word, "model", (), ())


CASES: list[tuple[str, Results, str, int]] = [
    ("nothing ran", Results(), "unknown", 3),
    ("it holds", Results(states=[state("holds")]), "holds", 0),
    ("a claim is broken", Results(states=[state("holds"), state("broken")]), "broken", 1),
    ("a claim without teeth", Results(states=[state("unknown")]), "unknown", 3),
    ("one could not be run", Results(states=[state("holds")], failed=["x was not run"]), "unknown", 3),
    ("something is new", Results(states=[state("holds")], drift=[NEW]), "holds", 0),
    ("something is gone", Results(states=[state("holds")], drift=[NEW, GONE]), "broken", 1),
]


@pytest.mark.claim("HAR-LIVE-01")
@pytest.mark.parametrize(("results", "word", "code"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_one_verdict(results: Results, word: str, code: int) -> None:
    assert (results.word, results.exit_code) == (word, code)
    assert results.as_json()["verdict"] == word
    assert f"verdict   {word}" in next(results.as_text())


def test_all_that_matters_is_said() -> None:
    results = Results(
        "live", drift=[GONE] * (DRIFT_SHOWN + 2), untaped={"CUA-APP-01": "no tap"}, stays=["Chess, process 9: quit it"],
        failed=["x was not run: why"], uncompared="no tape of it",
    )  # fmt: skip
    text = "\n".join(results.as_text())
    for words in ("live: the real programs", "not shown CUA-APP-01: no tap", "userAgent: text is gone", "and 2 more",
                  "stays     Chess, process 9: quit it", "failed    x was not run: why",
                  "drift     not looked for: no tape of it"):  # fmt: skip
        assert words in text


def test_what_does_not_hold_is_said_with_its_reason() -> None:
    judged = rehearsed().results.judged[0]
    laws = [replace(law, verdict="broken", why="it was late") if law.law == 4 else law for law in judged.laws]
    then = [replace(judged.then[0], verdict="unknown", why="nobody looked"), *judged.then[1:]]
    results = Results(judged=[replace(judged, laws=laws, then=then)])
    text = "\n".join(results.as_text())
    assert "broken: law 4: it was late" in text
    assert f"unknown: {then[0].says}: nobody looked" in text
    assert results.exit_code == 1
