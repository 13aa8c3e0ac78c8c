"""A page: its definition, read strictly, and the tree of nodes that one load of it makes.

A definition is data and is read once; a document makes its own nodes from it (`Definition.tree`), so that two loads
never share a node. What a page does is a list of effects (page_settings.EFFECTS), carried out by page_effects.
"""

from __future__ import annotations

from fakes.settings import KINDS, SettingsProblem, read
from fakes.worlds import page_settings as keys
from fakes.worlds.page_references import brought, flat, handlers, named, of_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from fakes.settings import Table
    from harness.wire.jsontext import Json

UNRENDERED = frozenset(
    ("head", "title", "meta", "link", "style", "script", "template", "noscript", "base", "datalist", "source", "track")
)
FIELDS = ("input", "textarea", "select")
TOGGLES = ("checkbox", "radio")
PRESSED = ("submit", "button", "reset", "image")
"""Types of an input that is a button."""


class Node:
    """One element. name: in the world record. uid: number that a client was given, 0 for none. frame: the document of
    an iframe. children: nodes and texts. connected: whether it is still in its document."""

    __slots__ = (
        "name",
        "tag",
        "attributes",
        "children",
        "shadow",
        "parent",
        "hidden",
        "at",
        "overlay",
        "value",
        "checked",
        "on",
        "uid",
        "frame",
        "connected",
        "given",
        "scroll",
    )

    def __init__(self, given: dict[str, Any], parent: Node | None) -> None:
        self.given = given
        self.name: str = given["id"]
        self.tag: str = given["tag"]
        self.attributes: dict[str, str] = {
            name: "" if value is True else str(value) for name, value in given["attributes"].items()
        }
        self.children: list[Node | str] = []
        self.shadow: list[Node | str] = []
        self.parent = parent
        self.hidden: str | None = given["hidden"]
        self.at: list[float] = list(given["at"])
        self.overlay = bool(given["overlay"])
        self.value: str = self._first_value(given)
        self.checked = bool(given["checked"]) or "checked" in self.attributes
        self.on: dict[str, Any] = given["on"]
        self.uid = 0
        self.frame: Any = None
        self.connected = True
        self.scroll = [0.0, 0.0]

    def _first_value(self, given: dict[str, Any]) -> str:
        if given["value"] is not None:
            return str(given["value"])
        return self.attributes.get("value", given["text"] if self.tag == "textarea" else "")

    def __repr__(self) -> str:
        return f"<{self.tag} {self.name}>"

    @property
    def type(self) -> str:
        """Type of an input or button, in small letters."""
        return self.attributes.get("type", "submit" if self.tag == "button" else "text").lower()

    @property
    def disabled(self) -> bool:
        return any("disabled" in node.attributes for node in self.line() if node is self or node.tag == "fieldset")

    @property
    def editable(self) -> bool:
        """Whether text can be typed into it."""
        if self.tag == "textarea":
            return True
        if self.tag == "input":
            return self.type not in (*TOGGLES, *PRESSED, "hidden", "file", "range", "color")
        return self.attributes.get("contenteditable", "false").lower() in ("", "true", "plaintext-only")

    def line(self) -> Iterator[Node]:
        """This node and those that it is in, to the body."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def walk(self, shadow: bool = False) -> Iterator[Node]:
        """This node and those in it in the order of the tree; those of shadow roots too where asked."""
        yield self
        if shadow:
            for child in self.shadow:
                if isinstance(child, Node):
                    yield from child.walk(shadow)
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk(shadow)

    def content(self) -> list[Node | str]:
        """What is shown in it: its shadow root's content where it has one."""
        return self.shadow or self.light()

    def light(self) -> list[Node | str]:
        """Its children as far as they are shown: none beside a shadow root, only the summary of a closed `details`."""
        if self.shadow:
            return []
        if self.tag == "details" and "open" not in self.attributes:
            return [child for child in self.children if isinstance(child, Node) and child.tag == "summary"]
        return self.children

    def nearest(self, *tags: str) -> Node | None:
        """The nearest node of these tags, itself included."""
        return next((node for node in self.line() if node.tag in tags), None)

    @property
    def taken_out(self) -> bool:
        """Whether it is taken out of the display itself, whatever it is in."""
        return _unrendered(self)

    @property
    def rendered(self) -> bool:
        """Whether it has a box: neither it nor what it is in is taken out of the display."""
        return not any(_unrendered(node) for node in self.line())

    @property
    def visible(self) -> bool:
        """Whether it is rendered and can be seen."""
        return self.rendered and not any(node.hidden == "visibility" for node in self.line())

    def text(self) -> str:
        """textContent, without what is not rendered."""
        parts = [
            part if isinstance(part, str) else "" if _unrendered(part) else part.text() for part in self.light()
        ]
        return "".join(parts)

    def options(self) -> list[Node]:
        """Options of a select."""
        return [node for node in self.walk() if node.tag == "option"]

    def drop(self) -> None:
        """It leaves its document, with all that is in it."""
        for node in self.walk(shadow=True):
            node.connected = False


