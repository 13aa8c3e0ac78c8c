"""The rules about claims, on bad rows and on good."""
from __future__ import annotations

from typing import Any

import pytest

from tests.tidy import claims
from tests.tidy.tree import Source

ROW: dict[str, Any] = {
    "id": "HAR-NET-01", "kind": "refusal", "from": "harness", "about": ["codex", "harness"], "claim": "It holds.",
}


def test_a_well_formed_row_passes() -> None:
    assert claims.form("a.yaml", [ROW]) == []


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "wish"},
        {"from": "somewhere"},
        {"about": []},
        {"about": ["harness", "codex"]},
        {"about": ["codex", "codex"]},
        {"about": ["firefox"]},
        {"more": 1},
    ],
)
def test_badly_formed_rows_are_found(change: dict[str, Any]) -> None:
    assert len(claims.form("a.yaml", [{**ROW, **change}])) == 1


def test_a_row_without_a_field_is_found() -> None:
    assert len(claims.form("a.yaml", [{name: ROW[name] for name in ROW if name != "about"}])) == 1


def test_another_set_of_ids_is_found() -> None:
    assert len(claims.id_set(["HAR-NET-01"])) == 1
    assert claims.id_set(["HAR-NET-01", "HAR-NET-01"])[0] == "HAR-NET-01 stands twice"


def test_markers_are_read_with_their_lines() -> None:
    text = '\n@pytest.mark.claim("A-B-01", "A-B-02")\ndef test_a(): ...\npytestmark = pytest.mark.claim(C)\n'
    assert claims.marked(Source("tests/test_a.py", text)) == [(2, "A-B-01"), (2, "A-B-02"), (4, "C")]


def test_claims_of_a_scenario_are_found_wherever_they_stand() -> None:
    scenario = {"then": [{"claims": ["A-B-01"], "law": 1}, {"claims": "A-B-02"}], "steps": [{"call": {}}]}
    assert claims.named_in(scenario) == ["A-B-01", "A-B-02"]


def test_names_that_no_claim_has_are_found() -> None:
    named = [("a.yaml", "HAR-NET-01"), ("b.py:3", "HAR-NET-99")]
    assert claims.unknown(named, ["HAR-NET-01"]) == ["b.py:3 names HAR-NET-99, which is no claim"]


def test_ids_in_words_are_seen() -> None:
    assert claims.mentioned("by HAR-NET-01 and SAF-ARG-01, not A-B-01 or HAR-NET-1") == ["HAR-NET-01", "SAF-ARG-01"]


def test_due_claims_that_nothing_names_are_found() -> None:
    ids = ["HAR-NET-01", "HAR-COV-01", "SAF-ARG-01"]
    assert claims.unnamed(["HAR-NET-01"], ids) == ["HAR-COV-01 is named by no scenario and no test"]


def test_markers_with_teeth_are_told_from_those_without() -> None:
    text = 'import pytest\n@pytest.mark.claim("A-B-01", tooth="x")\n@pytest.mark.claim("A-B-02")\ndef test_a(): ...\n'
    assert claims.with_teeth(Source("tests/test_a.py", text)) == ["A-B-01"]


def test_due_claims_without_teeth_are_found() -> None:
    ids = ["HAR-WIRE-01", "HAR-FLT-01", "HAR-BYO-01"]
    assert claims.toothless(["HAR-WIRE-01"], ids) == ["HAR-FLT-01 has no test that breaks something and sees it caught"]
    assert claims.toothless(ids, ids) == []
