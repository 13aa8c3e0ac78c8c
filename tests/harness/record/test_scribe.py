"""From what the loop noted to the events of a tape: frames, cuts, causes, gaps, and no secret."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.record import scribe as module
from harness.record.handover import CLOSED, DATA, ERR, EXITED, GAP, IN, NOTE, OUT, SIGNALLED, STARTED
from harness.record.scribe import Scribe
from harness.tape.header import Header
from harness.tape.read import load
from harness.tape.redact import Redactor
from harness.tape.rules import Rules
from harness.tape.write import Writer
from tests.harness.record.sessions import of_kind, stream

CANARY = "canary-4f1d9e77"
ORIGIN: dict[str, Any] = {"strength": "model", "products": [], "platform": "here", "recorder": "test"}
MS = 1_000_000


class Paper:
    """A scribe, and the tape it writes."""

    def __init__(self, dialect: str = "jsonrpc", rules: Rules | None = None, argv: tuple[str, ...] = ()) -> None:
        self.text = bytearray()
        self.writer = Writer(self.text.extend, Header(ORIGIN))
        redactor = Redactor(rules or Rules(), b"key" * 11)
        self.scribe = Scribe(self.writer, redactor, program="codex", argv=argv, env=["PATH"], dialect=dialect,
                             began_ns=1000 * MS)
        self.now_ms = 0

    def take(self, kind: int, stream: int = OUT, body: bytes = b"") -> None:
        self.now_ms += 1
        self.scribe.take(kind, stream, (1000 + self.now_ms) * MS, body)

    def events(self) -> list[dict[str, Any]]:
        """What the strict reader sees of the tape."""
        self.scribe.end()
        assert self.writer.close()
        return [json.loads(line) for line in self.text.split(b"\n")[1:-1]]


def test_each_kind_of_note_is_an_event(tmp_path: Path) -> None:
    paper = Paper(argv=("app-server",))
    paper.take(STARTED)
    paper.take(DATA, IN, b'{"id":1,"method":"a"}\n')
    paper.take(DATA, ERR, b"a log line\n")
    paper.take(SIGNALLED, IN, b"15")
    paper.take(CLOSED, IN)
    paper.take(NOTE, OUT, b"a remark")
    paper.take(GAP, OUT, b"3 1234")
    paper.take(EXITED, OUT, b"-15")
    found = paper.events()
    assert found == [
        {"n": 0, "t": 1.0, "p": 1, "e": "started", "program": "codex", "argv": ["app-server"], "env": ["PATH"]},
        {"n": 1, "t": 2.0, "p": 1, "e": "bytes", "w": "stdio", "s": "in", "b": '{"id":1,"method":"a"}\n'},
        {"n": 2, "t": 3.0, "p": 1, "e": "bytes", "w": "stdio", "s": "err", "b": "a log line\n"},
        {"n": 3, "t": 4.0, "p": 1, "e": "signalled", "number": 15},
        {"n": 4, "t": 5.0, "p": 1, "e": "closed", "w": "stdio", "s": "in"},
        {"n": 5, "t": 6.0, "p": 0, "e": "note", "text": "a remark"},
        {"n": 6, "t": 7.0, "p": 0, "e": "gap", "size": 1234,
         "why": "out: the writer was behind by more than the ring holds; 3 reads are missing"},
        {"n": 7, "t": 8.0, "p": 1, "e": "exited", "status": -15},
    ]  # fmt: skip
    (tmp_path / "t.jsonl").write_bytes(paper.text)
    assert load(str(tmp_path / "t.jsonl"))[1] == found


FRAMES = st.lists(st.sampled_from([b'{"id":1,"method":"a"}\n', b'{"id":1,"result":{}}\n', b"junk\n", b"\n", b"\xff\n"]),
                  min_size=1, max_size=6)


@given(FRAMES, st.binary(max_size=5).filter(lambda text: b"\n" not in text), st.data())
def test_any_split_into_reads_gives_the_same_frames_and_its_own_cuts(
    frames: list[bytes], rest: bytes, data: st.DataObject
) -> None:
    whole = b"".join(frames) + rest
    ends = sorted(data.draw(st.sets(st.integers(1, len(whole)), max_size=8)) | {len(whole)})
    paper = Paper()
    start = 0
    for end in ends:
        paper.take(DATA, IN, whole[start:end])
        start = end
    found = paper.events()
    assert stream(found, "in") == whole
    assert len(found) == len(frames) + bool(rest)
    at = 0
    for event, frame in zip(found, [*frames, *([rest] if rest else [])], strict=True):
        inside = [end - at for end in ends if at < end < at + len(frame)]
        assert event.get("cuts", []) == inside
        at += len(frame)


def test_of_a_raw_stream_each_read_is_an_event() -> None:
    paper = Paper("raw")
    for piece in (b"a", b"b\nc", b"\xff"):
        paper.take(DATA, OUT, piece)
        paper.take(DATA, ERR, piece)
    found = paper.events()
    assert [event.get("b", event.get("b64")) for event in found] == ["a", "a", "b\nc", "b\nc", "/w==", "/w=="]


def test_a_reply_names_the_event_that_it_answers_in_both_directions() -> None:
    paper = Paper()
    for stream_, text in (
        (IN, '{"id":1,"method":"a"}'),
        (OUT, '{"id":1,"method":"approve"}'),
        (IN, '{"id":1,"result":{}}'),
        (OUT, '{"id":1,"result":{}}'),
        (OUT, '{"id":1,"result":{}}'),
        (IN, '{"id":"1","method":"b"}'),
        (OUT, '{"id":1,"result":{}}'),
        (OUT, '{"id":"1","error":{"code":1,"message":""}}'),
    ):
        paper.take(DATA, stream_, text.encode() + b"\n")
    assert [event.get("cause") for event in paper.events()] == [None, None, 1, 0, None, None, None, 5]


def test_requests_that_nobody_answers_are_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ASKED_LIMIT", 3)
    paper = Paper()
    for number in range(5):
        paper.take(DATA, IN, b'{"id":%d,"method":"a"}\n' % number)
    for number in range(5):
        paper.take(DATA, OUT, b'{"id":%d,"result":1}\n' % number)
    assert [event.get("cause") for event in paper.events()[5:]] == [None, None, 2, 3, 4]


def test_a_frame_in_very_many_reads_keeps_its_first_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CUTS_LIMIT", 3)
    paper = Paper()
    for place in range(6):
        paper.take(DATA, OUT, b"[x,y]\n"[place : place + 1])
    assert paper.events()[0]["cuts"] == [1, 2, 3]


def test_a_half_frame_is_written_at_the_end_of_its_stream_or_of_the_tape() -> None:
    paper = Paper()
    paper.take(DATA, OUT, b'{"id":1,"res')
    paper.take(DATA, IN, b'{"id":2')
    paper.take(CLOSED, OUT)
    paper.take(EXITED, OUT, b"0")
    found = paper.events()
    assert [event["e"] for event in found] == ["bytes", "closed", "exited", "bytes"]
    assert (found[0]["b"], found[3]["b"]) == ('{"id":1,"res', '{"id":2')


@pytest.mark.claim("HAR-REC-02")
@pytest.mark.parametrize(
    ("dialect", "after", "whole", "dropped"),
    [
        ("jsonrpc", [b'rd":"x"}\n{"id":3}\n'], b'{"id":3}\n', 9),
        ("jsonrpc", [b"rd", b'":"x"}', b'\n{"id":3}\n'], b'{"id":3}\n', 9),
        ("jsonrpc", [b'rd":"x"}\n', b'{"id":3}\n'], b'{"id":3}\n', 9),
        ("jsonrpc", [b"never a newline"], b"", 15),
        ("raw", [b"any bytes\n", b"more"], b"any bytes\nmore", 0),
        ("native", [b"\3\0\0\0[1]", b"\3\0\0\0[2]"], b"", 14),
    ],
)
@pytest.mark.parametrize("by", ["a gap", "another writer"])
def test_after_a_gap_a_stream_is_written_from_its_next_whole_frame_on(
    dialect: str, after: list[bytes], whole: bytes, dropped: int, by: str
) -> None:
    """What stands between was cut off from the name that would make it a secret."""
    paper = Paper(dialect)
    if by == "a gap":
        paper.take(DATA, OUT, b'{"passwo')
        paper.take(GAP, OUT, b"2 77")
    else:
        paper.scribe.lose_place(for_good=False)
    for data in after:
        paper.take(DATA, OUT, data)
    paper.take(CLOSED, OUT)
    found = paper.events()
    assert stream(found, "out").removeprefix(b'{"passwo' if by == "a gap" else b"") == whole
    assert sum(event["size"] for event in of_kind(found, "gap")) == (77 if by == "a gap" else 0) + dropped
    assert found[-1]["e"] == "closed"


def test_a_gap_in_a_stream_that_is_closed_does_not_open_it_again() -> None:
    paper = Paper()
    paper.take(CLOSED, OUT)
    paper.take(GAP, OUT, b"1 5")
    paper.take(GAP, IN, b"1 5")
    assert [event["e"] for event in paper.events()] == ["closed", "gap", "gap"]


@pytest.mark.claim("HAR-REC-02")
def test_the_last_writer_only_counts() -> None:
    paper = Paper()
    paper.scribe.lose_place(for_good=True)
    paper.take(DATA, OUT, b'{"id":1}\n{"id":2}\n')
    paper.take(EXITED, OUT, b"3")
    paper.take(DATA, OUT, b"more")
    found = paper.events()
    assert [(event["e"], event.get("size")) for event in found] == [("gap", 18), ("exited", None), ("gap", 4)]


SECRETS = {
    "a member": (IN, b'{"id":1,"method":"a","params":{"password":"%s"}}\n'),
    "a member in a half frame": (IN, b'{"id":1,"params":{"api_key":"%s'),
    "a given value in junk": (OUT, b"\xff\xfe %s \xff\n"),
    "a given value on stderr": (ERR, b"debug: sending %s now\n"),
    "a header on stderr": (ERR, b"Authorization: Bearer %s\n"),
}


@pytest.mark.claim("HAR-REC-03")
@pytest.mark.parametrize("where", SECRETS)
@pytest.mark.parametrize("cut", [None, 3, 12])
@pytest.mark.parametrize("dialect", ["jsonrpc", "ndjson", "mcp", "lines", "raw", "native"])
def test_a_planted_secret_is_never_on_the_tape(where: str, cut: int | None, dialect: str) -> None:
    """Whole and cut by reads, in any dialect, also where nothing can be decoded; as many bytes as before."""
    stream_, text = SECRETS[where]
    data = text % CANARY.encode()
    paper = Paper(dialect, Rules(literals=[CANARY.encode()]), argv=(f"--token={CANARY}", "--password", CANARY))
    paper.take(STARTED)
    place = data.index(CANARY.encode()) + (cut or 0)
    for piece in (data[:place], data[place:]):
        paper.take(DATA, stream_, piece)
    paper.take(NOTE, OUT, f"not started: {CANARY}".encode())
    found = paper.events()
    assert CANARY not in paper.text.decode()
    assert CANARY.encode() not in stream(found, ("in", "out", "err")[stream_])
    assert len(stream(found, ("in", "out", "err")[stream_])) == len(data) or of_kind(found, "gap")
    assert "redaction struck" in found[-1]["text"]


@pytest.mark.claim("HAR-REC-03")
def test_a_frame_that_cannot_be_redacted_is_left_out_and_marked() -> None:
    paper = Paper(rules=Rules(literals=[b"progress-token-x"]))
    frame = b'{"method":"a","params":{"progressToken":"progress-token-x"}}\n'
    paper.take(DATA, IN, frame)
    found = paper.events()
    assert (found[0]["e"], found[0]["size"]) == ("gap", len(frame))
    assert "left out" in found[0]["why"]


@pytest.mark.parametrize("status", [None, 3])
def test_the_lines_for_a_full_disk(status: int | None) -> None:
    def refuse(data: bytes) -> int:
        raise OSError(28, "No space left on device")

    paper = Paper()
    paper.writer._write = refuse
    for number in range(4):
        paper.take(DATA, IN, b'{"method":"m%d"}\n' % number)
    if status is not None:
        paper.take(EXITED, OUT, b"%d" % status)
    lines = [json.loads(line) for line in paper.scribe.last_lines(2).split(b"\n")[:-1]]
    assert lines[0]["e"] == "gap"
    assert (lines[0]["n"], lines[0]["events"]) == (2, 2 + (status is not None))
    assert "No space left" in lines[0]["why"]
    assert [(each["n"], each["status"]) for each in lines[1:]] == ([] if status is None else [(3, 3)])


def test_replies_without_ids_answer_in_their_order_until_a_gap() -> None:
    paper = Paper("http")
    asked, answer = b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 204 No Content\r\n\r\n"
    paper.take(DATA, IN, asked * 2)
    paper.take(DATA, OUT, answer * 2)
    paper.take(GAP, OUT, b"1 30")
    paper.take(DATA, IN, asked)
    paper.take(DATA, OUT, answer)
    assert [event.get("cause") for event in paper.events()[:4]] == [None, None, 0, 1]
    assert all("cause" not in event for event in paper.events()[4:])
