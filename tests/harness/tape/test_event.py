"""Bytes of an event as text and back, and its line."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.event import COMMON, EVENTS, get_bytes, line, put_bytes
from harness.wire.jsontext import loads

ROOT = Path(__file__).resolve().parents[3]
LIGHT = ("event", "schema", "header", "problem", "read", "write", "redact", "rules", "find", "unescape", "disguise")
SLOW = {
    "typing", "dataclasses", "enum", "re", "json", "collections", "random", "pathlib", "functools", "contextlib",
    "subprocess", "socket", "signal", "base64", "logging", "argparse",
}


@given(st.binary())
def test_bytes_come_back(data: bytes) -> None:
    event = put_bytes(data)
    assert get_bytes(event) == data
    assert len(event) == 1


@pytest.mark.parametrize(
    ("data", "event"),
    [
        (b"", {"b": ""}),
        (b"plain\n", {"b": "plain\n"}),
        ("\u2028\u0085é".encode(), {"b": "\u2028\u0085é"}),
        (b"\xff", {"b64": "/w=="}),
        (b"\xed\xa0\x80", {"b64": "7aCA"}),
    ],
)
def test_utf8_stays_text_and_the_rest_is_base64(data: bytes, event: dict[str, str]) -> None:
    assert put_bytes(data) == event


@pytest.mark.parametrize(
    ("event", "error"),
    [({}, KeyError), ({"b64": 1}, ValueError), ({"b64": "a"}, ValueError), ({"b64": "/w==\n"}, ValueError),
     ({"b": "\ud800"}, ValueError)],
)
def test_what_is_no_bytes_raises(event: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error):
        get_bytes(event)


@given(st.text())
def test_a_line_is_ascii_without_newline(content: str) -> None:
    made = line({"n": 0, "text": content})
    assert made.isascii()
    assert "\n" not in made
    assert loads(made) == {"n": 0, "text": content}


def test_no_kind_has_a_field_that_every_event_has() -> None:
    assert all(not set(COMMON) & set(table) for table in EVENTS.values())


def test_light_modules_import_nothing_slow() -> None:
    """They are what programs on a tape start with."""
    names = ", ".join(f"harness.tape.{name}" for name in LIGHT)
    code = f"import sys; sys.path.append({str(ROOT)!r}); import {names}; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-SEc", code], capture_output=True, text=True, check=True)
    assert not SLOW & set(done.stdout.split())
