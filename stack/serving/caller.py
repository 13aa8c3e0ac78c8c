"""The client as the stack's Caller: questions become requests to it, and a longer list a notice.

Nothing is answered here: what goes wrong is AskFailed, and what follows from that is the driver's to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

import anyio.lowlevel
from mcp import MCPError
from mcp.shared.dispatcher import Outbound
from mcp_types import ClientCapabilities

from stack.contract import Action, Answer, AskFailed, Json, Question

ELICIT: Final = "elicitation/create"
OPENAI_FORM: Final = "openai/form"
METHODS: Final[Mapping[str, str]] = {"form": ELICIT, "url": ELICIT, OPENAI_FORM: OPENAI_FORM}
"""Mode of a question -> the request that puts it. An OpenAI form has a method of its own, and then no mode.
Source: codex app-server facts, section 5: as an MCP client codex takes the same three."""
ADDRESS: Final = frozenset({"threadId", "turnId", "serverName", "environmentId"})
"""Members with which an app-server says which of its threads asks. They are not the question's, and mean nothing to a
client of ours; all others go on unchanged."""
LIST_CHANGED: Final = "notifications/tools/list_changed"


def modes_of(capabilities: ClientCapabilities | None) -> frozenset[str]:
    """What a client says it can be asked: keys of METHODS. An empty elicitation capability means forms, as it did
    before there were URLs (MCP revision 2025-11-25)."""
    found = set()
    if capabilities is not None and (elicitation := capabilities.elicitation) is not None:
        if elicitation.url is not None:
            found.add("url")
        if elicitation.form is not None or elicitation.url is None:
            found.add("form")
    if capabilities is not None and OPENAI_FORM in (capabilities.extensions or {}):
        found.add(OPENAI_FORM)
    return frozenset(found)


def request_of(question: Question) -> tuple[str, dict[str, Json]]:
    """Method and params of the request that puts a question. Raises AskFailed for a mode that has none."""
    method = METHODS.get(question.mode)
    if method is None:
        raise AskFailed(f"no request of MCP puts a question of the mode {question.mode[:80]!r}")
    left_out = ADDRESS if method == ELICIT else ADDRESS | {"mode"}
    return method, {name: value for name, value in question.params.items() if name not in left_out}


def answer_of(result: Mapping[str, Json]) -> Answer:
    """The client's answer as it is. Raises AskFailed for what is none."""
    action, content, meta = (result.get(name) for name in ("action", "content", "_meta"))
    for known in get_args(Action):
        if action == known and isinstance(content, dict | None) and isinstance(meta, dict | None):
            return Answer(known, content, meta)
    raise AskFailed("the client's answer is none: expected accept, decline or cancel, and objects beside it")


class ClientCaller:
    """The client at the other end of one connection. outbound: where requests and notices to it go."""

    def __init__(self, outbound: Outbound, capabilities: ClientCapabilities | None) -> None:
        self._outbound = outbound
        self._modes = modes_of(capabilities)

    @property
    def modes(self) -> frozenset[str]:
        return self._modes

    async def ask(self, question: Question) -> Answer:
        """Put a question, and wait as long as the user thinks. Where the call is cancelled meanwhile the client is
        told so, and its answer is dropped."""
        if question.mode not in self._modes:
            raise AskFailed(f"the client can't be asked in the mode {question.mode[:80]!r}")
        method, params = request_of(question)
        try:
            result = await self._outbound.send_raw_request(method, params)
        except MCPError as error:
            await anyio.lowlevel.checkpoint()  # where the client has gone its calls are taken back, here at the latest
            raise AskFailed(f"the client answered with error {error.code}") from error
        return answer_of(result)

    async def tools_changed(self) -> None:
        await self._outbound.notify(LIST_CHANGED, None)
