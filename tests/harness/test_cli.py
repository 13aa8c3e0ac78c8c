"""The command line: what reaches which stream, and which exit code comes of what."""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from harness import cli
from harness.guard import GUARD
from harness.problem import Problem, UsageProblem
from harness.record.program import environment
from tests.tidy.imports import HEAVY
from tests.tidy.tree import ROOT

pytestmark = pytest.mark.claim("HAR-CLI-01")

PARSED = [name for name in cli.COMMANDS if name not in cli.LIGHT]


ACTIONS = {"tape": ["show"], "http": ["replay"]}
"""Commands that take an action first, and one of them."""


def trailcam(*words: str) -> subprocess.CompletedProcess[str]:
    """A run as the shell starts it; stdin is empty."""
    argv = [sys.executable, "-m", "harness", *words]
    return subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, stdin=subprocess.DEVNULL, check=False)


def doing(monkeypatch: pytest.MonkeyPatch, action: Callable[[], int]) -> None:
    """Put a command in the place of the parsed ones."""

    def build(words: object) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser()
        parser.add_argument("--json", action="store_true")
        parser.set_defaults(run=lambda args: action())
        return parser

    monkeypatch.setattr(cli, "build_parser", build)


def raising(error: BaseException) -> Callable[[], int]:
    def action() -> int:
        raise error

    return action


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_is_there_and_explains_itself(name: str) -> None:
    action = ACTIONS.get(name, [])
    done = trailcam(name, *action, "--help")
    assert done.returncode == 0, done.stderr
    assert "usage" in done.stdout.lower()
    assert "--json" in done.stdout or name in cli.LIGHT


