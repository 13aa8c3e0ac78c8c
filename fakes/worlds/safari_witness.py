"""`do JavaScript` on a real engine: the text really runs, and what the page saw becomes the world record.

Separate from the model's answers: here nothing is known of a program but what it did. Effects are told by listeners in
the page (page_witness.js), nodes by the names that the world's pages carry, never by what the program says of itself;
only which number the program gave to which element is read from where it keeps that.
"""

from __future__ import annotations

from fakes.worlds.page_jxa import KEY, prefix
from fakes.worlds.page_programs import ScriptError
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fakes.worlds.safari_windows import Tab
    from harness.wire.jsontext import Json

PATH = __file__.rpartition("/")[0] + "/page_witness.js"
LOST = ("undefined", "null", "promise", "thrown", "function", "symbol", "bigint")
"""Kinds of values that come back as missing value."""


def run(world: Any, show: Callable[[int, str, Json], None], p: int, tab: Tab, text: str) -> Json:
    """The value of a text in the page of a tab, and the lines of the record for what it did."""
    with open(PATH, encoding="utf-8") as file:
        witness = file.read()
    document = tab.document
    try:
        told: Any = world.evaluate(document, f"return (\n{witness})({dumps(text)}, {dumps(KEY)})")
    except ScriptError:
        return None  # a dialog that the page opened, or a document that went: nothing comes back

    def named(name: str | None) -> dict[str, Json]:
        node: dict[str, Json] = {} if name is None else {"document": document.key, "node": name}
        return {**world.target(tab), **node}

    for verb, name, value in deeds(told["seen"]):
        world.effect(p, verb, named(name), value)
    if told["scrolled"]:
        world.effect(p, "scroll", world.target(tab), [0, told["scrolled"]])
    for number, name in told["nodes"].items():  # what was done may have brought some of them
        show(p, f"{prefix(tab)}/{number}", named(name))
    show(p, f"{prefix(tab)}/page", world.target(tab))
    return None if told["kind"] in LOST else told["value"]


def deeds(seen: list[dict[str, Any]]) -> list[tuple[str, str, Json]]:
    """What was done, out of the events that a page saw: (verb, name of the node, value).

    A click on a label is followed by one on its control, and that by its `change`: they are one deed. A fill is the
    last `input` of a field, and a select the last `change` of one.
    """
    found: list[tuple[str, str, Json]] = []
    for event in seen:
        toggled = event["inputType"] in ("checkbox", "radio")
        if event["type"] == "click":
            if not any(verb == "click" for verb, _, _ in found):
                found.append(("click", event["node"], None))
        elif event["tag"] == "select":
            if event["type"] == "change":
                found.append(("select", event["node"], event["value"]))
        elif event["type"] == "input" and not toggled:
            found.append(("fill", event["node"], event["value"]))
    return found
