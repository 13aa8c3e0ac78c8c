"""Frame logs become tapes: every kind of line, every wrong one; and the committed tapes of real programs."""
from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness.tape.event import get_bytes
from harness.tape.import_frames import DIRECTIONS, import_log, log_header
from harness.tape.lint import RULES, lint
from harness.tape.problem import TapeProblem
from harness.tape.provenance import rows
from harness.tape.read import load
from harness.tape.views import exchanges, frames, processes
from harness.wire.jsontext import dumps, loads
from tests.harness.tape.tapes import ORIGIN

ROOT = Path(__file__).resolve().parents[3]
TAPES = ROOT / "scenarios" / "tapes" / "codex"
COUNTS = {"0.144.2": (75, 13), "0.171.0": (78, 13)}
"""Version -> tapes of app-server sessions, tapes of its helper."""

FIELDS = log_header(ORIGIN, program="fake", dialect="jsonrpc", argv=["serve"], profile="p", hashes={"more": "0" * 64})


def made(tmp_path: Path, *entries: Any, fields: Any = FIELDS) -> list[dict[str, Any]]:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{dumps(each, ascii_only=False)}\n" for each in entries), encoding="utf-8")
    head, events = import_log(str(path), fields)
    assert head.hashes == {"more": "0" * 64, "source": hashlib.sha256(path.read_bytes()).hexdigest()}
    return list(events)


def sent(s: str, b: str) -> dict[str, Any]:
    return {"e": "bytes", "w": "stdio", "s": s, "b": b}


def note(text: str) -> dict[str, Any]:
    return {"e": "note", "text": text}


LINES: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    ({"dir": "c2s", "frame": {"b": 1, "a": "é\u2028<UUID-1>"}}, [sent("in", '{"b":1,"a":"é\u2028<UUID-1>"}\n')]),
    ({"dir": "s2c", "frame": {"id": 2**53 + 1, "x": 1.5}}, [sent("out", '{"id":9007199254740993,"x":1.5}\n')]),
    ({"dir": "c2s", "frame": {"__raw__": "a\nb\n\nc"}}, [sent("in", part) for part in ("a\n", "b\n", "\n", "c")]),
    ({"dir": "c2s", "frame": {"__raw__": ""}}, []),
    ({"dir": "c2s", "frame": {"__raw__": "\ufffd\n"}},
     [sent("in", "\ufffd\n"), note("the bytes before were not UTF-8; the log has U+FFFD in their place")]),
    ({"dir": "c2s", "frame": {"__eof__": True}}, [{"e": "closed", "w": "stdio", "s": "in"}]),
    ({"dir": "s2c", "frame": {"text": "<30 x>"}, "raw_bytes": 40},
     [sent("out", '{"text":"<30 x>"}\n'), note("the frame before had 40 bytes; the log shortened a text in it")]),
    ({"dir": "stderr", "frame": "a line"}, [sent("err", "a line\n")]),
    ({"dir": "note", "frame": "EPIPE on write"}, [note("EPIPE on write")]),
    ({"dir": "note", "frame": {"a": [1]}}, [note('{"a":[1]}')]),
    ({"dir": "note", "frame": "signal 15"}, [{"e": "signalled", "number": 15}]),
    ({"dir": "note", "frame": "signal strength"}, [note("signal strength")]),
    ({"dir": "eof", "frame": {"stream": "stdout"}}, [{"e": "closed", "w": "stdio", "s": "out"}]),
    ({"dir": "exit", "frame": {"rc": -15, "after_s": 0.03}},
     [note("the program ended 0.03 s after it was told to; the log saw it only now"), {"e": "exited", "status": -15}]),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "events"), LINES)
def test_a_line_of_a_client(tmp_path: Path, entry: dict[str, Any], events: list[dict[str, Any]]) -> None:
    found = made(tmp_path, {"ts": 0.0105, **entry})
    start = {"e": "started", "program": "fake", "argv": ["serve"]}
    assert found == [{"n": n, "t": 10.5, "p": 1, **event} for n, event in enumerate([start, *events])]


