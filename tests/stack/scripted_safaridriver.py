"""The driver of the scripted host: `safaridriver --mcp` with a few tabs, each of whose answers a test can replace.

A replaced answer is rows of steps: a message (`$id` becomes the request's), bytes as they are, a pause in seconds, an
exit status by `Exit`, or a function of the process. A test that puts nothing in has a driver that does what it is told.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import anyio

from stack.contract import Json, Permit, Program, Proposal, Reply
from stack.errors import CallError
from stack.safari_mcp import SafariMcp, Settings, pinned
from stack.safari_mcp import open as open_stack
from stack.safari_mcp.page_programs import PROGRAMS
from stack.safari_mcp.settings import PLATFORM, Deadlines
from tests.stack.scripted_host import ScriptedCaller, ScriptedHost, ScriptedProcess

ID = "$id"
SHOP = "http://shop.test/"
TREE = "root\n\tbutton uid=3 'Buy'"
"""What every snapshot shows."""
Step: TypeAlias = "dict[str, Any] | bytes | float | Exit | Callable[[ScriptedProcess], Any]"
Answer: TypeAlias = "Sequence[Step] | Callable[[dict[str, Any]], Sequence[Step]]"


@dataclass(frozen=True)
class Exit:
    status: int


def texts(*lines: str, failed: bool = False) -> dict[str, Any]:
    """The message that answers a tool call."""
    value: dict[str, Any] = {"content": [{"type": "text", "text": line} for line in lines]}
    if failed:
        value["isError"] = True
    return result(value)


def result(value: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ID, "result": value}


def error(code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ID, "error": {"code": code, "message": message}}


def listed_tools() -> list[dict[str, Any]]:
    """What tools/list answers: the required tools, and the newest profile of each optional one."""
    string = {"type": "string"}
    schemas: dict[str, Any] = {
        name: {"type": "object", "properties": dict.fromkeys(names.values(), string)}
        for name, names in pinned.SENT.items()
    }
    schemas[pinned.CLOSE_TAB]["required"] = ["handle"]
    schemas |= {name: json.loads(json.dumps(rows[0].schema)) for name, rows in pinned.PINNED.items()}
    return [{"name": name, "description": f"official {name}", "inputSchema": each} for name, each in schemas.items()]


@dataclass
class Tab:
    """real: what the page itself says its URL is, where that is another one."""

    handle: str
    url: str
    title: str = "Shop"
    ready: str = "complete"
    real: str | None = None


@dataclass
class SafariDriver:
    """answers: by method, by tool, or by the name of a page program. heard: every message. tabs: those of now. stays:
    it does not end at the end of its input. pages: name of a page program -> what gives its data."""

    answers: dict[str, Any] = field(default_factory=dict)
    tabs: list[Tab] = field(default_factory=list)
    heard: list[dict[str, Any]] = field(default_factory=list)
    current: str = ""
    made: int = 0
    stays: bool = False
    pages: dict[str, Callable[[dict[str, Any], Tab], Any]] = field(default_factory=dict)

    async def __call__(self, process: ScriptedProcess) -> int:
        while (line := await process.line()) is not None:
            message = json.loads(line)
            self.heard.append(message)
            if "id" not in message or "method" not in message:
                continue
            for step in self._steps(message):
                if isinstance(step, Exit):
                    return step.status
                if isinstance(step, float | int):
                    await anyio.sleep(step)
                elif callable(step):
                    await step(process)
                else:
                    await process.say(_bytes(step, message["id"]))
        if self.stays:
            await anyio.sleep_forever()
        return 0

    def _steps(self, message: dict[str, Any]) -> Iterator[Step]:
        method, params = message["method"], message.get("params", {})
        answer: Any = self.answers.get(method)
        if method == "tools/call":
            name, arguments = params["name"], params["arguments"]
            program = _program(arguments) if name == pinned.EVALUATE else None
            answer = self.answers.get(program or "", self.answers.get(name))
            if answer is None:
                answer = [texts(self._tool(name, arguments, program))]
        elif answer is None:
            answer = [result(_handshake(method))]
        yield from answer(params) if callable(answer) else answer

    @property
    def tab(self) -> Tab:
        return next(tab for tab in self.tabs if tab.handle == self.current)

    def add(self, url: str = SHOP, **more: Any) -> Tab:
        self.made += 1
        tab = Tab(f"page-{self.made}", url, **more)
        self.tabs.append(tab)
        return tab

    def _tool(self, name: str, arguments: dict[str, Any], program: str | None) -> str:
        if name == pinned.LIST_TABS:
            return json.dumps([{"handle": tab.handle, "url": tab.url, "title": tab.title} for tab in self.tabs])
        if name == pinned.CREATE_TAB:
            return json.dumps({"handle": self.add(arguments["url"]).handle})
        if name == pinned.SWITCH_TAB:
            self.current = arguments["handle"]
            return "Switched"
        if name == pinned.CLOSE_TAB:
            self.tabs = [tab for tab in self.tabs if tab.handle != arguments["handle"]]
            return "Closed"
        if name == pinned.PAGE_INFO:
            return json.dumps({"url": self.tab.url, "title": self.tab.title})
        if name == pinned.EVALUATE:
            assert program is not None, "a script that is none of the fixed ones"
            given = json.loads(arguments["expression"].partition(")(")[2][:-1])
            return json.dumps(json.dumps(self._page(program, given)))
        if name == pinned.INTERACT:
            return json.dumps({"requested": 1, "successful": 1})
        if name == pinned.NAVIGATE:
            self.tab.url = arguments["url"]
            return json.dumps({"url": arguments["url"]})
        return json.dumps({"content": TREE, "format": "textTree"}) if name == pinned.CONTENT else f"text of {name}"

    def _page(self, program: str, given: dict[str, Any]) -> dict[str, Any]:
        known: dict[str, dict[str, Any]] = {
            "ready": {"state": self.tab.ready, "origin": "null"},
            "read": {"title": "Shop", "text": "Hello", "textTruncated": False, "links": [], "linksTruncated": False},
            "link": {"matched": 1, "href": "http://shop.test/more", "truncated": False},
            "find": {"matches": [{"tag": "a"}], "scanned": 1, "truncated": False},
            "search": {"results": [], "containers": 0, "truncated": False},
        }
        data = self.pages[program](given, self.tab) if program in self.pages else known[program]
        return {"program": program, "url": self.tab.real or self.tab.url, "ok": True, "data": data}

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """The tools that were called, with what."""
        params = [message["params"] for message in self.heard if message.get("method") == "tools/call"]
        return [(each["name"], each["arguments"]) for each in params]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]

    @property
    def methods(self) -> list[str]:
        return [message["method"] for message in self.heard if "method" in message]


def _bytes(step: Any, identifier: int) -> bytes:
    if isinstance(step, bytes):
        return step
    return json.dumps({**step, **({"id": identifier} if step.get("id") == ID else {})}).encode() + b"\n"


def _program(arguments: Mapping[str, Any]) -> str | None:
    """The name of the page program that is sent."""
    text, _, _ = arguments["expression"].removeprefix("return (").partition(")(")
    return next((name for name, program in PROGRAMS.items() if program == text), None)


def _handshake(method: str) -> Any:
    if method == "initialize":
        server = {"name": "Safari", "version": "1.0.0"}
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": server}
    return {"tools": listed_tools()}


@dataclass
class Leave:
    """A permit. ends_at: the number of the look at which it has ended; 0: it never does."""

    evidence: Mapping[str, Json] = field(default_factory=lambda: {"asked": 1})
    checks: int = 0
    ends_at: int = 0

    def check(self) -> None:
        self.checks += 1
        if self.checks == self.ends_at:
            raise CallError("operation_dropped", "the leave has ended")


@dataclass
class ScriptedGate:
    """Allows what it is asked for, unless `refuses`; keeps what it was asked and told."""

    leave: Leave = field(default_factory=Leave)
    refuses: bool = False
    asked: list[Proposal] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    takes_s: float = 0

    async def authorize(self, proposal: Proposal, caller: Any) -> Permit:
        self.asked.append(proposal)
        await anyio.sleep(self.takes_s)
        if self.refuses:
            raise CallError("consent_missing", "no")
        return self.leave

    async def tell(self, event: str, data: Json) -> None:
        self.told.append(event)


@asynccontextmanager
async def staged(
    driver: SafariDriver | None = None,
    *,
    gate: ScriptedGate | None = None,
    platform: str = PLATFORM,
    deadlines: Deadlines | None = None,
) -> AsyncIterator[tuple[ScriptedHost, SafariMcp]]:
    """A stack on a scripted host, with a gate that allows everything where none is given. Afterwards nothing runs."""

    @asynccontextmanager
    async def opened(host: Any) -> AsyncIterator[ScriptedGate]:
        yield gate or ScriptedGate()

    async with anyio.create_task_group() as tasks:
        host = ScriptedHost(tasks, {Program.SAFARIDRIVER: driver or SafariDriver()})
        settings = Settings(gate=opened, platform=platform, deadlines=deadlines or Deadlines())
        async with open_stack(host, settings) as stack:
            yield host, stack
        tasks.cancel_scope.cancel()
    assert host.running() == []


async def call(stack: SafariMcp, tool: str, /, **arguments: Any) -> Reply:
    return await stack.call(tool, arguments, ScriptedCaller())


def said(reply: Reply) -> Any:
    """The document of a reply, or the text of an error."""
    (content,) = reply.content
    assert content.text is not None
    return content.text if reply.is_error else json.loads(content.text)


async def first_tab(stack: SafariMcp) -> dict[str, Any]:
    """targetId and epoch of the first tab that is listed."""
    row = said(await call(stack, "tabs"))["tabs"][0]
    return {"targetId": row["targetId"], "epoch": row["epoch"]}


async def seen_tab(stack: SafariMcp) -> dict[str, Any]:
    """The same, after a snapshot of it: the node 3 has been shown."""
    target = await first_tab(stack)
    await call(stack, "snapshot", **target)
    return target
