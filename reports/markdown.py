"""The page as Markdown, short enough for a comment on a change."""
from __future__ import annotations

import re

from reports.page import ClaimRow, Page, ScenarioView
from reports.people import CHECKS
from reports.plain import one_line

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#+\-!|~&@:])")


def text(page: Page) -> str:
    """The document. Text from outside is escaped, so that it makes no markup, link or mention."""
    lines = [
        f"# trailcam: {page.word}", "", f"{page.sentence} Exit code {page.exit_code}.", "",
        "| held as | claims |", "|---|---:|",
        *(f"| {strength} | {count} |" for strength, count in page.strengths), "",
    ]  # fmt: skip
    if page.troubled():
        lines += ["## What does not hold", ""]
        for scenario in page.troubled():
            lines += _trouble(scenario)
        lines.append("")
    lines += ["## Claims", ""]
    for title, rows in page.groups:
        shown = [row for row in rows if row.word != "not shown"]
        if shown:
            lines += [f"### {escaped(title)}", "", "| claim | verdict | strength | teeth | promise |"]
            lines.append("|---|---|---|---:|---|")
            lines += [_claim(row) for row in shown]
            lines.append("")
    lines += ["## Not shown", ""]
    lines += [f"- {escaped(note)}" for note in page.notes]
    lines += [f"- {escaped(reason)}: {len(ids)} claims ({', '.join(ids)})" for reason, ids in page.not_shown]
    lines += [f"- {escaped(check.what)} (needs {escaped(check.needs)})" for check in CHECKS]
    lines += ["", "## Laws", "", "| law | holds | broken | unknown | nothing to judge |", "|---|---:|---:|---:|---:|"]
    for law in page.laws:
        counts = " | ".join(str(law.counts.get(word, 0)) for word in ("holds", "broken", "unknown", "nothing to judge"))
        lines.append(f"| {law.number} {escaped(law.title)} | {counts} |")
    platforms, dates = escaped(", ".join(page.platforms)) or "none", " to ".join(page.dates) or "not noted"
    kept = f"{page.runs} kept runs, {page.inapplicable} of them inapplicable."
    lines += ["", f"{kept} Platforms: {platforms}. Dates: {dates}.", ""]
    return "\n".join(lines)


def _claim(row: ClaimRow) -> str:
    return f"| {row.id} | {row.word} | {row.strength} | {len(row.teeth)} | {escaped(row.text)} |"


def _trouble(scenario: ScenarioView) -> list[str]:
    lines = []
    for run in scenario.runs:
        if run.open:
            lines.append(f"- **{run.word}** {escaped(scenario.title)} ({escaped(run.label)})")
            lines += [
                f"  - {point.word}: {escaped(point.what)}: {escaped(point.why)}"
                for point in run.points
                if point.word != "holds"
            ]
            lines.append(f"  - `{run.again.replace('`', ' ')}`")
    return lines


def escaped(words: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return SPECIAL.sub(r"\\\1", one_line(words))
