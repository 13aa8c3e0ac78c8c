"""What a played session differs in from the recorded one.

Compared are the frames (as a whole, since their order is only partly fixed), the order of the replies, the order rules
of the protocol, standard error and the exit status. Volatile values are taken away by `normal`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from harness.wire.jsontext import dumps
from tests.fakes.conformance.normal import normal, normal_errors
from tests.fakes.conformance.recordings import Recording

STARTUP = "mcpServer/startupStatus/updated"


def differences(recorded: Recording, played: Recording) -> list[str]:
    """One line a difference; none where the two agree."""
    found = [f"order rule broken: {rule}" for rule in broken_rules(played.frames)]
    wanted, got = _bag(recorded.frames), _bag(played.frames)
    found += [f"missing: {text}" for text in (wanted - got).elements()]
    found += [f"not recorded: {text}" for text in (got - wanted).elements()]
    if not found and _replies(recorded.frames) != _replies(played.frames):
        found.append(f"replies in the order {_replies(played.frames)}, recorded {_replies(recorded.frames)}")
    errors, others = Counter(normal_errors(recorded.errors)), Counter(normal_errors(played.errors))
    found += [f"missing on standard error: {line}" for line in (errors - others).elements()]
    found += [f"not recorded on standard error: {line}" for line in (others - errors).elements()]
    if recorded.status != played.status:
        found.append(f"exit status {played.status}, recorded {recorded.status}")
    return found


def _bag(frames: Iterable[Any]) -> Counter[str]:
    return Counter(dumps(normal(frame), sort=True) for frame in with_settled_status(list(frames)))


def _replies(frames: list[Any]) -> list[Any]:
    return [frame["id"] for frame in frames if "method" not in frame]


def with_settled_status(frames: list[Any]) -> Iterator[Any]:
    """runtimeStatus says what was told of the server before: that is put as `as told`, and anything else stays.

    Whether ready comes before an inventory is not fixed, so the value itself may differ from run to run.
    """
    told: dict[str, str] = {}
    for frame in frames:
        params = frame.get("params")
        if frame.get("method") == STARTUP:
            told[params["name"]] = {"ready": "connected"}.get(params["status"], params["status"])
        yield _settled(frame, told)


def _settled(frame: Any, told: dict[str, str]) -> Any:
    result = frame.get("result")
    data = result.get("data") if isinstance(result, dict) else None
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        return frame
    entries = [
        {**entry, "runtimeStatus": "as told"} if entry.get("runtimeStatus") == told.get(entry["name"], "") else entry
        for entry in data
    ]
    return {**frame, "result": {**result, "data": entries}}


def broken_rules(frames: list[Any]) -> list[str]:
    """The pairs of frames that stand in the wrong order. The rules are those that all recordings keep."""
    found = []
    for index, frame in enumerate(frames):
        before = frames[:index]
        for name, is_later, is_earlier in RULES:
            if is_later(frame) and not any(is_earlier(frame, other) for other in before):
                found.append(name)
    return found


def _told(frame: Any, status: str) -> bool:
    return bool(frame.get("method") == STARTUP and frame["params"]["status"] == status)


def _thread_of(frame: Any) -> Any:
    params = frame.get("params", {})
    return params.get("threadId") or params.get("thread", {}).get("id")


def _starts(frame: Any, thread: Any) -> bool:
    result = frame.get("result")
    return (
        isinstance(result, dict) and isinstance(result.get("thread"), dict) and bool(result["thread"]["id"] == thread)
    )


def _status(frame: Any, kind: str, flag: str | None = None) -> bool:
    if frame.get("method") != "thread/status/changed" or frame["params"]["status"]["type"] != kind:
        return False
    return flag is None or flag in frame["params"]["status"]["activeFlags"]


RULES: tuple[tuple[str, Any, Any], ...] = (
    (
        "answer to initialize before remoteControl/status/changed",
        lambda frame: frame.get("method") == "remoteControl/status/changed",
        lambda frame, other: isinstance(other.get("result"), dict) and "userAgent" in other["result"],
    ),
    (
        "answer to thread/start before thread/started",
        lambda frame: frame.get("method") == "thread/started",
        lambda frame, other: _starts(other, _thread_of(frame)),
    ),
    (
        "answer to thread/start before starting",
        lambda frame: _told(frame, "starting"),
        lambda frame, other: _starts(other, _thread_of(frame)),
    ),
    (
        "starting before ready or failed",
        lambda frame: _told(frame, "ready") or _told(frame, "failed"),
        lambda frame, other: _told(other, "starting") and other["params"]["name"] == frame["params"]["name"],
    ),
    (
        "waitingOnApproval before the elicitation",
        lambda frame: frame.get("method") == "mcpServer/elicitation/request",
        lambda frame, other: _status(other, "active", "waitingOnApproval"),
    ),
    (
        "the elicitation before serverRequest/resolved",
        lambda frame: frame.get("method") == "serverRequest/resolved",
        lambda frame, other: (
            other.get("method") == "mcpServer/elicitation/request" and other["id"] == frame["params"]["requestId"]
        ),
    ),
    (
        "serverRequest/resolved before idle",
        lambda frame: _status(frame, "idle"),
        lambda frame, other: other.get("method") == "serverRequest/resolved",
    ),
)
"""(rule, is the later frame, is the earlier one that must stand before it). A client that opts out of notifications
breaks rules whose earlier frame it does not get: none of the recordings does."""
