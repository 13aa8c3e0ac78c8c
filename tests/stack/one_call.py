"""One call on a fresh stack, with what must hold after every call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stack.contract import Reply
from tests.stack.scripted_host import ScriptedCaller, ScriptedHost
from tests.stack.scripted_server import (
    AppServer,
)
from tests.stack.staging import check_clean, play, staged

CALL, LIST, START = "mcpServer/tool/call", "mcpServerStatus/list", "thread/start"
APP: dict[str, Any] = {"app": "Chess"}
FORMS = frozenset({"form", "url", "openai/form"})
WORK = "/scripted/work-0000000000000001"


def one(
    server: AppServer,
    tool: str = "click",
    arguments: Mapping[str, Any] = APP,
    *,
    caller: ScriptedCaller | None = None,
    set_up: Callable[[ScriptedHost], None] = lambda host: None,
    cleanup: bool | str = True,
    **staging: Any,
) -> Reply:
    """One call on a fresh stack. cleanup: what its evidence says; where it is verified nothing may be left."""
    replies: list[Reply] = []

    async def main() -> None:
        async with staged(server, **staging) as (host, stack):
            set_up(host)
            replies.append(await stack.call(tool, arguments, caller or ScriptedCaller()))
            assert host.audit[-1]["outcome"] == replies[0].outcome
            assert host.audit[-1]["code"] == replies[0].code
            assert host.audit[-1]["directCalls"] == len(server.calls())
            if cleanup is True:
                check_clean(host)

    play(main)
    (answer,) = replies
    assert answer.evidence["cleanupVerified"] == cleanup
    assert answer.evidence["directCalls"] == len(server.calls())
    return answer


def words(answer: Reply) -> str:
    return "\n".join(content.text or "" for content in answer.content)
