"""A program that listens: its port is open while it runs, and each connection is a process of its own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.serve.door import Listen
from harness.serve.hosted import LOOPBACK, Hosted
from harness.serve.services import Services
from harness.serve.session import MachineFault
from harness.serve.stage import Stage
from tests.harness.serve.machines import Counter, Echo
from tests.harness.strangers.driver_rig import START, STOP, answers, ask, played

STATUS = ask("GET", "/status")


def test_each_connection_is_a_process_of_its_own(tmp_path: Path) -> None:
    found = played(tmp_path, [START, STATUS, STOP])
    started = [event["program"] for event in found.run.journal if event["e"] == "started"]
    assert started == ["safaridriver", "webdriver", "webdriver"]
    assert '"ready":true' in answers(found)[1]


def test_a_door_closes_with_its_program(tmp_path: Path) -> None:
    said = answers(played(tmp_path, [START, STOP, STATUS]))
    assert said[1:] == ["-15", "ConnectionRefusedError"]


@pytest.mark.parametrize(("fault", "nth"), [("connect_refused", 2), ("crash", 2)])
def test_a_fault_may_refuse_one_connection_and_no_other(tmp_path: Path, fault: str, nth: int) -> None:
    at = {"program": "webdriver", "moment": "connecting" if fault == "connect_refused" else "received", "nth": nth}
    found = played(tmp_path, [START, STATUS, STATUS, STOP], {"fault": fault, "at": at})
    assert found.applicable
    first, second = answers(found)[1:3]
    assert first in ("RemoteDisconnected", "ConnectionResetError", "BadStatusLine")
    assert '"ready":true' in second


def test_a_connection_that_is_kept_waiting_keeps_no_other(tmp_path: Path) -> None:
    at = {"program": "webdriver", "moment": "connecting", "nth": 2}
    steps: list[Any] = [START, {**STATUS, "as": "late", "background": True}, {"wait_ms": 100}, STOP]
    found = played(tmp_path, steps, {"fault": "connect_hangs", "at": at, "args": {"ms": 500}})
    assert found.applicable and len(answers(found)) == 3


def stage_of(services: dict[str, str]) -> Stage:
    sheet = {"v": 1, "services": services}
    programs: Any = {"echo": Echo}
    return Stage(sheet, programs, Counter, clock=lambda: 0.0)


def test_nobody_listens_where_nobody_can_connect() -> None:
    session = stage_of({}).open("echo")
    with pytest.raises(MachineFault, match="echo listens on port 80"):
        Listen("echo", 80).apply_to(session)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind((LOOPBACK, 0))
        other.listen(1)
        yield other.getsockname()[1]


def test_a_port_that_is_taken_is_an_error(taken: int, tmp_path: Path) -> None:
    async def main() -> None:
        stage = stage_of({"echo": "there"})
        async with trio.open_nursery() as nursery:
            hosted = Hosted(stage, tmp_path, None, Services(stage, nursery))
            await nursery.start(hosted.serve)
            with pytest.raises(OSError, match="in use"):
                Listen("echo", taken).apply_to(stage.open("echo"))
            hosted.close_door(1)
            nursery.cancel_scope.cancel()

    trio.run(main)


def test_only_a_service_of_the_run_can_be_connected_to() -> None:
    services = Services(stage_of({"echo": "there"}), None)  # type: ignore[arg-type]
    assert services.address("echo") == "there"
    with pytest.raises(MachineFault, match=r"connections to other; expected one of \['echo'\]"):
        services.address("other")
