"""The osascript process: its start, its deadlines, its end."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.contract import Program
from stack.errors import StackError
from stack.safari_jxa import scripts
from stack.safari_jxa.bridge import ENVIRONMENT, Bridge
from stack.safari_jxa.errors import BridgeError, BridgeTimeout, StartRefused
from stack.safari_jxa.settings import Settings
from tests.stack.scripted_host import ScriptedHost, ScriptedProcess
from tests.stack.scripted_safari import SILENT, Safari, never, play, reply

SCRIPTED = {Program.OSASCRIPT: Safari().script}


def bridging(safari: Safari, check: Any = None, settings: Settings | None = None, **host: Any) -> float:
    """Run a check with a bridge; afterwards nothing runs."""

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            scripts = host.get("scripts", {Program.OSASCRIPT: safari.script})
            scripted = ScriptedHost(tasks, scripts)
            scripted.fails |= host.get("fails", set())
            try:
                bridge = await Bridge.start(scripted, settings or Settings(), tasks)
                if check is not None:
                    await check(bridge, scripted)
                await bridge.end()
            except StackError as error:
                raised.append(error)
            assert scripted.running() == host.get("left", [])
            tasks.cancel_scope.cancel()

    raised: list[StackError] = []
    took = play(main)
    if raised:
        raise raised[0]
    return took


@pytest.mark.claim("JXA-BRG-01", tooth="a program that is sent again")
def test_one_process_is_started_with_constants_and_given_the_program_once() -> None:
    safari = Safari()

    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        for _ in range(3):
            await bridge.request("displays", {})
        (process,) = host.processes
        assert process.args == ["-l", "JavaScript", "-e", scripts.bridge()]
        assert process.env == dict(ENVIRONMENT)
        assert [request["id"] for request in safari.heard] == ["1", "2", "3", "4"]
        assert safari.asked("start") == [{"program": scripts.program()}]
        assert bridge.pid == 763

    bridging(safari, check)


@pytest.mark.parametrize(("fails", "made"), [({"start osascript"}, True), (set(), False)])
def test_an_osascript_that_is_not_there_is_refused(fails: set[str], made: bool) -> None:
    with pytest.raises(StartRefused, match="start_failed"):
        bridging(Safari(), fails=fails, scripts=SCRIPTED if made else {})


@pytest.mark.parametrize(
    ("pids", "wanted", "code"),
    [([], None, "safari_not_running"), ([1, 2], None, "several_safaris"), ([1, 2], 3, "safari_not_running")],
)
@pytest.mark.claim("JXA-BRG-05", tooth="a second process")
def test_it_begins_with_exactly_one_safari(pids: list[int], wanted: int | None, code: str) -> None:
    with pytest.raises(StartRefused, match=code):
        bridging(Safari(pids=pids), settings=Settings(pid=wanted))


def test_one_of_several_may_be_named() -> None:
    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        assert bridge.pid == 2

    bridging(Safari(pids=[1, 2]), check, Settings(pid=2))


def test_a_start_without_numbers_is_no_start() -> None:
    with pytest.raises(BridgeError, match="process numbers"):
        bridging(Safari(answers={"start": {"pids": None}}))


def test_an_osascript_that_says_nothing_is_given_up() -> None:
    safari = Safari(first=[])
    with pytest.raises(BridgeTimeout, match="not ready within 10000 ms"):
        bridging(safari)
    assert safari.heard == []


def test_an_osascript_that_ends_at_once_is_not_waited_for() -> None:
    async def ends(process: ScriptedProcess) -> int:
        await process.complain(b"execution error\n")
        return 1

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            with pytest.raises(BridgeError, match="has ended"):
                await Bridge.start(ScriptedHost(tasks, {Program.OSASCRIPT: ends}), Settings(), tasks)

    assert play(main) == 0


def test_a_request_has_a_deadline_and_what_comes_later_is_dropped() -> None:
    safari = Safari()

    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        late: list[bytes] = []

        def slow(request: dict[str, Any]) -> Any:
            late.append(reply(request, {"displays": "late"}))
            return SILENT

        safari.answers["displays"] = slow
        with pytest.raises(BridgeTimeout, match="displays was not answered within 10000 ms"):
            await bridge.request("displays", {})
        safari.answers["displays"] = lambda request: late[0] + reply(request, {"displays": "mine"})
        assert await bridge.request("displays", {}) == {"displays": "mine"}

    assert bridging(safari, check) == 10


@pytest.mark.parametrize(
    "said",
    [never, b"oops\n", b'{"id":"99","result":{}}\n', b'{"id":"99","method":"x"}\n', b"x" * (4 * 1024 * 1024 + 1)],
)
def test_a_bridge_that_broke_its_protocol_says_so_for_ever(said: Any) -> None:
    safari = Safari()

    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        safari.answers["displays"] = said
        for _ in range(2):
            with pytest.raises(BridgeError, match="bridge_failed"):
                await bridge.request("displays", {})
        assert not bridge.usable
        assert len(safari.asked("displays")) == 1

    bridging(safari, check)


def test_requests_of_two_tasks_are_answered_one_after_the_other() -> None:
    safari = Safari(answers={"displays": lambda request: {"displays": request["params"]["nth"]}})

    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        got: list[Any] = []

        async def ask(nth: int) -> None:
            got.append((nth, (await bridge.request("displays", {"nth": nth}))["displays"]))

        async with anyio.create_task_group() as tasks:
            for nth in range(5):
                tasks.start_soon(ask, nth)
        assert sorted(got) == [(nth, nth) for nth in range(5)]

    assert bridging(safari, check) == 0


def test_a_reply_and_then_the_end_is_a_reply() -> None:
    safari = Safari()

    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        safari.answers["displays"] = lambda request: reply(request, {"a": 1}) + b"oops\n"
        assert await bridge.request("displays", {}) == {"a": 1}
        await anyio.sleep(0)
        assert not bridge.usable

    bridging(safari, check)


def test_what_it_says_on_stderr_is_read_and_dropped() -> None:
    async def script(process: ScriptedProcess) -> int:
        await process.complain(b"console.log\n" * 5_000)
        return await safari.script(process)

    safari = Safari()

    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        await bridge.request("displays", {})
        await anyio.sleep(1)
        assert not host.processes[0].stderr.data

    bridging(safari, check, scripts={Program.OSASCRIPT: script})


@pytest.mark.parametrize(("how", "sent"), [("broken", 0), ("full", 10)])
def test_a_pipe_that_takes_nothing_ends_the_bridge(how: str, sent: int) -> None:
    safari = Safari()

    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        setattr(host.processes[0].stdin, how, True)
        with pytest.raises(BridgeError):
            await bridge.request("displays", {})
        with pytest.raises(BridgeError, match="not written as a whole"):
            await bridge.request("displays", {})
        assert not bridge.usable

    assert bridging(safari, check) == sent


def test_a_request_that_is_taken_back_before_it_was_written_ends_the_bridge() -> None:
    safari = Safari()

    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        host.processes[0].stdin.full = True
        with anyio.move_on_after(1):
            await bridge.request("displays", {})
        assert not bridge.usable

    bridging(safari, check)


@pytest.mark.parametrize(
    ("stays", "ignores", "signals", "seconds"),
    [(False, set(), [], 0), (True, set(), [15], 2), (True, {15}, [15, 9], 4), (True, {15, 9}, [15, 9], 6)],
)
def test_it_is_ended_by_its_input_then_by_signals(
    stays: bool, ignores: set[int], signals: list[int], seconds: int
) -> None:
    async def script(process: ScriptedProcess) -> int:
        process.ignores |= ignores
        await safari.script(process)
        if stays:
            await anyio.sleep_forever()
        return 0

    safari = Safari()

    async def check(bridge: Bridge, host: ScriptedHost) -> None:
        await bridge.end()
        await bridge.end()
        assert host.processes[0].signals == signals
        with pytest.raises(BridgeError, match="has been ended"):
            await bridge.request("displays", {})

    left = ["osascript"] if 9 in ignores else []
    assert bridging(safari, check, scripts={Program.OSASCRIPT: script}, left=left) == seconds
