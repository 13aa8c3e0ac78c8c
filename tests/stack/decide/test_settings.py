"""Options are read strictly, and what is left out has its default."""

from __future__ import annotations

from typing import Any

import pytest

from stack.decide.settings import FILL_CHARACTERS, Model, model_from, options_from
from stack.errors import CallError


@pytest.mark.claim("JXA-RUN-13", tooth="options that are there and null")
@pytest.mark.parametrize(
    "left_out", [{}, {"steady": None, "min_confidence": None, "literals": None, "expect": None, "execute": None}]
)
def test_what_is_left_out_has_its_default_and_never_zero(left_out: dict[str, Any]) -> None:
    options = options_from({"goal": "g", **left_out})
    assert (options.steady_ms, options.floor, options.blocked_floor) == (200, 0.5, 0.6)
    assert (options.execute, options.literals, options.expect) == (False, (), None)
    assert (options.plan, options.in_plan) == (("g",), False)


def test_what_is_given_is_read() -> None:
    given: dict[str, Any] = {
        "plan": ["a", "b"],
        "execute": True,
        "expect": "x+",
        "min_confidence": 0.7,
        "steady": 0.5,
        "literals": {"l": "t"},
    }
    options = options_from(given)
    assert (options.plan, options.in_plan, options.execute) == (("a", "b"), True, True)
    assert (options.floor, options.blocked_floor, options.steady_ms) == (0.7, 0.7, 500)
    assert options.literals == (("l", "t"),)
    assert options.expect is not None and options.expect.pattern == "x+"
    assert options_from({"goal": "g", "literals": [["l", "1"], ["l", "2"]]}).literals == (("l", "1"), ("l", "2"))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"goal": "g", "plan": ["p"]},
        {"goal": ""},
        {"goal": 1},
        {"plan": []},
        {"plan": "p"},
        {"plan": [" "]},
        {"goal": "g", "other": 1},
        {"goal": "g", "execute": "yes"},
        {"goal": "g", "expect": "("},
        {"goal": "g", "expect": 1},
        {"goal": "g", "expect": ""},
        {"goal": "g", "min_confidence": 1.1},
        {"goal": "g", "min_confidence": True},
        {"goal": "g", "min_confidence": "0.5"},
        {"goal": "g", "steady": 0},
        {"goal": "g", "steady": float("nan")},
        {"goal": "g", "literals": 1},
        {"goal": "g", "literals": [["a"]]},
        {"goal": "g", "literals": {"": "t"}},
        {"goal": "g", "literals": {"a": 1}},
        {"goal": "g", "literals": {"a": "x" * (FILL_CHARACTERS + 1)}},
    ],
)
def test_anything_else_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(CallError) as caught:
        options_from(given)
    assert caught.value.code == "invalid_arguments"


def test_a_model_is_read_and_its_key_is_not_shown() -> None:
    model = model_from(
        {
            "url": "http://127.0.0.1:1/",
            "name": "m",
            "key": "secret",
        }
    )
    assert model == Model("http://127.0.0.1:1/", "m", "secret")
    assert model.endpoint == "http://127.0.0.1:1/v1/systemone"
    assert "secret" not in repr(model)
    assert model_from({"url": "u", "key": None}).key is None


@pytest.mark.parametrize(
    "given", [None, {}, {"url": 1}, {"url": "u", "name": ""}, {"url": "u", "other": "x"}, {"url": "u", "key": 1}]
)
def test_a_model_that_is_none_is_refused(given: Any) -> None:
    with pytest.raises(ValueError, match="model"):
        model_from(given)
