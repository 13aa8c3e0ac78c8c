"""The helper for tests with teeth has teeth of its own."""
from __future__ import annotations

from pathlib import Path

import pytest

from tests.teeth import check_tells_apart, replaced


class Thing:
    size = 3


def measured(folder: Path) -> None:
    assert folder.is_dir()
    assert Thing.size == 3


def test_a_check_that_sees_the_break_passes_and_the_break_is_taken_back(tmp_path: Path) -> None:
    check_tells_apart(measured, replaced(Thing, "size", 4), tmp_path)
    assert Thing.size == 3


def test_a_check_that_sees_nothing_fails(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="does not see"):
        check_tells_apart(lambda folder: None, replaced(Thing, "size", 4), tmp_path)


def test_a_check_that_does_not_hold_of_the_real_thing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thing, "size", 5)
    with pytest.raises(AssertionError, match="== 3"):
        check_tells_apart(measured, replaced(Thing, "size", 4), tmp_path)


def test_an_error_is_no_catch(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        check_tells_apart(lambda folder: int(f"{Thing.size}"), replaced(Thing, "size", "x"), tmp_path)
