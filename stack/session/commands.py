"""The session commands: what each asks of the session's server, and what it prints.

Separate from the program, so that the same commands run in a run of virtual time. A command gives its exit code and its
lines; an error is printed like an answer, and its exit code is that of its code.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from typing import Final

from stack import safari_jxa
from stack.contract import Json, Reply
from stack.decide.driving import ToolDriver, check
from stack.decide.port import Failed
from stack.errors import CallError, StackError
from stack.session import client, deciding, listing, over_mcp
from stack.session.client import Client
from stack.session.exits import OK, STALE, exit_of
from stack.session.machine import Machine
from stack.session.moved import moved
from stack.session.refs import read
from stack.session.server import Nobody
from stack.session.settle import Settled, settle
from stack.session.wire import answer, failed


async def run(given: argparse.Namespace, machine: Machine) -> int:
    """Run one command; its exit code."""
    own = given.command == "run" and given.backend == "mcp"
    session = given.command not in BEGINS and given.command not in ALONE and not own
    try:
        if own:
            return await over_mcp.run(given, machine)
        if given.command in ALONE:
            return await _alone(given, machine)
        begins = given.command in BEGINS
        asked = (
            await client.begin(machine.host, given.session, machine.spawn, machine.remark)
            if begins
            else await client.connect(machine.host, given.session)
        )
        try:
            return await COMMANDS[given.command](given, machine, asked)
        finally:
            await asked.aclose()
    except StackError as error:
        machine.error = error
        reply = failed(error)
        machine.say(json.dumps(answer(reply)) if given.json else f"{error.outcome}  {error}")
        done = error.outcome == "done"
        status = exit_of(error.code, session=session or done)
        return OK if done and status == STALE else status  # what is done is not to be tried again


def _print(given: argparse.Namespace, machine: Machine, value: Mapping[str, Json], lines: list[str]) -> int:
    for line in [json.dumps(value)] if given.json else lines:
        machine.say(line)
    return OK


async def _alone(given: argparse.Namespace, machine: Machine) -> int:
    """`windows` and `displays`, which need no session: a driver of their own, which ends with them."""
    arguments: dict[str, Json] = {"titles": True} if given.command == "windows" and given.titles else {}
    async with safari_jxa.open(machine.host, machine.settings) as stack:
        found = check(await stack.call(given.command, arguments, Nobody()))  # type: ignore[arg-type]
    return _print(given, machine, found, listing.window_lines(found[given.command]))


async def _begin(given: argparse.Namespace, machine: Machine, asked: Client) -> int:
    arguments: dict[str, Json] = {"window": given.window} if given.command == "attach" else {"url": given.url}
    if given.command == "open":
        named = {"display": given.display, "bounds": given.bounds, "side": given.side}
        arguments |= {name: value for name, value in named.items() if value is not None}
    status = check(await asked.ask(given.command, arguments))
    return await _shown(given, machine, asked, {"session": given.session, "status": dict(status)})


async def _observe(given: argparse.Namespace, machine: Machine, asked: Client) -> int:
    return await _shown(given, machine, asked, {})


async def _shown(given: argparse.Namespace, machine: Machine, asked: Client, said: Mapping[str, Json]) -> int:
    page, settled = await (_look_after(given, asked) if said else _look(given, asked))
    value = {**said, "observe": dict(page), "settled": None if settled is None else settled.shown()}
    lines = listing.page_lines(page, given.match, given.all)
    if settled is not None and not settled.settled:
        lines.append(f"unsettled: the page went on changing for {settled.waited_ms:.0f} ms")
    return _print(given, machine, value, lines)


async def _look(given: argparse.Namespace, asked: Client) -> tuple[Mapping[str, Json], Settled | None]:
    async def observe() -> Mapping[str, Json]:
        return check(await asked.ask("observe", {}))

    if given.settle is None:
        return await observe(), None
    settled = await settle(observe, given.settle)
    return settled.page, settled


async def _look_after(given: argparse.Namespace, asked: Client) -> tuple[Mapping[str, Json], Settled | None]:
    """The look after something was done. Where it fails, that stays done: nobody may take it for refused."""
    try:
        return await _look(given, asked)
    except StackError as error:
        raise Failed(error.code, f"it was done; then the page could not be looked at: {error.seen}", "done") from None


async def _act(given: argparse.Namespace, machine: Machine, asked: Client) -> int:
    number, action = read(given.ref)
    arguments: dict[str, Json] = {"observation": number, "action": action}
    if given.text is not None:
        arguments["text"] = given.text
    done = check(await asked.ask("act", arguments, ref=True))
    before = done["page"]
    assert isinstance(before, dict)
    page, settled = await _look_after(given, asked)
    difference = moved(before, page)
    waited = None if settled is None else settled.shown()
    acted = {name: value for name, value in done.items() if name != "page"}
    value = {"act": acted, "moved": difference, "settled": waited, "observe": dict(page)}
    label = next((each["label"] for each in _actions(before) if each["id"] == action), action)
    lines = [f'acted   "{label}"', *listing.moved_lines(difference, waited)]
    return _print(given, machine, value, lines + listing.page_lines(page, given.match, given.all))


def _actions(page: Mapping[str, Json]) -> list[dict[str, Json]]:
    actions = page["actions"]
    assert isinstance(actions, list)
    return [each for each in actions if isinstance(each, dict)]


async def _text(given: argparse.Namespace, machine: Machine, asked: Client) -> int:
    found = check(await asked.ask("text", {}))
    return _print(given, machine, found, listing.text_lines(str(found["text"]), given.match))


async def _plain(given: argparse.Namespace, machine: Machine, asked: Client) -> int:
    reply: Reply = await asked.ask(given.command, {})
    found = check(reply)
    return _print(given, machine, found, [f"{name}: {value}" for name, value in found.items()])


async def _run(given: argparse.Namespace, machine: Machine, asked: Client) -> int:
    if given.url is not None:
        raise CallError("invalid_arguments", "--url for a session that is open; expected it with --backend mcp")

    async def ask(call: str, arguments: Mapping[str, Json]) -> Reply:
        return await asked.ask(call, arguments)

    driving = nullcontext(ToolDriver(ask))
    return await deciding.command(given, machine.host, machine.model, machine.say, driving)


BEGINS: Final = frozenset({"open", "attach"})
"""Commands that begin a session."""
ALONE: Final = frozenset({"windows", "displays"})
"""Commands that are about none."""
COMMANDS: Final[Mapping[str, Callable[[argparse.Namespace, Machine, Client], Awaitable[int]]]] = {
    "open": _begin,
    "attach": _begin,
    "observe": _observe,
    "act": _act,
    "run": _run,
    "text": _text,
    "status": _plain,
    "close": _plain,
}
