"""What a line is to the server, and what is wrong with it: every framing fault of the facts is flagged."""

from __future__ import annotations

import pytest

from fakes.fronts.codex_lines import FATAL, JUNK, NOTIFICATION, REPLY, REQUEST, UNREADABLE, Line, classify
from harness.wire import codec
from harness.wire.ndjson import NDJSON_ERRORS


def line(data: bytes) -> Line:
    [frame] = codec("jsonrpc", ">>").feed(data + b"\n")
    return classify(frame, ["initialize", "thread/start"])


LINES: tuple[tuple[bytes, str, list[str], str | None], ...] = (
    (b'{"id":1,"method":"initialize"}', REQUEST, [], None),
    (b'{"id":"a","method":"nobody/knows"}', REQUEST, [], None),
    (b'{"method":"initialized"}', NOTIFICATION, [], None),
    (b'{"id":0,"result":{}}', REPLY, [], None),
    (b'{"id":0,"error":{"code":1,"message":"m"}}', REPLY, [], None),
    (b"", JUNK, ["blank line"], "EOF while parsing a value at line 1 column 0"),
    (b"hello", JUNK, ["not JSON"], "expected value at line 1 column 1"),
    (b"{", JUNK, ["not JSON"], "EOF while parsing an object at line 1 column 1"),
    (b"[1,", JUNK, ["not JSON"], "EOF while parsing a list at line 1 column 3"),
    (b'"a":1}', JUNK, ["not JSON"], "data did not match any variant of untagged enum JSONRPCMessage"),
    (b"Content-Length: 5", JUNK, ["Content-Length header"], "expected value at line 1 column 1"),
    (b"[]", JUNK, ["array"], "data did not match any variant of untagged enum JSONRPCMessage"),
    (b"3", JUNK, ["no object"], "data did not match any variant of untagged enum JSONRPCMessage"),
    (b"{}", JUNK, ["no message"], "data did not match any variant of untagged enum JSONRPCMessage"),
    (b'{"id":0}', JUNK, ["no message"], "data did not match any variant of untagged enum JSONRPCMessage"),
    (b'{"id":0,"error":"x"}', JUNK, ["no message"], "data did not match any variant of untagged enum JSONRPCMessage"),
    (b'{"id":1,"method":"initialize"}\r', REQUEST, ["CRLF"], None),
    (b'{"jsonrpc":"2.0","id":1,"method":"initialize"}', REQUEST, ["jsonrpc member"], None),
    (b'{"method":"thread/start"}', NOTIFICATION, ["request without id"], None),
    (b'{"id":null,"method":"thread/start"}', NOTIFICATION, ["id is null"], None),
    (b'{"id":1.5,"method":"thread/start"}', NOTIFICATION, ["id is float"], None),
    (b'{"id":true,"method":"thread/start"}', NOTIFICATION, ["id is bool"], None),
    (b'{"id":true,"result":{}}', JUNK, ["id is bool", "no message"],
     "data did not match any variant of untagged enum JSONRPCMessage"),
    (b'{"a":"\xff"}', FATAL, ["not UTF-8"], None),
)  # fmt: skip


@pytest.mark.parametrize(("data", "kind", "violations", "says"), LINES)
def test_each_line_is_told(data: bytes, kind: str, violations: list[str], says: str | None) -> None:
    found = line(data)
    assert (found.kind, found.violations, found.says) == (kind, violations, says)


def test_every_way_in_which_a_line_is_unreadable_has_a_row() -> None:
    of_writing = {"no_value", "over_limit"}
    assert set(NDJSON_ERRORS) - of_writing - {"half_frame"} == set(UNREADABLE), "half a frame is the process's matter"
