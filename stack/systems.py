"""The systems that can be served, and what a command line can set of them.

Separate from the command, which only reads words. No option turns a check off: without a judge nothing restricted is
done, and with one each restricted action is put to it.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from stack import chrome, computer_use, consent, safari_mcp
from stack.consent.served import AsksForTask
from stack.consent.settings import Judge
from stack.contract import Host, Stack


@dataclass(frozen=True, slots=True)
class Options:
    """progressive: whether the list of tools begins short. judge: of a system with consent; None: nobody allows."""

    progressive: bool = False
    judge: Judge | None = None


Opener: TypeAlias = Callable[[Host, Options], AbstractAsyncContextManager[Stack]]
"""Opens a system on a host."""
JUDGED: Final = frozenset({"safari-mcp"})
"""The systems that have a judge."""


def _computer_use(host: Host, options: Options) -> AbstractAsyncContextManager[Stack]:
    return computer_use.open(host, computer_use.Settings(progressive=options.progressive))


def _chrome(host: Host, options: Options) -> AbstractAsyncContextManager[Stack]:
    return chrome.open(host, chrome.Settings())


@asynccontextmanager
async def safari(host: Host, options: Options, platform: str = sys.platform) -> AsyncIterator[Stack]:
    """Safari through its own MCP server; with a judge, the user can be asked for a task."""
    gate = None if options.judge is None else consent.opener(consent.Settings(options.judge))
    async with safari_mcp.open(host, safari_mcp.Settings(gate, platform=platform)) as stack:
        yield stack if gate is None else AsksForTask(stack)


SYSTEMS: Final[Mapping[str, Opener]] = {"chrome": _chrome, "computer-use": _computer_use, "safari-mcp": safari}
