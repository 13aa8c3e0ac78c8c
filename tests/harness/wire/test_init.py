from __future__ import annotations

import os
import pkgutil
import struct
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import harness.wire
from harness.problem import UsageProblem
from harness.wire import DIALECTS, WAYS, codec, cutter
from harness.wire.mcp_state import STATES, Lifecycle
from harness.wire.rpc_state import Exchange
from tests.harness.wire.streams import cut, feed_all, notice, reply, request, single_bytes, told

FRAMED = [name for name in DIALECTS if name != "raw"]
PREFIX = 4
"""A native codec holds the length beside the message; a line codec holds no more than the limit."""

# JSON, nearly JSON and rubbish; ends of lines of every kind; lengths that fit, that do not, and none.
SHREDS = [
    b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"1", b"null", b"NaN", b" ", b"\x00", b"\xff", b"\xed\xa0\x80",
    b"\n", b"\r\n", b"\n\n", b"\r", "\u2028".encode(), "\u0085".encode(), b'"\\ud800"', b"1e999", b"[" * 40,
    b'{"id":1,"method":"m"}\n', b'{"jsonrpc":"2.0","id":0,"result":{}}\n', b'{"method":"n"}\r\n', b"[]\n",
    b'[{"jsonrpc":"2.0","method":"m","id":1}]\n', b"Content-Length: 2\r\n", b"Traceback",
    struct.pack("=I", 0), struct.pack("=I", 2) + b"{}", struct.pack("=I", 5), struct.pack("=I", 100),
    struct.pack(">I", 7), struct.pack("=I", 2**32 - 1),
    b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 100 Continue\r\n\r\n", b"POST /a HTTP/1.1\r\n", b"Content-Length: 2\r\n\r\n{}",
    b"Transfer-Encoding: chunked\r\n\r\n", b"2\r\nok\r\n", b"0\r\n\r\n", b"X: y\r\n", b" folded\r\n",
]  # fmt: skip
streams = st.lists(st.sampled_from(SHREDS) | st.binary(max_size=6), max_size=12).map(b"".join)


@pytest.mark.claim("HAR-WIRE-01")
@pytest.mark.parametrize("dialect", FRAMED)
@settings(deadline=None, max_examples=250)
@given(stream=streams, places=st.lists(st.integers(0, 80), max_size=6), limit=st.integers(1, 64))
def test_any_split_gives_the_same_frames_and_the_frames_are_the_stream(
    dialect: str, stream: bytes, places: list[int], limit: int
) -> None:
    whole = [told(frame) for frame in feed_all(codec(dialect, "<<", limit), [stream])]
    assert b"".join(frame[0] for frame in whole) == stream
    for pieces in (cut(stream, places), single_bytes(stream)):
        assert [told(frame) for frame in feed_all(codec(dialect, "<<", limit), pieces)] == whole


@settings(deadline=None)
@given(stream=streams, places=st.lists(st.integers(0, 80), max_size=6), limit=st.integers(1, 64))
def test_raw_frames_are_the_stream_too(stream: bytes, places: list[int], limit: int) -> None:
    frames = feed_all(codec("raw", "<<", limit), cut(stream, places))
    assert b"".join(frame.raw for frame in frames) == stream
    assert all(0 < len(frame.raw) <= limit for frame in frames)


def check_bounds(dialect: str, limit: int, pieces: list[bytes]) -> None:
    """Never raises, never holds more than the limit, gives no frame over the limit, and loses and adds no byte."""
    wire = codec(dialect, "<<", limit)
    given_out = 0
    for number, piece in enumerate(pieces):
        frames = wire.feed(piece)
        assert wire.held <= limit + PREFIX
        given_out += sum(len(frame.raw) for frame in frames)
        assert given_out + wire.held == sum(map(len, pieces[: number + 1]))
        for frame in frames:
            assert 0 < len(frame.raw) <= limit + PREFIX
            assert not frame.more or frame.problem
    held = wire.held
    assert sum(len(frame.raw) for frame in wire.end()) == held
    assert wire.held == 0


@pytest.mark.claim("HAR-WIRE-01")
@pytest.mark.parametrize("dialect", FRAMED)
@settings(deadline=None, max_examples=250)
@given(pieces=st.lists(streams, max_size=8), limit=st.integers(1, 64))
def test_no_codec_raises_or_holds_more_than_its_limit(dialect: str, pieces: list[bytes], limit: int) -> None:
    check_bounds(dialect, limit, pieces)


