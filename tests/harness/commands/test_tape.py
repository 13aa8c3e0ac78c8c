"""`trailcam tape`: what each action prints, in which form, and with which exit code."""
from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from harness.commands import tape
from harness.problem import UsageProblem
from harness.tape.problem import TapeProblem, TornTape
from harness.tape.read import TORN, load
from tests.harness.tape.tapes import EXIT, MONOTONIC, START, call, header, number, reply, sent, session, text, write


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    tape.add(parser.add_subparsers(required=True))
    args = parser.parse_args(["tape", *words])
    status: int = args.run(args)
    return status


@pytest.fixture
def path(tmp_path: Path) -> str:
    return write(tmp_path / "a.jsonl")


@pytest.fixture
def torn(tmp_path: Path) -> str:
    (tmp_path / "torn.jsonl").write_bytes(text(session())[:-10])
    return str(tmp_path / "torn.jsonl")


Output = pytest.CaptureFixture[str]


def document(capsys: Output) -> Any:
    """The one JSON document on stdout."""
    return json.loads(capsys.readouterr().out)


# show


def test_show_prints_header_and_events(path: str, capsys: Output) -> None:
    assert run("show", path) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "tape of fake 1 on Linux, model: a fake"
    assert out[-6].endswith('>> stdio in @0+37  {"id":1,"method":"ping","params":{}}')
    assert out[-1].endswith("exited with 0")


def test_show_as_json_is_the_tape(path: str, capsys: Output) -> None:
    assert run("show", path, "--json") == 0
    assert document(capsys) == {"header": header().as_json(), "events": session()}


def test_show_chooses(tmp_path: Path, capsys: Output) -> None:
    events = number([START, {**START, "p": 2}, {**call(), "p": 2}, call(), {"e": "note", "text": "x", "p": 0}, EXIT])
    path = write(tmp_path / "a.jsonl", events)
    for words, chosen in (
        (["--process", "2"], [1, 2, 4]), (["--process", "1", "--limit", "2"], [0, 3]), (["--limit", "0"], []),
    ):
        assert run("show", path, "--json", *words) == 0
        assert [event["n"] for event in document(capsys)["events"]] == chosen
    assert run("show", path, "--process", "2", "--limit", "1") == 0
    assert capsys.readouterr().out.count("started fake serve") == 1
    with pytest.raises(UsageProblem, match="--limit -1"):
        run("show", path, "--limit", "-1")


@pytest.mark.claim("HAR-REC-02")
def test_show_reads_a_torn_tape_up_to_a_gap(torn: str, capsys: Output) -> None:
    assert run("show", torn) == 0
    assert f"GAP, {len(text(session()).splitlines()[-1]) - 9} size: {TORN}" in capsys.readouterr().out
    assert run("show", torn, "--json") == 0
    assert document(capsys)["events"][-1]["why"] == TORN


def test_show_of_a_broken_tape_prints_no_half_document(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(text(session()) + b"junk\n")
    with pytest.raises(TapeProblem, match=r"bad\.jsonl:9: saw 'junk'"):
        run("show", str(path), "--json")
    assert capsys.readouterr().out == ""


def test_progress_goes_to_stderr_alone(path: str, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape, "EVERY", 3)
    assert run("show", path, "--json") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)
    assert captured.err.splitlines() == ["trailcam: 3 events", "trailcam: 6 events"]


# lint


def test_lint_of_a_good_tape(path: str, capsys: Output) -> None:
    assert run("lint", path, "--today", "2026-01-31") == 0
    assert capsys.readouterr().out == "1 tapes: 0 errors, 0 warnings, 0 notes\n"


def test_lint_names_file_line_rule_and_way_out(tmp_path: Path, capsys: Output) -> None:
    secret = sent('{"password":"hunter2hunter2"}\n', "err")
    events = number([START, secret, {"e": "gap", "why": "x\x1b", "p": 0}, call(), EXIT])
    path = write(tmp_path / "a.jsonl", events, header(expires="2026-01-01"))
    assert run("lint", path, "--today", "2026-01-01") == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.removeprefix(path).partition(" ")[0] for line in lines[:-1]] == [":", ":3:", ":4:", ":5:"]
    advice = "record it again against the real program"
    assert lines[0] == f"{path}: error TAPE-L001: the tape has expired (on 2026-01-01); {advice}"
    assert "warning TAPE-L003: events are missing (x\\x1b)" in lines[2]
    assert lines[-1] == "1 tapes: 2 errors, 1 warnings, 1 notes"
    assert run("lint", path, "--today", "2025-01-01", "--quiet") == 1
    assert "TAPE-L007" not in capsys.readouterr().out


