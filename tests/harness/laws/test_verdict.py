"""Three-valued verdicts: precedence, exit codes, and that unknown never counts as holds."""
from __future__ import annotations

from itertools import product

import pytest

from harness.laws.verdict import EXIT_CODES, PRECEDENCE, Verdict, Word, combine, exit_code, moot, overall


def verdict(word: Word, is_moot: bool = False) -> Verdict:
    return Verdict(1, word, "why", (3,), (12, 14), ((1, 7),), "0" * 64, "trailcam run a.yaml --seed 7", is_moot)


@pytest.mark.claim("HAR-LAW-02", tooth="unknown counted as holds")
@pytest.mark.parametrize("words", [words for count in range(4) for words in product(PRECEDENCE, repeat=count)])
def test_broken_before_unknown_before_holds(words: tuple[Word, ...]) -> None:
    expected = "unknown" if not words else min(words, key=PRECEDENCE.index)
    assert combine(words) == expected
    assert (combine(words) == "holds") == (set(words) == {"holds"})


@pytest.mark.claim("HAR-LAW-02", tooth="another exit code")
def test_exit_codes() -> None:
    assert {word: exit_code(word) for word in PRECEDENCE} == {"holds": 0, "broken": 1, "unknown": 3}
    assert set(EXIT_CODES) == set(PRECEDENCE)
    with pytest.raises(KeyError):
        exit_code("not shown")


OVERALL: list[tuple[list[Verdict], Word]] = [
    ([], "unknown"),
    ([verdict("unknown", True)], "unknown"),
    ([verdict("holds"), verdict("unknown", True)], "holds"),
    ([verdict("holds"), verdict("unknown")], "unknown"),
    ([verdict("broken"), verdict("unknown"), verdict("holds")], "broken"),
    ([verdict("unknown", True), verdict("broken")], "broken"),
]


@pytest.mark.parametrize(("verdicts", "word"), OVERALL)
def test_what_had_nothing_to_judge_stands_back(verdicts: list[Verdict], word: Word) -> None:
    assert overall(verdicts) == word


def test_as_json_is_the_form_of_the_interface() -> None:
    assert verdict("broken").as_json() == {
        "law": 1, "verdict": "broken", "why": "why", "calls": [3], "world": [12, 14], "frames": [[1, 7]],
        "run": "0" * 64, "again": "trailcam run a.yaml --seed 7",
    }  # fmt: skip
    assert list(verdict("broken").as_json()) == ["law", "verdict", "why", "calls", "world", "frames", "run", "again"]
    assert verdict("unknown", True).as_json()["moot"] is True


def test_moot_is_unknown_with_its_reason() -> None:
    found = moot("no call")
    assert (found.verdict, found.moot, found.why) == ("unknown", True, "nothing to judge: no call")
