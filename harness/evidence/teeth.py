"""Teeth: what turned the verdict of a claim. A check that nothing can turn proves nothing.

A claim holds in a run. The same scenario is run again with one thing changed: a fault of its plan left out, a guard of
the stack taken out, a deliberately broken stack in the stack's place. Where the claim is then broken, that thing is a
tooth of it. Unknown is no turn: it says that nobody could tell.
"""
from __future__ import annotations

from collections.abc import Mapping

from harness.laws.verdict import Word


def teeth_of(
    verdicts: Mapping[str, Word], variations: Mapping[str, Mapping[str, Word]]
) -> dict[str, tuple[str, ...]]:
    """Claim that holds -> its teeth, sorted. verdicts: of the run as it is; variations: `fault:NAME`, `guard:…` or
    `broken:NAME` -> verdicts of the run with that one change."""
    return {
        claim: tuple(sorted(name for name, turned in variations.items() if turned.get(claim) == "broken"))
        for claim, verdict in verdicts.items()
        if verdict == "holds"
    }
