"""`trailcam http`: words to settings, and what is refused before anything starts."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness import cli
from harness.commands import http
from harness.http_leg.messages import Request, Response
from harness.http_leg.recorder import Leg, open_recorder


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found: list[Any] = []

    def become(settings: Any) -> None:
        found.append(settings)

    monkeypatch.setattr(http, "become", become)
    return found


@pytest.fixture
def tape(tmp_path: Path) -> str:
    path = str(tmp_path / "leg.jsonl")
    recorder = open_recorder(path, Leg(), {})
    recorder.begin()
    recorder.answered(recorder.asked(Request("POST", "http://a/b")), Response(200))
    recorder.end()
    return path


def test_record_becomes_a_recording(became: list[Any]) -> None:
    words = ["http", "record", "--upstream", "https://judge.example/", "--out", "x.jsonl", "--program", "judge",
             "--redact", "key:pin", "--product", "judge=7", "--strength", "live", "--port", "8080"]  # fmt: skip
    cli.build_parser(words).parse_args(words).run(cli.build_parser(words).parse_args(words))
    assert became == [{
        "mode": "record", "port": 8080, "leg": "http", "upstream": "https://judge.example", "tape": "x.jsonl",
        "program": "judge", "redact": ["key:pin"], "strength": "live", "products": [("judge", "7")],
    }]  # fmt: skip


def test_replay_becomes_a_replay(became: list[Any], tape: str) -> None:
    args = cli.build_parser(["http"]).parse_args(["http", "replay", tape, "--ignore", "/id", "--leg", "http"])
    args.run(args)
    assert became == [{"mode": "replay", "port": 0, "leg": "http", "tape": tape, "ignore": ["/id"]}]


@pytest.mark.parametrize(
    ("words", "says", "status"),
    [
        (["record", "--out", "x"], "--upstream", 2),
        (["record", "--upstream", "ftp://a", "--out", "x"], "--upstream ftp://a", 2),
        (["record", "--upstream", "http://a/path", "--out", "x"], "without a path", 2),
        (["record", "--upstream", "http://", "--out", "x"], "--upstream http://", 2),
        (["record", "--upstream", "http://a", "--out", "x", "--product", "judge"], "NAME=VERSION", 2),
        (["record", "--upstream", "http://a", "--out", "x", "--port", "70000"], "--port 70000", 2),
        (["replay", "TAPE", "--ignore", "id"], "--ignore id", 2),
        (["replay", "TAPE", "--port", "-1"], "--port -1", 2),
        (["replay", "TAPE", "--leg", "other"], "no flow of other", 3),
        (["replay", "/nothing/like/it.jsonl"], "/nothing/like/it.jsonl", 3),
    ],
)
def test_what_is_wrong_is_said_before_anything_starts(
    words: list[str], says: str, status: int, became: list[Any], tape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.attempt(["http", *(tape if word == "TAPE" else word for word in words)]) == status
    assert says in capsys.readouterr().err
    assert became == []
