"""Wires without I/O: bytes in, frames out. Standard library only, and nothing that is slow to import.

- `frame`: what a codec gives (Frame), how it refuses (WireError), and the shape of a codec.
- `jsontext`: JSON without `json`; `spans`: where each value of a JSON text stands, and putting others there.
- `raw`, `lines`, `ndjson`, `jsonrpc`, `mcp`, `native`: one dialect each, with its table of errors; `bridge`: native
  messages of our extension.
- `http`: HTTP/1 messages; `http_text`: heads read, bodies taken out, messages made and given other bodies.
- `rpc_state`: which id may be asked with and answered (`Exchange`); `mcp_state`: the order of MCP's messages
  (`Lifecycle`). Both look at both directions, and both are tables.
- `describe`: docs/wires.md from these tables.

This module is the registry of dialects. A codec's module is imported when the first codec of it is made.
"""
from __future__ import annotations

from harness.problem import UsageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from harness.wire.frame import Codec

    Make: TypeAlias = Callable[[str, int], Codec]

WAYS = (">>", "<<")
"""Toward the program, and from it."""

_MIB = 1024 * 1024


class Dialect:
    """One row of the registry.

    load: imports the codec's module and gives its class, which is made with (way, limit); limits: way -> bytes that
    one frame may have by default, framing excluded; strict: whether its protocol has every message refused that is not
    exactly of its schema, so that whatever changes one hides what it said.
    """

    __slots__ = ("load", "limits", "meaning", "strict", "_make")

    def __init__(
        self, load: Callable[[], Make], toward: int, back: int, meaning: str, *, strict: bool = False
    ) -> None:
        self.strict = strict
        self.load = load
        self.limits = {">>": toward, "<<": back}
        self.meaning = meaning
        self._make: Make | None = None

    def make(self, way: str, limit: int) -> Codec:
        if self._make is None:
            self._make = self.load()
        return self._make(way, limit)


def _raw() -> Make:
    from harness.wire.raw import RawCodec

    return RawCodec


def _lines() -> Make:
    from harness.wire.lines import LineCodec

    return LineCodec


def _ndjson() -> Make:
    from harness.wire.ndjson import NdjsonCodec

    return NdjsonCodec


def _jsonrpc() -> Make:
    from harness.wire.jsonrpc import JsonRpcCodec

    return JsonRpcCodec


def _mcp() -> Make:
    from harness.wire.mcp import McpCodec

    return McpCodec


def _native() -> Make:
    from harness.wire.native import NativeCodec

    return NativeCodec


def _bridge() -> Make:
    from harness.wire.bridge import BridgeCodec

    return BridgeCodec


def _http() -> Make:
    from harness.wire.http import HttpCodec

    return HttpCodec


DIALECTS: dict[str, Dialect] = {
    "raw": Dialect(_raw, _MIB, _MIB, "bytes: one read is one frame"),
    "lines": Dialect(_lines, 64 * _MIB, 64 * _MIB, "lines of text"),
    "ndjson": Dialect(_ndjson, 64 * _MIB, 64 * _MIB, "one JSON value a line"),
    "jsonrpc": Dialect(
        _jsonrpc,
        64 * _MIB,
        64 * _MIB,
        "one JSON-RPC message a line, with or without the jsonrpc member (codex app-server)",
    ),
    "mcp": Dialect(_mcp, 64 * _MIB, 64 * _MIB, "one message of the Model Context Protocol a line"),
    "native": Dialect(
        _native,
        64 * _MIB,
        _MIB,
        "Chrome native messaging: a 32-bit length and that much JSON; the native host is the program",
    ),
    "http": Dialect(_http, 16 * _MIB, 16 * _MIB, "one message of HTTP/1.0 or 1.1; the server is the program"),
    "bridge": Dialect(
        _bridge,
        _MIB,
        64 * _MIB,
        "native messages between our extension and its host; the browser is the program",
        strict=True,
    ),
}
"""Name -> dialect. Sockets and Unix tools that speak in lines are `lines` or `ndjson`."""
LINED = frozenset({"lines", "ndjson", "jsonrpc", "mcp"})
"""Dialects whose frame is a line."""


def codec(dialect: str, way: str, limit: int | None = None) -> Codec:
    """A fresh codec for one direction of one stream. way: `>>` or `<<`; limit: bytes a frame may have, at least 1.

    Raises UsageProblem for a dialect, way or limit that there is not.
    """
    known = DIALECTS.get(dialect)
    if known is None:
        raise UsageProblem(f"the dialect {dialect!r}", f"one of {', '.join(DIALECTS)}", "correct the wire's dialect")
    if way not in WAYS:
        raise UsageProblem(f"the way {way!r}", ">> or <<", "correct the codec's way")
    if limit is None:
        limit = known.limits[way]
    elif limit < 1:
        raise UsageProblem(f"a limit of {limit} bytes", "at least 1", "correct the codec's limit")
    return known.make(way, limit)


def cutter(dialect: str, way: str) -> Codec:
    """A codec that cuts a stream into frames and reads none of them: each is a raw frame without value or problem.

    For whoever compares bytes first, and decodes what differs. Frames that are too long still come in pieces. Lines are
    cut by the dialect `lines`, so that no JSON codec is loaded for it.
    """
    from harness.wire.frame import Frame

    made = codec("lines" if dialect in LINED else dialect, way, DIALECTS[dialect].limits[way])
    if dialect != "raw":
        made._read = Frame  # type: ignore[attr-defined]  # every codec that reads frames has it
    return made
