"""One service alone, asked by a client that nobody here wrote: the standard library's."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.serve import service
from harness.serve.service import NoWorld, main

ORACLE = "tests.harness.serve.oracle:Oracle"
WORLD = ["--world", "tests.harness.serve.machines:Counter"]
ROOT = Path(__file__).resolve().parents[3]


@contextmanager
def running(*arguments: str) -> Iterator[int]:
    command = [sys.executable, "-m", "harness.serve.service", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["port"]
            process.terminate()
            assert process.wait(20) == 0
        finally:
            process.kill()


def asked(port: int, path: str, body: dict[str, Any]) -> Any:
    data = json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{path}", data), timeout=20) as answer:
        return json.loads(answer.read())


def test_a_stranger_asks_it(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    world.write_text('{"number": 10}', encoding="utf-8")
    journal = tmp_path / "journal.jsonl"
    with running(ORACLE, *WORLD, "--world-settings", str(world), "--journal", str(journal)) as port:
        assert asked(port, "/add", {"amount": 2}) == {"number": 12}
        assert asked(port, "/add", {"amount": 3}) == {"number": 15}
        assert asked(port, "/stay", {}) == {"number": 15}
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/", method="HEAD"), timeout=20)
        assert caught.value.code == 400
        caught.value.close()
    events = [json.loads(line) for line in journal.read_text(encoding="ascii").split("\n")[:-1]]
    assert {event["p"] for event in events if event["e"] == "started"} == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nothing.like_it:Here"], "a name that leads nowhere"),
        (["harness.serve.service:Nothing"], "a name that leads nowhere"),
        ([ORACLE, "--settings", "/nothing/like/it.json"], "expected a JSON file"),
        ([ORACLE, "--settings", __file__], "expected a JSON file"),
    ],
)
def test_what_it_can_not_serve_is_a_usage_problem(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert says in capsys.readouterr().err


def test_settings_are_an_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "settings.json"
    path.write_text("[1]", encoding="utf-8")
    assert main([ORACLE, "--settings", str(path)]) == 2
    assert "saw" in capsys.readouterr().err


def test_a_port_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with running(ORACLE, *WORLD) as port:
        assert main([ORACLE, *WORLD, "--port", str(port)]) == 3
    assert f"port {port}" in capsys.readouterr().err


def test_it_serves_here_until_it_is_told_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ports: list[str] = []

    def said(value: Any) -> str:
        ports.append(str(value))
        os.kill(os.getpid(), signal.SIGTERM)
        return json.dumps(value)

    monkeypatch.setattr(service, "dumps", said)
    assert main([ORACLE, *WORLD]) == 0
    assert main([ORACLE, *WORLD, "--journal", str(tmp_path / "journal.jsonl")]) == 0
    assert len(ports) == 2


def test_a_program_may_act_on_no_world() -> None:
    world = NoWorld(None, {"a": 1})
    world.process_ended(1)
    with pytest.raises(ValueError, match="there is no world here"):
        world.change("user", locked=True)
