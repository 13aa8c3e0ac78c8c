"""What a line from the client is to `codex app-server`, and what is wrong with it although the server says nothing.

The real server never answers a line that it can't read: at most it writes to standard error, and text that is not
UTF-8 ends it. So a client's mistake looks like a hang, and the fake flags each as a violation. The standard-error
texts are those of the real one (tape s12_framing), but for its time stamps and colours.
"""

from __future__ import annotations

from fakes.settings import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

REQUEST, NOTIFICATION, REPLY, JUNK, FATAL = "request", "notification", "reply", "junk", "fatal"

UNREADABLE: dict[str, tuple[str, str, str | None]] = {
    "not_utf8": (FATAL, "not UTF-8", None),
    "blank_line": (JUNK, "blank line", "EOF while parsing a value at line 1 column 0"),
    "header_line": (JUNK, "Content-Length header", "expected value at line 1 column 1"),
    "not_json": (JUNK, "not JSON", "expected value at line 1 column 1"),
    "too_deep": (JUNK, "nested too deep", "recursion limit exceeded at line 1 column 128"),
    "unreadable_number": (JUNK, "unreadable number", "number out of range at line 1 column 1"),
    "too_long": (JUNK, "line over 64 MiB", "EOF while parsing a string at line 1 column 67108864"),
}
"""Code of the codec's error -> (kind of line, violation, what the server says on standard error)."""
NO_VARIANT = "data did not match any variant of untagged enum JSONRPCMessage"


class Line:
    """One line: its kind, the violations that it holds, and what the server says of it on standard error."""

    __slots__ = ("kind", "violations", "says")

    def __init__(self, kind: str, violations: list[str], says: str | None = None) -> None:
        self.kind = kind
        self.violations = violations
        self.says = says


def classify(frame: Frame, requests: Container[str]) -> Line:
    """What the line is to the server. requests: the methods that are requests, so that a missing id is seen."""
    if frame.problem is not None and frame.problem.code in UNREADABLE:
        kind, violation, says = UNREADABLE[frame.problem.code]
        if frame.problem.code == "not_json":
            says = _half_json(frame.raw.strip()) or says
        return Line(kind, [violation], says)
    value = frame.value
    if not isinstance(value, dict):
        return Line(JUNK, ["array" if isinstance(value, list) else "no object"], NO_VARIANT)
    violations = ["CRLF"] if frame.raw.endswith(b"\r\n") else []
    if "jsonrpc" in value:
        violations.append("jsonrpc member")
    return _message(value, violations, requests)


def _half_json(text: bytes) -> str | None:
    """What the reader says of text that begins like JSON."""
    if text[:1] in (b"{", b"["):
        return f"EOF while parsing {'an object' if text[:1] == b'{' else 'a list'} at line 1 column {len(text)}"
    return NO_VARIANT if text[:1] == b'"' else None


def _message(value: dict[str, Json], violations: list[str], requests: Container[str]) -> Line:
    good_id = isinstance(value.get("id"), str) or KINDS["int"](value.get("id"))
    if "id" in value and not good_id:
        violations.append(f"id is {'null' if value['id'] is None else type(value['id']).__name__}")
    if isinstance(value.get("method"), str):
        if good_id:
            return Line(REQUEST, violations)
        if value["method"] in requests and "id" not in value:
            violations.append("request without id")
        return Line(NOTIFICATION, violations)
    if good_id and ("result" in value or isinstance(value.get("error"), dict)):
        return Line(REPLY, violations)
    return Line(JUNK, [*violations, "no message"], NO_VARIANT)
