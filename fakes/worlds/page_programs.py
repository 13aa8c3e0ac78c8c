"""JavaScript for a page, on the model: page programs by their hash, a few fixed texts, and an error for all else.

The model has no engine. What it does not recognise it says so, and never makes a value up: `unknown program` is a
defect of the run, which a scenario on an engine does not have.
"""

from __future__ import annotations

from fakes.worlds.page_safari_mcp import ANSWERS
from fakes.worlds.page_select import SelectorError
from fakes.worlds.programs import recognise
from harness.wire.jsontext import JsonTextError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.worlds.safari import Safari
    from fakes.worlds.safari_windows import Document
    from harness.wire.jsontext import Json

BEGIN = "return ("
BETWEEN = "\n)("
"""What stands before the argument of a program that keeps a state in its page; the others end at the first `)(`."""


class ScriptError(Exception):
    """The script threw, or the model can't run it. text: what a driver says of it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


FIXED: dict[str, Callable[[Document], Json]] = {
    "1+1": lambda document: None,
    "return document.title": lambda document: document.page.title,
    "return document.title;": lambda document: document.page.title,
    "return document.readyState": lambda document: document.ready,
    "return document.readyState;": lambda document: document.ready,
    "return location.href": lambda document: document.url,
    "return location.href;": lambda document: document.url,
    "return document.body.innerText": lambda document: document.page.text(),
    "return document.body.innerText;": lambda document: document.page.text(),
    "return matchMedia('print').matches": lambda document: document.tab.media == "print",
}
"""Function body -> its value, for the texts that nearly every client tries first. The first one has no `return`, so it
is no value (trailcam facts on Safari MCP, 1.3)."""


def evaluate(world: Safari, document: Document, script: str) -> Json:
    """The value of a function body. Raises ScriptError."""
    known = FIXED.get(script.strip())
    if known is not None:
        return known(document)
    program, argument = parts(script)
    name = recognise(program)
    if name not in ANSWERS:
        raise ScriptError("this model runs no JavaScript, and knows no page program with that text")
    try:
        value = loads(argument)
    except JsonTextError as problem:
        raise ScriptError(f"SyntaxError: {problem}") from None
    try:
        return ANSWERS[name](world, document, value)
    except SelectorError as problem:
        raise ScriptError(str(problem)) from None


def stateful(script: str) -> str | None:
    """`(PROGRAM\\n)(JSON)` out of a body that returns the value of a program which keeps a state in its page; None for
    any other body."""
    script = script.strip().removesuffix(";")
    return script.removeprefix("return ") if script.startswith(BEGIN) and BETWEEN in script else None


def parts(script: str) -> tuple[str, str]:
    """(PROGRAM, JSON) of `return (PROGRAM)(JSON)`; two empty texts for anything else. No program has `)(` in it."""
    script = script.strip().removesuffix(";")
    program, found, argument = script.removeprefix(BEGIN).partition(")(")
    if not found or not script.startswith(BEGIN) or not argument.endswith(")"):
        return "", ""
    return program, argument[:-1]
