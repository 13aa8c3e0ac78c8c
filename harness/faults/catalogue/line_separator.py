"""A line separator of Unicode stands unescaped inside a JSON string, where it is legal. Python's `str.splitlines`
splits the frame there; codex app-server really sends U+2028 and U+0085 so (trailcam facts, measured on 0.144.2 and
0.171.0). Only what a message carries is changed, never its id, so a reply says all it said before: in a text that is
itself a JSON document (MCP servers answer with such) it stands in a text of that, since beside one it would be no JSON.
A request asks for something else then, or is refused by a program that reads ASCII only.
"""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import payload, put_in_text, under, value_at, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.members import Values
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "line_separator", "byte", {">>", "<<"}
FORGES = True
HIDES_OUTCOME = True
HIDES_KINDS = {"request"}
RECOVERABLE = True
ARGS = {
    "character": Argument("text", "2028", "", "code point in hexadecimal", choices=("2028", "2029", "0085")),
}
HIGH = (b"d8", b"d9", b"da", b"db")
LOW = (b"\\udc", b"\\udd", b"\\ude", b"\\udf")
"""How the two escapes of a pair of surrogates begin."""


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    data = chr(int(str(args["character"]), 16)).encode()
    return each_body(steps, lambda body: _put(body, data))


def _put(body: bytes, data: bytes) -> bytes | None:
    values = values_of(body)
    for pointer in reversed(_texts(body, values, payload(values))):
        document = value_at(body, values, pointer)
        assert isinstance(document, str)
        inner = document.encode("utf-8", "surrogatepass")
        within = values_of(inner) if document.lstrip()[:1] in ("{", "[") else {}
        if not within:
            return put_in_text(body, values, pointer, data)
        texts = _texts(inner, within, "")
        if texts:
            before = inner[: within[texts[-1]][1] - 1].decode("utf-8", "surrogatepass")
            place = values[pointer][0] + 1 + _written(body[values[pointer][0] + 1 :], len(before))
            return body[:place] + data + body[place:]
    return None


def _texts(body: bytes, values: Values, pointer: str) -> list[str]:
    return [one for one in under(values, pointer) if body[values[one][0] : values[one][0] + 1] == b'"']


def _written(literal: bytes, characters: int) -> int:
    """How many bytes of a JSON text stand for so many of its characters."""
    at = 0
    for _ in range(characters):
        at += _bytes_of(literal, at)
    return at


def _bytes_of(literal: bytes, at: int) -> int:
    """The bytes of one character: an escape, a pair of surrogates in two escapes, or UTF-8."""
    if literal[at : at + 1] != b"\\":
        size = 1
        while literal[at + size] & 0xC0 == 0x80:
            size += 1
        return size
    if literal[at + 1 : at + 2] != b"u":
        return 2
    high, low = literal[at + 2 : at + 4].lower(), literal[at + 6 : at + 10].lower()
    return 12 if high in HIGH and low in LOW else 6
