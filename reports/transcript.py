"""What a decision loop says that it did, out of the answers of a kept run: one line an attempt, below its leg.

An answer has legs where its structured content has `legs`, or where a line that a command printed is such an object.
What is shown is the stack's own word, and no evidence: verdicts stand beside it.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reports.plain import one_line

LIMIT = 120
"""Lines of one run."""
WORDS = 200
"""Characters of one text of the stack's."""


def transcript(history: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The lines; none where no loop ran. A transcript that is too long is cut, and says so."""
    lines: list[str] = []
    for answered in history:
        if answered.get("e") == "answered":
            for ran in _runs(answered.get("structured")):
                lines += _run(ran)
    return (*lines[:LIMIT], f"… {len(lines) - LIMIT} more") if len(lines) > LIMIT else tuple(lines)


def _runs(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        if isinstance(value.get("legs"), list):
            yield value
        said = value.get("lines")
        for line in said if isinstance(said, list) else ():
            if isinstance(line, dict) and isinstance(line.get("legs"), list):
                yield line


def _run(ran: Mapping[str, Any]) -> Iterator[str]:
    legs = [leg for leg in ran["legs"] if isinstance(leg, dict)]
    for number, leg in enumerate(legs, 1):
        yield f"{number}. {_text(leg.get('goal'))}"
        attempts = leg.get("transcript")
        for attempt in attempts if isinstance(attempts, list) else ():
            if isinstance(attempt, dict):
                yield _attempt(attempt)
    proven = {True: ", proven", False: ", not proven"}.get(ran.get("proven"), "")  # type: ignore[arg-type]
    yield f"ended {_text(ran.get('ended'))}{proven}"


def _attempt(line: Mapping[str, Any]) -> str:
    target = line.get("target")
    sure = f"{_share(line.get('sure'))} sure" + ("" if target is None else f", {_share(target)} target")
    reason = "" if line.get("reason") is None else f" [{_text(line['reason'])}]"
    typed = "" if line.get("typed") is None else f', typed "{_text(line["typed"])}"'
    return f"   {_text(line.get('tag')):<8} {_text(line.get('said'))} ({sure}){typed}{reason}"


def _share(value: Any) -> str:
    return f"{value:.0%}" if isinstance(value, int | float) else "?"


def _text(value: Any) -> str:
    return one_line(str(value), WORDS)
