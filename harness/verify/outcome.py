"""What all units of `trailcam verify` came to: counts, findings, claims by strength, and what was not shown and why.

Pure. The exit code is the worst of the runs' verdicts and of the claims that they are about: a claim that nothing can
turn is unknown. What is not shown is no verdict, and is said.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from harness.evidence.summary import NOT_SHOWN, ClaimState
from harness.laws.table import LAWS
from harness.laws.verdict import EXIT_CODES, Word, combine
from harness.verify.units import Missing
from harness.verify.work import Finding, Result

KINDS: Mapping[str, str] = {
    "base": "as they are",
    "case": "in their cases",
    "tooth": "with a check tried",
    "plan": "under fault plans",
}
"""Kind of run -> how the summary says it."""
SHOWN = 20
"""Findings that the summary prints; `--json` has all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """See the module. states: of every claim; here: the ids that this run was to show something of."""

    results: Sequence[Result]
    missing: Sequence[Missing]
    states: Sequence[ClaimState]
    here: frozenset[str]

    @property
    def runs(self) -> Counter[str]:
        """Kind of run -> how many."""
        return _added(result.runs for result in self.results)

    @property
    def laws(self) -> Counter[str]:
        """`NUMBER VERDICT` -> in how many runs, `moot` where there was nothing to judge."""
        return _added(result.laws for result in self.results)

    @property
    def findings(self) -> list[Finding]:
        """All that does not hold, broken first."""
        found = [finding for result in self.results for finding in result.findings]
        return sorted(found, key=lambda finding: (finding.verdict != "broken", finding.what, finding.why))

    @property
    def word(self) -> Word:
        """One verdict for all of it."""
        claims = [state.verdict for state in self.states if state.claim.id in self.here and state.verdict is not None]
        ran = ["holds"] if self.runs else []
        return combine([*ran, *claims, *(finding.verdict for finding in self.findings)])

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.word]

    @property
    def not_shown(self) -> dict[str, str]:
        """Claim that scenarios stand for and nothing shows -> why."""
        why: dict[str, str] = {}
        for result in self.results:
            why.update(dict(result.lacking))
        return {
            state.claim.id: why.get(state.claim.id, "nothing ran that stands for it")
            for state in self.states
            if state.claim.id in self.here and state.verdict is None
        }

    @property
    def repeated(self) -> list[str]:
        """What was run again, what had not held before, and what came of it."""
        return [
            f"{finding.what}: alone it {'does not hold either' if result.findings else 'holds'}; before, beside other "
            f"runs: {finding.why}"
            for result in self.results
            for finding in result.repeated
        ]

    def as_json(self) -> dict[str, Any]:
        """What `trailcam verify --json` prints."""
        return {
            "verdict": self.word,
            "runs": dict(sorted(self.runs.items())),
            "laws": {
                str(number): {word: self.laws[f"{number} {word}"] for word in ("holds", "broken", "unknown", "moot")}
                for number in LAWS
            },
            "findings": [asdict(finding) for finding in self.findings],
            "claims": [state.as_json() for state in self.states],
            "not_shown": self.not_shown,
            "repeated": {result.unit.words: [asdict(finding) for finding in result.repeated]
                         for result in self.results if result.repeated},
            "missing": [{"unit": each.unit.words, "what": each.what} for each in self.missing],
            "absent": {result.unit.words: result.absent for result in self.results if result.absent},
            "cut": {result.unit.words: result.cut for result in self.results if result.cut},
            "not_kept": [again for result in self.results for again in result.not_kept],
        }

    def as_text(self) -> Iterator[str]:
        """The summary as people read it."""
        yield f"verdict   {self.word}"
        runs = self.runs
        parts = ", ".join(f"{runs[kind]} {words}" for kind, words in KINDS.items() if runs[kind])
        applicable = f"; {runs['inapplicable']} plans did not fire" if runs["inapplicable"] else ""
        yield f"runs      {sum(runs[kind] for kind in KINDS)}: {parts or 'none'}{applicable}"
        for number, law in LAWS.items():
            counts = [f"{self.laws[f'{number} {word}']} {word}" for word in ("holds", "broken", "unknown")
                      if self.laws[f"{number} {word}"]]  # fmt: skip
            judged = ", ".join(counts) or "nothing to judge"
            yield f"law {number}     {judged} ({law.name})"
        yield from self._claims()
        for finding in self.findings[:SHOWN]:
            yield f"{finding.verdict:<10}{finding.what}: {finding.why}"
            if finding.again:
                yield f"          {finding.again}"
        if len(self.findings) > SHOWN:
            yield f"          and {len(self.findings) - SHOWN} more, which --json has"
        for line in self.repeated:
            yield f"repeated  {line}"
        for what, units in _grouped(self.missing).items():
            named = ", ".join(units[:3]) + (", …" if len(units) > 3 else "")
            yield f"missing   {what}: {len(units)} scenarios were not run with it ({named})"

    def _claims(self) -> Iterator[str]:
        counts = Counter((state.word, state.strength) for state in self.states)
        elsewhere = counts.pop((NOT_SHOWN, None), 0)
        shown = ", ".join(
            f"{count} {word}" + (f" ({strength})" if strength else "")
            for (word, strength), count in sorted(counts.items(), key=lambda pair: (pair[0][0], pair[0][1] or ""))
        )
        yield f"claims    {shown or 'none shown'}; {elsewhere} not shown"
        for state in self.states:
            if state.verdict not in (None, "holds"):
                yield f"{state.word:<10}{state.claim.id}"
        for claim, why in self.not_shown.items():
            yield f"not shown {claim}: {why}"


def _added(counters: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in counters:
        total.update(each)
    return total


def _grouped(missing: Iterable[Missing]) -> dict[str, list[str]]:
    """What is missing -> the scenarios that want it."""
    found: dict[str, list[str]] = {}
    for each in missing:
        found.setdefault(each.what, []).append(each.unit.name)
    return found
