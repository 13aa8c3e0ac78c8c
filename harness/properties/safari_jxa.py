"""What can be drawn for Safari through Apple Events: one session, on a window that is lent or on one of its own.

Either has the number WINDOW, so what a call means is the same in both. Actions stand here whole, as an observation
gives them, which a test compares with what a run shows: one that is not offered so any more is refused, whatever its
id stands for meanwhile. They are of the session's first observation. Three things are not drawn: windows beside the
session's own, of which nothing here is about; changes of its tab from outside, since a fault may have taken the tab
before (pages move by themselves instead); and the decision loop, which has no world of its own.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from harness.properties.vocabulary import Act, Sections, Step, Vocabulary

WINDOW = 26_081
PAGE = f"{WINDOW}/page"
ALL = frozenset({PAGE})
SHOP_URL, NEXT_URL = "http://shop.test/", "http://shop.test/next"
SECRET = "hush-filled-5207"
CLICKS: Mapping[str, Any] = {
    "buy": {"set": {"node": "note", "text": "bought"}}, "again": {"rerender": "again"}, "push": {"push": "/pushed"},
    "leave": {"navigate": "/next"}, "reload": {"reload": True}, "ask": {"alert": "Sure?"}, "popup": {"open": "/next"},
    "close": {"close": True},
}  # fmt: skip
"""Button of the shop -> what it does."""
SHOP: Mapping[str, Any] = {"title": "Shop", "body": [
    {"id": "name", "tag": "input", "attributes": {"aria-label": "Name"}},
    {"id": "colour", "tag": "select", "attributes": {"aria-label": "Colour"}, "children": [
        {"id": "red", "tag": "option", "attributes": {"value": "r"}, "text": "Red"},
        {"id": "green", "tag": "option", "attributes": {"value": "g"}, "text": "Green"},
    ]},
    *({"id": name, "tag": "button", "text": name.title(), "on": {"click": [what]}} for name, what in CLICKS.items()),
    {"id": "space", "tag": "p", "text": "space"},
    {"id": "note", "tag": "p", "text": "nothing yet", "at": [0, 4000, 100, 20]},
]}  # fmt: skip
MOVES: Mapping[str, Any] = {
    "rerender": {"rerender": "buy"}, "remove": {"remove": "buy"}, "navigate": {"navigate": "/next"},
    "push": {"push": "/pushed"}, "reload": {"reload": True}, "alert": {"alert": "Stay?"}, "close": {"close": True},
    "fill": {"set": {"node": "name", "value": "Ada"}},
    "replace": {"replace": {"node": "buy", "element": {"id": "sell", "tag": "button", "text": "Buy"}}},
}  # fmt: skip
"""What the shop may do by itself, some time after it has loaded."""
BOUNDS: Mapping[str, Any] = {"call_ms": 149_000, "frame_bytes": 4 << 20, "reply_bytes": 1 << 20}
"""A call may wait for others that were not waited for, each of which has its half minute."""


def box(row: int, width: int) -> dict[str, float]:
    """Where the page has a row of 20 pixels."""
    return {"x": 8.0, "y": 8.0 + 20 * row, "w": float(width), "h": 20.0}


def offered(number: int, kind: str, label: str, node: int, role: str, rect: Mapping[str, float],
            **more: Any) -> dict[str, Any]:  # fmt: skip
    """An action as an observation of the shop offers it."""
    return {
        "id": f"e{number}", "kind": kind, "label": label, "node": node, "role": role, "rect": dict(rect), "value": "",
        **more,
    }  # fmt: skip


FIRST_BUTTON = (5, 3, 2)
"""Number of its action, its node, its row on the page; the others follow."""
OFFERED: Mapping[str, Mapping[str, Any]] = {
    "name": offered(1, "fill", "Name", 1, "textbox", box(0, 150)),
    "colour": offered(4, "select", "Colour: Green", 2, "combobox", box(1, 150), value="g", option=1),
    **{name: offered(FIRST_BUTTON[0] + n, "click", name.title(), FIRST_BUTTON[1] + n, "button",
                     box(FIRST_BUTTON[2] + n, 8 * len(name)))
       for n, name in enumerate(CLICKS)},
    "down": {"id": "scroll-down", "kind": "scroll", "label": "Scroll down"},
    "wait": {"id": "wait", "kind": "wait", "label": "Wait for the page to update"},
}  # fmt: skip


def act(name: str, *, observation: int = 1, meant: Any = None, **more: Any) -> dict[str, Any]:
    """A call of `act` on what was offered, with what it means; `wait` means nothing."""
    action = OFFERED[name]
    step = {"call": "act", "arguments": {"observation": observation, "action": dict(action), **more}}
    if name == "wait":
        return step
    means = {"verb": action["kind"], "ref": f"{WINDOW}/{action.get('node', 'page')}"}
    return {**step, "means": means if meant is None else {**means, "value": meant}}


def fill(text: str) -> dict[str, Any]:
    return act("name", meant=text, text=text)


def acts() -> tuple[Act, ...]:
    """What is sure, first where nothing else is spoiled by it, then where it is; then what nobody can be sure of."""
    fresh = {"call": "fresh", "arguments": {"observation": 1, "action": dict(OFFERED["buy"])}}
    stays = (act("buy"), act("wait"), {"call": "text"}, {"call": "status"}, fresh)
    spoils = (fill("wörld"), fill(SECRET), act("colour", meant="g"), act("again"), act("push"), act("leave"),
              act("reload"), act("popup"), act("close"), {"call": "close"})  # fmt: skip
    unsure = (act("ask"), act("buy", observation=2), act("down", meant=[0, 592]),
              act("down", observation=2, meant=[0, 592]))  # fmt: skip
    return (
        *(Act(step, sure=True) for step in stays),
        *(Act(step, sure=True, spoils=ALL) for step in spoils),
        *(Act(step, sure=False, spoils=ALL) for step in unsure),
        Act(ATTACH, sure=False, spoils=ALL),
    )


ATTACH: Step = {"call": "attach", "arguments": {"window": WINDOW}}
OPEN: Step = {"call": "open", "arguments": {"url": SHOP_URL}}
LOOKS: Mapping[str, Step] = {PAGE: {"call": "observe"}}
ACTS: Mapping[str, tuple[Act, ...]] = {PAGE: acts()}
STRAYS: tuple[Step, ...] = (
    {"call": "windows"},
    {"call": "windows", "arguments": {"titles": True}},
    {"call": "displays"},
    {"look": "tools"},
    {"look": "status"},
    {"call": "no_such_tool"},
    {"call": "open", "arguments": {"url": "file:///etc/passwd"}},
    {"call": "attach", "arguments": {"window": 7}},
    {"call": "act", "arguments": {"observation": 99, "action": "e1"}},
    {"call": "act", "arguments": {"observation": 1, "action": "e99"}},
    {"call": "act", "arguments": {"observation": 1, "action": dict(OFFERED["name"])}},
    {"call": "act", "arguments": {"observation": 1, "action": {**OFFERED["buy"], "label": "Sell"}}},
    {"call": "act", "arguments": {"observation": 1, "action": dict(OFFERED["buy"]), "text": "x"}},
)
CHANGES: tuple[tuple[Mapping[str, Any], frozenset[str]], ...] = (
    ({"navigate": {"tab": "tab-1", "url": NEXT_URL}}, frozenset()),
    ({"title": {"tab": "tab-1", "title": "The user's"}}, frozenset()),
    ({"raise_window": 26_080}, frozenset()),
    ({"open_tab": {"window": 26_080, "url": NEXT_URL}}, frozenset()),
    ({"process": {"pid": 900, "running": True}}, ALL),
    ({"permission": {"name": "javascript_from_apple_events", "value": False}}, ALL),
    ({"permission": {"name": "automation", "value": "denied"}}, ALL),
    ({"process": {"pid": 763, "running": False}}, ALL),
)
TELLS: tuple[Step, ...] = (
    {"tell": "cancel"}, {"tell": "user_input", "data": {"text": "buy two", "source": "queued", "interactive": True}},
    {"tell": "task_end"}, {"tell": "session_switch"},
)  # fmt: skip


@st.composite
def surroundings(draw: st.DrawFn) -> dict[str, Any]:
    """World, and whose window it is; half of them have a page that stays as it is, where most is done."""
    windows: list[Any] = [{"id": WINDOW - 1, "tabs": [{"url": NEXT_URL}]}]
    if draw(st.booleans()):
        windows.append({"id": WINDOW, "tabs": [{"url": SHOP_URL}]})
    pages: dict[str, Any] = {SHOP_URL: dict(SHOP), NEXT_URL: {"title": "Next", "body": [{"tag": "p", "text": "Next"}]}}
    world = {"effects": ["click", "fill", "select", "scroll"], "windows": windows, "pages": pages}
    if draw(st.booleans()):
        move = MOVES[draw(st.sampled_from(list(MOVES)))]
        pages[SHOP_URL]["timers"] = [{"after_ms": draw(st.sampled_from([150, 600, 1500])), "do": [move]}]
    return {"world": world, "bounds": dict(BOUNDS)}


def begins(sections: Sections) -> tuple[Step, ...]:
    """How the session begins: the window is lent where it is there."""
    return (ATTACH,) if len(sections["world"]["windows"]) > 1 else (OPEN,)


def ready(sections: Sections) -> frozenset[str]:
    return frozenset() if "timers" in sections["world"]["pages"][SHOP_URL] else ALL


SAFARI_JXA = Vocabulary(
    system="safari-jxa",
    about=("osascript",),
    surroundings=surroundings(),
    ready=ready,
    looks=LOOKS,
    acts=ACTS,
    strays=STRAYS,
    changes=CHANGES,
    tells=TELLS,
    answers=lambda sections: (),
    waits_ms=(50, 400, 1000, 12_000, 60_000),
    canaries=({"name": "text that is filled in", "value": SECRET, "allowed": ["answered", "effect", "wire.*"]},),
    begins=begins,
    doubts=frozenset({"task_end", "session_switch"}),
    again={"call": "windows"},
)
