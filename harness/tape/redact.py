"""Takes secrets out of events before they are written: same JSON type, same number of bytes, equal secrets equal.

One Redactor a tape, fed with everything in order. It never delays an event: a secret that was given by value and is
split over two reads is taken out of both, all but its first three bytes at most. Where a given secret stands in a
protocol field, or taking it out would break the frame, the frame itself is left out and a gap says so.

What it can't see: a secret that nobody named, in compressed or encrypted bytes, in a picture, or cut into pieces by the
program itself. `find` looks, `rules` says for what, `disguise` says what stands there instead.
"""
from __future__ import annotations

from harness.tape.disguise import Disguise
from harness.tape.event import get_bytes, put_bytes
from harness.tape.find import Find, Finder, string_end
from harness.tape.rules import matches, protects
from harness.tape.unescape import plain
from harness.wire.jsontext import JsonTextError
from harness.wire.spans import spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.tape.event import Event
    from harness.tape.rules import Rules
    from harness.wire.jsontext import Json
    from harness.wire.spans import Spans

JSON_BODIES = {"ndjson": 0, "jsonrpc": 0, "mcp": 0, "native": 4}
"""Dialect whose frames are JSON -> bytes of framing before it. The frames of other dialects are text."""

HOW = "a pseudonym of the same type and encoded length, from a hash whose key is not kept"
REFUSED = "a secret stands where it can't be taken out without breaking the frame; the frame was left out"
_LEAST_TAIL, _LONGEST_TAIL = 64, 64 << 10
"""Bytes of a stream that are looked at again with the next event: at least a name and its colon, and a given secret
whose every letter is an escape."""
_ENDLESS = 1 << 40


class _Stream:
    """What is remembered of one stream: its last bytes, and the secret that its last event broke off in."""

    __slots__ = ("tail", "open", "done", "more")

    def __init__(self) -> None:
        self.tail = b""
        self.open: Find | None = None
        self.done = 0
        """Bytes of the open secret that are written already."""
        self.more = False


