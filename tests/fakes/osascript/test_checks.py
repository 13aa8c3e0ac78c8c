"""The checks on the fake: QuickJS in virtual time, and QuickJS and JavaScriptCore as real executables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.osascript.checks import CHECKS
from tests.fakes.osascript.drive import PLACES


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("run", PLACES)
def test_the_fake_passes_each_check(check: Callable[[Any], None], run: Any) -> None:
    check(run)


def test_there_are_checks() -> None:
    assert len(CHECKS) == 19
