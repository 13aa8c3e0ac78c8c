"""Observations and answers as text for people. Separate from the commands; `--json` prints none of this."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from stack.contract import Json
from stack.session.refs import ref_of

LISTED: Final = 40
"""Actions that are listed where not all are asked for."""


def page_lines(page: Mapping[str, Json], match: re.Pattern[str] | None, every: bool) -> list[str]:
    """An observation: what it is, and its actions, each with its ref. match: only those whose label has it."""
    actions = page["actions"]
    scroll = page["scroll"]
    assert isinstance(actions, list) and isinstance(scroll, dict)
    shown = [action for action in actions if isinstance(action, dict)]
    fitting = [action for action in shown if match is None or match.search(str(action["label"]))]
    listed = fitting if every else fitting[:LISTED]
    state = f"state   {str(page['fingerprint'])[:12]}  scroll {scroll['y']}/{scroll['height']}"
    lines = [
        f'page    "{page["title"]}"  <{page["url"]}>',
        f"{state}  {len(str(page['text']))} chars  {len(shown)} actions",
    ]
    for action in listed:
        ref = ref_of(page["observation"], action["id"])
        value = f"  = {action['value']}" if action.get("value") else ""
        lines.append(f"  {ref:>8}  {action['kind']:<7} {action.get('role') or '':<9} {action['label']}{value}")
    if len(listed) < len(fitting):
        lines.append(f"  and {len(fitting) - len(listed)} more; --all lists them")
    return lines


def moved_lines(moved: Mapping[str, Json], settled: Mapping[str, Json] | None) -> list[str]:
    """What moved after an action."""
    if moved["nothing"]:
        lines = ["changed nothing: the page is as it was"]
    else:
        deltas = [f"{name} {moved[name]:+g}" for name in ("text", "scroll") if moved[name]]
        if moved["text_changed"] and not moved["text"]:
            deltas.append("text, of the same length")
        lines = [f"changed {', '.join(deltas)}" if deltas else "changed"]
        lines += [_labels(name, moved[name]) for name in ("appeared", "gone", "changed") if moved[name]]
        lines += [f"  {name:<11} {moved[name]}" for name in ("url", "title") if moved[name] is not None]
    if moved["navigated"] or (settled or {}).get("navigated"):
        lines.append("navigated: another document is shown")
    if settled is not None and not settled["settled"]:
        lines.append(f"unsettled: the page went on changing for {settled['waited_ms']:.0f} ms")
    return lines


def _labels(name: str, labels: Json) -> str:
    assert isinstance(labels, Sequence)
    return f"  {name:<11} " + ", ".join(f'"{label}"' for label in labels)


def text_lines(text: str, match: re.Pattern[str] | None) -> list[str]:
    """A page's text; with `match` the lines that have it."""
    return [line for line in text.split("\n") if match is None or match.search(line)]


def window_lines(windows: Json) -> list[str]:
    """Windows, one a line."""
    assert isinstance(windows, list)
    return ["  ".join(f"{name} {value}" for name, value in each.items()) for each in windows if isinstance(each, dict)]
