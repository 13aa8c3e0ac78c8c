"""What the user has allowed, and what ends it. In memory only, and never made from what a session once said.

Each change of it begins a new generation, and what belongs to an older one is over for good: a later grant does not
bring it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from stack.contract import Json
from stack.errors import CallError


@dataclass(frozen=True, slots=True)
class Ending:
    """What an event ends. task: the current task, with what is being decided; full: the full grant."""

    task: bool
    full: bool


ENDINGS: Final[Mapping[str, Ending]] = {
    "user_input": Ending(task=True, full=False),
    "task_end": Ending(task=True, full=False),
    "grant": Ending(task=True, full=False),
    "revoke": Ending(task=True, full=True),
    "session_start": Ending(task=True, full=True),
    "session_switch": Ending(task=True, full=True),
    "session_fork": Ending(task=True, full=True),
    "session_reload": Ending(task=True, full=True),
    "session_shutdown": Ending(task=True, full=True),
    "cancel": Ending(task=False, full=False),
}
"""Event -> what it ends. An event that is not here ends everything: nobody knows what it means."""
EVERYTHING: Final = Ending(task=True, full=True)
ALLOW: Final = "allow"
COMMAND_MARK: Final = "/"
"""What a line begins with that is a command of the client's, and no request."""


class Grants:
    """task: what the user has asked for, None where nothing; full: whether everything restricted is allowed."""

    def __init__(self) -> None:
        self.generation = 0
        self.task: str | None = None
        self.full = False

    def tell(self, event: str, data: Json) -> None:
        """Something happened. Raises CallError, and changes nothing, for a grant that is none."""
        if event == "grant":
            _check_grant(data)
        ending = ENDINGS.get(event, EVERYTHING)
        if ending.task:
            self.task = None
            self.generation += 1
        if ending.full:
            self.full = False
        if event == "grant":
            self.full = True
        elif event == "user_input":
            self.task = _task(data)


def _check_grant(data: Json) -> None:
    """`{command: "allow", interactive: true}`, from the dedicated command at a terminal, and nothing else."""
    given = data if isinstance(data, dict) else {}
    if given.get("command") != ALLOW:
        raise CallError("consent_usage", f"a grant by {given.get('command')!r:.40}")
    if given.get("interactive") is not True:
        raise CallError("consent_noninteractive", "a full grant from where no user is")


def _task(data: Json) -> str | None:
    """The task in `{text, source: "fresh", interactive: true}`: typed just now by a user, and no command; else None."""
    given = data if isinstance(data, dict) else {}
    text = given.get("text")
    if given.get("source") != "fresh" or given.get("interactive") is not True or not isinstance(text, str):
        return None
    return None if not text.strip() or text.lstrip().startswith(COMMAND_MARK) else text
