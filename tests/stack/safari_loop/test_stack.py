"""The stack with the loop: its two tools, and what a run over a tab answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import pytest

from stack import safari_mcp
from stack.contract import Program, Reply
from stack.decide import Model
from stack.decide import model as models
from stack.decide.answer import Decision
from stack.decide.space import Space
from stack.safari_loop import Settings, open
from stack.safari_loop.stack import SafariLoop
from stack.safari_mcp.driver import SafariMcp
from stack.safari_mcp.settings import PLATFORM
from tests.stack.decide.deciding import Script
from tests.stack.safari_loop.paged import LOST, SHORT, Paged, said
from tests.stack.scripted_host import ScriptedCaller, ScriptedHost
from tests.stack.scripted_safaridriver import ScriptedGate, first_tab, texts
from tests.stack.staging import play

CALLER: Any = ScriptedCaller()
Check = Callable[[SafariLoop, dict[str, Any]], Awaitable[None]]


def buy() -> Script:
    """A model that clicks once, and then says that it is done."""
    return Script([("CLICK", None, None), ("DONE", None, {"visible": 0.9})])


def staged(
    monkeypatch: pytest.MonkeyPatch, check: Check, paged: Paged, script: Script, gate: ScriptedGate | None = None
) -> None:
    """Run a check with a stack and its one tab."""

    async def decide(host: Any, model: Model, body: bytes, space: Space) -> Decision:
        return await script.decide(body, space)

    @asynccontextmanager
    async def opened(host: Any) -> Any:
        yield gate or ScriptedGate()

    async def main() -> None:
        driver = paged.driver()
        async with anyio.create_task_group() as tasks:
            host = ScriptedHost(tasks, {Program.SAFARIDRIVER: driver})
            safari = safari_mcp.Settings(opened, platform=PLATFORM, deadlines=SHORT)
            async with open(host, Settings(safari, Model("http://127.0.0.1:1"))) as stack:
                assert isinstance(stack, SafariLoop)
                await check(stack, await first_tab(stack))  # type: ignore[arg-type]
            assert host.running() == []
            tasks.cancel_scope.cancel()

    monkeypatch.setattr(models, "decide", decide)
    play(main)


def ran(monkeypatch: pytest.MonkeyPatch, paged: Paged, **more: Any) -> Reply:
    found: list[Reply] = []
    gate, script = more.pop("gate", None), buy()

    async def check(stack: SafariLoop, target: dict[str, Any]) -> None:
        found.append(await stack.call("run", {**target, "plan": ["Buy"], "execute": True, **more}, CALLER))
        assert vars(stack)["_runs"] == set(), "a run that is over is kept, as long as the session lasts"

    staged(monkeypatch, check, paged, script, gate)
    return found[0]


def test_a_run_says_how_it_went(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = ran(monkeypatch, Paged(), expect="Shop")
    found: Any = reply.structured
    assert (reply.outcome, reply.code, found["ended"], found["proven"]) == ("done", None, "done", True)
    assert [line["tag"] for line in found["legs"][0]["transcript"]] == ["did", "done"]


@pytest.mark.claim("JXA-RUN-16", tooth="a run that nobody allows")
def test_a_run_without_leave_ends_with_the_gates_code(monkeypatch: pytest.MonkeyPatch) -> None:
    paged = Paged()
    reply = ran(monkeypatch, paged, gate=ScriptedGate(refuses=True))
    assert (reply.outcome, reply.code, reply.is_error) == ("refused", "consent_missing", True)
    assert paged.asked("act") == []


def test_a_tab_that_is_over_stays_over_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    paged = Paged({"act": LOST, "resolve": said({"status": "document"})})

    async def check(stack: SafariLoop, target: dict[str, Any]) -> None:
        given = {**target, "goal": "Buy", "execute": True}
        reply = await stack.call("run", given, CALLER)
        assert (reply.outcome, reply.code) == ("unknown", "delivery_unknown")
        heard = len(paged.heard)
        other = await stack.call("observe", {"targetId": "page-9", "epoch": "other"}, CALLER)
        assert (other.outcome, other.code) == ("refused", "stale_target")
        for tool, arguments in (("run", given), ("observe", target)):
            reply = await stack.call(tool, arguments, CALLER)
            assert (reply.outcome, reply.code) == ("refused", "delivery_unknown")
        assert len(paged.heard) == heard

    staged(monkeypatch, check, paged, buy())


def test_a_tab_that_is_over_stays_over_though_another_call_looked_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two calls at once on a tab that nobody has seen yet: one sees nothing, the other goes on, and what became of its
    action is what the calls after it are told."""
    looks = [said({"status": "document"})]
    paged = Paged({"act": LOST, "resolve": said({"status": "document"})})
    paged.answers["observe"] = lambda request: looks.pop() if looks else said(paged.page.page(request))

    async def check(stack: SafariLoop, target: dict[str, Any]) -> None:
        found: list[tuple[str, str | None]] = []

        async def call(tool: str, **more: Any) -> None:
            found.append((tool, (await stack.call(tool, {**target, **more}, CALLER)).code))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, "observe")
            await anyio.lowlevel.checkpoint()
            tasks.start_soon(partial(call, "run", goal="Buy", execute=True))
        assert found == [("observe", "page_unreadable"), ("run", "delivery_unknown")]
        assert len(paged.asked("act")) == 1
        reply = await stack.call("observe", target, CALLER)
        assert (reply.outcome, reply.code) == ("refused", "delivery_unknown")

    staged(monkeypatch, check, paged, buy())


