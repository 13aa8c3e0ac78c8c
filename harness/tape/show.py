"""A tape as text for a terminal: one line an event, `>>` toward the program, `<<` from it, with offsets.

A tape is hostile text: whatever is not printable ASCII is shown as an escape, so that nothing in it can move a cursor,
colour a verdict or reorder a line. Who wants the bytes as they are takes --json.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from harness.tape.event import get_bytes
from harness.tape.header import STRENGTHS, Header
from harness.tape.views import WAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tape.event import Event

ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def plain(text: str, width: int = 0) -> str:
    """`text` in printable ASCII, everything else escaped, cut to `width` characters where that is not 0."""
    safe = "".join(letter if " " <= letter <= "~" else ESCAPES.get(letter) or _escape(letter) for letter in text)
    return safe if not width or len(safe) <= width else f"{safe[: max(width - 3, 0)]}..."


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def heading(header: Header) -> Iterator[str]:
    """What the header says, in three lines or more."""
    origin: Any = header.origin
    products = ", ".join(f"{product['name']} {product['version']}" for product in origin["products"]) or "no product"
    strength = origin["strength"]
    yield plain(f"tape of {products} on {origin['platform']}, {strength}: {STRENGTHS[strength]}")
    yield plain(f"recorded {header.date or 'at an unknown time'} by {origin['recorder']}; bytes {header.bytes}")
    clock, profile, expires = header.clock["kind"], header.profile or "none", header.expires or "never"
    yield plain(f"clock {clock}, profile {profile}, expires {expires}")
    if "source" in origin:
        yield plain(f"source: {origin['source']}")
    for program, wires in header.wires.items():
        yield plain(f"wires of {program}: " + ", ".join(f"{wire} {dialect}" for wire, dialect in wires.items()))
    for entry in header.redaction:
        yield plain(f"redacted: {entry['what']}", 200)


def lines(events: Iterable[Event], width: int) -> Iterator[str]:
    """One line an event: n, t in milliseconds, process, and what happened. width: characters of content, 0 for all."""
    offsets: dict[Any, int] = {}
    for event in events:
        start = f"{event['n']:>6} {event['t']:>12.3f} {event['p']:>3}"
        yield f"{start} {_what(event, offsets, width)}"


def _what(event: Event, offsets: dict[Any, int], width: int) -> str:
    fields: Any = event
    kind = fields["e"]
    if kind == "bytes":
        return _bytes(event, offsets, width)
    if kind == "closed":
        return plain(f"{WAYS[fields['s']]} {fields['w']} {fields['s']} closed at @{offsets.get(_key(event), 0)}")
    if kind == "started":
        parent = f", child of {fields['parent']}" if "parent" in fields else ""
        return plain(f"   started {' '.join([fields['program'], *fields['argv']])}{parent}", width)
    if kind == "exited":
        status = fields["status"]
        return f"   exited with {status}" if status >= 0 else f"   killed by signal {-status}"
    if kind == "signalled":
        return f"   signal {fields['number']} sent to it"
    if kind == "gap":
        known = "".join(f", {fields[name]} {name}" for name in ("events", "size") if name in fields)
        return plain(f"   GAP{known}: {fields['why']}", width)
    if kind == "flow":
        request, response = fields["request"], fields.get("response")
        answer = f"status {response['status']}" if response else "no response"
        return plain(f"   {fields['w']} {request['method']} {request['url']} -> {answer}", width)
    return plain(f"   note: {fields['text']}", width)


def _bytes(event: Event, offsets: dict[Any, int], width: int) -> str:
    fields: Any = event
    data = get_bytes(event)
    key = _key(event)
    offset = offsets.get(key, 0)
    offsets[key] = offset + len(data)
    marks = "".join(
        [f" cuts {','.join(map(str, fields['cuts']))}" if fields.get("cuts") else "",
         f" answers {fields['cause']}" if "cause" in fields else "",
         " goes on" if fields.get("more") else ""]
    )
    text = fields["b"] if "b" in fields else f"base64 {fields['b64']}"
    where = plain(f"{WAYS[fields['s']]} {fields['w']} {fields['s']} @{offset}+{len(data)}{marks}")
    return f"{where}  {plain(text.removesuffix(chr(10)), width)}"


def _key(event: Event) -> tuple[Any, Any, Any]:
    return event["p"], event["w"], event["s"]