@pytest.mark.parametrize(("words", "status"), [([], 0), (["--strict"], 1)])
def test_a_warning_is_an_error_only_where_it_is_asked_for(torn: str, words: list[str], status: int) -> None:
    assert run("lint", torn, "--today", "2026-01-31", *words) == status


def test_lint_as_json(path: str, torn: str, capsys: Output) -> None:
    assert run("lint", path, torn, "--json", "--today", "2026-01-31") == 0
    found = document(capsys)
    assert {name: found[name] for name in ("error", "warning", "note")} == {"error": 0, "warning": 1, "note": 1}
    assert [(each["tape"], [finding["rule"] for finding in each["findings"]]) for each in found["tapes"]] == [
        (path, []), (torn, ["TAPE-L015", "TAPE-L003"]),
    ]


def test_lint_judges_by_this_day_unless_told_another(tmp_path: Path, capsys: Output) -> None:
    assert run("lint", write(tmp_path / "old.jsonl", session(), header(expires="2020-01-01"))) == 1
    assert "TAPE-L001" in capsys.readouterr().out
    assert run("lint", write(tmp_path / "new.jsonl", session(), header(expires="9999-01-01"))) == 0
    with pytest.raises(UsageProblem, match="--today tomorrow"):
        run("lint", str(tmp_path / "old.jsonl"), "--today", "tomorrow")


