"""What a request must have: the same members and kinds as in the protocol's schema, which the real extension checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import stack.chrome
from fakes.fronts.chrome_extension import VERBS
from fakes.fronts.chrome_params import PARAMS, misfit
from stack.chrome.schema import Invalid, Schema

PROTOCOL: Any = json.loads((Path(stack.chrome.__file__).parent / "protocol.json").read_text())
SCHEMA = Schema(PROTOCOL["$defs"])
HEX = "0" * 32
REF = {
    "instance": HEX, "tab_id": 1, "frame_id": 0, "document_id": HEX, "nonce": HEX, "generation": 1, "node": "0:1",
}  # fmt: skip
WHOLE: dict[str, dict[str, Any]] = {
    "list_targets": {},
    "status": {},
    "select_target": {"tab_id": 1, "window_id": 1, "title": "Shop", "front": True},
    "snapshot": {"tab_id": 1, "document_id": HEX, "keeps": False},
    "set_value": {"ref": REF, "value": "x"},
    **{verb: {"ref": REF} for verb in ("activate", "focus", "locate", "scroll_into_view")},
}
OTHERS: list[Any] = [None, True, -1, 1.5, [], [1], {}]


def variants(value: dict[str, Any]) -> list[dict[str, Any]]:
    """With one member less, one more, or one of another kind, at every depth."""
    found: list[dict[str, Any]] = [{**value, "more": 1}]
    for name, member in value.items():
        found.append({key: each for key, each in value.items() if key != name})
        found += [{**value, name: other} for other in OTHERS]
        if isinstance(member, dict):
            found += [{**value, name: each} for each in variants(member)]
    return found


def refuses(verb: str, params: Any) -> bool:
    try:
        SCHEMA.check(PROTOCOL["verbs"][verb]["params"], params)
    except Invalid:
        return True
    return False


def test_each_verb_has_its_rules() -> None:
    assert PARAMS.keys() == VERBS.keys() == WHOLE.keys() == PROTOCOL["verbs"].keys() - {"cancel"}


@pytest.mark.parametrize("verb", sorted(WHOLE))
def test_what_fits_the_schema_fits_here_and_nothing_else(verb: str) -> None:
    assert misfit(verb, WHOLE[verb]) is None
    assert not refuses(verb, WHOLE[verb])
    for params in variants(WHOLE[verb]):
        assert (misfit(verb, params) is not None) is refuses(verb, params), params


@pytest.mark.parametrize(("params", "path"), [
    ({}, "params/ref"),
    ({"ref": []}, "params/ref"),
    ({"ref": {**REF, "tab_id": "1"}}, "params/ref/tab_id"),
    ({"ref": REF, "more": 1}, "params/more"),
])  # fmt: skip
def test_the_place_is_named_as_the_extension_names_it(params: dict[str, Any], path: str) -> None:
    assert misfit("activate", params) == path
