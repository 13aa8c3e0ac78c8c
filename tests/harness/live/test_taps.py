"""Shims before programs, and their tapes as one: also where the system does not tell its boot, as macOS."""
from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from harness.live.taps import joined, write_taps
from harness.problem import Problem


def program(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def taped(tmp_path: Path) -> Path:
    """Tapes of two programs, one of which tells the home folder."""
    table = {"one": program(tmp_path / "one", f"echo at {Path.home()}/x"), "two": program(tmp_path / "two", "cat")}
    write_taps(tmp_path / "taps", tmp_path / "tapes", {"one": "lines", "two": "jsonrpc"}, table, "model")
    for name in ("one", "two"):
        done = subprocess.run([tmp_path / "taps" / name], input=b"", capture_output=True, check=True, timeout=60)
        assert (done.stdout != b"") == (name == "one")
    return tmp_path / "tapes"


def test_each_program_is_on_the_joined_tape_with_its_dialect_and_version(taped: Path) -> None:
    header, journal = joined(taped, {"one": "1.0"}, ("two", "one"))
    assert header.origin["products"] == [{"name": "one", "version": "1.0"}, {"name": "two", "version": "unknown"}]
    assert header.origin["strength"] == "model"
    assert header.wires == {"one": {"stdio": "lines"}, "two": {"stdio": "jsonrpc"}}
    assert {event["program"] for event in journal if event["e"] == "started"} == {"one", "two"}
    assert [event["n"] for event in journal] == list(range(len(journal)))
    assert not [event for event in journal if event["e"] == "gap"]


@pytest.mark.claim("HAR-LIVE-02")
def test_the_home_folder_does_not_reach_the_tape(taped: Path) -> None:
    text = "".join(path.read_text() for path in taped.iterdir())
    assert "echo" not in text
    assert f"{Path.home()}/x" not in text
    assert "/x" in text


def test_tapes_without_a_boot_are_joined_all_the_same(taped: Path) -> None:
    for path in taped.iterdir():
        first, _, rest = path.read_text().partition("\n")
        header = json.loads(first)
        header["clock"].pop("boot", None)
        path.write_text(json.dumps(header, separators=(",", ":")) + "\n" + rest)
    assert joined(taped, {}, ())[1]


def test_no_tape_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no program was started"):
        joined(tmp_path, {}, ())
