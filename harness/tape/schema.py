"""Checks a decoded line of a tape by the tables in `event` and `header`: types, required and unknown fields.

Separate from the reader, because the header, the migration and the tests of what writers write check by it too.
Every check gives None, or what was seen and what was expected instead; the caller knows file and line.
"""
from __future__ import annotations

from harness.tape.event import COMMON, EVENTS, REQUEST, RESPONSE, STREAMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from harness.tape.event import Event, Table
    from harness.wire.jsontext import Json

    Fault: TypeAlias = tuple[str, str]
    Check: TypeAlias = Callable[[Json], bool]

LATEST_MS = 1e15
"""An instant beyond this (30,000 years) is no time but damage; infinity among it."""


def is_count(value: Json) -> bool:
    return type(value) is int and value >= 0


def is_instant(value: Json) -> bool:
    return type(value) in (int, float) and 0 <= value < LATEST_MS  # type: ignore[operator]


def is_text(value: Json) -> bool:
    """Text that stands for UTF-8 bytes: without lone surrogates."""
    if type(value) is not str:
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_base64(value: Json) -> bool:
    if type(value) is not str:
        return False
    import binascii  # rare, and programs on a tape start without it

    try:
        binascii.a2b_base64(value, strict_mode=True)
    except ValueError:
        return False
    return True


def is_list_of(check: Check) -> Check:
    return lambda value: type(value) is list and all(map(check, value))


def is_pair(value: Json) -> bool:
    return type(value) is list and len(value) == 2 and type(value[0]) is str and type(value[1]) is str


def is_date(value: Json) -> bool:
    """`2026-01-31`, or `2026-01-31T23:59:59Z`."""
    if type(value) is not str:
        return False
    day, mark, clock = value.partition("T")
    parts = day.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not day.isascii() or not "".join(parts).isdigit():
        return False
    if not (1 <= int(parts[1]) <= 12 and 1 <= int(parts[2]) <= 31):
        return False
    if not mark:
        return True
    parts = clock[:-1].split(":")
    if clock[-1:] != "Z" or [len(part) for part in parts] != [2, 2, 2] or not "".join(parts).isdigit():
        return False
    return clock.isascii() and int(parts[0]) < 24 and int(parts[1]) < 60 and int(parts[2]) < 61


def is_sha256(value: Json) -> bool:
    return type(value) is str and len(value) == 64 and not value.strip("0123456789abcdef")


TYPES: dict[str, tuple[Check, str]] = {
    "str": (lambda value: type(value) is str, "text"),
    "bool": (lambda value: type(value) is bool, "true or false"),
    "int": (lambda value: type(value) is int, "a whole number"),
    "count": (is_count, "a whole number from 0"),
    "instant": (is_instant, "milliseconds from 0"),
    "text": (is_text, "text without lone surrogates"),
    "base64": (is_base64, "base64 with padding"),
    "stream": (lambda value: value in STREAMS, f"one of {', '.join(STREAMS)}"),
    "date": (is_date, "a date as 2026-01-31, or with a time as 2026-01-31T23:59:59Z"),
    "sha256": (is_sha256, "64 hexadecimal digits in lower case"),
    "list[str]": (is_list_of(lambda value: type(value) is str), "a list of texts"),
    "list[count]": (is_list_of(is_count), "a list of whole numbers from 0"),
    "list[pair]": (is_list_of(is_pair), "a list of [name, value]"),
    "object": (lambda value: type(value) is dict, "an object"),
    "list": (lambda value: type(value) is list, "a list"),
    "request": (lambda value: type(value) is dict, "an object"),
    "response": (lambda value: type(value) is dict, "an object"),
}
"""Name of a type in the tables -> (its check, its description). `X or null` may be null besides."""


def type_of(name: str) -> tuple[Check, str]:
    """Check and description of a type as the tables name it."""
    plain, _, null = name.partition(" or ")
    check, meaning = TYPES[plain]
    return (lambda value: value is None or check(value), f"{meaning}, or null") if null else (check, meaning)


def fault_in(fields: Mapping[str, Json], table: Table, what: str) -> Fault | None:
    """The first field of `fields` that `table` does not allow. `what` names the thing in the message."""
    return _fault_in(fields, compiled(table), what)


