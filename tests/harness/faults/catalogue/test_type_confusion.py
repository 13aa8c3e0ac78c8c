"""One value of another type."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, leaves, strike, written


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ('"a"', "1"),
        ("{}", "[]"),
        ("[1]", "{}"),
        ("true", '"true"'),
        ("false", '"false"'),
        ("null", "{}"),
        ("-1.5", '"1"'),
    ],
)
def test_each_type_has_another(value: str, other: str) -> None:
    raw = f'{{"id":1,"result":{{"a":{value}}}}}\n'.encode()
    assert written("type_confusion", raw, pointer="/result/a") == f'{{"id":1,"result":{{"a":{other}}}}}\n'.encode()


def test_by_default_the_seed_draws_among_what_the_message_carries() -> None:
    seen = set()
    for seed in range(40):
        (step,), only = strike("type_confusion", [Raw(REPLY)], {}, seed=seed)
        assert isinstance(step, Raw)
        assert only.fired
        assert step.data.startswith(b'{"id":7,"result":{')
        seen.add(step.data)
    assert len(seen) == 5


def test_where_nothing_stands_at_the_pointer_nothing() -> None:
    assert leaves("type_confusion", REPLY, pointer="/nothing")
    assert leaves("type_confusion", b'{"id":1,"result":{}}\n')
    assert leaves("type_confusion", NO_JSON)
