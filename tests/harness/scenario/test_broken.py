"""Broken stacks: each does its one thing worse and nothing else, and what is no broken stack is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
import trio

from harness.problem import UsageProblem
from harness.scenario.broken import KINDS, Block, break_host, break_stack, fault_in, name_of
from harness.serve.scheduler import run_virtual


@dataclass(frozen=True)
class Reply:
    outcome: str = "done"
    code: str | None = None
    content: tuple[Any, ...] = ()
    structured: Any = None
    is_error: bool = False
    evidence: dict[str, Any] = field(default_factory=lambda: {"directCalls": 1, "turns": 0})


@dataclass(frozen=True)
class Tool:
    name: str
    description: str = "as it is"


@dataclass(frozen=True)
class Question:
    params: dict[str, Any]


@dataclass(frozen=True)
class Answer:
    action: str = "accept"
    content: Any = None
    meta: Any = None


class Stack:
    """Notes what reaches it."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.told: list[str] = []

    async def call(self, tool: str, arguments: Any, caller: Any) -> Reply:
        self.calls.append((tool, arguments))
        if tool == "ask":
            answer = await caller.ask(Question({"message": "Go on?", "mode": "form"}))
            return Reply(structured=[answer.action, answer.content, answer.meta, sorted(caller.modes)])
        await trio.sleep(0.01)
        return Reply()

    async def tools(self) -> list[Tool]:
        return [Tool("a"), Tool("b")]

    async def status(self) -> dict[str, Any]:
        return {"policy": "one", "model": False}

    async def tell(self, event: str, data: Any) -> None:
        self.told.append(event)


class Caller:
    modes = frozenset({"form"})

    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def ask(self, question: Any) -> Answer:
        self.asked.append(question.params)
        return Answer(content={"choice": "allow"}, meta={"persist": "session"})


Seen = tuple[Reply, Stack, Caller, float]


def after(entry: dict[str, Any], tool: str = "a", cancel_after: float | None = None) -> Seen:
    """(reply, what the stack saw, what the caller was asked, seconds) of one call through a broken stack."""
    stack, caller = Stack(), Caller()
    broken = break_stack(stack, entry)

    async def main() -> tuple[Any, Stack, Caller, float]:
        begin = trio.current_time()
        reply = None
        with trio.move_on_after(cancel_after if cancel_after is not None else 1000):
            reply = await broken.call(tool, {"x": 1}, caller)
        return reply, stack, caller, trio.current_time() - begin

    return run_virtual(main, 1)


def test_answers_say_something_else() -> None:
    given = {"outcome": "refused", "code": "no", "content": [{"type": "text"}], "is_error": True, "structured": [1],
             "evidence": {"directCalls": 0, "turns": "dropped"}}  # fmt: skip
    reply, stack, _, _ = after({"broken": "answers", "with": given})
    assert reply == Reply("refused", "no", (Block({"type": "text"}),), [1], True, {"directCalls": 0})
    assert stack.calls == [("a", {"x": 1})]
    assert after({"broken": "answers", "with": {"tool": "b", "outcome": "refused"}})[0] == Reply()
    assert after({"broken": "answers", "with": {"tool": "a", "outcome": "refused"}})[0].outcome == "refused"


def test_calls_are_made_twice_late_or_with_other_arguments() -> None:
    assert len(after({"broken": "calls_twice"})[1].calls) == 2
    assert after({"broken": "takes_long", "with": {"ms": 5000}}, cancel_after=1)[3] == pytest.approx(5.0)
    reply, _, _, took = after({"broken": "goes_on"}, cancel_after=0.001)
    assert reply == Reply()
    assert took == pytest.approx(0.01)
    assert after({"broken": "acts_otherwise", "with": {"arguments": {"y": 2}}})[1].calls == [("a", {"x": 1, "y": 2})]


def test_questions_are_answered_without_asking() -> None:
    given = {"action": "decline", "content": 1, "meta": 2}
    reply, _, caller, _ = after({"broken": "answers_itself", "with": given}, "ask")
    assert reply.structured == ["decline", 1, 2, ["form"]]
    assert caller.asked == []


