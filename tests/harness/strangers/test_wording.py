"""Words of scenarios become calls of the stranger's tools, with what they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.strangers.problem import AdapterProblem
from harness.strangers.wording import filled, translated
from tests.harness.strangers.rig import adapter_of

GIVEN: dict[str, Any] = {"window": 7, "url": 'http://a.test/?"', "list": [1, "a"]}
TEXTS = [
    ("{window}", 7),
    ("{list}", [1, "a"]),
    ("{window}/page", "7/page"),
    ("go to {url}", 'go to http://a.test/?"'),
    ("url = {url:json};", 'url = "http://a.test/?\\"";'),
    ("{url:json}", '"http://a.test/?\\""'),
    ("{list} {window:json}", '[1,"a"] 7'),
    ("(id) => { return {} }", "(id) => { return {} }"),
    ("nothing", "nothing"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_names_in_braces(tmp_path: Path, text: str, expected: Any) -> None:
    assert filled(text, GIVEN, adapter_of(tmp_path), "go") == expected


def test_a_step_becomes_a_call_with_its_means(tmp_path: Path) -> None:
    adapter = adapter_of(tmp_path)
    step = {"call": "go", "as": "there", "arguments": {"window": 7, "url": "http://c.test/"}, "expect": "done"}
    assert translated(adapter, step) == {
        "call": "go", "as": "there", "arguments": {"window": 7, "url": "http://c.test/"}, "expect": "done",
        "means": {"verb": "navigate", "ref": "7/page", "value": "http://c.test/"},
    }  # fmt: skip
    assert translated(adapter, {"call": "count"}) == {"call": "titles", "arguments": {}}
    assert translated(adapter, {"wait_ms": 5}) == {"wait_ms": 5}


WRONG = [
    ({"call": "goo"}, "the word 'goo'.*go"),
    ({"call": "go", "arguments": {"window": 7}}, "{url} in the tool 'go'"),
    ({"call": "count", "means": None}, "`means` of the step 'count'"),
]


@pytest.mark.parametrize(("step", "seen"), WRONG)
def test_what_an_adapter_has_not_is_refused(tmp_path: Path, step: dict[str, Any], seen: str) -> None:
    with pytest.raises(AdapterProblem, match=seen):
        translated(adapter_of(tmp_path), step)
