"""What can be drawn for Computer Use: its ten tools on the default desktop of its fakes, and what a user may do there.

The desktop has three apps: Chess and TextEdit with a window each, and Finder without one. Elements stand here by index
as the helper numbers them, which a test compares with what a run shows.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from harness.properties.vocabulary import Act, Sections, Step, Vocabulary

CHESS, TEXT, FINDER = "com.apple.Chess", "com.apple.TextEdit", "com.apple.finder"
NAMES: Mapping[str, str] = {CHESS: "Chess", TEXT: "TextEdit", FINDER: "Finder"}
WINDOWS: Mapping[str, str] = {CHESS: "chess-game", TEXT: "untitled"}
ALL = frozenset(NAMES)
SECRET = "hush-drawn-5207"
FORM = {"action": "accept", "content": {"choice": "allow"}}
MEANT: Mapping[str, str] = {
    "perform_secondary_action": "action", "set_value": "value", "select_text": "text", "scroll": "direction",
    "press_key": "key", "type_text": "text",
}  # fmt: skip
"""Tool -> the argument that its effect has as value."""


def call(tool: str, app: str, **arguments: Any) -> Step:
    """A call with what it means: its ref is the element where it names one, else the app."""
    index = arguments.get("element_index")
    value = arguments.get(MEANT[tool]) if tool in MEANT else None
    if tool == "drag":
        value = [arguments[name] for name in ("from_x", "from_y", "to_x", "to_y")]
    ref = app if index is None else f"{app}/{index}"
    return {
        "call": tool, "arguments": {"app": NAMES[app], **arguments},
        "means": {"verb": tool, "ref": ref, **({} if value is None else {"value": value})},
    }  # fmt: skip


def act(tool: str, app: str, **arguments: Any) -> Act:
    return Act(call(tool, app, **arguments), sure=True)


DRAG: Mapping[str, Any] = {"from_x": 1, "from_y": 2, "to_x": 3, "to_y": 4}
ACTS: Mapping[str, tuple[Act, ...]] = {
    CHESS: (
        act("click", CHESS, element_index="3"),
        act("click", CHESS, element_index="2"),
        act("click", CHESS, x=45, y=45),
        act("perform_secondary_action", CHESS, element_index="1", action="AXShowMenu"),
        act("scroll", CHESS, element_index="0", direction="down"),
        act("press_key", CHESS, key="Return"),
        act("drag", CHESS, **DRAG),
    ),
    TEXT: (
        act("type_text", TEXT, text="wörld"),
        act("set_value", TEXT, element_index="0", value="new"),
        act("click", TEXT, element_index="1"),
        act("select_text", TEXT, element_index="0", text=""),
        act("set_value", TEXT, element_index="0", value=SECRET),
        act("type_text", TEXT, text=SECRET),
        act("press_key", TEXT, key="Tab"),
        act("drag", TEXT, **DRAG),
        act("scroll", TEXT, element_index="0", direction="up"),
    ),
    FINDER: (Act(call("press_key", FINDER, key="Return"), sure=False),),
}
LOOKS: Mapping[str, Step] = {app: {"call": "get_app_state", "arguments": {"app": name}} for app, name in NAMES.items()}
STRAYS: tuple[Step, ...] = (
    {"call": "list_apps"},
    {"look": "tools"},
    {"look": "status"},
    {"call": "get_app_state", "arguments": {"app": "No Such App"}},
    {"call": "get_app_state", "arguments": {}},
    {"call": "no_such_tool", "arguments": {"app": "Chess"}},
    call("press_key", TEXT, key=""),
    {"call": "list_apps", "arguments": {"app": "Chess"}},
)
CHANGES: tuple[tuple[Mapping[str, Any], frozenset[str]], ...] = (
    ({"front": TEXT}, frozenset()),
    ({"front": CHESS}, frozenset()),
    ({"user_changed": CHESS}, frozenset({CHESS})),
    ({"user_changed": TEXT}, frozenset({TEXT})),
    ({"locked": True}, ALL),
    ({"locked": False}, ALL),
    ({"value": {"app": TEXT, "node": "text", "value": "typed by the user"}}, frozenset({TEXT})),
    ({"app_quit": CHESS}, frozenset({CHESS})),
    ({"app_started": CHESS}, frozenset({CHESS})),
    ({"window_gone": "untitled"}, frozenset({TEXT})),
    ({"approval": {"app": CHESS, "kind": "none"}}, frozenset({CHESS})),
    ({"approval": {"app": CHESS, "kind": "denied"}}, frozenset({CHESS})),
    ({"approval": {"app": TEXT, "kind": "session"}}, frozenset({TEXT})),
    ({"authenticated": False}, ALL),
    ({"runtime": False}, ALL),
)
TELLS: tuple[Step, ...] = ({"tell": "cancel"}, {"tell": "user_input"}, {"tell": "task_end"}, {"tell": "session_switch"})


@st.composite
def surroundings(draw: st.DrawFn) -> dict[str, Any]:
    """World, and how the helper asks; half of them are the plain desk, where most is done.

    Where questions reach the caller, the user wants one thing of all apps, and the caller says that: who answers
    against the user breaks law 5 himself.
    """
    if not draw(st.booleans()):
        return {"world": {"approvals": dict.fromkeys(WINDOWS, "always")}}
    world: dict[str, Any] = {}
    approvals = draw(st.dictionaries(st.sampled_from([CHESS, TEXT]), st.sampled_from(["session", "denied", "none"])))
    kinds = {CHESS: "always", TEXT: "always", **approvals}
    world["approvals"] = {app: kind for app, kind in kinds.items() if kind != "none"}
    for key, values in (("front", (None, TEXT)), ("locked", (False, False, True)), ("macos", (26, 27))):
        value = draw(st.sampled_from(values))
        if value != values[0]:
            world[key] = value
    sections: dict[str, Any] = {"world": world}
    asked = draw(st.sampled_from(["", "accept", "decline"]))
    if asked:
        world["user"] = dict.fromkeys((CHESS, TEXT, FINDER), asked)
        sections["programs"] = {"codex": {"surfaces": True}, "helper": {"form": "fields"}}
        sections["modes"] = ["form"]
    carrier = draw(st.sampled_from(["", "code", "text"]))
    if carrier:
        sections.setdefault("programs", {}).setdefault("helper", {})["carrier"] = carrier
    return sections


def ready(sections: Sections) -> frozenset[str]:
    world = sections["world"]
    if world.get("locked"):
        return frozenset()
    return frozenset(app for app in WINDOWS if world["approvals"].get(app) == "always")


def answers(sections: Sections) -> tuple[Step, ...]:
    user = sections["world"].get("user")
    if user is None:
        return ()
    if user[CHESS] == "decline":
        return ({"answer": {"action": "decline"}}, {"answer": {"action": "cancel"}}, {"answer": {"fails": "no client"}})
    return (
        {"answer": FORM},
        {"answer": {**FORM, "meta": {"persist": "session"}}},
        {"answer": {**FORM, "meta": {"persist": "always"}}},
        {"answer": {**FORM, "wait_ms": 200_000}},
        {"answer": {"action": "decline"}},
    )


COMPUTER_USE = Vocabulary(
    system="computer-use",
    about=("codex", "helper", "lsappinfo", "codesign"),
    surroundings=surroundings(),
    ready=ready,
    looks=LOOKS,
    acts=ACTS,
    strays=STRAYS,
    changes=CHANGES,
    tells=TELLS,
    answers=answers,
    waits_ms=(50, 150, 1000, 30_000, 200_000),
    canaries=({"name": "text that is typed", "value": SECRET, "allowed": ["answered", "effect", "wire.*"]},),
)
