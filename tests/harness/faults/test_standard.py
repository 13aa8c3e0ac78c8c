"""The plans of a scenario, chosen from its census by tables."""
from __future__ import annotations

from typing import Any

import pytest

from harness.faults import standard as tables
from harness.faults.plan import Plan
from harness.faults.registry import FAULTS, NAMES
from harness.faults.standard import (
    CALLS,
    ELSEWHERE,
    LIMIT,
    ROWS,
    SERVICES,
    TARGETS,
    VARIANTS,
    everything,
    label,
    plans_for,
    standard,
)


def frame(
    program: str, way: str, kind: str, method: str | None = None, count: int = 1, process: int = 1
) -> dict[str, Any]:
    stream = {">>": "in", "<<": "out"}[way]
    place: dict[str, Any] = {"program": program, "process": process, "wire": "stdio", "way": way, "stream": stream}
    return {**place, "kind": kind, **({"method": method} if method else {}), "count": count}


def moment(program: str, name: str, count: int = 1, **where: Any) -> dict[str, Any]:
    place = {"program": program, "process": 1, "moment": name, "count": count}
    return {**place, "where": where} if where else place


CODEX = [
    moment("codex", "started"),
    moment("codex", "before_effect", 2, verb="click"),
    moment("codex", "after_effect", 2, verb="click"),
    *(
        frame("codex", way, kind, method, count)
        for method, count in [("initialize", 1), ("mcpServerStatus/list", 3), ("mcpServer/tool/call", 3)]
        for way, kind in [(">>", "request"), ("<<", "reply")]
    ),
    frame("codex", "<<", "notice", "thread/started"),
    frame("codex", "<<", "request", "mcpServer/elicitation/request"),
    frame("codex", ">>", "reply", "mcpServer/elicitation/request"),
]
LSAPPINFO = [moment("lsappinfo", "started", 2), frame("lsappinfo", "<<", "raw", count=4)]
ASKED = [
    moment("asked", "connecting", 3),
    moment("asked", "started", 3),
    frame("asked", ">>", "request", "POST /ask", 3),
    frame("asked", "<<", "reply", "POST /ask", 3),
]


@pytest.mark.parametrize("first", [(), ("codex",), ("nobody", "codex")])
def test_a_whole_scenario_gets_every_row(first: tuple[str, ...]) -> None:
    chosen = standard([*CODEX, *LSAPPINFO], 7, first=first, changes=[{"locked": True}])
    assert chosen.absent == []
    assert chosen.cut == []
    assert len(chosen.plans) == len(ROWS) + 1 + len(ELSEWHERE) <= LIMIT
    assert len({str(plan) for plan in chosen.plans}) == len(chosen.plans)


def test_the_place_that_says_most_is_the_last_call() -> None:
    plans = {label(plan): plan for plan in plans_for([*CODEX, *LSAPPINFO], 7)}
    assert "drop << reply mcpServer/tool/call #3 of codex" in plans
    assert "drop >> request mcpServer/tool/call #3 of codex" in plans
    assert "schema_drift << reply mcpServerStatus/list #3 of codex" in plans
    assert "crash before_effect #2 of codex" in plans
    assert "duplicate_request << request mcpServer/elicitation/request #1 of codex" in plans
    assert "crash started #2 of lsappinfo" in plans
    at = plans["crash before_effect #2 of codex"]["faults"][0]["at"]
    assert at == {"program": "codex", "moment": "before_effect", "where": {"verb": "click"}, "nth": 2}


def test_what_a_run_does_not_have_is_named() -> None:
    chosen = standard(LSAPPINFO, 7)
    assert "crash at before_effect" in chosen.absent
    assert "duplicate_request at question" in chosen.absent
    assert "wrong_id at answer" in chosen.absent
    assert len(chosen.plans) + len(chosen.absent) == len(ROWS)
    assert all(Plan(plan).as_json() for plan in chosen.plans)
    assert label(chosen.plans[0]) == "drop << raw #4 of lsappinfo"
    nothing = standard([], 7)
    assert (nothing.plans, len(nothing.absent), nothing.cut) == ([], len(ROWS), [])


def test_what_is_over_the_limit_is_named() -> None:
    others = [moment(f"tool{number}", "started") for number in range(9)]
    chosen = standard([*CODEX, *others], 7, first=("codex",))
    assert len(chosen.plans) == LIMIT
    assert len(chosen.cut) == len(ROWS) + 9 * len(ELSEWHERE) - LIMIT
    assert chosen.cut[-1] == "ignore_sigterm at started of tool8"


def test_the_programs_of_the_scenario_come_first() -> None:
    helper = [frame("aaa", "<<", "reply", "tools/call")]
    assert label(plans_for([*CODEX, *helper], 1)[0]) == "drop << reply tools/call #1 of aaa"
    preferred = plans_for([*CODEX, *helper], 1, first=("codex",))
    assert label(preferred[0]) == "drop << reply mcpServer/tool/call #3 of codex"


