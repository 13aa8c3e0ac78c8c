"""One byte of the body changes, and nothing else."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, leaves, native, strike, written


def differences(one: bytes, other: bytes) -> list[int]:
    assert len(one) == len(other)
    return [place for place, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]


@pytest.mark.parametrize("raw", [REPLY, NO_JSON, native(REPLY[:-1])])
def test_one_bit_drawn_by_the_seed(raw: bytes) -> None:
    seen = set()
    for seed in range(30):
        (step,), _ = strike("corrupt", [Raw(raw)], {}, seed=seed)
        assert isinstance(step, Raw)
        (place,) = differences(raw, step.data)
        assert (raw[place] ^ step.data[place]).bit_count() == 1
        assert place != len(raw) - 1 or raw[-1:] != b"\n"
        assert place >= 4 or raw[:1] != native(REPLY[:-1])[:1]
        seen.add((place, step.data[place]))
    assert len(seen) > 20


def test_the_byte_and_the_bits_that_were_asked_for() -> None:
    assert written("corrupt", REPLY, offset=1, mask=0x03) == b"{!" + REPLY[2:]
    assert written("corrupt", native(b"[1]"), offset=1, mask=1) == native(b"[0]")


def test_behind_the_end_there_is_nothing() -> None:
    assert leaves("corrupt", REPLY, offset=len(REPLY) - 1)
    assert leaves("corrupt", b"")
