"""The catalogue by name, and what the laws ask of a fault."""
from __future__ import annotations

import subprocess
import sys

import pytest

from harness.faults.problem import PlanProblem
from harness.faults.registry import FAULTS, NAMES, Fault, find
from harness.faults.steps import Step


def test_the_catalogue_is_a_mapping_of_names() -> None:
    assert list(FAULTS) == list(NAMES)
    assert len(FAULTS) == len(NAMES) >= 40
    assert "drop" in FAULTS
    assert "dorp" not in FAULTS
    assert FAULTS["drop"] is FAULTS["drop"]
    with pytest.raises(KeyError):
        FAULTS["dorp"]


def test_a_name_that_is_none_is_a_problem_with_the_nearest() -> None:
    assert find("drop").name == "drop"
    with pytest.raises(PlanProblem, match=r"somewhere = 'dely' \(did you mean delay\?\)"):
        find("dely", "somewhere")


class Module:
    """What a module of the catalogue has at least."""

    NAME, LAYER, WAYS = "made_up", "message", {"<<"}
    HIDES_OUTCOME = True
    RECOVERABLE = True
    ARGS: dict[str, object] = {}

    @staticmethod
    def apply(steps: list[Step], args: object, rng: object) -> list[Step]:
        return steps


def test_what_a_module_leaves_out_has_a_meaning() -> None:
    fault = Fault(Module)
    assert (fault.kinds, fault.moments) == (frozenset(), frozenset())
    assert (fault.denies, fault.forges) == (False, False)
    assert fault.hides == "yes"
    assert fault.hides_outcome({}, "notice", None, "<<")


@pytest.mark.parametrize(
    ("given", "kind", "way", "hides"),
    [
        ({}, "notice", "<<", True),
        ({}, None, None, False),  # it is tied to no moment
        ({"WAYS": {"<<", "moment"}}, None, None, True),
        ({"WAYS": {"<<", "moment"}, "HIDES_KINDS": {"reply"}}, None, None, True),
        ({"HIDES_KINDS": {"reply"}}, "reply", "<<", True),
        ({"HIDES_KINDS": {"reply"}}, "notice", "<<", False),
        ({"HIDES_KINDS": {"reply"}}, None, "<<", False),
        ({"HIDES_WAYS": {"<<"}}, "reply", "<<", True),
        ({"HIDES_WAYS": {"<<"}}, "reply", ">>", False),
        ({"HIDES_WAYS": {"<<"}}, "reply", None, False),
        ({"HIDES_OUTCOME": False}, "reply", "<<", False),
    ],
)
def test_what_a_place_does_not_say_excuses_nothing(
    given: dict[str, object], kind: str | None, way: str | None, hides: bool
) -> None:
    fault = Fault(type("Given", (Module,), given))
    assert fault.hides_outcome({}, kind, None, way) is hides


@pytest.mark.parametrize(
    "given",
    [
        {"HIDES_KINDS": set()},
        {"HIDES_KINDS": {"replies"}},
        {"HIDES_WAYS": ()},
        {"HIDES_WAYS": {">>"}},  # not one of its ways
        {"HIDES_WAYS": {"moment"}, "WAYS": {"<<", "moment"}},
        {"HIDES_AFTER": "ms"},  # not one of its arguments
        {"HIDES_AFTER": "ms", "ARGS": None},
        {"HIDES_KINDS": {"reply"}, "HIDES_OUTCOME": False},
    ],
)
def test_a_module_that_does_not_say_when_an_outcome_is_hidden_is_no_fault(given: dict[str, object]) -> None:
    [name] = [name for name in given if name.startswith("HIDES_") and name != "HIDES_OUTCOME"]
    with pytest.raises(ValueError, match=f"^fault made_up: {name} is "):
        Fault(type("Given", (Module,), given))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crlf", "no"),
        ("duplicate", "yes, of a request, on its way `<<`"),
        ("crash", "yes"),
        ("drop", "yes, of a raw or reply or request"),
        ("split", "yes, where ms reaches the call's deadline"),
        ("delay", "yes, of a raw or reply or request, where ms reaches the call's deadline"),
    ],
)
def test_the_same_in_words(name: str, words: str) -> None:
    assert FAULTS[name].hides == words


def test_only_what_is_asked_for_is_loaded() -> None:
    program = (
        "import sys; from harness.faults.plan import Plan; Plan({'v': 1, 'faults': [{'id': 'a', 'fault': 'drop', "
        "'at': {}}]}); print(sorted(name for name in sys.modules if name.startswith('harness.faults.catalogue.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['harness.faults.catalogue.drop']"
