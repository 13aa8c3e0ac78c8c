"""JSON text to values and back, without importing `json`.

`import json` pulls in `re` and `enum` and doubles the start of a bare interpreter. A fake on the tape back starts
and ends within 25 ms, so the codecs call the C scanner and encoder that `json` itself is built on. Other
interpreters, which have no such module, fall back to `json`.

Differences from `json.loads`: NaN, Infinity and numbers that Python can't hold (a float over the range, an integer
over the interpreter's limit of digits) are refused, and so is nesting deeper than `DEPTH_LIMIT`. The last of equal
keys wins, and a lone surrogate in an escape stays what it is, as in `json`.
"""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Json: TypeAlias = None | bool | int | float | str | list[Any] | dict[str, Any]

DEPTH_LIMIT = 512
"""Arrays and objects may be nested this deep; deeper text is refused before it is parsed."""

_SPACE = " \t\n\r"
_NO_BRACKETS = bytes(sorted(set(range(256)) - set(b"[]{}")))
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_OPEN = ord("[")
_ROUNDS = 8


class JsonTextError(ValueError):
    """The text is not one JSON value. `offset` counts characters from 0.

    code: `syntax`, `depth` (nested deeper than `DEPTH_LIMIT`), or `number` (JSON, but out of Python's range; NaN).
    """

    def __init__(self, why: str, offset: int, code: str = "syntax") -> None:
        super().__init__(f"{why} at character {offset}")
        self.why = why
        self.offset = offset
        self.code = code


class _BadNumber(Exception):
    """A number in the text can't be a value. token: how it stands there."""

    def __init__(self, why: str, token: str) -> None:
        super().__init__(why)
        self.why = why
        self.token = token


def _refuse_constant(token: str) -> Any:
    raise _BadNumber(f"{token} is no JSON number", token)


def _finite(token: str) -> float:
    value = float(token)
    if value - value != 0:
        raise _BadNumber("a number is over the range of a 64-bit float", token)
    return value


def _short_integer(token: str) -> int:
    try:
        return int(token)
    except ValueError:
        limit = sys.get_int_max_str_digits()
        raise _BadNumber(f"an integer has {len(token)} characters; the limit is {limit} digits", token) from None


class _Context:
    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = staticmethod(_finite)
    parse_int: Any = int
    parse_constant = staticmethod(_refuse_constant)
    memo: dict[str, str] = {}


class _SlowContext(_Context):
    """Only for text that was refused: a Python function a number costs time, and names the one that is too long."""

    parse_int = staticmethod(_short_integer)


def _refuse_object(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} is no JSON value")


try:
    import _json

    _scan = _json.make_scanner(_Context)  # type: ignore[arg-type]
    _scan_slowly = _json.make_scanner(_SlowContext)  # type: ignore[arg-type]
    _encoders = {
        (ascii_only, sort): _json.make_encoder(None, _refuse_object, escape, None, ":", ",", sort, False, False)
        for ascii_only, escape in ((True, _json.encode_basestring_ascii), (False, _json.encode_basestring))
        for sort in (False, True)
    }

    def _encode(value: Json, ascii_only: bool, sort: bool) -> str:
        return "".join(_encoders[ascii_only, sort](value, 0))

except ImportError:  # pragma: no cover - CPython always has it
    import json

    _scan = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse_constant).scan_once  # type: ignore[attr-defined]
    _scan_slowly = json.JSONDecoder(  # type: ignore[attr-defined]
        parse_float=_finite, parse_int=_short_integer, parse_constant=_refuse_constant
    ).scan_once

    def _encode(value: Json, ascii_only: bool, sort: bool) -> str:
        return json.dumps(value, ensure_ascii=ascii_only, sort_keys=sort, separators=(",", ":"), allow_nan=False)


scan: Callable[[str, int], tuple[Any, int]] = _scan
"""The value that begins at an offset of a text that `loads` has read, and where it ends. In any other text it raises
what it likes."""


