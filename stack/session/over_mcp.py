"""The command `run --backend mcp`: the loop over a tab of its own in Safari's MCP server.

Separate from the other commands, because it has no session: driver, tab and leave begin and end with the command. The
choices and refusals are the loop's own; each action needs the leave of the user, of whom the judge is the deputy.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from stack import consent, safari_mcp
from stack.consent import options as consent_options
from stack.contract import Json
from stack.decide.driving import check
from stack.decide.port import Driver
from stack.errors import CallError, ProtocolError
from stack.safari_loop.settings import for_pages
from stack.safari_loop.tab import Tab, TabDriver
from stack.safari_mcp.driver import SafariMcp
from stack.safari_mcp.tabs import Target
from stack.session import deciding
from stack.session.exits import NOT_DONE
from stack.session.machine import Machine
from stack.session.terminal import AtTerminal, told_by


async def run(given: argparse.Namespace, machine: Machine) -> int:
    """Run it; 0 where it ended as done and everything that was started has ended."""
    if machine.mcp is None:
        raise CallError("invalid_arguments", "there is no MCP backend here")
    if given.url is None:
        raise CallError("invalid_arguments", "--backend mcp without --url; expected the page to begin at")
    try:
        gate = consent.opener(consent.Settings(consent_options.judge_in(given)))
    except consent_options.WrongOptions as error:
        raise CallError("invalid_arguments", str(error)) from None
    settings = for_pages(replace(machine.mcp, gate=gate))
    left: list[Json] = []
    driving = _driving(machine, settings, given.url, left)
    status = await deciding.command(given, machine.host, machine.model, machine.say, driving)
    if left:
        machine.remark(f"not everything that was started could be shown to have ended: {json.dumps(left)}")
    return NOT_DONE if left and not status else status


@asynccontextmanager
async def _driving(
    machine: Machine, settings: safari_mcp.Settings, url: str, left: list[Json]
) -> AsyncIterator[Driver]:
    """A driver with one tab at this address; with the context both end. left: gets what could not be seen to end."""
    caller = AtTerminal(machine.user)
    async with safari_mcp.open(machine.host, settings) as stack:
        told = None if machine.user is None else told_by(machine.user)
        if told is not None:
            await stack.tell(*told)
        tab = Tab(machine.host, stack, await _opened(stack, url, caller))
        yield TabDriver(tab, caller)  # type: ignore[arg-type]
    cleanup = (await stack.status())["cleanup"]
    problems = cleanup["problems"] if isinstance(cleanup, dict) else None
    left += problems if isinstance(problems, list) else ["unknown"]


async def _opened(stack: SafariMcp, url: str, caller: AtTerminal) -> Target:
    reply = await stack.call("open", {"url": url}, caller)  # type: ignore[arg-type]
    check(reply)
    try:
        opened = json.loads(reply.content[0].text or "")
        return Target(str(opened["targetId"]), str(opened["epoch"]))
    except (ValueError, LookupError, TypeError):
        raise ProtocolError("tab_unidentified", "what open answered names no tab") from None
