"""Shims in PATH: an unaware client is recorded."""
from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from harness.problem import Problem, UsageProblem
from harness.record import shim as module
from harness.record.options import parse
from harness.record.shim import CONFIG, SHEBANG_LIMIT, first_lines, main, resolve, session_of, write_shims
from tests.harness.record.sessions import REAL, events, of_kind, stream, until


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{REAL} -SE\n{text}")
    path.chmod(0o755)
    return path


SERVER = "import os, sys\nos.write(1, repr(sys.argv[1:]).encode() + b'\\n' + os.read(0, 99))\nsys.exit(3)\n"


@pytest.mark.claim("HAR-REC-01")
def test_a_client_that_starts_a_program_from_path_is_recorded_without_being_told(tmp_path: Path) -> None:
    """Twice, with its arguments, and without a word in the environment."""
    real = script(tmp_path / "real" / "server", SERVER)
    shims, out = tmp_path / "shims", tmp_path / "kept"
    write_shims(parse(["--shim", str(shims), "--out", str(out), "--dialect", "lines", f"server={real}"]))
    for number in (1, 2):
        done = subprocess.run(["server", "a b", "--out", "--"], input=b"hello\n", capture_output=True, timeout=60,
                              env={"PATH": f"{shims}:/usr/bin:/bin"}, cwd="/", check=False)
        assert (done.stdout, done.stderr) == (b"['a b', '--out', '--']\nhello\n", b"")
        assert done.returncode == 3
        found = events(out / f"server-000{number}.jsonl")
        assert found[0]["program"] == "server"
        assert found[0]["argv"] == ["a b", "--out", "--"]
        assert stream(found, "in") == b"hello\n"
        assert of_kind(found, "exited")[0]["status"] == 3


@pytest.mark.claim("HAR-REC-01")
def test_a_program_that_starts_itself_from_path_is_recorded_and_no_shim_starts_itself(tmp_path: Path) -> None:
    """REAL is in PATH under the same name, behind the shims."""
    real = script(tmp_path / "real" / "twice", """
import os, sys
if sys.argv[1:]: sys.exit(5)
sys.exit(os.spawnlp(os.P_WAIT, 'twice', 'twice', 'inner'))
""")
    shims = tmp_path / "shims"
    monkey = {**os.environ, "PATH": f"{shims}:{real.parent}:/usr/bin:/bin"}
    command = ["--shim", str(shims), "twice=twice"]
    code = f"import sys; sys.path.insert(0, {str(module.code_root())!r}); from harness.record.command import run; "
    done = subprocess.run([REAL, "-SE", "-c", f"{code}sys.exit(run({command!r}))"], env=monkey, check=False, timeout=60)
    assert done.returncode == 0
    done = subprocess.run(["twice"], env=monkey, check=False, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (5, b"", b"")
    tapes = sorted((shims / "tapes").iterdir())
    assert [events(tape)[0]["argv"] for tape in tapes] == [[], ["inner"]]


def test_writing_them_again_changes_them_and_nothing_else_is_overwritten(tmp_path: Path) -> None:
    shims = tmp_path / "shims"
    write_shims(parse(["--shim", str(shims), "echo=/bin/echo"]))
    write_shims(parse(["--shim", str(shims), "--redact", "key:a", "echo=/bin/cat"]))
    options = session_of(str(shims / "echo"), ["word"])
    assert (options.words, options.redact, options.program) == (["/bin/cat", "word"], ["key:a"], "echo")
    assert sorted(path.name for path in shims.iterdir()) == ["echo", f"echo{CONFIG}"]
    assert stat.S_IMODE((shims / "echo").stat().st_mode) == 0o755
    script(shims / "mine", "")
    with pytest.raises(UsageProblem, match="which is no shim"):
        write_shims(parse(["--shim", str(shims), "mine=/bin/echo"]))


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (["echo"], "'echo'"),
        (["=x"], "'=x'"),
        (["echo="], "'echo='"),
        (["a/b=/bin/echo"], "'a/b=/bin/echo'"),
        (["echo=/no/such/program"], "no executable file"),
        (["echo=no-such-program-anywhere"], "no executable file"),
        (["echo=/etc/passwd"], "no executable file"),
        (["echo=/tmp"], "no executable file"),
        (["--program", "x", "echo=/bin/echo"], "--program"),
        (["--out", "/dev/null", "echo=/bin/echo"], "which is no folder"),
    ],
)
def test_wrong_usage_is_said_and_nothing_written(tmp_path: Path, words: list[str], seen: str) -> None:
    with pytest.raises(UsageProblem, match=seen.replace("/", ".")):
        write_shims(parse(["--shim", str(tmp_path / "shims"), *words]))
    assert not (tmp_path / "shims").exists()


