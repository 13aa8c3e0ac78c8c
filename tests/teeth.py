"""For tests with teeth: one check, tried on the real thing and on the same thing broken in one way."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Break = Callable[[pytest.MonkeyPatch], None]


def check_tells_apart(check: Callable[[Path], object], broken: Break, folder: Path) -> None:
    """Fails unless the check holds of the real thing and does not hold of the broken one.

    check: raises AssertionError where something is wrong; is given a new folder each time. Any other error is the
    check's or the breaking's own defect, and fails the test too.
    """
    for name in ("real", "broken"):
        (folder / name).mkdir(parents=True)
    check(folder / "real")
    with pytest.MonkeyPatch.context() as patch:
        broken(patch)
        try:
            check(folder / "broken")
        except (AssertionError, pytest.fail.Exception):
            return
    raise AssertionError("the check does not see what was broken")


def replaced(target: Any, name: str, value: Any) -> Break:
    """A break that puts something else in a member's place."""
    return lambda patch: patch.setattr(target, name, value)
