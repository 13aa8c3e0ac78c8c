"""Reading an answer: a decision, or Invalid."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.decide.answer import SUM_WITHIN, Decision, Invalid, decision
from stack.decide.space import NONE, space_of
from tests.stack.decide.deciding import answers, body, choice, page

SPACE = space_of(page())
OPERATIONS = list(SPACE.operations)


def read(given: Any) -> Decision:
    return decision(body(given), SPACE)


def test_the_lower_of_two_confidences_is_the_decisions() -> None:
    found = read(answers(SPACE, "CLICK", "3", sure=0.89, target_sure=0.93))
    assert found.action is not None and found.action["id"] == "e5"
    assert (round(found.sure, 6), round(found.target or 0, 6), round(found.confidence, 6)) == (0.89, 0.93, 0.89)
    assert read(answers(SPACE, "CLICK", "3", sure=0.9, target_sure=0.05)).confidence == pytest.approx(0.05)


def test_an_operation_without_targets_has_its_own_confidence_alone() -> None:
    found = read(answers(SPACE, "WAIT", sure=0.7))
    assert (found.target, found.visible) == (None, None)
    assert found.confidence == pytest.approx(0.7)


def test_none_of_the_targets_is_no_action() -> None:
    found = read(answers(SPACE, "FILL", NONE, target_sure=1.0))
    assert (found.action, found.confidence) == (None, 0.0)


def test_the_yes_no_head_is_read_for_done_alone() -> None:
    assert read(answers(SPACE, "DONE", visible=0.2)).visible == 0.2
    assert read(answers(SPACE, "BLOCKED", outcome=None)).visible is None


@pytest.mark.claim("JXA-RUN-14", tooth="heads of other operations that are garbage")
def test_only_the_head_of_the_chosen_operation_is_read() -> None:
    found = read(answers(SPACE, "CLICK", "3", fill_target={"type": "choice", "choice": "x"}, select_target=7))
    assert found.action is not None and found.action["id"] == "e5"


def changed(head: str, **more: Any) -> dict[str, Any]:
    given = answers(SPACE, "CLICK", "3")
    return {**given, head: {**given[head], **more}}


def shares(head: str, **over: Any) -> dict[str, Any]:
    given = answers(SPACE, "CLICK", "3")
    return changed(head, probabilities={**given[head]["probabilities"], **over})


HEADS = ("operation", "click_target")
WRONG: dict[str, Any] = {
    "no head": lambda head: {name: each for name, each in answers(SPACE, "CLICK", "3").items() if name != head},
    "another type": lambda head: changed(head, type="noul"),
    "no object": lambda head: {**answers(SPACE, "CLICK", "3"), head: ["CLICK"]},
    "no distribution": lambda head: changed(head, probabilities=None),
    "an option too many": lambda head: shares(head, other=0.0),
    "an option too few": lambda head: changed(head, probabilities={"CLICK": 1.0}),
    "not a number": lambda head: shares(head, NONE=math.nan) if head != "operation" else shares(head, WAIT=math.nan),
    "infinite": lambda head: shares(head, NONE=math.inf) if head != "operation" else shares(head, WAIT=math.inf),
    "true": lambda head: shares(head, NONE=True) if head != "operation" else shares(head, WAIT=True),
    "a text": lambda head: shares(head, NONE="0") if head != "operation" else shares(head, WAIT="0"),
    "below 0": lambda head: shares(head, NONE=-0.01) if head != "operation" else shares(head, WAIT=-0.01),
    "a sum too high": lambda head: shares(head, NONE=0.1) if head != "operation" else shares(head, WAIT=0.1),
    "a choice that was not offered": lambda head: changed(head, choice="click"),
    "no choice": lambda head: changed(head, choice=None),
    "a choice that is not the top": lambda head: changed(head, choice="DONE" if head == "operation" else NONE),
}


@pytest.mark.claim("JXA-RUN-09", tooth="each way in which a distribution can be wrong, in each head that is read")
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("name", WRONG)
def test_a_head_that_is_wrong_is_no_answer(name: str, head: str) -> None:
    with pytest.raises(Invalid):
        read(WRONG[name](head))


@pytest.mark.claim("JXA-RUN-09", tooth="bodies that are no answer")
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"no",
        b"\xff",
        b"[]",
        b"{}",
        b'{"answers":[]}',
        b'{"answers":{},"answers":{}}',
        b'{"answers":' + b"[" * 99_999,
    ],
)
def test_a_body_that_is_none_is_no_answer(text: bytes) -> None:
    with pytest.raises(Invalid):
        decision(text, SPACE)


@pytest.mark.parametrize("value", [None, True, "0.5", math.nan, -0.1, 1.1])
def test_a_done_without_a_probability_is_no_answer(value: Any) -> None:
    with pytest.raises(Invalid):
        read(answers(SPACE, "DONE", outcome={"type": "noul", "noul": value}))


@pytest.mark.claim("JXA-RUN-09", tooth="sums and tops just beyond what is allowed")
def test_the_bounds_are_those_that_are_said() -> None:
    rest = (1 - 0.9) / (len(OPERATIONS) - 1)
    even = {name: 0.9 if name == "WAIT" else rest for name in OPERATIONS}
    most = answers(SPACE, "WAIT", operation=_head({**even, "WAIT": 0.9 + SUM_WITHIN - 1e-9}, "WAIT"))
    assert read(most).operation == "WAIT"
    with pytest.raises(Invalid, match="sum"):
        read(answers(SPACE, "WAIT", operation=_head({**even, "WAIT": 0.9 + SUM_WITHIN + 1e-6}, "WAIT")))
    near = dict.fromkeys(OPERATIONS, 0.0) | {"WAIT": 0.5, "DONE": 0.5 + 9e-7}
    assert read(answers(SPACE, "WAIT", operation=_head(near, "WAIT"))).operation == "WAIT"
    with pytest.raises(Invalid, match="most probable"):
        read(answers(SPACE, "WAIT", operation=_head({**near, "DONE": 0.5 + 2e-6}, "WAIT")))


def _head(probabilities: dict[str, float], chosen: str) -> dict[str, Any]:
    return {"type": "choice", "choice": chosen, "probabilities": probabilities}


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(0.0, 1.0), min_size=len(OPERATIONS), max_size=len(OPERATIONS)),
    st.sampled_from(OPERATIONS),
    st.floats(0.9, 1.1),
)
def test_a_distribution_is_accepted_exactly_where_it_is_one(weights: list[float], chosen: str, scale: float) -> None:
    total = math.fsum(weights) or 1.0
    given = {name: weight * scale / total for name, weight in zip(OPERATIONS, weights, strict=True)}
    top = max(given.values())
    sound = abs(math.fsum(given.values()) - 1) <= SUM_WITHIN and top <= 1 and top - given[chosen] <= 1e-6
    heads = answers(SPACE, chosen, operation=_head(given, chosen))
    try:
        found = read(heads)
    except Invalid:
        assert not sound
    else:
        assert sound and found.operation == chosen and 0 <= found.sure <= 1


@settings(max_examples=50, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["answers", "operation", "type", "choice", "probabilities", "CLICK"]), inner, max_size=4
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_a_server_says_it_is_a_decision_or_none(value: Any) -> None:
    with pytest.raises(Invalid):  # by chance nothing has a probability for each of seven operations
        decision(json.dumps(value).encode(), SPACE)


def test_confidence_is_computed_and_not_believed() -> None:
    head = {**choice(OPERATIONS, "WAIT", 0.3), "confidence": 1.0}
    assert read(answers(SPACE, "WAIT", operation=head)).confidence == pytest.approx(0.3)
    assert json.loads(body({}))["answers"] == {}