def test_lint_finds_an_edited_line_and_leaves_an_older_tape_its_form(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(text(session()).replace(b'"n":1,', b'"n": 1,'))
    assert run("lint", str(path), "--today", "2026-01-31") == 0
    assert f"{path}:3: warning TAPE-L006" in capsys.readouterr().out
    log = {"dir": "c2s", "ts": 0, "frame": {"x": "é"}}
    head = {"trailcam": "tape", "v": 0, "origin": header().origin, "program": "fake", "argv": [], "dialect": "ndjson",
            "profile": None, "hashes": {}, "date": None}
    path.write_text(f"{json.dumps(head)}\n{json.dumps(log, ensure_ascii=False)}\n", encoding="utf-8")
    assert run("lint", str(path), "--today", "2026-01-31") == 0
    assert "TAPE-L006" not in capsys.readouterr().out


# diff


def test_diff_of_equal_tapes(path: str, capsys: Output) -> None:
    assert run("diff", path, path) == 0
    assert capsys.readouterr().out == "equal\n"
    assert run("diff", path, path, "--json") == 0
    assert document(capsys) == {"equal": True, "differences": []}


def test_diff_shows_pointer_values_and_offset(path: str, tmp_path: Path, capsys: Output) -> None:
    other = write(tmp_path / "b.jsonl", number([START, call(), reply(1, '{"a":"\u202e"}'), EXIT]))
    assert run("diff", path, other) == 1
    assert capsys.readouterr().out.splitlines() == [
        "fake #1: bytes differs (event 2 / 2), byte 18 of the frame, at /result/a",
        "  - absent",
        '  + "\\u202e"',
        "1 differ",
    ]
    assert run("diff", path, other, "--json") == 1
    assert document(capsys)["differences"] == [{
        "process": "fake #1", "what": "bytes", "left_n": 2, "right_n": 2, "left": "absent", "right": '"\\u202e"',
        "pointer": "/result/a", "offset": 18,
    }]


def test_diff_up_to_volatile_values_and_by_stream(tmp_path: Path, capsys: Output) -> None:
    left = write(tmp_path / "a", number([START, call(), reply(1, '{"t":1}'), sent("x\n", "err"), EXIT]))
    right = write(tmp_path / "b", number([START, call(), sent("x\n", "err"), reply(1, '{"t":2}'), EXIT]))
    assert run("diff", left, right, "--volatile", "/result/t", "--by-stream") == 0
    assert run("diff", left, right, "--volatile", "/result/t") == 1
    assert run("diff", left, right, "--by-stream") == 1
    with pytest.raises(UsageProblem, match="--volatile result"):
        run("diff", left, right, "--volatile", "result")
    assert "equal" in capsys.readouterr().out


def test_diff_of_a_torn_tape_names_the_gap(path: str, torn: str, capsys: Output) -> None:
    assert run("diff", path, torn) == 1
    assert "the tape: process differs (event none / 6)" in capsys.readouterr().out


# join


def test_join_writes_one_tape(tmp_path: Path, capsys: Output) -> None:
    head = header(clock=MONOTONIC)
    paths = [write(tmp_path / name, session(), head) for name in ("a", "b")]
    out = str(tmp_path / "joined")
    assert run("join", *paths, "--out", out) == 0
    assert capsys.readouterr().out == f"tape {out}, segments 2, events 14\n"
    assert [event["n"] for event in load(out)[1]] == list(range(14))
    with pytest.raises(UsageProblem, match="which exists"):
        run("join", *paths, "--out", out)
    assert run("join", *paths, "--out", str(tmp_path / "again"), "--profile", "p", "--json") == 0
    assert document(capsys) == {"tape": str(tmp_path / "again"), "segments": 2, "events": 14}
    assert load(str(tmp_path / "again"))[0].profile == "p"


@pytest.mark.claim("HAR-REC-02")
def test_join_makes_a_torn_tape_whole(torn: str, tmp_path: Path, capsys: Output) -> None:
    with pytest.raises(TornTape):
        load(torn)
    assert run("join", torn, "--out", str(tmp_path / "whole")) == 0
    assert load(str(tmp_path / "whole"))[1][-1]["why"] == TORN
    assert "segments 1, events 7" in capsys.readouterr().out


# import

LOG = [{"dir": "c2s", "ts": 0, "frame": {"id": 1, "method": "ping"}}, {"dir": "exit", "ts": 1, "frame": {"rc": 0}}]


def log(path: Path, entries: list[Any] | None = None) -> str:
    path.write_text("".join(f"{json.dumps(each)}\n" for each in (LOG if entries is None else entries)))
    return str(path)


def test_import_makes_a_tape_that_says_where_it_came_from(tmp_path: Path, capsys: Output) -> None:
    source, out = log(tmp_path / "log.jsonl"), str(tmp_path / "tape.jsonl")
    assert run("import", source, "--out", out, "--product", f"codex=1.2={'0' * 64}", "--product", "other=3",
               "--strength", "engine", "--platform", "Linux x86_64", "--source", "a rig", "--recorder", "rig 1",
               "--argument", "app-server", "--profile", "codex-1.2", "--date", "2026-01-31") == 0
    assert capsys.readouterr().out == f"{source} -> {out}\n"
    head, events = load(out)
    assert head.origin == {
        "strength": "engine", "platform": "Linux x86_64", "recorder": "rig 1", "source": "a rig",
        "products": [{"name": "codex", "version": "1.2", "sha256": "0" * 64}, {"name": "other", "version": "3"}],
    }
    assert (head.profile, head.date, head.wires) == ("codex-1.2", "2026-01-31", {"codex": {"stdio": "jsonrpc"}})
    assert events[0] == {"n": 0, "t": 0.0, "p": 1, "e": "started", "program": "codex", "argv": ["app-server"]}


def test_what_nobody_says_is_not_made_up(tmp_path: Path) -> None:
    out = str(tmp_path / "tape.jsonl")
    source = log(tmp_path / "log")
    assert run("import", source, "--out", out, "--product", "a=1", "--program", "b", "--dialect", "mcp") == 0
    head, _ = load(out)
    assert (head.origin["strength"], head.origin["platform"], head.date) == ("documented", "unknown", None)
    assert head.wires == {"b": {"stdio": "mcp"}}


def test_import_of_a_folder(tmp_path: Path, capsys: Output) -> None:
    logs, out = tmp_path / "logs", tmp_path / "tapes" / "deep"
    logs.mkdir()
    for name in ("b.jsonl", "a.jsonl", "a.mcp.jsonl", "notes.txt"):
        log(logs / name)
    words = ["import", str(logs), "--product", "a=1", "--json", "--out"]
    assert run(*words, str(out), "--skip", ".mcp") == 0
    assert [Path(each["tape"]).name for each in document(capsys)["tapes"]] == ["a.jsonl", "b.jsonl"]
    assert run(*words, str(out), "--only", ".mcp") == 0
    assert document(capsys)["tapes"] == [
        {"log": str(logs / "a.mcp.jsonl"), "tape": str(out / "a.mcp.jsonl"), "events": 4},
    ]
    with pytest.raises(TapeProblem, match="no such log in it"):
        run(*words, str(out), "--only", ".other")


def test_a_bad_log_leaves_no_tape(tmp_path: Path) -> None:
    source = log(tmp_path / "log.jsonl", [*LOG, {"dir": "up", "ts": 2, "frame": {}}])
    with pytest.raises(TapeProblem, match=r"log\.jsonl:3: "):
        run("import", source, "--out", str(tmp_path / "tape"), "--product", "a=1")
    assert not (tmp_path / "tape").exists()


@pytest.mark.parametrize("product", ["codex", "=1", "codex=", "codex=1=", "codex=1=xyz"])
def test_a_product_that_is_none(tmp_path: Path, product: str) -> None:
    with pytest.raises(UsageProblem, match="--product"):
        run("import", log(tmp_path / "log"), "--out", str(tmp_path / "t"), "--product", product)
    with pytest.raises(UsageProblem, match="--date"):
        run("import", log(tmp_path / "log"), "--out", str(tmp_path / "t"), "--product", "a=1", "--date", "now")