def seeds_of(dialect: str) -> list[bytes]:
    wire = codec(dialect, "<<" if dialect == "http" else ">>")
    if dialect == "http":
        return [wire.encode(value) for value in HTTP]
    values: list[Any] = ["text", "é\u2028"] if dialect == "lines" else [
        request(1, "tools/call", params={"_meta": {"progressToken": 0}, "arguments": {"x": [1.5, "é\u2028"]}}),
        request("a", "initialize", params={"protocolVersion": "2025-03-26"}),
        reply(0, error={"code": -1, "message": "x"}),
        notice("notifications/initialized"),
    ]  # fmt: skip
    return [wire.encode(value) for value in values]


HTTP: list[Any] = [
    {"start": "HTTP/1.1 200 OK", "headers": [["Content-Length", "7"]], "body": '{"a":1}'},
    {"start": "HTTP/1.1 200 OK", "headers": [["Transfer-Encoding", "chunked"]], "body": "caf\u00e9 and more"},
    {"start": "HTTP/1.1 204 No Content", "headers": [["X", "y"]], "body": None},
    {"start": "HTTP/1.0 200 OK", "headers": [], "body": None},
]


def damaged(seeds: list[bytes], chance: Random) -> bytes:
    """A stream of good frames with a few bytes changed, taken out, put in, doubled or cut off."""
    data = bytearray(b"".join(chance.choices(seeds, k=chance.randint(1, 6))))
    for _ in range(chance.randint(0, 5)):
        place = chance.randrange(len(data) or 1)
        change = chance.randrange(5)
        if change == 0:
            data[place : place + 1] = bytes([chance.randrange(256)])
        elif change == 1:
            del data[place : place + chance.randint(1, 9)]
        elif change == 2:
            data[place:place] = chance.choice(SHREDS)
        elif change == 3:
            data[place:place] = data[place : place + chance.randint(1, 40)]
        else:
            del data[place + 1 :]
    return bytes(data)


@pytest.mark.claim("HAR-WIRE-01")
@pytest.mark.parametrize("dialect", FRAMED)
def test_damaged_streams_of_a_fixed_seed(dialect: str) -> None:
    chance = Random(20_251)
    seeds = seeds_of(dialect)
    refused = 0
    for _ in range(1500):
        stream = damaged(seeds, chance)
        limit = chance.choice([1, 7, 64, 4096])
        check_bounds(dialect, limit, cut(stream, chance.choices(range(len(stream) + 1), k=3)))
        refused += any(frame.problem for frame in feed_all(codec(dialect, "<<", limit), [stream]))
    assert refused > 500


@pytest.mark.parametrize("dialect", ["jsonrpc", "mcp"])
def test_no_stream_makes_the_state_machines_raise(dialect: str) -> None:
    chance = Random(20_252)
    seeds = [*seeds_of(dialect), b'[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":1,"result":{}}]\n',
             b'{"jsonrpc":"2.0","id":"a","result":{"protocolVersion":"2025-03-26"}}\n']  # fmt: skip
    broken: set[str] = set()
    for _ in range(600):
        wires = {way: codec(dialect, way) for way in WAYS}
        exchange, lifecycle = Exchange(dialect), Lifecycle(*wires.values())
        for _ in range(6):
            way = chance.choice(WAYS)
            for frame in wires[way].feed(damaged(seeds, chance)):
                problems = (exchange.saw(way, frame), lifecycle.saw(way, frame))
                broken |= {problem.code for problem in problems if problem}
                exchange.method_of(way, frame)
            assert lifecycle.state in STATES
    assert {"unknown_id", "id_in_use", "too_early"} <= broken


@pytest.mark.parametrize("dialect", FRAMED)
def test_a_large_frame_in_many_reads_is_one_frame(dialect: str) -> None:
    text = "x" * 300_000
    value: Any = text if dialect == "lines" else request(1, "m", params={"text": text})
    if dialect == "http":
        value = {"start": "POST / HTTP/1.1", "headers": [["Content-Length", "300000"]], "body": text}
    raw = codec(dialect, ">>").encode(value)
    wire = codec(dialect, ">>")
    frames = [frame for start in range(0, len(raw), 1000) for frame in wire.feed(raw[start : start + 1000])]
    assert [frame.raw for frame in frames] == [raw]
    assert frames[0].problem is None
    assert frames[0].value == value