class Redactor:
    """One tape's redaction. key: bytes from a good source, drawn for this tape and thrown away; the same key gives
    the same tape."""

    __slots__ = ("counts", "_rules", "_disguise", "_finder", "_blunt", "_tail_size", "_streams")

    def __init__(self, rules: Rules, key: bytes) -> None:
        self.counts: dict[str, int] = {}
        """Rule -> how often it struck."""
        self._rules = rules
        self._disguise = Disguise(key)
        self._finder = Finder(rules)
        self._blunt = self._blunt_finder()
        longest = max((len(form) for form, _, _ in self._finder.forms), default=0)
        self._tail_size = min(max(_LEAST_TAIL, 6 * longest), _LONGEST_TAIL)
        self._streams: dict[tuple[int, str, str], _Stream] = {}

    def _blunt_finder(self) -> Finder | None:
        """For frames that can't be decoded, so that pointers lead nowhere: the names that the pointers end in.

        None where a pointer ends in no name: such a frame is left out.
        """
        names = [pointer.rpartition("/")[2] for pointer in self._rules.pointers]
        if any(name in ("*", "**") or name.isdigit() for name in names):
            return None
        return Finder(self._rules, [name.replace("~1", "/").replace("~0", "~").lower() for name in names])

    def frame(
        self, data: bytes, *, p: int, w: str = "stdio", s: str = "out", dialect: str = "raw", more: bool = False
    ) -> bytes | None:
        """A frame (of a raw dialect: a read) without its secrets, as long as it was. None: it must not be written.

        more: the frame goes on in the next call for this stream.
        """
        stream = self._streams.setdefault((p, w, s), _Stream())
        if dialect in JSON_BODIES:
            return self._redacted(data, stream, text=False, protocol=True, body=JSON_BODIES[dialect], more=more)
        return self._redacted(data, stream, text=True, more=more)

    def event(self, event: Event, *, dialect: str = "raw") -> Event:
        """An event without its secrets; a gap where it must not be written. dialect: of the stream, for `bytes`."""
        kind = event["e"]
        if kind == "bytes":
            return self._bytes_event(event, dialect)
        made = dict(event)
        if kind == "started":
            made["program"] = self._text(str(event["program"]))
            made["argv"] = self._argv(event["argv"])  # type: ignore[arg-type]
        elif kind == "flow":
            for half in ("request", "response"):
                if half in event:
                    made_half = self._flow_half(event[half])  # type: ignore[arg-type]
                    if made_half is None:
                        return _gap(event)
                    made[half] = made_half
        elif kind == "closed":
            self._streams.pop((event["p"], event["w"], event["s"]), None)  # type: ignore[arg-type]
        for field in ("text", "why"):
            if field in event:
                made[field] = self._text(str(event[field]))
        return made

    def manifest(self) -> list[dict[str, Json]]:
        """The header's `redaction`: what is looked for, never the secrets."""
        rules = self._rules
        entries = [f"values of the names {', '.join(rules.names)}"] if rules.names else []
        if rules.literals:
            entries.append(f"{len(rules.literals)} secrets given by value, in plain text, JSON escapes, base64, "
                           "hexadecimal and percent encoding")
        entries += [f"what stands at {pointer}" for pointer in rules.pointers]
        entries += [f"what matches pattern {number}" for number in range(1, len(rules.patterns) + 1)]
        if rules.shapes:
            entries.append("text that looks like a key or token of a known kind, and passwords in addresses")
        return [{"what": what, "how": HOW} for what in entries]

    def closing(self) -> str:
        """Text of the closing note: how often each rule struck."""
        struck = ", ".join(f"{rule}: {count}" for rule, count in sorted(self.counts.items()))
        return f"redaction struck {sum(self.counts.values())} times{'; ' if struck else ''}{struck}"

    # One stretch of bytes

    def _redacted(
        self, data: bytes, stream: _Stream, *, text: bool, protocol: bool = False, body: int = 0, more: bool = False
    ) -> bytes | None:
        """text: `name=value` counts. protocol: pointers lead into it, and its shape and protected fields must stay,
        where it is JSON. body: bytes before the JSON."""
        window = stream.tail + data
        base = len(stream.tail)
        whole = protocol and not more and not stream.more
        stream.tail = window[-self._tail_size :]
        stream.more = more
        finds = self._finder.all(window, text=text) + self._finder.begun(window)
        if stream.open is not None:
            finds.append(_continued(stream.open, stream.done, window, base))
        pointing = protocol and self._may_point(data if whole else window, whole)
        before = _spans(data[body:]) if whole and (finds or pointing) else None
        if before is not None:
            pointed = self._pointed(data[body:], before, base + body)
            if pointed is None:
                self._refuse()
                return None
            fields = [(start, stop) for pointer, (start, stop) in before.items() if protects(pointer)]
            finds = [find for find in (*finds, *pointed) if find.given or not _overlaps(find, fields, base + body)]
        elif pointing and not text:
            if self._blunt is None:
                self._refuse()
                return None
            finds += self._blunt.all(window, text=False)
        finds = [find for find in finds if find.stop > base]
        stream.open = None
        for find in finds:
            if find.open and find.stop == len(window) and (more or text):
                find.size = _ENDLESS
                stream.open, stream.done = find, find.stop - find.start
        if not finds:
            return data
        made = self._painted(data, base, finds)
        if before is not None and not _same_shape(data[body:], before, made[body:]):
            self._refuse()
            return None
        return made

    def _refuse(self) -> None:
        self.counts["frames left out"] = self.counts.get("frames left out", 0) + 1

    def _may_point(self, data: bytes, whole: bool) -> bool:
        """Whether a pointer rule could lead anywhere in this frame: a cheap look before the dear one.

        Of a piece of a frame only the last part of a pointer is looked for: the others may stand in an earlier piece.
        """
        return (bool(self._rules.pointers) and b"\\u" in data) or any(
            all(_may_hold(data, part) for part in pointer.split("/")[1 if whole else -1 :])
            for pointer in self._rules.pointers
        )

    def _pointed(self, body: bytes, found: Spans, offset: int) -> list[Find] | None:
        """What the pointer rules name; None where a name stands twice, so that a pointer reaches one value only."""
        finds: list[Find] = []
        for pattern in self._rules.pointers:
            if any(_reaches(pattern, pointer) for pointer in found.duplicates):
                return None
            for pointer, (start, stop) in found.items():
                if _reaches(pattern, pointer):
                    finds += _scalar(body, start, stop, offset, f"at {pattern}")
        return finds

    def _painted(self, data: bytes, base: int, finds: list[Find]) -> bytes:
        """`data` with the pseudonyms, the longest find first; what a longer one covers is not painted twice."""
        made = bytearray(data)
        painted = bytearray(len(data))
        for find in sorted(finds, key=lambda each: (each.start - each.stop, each.start, each.rule)):
            begin, end = max(find.start, base) - base, find.stop - base
            start = painted.find(0, begin, end)
            if start >= 0:
                self.counts[find.rule] = self.counts.get(find.rule, 0) + 1
            while start >= 0:
                stop = painted.find(1, start, end)
                stop = end if stop < 0 else stop
                made[start:stop] = self._pseudonym(find, start + base, stop + base)
                painted[start:stop] = b"\1" * (stop - start)
                start = painted.find(0, stop, end)
        return bytes(made)

    def _pseudonym(self, find: Find, start: int, stop: int) -> bytes:
        if find.number and find.stop - find.start <= len(find.secret):  # longer where its digits are escapes
            return self._disguise.number(find.secret)[start - find.start : stop - find.start]
        total = find.size or find.stop - find.start
        return self._disguise.text(find.secret, start - find.start, stop - find.start, total)

    # Events other than frames

    def _bytes_event(self, event: Event, dialect: str) -> Event:
        data = get_bytes(event)
        made = self.frame(data, p=event["p"], w=event["w"], s=event["s"],  # type: ignore[arg-type]
                          dialect=dialect, more=bool(event.get("more")))
        if made is None:
            return {**_gap(event), "size": len(data)}
        after: Event = {}
        for field, value in event.items():
            if field in ("b", "b64"):
                after.update(put_bytes(made))
            else:
                after[field] = value
        return after

    def _text(self, text: str) -> str:
        data = text.encode("utf-8", "surrogateescape")
        made = self._redacted(data, _Stream(), text=True)
        assert made is not None, "only what is of a protocol is ever refused"
        return made.decode("utf-8", "surrogateescape")

    def _whole(self, text: str, rule: str) -> str:
        data = text.encode("utf-8", "surrogateescape")
        return self._painted(data, 0, [Find(0, len(data), data, rule)]).decode() if data else text

    def _argv(self, argv: list[str]) -> list[str]:
        """Arguments; the one after `--password` is a secret."""
        made = []
        before = ""
        for word in argv:
            name = before.lstrip("-").lower()
            secret = before.startswith("-") and name in self._rules.names and not word.startswith("-")
            made.append(self._whole(word, f"values of {name}") if secret else self._text(word))
            before = word
        return made

    def _flow_half(self, half: Event) -> Event | None:
        made: Event = {}
        for field, value in half.items():
            if field in ("b", "b64"):
                body = self._redacted(get_bytes(half), _Stream(), text=True, protocol=True)
                if body is None:
                    return None
                made.update(put_bytes(body))
            elif field == "headers":
                made[field] = self._headers(value)  # type: ignore[arg-type]
            else:
                made[field] = self._text(value) if isinstance(value, str) else value
        return made


    def _headers(self, headers: list[list[str]]) -> list[Json]:
        names = self._rules.names
        return [
            [pair[0], self._whole(pair[1], f"values of {pair[0].lower()}") if pair[0].lower() in names
             else self._text(pair[1])]
            for pair in headers
        ]


