"""Codecs that depend on the reads, lose bytes, hold without bound or let bad input pass are seen."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from harness.wire import codec, lines, native
from harness.wire.frame import Frame, wire_error
from harness.wire.jsonrpc import JsonRpcCodec
from harness.wire.lines import LineCodec
from harness.wire.native import NativeCodec
from harness.wire.ndjson import NdjsonCodec
from tests.harness.wire import test_init, test_jsonrpc, test_lines, test_native, test_ndjson
from tests.harness.wire.streams import cut, feed_all, single_bytes, told
from tests.teeth import Break, check_tells_apart, replaced

Check = Callable[[Path], object]
FEEDS: dict[Any, Callable[[Any, bytes], list[Frame]]] = {LineCodec: LineCodec.feed, NativeCodec: NativeCodec.feed}


INITS: dict[Any, Callable[[Any, str, int], None]] = {
    LineCodec: LineCodec.__init__, NativeCodec: NativeCodec.__init__,
}  # fmt: skip


def any_split_gives_the_same(dialect: str, folder: Path) -> None:
    """Streams of shreds, whole, cut anywhere and byte by byte; within the limit, and with no byte lost."""
    chance = Random(7)
    for _ in range(80):
        stream = b"".join(chance.choices(test_init.SHREDS, k=chance.randint(0, 9)))
        limit = chance.choice([1, 7, 64])
        whole = [told(frame) for frame in feed_all(codec(dialect, "<<", limit), [stream])]
        assert b"".join(frame[0] for frame in whole) == stream
        pieces = cut(stream, chance.choices(range(len(stream) + 1), k=4))
        for split in (pieces, single_bytes(stream)):
            assert [told(frame) for frame in feed_all(codec(dialect, "<<", limit), split)] == whole
        test_init.check_bounds(dialect, limit, pieces)


def bad_lines_are_typed(folder: Path) -> None:
    for line, code in test_ndjson.BAD:
        test_ndjson.test_bad_lines_are_typed_and_the_next_is_read(line, code)


def bad_messages_are_typed(folder: Path) -> None:
    for value, code in test_jsonrpc.BAD:
        test_jsonrpc.test_what_breaks_a_rule_is_raw_with_its_value_and_problem(value, code)


def lines_are_read(folder: Path) -> None:
    for case in test_lines.CASES:
        test_lines.test_lines(*case)


def native_messages_are_read(folder: Path) -> None:
    for case in test_native.CASES:
        test_native.test_messages(*case)


def feeding(kind: type[Any], change: Callable[[Any, bytes], list[Frame]]) -> Break:
    return replaced(kind, "feed", change)


def read_by_read(kind: Any) -> Break:
    """Each read is taken for whole frames."""
    return feeding(kind, lambda self, data: [*FEEDS[kind](self, data), *self.end()])


def forgetful(kind: Any) -> Break:
    """What is held at the end of a read is lost."""

    def feed(self: Any, data: bytes) -> list[Frame]:
        frames = FEEDS[kind](self, data)
        self._open.clear()
        return frames

    return feeding(kind, feed)


def at_every_end(self: LineCodec, data: bytes) -> list[Frame]:
    """Lines end where Unicode has an end of a line."""
    return FEEDS[LineCodec](self, data.replace("\u2028".encode(), b"\n").replace(b"\r", b"\n"))


def boundless(kind: Any) -> Break:
    def begin(self: Any, way: str, limit: int) -> None:
        INITS[kind](self, way, 1 << 30)

    return replaced(kind, "__init__", begin)


def one_for_all(errors: Any, code: str, *more: Any, **how: Any) -> Any:
    return wire_error(errors, "half_frame", *more, **how)


def passing(kind: Any, name: str) -> Break:
    """Every frame is given without its problem."""
    real = getattr(kind, name)

    def read(self: Any, raw: bytes, *more: Any) -> Frame:
        frame: Frame = real(self, raw, *more)
        return Frame(frame.raw, value=frame.value) if frame.problem else frame

    return replaced(kind, name, read)


LAX: dict[str, tuple[Check, Break]] = {
    "lines by read": (partial(any_split_gives_the_same, "lines"), read_by_read(LineCodec)),
    "newline JSON by read": (partial(any_split_gives_the_same, "ndjson"), read_by_read(LineCodec)),
    "JSON-RPC by read": (partial(any_split_gives_the_same, "jsonrpc"), read_by_read(LineCodec)),
    "MCP by read": (partial(any_split_gives_the_same, "mcp"), read_by_read(LineCodec)),
    "native messages by read": (partial(any_split_gives_the_same, "native"), read_by_read(NativeCodec)),
    "lines that forget": (partial(any_split_gives_the_same, "jsonrpc"), forgetful(LineCodec)),
    "native messages that forget": (partial(any_split_gives_the_same, "native"), forgetful(NativeCodec)),
    "lines without bound": (partial(any_split_gives_the_same, "lines"), boundless(LineCodec)),
    "native messages without bound": (partial(any_split_gives_the_same, "native"), boundless(NativeCodec)),
    "other ends of lines": (lines_are_read, feeding(LineCodec, at_every_end)),
    "another byte order": (native_messages_are_read, replaced(native, "sys", SimpleNamespace(byteorder="big"))),
    "one error for all lines": (lines_are_read, replaced(lines, "wire_error", one_for_all)),
    "one error for all messages": (native_messages_are_read, replaced(native, "wire_error", one_for_all)),
    "bad JSON that passes": (bad_lines_are_typed, passing(NdjsonCodec, "_read")),
    "bad JSON-RPC that passes": (bad_messages_are_typed, passing(JsonRpcCodec, "_read")),
}


@pytest.mark.claim("HAR-WIRE-01", tooth="codecs that go by reads, forget, know no bound, or give no or one error")
@pytest.mark.parametrize(("check", "broken"), LAX.values(), ids=LAX)
def test_a_lax_codec_is_seen(check: Check, broken: Break, tmp_path: Path) -> None:
    check_tells_apart(check, broken, tmp_path)
