"""The process of safaridriver: command line, handshake, order, ends; what no check of all backs can see."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
import trio

from fakes.fronts.safaridriver import SafariDriver
from harness.serve.launch import PYTHON
from harness.serve.machine import Given
from harness.serve.scheduler import run_virtual
from harness.wire.jsontext import loads
from tests.fakes.fronts.drive_safari import drive, said
from tests.fakes.safaridriver.backs import Model
from tests.fakes.safaridriver.client import HELLO, Client
from tests.fakes.safaridriver.pages import SHOP
from tests.tidy.imports import HEAVY

ROOT = Path(__file__).resolve().parents[3]

DENIED = {"permissions": {"remote_automation": False}}


@pytest.mark.parametrize(("arguments", "status", "out", "errors"), [
    (("--help",), 0, "Usage: safaridriver", ""),
    (("--version",), 0, "Included with Safari 27.0", ""),
    (("-p", "4444"), 1, "", "port 4444"),
    ((), 64, "", "Usage: safaridriver"),
    (("--nothing",), 64, "", "unrecognized option '--nothing'"),
    (("--enable",), 0, "", ""),
])  # fmt: skip
def test_commands(arguments: tuple[str, ...], status: int, out: str, errors: str) -> None:
    seen = said(arguments)
    assert seen[0] == status and out in seen[1] and errors in seen[2]
    assert bool(seen[1]) is bool(out) and bool(seen[2]) is bool(errors)


def test_enable_gives_the_permission() -> None:
    model = said(("--enable",), world=DENIED)[3]
    world: Any = model.stages[-1].world
    assert world.permissions["remote_automation"] is True
    assert model.of("changed")[-1]["what"] == {"permission": "remote_automation", "value": True}


def test_an_older_one_refuses_mcp() -> None:
    assert said(("--mcp",), mcp=False)[0] == 64


def test_initialize() -> None:
    async def body(client: Client) -> None:
        for asked, answered in (("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25"), (7, "2025-11-25")):
            reply = await client.request("initialize", {**HELLO, "protocolVersion": asked, "clientInfo": "x"})
            assert reply["result"]["protocolVersion"] == answered

    drive(body, greet=False)


def test_a_refused_handshake_and_a_banner() -> None:
    async def body(client: Client) -> None:
        reply = await client.request("initialize", HELLO)
        assert reply["error"] == {"code": -32603, "message": "not today"}
        assert client.raw.startswith(b"hello there\n{")

    drive(body, greet=False, refuses="not today", banner="hello there")


def test_discovery_may_be_silence() -> None:
    async def body(client: Client) -> None:
        asked = await client.ask("server/discover")
        await client.request("ping")
        assert not client.answered(asked)

    drive(body, greet=False, discover="silent")


def test_messages_that_are_none_of_its_business() -> None:
    async def body(client: Client) -> None:
        await client.send([1])
        await client.send({"jsonrpc": "2.0", "id": 5, "result": {}})
        await client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        reply = await client.request("tools/call", {"name": 7, "arguments": []})
        assert reply["error"]["code"] == -32602
        assert len(client.frames) == 2

    drive(body)


def test_calls_out_of_order_are_answered_and_written_down() -> None:
    async def body(client: Client) -> None:
        await client.request("tools/list")
        assert await client.value("list_tabs") == []
        await client.greet()
        await client.request("tools/list")

    whys = [line["why"] for line in drive(body, greet=False).of("violation")]
    assert whys == ["tools/list before notifications/initialized", "tools/call before notifications/initialized"]


def test_a_tool_that_drift_dropped_is_unknown() -> None:
    async def body(client: Client) -> None:
        listed = (await client.request("tools/list"))["result"]["tools"]
        assert "screenshot" not in [tool["name"] for tool in listed]
        assert "error" in await client.request("tools/call", {"name": "screenshot"})
        assert "error" in await client.request("tools/call", {"name": "new_tool"})

    drive(body, drift={"screenshot": None, "new_tool": {}})


def test_permission_counts_when_the_browser_is_first_needed() -> None:
    async def body(client: Client) -> None:
        assert "Code=6" in await client.failed("list_tabs")

    model = drive(body, world={"permissions": {"developer_features": False}})
    assert [(line["verb"], line["why"]) for line in model.of("refused")] == [("list_tabs", "remote_automation")]


def test_a_permission_that_is_taken_away_later_ends_no_session() -> None:
    model = Model()

    async def main() -> None:
        async with model() as client:
            await client.open(SHOP)
            model.stages[-1].world.change("user", permission={"name": "remote_automation", "value": False})
            assert (await client.value("page_info"))["url"] == SHOP

    run_virtual(main, 1)


def test_a_result_can_say_something_else_and_the_call_is_done_all_the_same() -> None:
    async def body(client: Client) -> None:
        assert (await client.call("create_tab", url=SHOP)).text == "Created"
        assert len(await client.value("list_tabs")) == 1
        assert (await client.call("list_tabs")).text == "none"
        assert len(await client.value("list_tabs")) == 1
        assert [(await client.call("page_info")).text for _ in range(2)] == ["?", "?"]

    says = [{"tool": "create_tab", "text": "Created"}, {"tool": "list_tabs", "nth": 2, "text": "none"},
            {"tool": "page_info", "text": "?"}]  # fmt: skip
    model = drive(body, says=says)
    assert [line["verb"] for line in model.of("effect")] == ["open"]
    assert [line["why"] for line in model.of("unsaid")] == [
        f"{tool} answers otherwise" for tool in ("create_tab", "list_tabs", "page_info", "page_info")
    ]


@pytest.mark.parametrize(("does", "fails", "unsaid"), [
    (True, False, 1),
    (True, True, 1),  # a lie: it has happened
    (False, False, 1),  # as far as anybody can tell, one too
    (False, True, 0),  # the truth
])  # fmt: skip
def test_a_result_can_be_a_failure_and_said_in_place_of_doing_anything(does: bool, fails: bool, unsaid: int) -> None:
    async def body(client: Client) -> None:
        result = await client.call("create_tab", url=SHOP)
        assert (result.is_error, result.text) == (fails, "Tool error: paired" if fails else "paired")

    model = drive(body, says=[{"tool": "create_tab", "text": "paired", "does": does, "fails": fails}])
    assert (len(model.of("effect")), len(model.of("unsaid"))) == (int(does), unsaid)


def test_what_is_stubborn_outlives_its_stdin_and_sigterm() -> None:
    async def body(client: Client) -> None:
        assert client.process.stdin is not None
        await client.process.stdin.aclose()
        client.process.send_signal(signal.SIGTERM)
        with trio.move_on_after(60) as waiting:
            await client.process.wait()
        assert waiting.cancelled_caught
        client.process.send_signal(signal.SIGKILL)
        assert await client.wait() == -9

    drive(body, stubborn=True)


@pytest.mark.parametrize(("pause_s", "freed"), [(0.0, 0), (1.0, 1)])
def test_a_signal_counts_as_the_clients_doing_where_the_program_had_no_time_to_end(pause_s: float, freed: int) -> None:
    """Both at once leaves windows; a program that ignored the end of its stdin has itself to blame."""

    async def body(client: Client) -> None:
        await client.open(SHOP)
        assert client.process.stdin is not None
        await client.process.stdin.aclose()
        await trio.sleep(pause_s)
        client.process.send_signal(signal.SIGINT)
        assert await client.wait() == -signal.SIGINT

    model = drive(body, stubborn=True)
    assert len(model.of("held")) == 1 and len(model.of("freed")) == freed


def test_it_loads_nothing_heavy() -> None:
    """Shown by a bare interpreter, for all that a session may load."""
    modules = [path.stem for path in sorted((ROOT / "fakes/fronts").glob("safaridriver*.py"))]
    names = [*(f"fakes.fronts.{name}" for name in modules), "fakes.worlds.safari", "fakes.worlds.page_behaviour"]
    code = f"import sys; sys.path.append({str(ROOT)!r}); import {', '.join(names)}; print(*sys.modules)"
    done = subprocess.run([PYTHON, "-SEc", code], capture_output=True, text=True, check=True)
    assert "fakes.worlds.page_interact" in done.stdout.split() and not HEAVY & set(done.stdout.split())


def test_half_of_an_emoji_is_still_json() -> None:
    async def body(client: Client) -> None:
        await client.open(SHOP)
        assert loads((await client.done("page_info")).text)
        text = await client.failed("switch_tab", handle="\ud83d")
        assert "\ud83d" in text

    drive(body)


@pytest.mark.parametrize("heard", [True, False])
def test_a_signal_leaves_the_window_behind_unless_it_should_have_ended_before(heard: bool) -> None:
    told: list[int] = []

    class World:
        def signalled(self, p: int) -> None:
            told.append(p)

    machine = SafariDriver(Given(1, "safaridriver", World(), {}, "seed"))
    if not heard:
        machine.unheard()
    assert machine.signalled(15) is None
    assert told == ([1] if heard else [])
