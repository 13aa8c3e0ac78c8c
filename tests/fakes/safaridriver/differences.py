"""Where the model and real WebKit are otherwise, and why: what the differential test leaves out, one row a difference.

Each is either a thing that no engine does (then the model is Safari's own word, by trailcam facts), or one that a model
without fonts and clock can't have.
"""

from __future__ import annotations

DIFFERENCES: dict[str, str] = {
    "boxes without `at`": "the model has no fonts: only nodes with a place of their own have the same box",
    "times of timers and loads": "an engine has no virtual clock, so what a page does by itself comes at another time",
    "kind of a dialog": "WebDriver does not say it: all are `alert`, and their texts are equal",
    "value of a toggle without one": "scripts see `on`; a tree shows what the page itself says, which is nothing",
    "viewports under 450 pixels": "the engine's window has a smallest width",
    "download": "nothing lands anywhere in the engine, and no line of the record says so",
    "lines of console messages": "the engine counts in the rendered page, the model takes the definition's number",
    "sizes, ids and order of requests": "the engine's own; addresses, methods and statuses are equal",
    "focus at the start of a page": "the engine gives it to the body, the model to nobody",
    "empty lines of innerText": "the engine has margins of blocks, which the model knows for paragraphs only",
    "lines `changed` of a page": "the model notes every change of a node; an engine only shows what has become of it",
}
