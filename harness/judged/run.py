"""A kept run, judged: the verdicts of the laws and of the items of its sheet, and what they come to for each claim.

The one place where both meet, so that the runner, the commands and the reports judge a run by the same function,
whether it has just been made or was loaded from its folder.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.judged.then import Said, judge_then
from harness.kept.run import KeptRun
from harness.laws.table import command_of, judge
from harness.laws.verdict import EXIT_CODES, Verdict, Word, combine

INAPPLICABLE = "inapplicable"


@dataclass(frozen=True, slots=True)
class Judged:
    """laws: all eight, in their order; then: the sheet's items; unfired: faults of the plan that did not fire."""

    run: KeptRun
    laws: Sequence[Verdict]
    then: Sequence[Said]
    unfired: Sequence[str]

    @property
    def applicable(self) -> bool:
        """Whether every fault of the plan fired: else the run says nothing about them."""
        return not self.unfired

    @property
    def word(self) -> Word:
        """All verdicts in one. A law with nothing to judge stands back; an item never does."""
        laws = [verdict.verdict for verdict in self.laws if not verdict.moot]
        return combine([*laws, *(said.verdict for said in self.then)])

    @property
    def exit_code(self) -> int:
        """0 holds, 1 broken, 3 unknown or inapplicable."""
        return 3 if self.word == "holds" and not self.applicable else EXIT_CODES[self.word]

    @property
    def claims(self) -> dict[str, Word]:
        """Each claim that an item or a law of this run stands for -> its verdict, sorted by claim.

        A law that has nothing to judge in the scenario itself leaves its claims unknown; in a case, or under a plan, it
        says nothing of them. Of somebody else's stack it says nothing that could stand for a claim of this project.
        """
        if self.run.sheet.get("stack"):
            return {}
        words: dict[str, list[str]] = {}
        for said in self.then:
            for claim in said.claims:
                words.setdefault(claim, []).append(said.verdict)
        sheet = self.run.sheet
        varied = "case" in sheet or bool((sheet.get("plan") or {}).get("faults"))
        laws = {verdict.law: verdict for verdict in self.laws}
        for number, claims in (sheet.get("laws") or {}).items():
            if not (varied and laws[int(number)].moot):
                for claim in claims:
                    words.setdefault(claim, []).append(laws[int(number)].verdict)
        return {claim: combine(words[claim]) for claim in sorted(words)}

    @property
    def again(self) -> str:
        """The command that makes the run again."""
        return command_of(self.run.sheet)

    def as_json(self) -> dict[str, Any]:
        """What `trailcam run --json` prints."""
        return {
            "verdict": self.word if self.applicable else INAPPLICABLE,
            "run": self.run.name,
            "scenario": self.run.sheet["scenario"],
            "again": self.again,
            "laws": [verdict.as_json() for verdict in self.laws],
            "then": [said.as_json() for said in self.then],
            "claims": self.claims,
            "unfired": list(self.unfired),
        }


def judge_run(run: KeptRun) -> Judged:
    """A kept run, judged by the laws and by the items of its own sheet."""
    fired = {line["id"] for line in run.world if line["e"] == "fault"}
    planned = [entry.get("id") for entry in (run.sheet.get("plan") or {}).get("faults", ())]
    laws = judge(run)
    return Judged(run, laws, judge_then(run, laws), tuple(str(id) for id in planned if id not in fired))
