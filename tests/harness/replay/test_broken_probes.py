"""Probes that overlook a drift, or make one up, are seen by the checks that the real one passes."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.replay import client as client_module
from harness.replay import drift as drift_module
from harness.replay.bindings import Bindings
from harness.replay.client import Client
from harness.replay.drift import Drift, Rules
from tests.harness.replay import test_probe
from tests.teeth import Break, check_tells_apart, replaced

CAME, ENDED, DRIFTS = Client.came, Client.ended, Rules.drifts
EXPECTED = dict(test_probe.DRIFTED)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("tapes") / "tools.jsonl"
    return test_probe.record(path, test_probe.server(), test_probe.whole, "mcp")


def told(change: str) -> Callable[[str], None]:
    """The check that a server with this change is told apart from the recorded one."""
    return lambda recorded: test_probe.test_what_drifted_is_told(recorded, change, EXPECTED[change])


def comes_only_as_recorded(self: Client, frame: Any) -> None:
    if self._recorded(frame) is not None:
        CAME(self, frame)


def ends_as_recorded(self: Client, status: int | None) -> None:
    ENDED(self, next((item.number for item in self.items if item.kind == "exited"), status))


def of_answers_alone(self: Rules, item: Any, frame: Any) -> list[Drift]:
    return [drift for drift in DRIFTS(self, item, frame) if drift.kind == "answer differs"]


def one_more(self: Rules, item: Any, frame: Any) -> list[Drift]:
    return [*DRIFTS(self, item, frame), Drift("answer differs", "x", 1, "/x", recorded=1, seen=2)]


BLIND: dict[str, tuple[Callable[[str], None], Break]] = {
    "to a tool that is new": (told("tool added"), replaced(drift_module, "tool_drifts", lambda *_: ())),
    "to a tool that is gone": (told("tool removed"), replaced(drift_module, "tool_drifts", lambda *_: ())),
    "to a schema": (told("schema"), replaced(drift_module, "tool_drifts", lambda *_: ())),
    "to an answer": (told("answer"), replaced(Rules, "drifts", lambda self, item, frame: [])),
    "to a request": (told("id type"), replaced(Rules, "drifts", of_answers_alone)),
    "to an order": (told("order"), replaced(client_module, "out_of_order", lambda *_: [])),
    "to what is missing": (told("ends early"), replaced(Client, "missed", lambda self, item, why: None)),
    "to what is more": (told("notice extra"), replaced(Client, "came", comes_only_as_recorded)),
    "to the exit status": (told("status"), replaced(Client, "ended", ends_as_recorded)),
    "to what the program made up, and sends what was recorded": (
        lambda recorded: test_probe.test_values_that_the_program_makes_up_are_bound_and_sent_back(
            Path(recorded).parent),
        replaced(Bindings, "rewritten", lambda self, item, changes: item.raw),
    ),
    "not, and sees more than there is": (told("tools in another order"), replaced(Rules, "drifts", one_more)),
}


@pytest.mark.claim("HAR-PLAY-03", tooth="a probe that is blind to one kind of drift, or sees drift where none is")
@pytest.mark.parametrize(("check", "broken"), BLIND.values(), ids=BLIND)
def test_a_probe_that_is_blind_is_seen(
    check: Callable[[str], None], broken: Break, recorded: str, tmp_path: Path
) -> None:
    check_tells_apart(lambda folder: check(recorded), broken, tmp_path)
