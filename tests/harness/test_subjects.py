"""Every dotted name of a subject is there; an unknown one is refused with the known ones."""
from __future__ import annotations

from dataclasses import fields

import pytest

from harness.problem import UsageProblem
from harness.serve.dotted import resolve
from harness.subjects import SUBJECTS, subject


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_name_resolves(name: str) -> None:
    system = subject(name)
    dotted = [getattr(system, field.name) for field in fields(system) if ":" in str(getattr(system, field.name))]
    names = [each for each in dotted if isinstance(each, str)]
    assert len(names) >= 5
    for each in names:
        resolve(each)


def test_an_unknown_subject_is_refused() -> None:
    with pytest.raises(UsageProblem, match="computer-use"):
        subject("nope")
