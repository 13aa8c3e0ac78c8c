"""Every public report that is listed has a scenario that is there and names it, or a reason."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.public_reports.rows import all_reports, read_reports, wrong
from harness.scenario.problem import ScenarioProblem
from tests.tidy.tree import ROOT

ROW = "- {number: 1, source: owner/repo 7 and 8, what: it never answers, scenarios: [system/a.yaml]}\n"
NUMBERS = {
    "computer-use": {1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13, 15, 17},
    "safari-mcp": {
        *range(1, 9), *range(10, 15), 16, *range(18, 24), *range(25, 31), 32, 33, 34, 37, 39, 40, 41, 43, 44,
    },
    "safari-jxa": {1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 20, 21, 22, 23, 25, 26},
}  # fmt: skip
"""System -> numbers of the reports that were gathered before it was built."""


def test_every_scenario_that_is_named_is_there_and_names_its_source() -> None:
    reports = all_reports(ROOT / "scenarios")
    assert [finding for rows in reports.values() for finding in wrong(rows, ROOT / "scenarios")] == []
    assert {system: {row.number for row in reports[system]} for system in NUMBERS} == NUMBERS


@pytest.mark.parametrize(("text", "finding"), [
    ("scenario: it (owner/repo 7, owner/repo 8, too)", ""), ("scenario: it (owner/repo 6, 8 and 7)", ""),
    ("scenario: it (owner/repo 7)", "does not name owner/repo 8"), ("scenario: (owner/repo 8)", "name owner/repo 7"),
    ("scenario: it (owner/repo 71 and 8)", "does not name owner/repo 7"), ("owner/repo 7.1 and 8", "name owner/repo 7"),
    ("scenario: its owner/repo 7, other/repo 8", "name owner/repo 8"), ("lowner/repo 8, owner/repo 7", "repo 8"),
    ("scenario: it", "does not name"),
    (None, "no scenario system/a.yaml"),
])  # fmt: skip
def test_a_scenario_that_does_not_say_what_it_is_of_is_found(tmp_path: Path, text: str | None, finding: str) -> None:
    (tmp_path / "public-reports").mkdir()
    (tmp_path / "public-reports" / "system.yaml").write_text(ROW)
    (tmp_path / "system").mkdir()
    if text is not None:
        (tmp_path / "system" / "a.yaml").write_text(text)
    found = wrong(all_reports(tmp_path)["system"], tmp_path)
    assert (found == []) is (finding == "")
    assert all(finding in each for each in found)


def test_a_source_of_several_reports_is_each_of_them(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text('- {number: 1, source: "a/b 7, 8 and 9, c/d 1.2", what: another thing, harmless: nobody asks it}\n')
    [row] = read_reports(path)
    assert row.names == ["a/b 7", "a/b 8", "a/b 9", "c/d 1.2"]
    assert (row.scenarios, row.harmless) == ((), "nobody asks it")


@pytest.mark.parametrize(("old", "new"), [
    ("- {", "{"), ("what: it never answers, ", ""), ("scenarios: [system/a.yaml]", "scenarios: []"),
    ("number: 1", "number: one"), ("owner/repo 7 and 8", "nobody"), ("owner/repo 7 and 8", "8 and owner/repo 7"),
    ("owner/repo 7", "repo 7"), ("repo 7 and 8", "repo 7 and other 8"), ("repo 7 and 8", "repo 7, and 8"),
    ("it never answers", "it"),
    (", scenarios: [system/a.yaml]", ""), ("]}", "], harmless: nobody asks it}"), ("[system/a.yaml]", "[7]"),
    ("scenarios: [system/a.yaml]", "harmless: no"), ("]}", "], more: 1}"), (ROW, "- row\n"), (ROW, ROW + ROW),
])  # fmt: skip
def test_a_row_of_another_form_is_refused_with_its_line(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "a.yaml"
    assert old in ROW
    path.write_text(ROW.replace(old, new))
    with pytest.raises(ScenarioProblem, match=r"a\.yaml:[12]: "):
        read_reports(path)
