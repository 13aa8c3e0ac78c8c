"""One sheet three ways: history, world record and each process's journal are equal in every mode (HAR-FAKE-02)."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.scenario.compare import comparable, first_difference
from tests.harness.serve.drive import MODES, ask, leave

ENV = {"LANG": "C", "HOME": "/nowhere"}


def fault(name: str, args: dict[str, Any] | None = None, **at: Any) -> dict[str, Any]:
    return {"v": 1, "seed": 1, "faults": [{"id": "f1", "fault": name, "args": args or {}, "at": at}]}


PLANS: dict[str, Any] = {
    "no fault": None,
    "no-op": fault("no_op", way="<<", kind="reply"),
    "reply dropped": fault("drop", program="echo", way="<<", kind="reply", method="add", nth=2),
    "reply late": fault("delay", {"ms": 40}, program="echo", way="<<", kind="reply", method="add", nth=1),
    "reply twice": fault("duplicate", program="echo", way="<<", kind="reply", method="two", nth=1),
    "dies before the effect": fault("crash", program="echo", moment="before_effect", nth=2),
    "dies after the effect": fault("crash", program="echo", moment="after_effect", nth=1),
    "world changes before": fault("world", {"change": {"number": 100}}, program="echo", moment="before_effect"),
    "request late": fault("delay", {"ms": 40}, program="echo", way=">>", method="add", nth=1),
    "in pieces": fault("split", program="echo", way="<<", kind="reply", method="two", nth=1),
}


async def client(host: Any, history: list[dict[str, Any]]) -> None:
    program = await host.start("echo", ["-x", "é"], env=ENV, cwd="/")
    for id, (method, params) in enumerate([("add", {"amount": 2}), ("two", {}), ("shout", {}), ("add", {"amount": 3})]):
        import trio

        lines: list[bytes] | None = None
        with trio.move_on_after(0.5):
            lines = await ask(program, id, method, **params)
        history.append({"n": id, "t": 0, "k": 0, "e": "got", "lines": lines})
        if not lines:
            break
    history.append({"e": "status", "status": await leave(program)})


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.claim("HAR-FAKE-02", "HAR-FLT-01")
def test_three_modes_are_equal(plan: str, tmp_path: Path) -> None:
    sheet = {"v": 1, "seed": 3, "plan": PLANS[plan], "world": {"number": 1}}
    runs = {name: comparable(*mode(sheet, client, tmp_path)) for name, mode in MODES.items()}
    for name in ("process", "alone"):
        assert first_difference(runs["virtual"], runs[name]) is None, name