def _unrendered(node: Node) -> bool:
    if node.hidden == "display" or "hidden" in node.attributes or node.tag in UNRENDERED:
        return True
    if node.tag == "input" and node.type == "hidden":
        return True
    if node.tag == "dialog":
        return "open" not in node.attributes
    parent = node.parent
    if parent is None:
        return False
    if parent.tag == "details" and "open" not in parent.attributes and node.tag != "summary":
        return True
    return bool(parent.shadow) and node in parent.children


_LISTS = {"console": keys.MESSAGE_KEYS, "requests": keys.REQUEST_KEYS, "timers": keys.TIMER_KEYS}


class Definition:
    """One page as the run sheet has it, checked. where: its place, for errors."""

    __slots__ = ("values", "where", "body")

    def __init__(self, given: Json, where: str) -> None:
        self.where = where
        self.values = read(given, keys.PAGE_KEYS, where)
        _one_of(self.values["fails"], keys.FAILURES, "fails", where)
        _handlers(self.values["on"], keys.PAGE_EVENTS, where)
        for name, table in _LISTS.items():
            self.values[name] = [read(each, table, f"{where}.{name}[{n}]") for n, each in enumerate(self.values[name])]
        for n, timer in enumerate(self.values["timers"]):
            check_effects(timer["do"], f"{where}.timers[{n}].do")
        names = Names()
        self.body = element({"tag": "body", "id": "body", "children": self.values["body"]}, where, names)
        self._refuse_unknown(names)

    def _refuse_unknown(self, names: Names) -> None:
        effects = [
            *handlers(self.body),
            *of_events(self.values["on"]),
            *(effect for timer in self.values["timers"] for effect in flat(timer["do"])),
        ]
        missing = sorted(named(effects) - names.taken - brought(effects))
        if missing:
            raise SettingsProblem(f"node {missing[0]!r} in {self.where}", "a node of the page", "correct the name")

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def tree(self) -> Node:
        """A body of nodes of its own."""
        return build(self.body, None)


class NoNode(SettingsProblem):
    """A name that no node of a page has now."""

    def __init__(self, name: str) -> None:
        super().__init__(f"node {name!r}", "a node that is in the page now", "name a node of the page")
        self.name = name


class Names:
    """Names of the elements of one page: those taken, and the first of n1, n2, ... that is free."""

    __slots__ = ("taken", "_number")

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)
        self._number = 1

    def free(self) -> str:
        while f"n{self._number}" in self.taken:
            self._number += 1
        return f"n{self._number}"