def test_observe_shows_what_the_loop_may_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(stack: SafariLoop, target: dict[str, Any]) -> None:
        reply = await stack.call("observe", target, CALLER)
        found: Any = reply.structured
        assert (reply.outcome, found["observation"], len(found["actions"])) == ("done", 1, 5)
        again: Any = (await stack.call("observe", target, CALLER)).structured
        assert again["observation"] == 2

    staged(monkeypatch, check, Paged(), buy())


@pytest.mark.parametrize(
    ("tool", "more", "code"),
    [
        ("observe", {"url": "http://shop.test/"}, "invalid_arguments"),
        ("observe", {"targetId": "no such form!"}, "invalid_arguments"),
        ("run", {}, "invalid_arguments"),
        ("run", {"goal": "g", "script": "x"}, "invalid_arguments"),
        ("run", {"goal": "g", "targetId": 7}, "invalid_arguments"),
        ("run", {"goal": "g", "epoch": "another"}, "stale_target"),
        ("fly", {}, "unknown_tool"),
    ],
)
def test_what_can_not_be_is_refused(
    monkeypatch: pytest.MonkeyPatch, tool: str, more: dict[str, Any], code: str
) -> None:
    paged = Paged()

    async def check(stack: SafariLoop, target: dict[str, Any]) -> None:
        reply = await stack.call(tool, {**target, **more}, CALLER)
        assert (reply.outcome, reply.code, reply.is_error) == ("refused", code, True)
        if tool != "fly":
            reply = await stack.call(tool, {"goal": "g"} if tool == "run" else {}, CALLER)
            assert reply.code == "invalid_arguments"

    staged(monkeypatch, check, paged, buy())
    assert paged.heard == []


@pytest.mark.parametrize(("acts", "outcome"), [(0, "refused"), (1, "done")])
@pytest.mark.parametrize("told", [True, False])
def test_a_run_is_taken_back_while_its_model_thinks(
    monkeypatch: pytest.MonkeyPatch, acts: int, outcome: str, told: bool
) -> None:
    """By the event as by its caller; what was done before stays done."""
    script = Script([("CLICK", None, None)] * acts + [("WAIT", None, None)], think=0.1 if acts else 60)
    paged = Paged()

    async def check(stack: SafariLoop, target: dict[str, Any]) -> None:
        found: list[Reply] = []

        async def run() -> None:
            with anyio.CancelScope() as scope:
                scopes.append(scope)
                found.append(await stack.call("run", {**target, "goal": "g", "execute": True}, CALLER))

        scopes: list[anyio.CancelScope] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            await anyio.sleep(0.15)
            script.think = 60
            await anyio.sleep(5)
            if told:
                await stack.tell("cancel", None)
            else:
                scopes[0].cancel()
        assert [(reply.outcome, reply.code) for reply in found] == [(outcome, "cancelled")]

    staged(monkeypatch, check, paged, script)
    assert len(paged.asked("act")) == acts


def test_the_rest_is_the_drivers_own(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(stack: SafariLoop, target: dict[str, Any]) -> None:
        names = [tool.name for tool in await stack.tools()]
        assert (names[-2:], len(names)) == (["observe", "run"], 18)
        assert (await stack.status())["system"] == "safari-mcp"
        assert (await stack.call("tabs", {}, CALLER)).outcome == "done"

    staged(monkeypatch, check, Paged(), buy())


def test_without_a_model_the_stack_is_the_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with anyio.create_task_group() as tasks, open(ScriptedHost(tasks, {}), Settings()) as stack:
            assert type(stack) is SafariMcp

    play(main)


def test_a_long_page_is_no_message_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    paged = Paged()
    long = {"label": "x" * 2_000}
    paged.page.actions = [{**paged.page.actions[0], **long, "id": f"e{n}", "node": n} for n in range(1, 400)]

    async def check(stack: SafariLoop, target: dict[str, Any]) -> None:
        found: Any = (await stack.call("observe", target, CALLER)).structured
        assert len(found["actions"]) == 399

    staged(monkeypatch, check, paged, buy())


def test_a_reply_of_the_driver_that_is_none_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = ran(monkeypatch, Paged({"observe": [{**texts("x"), "result": {}}]}))
    assert (reply.code, reply.is_error) == ("driver_malformed", True)
