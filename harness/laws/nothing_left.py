"""Law 7, nothing left: after the end of a run nothing of it remains.

Two witnesses: what the runner found when it looked (`left` of the history), and what the world says is still held.
Processes are judged where they can be counted, in process runs; one that is seen to be left is broken in any run.
"""
from __future__ import annotations

from collections.abc import Mapping

from harness.kept.lines import Line
from harness.laws.attribution import Attribution, places
from harness.laws.facts import Facts
from harness.laws.verdict import Finding, moot

NUMBER = 7
NAME = "nothing left"
BROKEN_WHEN = (
    "after the end a process, socket, lock, temporary file, claim or unowned change of a window remains"
)
JUDGED_BY = "what the runner found left, apart from the sheet's `keeps`, and what the world holds and was not freed"

REMAINS: Mapping[str, tuple[str, ...]] = {
    # field of `left` -> the modes in which an empty list counts as judged
    "processes": ("process",),
    "files": ("virtual", "process"),
    "sockets": ("virtual", "process"),
    "locks": ("virtual", "process"),
}


def judge(facts: Facts, attribution: Attribution) -> Finding:
    """Broken where anything remains; unknown where nobody looked."""
    remaining, judged, notes = [], [], []
    for field, modes in REMAINS.items():
        lists = [left.get(field) for left in facts.left]
        found = sorted(name for names in lists if names for name in names if not _kept(facts, field, name))
        if found:
            remaining.append(f"{field}: {', '.join(found)}")
        elif lists and lists[-1] is not None and facts.mode in modes:
            judged.append(field)
        else:
            notes.append(f"not judged: {field}")
    held = _still_held(facts)
    remaining.extend(f"{line['what']} {line['id']} of process {line['p']}" for line in held)
    if remaining:
        return Finding("broken", f"still there at the end: {'; '.join(remaining)}", (), places(held))
    if facts.held:
        judged.append(f"{len(facts.held)} things held in the world")
    if not facts.left:
        return Finding("unknown", "nobody looked for what was left at the end of the run")
    if not judged:
        return moot("; ".join(notes))
    return Finding("holds", "; ".join([f"nothing left of {', '.join(judged)}", *notes]))


def _kept(facts: Facts, field: str, name: str) -> bool:
    """Whether a file is one that is meant to stay."""
    return field == "files" and any(
        name.startswith(keep) if keep.endswith("/") else name == keep for keep in facts.sheet.get("keeps") or ()
    )


def _still_held(facts: Facts) -> list[Line]:
    """The lines that took hold of what was never given back."""
    open_holds: dict[tuple[int, str, str], list[Line]] = {}
    for line in sorted([*facts.held, *facts.freed], key=lambda line: int(line["k"])):
        holds = open_holds.setdefault((line["p"], line["what"], line["id"]), [])
        if line["e"] == "held":
            holds.append(line)
        elif holds:
            holds.pop()
    return [line for holds in open_holds.values() for line in holds]