def _gap(event: Event) -> Event:
    return {**{field: event[field] for field in ("n", "t", "p") if field in event}, "e": "gap", "why": REFUSED}


def _spans(body: bytes) -> Spans | None:
    """The spans of a JSON text; None where it is none, or has too many values to keep their places."""
    try:
        return spans(body)
    except JsonTextError:
        return None


def _continued(open: Find, done: int, window: bytes, base: int) -> Find:
    """The secret that the last event broke off in, after `done` bytes, up to its end here."""
    stop = string_end(window, base)
    return Find(base - done, stop, open.secret, open.rule, open=stop == len(window), size=_ENDLESS)


def _may_hold(data: bytes, part: str) -> bool:
    """Whether a member or item of this name in a pointer may be in a JSON text without `\\u`."""
    return part in ("*", "**") or part.isdigit() or "~" in part or part.encode() in data


def _reaches(pattern: str, pointer: str) -> bool:
    return matches(pattern, pointer) or matches(f"{pattern}/**", pointer)


def _scalar(body: bytes, start: int, stop: int, offset: int, rule: str) -> list[Find]:
    """The text or number at a span. Containers' members have spans of their own; true, false and null stay."""
    first = body[start]
    if first == 34 and stop - start > 2:
        return [Find(start + 1 + offset, stop - 1 + offset, plain(body[start + 1 : stop - 1]), rule)]
    if first in b"-0123456789":
        return [Find(start + offset, stop + offset, body[start:stop], rule, number=True)]
    return []


def _overlaps(find: Find, fields: Sequence[tuple[int, int]], offset: int) -> bool:
    return any(start + offset < find.stop and find.start < stop + offset for start, stop in fields)


def _same_shape(data: bytes, before: Spans, made: bytes) -> bool:
    """Whether every value still stands where it stood, of the same type, and every protected one is untouched."""
    after = _spans(made)
    if after is None or list(before.values()) != list(after.values()):
        return False
    for pointer, (start, stop) in before.items():
        if _KINDS[data[start]] != _KINDS[made[start]]:
            return False
        if protects(pointer) and (after.get(pointer) != (start, stop) or data[start:stop] != made[start:stop]):
            return False
    return True


_KINDS = bytes.maketrans(b"123456789", b"000000000")
"""First byte of a JSON value -> its type."""
