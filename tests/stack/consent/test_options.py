"""The judge on a command line, and the file with its key."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from stack.consent.options import KEY_BYTES, WrongOptions, add, is_elsewhere, judge_in, key_in
from stack.consent.settings import Judge

URL = "http://127.0.0.1:8791/v1/messages"
WHOLE = ("--judge-style", "anthropic", "--judge-url", URL, "--judge-model", "guard")
KEY = "sk-very-secret-1"


def read(*words: str) -> Judge | None:
    parser = argparse.ArgumentParser()
    add(parser)
    return judge_in(parser.parse_args(words))


def key_file(folder: Path, data: bytes = KEY.encode() + b"\n", mode: int = 0o600) -> Path:
    path = folder / "key"
    path.write_bytes(data)
    path.chmod(mode)
    return path


def test_a_judge_or_none(tmp_path: Path) -> None:
    assert read() is None
    assert read(*WHOLE) == Judge("anthropic", URL, "guard")
    assert read(*WHOLE, "--judge-key-file", str(key_file(tmp_path))) == Judge("anthropic", URL, "guard", KEY)


@pytest.mark.parametrize("left_out", ["style", "url", "model"])
def test_a_part_of_a_judge_is_none(left_out: str) -> None:
    at = WHOLE.index(f"--judge-{left_out}")
    with pytest.raises(WrongOptions, match=f"a judge without --judge-{left_out};"):
        read(*WHOLE[:at], *WHOLE[at + 2 :])


def test_a_key_without_a_judge_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(WrongOptions, match="without --judge-style, --judge-url, --judge-model"):
        read("--judge-key-file", str(key_file(tmp_path)))


def test_a_url_is_one(tmp_path: Path) -> None:
    with pytest.raises(WrongOptions, match="expected a plain http or https URL"):
        read(*WHOLE[:3], "ftp://judge.test/", *WHOLE[4:])


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_can_read_is_refused(mode: int, tmp_path: Path) -> None:
    path = key_file(tmp_path, mode=mode)
    with pytest.raises(WrongOptions, match="closed to other users") as raised:
        key_in(path)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"a key", b"one\ntwo\n", b"tab\t", "schlüssel".encode(), b"\x00", b"k\n\n", b"k\r\r\n"]
)
def test_a_file_that_is_no_key_is_refused_and_not_shown(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(WrongOptions, match="is not one line of visible ASCII") as raised:
        key_in(key_file(tmp_path, data))
    assert "two" not in str(raised.value)


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_the_end_of_the_line_is_no_part_of_the_key(end: bytes, tmp_path: Path) -> None:
    assert key_in(key_file(tmp_path, KEY.encode() + end)) == KEY


def test_what_is_no_such_file_is_refused(tmp_path: Path) -> None:
    path = key_file(tmp_path)
    link = tmp_path / "link"
    link.symlink_to(path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    big = tmp_path / "big"
    big.write_bytes(b"k" * (KEY_BYTES + 1))
    big.chmod(0o600)
    for wrong in (link, pipe, big, tmp_path, tmp_path / "none"):
        with pytest.raises(WrongOptions, match="the key's file can't be used"):
            key_in(wrong)


@pytest.mark.parametrize(
    ("url", "elsewhere"),
    [
        (URL, False),
        ("http://[::1]:80/", False),
        ("http://localhost/v1", True),
        ("https://api.judge.test/v1/messages", True),
        ("http://192.0.2.1/", True),
    ],
)
def test_what_leaves_this_machine(url: str, elsewhere: bool) -> None:
    assert is_elsewhere(Judge("anthropic", url, "guard")) is elsewhere
    assert is_elsewhere(None) is False
