"""Where secrets stand in bytes: values after a secret's name, shapes, patterns, and secrets known by value.

Everything here works on bytes and offsets and parses no whole frame, so that a half frame hides nothing, and each look
goes on behind the last find, so that the time is linear in hostile bytes too. What a find is replaced by, and what must
not be touched, is `redact`'s; lint asks here too.
"""
from __future__ import annotations

import binascii

from harness.tape.rules import PEM_BEGIN, PEM_END, PEM_MIDDLE, SCHEMES, SHAPES, WHOLE_LINES
from harness.tape.unescape import plain, views

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.tape.rules import Rules, Shape

LEAST_BEGUN = 4
"""Bytes of a given secret at the end of a read from which on they count as its beginning."""
STEMS = (b"auth", b"key", b"pass", b"secret", b"token", b"cookie")
"""Every built-in name has one of these in it: most frames have none, and then no name is looked for."""
CHUNK = 256 << 10
"""Bytes that are read without their escapes at a time; it bounds the memory for them."""
OVERLAP = 16 << 10

_SPACE = b" \t\r\n"
_DIGITS = b"0123456789"
_WORD = _DIGITS + b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NUMBER = _DIGITS + b"-+.eE"
_IN_WORD = bytes(set(range(256)) - set(b" \t\r\n\"',;&)}]"))
_IN_LINE = bytes(set(range(256)) - set(b"\r\n"))


class Find:
    """One secret: bytes `start` to `stop`. secret: what it says, however it is written; equal for equal secrets.

    rule: name of the rule that found it. given: by value, so that it may not stay. number: digits, to stay digits.
    open: a string that does not end here. size: bytes of the whole secret, where only a part of it is here; else 0.
    """

    __slots__ = ("start", "stop", "secret", "rule", "given", "number", "open", "size")

    def __init__(
        self,
        start: int,
        stop: int,
        secret: bytes,
        rule: str,
        *,
        given: bool = False,
        number: bool = False,
        open: bool = False,
        size: int = 0,
    ) -> None:
        self.start = start
        self.stop = stop
        self.secret = secret
        self.rule = rule
        self.given = given
        self.number = number
        self.open = open
        self.size = size

    def __repr__(self) -> str:
        return f"Find({self.start}, {self.stop}, {self.rule})"


class Finder:
    """Looks for what one set of rules names."""

    __slots__ = ("forms", "_names", "_stems", "_shapes", "_patterns", "_delicate")

    def __init__(self, rules: Rules, more_names: Sequence[str] = ()) -> None:
        self._names = [name.encode() for name in dict.fromkeys((*rules.names, *more_names))]
        bare = [name for name in self._names if not any(stem in name for stem in STEMS)]
        self._stems = (*STEMS, *bare)
        self._shapes = SHAPES if rules.shapes else ()
        self._patterns = []
        if rules.patterns:
            import re  # slow to import, and only those who ask for patterns pay

            self._patterns = [(f"pattern {n}", re.compile(text.encode())) for n, text in enumerate(rules.patterns, 1)]
        self.forms = [
            (form, literal if form == literal else form + b" of " + literal, f"given secret {n}")
            for n, literal in enumerate(rules.literals, 1)
            for form in forms_of(literal)
        ]
        """(bytes, identity, rule) for each way of writing a given secret, JSON escapes aside."""
        self._delicate = any(
            set(form) & set(b'"\\/') or form.strip(bytes(range(0x20, 0x7F))) for form, _, _ in self.forms
        )

    def all(self, data: bytes, *, text: bool) -> list[Find]:
        """Every find in `data`, in no order; they may overlap. text: `name=value` and `name: value` count too."""
        named = self._is_named(data)
        finds = list(self._in(data, named, text))
        if b"\\" in data and (named or self._delicate or b"\\u" in data):
            for start in range(0, len(data), CHUNK):
                finds += self._deeper(data, max(0, start - OVERLAP), start + CHUNK, text)
        return finds

    def begun(self, data: bytes) -> list[Find]:
        """The given secrets that may have begun at the end of `data` and go on in what comes next.

        From LEAST_BEGUN bytes on: what goes on after fewer is found when it comes, and only those few bytes stood.
        """
        finds = []
        for form, identity, rule in self.forms:
            at = data.find(form[:LEAST_BEGUN], max(0, len(data) - len(form) + 1))
            while at >= 0:
                if form.startswith(data[at:]):
                    digits = form == identity and form.isdigit()
                    finds.append(Find(at, len(data), identity, rule, given=True, number=digits, size=len(form)))
                    break
                at = data.find(form[:LEAST_BEGUN], at + 1)
        return finds

    def _is_named(self, data: bytes) -> bool:
        low = data.lower()
        for stem in self._stems:
            if stem in low:
                return any(name in low for name in self._names)
        return False

    def _deeper(self, data: bytes, start: int, stop: int, text: bool) -> Iterator[Find]:
        """What is found in a chunk once its escapes are taken out."""
        for _ in range(64):  # not in the middle of an escape
            if not start or data[start - 1] != 92:
                break
            start -= 1
        for view in views(data[start:stop]):
            if view.is_raw:
                continue
            for find in self._in(view.data, self._is_named(view.data), text):
                begin, end = view.place(find.start, find.stop)
                find.start, find.stop = begin + start, end + start
                yield find

    def _in(self, data: bytes, named: bool, text: bool) -> Iterator[Find]:
        for form, identity, rule in self.forms:
            if form in data:
                digits = form == identity and form.isdigit()
                for at in _places(data, form):
                    yield Find(at, at + len(form), identity, rule, given=True, number=digits)
        if named:
            low = data.lower()
            for name in self._names:
                if name in low:
                    yield from _quoted(data, low, name)
                    if text:
                        yield from _unquoted(data, low, name)
        for shape in self._shapes:
            if shape.prefix in data:
                yield from _shaped(data, shape)
        if self._shapes and PEM_BEGIN in data:
            yield from _private_keys(data)
        if self._shapes and b"://" in data:
            yield from _in_addresses(data)
        for rule, pattern in self._patterns:
            group = "secret" if "secret" in pattern.groupindex else 0
            for match in pattern.finditer(data):
                if match.end(group) > match.start(group):
                    yield Find(match.start(group), match.end(group), match[group], rule)


