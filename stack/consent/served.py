"""A served stack asks its user for the task: a Stack around a Stack, with one tool more.

An MCP client tells its server no request of the user's, and nothing that a model writes may become one. So the model
can only have the user asked, in a fixed form through the client, and what the user answers there is the task. Separate
from the driver, which is told of a task by whoever has a user, and from the server, which serves stacks without tasks.

A full grant needs a command at a terminal of the user's own; a served stack has none, and refuses one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import anyio
import anyio.lowlevel

from stack.consent.grants import COMMAND_MARK
from stack.consent.judge import REQUEST_CHARACTERS
from stack.contract import Answer, AskFailed, Caller, Content, Json, Question, Reply, Stack, StackEvent, Tool
from stack.errors import CallError, StackError

FORM: Final = "form"
FIELD: Final = "task"
ASK: Final = Tool(
    "ask_for_task",
    "Ask the user, in a form of the client's, what is to be done now. The answer is the task that each restricted "
    "action is then judged by, until it is asked again or the session ends. Asking ends the task of before. It takes "
    "no arguments: only the user's own words can be a task.",
    {"type": "object", "properties": {}, "additionalProperties": False},
    {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False},
)
MESSAGE: Final = (
    "An assistant wants to act in the browser: to click, type, press keys, or lead a tab elsewhere. What is to be "
    "done? Each of these actions is checked against your words alone. Decline, and none is done."
)
SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {
        FIELD: {
            "type": "string",
            "title": "Your request",
            "description": "In your own words: what to do, with which values, and whether to send, buy or delete",
            "minLength": 1,
            "maxLength": REQUEST_CHARACTERS,
        }
    },
    "required": [FIELD],
}
"""What the form asks for: one text, in the few words of JSON Schema that an elicitation may use."""
QUESTION: Final = Question(FORM, MESSAGE, {"mode": FORM, "message": MESSAGE, "requestedSchema": {**SCHEMA}})
"""Always the same: nothing that a model or a page has written stands in what the user reads."""


def task_of(answer: Answer) -> str:
    """The task in the user's answer. Raises CallError for every answer that is none."""
    if answer.action != "accept":
        raise CallError("consent_no_task", "the user answered the question for a task without one")
    content = answer.content if isinstance(answer.content, dict) else {}
    text = content.get(FIELD)
    if not isinstance(text, str) or set(content) != {FIELD}:
        raise CallError("consent_no_task", f"the client's answer has not the one text {FIELD!r}")
    if not text.strip() or text.lstrip().startswith(COMMAND_MARK):
        raise CallError("consent_no_task", "the user's answer is empty, or a command of the client's")
    if len(text) > REQUEST_CHARACTERS:
        seen = f"the user's request has {len(text)} characters; {REQUEST_CHARACTERS} at most can be judged by"
        raise CallError("consent_too_large", seen)
    return text


class AsksForTask:
    """A Stack with the tool ASK; all else is the inner one's."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._asking: anyio.CancelScope | None = None

    async def tools(self) -> Sequence[Tool]:
        return (*await self._stack.tools(), ASK)

    async def call(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        if tool != ASK.name:
            return await self._stack.call(tool, arguments, caller)
        try:
            task = await self._asked(arguments, caller)
        except StackError as error:
            return _refused(error)
        except anyio.get_cancelled_exc_class():
            return _refused(CallError("cancelled", f"{ASK.name} was taken back by its caller"))
        return Reply("done", content=(Content({"type": "text", "text": f"The user's task: {task}"}),))

    async def _asked(self, arguments: Mapping[str, Json], caller: Caller) -> str:
        """Ask, and begin the task. The one of before has ended by then, whatever comes of the question."""
        if arguments:
            raise CallError("invalid_arguments", f"{ASK.name} with arguments; expected none")
        if self._asking is not None:
            raise CallError("consent_asking", "the user is being asked already")
        if FORM not in caller.modes:
            raise CallError("consent_noninteractive", "a client that can't show its user a form")
        with anyio.CancelScope() as self._asking:
            try:
                await self._stack.tell("task_end", None)
                task = task_of(await caller.ask(QUESTION))
                await anyio.lowlevel.checkpoint_if_cancelled()  # an answer to a question that was taken back is none
                await self._stack.tell("user_input", {"text": task, "source": "fresh", "interactive": True})
                return task
            except AskFailed as error:
                raise CallError("consent_no_task", f"the user could not be asked: {error}") from error
            finally:
                self._asking = None
        raise CallError("consent_retired", "something ended the session or the task while the user was asked")

    async def tell(self, event: StackEvent, data: Json) -> None:
        """Whatever happens takes an open question back: its answer would be one to another situation."""
        if event == "grant":
            raise CallError("consent_noninteractive", "a full grant for a served stack, where no terminal is")
        if self._asking is not None:
            self._asking.cancel()
        await self._stack.tell(event, data)

    async def status(self) -> Mapping[str, Json]:
        return await self._stack.status()


def _refused(error: StackError) -> Reply:
    text = Content({"type": "text", "text": str(error)})
    return Reply("refused", error.code, (text,), is_error=True)
