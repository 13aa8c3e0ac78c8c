"""The 23 rows as data: each number once, and the decisions that are made from them."""

from __future__ import annotations

import pytest

from fakes.fronts import chrome_native as native
from harness.wire import codec


def test_every_row_is_there() -> None:
    assert sorted(native.ROWS) == list(range(1, 24))
    assert {text for _, text, _, _ in native.ROWS.values() if text} == {
        native.INVALID_NAME, native.NOT_FOUND, native.FORBIDDEN, native.EXITED, native.BROKEN, native.INVALID_JSON,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "valid"),
    [("com.trailcam.browser_host", True), ("a", True), ("Bad.Name", False), (".bad", False), ("bad.", False),
     ("a..b", False), ("a-b", False), ("", False)],
)  # fmt: skip
def test_names_of_hosts(name: str, valid: bool) -> None:
    assert native.name_is_valid(name) is valid


@pytest.mark.parametrize(
    ("registered", "text"),
    [("well", None), ("forbidden", native.FORBIDDEN), ("invalid_name", native.INVALID_NAME),
     *[(cause, native.NOT_FOUND) for cause in native.MANIFEST_CAUSES]],
)  # fmt: skip
def test_what_connecting_says(registered: str, text: str | None) -> None:
    assert native.refusal(registered) == text


@pytest.mark.parametrize(
    ("data", "fatal", "dropped"),
    [
        (b"Traceback", True, False),
        (b"\0\0\0\2{}", True, False),
        ((native.TOWARD_BROWSER + 1).to_bytes(4, "little"), True, False),
        (b"\0\0\0\0", False, True),
        (b"\1\0\0\0{", False, True),
        (b"\3\0\0\0NaN", False, True),
        (b'\3\0\0\0"\xff"', False, False),
        (b"\1\0\0\0001", False, False),
    ],
)
def test_what_a_host_writes(data: bytes, fatal: bool, dropped: bool) -> None:
    frame = codec("bridge", ">>").feed(data)[0]
    assert (native.is_fatal(frame), native.is_dropped(frame)) == (fatal, dropped)
