"""A browser for each module: a start costs 0.4 s, and tests in one module do not need to be kept apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stack.chrome.browser.chrome import Chrome, running


@pytest.fixture(scope="module")
def shared() -> Iterator[Chrome]:
    with running() as found:
        found.grant("http://a.test/*")
        yield found


@pytest.fixture
def chrome(shared: Chrome) -> Iterator[Chrome]:
    """The module's browser; the test's tabs are closed after it."""
    yield shared
    shared.clear()


@pytest.fixture
def own() -> Iterator[Chrome]:
    """A browser for one test alone, with nothing allowed: the test ends it, or the host, or the worker."""
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("chrome")
