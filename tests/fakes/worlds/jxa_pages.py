"""Pages for the page program of stack/safari_jxa, and somebody who runs it in them: on the model, and on an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fakes.worlds import safari_witness
from fakes.worlds.safari import Safari
from fakes.worlds.safari_javascript import on_the_model
from harness.wire.jsontext import dumps, loads
from stack.safari_jxa.scripts import program
from tests.fakes.worlds.recorded import Book

URL = "http://form.test/page?q=1"


def el(tag: str, id: str, text: str = "", /, **more: Any) -> dict[str, Any]:
    """An element; what is no key of an element is an attribute (with `_` for `-`)."""
    keys = ("children", "hidden", "at", "overlay", "on", "value", "shadow", "checked")
    given: dict[str, Any] = {key: value for key, value in more.items() if key in keys}
    attributes = {key.strip("_").replace("_", "-"): value for key, value in more.items() if key not in keys}
    return {"tag": tag, "id": id, "text": text, "attributes": attributes, **given}


def row(n: int, *parts: Any) -> dict[str, Any]:
    """A paragraph at the nth line of the page, so that both worlds lay it out alike."""
    return {"tag": "p", "id": f"row{n}", "at": [20, 60 * n, 600, 40], "children": list(parts)}


FORM = {
    "title": "Form",
    "body": [
        row(0, el("a", "link", "Home", href="/home")),
        row(1, el("label", "l", "Name", for_="name"), el("input", "name", id="name", name="name", maxlength="5")),
        row(2, el("input", "secret", type="password", aria_label="Password"), el("input", "hid", type="hidden")),
        row(3, el("select", "color", aria_label="Color", children=[
            el("option", "red", "Red"), el("option", "blue", "Blue", value_="b"),
            el("option", "no", "None", disabled=True)])),
        row(4, el("input", "box", type="checkbox", aria_label="Box")),
        row(5, el("button", "off", "Off", disabled=True), el("button", "gone", "Gone", hidden="display")),
        row(6, el("button", "go", "Go", type="button", on={"click": [{"set": {"node": "out", "text": "Done"}}]})),
        row(7, el("span", "out", "Waiting")),
        row(8, el("button", "dead", "Dead", type="button")),
        row(9, el("textarea", "note", "Hi", aria_label="Note", readonly=True)),
        el("div", "far", at=[0, 3000, 10, 10]),
        el("button", "below", "Below", at=[20, 2000, 80, 30], type="button"),
    ],
}  # fmt: skip
COVERED = {"title": "Covered", "body": [
    el("button", "under", "Under", type="button", at=[20, 20, 100, 30]),
    el("div", "over", at=[0, 0, 400, 400], overlay=True),
]}  # fmt: skip


def world_of(page: Any, url: str = URL) -> dict[str, Any]:
    origin = "/".join(url.split("/")[:3])
    return {"pages": {f"{origin}/*": page}, "windows": [{"id": 7, "tabs": [{"url": url}]}]}


class Page:
    """One page and its driver's program. `ask(op, ...)` is a request to it, in the epoch that it was bound to. came:
    the observation that came with the last answer, which a refused action's has."""

    def __init__(self, world: Any, book: Book, evaluate: Callable[..., Any]) -> None:
        self.world = world
        self.book = book
        self.shown: dict[str, Any] = {}
        self.came: Any = None
        self._evaluate = evaluate
        self.epoch = self.ask("bind", epoch="E1")["epoch"]
        self.seen: dict[str, Any] = {}

    @property
    def tab(self) -> Any:
        return self.world.windows[0].tabs[0]

    def ask(self, op: str, **more: Any) -> Any:
        argument = {"op": op, "epoch": getattr(self, "epoch", None), **more}
        text = f"({program()}\n)({dumps(argument)})"
        value = self._evaluate(self.world, lambda p, ref, what: self.shown.update({ref: what}), 1, self.tab, text)
        reply: Any = loads(value)
        self.came = reply.pop("seen", None)
        return reply

    def observe(self) -> Any:
        self.seen = self.ask("observe", rebind=None)
        return self.seen

    def action(self, kind: str, label: str) -> dict[str, Any]:
        """The one action of that kind and label of the last observation."""
        (found,) = [each for each in self.seen["actions"] if (each["kind"], each["label"]) == (kind, label)]
        return {**found, "direction": None}

    def guard(self, action: dict[str, Any]) -> dict[str, Any]:
        page = self.seen["page"]
        if "node" not in action:
            return dict(page)
        own = self.seen["guards"][str(action["node"])]
        return {"route": page["route"], "viewport": page["viewport"], **own}

    def act(self, kind: str, label: str, text: str | None = None, op: str = "act", **more: Any) -> Any:
        """Act on the last observation."""
        action = {**self.action(kind, label), **more.pop("action", {})}
        nonce = more.pop("nonce", f"n{kind}{label}{text}")
        return self.ask(op, nonce=nonce, action=action, guard=self.guard(action), text=text, **more)

    @property
    def effects(self) -> list[tuple[Any, ...]]:
        return [(line["verb"], line["target"].get("node"), line["value"]) for line in self.book.of("effect")]


def on_model(page: Any = FORM, url: str = URL) -> Page:
    book = Book()
    world = Safari(book, world_of(page, url))
    return Page(world, book, on_the_model)


def on_engine(world: Any, book: Book) -> Page:
    """world: with an engine, its page loaded."""
    return Page(world, book, safari_witness.run)