def test_questions_and_answers_are_changed_on_their_way() -> None:
    given = {"params": {"message": "Sure?"}, "meta": None, "modes": ["form", "url"]}
    reply, _, caller, _ = after({"broken": "asks_otherwise", "with": given}, "ask")
    assert caller.asked == [{"message": "Sure?", "mode": "form"}]
    assert reply.structured == ["accept", {"choice": "allow"}, None, ["form", "url"]]
    assert after({"broken": "asks_otherwise", "with": {}}, "ask")[0].structured[2] == {"persist": "session"}


def test_lists_status_and_events() -> None:
    async def main() -> tuple[Any, ...]:
        stack = Stack()
        listed = await break_stack(stack, {"broken": "lists_otherwise", "with": {"without": ["a"]}}).tools()
        described = await break_stack(
            stack, {"broken": "lists_otherwise", "with": {"tool": "b", "description": "x"}}
        ).tools()
        status = await break_stack(stack, {"broken": "reports_otherwise", "with": {"status": {"model": True}}}).status()
        deaf = break_stack(stack, {"broken": "is_not_told", "with": {"event": "cancel"}})
        await deaf.tell("cancel", None)
        await deaf.tell("task_end", None)
        return listed, described, status, stack.told

    listed, described, status, told = run_virtual(main, 1)
    assert listed == [Tool("b")]
    assert described == [Tool("a"), Tool("b", "x")]
    assert status == {"policy": "one", "model": True}
    assert told == ["task_end"]


class Pipe:
    def __init__(self, chunks: list[bytes]) -> None:
        self.chunks = chunks
        self.sent: list[bytes] = []

    async def send(self, data: bytes) -> None:
        self.sent.append(data)

    async def receive(self, max_bytes: int = 65536) -> bytes:
        return self.chunks.pop(0)


class Process:
    pid = 7

    def __init__(self, chunks: list[bytes]) -> None:
        self.stdin = Pipe([])
        self.stdout = Pipe(chunks)


class Lease:
    def __init__(self, host: Host) -> None:
        self._host = host

    def release(self) -> None:
        self._host.locked = False


class Host:
    def __init__(self, chunks: list[bytes] | None = None) -> None:
        self.started: list[Any] = []
        self.process = Process(chunks or [])
        self.removed: list[str] = []
        self.written: list[bytes] = []
        self.signals: list[int] = []
        self.locked = False

    async def start(self, program: str, words: Any, *, env: Any, cwd: str) -> Process:
        self.started.append((program, list(words), dict(env), cwd))
        return self.process

    def tree(self, pid: int) -> tuple[int, ...]:
        return (pid,)

    def signal(self, pid: int, number: int) -> None:
        self.signals.append(number)

    def remove_folder(self, path: str) -> None:
        self.removed.append(path)

    def append_private(self, name: str, line: bytes) -> None:
        self.written.append(line)

    def try_lock(self, name: str) -> Lease | None:
        if self.locked:
            return None
        self.locked = True
        return Lease(self)


def started(host: Host, entry: dict[str, Any], program: str = "codex") -> Any:
    async def main() -> Any:
        return await break_host(host, entry).start(program, ["-c", "a=1"], env={"A": "1"}, cwd="/")

    return run_virtual(main, 1)


def test_programs_are_started_in_another_way() -> None:
    host = Host()
    given = {"program": "codex", "from": "a=1", "to": "a=2", "env": {"B": "2"}, "cwd": "/tmp"}
    started(host, {"broken": "starts_otherwise", "with": given})
    started(host, {"broken": "starts_otherwise", "with": given}, "helper")
    started(host, {"broken": "starts_otherwise", "with": {"program": "codex"}})
    assert host.started == [
        ("codex", ["-c", "a=2"], {"A": "1", "B": "2"}, "/tmp"),
        ("helper", ["-c", "a=1"], {"A": "1"}, "/"),
        ("codex", ["-c", "a=1"], {"A": "1"}, "/"),
    ]