def forms_of(literal: bytes) -> list[bytes]:
    """The ways in which a secret is written in practice: itself, base64 inside of anything, hexadecimal, in a URL."""
    forms = [literal]
    for shift in range(3):
        coded = binascii.b2a_base64(b"\0" * shift + literal, newline=False).rstrip(b"=")
        # The first and last letters also hold bits of what stands beside the secret.
        first = (0, 2, 3)[shift]
        last = len(coded) if (shift + len(literal)) % 3 == 0 else len(coded) - 1
        if last - first >= 7:
            forms += [coded[first:last], coded[first:last].translate(bytes.maketrans(b"+/", b"-_"))]
    forms += [binascii.hexlify(literal), binascii.hexlify(literal).upper()]
    for safe in (b"-._~", b"-._~:/?#[]@!$&'()*+,;=", b"-._*"):
        coded = b"".join(bytes((byte,)) if byte in _WORD or byte in safe else b"%%%02X" % byte for byte in literal)
        forms += [coded, _lower_percents(coded), coded.replace(b"%20", b"+")]
    return list(dict.fromkeys(forms))


def _lower_percents(coded: bytes) -> bytes:
    head, *rest = coded.split(b"%")
    return b"%".join([head, *(part[:2].lower() + part[2:] for part in rest)])


def _places(data: bytes, form: bytes) -> Iterator[int]:
    at = data.find(form)
    while at >= 0:
        yield at
        at = data.find(form, at + len(form))


def _run(data: bytes, start: int, members: bytes) -> int:
    """Where the run of `members` that begins at `start` ends."""
    while start < len(data):
        part = data[start : start + 4096]
        rest = len(part.lstrip(members))
        if rest:
            return start + len(part) - rest
        start += len(part)
    return len(data)


def string_end(data: bytes, start: int) -> int:
    """Offset of the quote that ends the string whose content begins at `start`, or of the end of the line or data."""
    at = start - 1
    while True:
        at = data.find(b'"', at + 1)
        line = data.find(b"\n", start, at if at >= 0 else len(data))
        if line >= 0:
            return line
        if at < 0:
            return len(data)
        before = at
        while before > 0 and data[before - 1] == 92:
            before -= 1
        if (at - before) % 2 == 0:
            return at


