from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from reports.junit import KINDS, text
from reports.page import Page
from reports.render import write
from tests.reports.made import BUILD, CLAIMS, evidence


@pytest.fixture
def view(tmp_path: Path) -> Page:
    evidence(tmp_path, ("none",))
    return write(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS, tmp_path / "out", build=BUILD)[0]


@pytest.mark.parametrize("word", KINDS)
def test_each_word_is_the_element_that_ci_servers_count(view: Page, word: str) -> None:
    rows = tuple((title, tuple(replace(row, word=word) for row in found)) for title, found in view.groups)
    claims = ElementTree.fromstring(text(replace(view, groups=rows))).findall("testsuite")[0]
    kind = KINDS[word]
    counted = {name: int(claims.get(name, "0")) for name in ("failures", "errors", "skipped")}
    expected = {"failure": "failures", "error": "errors", "skipped": "skipped"}
    assert counted == {name: 260 if kind and expected[kind] == name else 0 for name in counted}
