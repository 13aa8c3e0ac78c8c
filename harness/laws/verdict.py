"""A verdict: what one law says of one run, in three values, and the exit code that these come to.

Separate from the judges, because evidence and reports read verdicts and judge nothing.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Word: TypeAlias = Literal["holds", "broken", "unknown"]

PRECEDENCE: tuple[Word, ...] = ("broken", "unknown", "holds")
"""Of several, the first that occurs is the whole."""
EXIT_CODES: Mapping[str, int] = {"holds": 0, "broken": 1, "unknown": 3}
"""Verdict -> exit code. 2 is usage; 3 also stands for what could not run."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a judge found. why: one sentence. calls: numbers of calls; world: numbers of lines of the world record;
    frames: (process, number of the event in the journal). moot: the run has nothing that the law judges."""

    verdict: Word
    why: str
    calls: tuple[int, ...] = ()
    world: tuple[int, ...] = ()
    frames: tuple[tuple[int, int], ...] = ()
    moot: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What law number `law` says of the run that is named `run`; `again` is the command that makes the run again."""

    law: int
    verdict: Word
    why: str
    calls: tuple[int, ...]
    world: tuple[int, ...]
    frames: tuple[tuple[int, int], ...]
    run: str
    again: str
    moot: bool = field(default=False)

    def as_json(self) -> dict[str, Any]:
        """The verdict in the order of its fields; `moot` only where it is so."""
        value: dict[str, Any] = {
            "law": self.law,
            "verdict": self.verdict,
            "why": self.why,
            "calls": list(self.calls),
            "world": list(self.world),
            "frames": [list(frame) for frame in self.frames],
            "run": self.run,
            "again": self.again,
        }
        return {**value, "moot": True} if self.moot else value


def moot(why: str) -> Finding:
    """Unknown, because there was nothing to judge."""
    return Finding("unknown", f"nothing to judge: {why}", moot=True)


def combine(words: Iterable[str]) -> Word:
    """One verdict for several: broken before unknown before holds; unknown for none at all."""
    seen = set(words)
    return next((word for word in PRECEDENCE if word in seen), "unknown")


def overall(verdicts: Iterable[Verdict]) -> Word:
    """One verdict for what laws say of one or several runs.

    A law that had nothing to judge in a run says nothing about that run, so its unknown stands back where another
    law, or the same law in another run, was judged. Where nothing at all was judged the whole is unknown.
    """
    return combine(verdict.verdict for verdict in verdicts if not verdict.moot)


def exit_code(word: str) -> int:
    """0 holds, 1 broken, 3 unknown. Raises KeyError for any other word: no other word is a verdict."""
    return EXIT_CODES[word]
