"""The page as JUnit XML: one test case a claim and one a run, so that a CI server lists what does not hold."""
from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from reports.page import ClaimRow, Page, RunView, ScenarioView


def text(page: Page) -> str:
    """The document. Not shown is skipped; broken is a failure; unknown and no teeth are errors."""
    rows = [row for _, found in page.groups for row in found]
    runs = [(scenario, run) for scenario in page.scenarios for run in scenario.runs]
    suites = [_suite("claims", [_claim(row) for row in rows]), _suite("runs", [_run(*each) for each in runs])]
    return '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n' + "".join(suites) + "</testsuites>\n"


def _suite(name: str, cases: list[tuple[str, str]]) -> str:
    counts = {word: sum(kind == word for kind, _ in cases) for word in ("failure", "error", "skipped")}
    return (
        f'<testsuite name="{name}" tests="{len(cases)}" failures="{counts["failure"]}" '
        f'errors="{counts["error"]}" skipped="{counts["skipped"]}">\n'
        + "".join(case for _, case in cases)
        + "</testsuite>\n"
    )


KINDS = {
    "holds": "", "broken": "failure", "unknown": "error", "no teeth": "error", "not shown": "skipped",
    "inapplicable": "skipped",
}  # fmt: skip
"""Word -> element of a test case; none where it passed."""


def _case(suite: str, name: str, word: str, why: str) -> tuple[str, str]:
    kind = KINDS[word]
    inner = f"<{kind} message={quoteattr(word)}>{escape(why)}</{kind}>" if kind else ""
    return kind, f"<testcase classname={quoteattr(suite)} name={quoteattr(name)}>{inner}</testcase>\n"


def _claim(row: ClaimRow) -> tuple[str, str]:
    return _case(f"claims.{row.id[:3]}", row.id, row.word, f"{row.text} (shown by {', '.join(row.by) or 'nothing'})")


def _run(scenario: ScenarioView, run: RunView) -> tuple[str, str]:
    word = "inapplicable" if run.applied is False else run.word
    why = "\n".join(f"{point.word} {point.what}: {point.why}" for point in run.points if point.word != "holds")
    return _case(scenario.name, run.label, word, f"{why}\n{run.again}")
