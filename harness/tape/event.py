"""One event of a tape: its kinds and fields as a table, its line as text, and bytes in it as text and back.

A tape is JSON lines in ASCII: a header, then one event a line in the order of `n`. The table `EVENTS` is the schema:
the strict reader checks by it and docs/tape-format.md is generated from it.
"""
from __future__ import annotations

from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from harness.wire.jsontext import Json

    Event: TypeAlias = dict[str, Json]
    Table: TypeAlias = Mapping[str, tuple[str, bool, str]]

VERSION = 1

STREAMS = ("in", "out", "err")

COMMON: dict[str, tuple[str, bool, str]] = {
    "n": ("count", True, "place in the tape, from 0, without holes"),
    "t": ("instant", True, "milliseconds since the tape began, on the header's clock"),
    "p": ("count", True, "number of the process in the tape, from 1; 0 for the tape as a whole"),
    "e": ("str", True, "kind of event"),
}
EVENTS: dict[str, dict[str, tuple[str, bool, str]]] = {
    "started": {
        "program": ("str", True, "name of the program"),
        "argv": ("list[str]", True, "arguments without the program's name; bytes outside UTF-8 as lone surrogates"),
        "env": ("list[str]", False, "names of the environment variables on the allow list"),
        "parent": ("count", False, "number of the process that started it, where known"),
    },
    "bytes": {
        "w": ("str", True, "wire: stdio, or the name of a socket or HTTP leg"),
        "s": ("stream", True, "stream: in (toward the program), out, err"),
        "b": ("text", False, "the bytes as text, where they are UTF-8; else b64"),
        "b64": ("base64", False, "the bytes in base64"),
        "cuts": ("list[count]", False, "offsets in it at which reads ended; its own end only where more is true"),
        "more": ("bool", False, "true where the frame goes on in the next bytes event of this stream"),
        "cause": ("count", False, "n of the event that this one answers, where known"),
    },
    "closed": {
        "w": ("str", True, "wire"),
        "s": ("stream", True, "stream whose end was seen"),
    },
    "exited": {"status": ("int", True, "exit code, or a signal's number negated")},
    "signalled": {"number": ("count", True, "signal that was sent to the program from outside")},
    "flow": {
        "w": ("str", True, "name of the HTTP leg"),
        "request": ("request", True, "method, url, headers, body as b or b64"),
        "response": ("response", False, "status, headers, body as b or b64; absent where none came"),
    },
    "gap": {
        "why": ("str", True, "why events are missing here"),
        "events": ("count", False, "how many are missing, where known"),
        "size": ("count", False, "how many bytes are missing, where known"),
    },
    "note": {"text": ("str", True, "a remark of the recorder or importer")},
}
"""Kind -> field -> (type, required, meaning). A `bytes` event has exactly one of b and b64."""

REQUEST: dict[str, tuple[str, bool, str]] = {
    "method": ("str", True, "HTTP method"),
    "url": ("str", True, "the whole address"),
    "headers": ("list[pair]", False, "[name, value] in the order of the wire"),
    "b": ("text", False, "the body as text, where it is UTF-8; else b64"),
    "b64": ("base64", False, "the body in base64"),
}
RESPONSE: dict[str, tuple[str, bool, str]] = {
    "status": ("count", True, "HTTP status"),
    "headers": ("list[pair]", False, "[name, value] in the order of the wire"),
    "b": ("text", False, "the body as text, where it is UTF-8; else b64"),
    "b64": ("base64", False, "the body in base64"),
}
"""The two halves of a `flow`. Each has at most one of b and b64: none where there was no body."""


def put_bytes(data: bytes) -> dict[str, Json]:
    """`{"b": text}` where the bytes are UTF-8 that comes back the same, else `{"b64": base64}`."""
    try:
        return {"b": data.decode()}
    except UnicodeDecodeError:
        import binascii  # rare, and programs on a tape start without it

        return {"b64": binascii.b2a_base64(data, newline=False).decode()}


def get_bytes(event: Mapping[str, Json]) -> bytes:
    """The bytes of an event (or of a body in a flow). Raises KeyError where it has none, ValueError for bad base64."""
    text = event.get("b")
    if isinstance(text, str):
        return text.encode()
    coded = event["b64"]
    if not isinstance(coded, str):
        raise ValueError(f"b64 is {type(coded).__name__}, not text")
    import binascii

    return binascii.a2b_base64(coded, strict_mode=True)


def line(fields: Mapping[str, Json]) -> str:
    """One line of a tape, history or world record, without its newline: compact ASCII JSON in the order given."""
    return dumps(dict(fields))