def test_services_are_struck_after_the_programs_and_where_they_are_connected_to() -> None:
    chosen = standard([*CODEX, *ASKED], 7)
    labels = [label(plan) for plan in chosen.plans]
    assert labels[0] == "drop << reply mcpServer/tool/call #3 of codex"
    assert labels[len(ROWS) :] == [
        "connect_refused connecting #3 of asked", "connect_hangs connecting #3 of asked",
        "drop << reply POST /ask #3 of asked", "truncate << reply POST /ask #3 of asked",
        "type_confusion << reply POST /ask #3 of asked", "delay << reply POST /ask #3 of asked",
    ]  # fmt: skip
    assert label(standard([*CODEX, *ASKED], 7, first=("asked",)).plans[0]) == "drop << reply POST /ask #3 of asked"
    assert "connect_refused connecting #3 of asked" in map(label, standard(ASKED, 7).plans)


def test_other_protocols_have_calls_too() -> None:
    census = [frame("p", "<<", "reply", "initialize"), frame("p", "<<", "reply", "weather"), frame("p", "<<", "raw")]
    assert label(plans_for(census, 1)[0]) == "drop << reply weather #1 of p"
    assert standard([frame("p", "<<", "reply", "initialize")], 1).plans == []


def test_processes_are_counted_together_as_nth_counts() -> None:
    census = [frame("p", "<<", "reply", CALLS[0], 2, process=1), frame("p", "<<", "reply", CALLS[0], 3, process=2)]
    first = plans_for(census, 1)[0]["faults"][0]["at"]
    assert first["nth"] == 5
    assert "process" not in first


@pytest.mark.parametrize("selection", ["standard", "all"])
@pytest.mark.parametrize("census", [CODEX, LSAPPINFO, [*CODEX, *LSAPPINFO], [*LSAPPINFO, *ASKED]])
def test_every_plan_can_be_read_and_strikes_its_place(selection: str, census: list[dict[str, Any]]) -> None:
    plans = plans_for(census, 7, selection, changes=[{"locked": True}])
    assert len(plans) > 10
    for data in plans:
        plan = Plan(data)
        assert plan.seed == 7
        struck = 0
        for place in census:
            for _ in range(place["count"]):
                struck += len(plan.strike({key: value for key, value in place.items() if key != "count"}))
        assert struck == 1, label(data)


def test_the_campaign_has_every_fault_at_every_class_of_place_that_it_fits() -> None:
    census = [*CODEX, *ASKED]
    plans = list(everything(census, 7, changes=[{"locked": True}, {"locked": False}]))
    moments = {place.get("moment") for place in census}
    fitting = {name for name in NAMES if not FAULTS[name].moments or FAULTS[name].moments & moments}
    assert {plan["faults"][0]["fault"] for plan in plans} == fitting - {"no_op"}
    labels = [label(plan) for plan in plans]
    assert labels.count("world before_effect #1 of codex") == 2
    assert labels.count("drop << notice thread/started #1 of codex") == 1
    assert "slow_start started #1 of codex" in labels
    assert "slow_start before_effect #1 of codex" not in labels
    assert "null_result << notice thread/started #1 of codex" not in labels
    drops = [label for label in labels if label.startswith("drop << reply mcpServer/tool/call ")]
    assert drops == [f"drop << reply mcpServer/tool/call #{nth} of codex" for nth in (1, 3)]
    assert not any(label.startswith("world") for label in map(label, everything(CODEX, 7)))


def test_the_same_census_and_seed_give_the_same_plans() -> None:
    assert plans_for(CODEX, 3, "all") == plans_for(CODEX, 3, "all")
    assert plans_for(CODEX, 3) != plans_for(CODEX, 4)


def test_there_are_two_selections() -> None:
    with pytest.raises(ValueError, match="saw selection 'some'; expected standard or all"):
        plans_for(CODEX, 3, "some")


def test_the_tables_name_what_exists() -> None:
    for fault, target, args in (*ROWS, *ELSEWHERE, *SERVICES):
        FAULTS[fault].complete(args)
        assert target in TARGETS
    for fault, variants in VARIANTS.items():
        for args in variants:
            FAULTS[fault].complete(args)
    assert set(tables.TARGET_MEANINGS) == set(TARGETS)
    assert set(tables.NOT_IN_CAMPAIGN) <= set(NAMES)
    assert len(ROWS) == len({(fault, target) for fault, target, _ in ROWS})


def test_no_standard_plan_blames_the_stack_for_what_the_fault_did() -> None:
    """A request that the wire doubles makes the world act twice; an error in place of a result denies what was done."""
    for fault, target, _ in (*ROWS, *ELSEWHERE, *SERVICES):
        assert not (FAULTS[fault].forges and target == "call")
        assert not (FAULTS[fault].denies and target == "answer")