def loads(text: str) -> Json:
    """One JSON value, with white space around it. Raises JsonTextError for anything else, deep nesting included."""
    end = len(text)
    start = end - len(text.lstrip(_SPACE)) if text[:1] in _SPACE else 0
    if end > DEPTH_LIMIT and text.count("[") + text.count("{") > DEPTH_LIMIT:
        _check_depth(text)
    try:
        value, stop = _scan_once(text, start)
    except StopIteration as stop_at:
        raise JsonTextError("no JSON value", int(stop_at.value)) from None
    except _BadNumber as number:
        raise JsonTextError(number.why, _offset_of(number.token, text), "number") from None
    except RecursionError:
        raise JsonTextError("nested too deep for the caller's stack", start, "depth") from None
    except ValueError as problem:
        raise _explained(problem, text, start) from None
    if stop != end:
        rest = text[stop:].lstrip(_SPACE)
        if rest:
            raise JsonTextError("text after the value", end - len(rest))
    return value


def _scan_once(text: str, start: int) -> tuple[Json, int]:
    try:
        return _scan(text, start)
    except SystemError:
        # The C scanner can only raise its error where json.decoder is loaded: only bad text pays for that.
        import json.decoder  # noqa: F401

        return _scan(text, start)


def _explained(problem: ValueError, text: str, start: int) -> JsonTextError:
    """json's own error as ours. The only other error is int's, which says neither where nor which number."""
    offset = getattr(problem, "pos", None)
    if offset is not None:
        return JsonTextError(getattr(problem, "msg", "no JSON value").removesuffix(" at"), offset)
    try:
        _scan_slowly(text, start)
    except _BadNumber as number:
        return JsonTextError(number.why, _offset_of(number.token, text), "number")
    raise problem  # pragma: no cover - the same text can't be refused once and pass the second time


def dumps(value: Json, *, ascii_only: bool = True, sort: bool = False) -> str:
    """Compact JSON. Raises ValueError for NaN, Infinity, integers over the interpreter's limit of digits, and values
    that are nested too deep or contain themselves; TypeError for what is no JSON value."""
    try:
        return _encode(value, ascii_only, sort)
    except RecursionError:
        raise ValueError("the value is nested too deep, or contains itself") from None


def encode(value: Json, *, sort: bool = False) -> bytes:
    """Compact JSON in UTF-8, raw where it can be: lone surrogates alone are escaped. Raises as `dumps` does."""
    return dumps(value, ascii_only=False, sort=sort).encode("utf-8", "backslashreplace")


def _outside_of_strings(text: str) -> list[str]:
    """The text cut at its quotes, escapes blanked: every second piece, the first one included, is in no string."""
    return text.replace("\\\\", "  ").replace('\\"', "  ").split('"')


def _offset_of(token: str, text: str) -> int:
    """Where a number stands that the scanner refused: the first such token that is in no string."""
    begin = 0
    for place, piece in enumerate(_outside_of_strings(text)):
        found = -1 if place % 2 else piece.find(token)
        while found > 0 and piece[found - 1] in "+-.0123456789Ee":
            found = piece.find(token, found + 1)
        if found >= 0:
            return begin + found
        begin += len(piece) + 1
    raise AssertionError("the scanner refused a number that the text does not have")  # pragma: no cover


def _check_depth(text: str) -> None:
    """Raise where the text is nested too deep.

    A frame of 1 MiB may have many brackets, and a Python step for each would cost more than parsing it. So pairs with
    nothing between them are taken out round by round: each round takes at most one level off.
    """
    marks = "".join(_outside_of_strings(text)[::2]).encode("utf-8", "replace").translate(_ONE_KIND, _NO_BRACKETS)
    for rounds in range(1, _ROUNDS + 1):
        marks = marks.replace(b"[]", b"")
        if len(marks) <= DEPTH_LIMIT - rounds:
            return
    depth = _ROUNDS
    for mark in marks:
        depth += 1 if mark == _OPEN else -1
        if depth > DEPTH_LIMIT:
            break
    else:
        return
    offset = _offset_of_depth(text)
    if offset < len(text):
        raise JsonTextError(f"nested deeper than {DEPTH_LIMIT}", offset, "depth")


def _offset_of_depth(text: str) -> int:
    """Where the bracket stands that is one too many; the length of the text where none is."""
    begin = depth = 0
    for place, piece in enumerate(_outside_of_strings(text)):
        for offset, letter in enumerate("" if place % 2 else piece, begin):
            depth += (letter in "[{") - (letter in "]}")
            if depth > DEPTH_LIMIT:
                return offset
        begin += len(piece) + 1
    return len(text)
