"""The order of trials and how many there are: what noticed a guard the last time comes first."""
from __future__ import annotations

from typing import Any

import pytest

from harness.campaign.bench import Bench, Ground
from harness.campaign.equivalent import Reason
from harness.campaign.removal import Package
from harness.campaign.trial import LIMIT, Tried
from harness.campaign.tries import Said, Try
from tests.harness.campaign.test_bench import PACKAGE, SYSTEM


@pytest.fixture
def bench() -> Bench:
    return Bench(SYSTEM, PACKAGE, [], 1, lambda words: None)


def many(bench: Bench, count: int, kind: str = "plan") -> list[Try]:
    """So many runs, all of which come by the first two guards."""
    tries = [Try(f"s{at}", "x", kind, {"at": at}, Said("r", "holds", (), {}), "again") for at in range(count)]
    bench.ground = Ground(tries, {0: list(range(count)), 1: list(range(count))}, {})
    return tries


def test_of_two_guards_that_name_each_other_each_run_that_notices_both_is_asked(
    monkeypatch: pytest.MonkeyPatch, bench: Bench
) -> None:
    """The first says the same without the other alone, the second does not."""
    many(bench, 2, "case")
    gone: list[str] = []

    def attempt(sheet: Any) -> Any:
        broken = ("law 1",) if gone == [first, second] or (gone == [second] and sheet == {"at": 0}) else ()
        return Said("r", "broken" if broken else "holds", broken, {}), None, None

    first, second = bench.guards[0].id, bench.guards[1].id
    monkeypatch.setattr("harness.campaign.trial.attempt", attempt)
    monkeypatch.setattr(Package, "install_without", lambda package, ids: gone.extend(ids))
    reasons = [Reason(first, (second,), "the other one does it.", 1), Reason(second, (first,), "this one does it.", 2)]
    (verdict,) = bench.judge(first, reasons)
    assert (verdict.state, verdict.why.endswith("(s1: x)")) == ("equivalent", True)
    assert bench.noticed == {f"{first} + {second}": "s1: x"}


def test_a_guard_is_tried_first_where_it_was_noticed_the_last_time(bench: Bench) -> None:
    last = many(bench, LIMIT + 5)[-1]
    usual, reach = bench._tries([0], False)
    assert last not in usual
    bench._killers = {bench.guards[0].id: last.name, bench.guards[1].id: "gone: x"}
    assert bench._tries([0], False) == ([last, *usual], reach)
    assert bench._tries([1], False) == (usual, reach)
    bench._killers = {bench.guards[0].id: usual[1].name}
    assert bench._tries([0], False)[0] == [usual[1], usual[0], *usual[2:]]


def test_what_noticed_a_guard_is_known_for_the_next_time(monkeypatch: pytest.MonkeyPatch, bench: Bench) -> None:
    first, second = bench.guards[0].id, bench.guards[1].id
    numbers = {(0, 1): "a: both", (1,): "a: base"}

    def removed(taken: list[int], *given: Any, **more: Any) -> Any:
        by = numbers.get(tuple(taken), "")
        return Tried(bool(by), "law 1", by, made=1, reach=1).as_json()

    monkeypatch.setattr(bench, "_removed", removed)
    monkeypatch.setattr(bench, "_alone_of", lambda numbers, gone, thorough, by: {by: []})
    bench.guards = bench.guards[:2]
    assert len(list(bench.judge("", [Reason(first, (second,), "the other one does it.", 1)]))) == 2
    assert bench.noticed == {second: "a: base", f"{first} + {second}": "a: both"}


@pytest.mark.parametrize(("thorough", "made"), [(False, LIMIT), (True, LIMIT + 5)])
def test_a_guard_with_a_reason_is_tried_alone_in_few_runs(
    monkeypatch: pytest.MonkeyPatch, bench: Bench, thorough: bool, made: int
) -> None:
    many(bench, LIMIT + 5, "case")
    monkeypatch.setattr("harness.campaign.trial.attempt", lambda sheet: (Said("r", "holds", (), {}), None, None))
    monkeypatch.setattr(Package, "install_without", lambda package, ids: None)
    first, second = bench.guards[0].id, bench.guards[1].id
    (verdict,) = bench.judge(first, [Reason(first, (second,), "the other one does it.", 1)], thorough=thorough)
    assert verdict.tried.made == made
    (other,) = bench.judge(second, [Reason(first, (second,), "the other one does it.", 1)], thorough=thorough)
    assert other.tried.made == LIMIT + 5
