"""Deliberately broken stacks: a real stack with one thing made worse at its ports. They show that a check can fail.

A claim that holds has teeth where one of these breaks it in the same scenario. Everything is done at the stack's own
ports (its replies, its caller, its host), so it is data in a scenario, and works on any system. Never imported by a
stack; a run sheet with `broken` gives teeth and no evidence.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import trio

from harness.problem import UsageProblem
from harness.scenario.broken_input import WAYS, Over, reads_hastily


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to be worse. args: name -> (type, required, meaning). host, stack, input: wrap that port, where not None;
    the input is that of a part of the stack that a fake starts."""

    meaning: str
    args: Mapping[str, tuple[type, bool, str]]
    host: Callable[[Any, Mapping[str, Any]], Any] | None = None
    stack: Callable[[Any, Mapping[str, Any]], Any] | None = None
    input: Callable[[Any, Mapping[str, Any]], Any] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One content block, in the shape of the stack's port."""

    block: Mapping[str, Any]


# At the stack's port


def _calls(stack: Any, args: Mapping[str, Any], around: Callable[..., Awaitable[Any]]) -> Any:
    """The stack with `around(call, tool, arguments, caller)` in place of its call, for the tool named, or for all."""

    async def call(tool: str, arguments: Mapping[str, Any], caller: Any) -> Any:
        if args.get("tool", tool) != tool:
            return await stack.call(tool, arguments, caller)
        return await around(stack.call, tool, arguments, caller)

    return Over(stack, call=call)


def _answers(stack: Any, args: Mapping[str, Any]) -> Any:
    async def around(call: Any, *given: Any) -> Any:
        return _changed(await call(*given), args)

    return _calls(stack, args, around)


def _changed(reply: Any, args: Mapping[str, Any]) -> Any:
    fields: dict[str, Any] = {key: args[key] for key in ("outcome", "code", "is_error", "structured") if key in args}
    if "content" in args:
        fields["content"] = tuple(Block(block) for block in args["content"])
    if "evidence" in args:
        merged = {**reply.evidence, **args["evidence"]}
        fields["evidence"] = {key: value for key, value in merged.items() if value != "dropped"}
    return dataclasses.replace(reply, **fields)


def _calls_twice(stack: Any, args: Mapping[str, Any]) -> Any:
    async def around(call: Any, *given: Any) -> Any:
        await call(*given)
        return await call(*given)

    return _calls(stack, args, around)


def _takes_long(stack: Any, args: Mapping[str, Any]) -> Any:
    async def around(call: Any, *given: Any) -> Any:
        with trio.CancelScope(shield=True):
            await trio.sleep(args["ms"] / 1000)
        return await call(*given)

    return _calls(stack, args, around)


def _goes_on(stack: Any, args: Mapping[str, Any]) -> Any:
    async def around(call: Any, *given: Any) -> Any:
        with trio.CancelScope(shield=True):
            return await call(*given)

    return _calls(stack, args, around)


def _answers_itself(stack: Any, args: Mapping[str, Any]) -> Any:
    async def around(call: Any, tool: str, arguments: Any, caller: Any) -> Any:
        async def ask(question: Any) -> Any:
            return Over(None, action=args["action"], content=args.get("content"), meta=args.get("meta"))

        return await call(tool, arguments, Over(caller, ask=ask))

    return _calls(stack, args, around)


def _asks_otherwise(stack: Any, args: Mapping[str, Any]) -> Any:
    async def around(call: Any, tool: str, arguments: Any, caller: Any) -> Any:
        async def ask(question: Any) -> Any:
            if "params" in args:
                question = dataclasses.replace(question, params={**question.params, **args["params"]})
            answer = await caller.ask(question)
            fields = {key: args[key] for key in ("action", "content", "meta") if key in args}
            return Over(answer, **fields)

        members: dict[str, Any] = {"modes": frozenset(args["modes"])} if "modes" in args else {}
        return await call(tool, arguments, Over(caller, ask=ask, **members))

    return _calls(stack, args, around)


def _acts_otherwise(stack: Any, args: Mapping[str, Any]) -> Any:
    async def around(call: Any, tool: str, arguments: Mapping[str, Any], caller: Any) -> Any:
        return await call(tool, {**arguments, **args["arguments"]}, caller)

    return _calls(stack, args, around)


def _lists_otherwise(stack: Any, args: Mapping[str, Any]) -> Any:
    async def tools() -> Any:
        listed = []
        for tool in await stack.tools():
            if tool.name not in args.get("without", ()):
                change = args.get("description") is not None and args.get("tool", tool.name) == tool.name
                listed.append(dataclasses.replace(tool, description=args["description"]) if change else tool)
        return listed

    return Over(stack, tools=tools)


def _reports_otherwise(stack: Any, args: Mapping[str, Any]) -> Any:
    async def status() -> Any:
        return {**await stack.status(), **args["status"]}

    return Over(stack, status=status)


def _is_not_told(stack: Any, args: Mapping[str, Any]) -> Any:
    async def tell(event: str, data: Any) -> None:
        if event != args["event"]:
            await stack.tell(event, data)

    return Over(stack, tell=tell)


