"""Reports that leave out or lay on are seen by the checks that the real ones pass."""
from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from harness.claims import load_claims
from harness.evidence.material import gather
from reports import junit, markdown, people, render
from reports import page as page_module
from reports.page import Page
from reports.render import FORMS, html, write
from tests.harness.evidence import test_summary
from tests.reports import test_page, test_render
from tests.reports.made import BUILD, CLAIMS, evidence
from tests.teeth import Break, check_tells_apart, replaced

Check = Callable[[Path], object]
SUMMARY = import_module("harness.evidence.summary")
CLAIM, STRENGTHS = page_module._claim, page_module._strengths
UNTIL = "not shown until a dated live run shows them"
OF_THE_CLAIM = (
    "permission denied at the first use", "Safari quit and started again", "idle minutes", "two clients at once",
    "Mac is locked", "registry keys", "Microsoft Edge",
)


def files(folder: Path) -> dict[str, str]:
    evidence(folder, ("none",))
    _, paths = write(folder / "runs", folder / "ledger.jsonl", CLAIMS, folder / "out", build=BUILD)
    return {path.name: path.read_text() for path in paths}


def says_what_its_evidence_says(folder: Path) -> None:
    evidence(folder)
    test_page.test_a_page_says_what_its_evidence_says(
        gather(folder / "runs", folder / "ledger.jsonl", CLAIMS, BUILD)
    )


def the_strongest_counts(folder: Path) -> None:
    for name, records, expected in test_summary.CASES:
        test_summary.test_states(name, records, expected)


def every_claim_is_in_every_form(folder: Path) -> None:
    """With its word and its strength, or among those that are not shown."""
    written, claims = files(folder), [*load_claims(CLAIMS)]
    assert set(written) == {"index.html", "report.md", "report.json", "junit.xml"}
    page = json.loads(written["report.json"])
    rows = {row["id"]: row for _, found in page["groups"] for row in found}
    assert [*rows] == claims
    missing = [id for _, ids in page["not_shown"] for id in ids]
    assert {id for id, row in rows.items() if row["word"] == "not shown"} == set(missing) == {*claims} - {"CUA-RES-01"}
    assert page["strengths"] == [["live", 0], ["engine", 0], ["tape", 0], ["model", 1], ["documented", 0],
                                 ["none", len(claims) - 1]]  # fmt: skip
    cases = {case.get("name"): case for case in ElementTree.fromstring(written["junit.xml"]).iter("testcase")}
    assert [id for id in claims if id not in cases] == []
    assert {id for id in claims if cases[id].find("skipped") is None} == {"CUA-RES-01"}
    for form in ("index.html", "report.md"):
        assert [id for id in claims if id not in written[form]] == [], form
    assert "2026-02-03" in written["index.html"]
    assert "| CUA-RES-01 | holds | model |" in written["report.md"]


def form(name: str, change: Callable[[str], str]) -> Break:
    """One form of a report with its text changed."""
    made = FORMS[name]
    return lambda patch: patch.setitem(FORMS, name, lambda view: change(made(view)))


def shorter(name: str, made: Callable[[Page], str]) -> Break:
    """One form of a report with the first group of claims alone."""
    return lambda patch: patch.setitem(FORMS, name, lambda view: made(replace(view, groups=view.groups[:1])))


def laid_on(state: Any, material: Any) -> Any:
    return replace(CLAIM(state, material), word="holds", strength="live")


REPORTS: dict[str, tuple[Check, Break]] = {
    "the weakest evidence": (
        the_strongest_counts, replaced(SUMMARY, "RANK", {word: -rank for word, rank in SUMMARY.RANK.items()})),
    "everything live": (says_what_its_evidence_says, replaced(page_module, "_claim", laid_on)),
    "no provenance": (says_what_its_evidence_says, replaced(page_module, "_claim", lambda state, material: replace(
        CLAIM(state, material), about=""))),
    "no date": (says_what_its_evidence_says, replaced(page_module, "_span", lambda dates: ())),
    "nothing that is not shown": (every_claim_is_in_every_form, replaced(page_module, "_not_shown", lambda *_: ())),
    "no count of what has no evidence": (says_what_its_evidence_says, replaced(
        page_module, "_strengths", lambda rows: STRENGTHS(rows)[:-1])),
    "a script from elsewhere": (
        test_render.test_the_page_is_well_formed_asks_for_nothing_and_has_no_script,
        form("index.html", lambda text: text.replace("</body>", '<script src="https://example.org/"></script></body>')),
    ),
    "a picture from elsewhere": (
        test_render.test_the_page_is_well_formed_asks_for_nothing_and_has_no_script,
        form("index.html", lambda text: text.replace("</body>", '<img src="https://example.org/x.png"></body>')),
    ),
    "a style from beside it": (
        test_render.test_the_page_is_well_formed_asks_for_nothing_and_has_no_script,
        form("index.html", lambda text: text.replace("</head>", '<link rel="stylesheet" href="style.css"></head>')),
    ),
    "no JUnit": (every_claim_is_in_every_form, lambda patch: patch.delitem(FORMS, "junit.xml")),
    "a page of some claims": (every_claim_is_in_every_form, shorter("index.html", lambda view: html(
        replace(view, not_shown=())))),
    "JUnit of some claims": (every_claim_is_in_every_form, shorter("junit.xml", junit.text)),
    "Markdown of some claims": (every_claim_is_in_every_form, shorter("report.md", lambda view: markdown.text(
        replace(view, not_shown=())))),
    "Markdown with another strength": (
        every_claim_is_in_every_form, form("report.md", lambda text: text.replace("holds | model", "holds | live"))),
}  # fmt: skip


@pytest.mark.claim("HAR-RPT-01", tooth="a report of weaker, stronger, undated or missing evidence, or in fewer forms")
@pytest.mark.parametrize(("check", "broken"), REPORTS.values(), ids=REPORTS)
def test_a_report_that_says_something_else_is_seen(check: Check, broken: Break, tmp_path: Path) -> None:
    check_tells_apart(check, broken, tmp_path)


def lists_what_needs_somebody(folder: Path) -> None:
    """Both forms that people read: every check of the claim, as not shown."""
    for name, written in files(folder).items():
        if name in ("index.html", "report.md"):
            text = written.replace("&#39;", "'").replace("\\", "")
            where = text.index(UNTIL if name == "index.html" else "## Not shown")
            for words in (*OF_THE_CLAIM, *(escape(check.what, quote=False) for check in people.CHECKS)):
                assert words in text[where:], words


def fewer(patch: pytest.MonkeyPatch) -> None:
    for module in (render, markdown):
        patch.setattr(module, "CHECKS", [check for check in people.CHECKS if "Edge" not in check.what])


LISTS: dict[str, Break] = {
    "one check less": fewer,
    "none in the page": replaced(render, "CHECKS", ()),
    "none in the Markdown": replaced(markdown, "CHECKS", ()),
    "shown": form("report.md", lambda text: text.replace("## Not shown", "## Shown") + "## Not shown\n"),
}


@pytest.mark.claim("HAR-LIVE-03", tooth="a report that lists fewer checks that need a person, or not as not shown")
@pytest.mark.parametrize("broken", LISTS.values(), ids=LISTS)
def test_a_report_without_what_needs_somebody_is_seen(broken: Break, tmp_path: Path) -> None:
    check_tells_apart(lists_what_needs_somebody, broken, tmp_path)
