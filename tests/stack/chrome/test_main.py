"""The program that a browser starts: its arguments, its streams, and that it loads nothing of other systems."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from stack.chrome import process
from stack.chrome.__main__ import main
from stack.chrome.process import BROKEN, COMMAND, ORIGIN, REFUSED
from stack.chrome.registration import launcher
from stack.contract import Host
from stack.host import RealHost


def test_it_takes_the_browsers_arguments_and_speaks_on_its_own_streams(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; "
        "from stack.chrome.__main__ import main; from stack.host import RealHost; "
        f"new = lambda: RealHost(folder=Path({str(tmp_path / 'state')!r}), meeting=Path({str(tmp_path / 'meet')!r})); "
        "status = main(sys.argv[1:], new); "
        "print([name for name in sys.modules if name.startswith('stack.')], file=sys.stderr); raise SystemExit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "https://a.test/", "--x"], input=b"", capture_output=True, check=False
    )
    assert done.returncode == REFUSED
    assert done.stdout[4:].startswith(b'{"v":1,"type":"refused","reason":"unauthorised"')
    assert b"'stack.chrome.process'" in done.stderr
    for other in (b"'stack.cli'", b"'stack.computer_use'", b"'stack.server'"):
        assert other not in done.stderr


def test_the_launcher_starts_it_and_the_end_of_input_ends_it(tmp_path: Path) -> None:
    program = tmp_path / COMMAND
    program.write_bytes(launcher(sys.executable))
    program.chmod(0o700)
    done = subprocess.run([str(program), ORIGIN], input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_started_as_a_program_it_ends_with_the_hosts_status(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[str]] = []

    def command(argv: list[str], host: Host) -> int:
        given.append(argv)
        return BROKEN

    monkeypatch.setattr(process, "command", command)
    monkeypatch.setattr("stack.host.RealHost", object)
    monkeypatch.setattr(sys, "argv", ["browser-host", ORIGIN])
    monkeypatch.delitem(sys.modules, "stack.chrome.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("stack.chrome", run_name="__main__")
    assert (ended.value.code, given) == (BROKEN, [[ORIGIN]])


def test_a_state_folder_that_is_not_closed_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    def new() -> Host:
        raise PermissionError(13, "not closed")

    assert main([ORIGIN], new) == BROKEN
    assert "can't be used" in capsys.readouterr().err


def test_a_host_of_the_real_kind_is_made() -> None:
    assert main.__defaults__ == (RealHost,)
