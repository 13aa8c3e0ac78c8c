"""The audit: one line a call and one a sequence's end, with counts, flags and versions, and nothing of the content.

Content-free by construction: a record is built from numbers, flags, and words that each come from a closed list or
fit the form of a version. The tool's name is written only where it is one of the ten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping
from typing import Final

from stack.contract import Host, Json
from stack.errors import ADVICE, SetupError

FILE: Final = "computer-use-audit.jsonl"
VERSION: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,31}")
UNKNOWN: Final = "unknown"
NUMBERS: Final = ("durationMs", "directCalls", "modelTurnsStarted", "elicitationRequests")
FLAGS: Final = ("ephemeralThread", "backgroundPreserved", "cleanupVerified", "leaseReleased")
VERSIONS: Final = ("brokerVersion", "clientBuild")
OUTCOMES: Final = frozenset({"done", "refused"})
"""The outcomes that are written down as they are; any other is UNKNOWN, which is the third's own name."""


def version(text: object) -> str:
    """A version as it may be written down; "unknown" for anything of another form."""
    return text if isinstance(text, str) and VERSION.fullmatch(text) else UNKNOWN


def record(
    event: str,
    date: str,
    evidence: Mapping[str, Json],
    *,
    tool: str,
    outcome: str,
    code: str | None,
    tools: Container[str],
) -> bytes:
    """One line. Every value is checked here, whoever calls."""
    members: dict[str, Json] = {"v": 1, "event": event, "date": date}
    members["tool"] = tool if tool in tools else UNKNOWN
    members["outcome"] = outcome if outcome in OUTCOMES else UNKNOWN
    members["code"] = code if code is None or code in ADVICE else UNKNOWN
    for name in NUMBERS:
        number = evidence.get(name)
        members[name] = number if isinstance(number, int | float) and not isinstance(number, bool) else UNKNOWN
    for name in FLAGS:
        flag = evidence.get(name, UNKNOWN)
        members[name] = flag if flag is None or isinstance(flag, bool) else UNKNOWN
    for name in VERSIONS:
        members[name] = version(evidence.get(name))
    return json.dumps(members, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def append(host: Host, line: bytes) -> None:
    """Write a record. SetupError(state_unwritable)."""
    try:
        host.append_private(FILE, line)
    except OSError as error:
        raise SetupError("state_unwritable", f"the audit can't be written ({error.strerror})") from error
