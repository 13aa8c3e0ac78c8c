"""One call: from the arguments to the reply, with what is known about its effect at every point.

The outcome is decided in one place. Nothing dispatched: refused. A reply: what the reply says. Dispatched and no
reply: unknown.
"""

from __future__ import annotations

from collections.abc import Mapping

import anyio

from stack.computer_use import applications, audit, keys
from stack.computer_use.elicitation import announces_openai_forms
from stack.computer_use.evidence import Evidence
from stack.computer_use.official import failed_result_text, official_error
from stack.computer_use.pinned import PinnedTool
from stack.computer_use.pool import Pool
from stack.computer_use.protocol import Refused, Replied
from stack.computer_use.sequence import Deadline, Sequence
from stack.computer_use.session import MODEL_ACTIVITY
from stack.computer_use.settings import Settings
from stack.contract import Caller, Content, Host, Json, Outcome, Reply
from stack.errors import CallError, DeadlineError, Official, ProtocolError, SetupError, StackError


class Call:
    """One call in flight."""

    def __init__(
        self, host: Host, settings: Settings, pool: Pool, tool: str, arguments: Mapping[str, Json], caller: Caller
    ) -> None:
        self._host = host
        self._settings = settings
        self._pool = pool
        self._tool = tool
        self._arguments = arguments
        self._caller = caller
        self._evidence = Evidence(anyio.current_time())
        self._turn: anyio.Lock | None = None
        self._sequence: Sequence | None = None
        self._before = (0, 0, 0)
        self._error: StackError | None = None
        self._replied = False
        self._outcome: Outcome = "refused"
        self._content: tuple[Content, ...] = ()
        self._structured: Json = None
        self._meta: Json = None
        self._is_error = False

    # Running

    async def run(self) -> None:
        """Everything up to the reply. Fails only by being cancelled; every other end is kept for `finish`."""
        try:
            await self._run()
        except StackError as error:
            self._failed(error)

    async def _run(self) -> None:
        row = self._settings.inventory.get(self._tool)
        if row is None:
            raise CallError("unknown_tool", f"no tool is called {self._tool[:80]!r}")
        arguments = self._prepared(row)
        app = self._evidence.app
        until = self._evidence.began + self._settings.deadlines.lock / 1000
        if app is not None:
            self._turn = await self._pool.take_turn(app, until)
        sequence, is_new = await self._get_sequence(app)
        self._use(sequence)
        if is_new:
            await sequence.take(until)
        deadline = Deadline(self._settings.deadlines.reply)
        with deadline.scope:
            await (sequence.begin() if is_new else sequence.check())
            self._take(await sequence.call(self._tool, arguments, self._caller, deadline), row)
        if deadline.scope.cancelled_caught:
            raise DeadlineError("call_timeout", f"no answer to {self._tool} within {deadline.limit_ms} ms")

    def _prepared(self, row: PinnedTool) -> dict[str, Json]:
        """The arguments as they are dispatched: the target resolved, the key in its official form."""
        prepared = dict(self._arguments)
        if not row.targeted:
            return prepared
        target = prepared.get("app")
        if not isinstance(target, str) or not target.strip():
            raise CallError("invalid_arguments", f"{self._tool} without the text argument 'app'")
        prepared["app"] = self._evidence.app = applications.resolve(self._host, target)
        key = prepared.get("key")
        if self._tool == "press_key" and isinstance(key, str):
            prepared["key"] = keys.normalise(key)
        return prepared

    async def _get_sequence(self, app: str | None) -> tuple[Sequence, bool]:
        openai_forms = announces_openai_forms(self._caller)
        found = self._pool.get(app, openai_forms=openai_forms)
        if found is None:
            return await self._pool.make(app, openai_forms=openai_forms), True
        if found.session.violation is not None:
            self._use(found)
            raise found.session.violation  # it came between two calls; the next call begins afresh
        if not found.usable:
            return await self._pool.make(app, openai_forms=openai_forms), True
        return found, False

    def _use(self, sequence: Sequence) -> None:
        """From here on the call answers for this sequence; what it had counted before is not the call's."""
        session = sequence.session
        self._sequence = sequence
        self._before = (session.dispatched, session.conversation.turns, session.conversation.asked)

    def _take(self, event: Replied | Refused, row: PinnedTool) -> None:
        """The reply to the tool call."""
        if isinstance(event, Refused):
            raise official_error(event.official, reads=row.reads)
        result = event.result
        content = result.get("content") if isinstance(result, dict) else None
        if not isinstance(result, dict) or not isinstance(content, list):
            raise ProtocolError("invalid_result", "a result without a list of content", outcome="unknown")
        blocks = [block for block in content if isinstance(block, dict)]
        if len(blocks) != len(content) or not isinstance(result.get("isError", False), bool):
            raise ProtocolError("invalid_result", "a result of another form", outcome="unknown")
        self._replied, self._outcome = True, "done"
        self._content = tuple(Content(block) for block in blocks)
        self._structured, self._meta = result.get("structuredContent"), result.get("_meta")
        self._is_error = result.get("isError") is True
        if self._is_error:
            error = official_error(Official(None, failed_result_text(blocks)), reads=row.reads)
            self._outcome = error.outcome
            self._note(error)

    # The end

    def taken_back(self) -> None:
        """The call was cancelled. A reply that had come stays the reply."""
        if not self._replied and self._error is None:
            self._failed(CallError("cancelled", f"{self._tool[:80]} was taken back by its caller"))

    def _failed(self, error: StackError) -> None:
        self._note(error)
        dispatched = self._sequence is not None and self._sequence.session.dispatched > self._before[0]
        told = error.outcome if error.official is not None else "unknown"
        self._outcome = told if dispatched else "refused"

    def _note(self, error: StackError) -> None:
        self._error = error
        self._evidence.official = error.official

    async def finish(self) -> Reply:
        """Find out what is still to be known, clean up where the sequence ends here, write the audit, and answer.
        Not to be cancelled, and bounded in time."""
        try:
            if self._sequence is not None:
                await self._settle(self._sequence)
        finally:
            if self._turn is not None:
                self._turn.release()
        shown = self._evidence.shown(anyio.current_time())
        try:
            audit.append(self._host, self._record(shown))
        except SetupError as error:
            if self._error is None:
                self._note(error)
        return self._reply(shown)

    async def _settle(self, sequence: Sequence) -> None:
        session, evidence = sequence.session, self._evidence
        if session.dispatched > self._before[0]:
            evidence.background_preserved = await sequence.focus()
        if session.violation is not None and self.succeeded:
            self._note(session.violation)  # it came right after the reply
        sequence.used = anyio.current_time()
        if not self.succeeded or sequence.app is None or not sequence.usable:
            await self._pool.end(sequence)
            evidence.cleanup_verified, evidence.problems = not sequence.problems, sequence.problems
            if session.fault is not None and session.fault.code == MODEL_ACTIVITY:
                self._note(session.fault)
            elif sequence.problems and self._error is None:
                self._note(SetupError("cleanup_unverified", "; ".join(sequence.problems)))
        evidence.lease_released = sequence.lease_released
        evidence.direct_calls = session.dispatched - self._before[0]
        evidence.model_turns = session.conversation.turns - self._before[1]
        evidence.elicitations = session.conversation.asked - self._before[2]
        evidence.broker_version, evidence.client_build = session.broker_version, session.client_build
        evidence.ephemeral = session.ephemeral

    def _record(self, shown: Mapping[str, Json]) -> bytes:
        return audit.record(
            "call",
            self._host.date().isoformat(),
            shown,
            tool=self._tool,
            outcome=self._outcome,
            code=self._error.code if self._error else None,
            tools=self._settings.inventory,
        )

    def _reply(self, shown: Mapping[str, Json]) -> Reply:
        error, content = self._error, self._content
        if error is not None and not self._replied:
            content = (Content({"type": "text", "text": str(error)}),)
        return Reply(
            outcome=self._outcome,
            code=error.code if error else None,
            content=content,
            structured=self._structured,
            is_error=self._is_error or error is not None,
            meta=self._meta,
            evidence=shown,
        )

    @property
    def succeeded(self) -> bool:
        """Whether the tool did what it says, as far as is known now."""
        return self._replied and self._error is None