def compiled(table: Table) -> dict[str, tuple[Check, str, bool]]:
    """Field -> (check, description, required): a table made ready for many lines."""
    return {field: (*type_of(name), required) for field, (name, required, _) in table.items()}


def _fault_in(fields: Mapping[str, Json], rows: Mapping[str, tuple[Check, str, bool]], what: str) -> Fault | None:
    for field, value in fields.items():
        row = rows.get(field)
        if row is None:
            return f"an unknown field {field!r} in {what}", f"only {', '.join(rows)}"
        if not row[0](value):
            return f"{field} {shown(value)} in {what}", row[1]
    for field, row in rows.items():
        if row[2] and field not in fields:
            return f"{what} without {field}", f"{field}: {row[1]}"
    return None


_EVENTS = {kind: compiled({**COMMON, **table}) for kind, table in EVENTS.items()}
_REQUEST, _RESPONSE = compiled(REQUEST), compiled(RESPONSE)


def event_fault(event: Event, n: int) -> Fault | None:
    """What keeps a decoded line from being event `n` of a tape of this version, or None."""
    kind = event.get("e")
    rows = _EVENTS.get(kind) if type(kind) is str else None
    if rows is None:
        return f"an event of kind {shown(kind)}", f"one of {', '.join(EVENTS)}"
    fault = _fault_in(event, rows, f"a {kind!r} event")
    if fault is None and event["n"] != n:
        fault = f"n {event['n']}", f"{n}, because n counts lines without holes"
    if fault is None and kind == "bytes":
        return _bytes_fault(event, n)
    if fault is None and kind == "flow":
        return _flow_fault(event)
    return fault


def is_usual(event: Event, n: int) -> bool:
    """A quick yes for what nearly every line of a tape is: event `n`, a frame as text, with no other field but `cause`.

    A player checks each line while its client waits for it. What gets no yes here is looked at by the tables.
    """
    get = event.get
    cause, p, t, text = get("cause"), get("p"), get("t"), get("b")
    return (
        get("e") == "bytes"
        and len(event) == (7 if cause is None else 8)
        and get("n") == n
        and type(event["n"]) is int
        and type(p) is int
        and p >= 0
        and (type(t) is float or type(t) is int)
        and 0 <= t < LATEST_MS
        and type(get("w")) is str
        and get("s") in STREAMS
        and type(text) is str
        and (text.isascii() or is_text(text))
        and (cause is None or (type(cause) is int and 0 <= cause < n))
    )


def _bytes_fault(event: Event, n: int) -> Fault | None:
    if ("b" in event) == ("b64" in event):
        seen = "both b and b64" if "b" in event else "neither b nor b64"
        return f"a 'bytes' event with {seen}", "exactly one of them"
    cause = event.get("cause", -1)
    if cause >= n:  # type: ignore[operator]
        return f"cause {cause} in event {n}", "an event before it"
    cuts: list[int] | None = event.get("cuts")  # type: ignore[assignment]
    if cuts:
        size = _size(event)
        if cuts != sorted(set(cuts)) or cuts[0] < 1 or cuts[-1] > size:
            return f"cuts {shown(cuts)} in {size} bytes", "offsets in rising order, from 1 to the number of bytes"
    return None


def _size(fields: Event) -> int:
    text = fields.get("b")
    if type(text) is str:
        return len(text) if text.isascii() else len(text.encode())
    import binascii

    return len(binascii.a2b_base64(str(fields["b64"]), strict_mode=True))


def _flow_fault(event: Event) -> Fault | None:
    for name, rows in (("request", _REQUEST), ("response", _RESPONSE)):
        half = event.get(name)
        if type(half) is not dict:
            continue
        fault = _fault_in(half, rows, f"the {name} of a flow")
        if fault is None and "b" in half and "b64" in half:
            fault = f"the {name} of a flow with both b and b64", "at most one of them"
        if fault is not None:
            return fault
    return None


def shown(value: Json, limit: int = 60) -> str:
    """A value for a message: ASCII, and cut where it is long."""
    text = ascii(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
