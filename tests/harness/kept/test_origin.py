"""Origins and strengths: no table, no given word and no tape makes evidence stronger than what it came from."""
from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from harness.kept import STRENGTHS, KeptProblem, Origin, weakest
from harness.kept.origin import BACKS, RANK, check_origins, origin_from
from harness.kept.sheet import BACKS as SHEET_BACKS
from harness.tape.header import STRENGTHS as RECORDED
from harness.tape.header import Header

STRENGTH_OF: dict[tuple[str, str | None], str] = {
    ("model", None): "model",
    ("engine", None): "engine",
    ("live", None): "live",
    ("tape", "documented"): "documented",
    ("tape", "model"): "model",
    ("tape", "engine"): "tape",
    ("tape", "live"): "tape",
}


@pytest.mark.claim("HAR-RPT-03", tooth="a tape of our own fake read as more than a model")
@pytest.mark.parametrize(("back", "recorded"), STRENGTH_OF)
def test_strength_is_that_of_the_origin(back: str, recorded: str | None) -> None:
    origin = Origin(back, "1.0", recorded)
    assert origin.strength == STRENGTH_OF[back, recorded]
    assert origin_from(origin.as_json()) == origin


def test_the_table_has_every_back_and_every_origin_of_a_tape() -> None:
    tapes = {("tape", recorded) for recorded in RECORDED}
    assert set(STRENGTH_OF) == tapes | {(back, None) for back in BACKS["process"] if back != "tape"}
    assert set(SHEET_BACKS) == set(BACKS["process"])


def test_a_tape_of_unknown_origin_is_documented() -> None:
    assert Origin("tape", "1.0").strength == "documented"


BAD: list[Any] = [
    None, "model", [], ["model"], ["model", 1], ["model", "1", "engine"], ["tape", "1"], ["tape", "1", "tape"],
    ["documented", "1"], ["tape", "1", "rumour"], ["model", "1", "2", "3"], {"back": "model"},
]  # fmt: skip


@pytest.mark.parametrize("value", BAD)
def test_what_is_no_origin_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"model|tape|back"):
        origin_from(value)


@pytest.mark.parametrize("some", [[a, b] for a, b in product(STRENGTHS, repeat=2)])
def test_the_weakest_counts(some: list[str]) -> None:
    assert RANK[weakest(some)] == min(RANK[strength] for strength in some)


def test_strengths_are_in_the_order_of_the_design() -> None:
    assert STRENGTHS == ("documented", "model", "tape", "engine", "live")


@pytest.mark.claim("HAR-RPT-03", tooth="a model run that says it is live")
@pytest.mark.parametrize("mode", BACKS)
@pytest.mark.parametrize("back", SHEET_BACKS)
@pytest.mark.parametrize("said", SHEET_BACKS)
def test_a_run_cannot_say_more_than_its_mode_and_back(mode: str, back: str, said: str) -> None:
    origins = {"codex": Origin(said, "1", "live" if said == "tape" else None)}
    allowed = said in BACKS[mode] and RANK[said] <= RANK[back]
    if allowed:
        check_origins(origins, mode, back)
        return
    with pytest.raises(KeptProblem, match="codex on back"):
        check_origins(origins, mode, back)


def header(*names: str, strength: str = "engine") -> Header:
    products = [{"name": name, "version": "0.171.0"} for name in names]
    return Header({"strength": strength, "products": products, "platform": "linux", "recorder": "trailcam"})


def test_the_origin_of_a_tape_comes_from_its_header() -> None:
    assert Origin.of_tape(header("codex", strength="live"), "codex") == Origin("tape", "0.171.0", "live")
    for names in ((), ("helper", "other")):
        with pytest.raises(KeptProblem, match="a tape of codex"):
            Origin.of_tape(header(*names), "codex")
