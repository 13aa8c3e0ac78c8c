"""What the page answers is read strictly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.safari_jxa.errors import PARTS, REASONS
from stack.safari_jxa.page import STATUSES, observation, reply_of
from tests.stack.scripted_safari import Safari


def snapshot(**more: Any) -> dict[str, Any]:
    return {**Safari(epoch="e1").snapshot({"epoch": "e1", "rebind": None}), **more}


@pytest.mark.parametrize("value", [None, 1, {}, "", "{", "[]", '{"status": "odd"}', '{"status": 1}', "[" * 5000])
def test_what_is_no_reply_is_none(value: Any) -> None:
    assert reply_of(value) is None


def test_each_status_is_a_reply_and_a_refusal_says_why() -> None:
    for status in STATUSES - {"refused"}:
        assert reply_of(json.dumps({"status": status})) == {"status": status}
    for why in [{"part": part} for part in PARTS] + [{"reason": reason} for reason in REASONS]:
        assert reply_of(json.dumps({"status": "refused", **why})) is not None
    for bad in ({}, {"part": "gone"}, {"reason": "route"}, {"part": 1}):
        assert reply_of(json.dumps({"status": "refused", **bad})) is None


BAD: list[dict[str, Any]] = [
    {"left_out": "3"},
    {"url": None}, {"title": 1}, {"text": None}, {"ready": None}, {"epoch": None}, {"scroll": {}}, {"scroll": None},
    {"scroll": {"y": 0, "height": 1, "x": 2}}, {"actions": None}, {"page": None}, {"guards": None}, {"guards": {}},
    {"guards": {"1": "x", "2": {}, "3": {}}}, {"actions": [1]}, {"actions": [{"kind": "upload"}]},
    {"actions": [{"kind": ["click"]}]}, {"actions": [{"kind": "wait", "id": "wait"}]},
    {"actions": [{"kind": "wait", "id": "wait", "label": "x", "url": "y"}]},
    {"actions": [{"kind": "wait", "id": 1, "label": "x"}]}, {"text": "x" * 6001},
]  # fmt: skip


@pytest.mark.parametrize("change", BAD)
def test_an_observation_that_is_not_whole_is_none(change: dict[str, Any]) -> None:
    assert observation(snapshot(**change), 1, 6000) is None


@pytest.mark.claim("JXA-OBS-01", tooth="a text that is one character too long")
def test_the_text_has_at_most_6000_characters() -> None:
    for size in (0, 5999, 6000):
        assert observation(snapshot(text="é" * size), 1, 6000) is not None
    assert observation(snapshot(text="é" * 6001), 1, 6000) is None


@settings(max_examples=50)
@given(st.fixed_dictionaries({"url": st.text(), "text": st.text(), "title": st.text()}), st.integers(0, 9))
@pytest.mark.claim("JXA-OBS-01", tooth="each of the four parts of the fingerprint")
def test_the_fingerprint_is_of_url_text_actions_and_scroll(texts: dict[str, str], y: int) -> None:
    def seen(**more: Any) -> str:
        page = observation(snapshot(**{"scroll": {"y": y, "height": 9}, **texts, **more}), 1, 6000)
        assert page is not None
        return page.fingerprint

    own = seen()
    assert seen(title="another", ready="loading", epoch="e2") == own
    others: tuple[dict[str, Any], ...] = (
        {"url": texts["url"] + "x"},
        {"text": texts["text"] + "x"},
        {"scroll": {"y": y + 1, "height": 9}},
        {"actions": []},
    )
    assert all(seen(**other) != own for other in others)
