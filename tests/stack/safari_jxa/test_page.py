"""What the page answers is read strictly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.safari_jxa.action import argument, candidate
from stack.safari_jxa.errors import PARTS, REASONS, Blocked, StalePage
from stack.safari_jxa.page import STATUSES, observation, refusal, reply_of
from stack.session.listing import page_lines
from stack.session.moved import moved
from tests.stack.scripted_safari import Safari


def snapshot(**more: Any) -> dict[str, Any]:
    return {**Safari(epoch="e1").snapshot({"epoch": "e1", "rebind": None}), **more}


@pytest.mark.parametrize(
    "value",
    [None, 1, {}, "", "{", "[]", '{"status": "odd"}', '{"status": 1}', '{"status": []}', '{"status": "ok", "x": NaN}',
     "[" * 5000],
)  # fmt: skip
def test_what_is_no_reply_is_none(value: Any) -> None:
    assert reply_of(value) is None


def test_each_status_is_a_reply_and_a_refusal_says_why() -> None:
    for status in STATUSES - {"refused"}:
        assert reply_of(json.dumps({"status": status})) == {"status": status}
    for why in [{"part": part} for part in PARTS] + [{"reason": reason} for reason in REASONS]:
        assert reply_of(json.dumps({"status": "refused", **why})) is not None
    bad: dict[str, Any]
    for bad in ({}, {"part": "gone"}, {"reason": "route"}, {"part": 1}, {"part": ["route"]}, {"reason": {}}):
        assert reply_of(json.dumps({"status": "refused", **bad})) is None


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        ({"part": "around"}, StalePage, "around"),
        ({"reason": "covered"}, Blocked, "covered"),
        ({"part": "target", "reason": "covered"}, Blocked, "covered"),
        ({"part": "target", "reason": "odd"}, StalePage, "target"),
        ({"part": "odd", "reason": "gone"}, Blocked, "gone"),
    ],
)
def test_a_refusal_is_told_in_known_words(reply: dict[str, str], kind: type[StalePage], said: str) -> None:
    error = refusal(reply)
    assert type(error) is kind
    assert (error.reason if isinstance(error, Blocked) else error.part) == said


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(["route", "gone"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@given(st.fixed_dictionaries({"status": ANY | st.sampled_from([*STATUSES])}, optional={"part": ANY, "reason": ANY}))
@pytest.mark.claim("JXA-BRG-02", tooth="a page that has changed what its scripts give")
def test_whatever_a_page_gives_is_a_reply_or_none(value: Any) -> None:
    reply = reply_of(json.dumps(value))
    assert reply is None or (reply["status"] != "refused") or refusal(reply) is not None


@given(st.sampled_from([*snapshot(), "left_out"]), ANY)
@pytest.mark.claim("JXA-BRG-02", tooth="a page that has changed what its scripts give")
def test_whatever_a_page_shows_is_an_observation_or_none(member: str, value: Any) -> None:
    page = observation(snapshot(**{member: value}), 1, 6000)
    if page is not None:
        moved(page.shown(), page.shown())
        assert page_lines(page.shown(), None, True)


@given(st.sampled_from([*snapshot()["actions"][0]]), ANY)
def test_whatever_an_action_has_it_is_one_or_the_observation_is_none(member: str, value: Any) -> None:
    changed = snapshot()
    changed["actions"][0][member] = value
    page = observation(changed, 1, 6000)
    if page is not None:
        assert json.dumps(argument("act", candidate(page.actions[0], page), page))


BAD: list[dict[str, Any]] = [
    {"left_out": "3"}, {"scroll": {"y": "0", "height": 1}}, {"scroll": {"y": 0, "height": True}},
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
