"""The recorded sessions of the real app-server as plain values: what the client sent and when, what came back.

Their frames were parsed when they were recorded (`bytes: reconstructed`), so that frames are compared and not bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.tape.event import get_bytes
from harness.tape.read import load
from harness.wire.jsontext import loads

TAPES = Path(__file__).resolve().parents[3] / "scenarios" / "tapes" / "codex"
VERSIONS = ("0.144.2", "0.171.0")
HELPER_SIDE = ".mcp.jsonl"


@dataclass(frozen=True, slots=True)
class Sent:
    """One act of the client: bytes, the end of its stream (data None), or a signal. after: frames that came before."""

    t_ms: float
    data: bytes | None
    after: int
    signal: int = 0


@dataclass(slots=True)
class Recording:
    """One session of the app-server. frames: values that it sent; errors: lines of its standard error."""

    version: str
    name: str
    sent: list[Sent] = field(default_factory=list)
    frames: list[Any] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    status: int | None = None


def names(version: str) -> list[str]:
    """The recorded sessions of a version, without the helper's side of them."""
    return sorted(path.stem for path in (TAPES / version).glob("*.jsonl") if not path.name.endswith(HELPER_SIDE))


def recording(version: str, name: str) -> Recording:
    found = Recording(version, name)
    for event in _events(version, f"{name}.jsonl"):
        kind = event["e"]
        if kind == "bytes":
            data = get_bytes(event)
            if event["s"] == "in":
                found.sent.append(Sent(event["t"], data, len(found.frames)))
            elif event["s"] == "out":
                found.frames.append(loads(data.decode()))
            else:
                found.errors.append(data.decode().rstrip("\n"))
        elif kind == "closed" and event["s"] == "in":
            found.sent.append(Sent(event["t"], None, len(found.frames)))
        elif kind == "signalled":
            found.sent.append(Sent(event["t"], None, len(found.frames), event["number"]))
        elif kind == "exited":
            found.status = event["status"]
    return found


def _events(version: str, file: str) -> Any:
    return load(str(TAPES / version / file))[1]


def helper_sides(version: str) -> list[str]:
    """The sessions of which the helper's side was recorded too."""
    return sorted(path.name.removesuffix(HELPER_SIDE) for path in (TAPES / version).glob(f"*{HELPER_SIDE}"))


def helper_side(version: str, name: str) -> dict[int, list[Any]]:
    """Process number to the frames that the app-server sent to it, and the ends that it saw, in order."""
    found: dict[int, list[Any]] = {}
    for event in _events(version, f"{name}{HELPER_SIDE}"):
        seen = found.setdefault(event["p"], [])
        if event["e"] == "bytes" and event["s"] == "in":
            seen.append(loads(get_bytes(event).decode()))
        elif event["e"] == "signalled":
            seen.append(f"signal {event['number']}")
        elif event["e"] == "closed" and event["s"] == "in":
            seen.append("end of stdin")
    return found


def tools_of(found: Recording) -> list[Any]:
    """The tools that the recorded inventory had; the ten of the first session where it had none."""
    for frame in found.frames:
        for entry in _entries(frame):
            if entry["tools"]:
                return list(entry["tools"].values())
    return [] if found.name == "s01_happy" else tools_of(recording(found.version, "s01_happy"))


def _entries(frame: Any) -> Iterator[Any]:
    data = frame.get("result", {}).get("data") if isinstance(frame.get("result"), dict) else None
    for entry in data if isinstance(data, list) else []:
        if isinstance(entry, dict) and "tools" in entry:
            yield entry
