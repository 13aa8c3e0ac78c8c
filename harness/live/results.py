"""What a live run, or a rehearsal, came to: verdicts, drift, what is not shown, what stays. Pure."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.evidence.summary import ClaimState
from harness.judged.run import Judged
from harness.laws.verdict import EXIT_CODES, Word, combine
from harness.live.drift import Drift

DRIFT_SHOWN = 20


@dataclass(slots=True)
class Results:
    """What all scenarios came to. back: live or model; untaped: claims that no run here can show, with the reason;
    stays: what is left open; uncompared: why nothing was compared with a tape; failed: scenarios that could not be run,
    with the reason."""

    back: str = "model"
    judged: list[Judged] = field(default_factory=list)
    drift: list[Drift] = field(default_factory=list)
    untaped: dict[str, str] = field(default_factory=dict)
    stays: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    states: list[ClaimState] = field(default_factory=list)
    uncompared: str = ""
    report: list[Path] = field(default_factory=list)

    @property
    def word(self) -> Word:
        """One verdict. Drift that a client may notice breaks it: the fakes are then fakes of something else."""
        words: list[str] = [*(each.word for each in self.judged), *("unknown" for _ in self.failed)]
        words += [state.verdict for state in self.states if state.verdict is not None]
        words += ["broken" for each in self.drift if each.breaks]
        return combine(words) if words else "unknown"

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.word]

    def as_json(self) -> dict[str, Any]:
        """What `trailcam live --json` prints."""
        return {
            "verdict": self.word,
            "back": self.back,
            "runs": [each.as_json() for each in self.judged],
            "claims": [state.as_json() for state in self.states if state.verdict is not None],
            "drift": [each.as_json() for each in self.drift],
            "uncompared": self.uncompared,
            "not_shown": self.untaped,
            "failed": self.failed,
            "stays": self.stays,
            "report": [str(path) for path in self.report],
        }

    def as_text(self) -> Iterator[str]:
        """What a person reads."""
        what = "live: the real programs" if self.back == "live" else "rehearsal: our fakes in the programs' places"
        yield f"verdict   {self.word} ({what})"
        for judged in self.judged:
            yield f"{judged.word:<10}{judged.run.sheet['scenario']}"
            said = [(item.verdict, item.says, item.why) for item in judged.then]
            said += [(law.verdict, f"law {law.law}", law.why) for law in judged.laws if not law.moot]
            yield from (f"{'':<10}{word}: {what}: {why}" for word, what, why in said if word != "holds")
        yield from (f"failed    {why}" for why in self.failed)
        for state in self.states:
            if state.verdict is not None:
                yield f"{state.word:<10}{state.claim.id} ({state.strength})"
        yield from (f"not shown {claim}: {why}" for claim, why in self.untaped.items())
        for each in self.drift[:DRIFT_SHOWN]:
            yield f"drift     {each.words}"
        if len(self.drift) > DRIFT_SHOWN:
            yield f"drift     and {len(self.drift) - DRIFT_SHOWN} more, which --json has"
        if self.uncompared:
            yield f"drift     not looked for: {self.uncompared}"
        yield from (f"stays     {each}" for each in self.stays)
        if self.report:
            yield f"report    {self.report[0]}"