@pytest.mark.parametrize("name", PARSED)
def test_a_wrong_word_is_a_usage_error_in_one_line_that_names_the_usage(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([name, "--no-such-option"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("trailcam: saw ")
    assert f"expected trailcam {name}" in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("name", PARSED)
def test_under_json_an_error_is_the_one_document_on_stdout(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([name, "--json", "--no-such-option"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["error", "file", "line", "seen", "expected", "advice"]
    assert document["error"] == "UsageProblem"


BAD_INPUT = (
    (3, "no-tape.jsonl", 1, ["tape", "show", "no-tape.jsonl"]),
    (3, "no-tape.jsonl", 1, ["tape", "lint", "no-tape.jsonl"]),
    (3, "no-tape.jsonl", 1, ["tape", "diff", "no-tape.jsonl", "no-tape.jsonl"]),
    (3, "no-tape.jsonl", 1, ["probe", "no-tape.jsonl", "--", "true"]),
    (3, "no-tape.jsonl", 1, ["http", "replay", "no-tape.jsonl"]),
    (3, "no-tape.jsonl", 1, ["claims", "--ledger", "no-tape.jsonl"]),
    (3, "no-tape.jsonl", 1, ["report", "--ledger", "no-tape.jsonl"]),
    (2, "no-yaml.yaml", 2, ["run", "no-yaml.yaml"]),
    (2, "no-yaml.yaml", 2, ["mutate", "--scenario", "no-yaml.yaml"]),
    (2, None, None, ["guards", "--module", "no-such-guard"]),
    (2, None, None, ["live", "--system", "no-such-system"]),
    (2, None, None, ["verify", "no-such-scenario"]),
    (2, None, None, ["faults", "no-such-fault"]),
    (2, None, None, ["doctor", "--require", "no-such-thing"]),
)
"""Exit code, file, line, and the words: one bad input for each command."""


@pytest.mark.parametrize(("status", "file", "line", "words"), BAD_INPUT, ids=lambda value: str(value))
def test_bad_input_is_named_with_file_and_line_what_was_seen_and_the_way_out(
    status: int, file: str | None, line: int | None, words: list[str],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "no-tape.jsonl").write_text("no tape\n")
    (tmp_path / "no-yaml.yaml").write_text("a: [\n")
    here = [str(tmp_path / word) if (tmp_path / word).is_file() else word for word in words]
    monkeypatch.chdir(ROOT)
    cut = here.index("--") if "--" in here else len(here)
    assert cli.main([*here[:cut], "--json", *here[cut:]]) == status
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert (document["file"], document["line"]) == (str(tmp_path / file) if file else None, line)
    assert all(document[part] for part in ("seen", "expected", "advice"))
    assert document["seen"] in printed.err


def test_every_command_has_a_bad_input() -> None:
    assert {words[0] for _, _, _, words in BAD_INPUT} == set(PARSED)


def test_json_behind_the_two_dashes_is_somebody_elses(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor", "--", "--json"]) == 2
    assert capsys.readouterr().out == ""


def test_an_unknown_command_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fix"]) == 2
    printed = capsys.readouterr().err
    assert all(name in printed for name in cli.COMMANDS)
    assert cli.main([]) == 2


def test_a_command_pays_for_its_own_imports_only(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    loaded: list[str] = []
    real = importlib.import_module

    def load(name: str) -> ModuleType:
        loaded.append(name)
        return real(name)

    monkeypatch.setattr(importlib, "import_module", load)
    assert cli.main(["doctor", "--no-such-option"]) == 2
    assert loaded == ["harness.commands.doctor"]


@pytest.mark.claim("HAR-LAW-02")
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Problem("a", "b", "c"), 3),
        (UsageProblem("a", "b", "c"), 2),
        (KeyboardInterrupt(), 130),
        (BaseExceptionGroup("", [KeyboardInterrupt(), Problem("a", "b", "c")]), 130),
        (ExceptionGroup("", [ExceptionGroup("", [UsageProblem("a", "b", "c"), Problem("a", "b", "c")])]), 3),
        (ExceptionGroup("", [Problem("a", "b", "c"), ValueError("d")]), 3),
    ],
)
def test_exit_codes_of_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, status: int
) -> None:
    doing(monkeypatch, raising(error))
    assert cli.main([]) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "trailcam: " in printed.err


@pytest.mark.claim("HAR-LAW-02")
@pytest.mark.parametrize("status", [0, 1, 3])
def test_a_commands_own_exit_code_is_kept(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    doing(monkeypatch, lambda: status)
    assert cli.main([]) == status


@pytest.mark.claim("HAR-LAW-02")
def test_a_defect_never_reads_as_a_verdict(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    doing(monkeypatch, raising(ZeroDivisionError("sum")))
    with pytest.raises(SystemExit) as caught:
        cli.main([])
    assert caught.value.code == 3
    printed = capsys.readouterr()
    assert "ZeroDivisionError: sum" in printed.err
    assert "defect of trailcam" in printed.err


def test_a_broken_pipe_of_the_commands_own_is_a_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    doing(monkeypatch, raising(BrokenPipeError()))
    assert cli.main([]) == 3
    assert "defect of trailcam" in capsys.readouterr().err


def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    code = "from harness import cli; cli.run = lambda words: print('x' * 100_000) or 0; raise SystemExit(cli.main([]))"
    try:
        words = [sys.executable, "-c", code]
        done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (cli.READER_GONE, "")


@pytest.mark.claim("HAR-NET-01", tooth="a command that reaches out and hides it")
def test_a_command_that_swallows_the_guards_refusal_fails_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def action() -> int:
        import contextlib
        import socket

        with contextlib.suppress(Exception):
            socket.create_connection(("192.0.2.1", 80))
        return 0

    doing(monkeypatch, action)
    assert cli.main([]) == 1
    printed = capsys.readouterr()
    assert "tried to leave this machine" in printed.err
    assert "192.0.2.1" in printed.err
    assert "test_cli.py" in printed.err
    assert GUARD.take() == []


@pytest.mark.parametrize("name", cli.LIGHT)
def test_light_commands_become_the_real_interpreter_without_site(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[tuple[str, list[str], Mapping[bytes, bytes]]] = []

    class Became(Exception):
        pass

    def execve(path: str, argv: list[str], env: Mapping[bytes, bytes]) -> None:
        became.append((path, argv, env))
        raise Became

    monkeypatch.setattr(os, "execve", execve)
    with pytest.raises(Became):
        cli.main([name, "--", "cat", "--json"])
    ((path, argv, env),) = became
    assert env == environment()
    assert path == argv[0] == os.path.realpath(path)
    assert argv[1] == "-SE"
    assert Path(argv[2]) == ROOT / "harness" / name / "__main__.py"
    assert Path(argv[2]).is_file()
    assert argv[3:] == ["--", "cat", "--json"]


def test_a_light_command_passes_on_no_locale_that_python_made_up(tmp_path: Path) -> None:
    code = f"import sys; sys.path.append({str(ROOT)!r}); from harness.cli import main; main(['record', '--', 'env'])"
    given = {"LC_ALL": "", "LANG": "C", "PATH": os.environ["PATH"]}
    done = subprocess.run([sys.executable, "-Sc", code], capture_output=True, text=True, check=False, env=given,
                          cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "LC_CTYPE" not in done.stdout


def test_nothing_is_imported_before_a_light_command_is_handed_over() -> None:
    code = f"import sys; sys.path.append({str(ROOT)!r}); import harness.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-SEc", code], capture_output=True, text=True, check=False)
    loaded = set(done.stdout.split())
    assert "harness.cli" in loaded, done.stderr
    assert not HEAVY & loaded
