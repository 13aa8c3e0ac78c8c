"""The requests, byte for byte. `python -m tests.stack.decide.write_golden` writes the files anew, to be looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stack.decide.question import request
from stack.decide.space import TARGETS, space_of
from tests.stack.decide.deciding import control, page

GOLDEN = Path(__file__).parent / "golden"
RECENT = [{"operation": "CLICK", "label": f"L{n}", "changed": True} for n in range(12)]
CASES: dict[str, tuple[Any, str, Any]] = {
    "a-whole-page": (page(), "Buy one in Größe 42", RECENT[:1]),
    "an-empty-page": (page(actions=(), text=""), "Buy one", []),
    "one-target": (page(actions=[control(1, "click", "Buy", 9)]), "Buy one", RECENT),
    "more-targets-than-there-is-room-for": (
        page(actions=[control(n, "click", f"L{n}", n) for n in range(TARGETS + 2)]), "Buy one", [],
    ),
}  # fmt: skip


def written(name: str) -> bytes:
    """The request of a case."""
    seen, goal, recent = CASES[name]
    return request(space_of(seen), seen, goal, recent, "jev-1.13.0") + b"\n"


@pytest.mark.claim("JXA-RUN-14", tooth="any byte of a request that is not as it was")
@pytest.mark.parametrize("name", CASES)
def test_a_request_is_as_its_golden_file_has_it(name: str) -> None:
    assert written(name) == (GOLDEN / f"{name}.json").read_bytes()


def test_every_golden_file_has_its_case() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(CASES)


@pytest.mark.claim("JXA-RUN-05", tooth="a request without the yes/no question")
@pytest.mark.parametrize("name", CASES)
def test_a_request_is_ascii_and_every_choice_has_from_2_to_255_options(name: str) -> None:
    asked = json.loads(written(name).decode("ascii"))
    assert asked["questions"]["outcome"]["type"] == "noul"
    choices = {head: each for head, each in asked["questions"].items() if each["type"] == "choice"}
    assert all(2 <= len(each["criteria"]) <= 255 for each in choices.values())
    assert len(asked["state"]["recent"]) <= 10


def test_only_the_latest_of_what_was_done_is_told() -> None:
    asked = json.loads(written("one-target"))
    assert [each["label"] for each in asked["state"]["recent"]] == [f"L{n}" for n in range(2, 12)]


def test_what_there_was_no_room_for_is_said() -> None:
    assert json.loads(written("more-targets-than-there-is-room-for"))["state"]["omitted"] == {"CLICK": 2}