def _quoted(data: bytes, low: bytes, name: bytes) -> Iterator[Find]:
    """`"name": value`, and `"name": "<name>", "value": value` as lists of headers have it."""
    token = b'"' + name + b'"'
    at = low.find(token)
    while at >= 0:
        after = _run(data, at + len(token), _SPACE)
        if data[after : after + 1] == b",":
            before = low[max(0, at - 64) : at].rstrip().removesuffix(b":").rstrip()
            value = _run(data, after + 1, _SPACE)
            if before.endswith(b'"name"') and low[value : value + 7] == b'"value"':
                after = _run(data, value + 7, _SPACE)
        if data[after : after + 1] == b":":
            finds, after = _value(data, after + 1, name.decode())
            yield from finds
        at = low.find(token, after)


def _value(data: bytes, at: int, name: str) -> tuple[list[Find], int]:
    """The text or number that begins at `at`, or each one that stands in the list there; and where they end.

    An object is left: under a secret's name stands a schema more often than a secret. A pointer rule reaches into it.
    """
    finds = []
    inside: list[int] = []
    while True:
        at = _run(data, at, _SPACE)
        kind = data[at] if at < len(data) else 0
        wanted = not inside or inside[-1] == 91
        if kind == 34:
            stop = string_end(data, at + 1)
            if wanted and stop > at + 1:
                secret = plain(data[at + 1 : stop])
                finds.append(Find(at + 1, stop, secret, f"values of {name}", open=stop == len(data)))
            at = stop + 1
        elif kind in b"-0123456789":
            stop = _run(data, at, _NUMBER)
            if wanted:
                finds.append(Find(at, stop, data[at:stop], f"values of {name}", number=True))
            at = stop
        elif kind == 91 or (kind == 123 and inside):
            inside.append(kind)
            at += 1
        elif inside and kind:
            if kind in b"]}":
                inside.pop()
            at += 1
        else:
            return finds, at
        if not inside:
            return finds, at


def _unquoted(data: bytes, low: bytes, name: bytes) -> Iterator[Find]:
    """`name=value` and `name: value` in text, a line of HTTP headers among them.

    A name in double quotes is JSON, and `_quoted`'s; so is what begins with a bracket no value of text.
    """
    at = low.find(name)
    while at >= 0:
        stop = after = at + len(name)
        if data[after : after + 1] == b"'":
            after += 1
        after = _run(data, after, b" \t")
        if not (at and data[at - 1] in _WORD) and data[after : after + 1] in (b"=", b":"):
            start = _run(data, after + 1, b" \t")
            if data[start : start + 1] in (b'"', b"'"):
                start += 1
            stop = _run(data, start, _IN_LINE if name.decode() in WHOLE_LINES else _IN_WORD)
            if data[start:stop].lower() in SCHEMES:
                start = _run(data, stop, b" \t")
                stop = _run(data, start, _IN_WORD)
            if stop > start and data[start] not in b"{[":
                yield Find(start, stop, plain(data[start:stop]), f"values of {name.decode()}")
        at = low.find(name, stop)


def _shaped(data: bytes, shape: Shape) -> Iterator[Find]:
    at = data.find(shape.prefix)
    while at >= 0:
        start = at + len(shape.prefix)
        stop = start
        if not (at and data[at - 1] in _WORD):
            stop = _run(data, start, shape.alphabet)
            token = data[start:stop]
            has_digit = len(token.translate(None, _DIGITS)) < len(token)
            if has_digit and len(token) >= shape.least and token.count(b".") >= shape.dots:
                yield Find(start, stop, token, f"looks like a {shape.name}")
        at = data.find(shape.prefix, stop)


def _private_keys(data: bytes) -> Iterator[Find]:
    at = data.find(PEM_BEGIN)
    while at >= 0:
        stop = at + len(PEM_BEGIN)
        start = data.find(PEM_MIDDLE, at, at + 64)
        if start >= 0:
            start += len(PEM_MIDDLE)
            stop = data.find(PEM_END, start)
            stop = len(data) if stop < 0 else stop
            if stop > start:
                yield Find(start, stop, plain(data[start:stop]), "looks like a private key")
        at = data.find(PEM_BEGIN, stop)


def _in_addresses(data: bytes) -> Iterator[Find]:
    """The password of `scheme://user:password@host`."""
    at = data.find(b"://")
    while at >= 0:
        start = at + 3
        stop = _run(data, start, _IN_WORD)
        user, mark, _ = data[start:stop].split(b"/")[0].rpartition(b"@")
        name, colon, password = user.partition(b":")
        if mark and colon and password:
            begin = start + len(name) + 1
            yield Find(begin, begin + len(password), plain(password), "password in an address")
        at = data.find(b"://", stop)