def test_what_is_written_and_read_is_changed() -> None:
    host = Host([b'{"a":1}\n{"tu', b'rn":1}\n', b'{"turn":2}\n', b"end\n"])
    process = started(host, {"broken": "reads_otherwise", "with": {"program": "codex", "from": "turn"}})

    async def read() -> list[bytes]:
        return [await process.stdout.receive(), await process.stdout.receive()]

    assert run_virtual(read, 1) == [b'{"a":1}\n', b"end\n"]
    host = Host([b"a turn\n"])
    process = started(host, {"broken": "reads_otherwise", "with": {"program": "codex", "from": "turn", "to": "rest"}})
    assert run_virtual(process.stdout.receive, 1) == b"a rest\n"
    process = started(host, {"broken": "writes_otherwise", "with": {"program": "codex", "from": "never", "to": "ask"}})

    async def write() -> None:
        await process.stdin.send(b'{"policy":"never"}\n')

    run_virtual(write, 1)
    assert host.process.stdin.sent == [b'{"policy":"ask"}\n']
    assert process.pid == 7


def test_things_are_left_and_locks_are_shared() -> None:
    host = Host()
    break_host(host, {"broken": "leaves", "with": {"what": "folders"}}).remove_folder("/x")
    break_host(host, {"broken": "leaves", "with": {"what": "processes"}}).signal(7, 15)
    assert (host.removed, host.signals) == ([], [])
    lease = break_host(host, {"broken": "leaves", "with": {"what": "locks"}}).try_lock("a")
    lease.release()
    assert host.locked
    assert break_host(host, {"broken": "leaves", "with": {"what": "locks"}}).try_lock("a") is None
    break_host(host, {"broken": "shares_locks"}).try_lock("a").release()
    assert break_host(host, {"broken": "misses_processes"}).tree(7) == ()


def test_records_are_written_otherwise() -> None:
    host = Host()
    break_host(host, {"broken": "writes_down", "with": {"from": "one", "to": "two"}}).append_private("a", b"one\n")
    break_host(host, {"broken": "writes_down", "with": {"to": "!"}}).append_private("a", b"one\n")
    break_host(host, {"broken": "writes_down", "with": {"from": "one\n", "to": ""}}).append_private("a", b"one\n")
    assert host.written == [b"two\n", b"one!\n"]


def test_without_an_entry_nothing_is_broken() -> None:
    host, stack = Host(), Stack()
    assert break_host(host, None) is host
    assert break_stack(stack, None) is stack
    assert break_host(host, {"broken": "calls_twice"}) is host
    assert break_stack(stack, {"broken": "shares_locks"}) is stack


@pytest.mark.parametrize(
    ("entry", "seen"),
    [
        ({"broken": "sulks"}, "broken = 'sulks'"),
        ({}, "broken = None"),
        ({"broken": "calls_twice", "with": {"twice": 1}}, "'twice' of calls_twice"),
        ({"broken": "misses_processes", "with": {"x": 1}}, "'x' of misses_processes"),
        ({"broken": "takes_long", "with": {}}, "takes_long without 'ms'"),
        ({"broken": "takes_long", "with": {"ms": "5"}}, "ms of takes_long that is no int"),
        ({"broken": "takes_long", "with": {"ms": True}}, "ms of takes_long that is no int"),
        ({"broken": "leaves", "with": {"what": "home"}}, "what = 'home'"),
    ],
)
def test_what_is_no_broken_stack_is_refused(entry: dict[str, Any], seen: str) -> None:
    fault = fault_in(entry)
    assert fault is not None
    assert fault[0] == seen
    with pytest.raises(UsageProblem):
        break_host(Host(), entry)


def test_each_kind_is_at_one_port_and_says_what_it_does() -> None:
    for name, kind in KINDS.items():
        assert [kind.host, kind.stack, kind.input].count(None) == 2, name
        assert kind.meaning


def test_a_name_is_short() -> None:
    entry = {"broken": "answers", "with": {"outcome": "refused", "content": ["x" * 500]}}
    assert name_of(entry).startswith("answers outcome='refused' content=")
    assert len(name_of(entry)) == 120