def test_a_shim_of_itself_is_refused(tmp_path: Path) -> None:
    shims = tmp_path / "shims"
    write_shims(parse(["--shim", str(shims), "echo=/bin/echo"]))
    (tmp_path / "link").symlink_to(shims / "echo")
    for real in (shims / "echo", tmp_path / "link"):
        with pytest.raises(UsageProblem, match="the shim itself"):
            write_shims(parse(["--shim", str(shims), f"echo={real}"]))


def test_the_real_program_is_looked_up_once_and_not_among_the_shims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shims = tmp_path / "shims"
    for place in (shims, tmp_path / "real"):
        script(place / "tool", "")
    (shims / f"tool{CONFIG}").touch()
    (tmp_path / "same").symlink_to(shims)
    monkeypatch.setenv("PATH", f"{shims}:{tmp_path}/same:real:/bin")
    monkeypatch.chdir(tmp_path)
    assert resolve(str(shims), "tool=tool") == ("tool", f"{tmp_path}/real/tool")
    assert resolve(str(shims), "tool=./real/tool") == ("tool", f"{tmp_path}/real/tool")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Problem, match="a folder that can be written"):
        write_shims(parse(["--shim", str(tmp_path / "file" / "shims"), "echo=/bin/echo"]))


@pytest.mark.claim("HAR-REC-02")
@pytest.mark.parametrize(
    "config", [None, "", "[]", '{"v":2}', '{"v":1}', '{"v":1,"real":"/bin/echo","options":["-x"]}']
)
def test_without_its_file_a_shim_starts_nothing(
    tmp_path: Path, config: str | None, capfd: pytest.CaptureFixture[str]
) -> None:
    shims = tmp_path / "shims"
    write_shims(parse(["--shim", str(shims), "echo=/bin/echo"]))
    file = shims / f"echo{CONFIG}"
    file.unlink()
    if config is not None:
        file.write_text(config)
    done = subprocess.run([str(shims / "echo"), "hello"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in (2, 3)
    assert done.stdout == ""
    assert done.stderr.startswith(f"{shims}/echo: ")
    assert main(str(shims / "echo"), ["hello"]) == done.returncode
    assert capfd.readouterr().err == done.stderr


@pytest.mark.parametrize("folder", ["plain", "with space", "with 'quote", "long" * 40])
def test_the_first_line_starts_any_interpreter(tmp_path: Path, folder: str) -> None:
    place = tmp_path / folder
    place.mkdir()
    python = place / "python"
    python.symlink_to(REAL)
    path = tmp_path / "script"
    path.write_text(first_lines(str(python)) + "import sys\nprint(sys.flags.no_site, sys.argv[1:])\n")
    path.chmod(0o755)
    done = subprocess.run([str(path), "a b", "'c'"], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == """1 ['a b', "'c'"]\n"""
    direct = folder == "plain" and len(f"#!{python} -SE") <= SHEBANG_LIMIT
    assert path.read_text().startswith(f"#!{python}") == direct


def test_a_shim_is_ended_like_any_program(tmp_path: Path) -> None:
    """By its client's kill: what it recorded is there."""
    shims = tmp_path / "shims"
    write_shims(parse(["--shim", str(shims), "cat=/bin/cat"]))
    with subprocess.Popen([str(shims / "cat")], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"{}\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"{}\n"
        process.kill()
    tape = shims / "tapes" / "cat-0001.jsonl"
    until(lambda: "killed" in tape.read_text(), "the mark of the kill")
    assert stream(events(tape), "in") == b"{}\n"
