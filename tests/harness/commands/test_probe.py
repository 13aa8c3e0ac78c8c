"""`trailcam probe`: its words, its exit codes, its two outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.cli import main
from harness.commands.probe import bound, one_line, short
from harness.problem import UsageProblem
from harness.replay.drift import Drift
from harness.replay.pointers import ABSENT
from harness.serve.launch import PYTHON
from tests.harness.replay.tapes import EOF, exited, got, said, tape

ECHO = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    result = {"in": message["params"]["in"], "n": int(sys.argv[1])}
    print(json.dumps({"id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    asked, answered = '{"id":1,"method":"echo","params":{"in":"<ROOT>"}}', '{"id":1,"result":{"in":"<ROOT>","n":1}}'
    return tape(tmp_path / "t.jsonl", got(asked), said(answered), EOF, exited(), bytes="reconstructed")


def words(path: str, number: str, *options: str) -> list[str]:
    return ["probe", path, "--bind", "ROOT=/srv", *options, "--", PYTHON, "-SE", "-c", ECHO, number]


@pytest.mark.claim("HAR-PLAY-03", "HAR-CLI-01")
def test_same_and_drift(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(path, "1")) == 0
    assert capsys.readouterr() == ("1 frames compared: as recorded\n", "")
    assert main(words(path, "2")) == 1
    assert capsys.readouterr() == (
        "answer differs\n  answer to echo (event 2) /result/n: recorded 1, seen 2\n1 frames compared: 1 differences\n",
        "",
    )  # fmt: skip


@pytest.mark.claim("HAR-CLI-01")
def test_json_is_one_document(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(path, "2", "--json")) == 1
    out, errors = capsys.readouterr()
    document = json.loads(out)
    assert errors == ""
    assert (document["verdict"], document["status"], document["compared"]) == ("drift", 0, 1)
    assert document["drift"] == [{
        "kind": "answer differs", "what": "answer to echo (event 2)", "event": 2, "pointer": "/result/n", "recorded": 1,
        "seen": 2,
    }]  # fmt: skip
    assert main(words(path, "1", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "same"


@pytest.mark.parametrize(("options", "status", "message"), [
    (["--process", "7"], 2, "no process 7"),
    (["--process", "0"], 2, "--process 0"),
    (["--profile", "x"], 2, "--profile x"),
    (["--pace", "fast"], 2, "--pace fast"),
    (["--wait-ms", "0"], 2, "--wait-ms 0.0"),
    (["--limit-ms", "nan"], 2, "--limit-ms nan"),
    (["--bind", "root=1"], 2, "--bind"),
    (["--unknown"], 2, "unrecognized arguments: --unknown"),
])  # fmt: skip
def test_wrong_usage(
    path: str, options: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words(path, "1", *options)) == status
    assert message in capsys.readouterr().err


def test_what_could_not_be_found_out(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    unbound = [word for word in words(path, "1") if word not in ("--bind", "ROOT=/srv")]
    assert main(unbound) == 3
    assert "--bind ROOT=VALUE" in capsys.readouterr().err
    assert main(["probe", path, "--", "/no/such/program"]) == 3
    assert "a program that can be started" in capsys.readouterr().err
    assert main(["probe", path, "--bind", "ROOT=/srv", "--", PYTHON, "-SE", "-c", "raise SystemExit('broken')"]) == 3
    error = capsys.readouterr().err
    assert "no recorded frame" in error and "broken" in error
    assert main(["probe", "/nowhere.jsonl", "--json", "--", "x"]) == 3
    assert json.loads(capsys.readouterr().out)["error"] == "TapeProblem"


def test_progress_is_told_on_stderr(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    slow = "import os, select\nselect.select([], [], [], 2.3)\n" + ECHO
    assert main(["probe", path, "--bind", "ROOT=/srv", "--", PYTHON, "-SE", "-c", slow, "1"]) == 0
    out, errors = capsys.readouterr()
    assert out == "1 frames compared: as recorded\n"
    assert errors == "trailcam probe: 0 frames compared\n"


def test_bindings_and_lines() -> None:
    assert bound(["ROOT=/a=b", "UUID-1=x"]) == {"<ROOT>": "/a=b", "<UUID-1>": "x"}
    with pytest.raises(UsageProblem):
        bound(["ROOT"])
    assert one_line(Drift("extra", "notice n", recorded=ABSENT, seen={"a": 1})) == 'notice n: seen {"a":1}'
    assert one_line(Drift("order differs", "a came before b", recorded=ABSENT, seen=ABSENT)) == "a came before b"
    assert short("x" * 200).endswith("… (202 characters)")