def element(given: Json, where: str, names: Names) -> dict[str, Any]:
    """One element of a definition, checked, and every element in it. names: those of the page so far."""
    values = read(given, keys.ELEMENT_KEYS, where)
    if values["id"] is None:
        values["id"] = names.free()
    if values["id"] in names.taken:
        raise SettingsProblem(f"{values['id']!r} twice in {where}", "a name of its own for each element", "rename one")
    names.taken.add(values["id"])
    _one_of(values["hidden"], keys.HIDDEN, "hidden", where)
    if values["at"] and (len(values["at"]) != 4 or not all(map(KINDS["number"], values["at"]))):
        seen = f"{values['at']!r} for 'at' in {where}"
        raise SettingsProblem(seen, "x, y, width, height", "give four numbers or none")
    for name, value in values["attributes"].items():
        if not (isinstance(value, str) or value is True):
            raise SettingsProblem(f"{value!r} for attribute {name!r} in {where}", "a text, or true", "correct it")
    _handlers(values["on"], keys.NODE_EVENTS, where)
    for part in ("children", "shadow"):
        values[part] = [
            each if isinstance(each, str) else element(each, f"{where}.{part}[{n}]", names)
            for n, each in enumerate(values[part])
        ]
    if values["text"]:
        values["children"] = [values["text"], *values["children"]]
    return values


def build(given: dict[str, Any], parent: Node | None) -> Node:
    """The nodes of an element that `element` has checked."""
    node = Node(given, parent)
    for part, goal in (("children", node.children), ("shadow", node.shadow)):
        for child in given[part]:
            goal.append(child if isinstance(child, str) else build(child, node))
    if node.tag == "select" and given["value"] is None:
        options = node.options()
        chosen = next((each for each in options if "selected" in each.attributes), options[0] if options else None)
        node.value = option_value(chosen) if chosen else ""
    return node


def definition_of(node: Node) -> dict[str, Any]:
    """An element that looks as a node does now."""

    def all_of(parts: list[Node | str]) -> list[Any]:
        return [part if isinstance(part, str) else definition_of(part) for part in parts]

    now = {"attributes": dict(node.attributes), "hidden": node.hidden, "value": node.value, "checked": node.checked}
    return {**node.given, **now, "children": all_of(node.children), "shadow": all_of(node.shadow)}


def option_value(option: Node) -> str:
    return option.attributes.get("value", option.text())


def check_effects(effects: Json, where: str) -> None:
    """Raises SettingsProblem where the list has what is no effect."""
    if not isinstance(effects, list):
        raise SettingsProblem(f"{effects!r} for {where}", "a list of effects", "correct it")
    for n, effect in enumerate(effects):
        place = f"{where}[{n}]"
        names = [name for name in effect if name in keys.EFFECTS] if isinstance(effect, dict) else []
        if len(names) != 1:
            raise SettingsProblem(f"{effect!r} at {place}", f"one of {', '.join(keys.EFFECTS)}", "name one effect")
        kind, members, _ = keys.EFFECTS[names[0]]
        extra = [name for name in effect if name not in (*members, names[0])]
        if extra or not KINDS[kind](effect[names[0]]):
            expected = f"{names[0]}: {kind}, and {', '.join(members) or 'nothing'} beside it"
            raise SettingsProblem(f"{effect!r} at {place}", expected, "correct it")
        for member in members:
            check_effects(effect.get(member, []), f"{place}.{member}")
        if names[0] in _OBJECTS:
            read(effect[names[0]], _OBJECTS[names[0]], place)
        if names[0] in ("insert", "replace"):
            element(effect[names[0]]["element"], place, Names())


_OBJECTS: dict[str, Table] = {
    "set": keys.SET_KEYS,
    "insert": keys.INSERT_KEYS,
    "replace": keys.REPLACE_KEYS,
    "console": keys.MESSAGE_KEYS,
    "fetch": keys.REQUEST_KEYS,
}


def _handlers(given: dict[str, Any], events: Sequence[str], where: str) -> None:
    for event, effects in given.items():
        if event not in events:
            raise SettingsProblem(f"handler {event!r} in {where}", f"one of {', '.join(events)}", "correct it")
        if event == "key":
            if not isinstance(effects, dict):
                raise SettingsProblem(f"{effects!r} for 'key' in {where}", "name of a key -> effects", "correct it")
            for key, each in effects.items():
                check_effects(each, f"{where}.on.key.{key}")
        else:
            check_effects(effects, f"{where}.on.{event}")


def _one_of(value: Json, allowed: Sequence[Json], key: str, where: str) -> None:
    if value not in allowed:
        raise SettingsProblem(f"{value!r} for {key!r} in {where}", f"one of {allowed}", "correct it")