def test_a_log_of_a_helper_has_several_processes(tmp_path: Path) -> None:
    boot = {"argv": ["<RIG>/stub.py", "mcp"], "cwd": "/x", "env": ["PATH"]}
    found = made(
        tmp_path,
        {"dir": "boot", "pid": "<PID-7>", "ts": 0, "frame": boot},
        {"dir": "c2m", "pid": "<PID-7>", "ts": 0.1, "frame": {"id": 1}},
        {"dir": "boot", "pid": "<PID-3>", "ts": 0.2, "frame": boot},
        {"dir": "m2c", "pid": "<PID-7>", "ts": 0.3, "frame": {"id": 1}},
        {"dir": "sigterm", "pid": "<PID-3>", "ts": 0.4, "frame": {}},
        {"dir": "eof", "pid": "<PID-3>", "ts": 0.5, "frame": {}},
    )
    assert [(event["p"], event["e"], event.get("s")) for event in found] == [
        (1, "started", None), (1, "note", None), (1, "bytes", "in"), (2, "started", None), (2, "note", None),
        (1, "bytes", "out"), (2, "signalled", None), (2, "closed", "in"),
    ]
    assert (found[0]["argv"], found[0]["env"]) == (["mcp"], ["PATH"])
    assert found[1]["text"] == "pid <PID-7>, program <RIG>/stub.py, folder /x"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"dir": "up", "ts": 0, "frame": {}}, "dir one of c2s"),
    ({"dir": ["c2s"], "ts": 0, "frame": {}}, "dir one of c2s"),
    ({"dir": "c2s", "ts": 0}, "dir one of c2s"),
    ({"dir": "c2s", "ts": 0, "frame": {}, "more": 1}, "dir one of c2s"),
    ({"dir": "c2s", "ts": "0", "frame": {}}, "seconds since the log began"),
    ({"dir": "c2s", "frame": {}}, "seconds since the log began"),
    ({"dir": "c2s", "ts": 0, "frame": {"__raw__": 1}}, "a frame"),
    ({"dir": "c2s", "ts": 0, "frame": {"__raw__": "", "x": 1}}, "a frame"),
    ({"dir": "c2s", "ts": 0, "frame": {"__eof__": False}}, "a frame"),
    ({"dir": "c2s", "ts": 0, "frame": {"__new__": 1}}, "a frame"),
    ({"dir": "s2c", "ts": 0, "frame": {}, "raw_bytes": "1"}, "raw_bytes"),
    ({"dir": "stderr", "ts": 0, "frame": {}}, "a line of stderr"),
    ({"dir": "eof", "ts": 0, "frame": {"stream": "stderr"}}, "stdout"),
    ({"dir": "exit", "ts": 0, "frame": {"rc": None}}, "exit code"),
    ({"dir": "exit", "ts": 0, "frame": {"rc": True}}, "exit code"),
    ({"dir": "exit", "ts": 0, "frame": {"rc": 0, "after_s": "x"}}, "exit code"),
    ({"dir": "exit", "ts": 0, "frame": {"rc": 0, "x": 1}}, "exit code"),
    ({"dir": "exit", "ts": 0, "frame": 0}, "exit code"),
    ({"dir": "boot", "pid": "1", "ts": 0, "frame": {"argv": ["a"], "cwd": ""}}, "argv"),
    ({"dir": "boot", "pid": "1", "ts": 0, "frame": {"argv": [], "cwd": "", "env": []}}, "begins with the program"),
    ({"dir": "c2m", "pid": "1", "ts": 0, "frame": {}}, "one boot line first for each pid"),
]


@pytest.mark.parametrize(("entry", "expected"), WRONG)
def test_a_wrong_line_is_named(tmp_path: Path, entry: dict[str, Any], expected: str) -> None:
    with pytest.raises(TapeProblem) as caught:
        made(tmp_path, entry)
    assert expected in caught.value.expected
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "log.jsonl"), 1)


BOOT = {"dir": "boot", "pid": "1", "ts": 0, "frame": {"argv": ["a"], "cwd": "", "env": []}}


