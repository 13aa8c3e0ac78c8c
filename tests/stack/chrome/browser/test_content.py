"""The content program alone in a real Chromium: each case comes to what is wanted, and a program without a guard does
not."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stack.chrome.browser.bare import Bare, page, parts_of
from tests.stack.chrome.browser.chrome import SOURCE, built
from tests.stack.chrome.browser.content import CASES, TABLES, Case, asked, differing
from tests.stack.chrome.browser.content_acts import ACTS
from tests.stack.chrome.browser.content_secrets import SECRETS

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))


@pytest.fixture(scope="module")
def bare() -> Iterator[Bare]:
    built()
    with (
        tempfile.TemporaryDirectory(prefix="trailcam-content-") as folder,
        page(parts_of(SOURCE, Path(folder))) as found,
    ):
        yield found


@pytest.mark.parametrize("name", CASES)
def test_a_case_comes_to_what_is_wanted(bare: Bare, name: str) -> None:
    assert asked(bare, CASES[name]) == CASES[name].wanted


def test_every_case_has_a_name_of_its_own() -> None:
    assert len(CASES) == sum(map(len, TABLES))


def test_a_case_that_comes_to_something_else_is_told(bare: Bare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CASES, "other", Case("<p>a</p>", "return nodes()", ["text b"]))
    monkeypatch.setitem(CASES, "raises", Case("", "return nobody()", 0))
    found = dict(differing(bare, iter(["other", "raises", "plain"])))
    assert found.pop("other") == ["text a"]
    assert "nobody is not defined" in found.pop("raises")
    assert found == {}


@pytest.mark.claim("CHR-SNAP-05", tooth="words and rules that say what is secret, taken out one at a time")
def test_what_is_secret_stays_in_the_page(bare: Bare) -> None:
    assert dict(differing(bare, iter(SECRETS))) == {}


@pytest.mark.claim("CHR-REF-01", "CHR-ACT-02", tooth="checks of what is asked and seen, taken out one at a time")
def test_what_is_asked_of_a_page_is_checked_and_seen(bare: Bare) -> None:
    assert dict(differing(bare, iter(ACTS))) == {}
