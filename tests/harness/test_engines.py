"""The table of engines, where they are looked for, and the installation with nothing really installed."""
from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from harness import engines
from harness.engines import ENGINES, Engine, ask_version, install, locate, main, plan, select

WANTED = [row for row in ENGINES if row.wanted]


def executable(path: Path, text: str = "#!/bin/sh\necho 'tool 1.2'\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def binary_of(folder: Path, row: Engine) -> Path:
    return folder / row.program / str(row.version) / row.inside.replace("*", "linux-x64")


def test_the_table_names_every_engine_once_and_how_to_get_it() -> None:
    assert len({row.name for row in ENGINES}) == len(ENGINES)
    for row in ENGINES:
        assert [bool(row.npm), bool(row.debian), bool(row.pip)].count(True) == 1
        assert bool(row.npm or row.pip) == bool(row.version) == bool(row.inside)
        assert bool(row.npm) == bool(row.sha256)
        assert bool(row.commands) == bool(row.debian)


def test_rows_are_selected_by_program_and_version() -> None:
    assert [row.name for row in select("codex")] == ["codex-0.144.2", "codex-0.171.0"]
    assert [row.name for row in select("codex", "0.171.0")] == ["codex-0.171.0"]
    with pytest.raises(KeyError, match=r"no engine codex 9 in codex-0\.144\.2"):
        select("codex", "9")


def test_programs_of_the_system_are_found_on_the_path(tmp_path: Path) -> None:
    (row,) = select("chromium")
    assert locate(row, search=str(tmp_path)) is None
    place = executable(tmp_path / "chromium")
    assert locate(row, search=str(tmp_path)) == place


def test_codex_is_found_where_npm_puts_it_and_only_if_it_can_run(tmp_path: Path) -> None:
    (row,) = select("codex", "0.171.0")
    assert locate(row, tmp_path) is None
    place = executable(binary_of(tmp_path, row))
    assert locate(row, tmp_path) == place
    place.chmod(0o644)
    assert locate(row, tmp_path) is None


def test_a_program_says_its_version_or_nothing(tmp_path: Path) -> None:
    tool = Engine("tool", "", commands=("tool",), debian="tool", version_args=("--version",))
    assert ask_version(tool, executable(tmp_path / "tool")) == "tool 1.2"
    assert ask_version(tool, executable(tmp_path / "bad", "#!/bin/sh\nexit 1\n")) is None
    assert ask_version(tool, executable(tmp_path / "mute", "#!/bin/sh\n")) is None
    assert ask_version(tool, tmp_path / "gone") is None
    assert ask_version(Engine("tool", ""), tmp_path / "gone") is None


def test_the_plan_is_one_apt_get_and_one_npm_a_version(tmp_path: Path) -> None:
    steps = plan(ENGINES, tmp_path)
    home = tmp_path / "mitmproxy" / "11.0.2"
    made = [sys.executable, str(home / "bin" / "python")]
    assert [step.argv[0] for step in steps] == ["apt-get", "npm", "npm", "npm", *made]
    assert [step.root for step in steps] == [True] + [False] * 5
    assert steps[4].argv[1:] == ("-m", "venv", str(home))
    assert steps[5].argv[-1] == "mitmproxy==11.0.2"
    assert steps[0].argv[4:] == ("chromium", "npm", "webkit2gtk-driver", "xvfb")
    assert steps[2].argv[-3:] == ("--prefix", str(tmp_path / "codex" / "0.171.0"), "@openai/codex@0.171.0")
    assert plan([]) == ()
    assert plan([row for row in ENGINES if not row.wanted]) == ()


class Installer:
    """Stands in for apt-get and npm: writes the executables that they would bring."""

    def __init__(self, home: Path, status: int = 0) -> None:
        self.bin = home / "bin"
        self.folder = home / "engines"
        self.status = status
        self.ran: list[str] = []
        self.said: list[str] = []
        executable(self.bin / "apt-get")

    def run(self, argv: Sequence[str]) -> int:
        self.ran.append(argv[0])
        for row in WANTED:
            if self.status == 0 and argv[0] == "apt-get" and row.debian:
                executable(self.bin / row.commands[0])
            if self.status == 0 and argv[-1] in (f"{row.npm}@{row.version}", f"{row.pip}=={row.version}"):
                executable(binary_of(self.folder, row), f"#!/bin/sh\necho {row.version}\n")
        return self.status

    def install(self, root: bool = True) -> int:
        return install(self.run, root=root, folder=self.folder, search=str(self.bin), say=self.said.append)


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pinned builds are those that the stand-in installs."""
    rows = []
    for row in ENGINES:
        text = f"#!/bin/sh\necho {row.version}\n"
        sha256 = hashlib.sha256(text.encode()).hexdigest() if row.npm else None
        rows.append(replace(row, sha256=sha256))
    monkeypatch.setattr(engines, "ENGINES", tuple(rows))


@pytest.mark.usefixtures("pinned")
def test_what_is_missing_is_installed_and_then_nothing_more(tmp_path: Path) -> None:
    machine = Installer(tmp_path)
    assert machine.install() == 0
    assert machine.ran[:4] == ["apt-get", "npm", "npm", "npm"]
    assert len(machine.ran) == 6
    assert machine.install(root=False) == 0
    assert len(machine.ran) == 6
    assert machine.said[-1] == "engines: mitmproxy-11.0.2 is here"


@pytest.mark.usefixtures("pinned")
def test_without_root_or_off_debian_it_says_what_to_do(tmp_path: Path) -> None:
    machine = Installer(tmp_path)
    assert machine.install(root=False) == 3
    assert machine.ran == []
    assert "needs root on Debian: apt-get install" in machine.said[0]
    (machine.bin / "apt-get").unlink()
    assert machine.install() == 3


def test_a_failed_command_is_said(tmp_path: Path) -> None:
    machine = Installer(tmp_path, status=100)
    assert machine.install() == 3
    assert "apt-get ended with 100" in machine.said[-1]


def test_another_build_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    machine = Installer(tmp_path)
    assert machine.install() == 3
    assert any("codex-0.171.0" in line and "another build" in line for line in machine.said)


def test_an_engine_that_did_not_arrive_is_said(tmp_path: Path) -> None:
    machine = Installer(tmp_path)
    machine.run = lambda argv: 0  # type: ignore[method-assign]
    assert machine.install() == 3
    assert sum("still missing" in line for line in machine.said) == len(WANTED)


def test_commands_run_and_give_their_status() -> None:
    assert engines.run_command(["false"]) == 1
    assert engines.run_command(["no-such-program-of-that-name"]) == 127


def test_the_module_takes_one_word(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
    assert main(["remove"]) == 2


def test_install_is_the_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ENGINES", ())
    assert main(["install"]) == 0
    assert main(["install"], {"PATH": "/nowhere"}) == 0
