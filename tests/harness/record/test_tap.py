"""Before a session: the tape is open and begun, or nothing is started and the reason is said."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.record.tap import descriptors_for_program
from tests.harness.record.sessions import (
    ECHO,
    PYTHON,
    REAL,
    TAP,
    Session,
    events,
    of_kind,
    program,
    read_all,
    read_exactly,
    tapped,
)


def marking(path: Path) -> list[str]:
    """A program that leaves a file behind, to show that it was not started."""
    return program(f"open({str(path)!r}, 'w').close()")


@pytest.mark.claim("HAR-REC-02")
@pytest.mark.parametrize(
    ("out", "options", "status", "seen"),
    [
        ("there.jsonl", [], 2, "which exists"),
        ("no/such/folder/t.jsonl", [], 3, "No such file"),
        ("/dev/full", [], 3, "No space left"),
        ("t.jsonl", ["--redact", "nonsense"], 2, "redaction rule"),
        ("t.jsonl", ["--redact", "pattern:("], 2, ""),
    ],
)
def test_without_a_tape_nothing_is_started(
    tmp_path: Path, out: str, options: list[str], status: int, seen: str
) -> None:
    (tmp_path / "there.jsonl").write_text("an older tape")
    with tapped(out, marking(tmp_path / "ran"), *options, cwd=tmp_path) as session:
        assert read_all(session.out) == b""
        said = read_all(session.err).decode()
        assert session.status() == status
    assert said.startswith("trailcam record: saw ")
    assert seen in said
    assert said.count("\n") == 1
    assert not (tmp_path / "ran").exists()
    assert (tmp_path / "there.jsonl").read_text() == "an older tape"
    assert not (tmp_path / "t.jsonl").exists()


@pytest.mark.claim("HAR-REC-02")
def test_without_memory_for_the_ring_nothing_is_started(tmp_path: Path) -> None:
    limited = ["/bin/sh", "-c", 'ulimit -v 150000; exec "$@"', "sh", REAL, "-SE", *TAP[len(PYTHON) :]]
    with Session([*limited, "--out", str(tmp_path / "t.jsonl"), "--", *marking(tmp_path / "ran")]) as session:
        assert b"Cannot allocate memory for 160 MiB" in read_all(session.err)
        assert session.status() == 3
    assert list(tmp_path.iterdir()) == []


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize("one_pipe", [False, True])
def test_a_command_that_cannot_be_started_ends_as_in_a_shell(tmp_path: Path, one_pipe: bool) -> None:
    import subprocess

    how = {"stderr": subprocess.STDOUT} if one_pipe else {}
    for number, (command, status) in enumerate(((["/no/such/command"], 127), ([str(tmp_path)], 126))):
        tape = tmp_path / f"{number}.jsonl"
        with tapped(tape, command, **how) as session:
            said = read_all(session.out if one_pipe else session.err).decode()
            assert session.status() == status
        assert said.startswith(f"trailcam record: saw {command[0]}: ")
        found = events(tape)
        assert [event["e"] for event in found] == ["note"]
        assert "was not started" in found[0]["text"]


@pytest.mark.claim("HAR-REC-01")
def test_words_that_are_no_text_pass_and_are_told(tmp_path: Path) -> None:
    missing = os.fsencode(tmp_path) + b"/\xff"
    with Session([*TAP, "--out", str(tmp_path / "a.jsonl"), "--", missing]) as session:
        assert missing in read_all(session.err)
        assert session.status() == 127
    source = "import os, sys\nos.write(1, os.fsencode(sys.argv[1]))"
    with Session([*TAP, "--out", str(tmp_path / "b.jsonl"), "--", *program(source), b"\xfe"]) as session:
        assert read_all(session.out) == b"\xfe"
        assert session.status() == 0
    assert events(tmp_path / "b.jsonl")[0]["argv"][-1] == "\udcfe"
    assert "/\\udcff" in events(tmp_path / "a.jsonl")[0]["text"]


@pytest.mark.claim("HAR-REC-01")
def test_by_default_each_session_gets_a_tape_of_its_own(tmp_path: Path) -> None:
    for _ in range(2):
        with Session([*TAP, "--", *program("pass")], cwd=tmp_path) as session:
            assert session.status() == 0
    names = sorted(path.name for path in (tmp_path / "tapes").iterdir())
    assert len(names) == 2
    assert names[0].endswith("-0001.jsonl")
    assert names[1].endswith("-0002.jsonl")


@pytest.mark.claim("HAR-REC-03")
def test_a_planted_secret_is_nowhere_on_the_disk(tmp_path: Path) -> None:
    """In the environment, in the command, in a request, half a request, a reply, on stderr: the program sees it."""
    canary = "canary-9b1c22f0d4"
    source = "import os, sys\nos.write(2, os.environb[b'API_KEY'] + b' ' + sys.argv[1].encode())\n" + ECHO
    sent = f'{{"id":1,"method":"a","params":{{"password":"{canary}","t":"{canary}"}}}}\n{{"token":"{canary}'.encode()
    with tapped(tmp_path / "t.jsonl", program(source, f"--api-key={canary}"),
                env={**os.environ, "API_KEY": canary}) as session:  # fmt: skip
        session.send(sent[:40])
        session.send(sent[40:])
        assert read_exactly(session.out, len(sent)) == sent
        session.close_stdin()
        assert read_all(session.err) == f"{canary} --api-key={canary}".encode()
        assert session.status() == 0
    assert of_kind(events(tmp_path / "t.jsonl"), "exited")
    for path in tmp_path.rglob("*"):
        assert canary.encode() not in path.read_bytes()


def test_what_is_meant_for_the_program() -> None:
    source, sink = os.pipe()
    os.set_inheritable(sink, True)
    found = descriptors_for_program()
    assert sink in found
    assert source not in found
    assert not {0, 1, 2} & set(found)
    os.close(source)
    os.close(sink)