def _is_told_otherwise(stack: Any, args: Mapping[str, Any]) -> Any:
    async def tell(event: str, data: Any) -> None:
        await stack.tell(event, {**(data or {}), **args["data"]} if event == args["event"] else data)

    return Over(stack, tell=tell)


# At the host's port


def _starts_otherwise(host: Any, args: Mapping[str, Any]) -> Any:
    async def start(program: str, words: Sequence[str], *, env: Mapping[str, str], cwd: str) -> Any:
        if str(program) == args["program"]:
            words = [_replaced(word, args.get("from"), args.get("to", "")) for word in words]
            env = {**env, **args.get("env", {})}
            cwd = args.get("cwd", cwd)
        return await host.start(program, words, env=env, cwd=cwd)

    return Over(host, start=start)


def _replaced(text: str, old: str | None, new: str) -> str:
    return text if old is None else text.replace(old, new)


def _piped(host: Any, args: Mapping[str, Any], wrap: Callable[[Any], Any]) -> Any:
    """The host with `wrap(process)` in place of each process of the program named."""

    async def start(program: str, words: Sequence[str], *, env: Mapping[str, str], cwd: str) -> Any:
        process = await host.start(program, words, env=env, cwd=cwd)
        return wrap(process) if str(program) == args["program"] else process

    return Over(host, start=start)


def _writes_otherwise(host: Any, args: Mapping[str, Any]) -> Any:
    old, new = args["from"].encode(), args["to"].encode()

    def wrap(process: Any) -> Any:
        async def send(data: bytes) -> None:
            await process.stdin.send(data.replace(old, new))

        return Over(process, stdin=Over(process.stdin, send=send))

    return _piped(host, args, wrap)


def _reads_otherwise(host: Any, args: Mapping[str, Any]) -> Any:
    """Whole lines: one that contains `from` is read with `to` in its place, or not at all where there is no `to`."""
    old, new = args["from"].encode(), None if args.get("to") is None else args["to"].encode()

    def wrap(process: Any) -> Any:
        held = bytearray()

        async def receive(max_bytes: int = 65536) -> bytes:
            while True:
                held.extend(await process.stdout.receive(max_bytes))
                *lines, rest = bytes(held).split(b"\n")
                held[:] = rest
                if new is None:
                    lines = [line for line in lines if old not in line]
                data = b"".join(line.replace(old, new or b"") + b"\n" for line in lines)
                if data:
                    return data

        return Over(process, stdout=Over(process.stdout, receive=receive))

    return _piped(host, args, wrap)


def _leaves(host: Any, args: Mapping[str, Any]) -> Any:
    def nothing(*given: Any) -> None:
        return None

    def lock(name: str) -> Any:
        lease = host.try_lock(name)
        return None if lease is None else Over(lease, release=nothing)

    members: dict[str, dict[str, Any]] = {
        "folders": {"remove_folder": nothing},
        "locks": {"try_lock": lock},
        "processes": {"signal": nothing},
    }
    return Over(host, **members[args["what"]])


def _shares_locks(host: Any, args: Mapping[str, Any]) -> Any:
    def lock(name: str) -> Any:
        return host.try_lock(name) or Over(None, release=lambda: None)

    return Over(host, try_lock=lock)


