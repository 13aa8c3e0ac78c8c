"""The steps of one run sheet, played on a stack that is opened for them: what a history has comes from here.

Separate from the runner, which makes the stage and the host of a mode. A stack that raises where it should answer, or
that hangs, is a line of the history like any other: judging is for the laws.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext
from typing import Any

import trio

from harness.problem import UsageProblem
from harness.scenario.broken import break_host, break_stack
from harness.scenario.failing import failing
from harness.scenario.history import History, ScriptedCaller, describe, described_tool
from harness.serve.dotted import resolve
from harness.serve.stage import Stage
from harness.subjects import Subject

RUN_LIMIT_MS = 3_600_000
"""A virtual run that is not over after an hour of its own time hangs."""
WROTE_LIMIT = 65_536
"""Characters of one file of the stack that a history keeps."""
DEFECTS = (
    ArithmeticError, AssertionError, AttributeError, ExceptionGroup, LookupError, NameError, OSError, RuntimeError,
    TypeError, ValueError,
)  # fmt: skip
"""What code raises that did not mean to. Errors of the harness itself are not among them."""
FIRST = ""
"""Name of the stack that every run opens."""


class Watched:
    """A host that notes what each program is started with, as the stack asks for it, and passes everything on.

    look: the names in a folder of the stack's state, None for any other path.
    """

    def __init__(self, host: Any, history: History, look: Callable[[str], list[str] | None]) -> None:
        self._host = host
        self._history = history
        self._look = look

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    async def start(self, program: str, args: Sequence[str], *, env: Mapping[str, str], cwd: str) -> Any:
        paths = dict.fromkeys((cwd, *(value for value in env.values() if value.startswith("/"))))
        looked = [(path, self._look(path)) for path in paths]
        folders = [{"path": path, "names": names} for path, names in looked if names is not None]
        self._history.note("launched", program=str(program), env=dict(env), cwd=cwd, folders=folders)
        return await self._host.start(program, args, env=env, cwd=cwd)


class Play:
    """See the module. new_host: (host of one stack, look into its state) for a name; FIRST is the stack of the run.
    around: entered before the first stack is opened, and left after all were closed."""

    def __init__(
        self,
        sheet: Mapping[str, Any],
        system: Subject,
        stage: Stage,
        new_host: Callable[[str], tuple[Any, Callable[[str], list[str] | None]]],
        around: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> None:
        self.sheet = sheet
        self.stage = stage
        self.history = History(stage.stamp, whole=bool(sheet.get("canaries")))
        self._system = system
        self._new_host = new_host
        self._around = around
        self._calls = 0
        self._answers: list[Any] = []
        self._modes: list[str] = list(sheet.get("modes", ()))
        self._failed = resolve(system.ask_failed)
        self._error: type[Exception] = resolve(system.error)
        self._scopes: dict[str, trio.CancelScope] = {}
        self._named: dict[str, int] = {}
        self._ends: dict[str, trio.Event] = {}
        self._stacks: dict[str, Any] = {}
        self._closing: dict[str, AsyncExitStack] = {}
        self._everything = trio.CancelScope()

    async def run(self, limit_ms: float, grace_ms: float) -> None:
        """Open, play, close, and wait until every program has ended, at most `grace_ms`. limit_ms: a run that is not
        over by then hangs, which the history says."""
        with trio.move_on_after(limit_ms / 1000) as limit:
            async with self._around():
                with self._everything:
                    await self._play()
        if limit.cancel_called:
            self.history.note("told", event="run_limit", data={"ms": limit_ms})
        with trio.move_on_after(grace_ms / 1000):
            while self.stage.living():
                over = trio.Event()
                self.stage.changed = over.set
                await over.wait()

    async def _play(self) -> None:
        async with AsyncExitStack() as stacks:
            await self._open(FIRST, stacks)
            async with trio.open_nursery() as nursery:
                try:
                    for step in self.sheet["steps"]:
                        await self._step(step, nursery)
                    for end in self._ends.values():
                        await end.wait()
                finally:
                    for name in reversed([name for name in self._closing if name != FIRST]):
                        await self._close(name)  # opened inside the nursery, so it has to end inside
            await self._close(FIRST)

    def left(
        self, files: list[str], locks: list[str], processes: Sequence[str] = (), sockets: Sequence[str] = ()
    ) -> None:
        """Note what is still there after the end; a process of the stage counts where the system shows none of it."""
        processes = sorted({*processes, *(session.program for session in self.stage.living())})
        self.history.note("left", processes=processes, files=files, sockets=list(sockets), locks=locks)

    def wrote(self, files: Mapping[str, bytes], modes: Mapping[str, str]) -> None:
        """Note what the stack wrote into those of its files that its subject names. modes: who may read a file, where
        there is a real one."""
        for name, place in self._system.writes.items():
            for path in sorted(path for path in files if path.rpartition("/")[2] == name):
                text = files[path].decode("utf-8", "replace")[:WROTE_LIMIT]
                mode = {"mode": modes[path]} if path in modes else {}
                self.history.note("wrote", place=place, text=text, file=path, **mode)

    # Stacks

    async def _open(self, name: str, stacks: AsyncExitStack) -> None:
        host, look = self._new_host(name)
        broken = self.sheet.get("broken")
        host = failing(Watched(host, self.history, look), self.sheet.get("host") or (), self.history)
        host = break_host(host, broken)
        try:
            settings = resolve(self._system.settings)(self.sheet.get("settings") or {})
        except ValueError as error:
            seen = f"settings that the stack refuses: {error}"
            raise UsageProblem(seen, "what its settings are", "correct the scenario") from None
        closing = await stacks.enter_async_context(AsyncExitStack())
        if name:
            self.history.note("opened", stack=name)
        stack = await closing.enter_async_context(resolve(self._system.stack)(host, settings))
        self._stacks[name] = break_stack(stack, broken)
        self._closing[name] = closing

    async def _close(self, name: str) -> None:
        if name:
            self.history.note("closed", stack=name)
        await self._closing.pop(name).aclose()

    # Steps

    async def _step(self, step: Mapping[str, Any], nursery: trio.Nursery) -> None:
        match step:
            case {"call": _}:
                await self._begin_call(step, nursery)
            case {"tell": event}:
                self.history.note("told", event=event, data=step.get("data"))
                try:
                    await self._stacks[FIRST].tell(event, step.get("data"))
                except self._error as error:
                    self.history.note("unheeded", event=event, code=getattr(error, "code", None))
            case {"answer": answer}:
                self._answers.append(answer)
            case {"change": change}:
                self._change(change)
            case {"cancel": name}:
                self.history.note("cancelled", call=self._named[name])
                self._scopes[name].cancel()
            case {"await": name}:
                await self._ends[name].wait()
            case {"look": what}:
                await self._look(what)
            case {"open": name}:
                stacks = self._closing[FIRST]
                await self._open(name, stacks)
            case {"close": name}:
                await self._close(name)
            case {"interrupt": _}:
                self.history.note("told", event="interrupt", data=None)
                for name, end in self._ends.items():
                    if not end.is_set():
                        self.history.note("cancelled", call=self._named[name])
                self._everything.cancel()
            case {"wait_ms": ms}:
                await trio.sleep(ms / 1000)
            case _:
                seen = f"the step {dict(step)!r:.80}"
                raise UsageProblem(seen, "a step of docs/scenarios.md", "compile the scenario")

    def _change(self, change: Mapping[str, Any]) -> None:
        try:
            self.stage.world.change("user", **change)
        except ValueError as error:
            seen = f"a change that the world refuses: {error}"
            raise UsageProblem(seen, "one of the world's", "correct the scenario") from None

    async def _look(self, what: str) -> None:
        stack = self._stacks[FIRST]
        if what == "status":
            self.history.note("reported", status=dict(await stack.status()))
            return
        try:
            tools = [described_tool(tool) for tool in await stack.tools()]
        except self._error as error:
            self.history.note("listed", tools=None, error=str(error))
        else:
            self.history.note("listed", tools=tools)

    async def _begin_call(self, step: Mapping[str, Any], nursery: trio.Nursery) -> None:
        call = self._calls
        self._calls += 1
        name, scope, over = step.get("as"), trio.CancelScope(), trio.Event()
        if name is not None:
            self._scopes[name], self._ends[name], self._named[name] = scope, over, call
        on = {"stack": step["on"]} if "on" in step else {}
        self.history.note(
            "asked",
            call=call,
            tool=step["call"]["tool"],
            arguments=step["call"].get("arguments") or {},
            means=step.get("means"),
            deadline_ms=(self.sheet.get("bounds") or {}).get("call_ms"),
            **on,
        )
        if step.get("background"):
            await nursery.start(self._call, call, step, scope, over)
        else:
            await self._call(call, step, scope, over)

    async def _call(
        self,
        call: int,
        step: Mapping[str, Any],
        scope: trio.CancelScope,
        over: trio.Event,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        stack = self._stacks[step.get("on", FIRST)]
        told_ms = self.sheet.get("told_ms", 0)
        caller = ScriptedCaller(call, self.history, self._answers, self._modes, self._failed, told_ms)
        task_status.started()
        with scope:
            try:
                reply = await stack.call(step["call"]["tool"], step["call"].get("arguments") or {}, caller)
            except (self._error, *DEFECTS) as error:  # for the laws: a call that raises was never answered
                self.history.note("raised", call=call, error=f"{type(error).__name__}: {error}")
            else:
                self.history.note("answered", call=call, **describe(reply, self.history.whole))
        over.set()