@pytest.mark.parametrize(("dialect", "way"), list(product(DIALECTS, WAYS)))
def test_every_dialect_makes_codecs_with_its_own_limits(dialect: str, way: str) -> None:
    wire = codec(dialect, way)
    assert (wire.dialect, wire.way, wire.limit) == (dialect, way, DIALECTS[dialect].limits[way])
    assert (wire.held, wire.end()) == (0, [])
    assert codec(dialect, way, 5).limit == 5
    assert codec(dialect, way) is not wire


@pytest.mark.parametrize(
    ("dialect", "way", "limit", "says"),
    [
        ("telnet", ">>", None, "the dialect 'telnet'; expected one of raw, lines, ndjson, jsonrpc, mcp, native, http"),
        ("lines", "in", None, "the way 'in'; expected >> or <<"),
        ("lines", ">>", 0, "a limit of 0 bytes; expected at least 1"),
    ],
)
def test_what_there_is_not_is_a_usage_problem(dialect: str, way: str, limit: int | None, says: str) -> None:
    with pytest.raises(UsageProblem, match=says):
        codec(dialect, way, limit)


BANNED = {
    "typing", "dataclasses", "enum", "re", "json", "collections", "random", "pathlib", "functools", "contextlib",
    "subprocess", "socket", "signal", "base64", "logging", "argparse",
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[3]
MODULES = sorted(module.name for module in pkgutil.iter_modules(harness.wire.__path__) if module.name != "describe")


def loaded_by(code: str) -> set[str]:
    """What a bare interpreter has loaded after it ran the code."""
    python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    setup = f"import sys; sys.path.append({str(ROOT)!r})"
    done = subprocess.run(
        [python, "-SEc", f"{setup}\n{code}\nprint(*sys.modules)"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("module", MODULES)
def test_every_module_starts_in_the_time_of_a_bare_interpreter(module: str) -> None:
    loaded = loaded_by(f"import harness.wire.{module}")
    assert f"harness.wire.{module}" in loaded
    assert not loaded & BANNED


def test_the_registry_loads_no_codec_before_one_is_made() -> None:
    assert {name for name in loaded_by("import harness.wire") if name.startswith("harness")} == {
        "harness", "harness.wire", "harness.problem",
    }  # fmt: skip
    assert loaded_by("import harness.wire; harness.wire.codec('lines', '<<')") & {
        "harness.wire.lines", "harness.wire.ndjson", "harness.wire.jsontext",
    } == {"harness.wire.lines"}  # fmt: skip


def test_reading_and_writing_good_frames_loads_nothing_heavy_either() -> None:
    code = """
from harness.wire import DIALECTS, codec
from harness.wire.spans import substitute
for dialect in DIALECTS:
    value = "x" if dialect in ("raw", "lines") else {"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"x": [1.5]}}
    if dialect == "http":
        value = {"start": "HTTP/1.1 200 OK", "headers": [["Content-Length", "2"]], "body": "{}"}
    wire = codec(dialect, "<<")
    [frame] = wire.feed(wire.encode(value))
    assert frame.problem is None and (frame.value == value or dialect == "raw")
wire = codec("native", "<<")
[frame] = wire.feed(wire.encode({"jsonrpc": "2.0", "id": 1, "method": "m"}))
assert substitute(wire.body(frame.raw), {"/id": b"2"}).startswith(b'{"jsonrpc":"2.0","id":2,')
"""
    assert not loaded_by(code) & BANNED


FRAMES_OF = {
    "native": struct.pack("=I", 2) + b"{}", "bridge": struct.pack("=I", 2) + b"{}",
    "http": b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
}  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_cutter_cuts_as_the_codec_does_and_reads_nothing(dialect: str) -> None:
    frame = FRAMES_OF.get(dialect, b'{"id":1,"method":"m"}\n')
    stream = frame * 3 + frame[:5]
    read, unread = codec(dialect, ">>"), cutter(dialect, ">>")
    frames = [(made.feed(stream) + made.end()) for made in (read, unread)]
    assert [each.raw for each in frames[0]] == [each.raw for each in frames[1]]
    assert (dialect in harness.wire.LINED) == (frame.endswith(b"\n") and dialect != "raw")
    whole = frames[1][:3] if dialect != "raw" else frames[1]
    assert all((each.kind, each.value, each.problem) == ("raw", None, None) for each in whole)
