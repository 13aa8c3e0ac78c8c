"""Takes away from frames what differs from run to run, by the member in which it stands. Everything else is compared.

Recordings have placeholders (`<UUID-1>`, `<TS>`) where values differed; the model's own values get the same treatment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

IDS = ("threadId", "sessionId", "installationId", "turnId", "rootTurnId")
"""Members whose value is an id that is drawn; also the `id` of a thread, turn or item."""
TIMES = (
    "createdAt",
    "updatedAt",
    "recencyAt",
    "startedAt",
    "completedAt",
    "startedAtMs",
    "completedAtMs",
    "emittedAtMs",
    "durationMs",
)
"""Members that hold a time; null stays null."""
DRAWN = re.compile(r"<UUID7?-\d+>|[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
MADE_UP = "01999999-0000-7000-8000-000000000000"
"""A thread id that the recorded client made up."""
TIMES_IN_TEXT = re.compile(r"rollout-[0-9T-]+?-(?=<id>)|\d{4}/\d\d/\d\d")
STAMP = re.compile(r"^(<TS>|\d{4}-\d\d-\d\dT[\d:.]+Z) ")
COLOURS = re.compile(r"\x1b\[\d+m")
BIG = re.compile(r"x{1000,}")
SECONDS = re.compile(r"(handshaking with MCP server after )[\d.]+m?s")


def normal(value: Any) -> Any:
    """The value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: _member(key, each) for key, each in value.items()}
    if isinstance(value, list):
        return [normal(each) for each in value]
    if isinstance(value, str):
        return _text(value)
    return value


def _member(key: str, value: Any) -> Any:
    if key in TIMES and value is not None:
        return "<time>"
    return normal(value)


def _text(text: str) -> str:
    text = DRAWN.sub(lambda match: match[0] if match[0] == MADE_UP else "<id>", text)
    text = BIG.sub(lambda match: f"<{len(match[0])} x>", text)
    return SECONDS.sub(r"\1<SECS>s", TIMES_IN_TEXT.sub("<time>", text))


def normal_errors(lines: Iterable[str]) -> list[str]:
    """Lines of standard error without time stamps, colours and the usual warning, sorted."""
    plain = (STAMP.sub("", COLOURS.sub("", line)) for line in lines)
    return sorted(line for line in plain if "could not create PATH aliases" not in line and line)