def _writes_down(host: Any, args: Mapping[str, Any]) -> Any:
    """The line that goes into a private file, with `from` replaced; without `from`, `to` stands before its end."""

    def append(name: str, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        old = args.get("from")
        text = text[:-1] + args["to"] + "\n" if old is None else text.replace(old, args["to"])
        if text:
            host.append_private(name, text.encode())

    return Over(host, append_private=append)


def _misses_processes(host: Any, args: Mapping[str, Any]) -> Any:
    return Over(host, tree=lambda pid: ())


_TOOL = {"tool": (str, False, "only this tool; all where absent")}
_PROGRAM = {"program": (str, True, "of this program")}

KINDS: Mapping[str, Kind] = {
    "answers": Kind(
        "its replies say something else",
        {**_TOOL, "outcome": (str, False, "this outcome"), "code": (object, False, "this code, null for none"),
         "is_error": (bool, False, "this flag"), "structured": (object, False, "this structured content"),
         "content": (list, False, "these blocks"),
         "evidence": (dict, False, "these members over its evidence; `dropped` takes one away")},
        stack=_answers,
    ),
    "calls_twice": Kind("it does what it is asked twice", _TOOL, stack=_calls_twice),
    "takes_long": Kind("it waits first", {**_TOOL, "ms": (int, True, "so long")}, stack=_takes_long),
    "goes_on": Kind("it heeds no cancellation", _TOOL, stack=_goes_on),
    "answers_itself": Kind(
        "it answers questions without asking",
        {**_TOOL, "action": (str, True, "with this action"), "content": (object, False, "this content"),
         "meta": (object, False, "this metadata")},
        stack=_answers_itself,
    ),
    "asks_otherwise": Kind(
        "it changes questions, or answers, on their way",
        {**_TOOL, "params": (dict, False, "members put over the question's params"),
         "action": (str, False, "this action in place of the answer's"), "content": (object, False, "this content"),
         "meta": (object, False, "this metadata"), "modes": (list, False, "kinds that it takes the client to have")},
        stack=_asks_otherwise,
    ),
    "acts_otherwise": Kind(
        "it calls with other arguments", {**_TOOL, "arguments": (dict, True, "put over the call's")},
        stack=_acts_otherwise,
    ),
    "lists_otherwise": Kind(
        "it lists other tools",
        {**_TOOL, "description": (str, False, "with this description"), "without": (list, False, "without these")},
        stack=_lists_otherwise,
    ),
    "reports_otherwise": Kind(
        "its status says something else", {"status": (dict, True, "members put over its status")},
        stack=_reports_otherwise,
    ),
    "is_not_told": Kind("it heeds no such event", {"event": (str, True, "this event")}, stack=_is_not_told),
    "is_told_otherwise": Kind(
        "it takes an event for another",
        {"event": (str, True, "this event"), "data": (dict, True, "put over the event's data")},
        stack=_is_told_otherwise,
    ),
    "starts_otherwise": Kind(
        "it starts a program in another way",
        {**_PROGRAM, "from": (str, False, "this text of its arguments"), "to": (str, False, "becomes this"),
         "env": (dict, False, "with these variables besides"), "cwd": (str, False, "in this folder")},
        host=_starts_otherwise,
    ),
    "writes_otherwise": Kind(
        "it writes something else",
        {**_PROGRAM, "from": (str, True, "this text"), "to": (str, True, "becomes this")}, host=_writes_otherwise,
    ),
    "reads_otherwise": Kind(
        "it misreads, or overlooks, what a program says",
        {**_PROGRAM, "from": (str, True, "lines with this text"),
         "to": (str, False, "are read with this in its place; not at all where absent")},
        host=_reads_otherwise,
    ),
    "leaves": Kind(
        "it leaves something behind", {"what": (str, True, "folders, locks or processes")}, host=_leaves,
    ),
    "shares_locks": Kind("it goes on without a lock that another has", {}, host=_shares_locks),
    "writes_down": Kind(
        "it writes other records",
        {"to": (str, True, "this text"), "from": (str, False, "in place of this; before the line's end where absent")},
        host=_writes_down,
    ),
    "misses_processes": Kind("it sees no process", {}, host=_misses_processes),
    "reads_hastily": Kind(
        "what a fake started takes one read for whole", {"what": (str, True, " or ".join(WAYS))}, input=reads_hastily,
    ),
}  # fmt: skip
"""Name -> kind. The names are what a scenario's `teeth` have as `broken`."""
WHATS = {"leaves": ("folders", "locks", "processes"), "reads_hastily": WAYS}


def fault_in(entry: Mapping[str, Any]) -> tuple[str, str] | None:
    """(seen, expected) for the first thing wrong with `{broken: KIND, with: {…}}`, or None."""
    name, given = entry.get("broken"), entry.get("with", {})
    if name not in KINDS:
        return f"broken = {name!r}", f"one of {', '.join(KINDS)}"
    args = KINDS[str(name)].args
    for key in given:
        if key not in args:
            return f"{key!r} of {name}", f"one of {', '.join(args) or 'no argument'}"
    for key, (kind, required, meaning) in args.items():
        if required and key not in given:
            return f"{name} without {key!r}", f"{key}: {meaning}"
        if key in given and (not isinstance(given[key], kind) or (kind is int and isinstance(given[key], bool))):
            return f"{key} of {name} that is no {kind.__name__}", meaning
    if name in WHATS and given["what"] not in WHATS[name]:
        return f"what = {given['what']!r}", args["what"][2]
    return None


def name_of(entry: Mapping[str, Any]) -> str:
    """A broken stack as evidence names it: its kind and arguments, in short."""
    words = [str(entry["broken"]), *(f"{key}={value!r}" for key, value in entry.get("with", {}).items())]
    return " ".join(words)[:120]


def break_host(host: Any, entry: Mapping[str, Any] | None) -> Any:
    """The host as a broken stack uses it. Raises UsageProblem for an entry that is none."""
    return _put("host", host, entry)


def break_stack(stack: Any, entry: Mapping[str, Any] | None) -> Any:
    """The stack, broken. Raises UsageProblem for an entry that is none."""
    return _put("stack", stack, entry)


def break_input(stream: Any, entry: Mapping[str, Any] | None) -> Any:
    """The input of a part of the stack that a fake starts. Raises UsageProblem for an entry that is none."""
    return _put("input", stream, entry)


def _put(port: str, under: Any, entry: Mapping[str, Any] | None) -> Any:
    wrap = None if entry is None else getattr(_kind(entry), port)
    return under if wrap is None or entry is None else wrap(under, entry.get("with", {}))


def _kind(entry: Mapping[str, Any]) -> Kind:
    fault = fault_in(entry)
    if fault is not None:
        raise UsageProblem(*fault, "see docs/scenarios.md")
    return KINDS[entry["broken"]]