@pytest.mark.parametrize(
    ("entries", "line"),
    [([BOOT, BOOT], 2), ([BOOT, {"dir": "c2s", "ts": 0, "frame": {}}], 2),
     ([{"dir": "c2s", "ts": 0, "frame": {}}, BOOT, {"dir": "c2m", "pid": "2", "ts": 0, "frame": {}}], 3)],
)
def test_processes_begin_with_their_boot(tmp_path: Path, entries: list[Any], line: int) -> None:
    with pytest.raises(TapeProblem) as caught:
        made(tmp_path, *entries)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("data", "line", "seen"),
    [(b"", None, "an empty file"), (b"junk\n", 1, "'junk'"), (b"\xff\n", 1, "byte 0xff"), (b"[]\n", 1, "[]"),
     (b'{"dir":"c2s"', 1, "a last line of 12 bytes without its end")],
)
def test_what_is_no_log(tmp_path: Path, data: bytes, line: int | None, seen: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(data)
    with pytest.raises(TapeProblem) as caught:
        list(import_log(str(path), FIELDS)[1])
    assert caught.value.seen.startswith(seen)
    assert caught.value.line == line
    with pytest.raises(TapeProblem, match="FileNotFoundError"):
        import_log(str(tmp_path / "none"), FIELDS)


def test_every_dir_is_in_a_test() -> None:
    assert {entry["dir"] for entry, _ in LINES} | {"boot", "c2m", "m2c", "sigterm"} == set(DIRECTIONS)


# The committed tapes


def paths() -> list[Path]:
    return sorted(TAPES.rglob("*.jsonl"))


def test_the_committed_tapes_are_all_there() -> None:
    found = dict.fromkeys(COUNTS, (0, 0))
    for row in rows(TAPES):
        app_servers, helpers = found[row.path.split("/")[0]]
        is_helper = row.path.endswith(".mcp.jsonl")
        found[row.path.split("/")[0]] = (app_servers + (not is_helper), helpers + is_helper)
    assert found == COUNTS


@pytest.mark.claim("HAR-TAPE-01")
@pytest.mark.parametrize("path", paths(), ids=lambda path: path.relative_to(TAPES).as_posix())
def test_a_committed_tape_reads_strictly_and_says_what_it_is(path: Path) -> None:
    header, events = load(str(path))
    version = path.parent.name
    helper = path.name.endswith(".mcp.jsonl")
    products: Any = header.origin["products"]
    assert {product["name"]: product["version"] for product in products}["codex"] == version
    assert (header.bytes, header.origin["strength"]) == ("reconstructed", "model" if helper else "engine")
    assert header.profile == (None if helper else f"codex-{version}")
    assert header.wires == {"helper": {"stdio": "mcp"}} if helper else {"codex": {"stdio": "jsonrpc"}}
    assert set(header.hashes) == {"source"}
    found = Counter(finding.severity for finding in lint(header, events, today="2026-01-31"))
    assert found["error"] == found["warning"] == 0
    seen = list(frames(header, events))
    for stream in ("in", "out", "err"):
        raw = b"".join(get_bytes(event) for event in events if event["e"] == "bytes" and event["s"] == stream)
        by_process = [each for each in seen if each.s == stream]
        assert len(raw) == sum(len(each.frame.raw) for each in by_process)
    if not helper:
        assert [(each.p, each.status is None) for each in processes(events)] == [(1, False)]


def test_what_lint_notes_about_the_committed_tapes_is_known() -> None:
    """Silence, broken frames and missing ends are data of these recordings, and counted here so that none appears."""
    found: Counter[str] = Counter()
    for path in paths():
        header, events = load(str(path))
        found.update(finding.rule for finding in lint(header, events, today="2026-01-31"))
    assert found == {"TAPE-L002": 179, "TAPE-L007": 27, "TAPE-L008": 18, "TAPE-L011": 179, "TAPE-L015": 54}
    assert all(RULES[rule][0] == "note" for rule in found)


def test_the_happy_session_is_what_the_facts_say() -> None:
    """Measured on codex 0.144.2 and 0.171.0: six requests, each answered, and a result begins with its id."""
    for version in COUNTS:
        header, events = load(str(TAPES / version / "s01_happy.jsonl"))
        found = [each for each in exchanges(frames(header, events)) if each.request.s == "in"]
        assert [each.request.frame.method for each in found] == [
            "initialize", "thread/start", "mcpServerStatus/list", *["mcpServer/tool/call"] * 3,
        ]
        assert all(each.reply is not None for each in found)
        first = found[0].reply
        assert first is not None
        assert list(loads(first.frame.raw.decode())) == ["id", "result"]  # type: ignore[arg-type]
