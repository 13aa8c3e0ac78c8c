"""What page_interactions says of a change: the lines that went and came, or the whole text where most of it changed.

Source: trailcam facts on Safari MCP, 1.3: a text diff, and the whole where over half changed. Its layout is not known.
"""

from __future__ import annotations


def difference(before: str, after: str) -> str | None:
    """Lines with `- ` and `+ `; empty where nothing changed; None where over half of the lines did."""
    old, new = before.split("\n"), after.split("\n")
    gone = _without(old, new)
    came = _without(new, old)
    if (len(gone) + len(came)) * 2 > len(old) + len(new):
        return None
    return "\n".join([*(f"- {line.strip()}" for line in gone), *(f"+ {line.strip()}" for line in came)])


def _without(lines: list[str], others: list[str]) -> list[str]:
    """The lines that the others do not have, as often as they do not."""
    left = list(others)
    found = []
    for line in lines:
        if line in left:
            left.remove(line)
        else:
            found.append(line)
    return found
