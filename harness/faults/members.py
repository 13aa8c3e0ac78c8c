"""JSON texts changed at one member, by the byte spans of their values: every other byte stays as it was.

Separate from `body`, which knows framing and nothing of JSON. A text that is no JSON has no spans, and a fault that
needs one leaves it alone.
"""
from __future__ import annotations

from harness.wire.jsontext import JsonTextError, dumps, loads
from harness.wire.spans import spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from harness.faults.registry import Chance
    from harness.wire.jsontext import Json

    Values: TypeAlias = Mapping[str, tuple[int, int]]

_SPACE = b" \t\r\n"


def values_of(body: bytes) -> Values:
    """JSON pointer -> (start, end) of every value in the text; empty where the text is no JSON."""
    try:
        return spans(body)
    except (JsonTextError, UnicodeDecodeError):
        return {}


def kind_of(values: Values) -> str:
    """request, reply or notice, by the members of the message; raw for anything else."""
    if "/method" in values:
        return "request" if "/id" in values else "notice"
    return "reply" if "/id" in values and ("/result" in values or "/error" in values) else "raw"


def payload(values: Values) -> str:
    """Pointer of what a message carries: its result, params or error; the whole text where it is no message."""
    return next((pointer for pointer in ("/result", "/params", "/error") if pointer in values), "")


def under(values: Values, pointer: str) -> list[str]:
    """Pointers of all values inside `pointer`, itself excluded, in the order of the text."""
    inside = [other for other in values if other.startswith(f"{pointer}/")]
    return sorted(inside, key=lambda other: values[other])


def value_at(body: bytes, values: Values, pointer: str) -> Json:
    """The decoded value at a pointer."""
    start, end = values[pointer]
    return loads(body[start:end].decode())


def is_object(body: bytes, values: Values, pointer: str) -> bool:
    return pointer in values and body[values[pointer][0] : values[pointer][0] + 1] == b"{"


def is_member(body: bytes, values: Values, pointer: str) -> bool:
    """Whether the value is a member of an object (not an item of an array, and not the whole text)."""
    return pointer in values and pointer != "" and is_object(body, values, pointer.rpartition("/")[0])


def replaced(body: bytes, values: Values, pointer: str, value: bytes) -> bytes:
    """The text with other bytes in place of one value."""
    start, end = values[pointer]
    return body[:start] + value + body[end:]


def added(body: bytes, values: Values, pointer: str, name: str, value: bytes) -> bytes | None:
    """The text with one more member, the first, in the object at `pointer`; None where that is no object."""
    if not is_object(body, values, pointer):
        return None
    start, end = values[pointer]
    comma = b"," if body[start + 1 : end - 1].strip(_SPACE) else b""
    return body[: start + 1] + text(name) + b":" + value + comma + body[start + 1 :]


def removed(body: bytes, values: Values, pointer: str) -> bytes:
    """The text without one member of an object, or item of an array, and without the comma that it leaves."""
    start, end = values[pointer]
    if is_member(body, values, pointer):
        start = key_span(body, start)[0]
    before = len(body[:start].rstrip(_SPACE))
    if body[before - 1 : before] == b",":
        return body[: before - 1] + body[end:]
    after = end + len(body[end:]) - len(body[end:].lstrip(_SPACE))
    if body[after : after + 1] == b",":
        end = after + 1
    return body[:start] + body[end:]


def renamed(body: bytes, values: Values, pointer: str, name: str) -> bytes:
    """The text with another key for one member."""
    start, end = key_span(body, values[pointer][0])
    return body[:start] + text(name) + body[end:]


def key_span(body: bytes, value_start: int) -> tuple[int, int]:
    """(start, end) of the key, quotes included, of the member whose value starts there."""
    colon = len(body[:value_start].rstrip(_SPACE)) - 1
    end = len(body[:colon].rstrip(_SPACE))
    start = body.rindex(b'"', 0, end - 1)
    while (start - len(body[:start].rstrip(b"\\"))) % 2:  # an escaped quote stands inside the key
        start = body.rindex(b'"', 0, start)
    return start, end


def key_of(pointer: str) -> str:
    """The last part of a pointer as the key that it stands for."""
    return pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def put_in_text(body: bytes, values: Values, pointer: str | None, data: bytes) -> bytes | None:
    """The text with bytes put at the end of one JSON string: the one at `pointer`, or by default the last of what
    the message carries (or of the whole text). None where there is no string."""
    strings = [other for other in values if body[values[other][0] : values[other][0] + 1] == b'"']
    if pointer is None:
        inside = set(under(values, payload(values)))
        strings = [other for other in strings if other in inside] or strings
        pointer = max(strings, key=lambda other: values[other], default=None)
    if pointer not in strings:
        return None
    end = values[pointer][1] - 1
    return body[:end] + data + body[end:]


def text(value: Json) -> bytes:
    """A JSON value as compact text: ASCII, so that it looks the same in every dialect."""
    return dumps(value).encode()


def drawn(pointers: list[str], rng: Chance) -> str | None:
    """One of the pointers, by the seed; None where there is none."""
    return pointers[int(rng.random() * len(pointers))] if pointers else None


def message_like(body: bytes, members: Mapping[str, Json]) -> bytes:
    """Another message beside this one: with the `jsonrpc` member exactly where this one has it."""
    version = {"jsonrpc": "2.0"} if "/jsonrpc" in values_of(body) else {}
    return text({**version, **members})
