"""The planted canary: a session full of secrets, written in every way, of which nothing is found on the tape."""
from __future__ import annotations

import json
from typing import Any

import pytest

from harness.tape.disguise import MARK
from harness.tape.event import get_bytes
from harness.tape.read import read_stream
from harness.tape.redact import Redactor
from harness.tape.rules import Rules
from harness.tape.write import Writer
from harness.wire import codec
from tests.harness.tape.canaries import CANARY, KEY, NUMBER, frame, leaks, redactor, written
from tests.harness.tape.tapes import file, header

WRITTEN = written(CANARY)


def test_the_oracle_sees_every_way_of_writing_the_canary() -> None:
    for name, text in WRITTEN.items():
        assert leaks(f'{{"a":"x{text}y"}}', CANARY), name
    assert not leaks('{"a":"' + CANARY[:-1] + '"}', CANARY)


def record(split: int) -> tuple[str, bytes]:
    """A session full of canaries, as a recorder writes it: its tape, and the bytes of all its streams joined."""
    chunks: list[bytes] = []

    def write(data: bytes) -> None:
        chunks.append(data)

    made = redactor(CANARY, NUMBER)
    writer = Writer(write, header(redaction=made.manifest()), piece_size=32)
    argv = ["--password", CANARY, f"--url=http://u:{CANARY}@host/", f'{{"k":"{WRITTEN["all escaped"]}"}}', CANARY]
    event = made.event({"p": 1, "e": "started", "program": "fake", "argv": argv, "env": ["API_KEY"]})
    writer.put("started", t=0, **{name: event[name] for name in ("p", "program", "argv", "env")})  # type: ignore[arg-type]
    streams = {
        ("in", "jsonrpc"): [json_frame(text).encode() for text in WRITTEN.values()],
        ("out", "jsonrpc"): [json_frame(text).encode() for text in (*WRITTEN.values(), NUMBER)],
        ("err", "raw"): [f"log {text} {NUMBER} end\n".encode() for text in (CANARY, WRITTEN["base64"])],
    }
    for (stream, dialect), texts in streams.items():
        data = b"".join(texts)
        known = codec(dialect, ">>" if stream == "in" else "<<")
        parts = [data[at : at + split] for at in range(0, len(data), split)]
        frames = [each for part in parts for each in known.feed(part)] + known.end()
        for each in frames:
            raw = made.frame(each.raw, p=1, s=stream, dialect=dialect, more=each.more)
            assert raw is not None
            assert len(raw) == len(each.raw)
            writer.put_bytes(raw, t=1, p=1, s=stream, more=each.more)
    note = made.event({"p": 0, "e": "note", "text": f"ended with {CANARY}"})
    writer.put("note", t=2, p=0, text=note["text"])
    writer.put("note", t=2, p=0, text=made.closing())
    assert writer.close()
    tape = b"".join(chunks)
    joined = b"".join(get_bytes(each) for each in read_stream(file(tape), "t")[1] if each["e"] == "bytes")
    return tape.decode("ascii"), joined


def json_frame(text: str) -> str:
    inner = json.dumps({"deep": text}) if "\\" not in text else "x"
    return f'{{"id":1,"method":"x","params":{{"a":"<{text}>","{text}":1,"n":{NUMBER},"in":{json.dumps(inner)}}}}}\n'


@pytest.mark.claim("HAR-REC-03")
@pytest.mark.parametrize("split", [1, 2, 3, 5, 7, 11, 64, 10_000])
def test_a_planted_canary_is_never_found_on_the_tape(split: int) -> None:
    tape, joined = record(split)
    for each in (tape, joined.decode("utf-8", "replace"), *tape.split("\n")):
        assert not leaks(each, CANARY)
        assert not leaks(each, NUMBER)
    assert MARK.decode() in tape
    for event in read_stream(file(tape.encode()), "t")[1]:
        for value in strings(event):
            assert not leaks(value, CANARY)


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in strings(part)]
    if isinstance(value, list):
        return [text for part in value for text in strings(part)]
    return [value] if isinstance(value, str) else []


def test_without_rules_the_canary_would_be_found() -> None:
    """The test above fails on a recorder that redacts nothing."""
    made = Redactor(Rules(names=[], shapes=False), KEY)
    raw = made.frame(json_frame(CANARY).encode(), p=1, dialect="jsonrpc")
    assert raw is not None
    assert leaks(raw.decode(), CANARY)


@pytest.mark.parametrize("cut", range(1, len(CANARY.encode())))
@pytest.mark.parametrize("dialect", ["raw", "lines"])
def test_a_secret_split_over_two_reads_is_out_of_both(cut: int, dialect: str) -> None:
    secret = CANARY.encode()
    made = redactor(CANARY)
    first = frame(b"a " + secret[:cut], made, dialect)
    second = frame(secret[cut:] + b" z", made, dialect)
    assert first is not None
    assert second is not None
    assert (len(first), len(second)) == (2 + cut, len(secret) - cut + 2)
    joined = first + second
    assert joined.startswith(b"a ")
    assert joined.endswith(b" z")
    kept = cut if cut < 4 else 0
    assert joined[2:-2][:kept] == secret[:kept], "fewer than four bytes can't be told from chance"
    whole = frame(secret, redactor(CANARY), dialect)
    assert whole is not None
    assert joined[2:-2][kept:] == whole[kept:], "the two parts are the one pseudonym"


def test_a_secret_in_many_pieces_of_one_frame_is_out_of_all() -> None:
    data = b'{"password":"' + b"q" * 2_000_000 + b'\\"q","x":"' + b"y" * 50 + b'"}\n'
    made = redactor()
    pieces = [data[at : at + 65_536] for at in range(0, len(data), 65_536)]
    out = [frame(piece, made, more=piece is not pieces[-1]) for piece in pieces]
    joined = b"".join(piece for piece in out if piece is not None)
    assert len(joined) == len(data)
    assert joined[:13] == data[:13]
    assert joined[13:-60].isalnum()
    assert b"qqqqqqq" not in joined
    assert joined[-60:] == data[-60:] == b'","x":"' + b"y" * 50 + b'"}\n'
