"""What `do JavaScript` gives back: page programs answered by the model, and the losses on the way to the script.

A text is `(PROGRAM\\n)(ARGUMENT)`, the program known by its hash. Anything else is a program that the model cannot run:
a few plain expressions apart it answers an error and a line `violation`, never a made-up value. A real engine runs
every text. Source of the losses: trailcam facts: JXA, section 1.4.
"""

from __future__ import annotations

from fakes.worlds import page_jxa
from fakes.worlds.programs import recognise
from fakes.worlds.safari_dictionary import AppleEventError
from harness.wire.jsontext import JsonTextError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from fakes.worlds.safari_windows import Tab
    from harness.wire.jsontext import Json

BETWEEN = "\n)("
LOST = None
"""What a script gets for a value that does not come across: missing value."""


class Call:
    """One text that was sent: the name of its program, its argument, and whether it may change the page."""

    __slots__ = ("name", "argument", "op", "changing")

    def __init__(self, name: str | None, argument: Json, op: str | None, changing: bool) -> None:
        self.name = name
        self.argument = argument
        self.op = op
        self.changing = changing


PROGRAMS: Mapping[str, Any] = {"jxa_page": page_jxa}
"""Name in programs.json -> module with `answer(world, show, p, tab, argument)` and `CHANGING`, its ops that may act."""
EXPRESSIONS: Mapping[str, Callable[[Tab], Json]] = {
    "document.title": lambda tab: tab.document.page.title,
    "document.URL": lambda tab: tab.document.url,
    "location.href": lambda tab: tab.document.url,
    "document.readyState": lambda tab: tab.document.ready,
    "document.body.innerText": lambda tab: tab.document.page.text(),
    "document.hasFocus()": lambda tab: True,
    "window.scrollY": lambda tab: tab.document.page.scroll[1],
    "undefined": lambda tab: None,
}
"""Texts that are no page program, and that the model answers; their last semicolon aside."""


def read_call(text: Json) -> Call:
    """What a text is, as far as the model knows it."""
    if isinstance(text, str) and text.startswith("(") and text.endswith(")"):
        place = text.rfind(BETWEEN)
        name = recognise(text[1:place]) if place > 0 else None
        if name is not None and name in PROGRAMS:
            try:
                argument = loads(text[place + len(BETWEEN) : -1])
            except JsonTextError:
                return Call(name, None, None, True)
            op = argument.get("op") if isinstance(argument, dict) else None
            return Call(name, argument, op if isinstance(op, str) else None, op in PROGRAMS[name].CHANGING)
    plain = isinstance(text, str) and text.strip().rstrip(";") in EXPRESSIONS
    return Call(None, None, None, not plain)


def on_the_model(world: Any, show: Callable[[int, str, Json], None], p: int, tab: Tab, text: str) -> Json:
    """The value of a text in the model's page. Raises AppleEventError for what the model cannot run."""
    call = read_call(text)
    if call.name is not None and call.argument is not None:
        value: Json = PROGRAMS[call.name].answer(world, show, p, tab, call.argument)
        return value
    plain = text.strip().rstrip(";")
    if plain not in EXPRESSIONS:
        world.note("violation", p=p, why="a text that is no known page program", begins=text[:80])
        raise AppleEventError(-10000)
    return EXPRESSIONS[plain](tab)


def evaluate(world: Any, show: Callable[[int, str, Json], None], p: int, tab: Tab, text: str) -> Json:
    """The value of a text in a tab's page: of the model, or of the real engine where the world has one."""
    if world.blocking:
        from fakes.worlds.safari_witness import run

        return run(world, show, p, tab, text)
    return on_the_model(world, show, p, tab, text)


def across(value: Json, booleans: str) -> Json:
    """What the script gets of a page's value. booleans: `lost` as on macOS 12.0, else `kept`."""
    return LOST if isinstance(value, bool) and booleans == "lost" else value
