"""What can be drawn for Chrome: a shop, a form and the tab in front, in one browser whose extension is ours.

Every node has a name that no other has, in whatever tab or document: a call that names one and a snapshot means that
node or nothing, also where a fault has made the snapshot another than the caller counts on. Where ids are named, only
that tab has such a frame. The form's document stays what it is, so what changes in a document changes there. Not drawn
are several browsers and profiles, of which a call that names none is refused, a second server, which no caller has, and
an extension of another protocol, whose host leaves a notice for whichever server comes next.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from harness.properties.vocabulary import Act, Numbered, Sections, Step, Vocabulary

SHOP, FORM, FRONT = "101", "102", "103"
"""The tabs by their ids, which are how the world record has them; the last is in front at first."""
ALL = frozenset({SHOP, FORM, FRONT})
SHOP_SITE, FORM_SITE, NEWS_SITE, BANK_SITE = (
    "https://shop.test", "https://form.test", "https://news.test", "https://bank.test",
)  # fmt: skip
TYPED, HIDDEN = "hush-typed-5207", "hush-hidden-5207"
"""What is given to the password, and what it has already."""
ROW = 40
PRESS = ("activate", "focus", "scroll_into_view")
FILL = (*PRESS, "set_value")


def nodes(*given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Nodes of a page, one below the other, each to be pressed where it does not say otherwise."""
    return [{"role": "button", "bounds": [10, 10 + ROW * row, 80, 20], "actions": [*PRESS], "id": each["name"].lower(),
             **each} for row, each in enumerate(given)]  # fmt: skip


PAGES: Mapping[str, Any] = {
    "store": {"url": f"{SHOP_SITE}/", "title": "Store", "frames": {"7": "offer"}, "nodes": nodes(
        {"name": "Buy"}, {"name": "Sold", "does": "nothing"}, {"name": "Liked", "role": "checkbox", "does": "toggle",
         "states": {"checked": "false"}, "actions": [*FILL]},
        {"name": "Basket", "role": "link", "does": "navigate", "goes": "basket"},
        {"name": "Top", "role": "link", "does": "same_document", "goes": f"{SHOP_SITE}/#top"},
        {"name": "Tour", "does": "new_tab"}, {"name": "Pay", "does": "trusted"},
        {"name": "Tip", "does": "trusted_nothing"},
    )},
    "offer": {"url": f"{SHOP_SITE}/offer", "title": "Offer", "nodes": nodes({"name": "Take"})},
    "basket": {"url": f"{SHOP_SITE}/basket", "title": "Basket", "nodes": nodes({"name": "Empty"})},
    "form": {"url": f"{FORM_SITE}/", "title": "Form", "frames": {"8": "other"}, "nodes": nodes(
        {"name": "Name", "role": "textbox", "value": "Ada", "does": "focus", "actions": [*FILL]},
        {"name": "Password", "role": "textbox", "value": HIDDEN, "sensitive": True, "does": "focus",
         "actions": [*FILL]},
        {"name": "Forgets", "role": "textbox", "value": "", "drops_value": True, "actions": [*FILL]},
        {"name": "Send"}, {"name": "Greyed", "states": {"disabled": True}},
    )},
    "other": {"url": f"{BANK_SITE}/frame", "title": "", "nodes": nodes({"name": "Foreign"})},
    "news": {"url": f"{NEWS_SITE}/", "title": "News", "nodes": nodes({"name": "More"})},
    "late": {"url": f"{NEWS_SITE}/late", "title": "Late", "nodes": nodes({"name": "Later"})},
    "vault": {"url": f"{BANK_SITE}/", "title": "Vault", "nodes": nodes({"name": "Transfer"})},
}  # fmt: skip
TABS: tuple[Mapping[str, Any], ...] = (
    {"id": 101, "page": "store"}, {"id": 102, "page": "form"}, {"id": 103, "page": "news"},
    {"id": 104, "page": "vault"}, {"id": 105, "page": "late", "window": 12},
)  # fmt: skip
ALLOWED = (SHOP_SITE, FORM_SITE, NEWS_SITE)
BOUNDS: Mapping[str, Any] = {"call_ms": 120_000}
"""A call may wait for others that were not waited for, each of which has its 10 s of the extension several times."""
CANARY: Mapping[str, Any] = {"name": "the password that is there", "value": HIDDEN, "allowed": []}


def act(target: str, verb: str, name: str, frame: str = "", **more: Any) -> dict[str, Any]:
    """A call on the node of that name, which stands in the page of this tab (or in a child frame of it, by its id)."""
    page = {SHOP: "store", FORM: "form", FRONT: "news"}[target]
    page = PAGES[page]["frames"][frame] if frame else page
    number = 1 + [each["name"] for each in PAGES[page]["nodes"]].index(name)
    id = f"{frame or 0}:{number}"
    which = {"node_id": f"p{id}"} if frame else {"name": name}
    means = {"verb": verb, "ref": f"{target}/{id}"}
    if "value" in more and name != "Password":
        means["value"] = more["value"]
    return {"call": f"ax_{verb}", "arguments": {"snapshot_id": "s1", **which, **more}, "means": means}


def at(step: Step, number: int) -> Step:
    """The call on what the look of this number showed, from 1."""
    return {**step, "arguments": {**step["arguments"], "snapshot_id": f"s{number}"}}


def press_tab(tab: str) -> dict[str, Any]:
    """Press a tab in the browser's own controls, which tell no names beside a site that is not allowed."""
    return {"call": "ax_activate", "arguments": {"snapshot_id": "s1", "node_id": f"ntab-{tab}"},
            "means": {"verb": "activate", "ref": f"native/tab-{tab}"}}  # fmt: skip


WORDS = [{"id": "1", "name": "Word", "bounds": [60, 160, 80, 20]}]
"""What OCR finds, where the first node of the page in front is on the screen."""
WORD: Step = {"call": "ax_activate", "arguments": {"snapshot_id": "s1", "name": "Word"},
              "means": {"verb": "activate", "ref": "ocr/1"}}  # fmt: skip


def sure(*steps: Step, spoils: frozenset[str] = frozenset()) -> tuple[Act, ...]:
    return tuple(Act(step, sure=True, spoils=spoils) for step in steps)


ACTS: Mapping[str, Sequence[Act]] = {
    SHOP: (
        *sure(act(SHOP, "activate", "Buy"), act(SHOP, "activate", "Take", "7"), act(SHOP, "focus", "Buy"),
              act(SHOP, "activate", "Liked"), act(SHOP, "set_value", "Liked", value=True),
              act(SHOP, "scroll_into_view", "Basket"), act(SHOP, "activate", "Tour")),
        *sure(act(SHOP, "activate", "Basket"), act(SHOP, "activate", "Top"), spoils=frozenset({SHOP})),
        *sure(act(SHOP, "activate", "Pay"), spoils=frozenset({SHOP, FRONT})),
        Act(act(SHOP, "activate", "Tip"), sure=False, spoils=frozenset({SHOP, FRONT})),
        Act(act(SHOP, "activate", "Sold"), sure=False),
    ),
    FORM: (
        *sure(act(FORM, "set_value", "Name", value="wörld"), act(FORM, "set_value", "Password", value=TYPED),
              act(FORM, "focus", "Name"), act(FORM, "activate", "Send"), act(FORM, "activate", "Password"),
              act(FORM, "scroll_into_view", "Send")),
        Act(act(FORM, "set_value", "Forgets", value="gone"), sure=False),
        Act(act(FORM, "activate", "Greyed"), sure=False),
    ),
    FRONT: (
        *sure(act(FRONT, "activate", "More"), act(FRONT, "focus", "More")),
        Act(WORD, sure=False, spoils=frozenset({FRONT})),
        *sure(press_tab(SHOP), press_tab(FORM), spoils=frozenset({FRONT})),
    ),
}  # fmt: skip
LOOKS: Mapping[str, Step] = {
    SHOP: {"call": "ax_read", "arguments": {"title": "Store"}},
    FORM: {"call": "ax_read", "arguments": {"title": "Form"}},
    FRONT: {"call": "ax_read"},
}
STRAYS: tuple[Step, ...] = (
    {"call": "ax_targets"},
    {"look": "tools"},
    {"look": "status"},
    {"call": "no_such_tool"},
    {"call": "ax_read", "arguments": {"title": "Nowhere"}},
    {"call": "ax_read", "arguments": {"title": "Vault"}},
    {"call": "ax_read", "arguments": {"target": "nobody/101"}},
    {"call": "ax_read", "arguments": {"target": "nobody/101", "title": "Store"}},
    {"call": "ax_activate", "arguments": {"snapshot_id": "s99", "node_id": "p0:1"}},
    {"call": "ax_activate", "arguments": {"snapshot_id": "s1", "node_id": "p9:9"}},
    {"call": "ax_activate", "arguments": {"snapshot_id": "s1", "name": "Foreign", "role": "button"},
     "means": {"verb": "activate", "ref": f"{FORM}/8:1"}},
    {"call": "ax_activate", "arguments": {"snapshot_id": "s1"}},
    {"call": "ax_set_value", "arguments": {"snapshot_id": "s1", "name": "Send", "value": "x"}},
)
"""Where nothing was changed none of them is given a snapshot, so what a look shows has its number."""
CHANGES: tuple[tuple[Mapping[str, Any], frozenset[str]], ...] = (
    ({"navigate": {"tab": 101, "page": "basket"}}, frozenset({SHOP})),
    ({"navigate": {"tab": 101, "page": "basket"}, "back": {"tab": 101}}, frozenset({SHOP})),
    ({"navigate": {"tab": 101, "page": "vault"}}, frozenset({SHOP})),
    ({"push_state": {"tab": 101, "url": f"{SHOP_SITE}/#pushed"}}, frozenset({SHOP})),
    ({"node": {"tab": 102, "node": "send", "name": "Delete"}}, frozenset({FORM})),
    ({"node": {"tab": 102, "node": "send", "hidden": True}}, frozenset({FORM})),
    ({"node": {"tab": 102, "node": "name", "states": {"disabled": True}}}, frozenset({FORM})),
    ({"replace": {"tab": 102, "node": "send"}}, frozenset({FORM})),
    ({"revoke": {"site": FORM_SITE}}, ALL),
    ({"allow": {"site": BANK_SITE}}, ALL),
    ({"close_tab": {"tab": 101}}, frozenset({SHOP, FRONT})),
    ({"crash": {"tab": 102}}, frozenset({FORM})),
    ({"hang": {"tab": 102, "on": True}}, frozenset({FORM})),
    ({"activate": {"tab": 105}}, frozenset({FRONT})),
    ({"front": "Notes"}, frozenset({SHOP, FRONT})),
    ({"steals": "Notes"}, frozenset({SHOP, FRONT})),
    ({"moves": [0, 200]}, frozenset({SHOP, FRONT})),
    ({"kill_worker": {"browser": 0}}, ALL),
    ({"kill_host": {"browser": 0}}, ALL),
    ({"disconnect": {"browser": 0}}, ALL),
    ({"close_browser": {"browser": 0}}, ALL),
)
"""What ends the connection, or what may be done in it, spoils all: which look comes after it is not sure."""
SETTLES: Step = {"wait_ms": 6000}
"""Time for three connections in a row that fail."""
TELLS: tuple[Step, ...] = ({"tell": "cancel"}, {"tell": "task_end"}, {"tell": "session_switch"})
DESKTOPS: tuple[Mapping[str, Any], ...] = (
    {}, {"clicks": False}, {"ax": False, "ocr": WORDS}, {"ax": False, "picture": True}, {"windows": False},
)  # fmt: skip
"""What the system has, the most common first."""
BROWSERS: tuple[Mapping[str, Any], ...] = (
    {}, {"worker": "idle"}, {"allowed": [SHOP_SITE]}, {"allowed": ["*"]}, {"active": 101}, {"registered": "forbidden"},
    {"extension": False},
)  # fmt: skip


@st.composite
def surroundings(draw: st.DrawFn) -> dict[str, Any]:
    """World and system; half of them are plain, where most is done."""
    browser: dict[str, Any] = {"tabs": [dict(tab) for tab in TABS], "allowed": [*ALLOWED], "active": 103}
    world: dict[str, Any] = {"pages": {name: dict(page) for name, page in PAGES.items()}, "browsers": [browser]}
    sections: dict[str, Any] = {"world": world, "bounds": dict(BOUNDS), "canaries": [dict(CANARY)]}
    if draw(st.booleans()):
        return sections
    browser.update(draw(st.sampled_from(BROWSERS)))
    desktop = dict(draw(st.sampled_from(DESKTOPS)))
    if desktop:
        sections["programs"] = {"desktop": desktop}
    if draw(st.booleans()):
        world["pages"]["form"]["silent"] = True
    if draw(st.booleans()):
        world["unit"] = "pixel"
    return sections


def ready(sections: Sections) -> frozenset[str]:
    (browser,) = sections["world"]["browsers"]
    plain = (*browser["allowed"], browser["active"]) == (*ALLOWED, 103) and len(browser) == 3
    silent = "silent" in sections["world"]["pages"]["form"]
    return ALL if plain and not silent and "programs" not in sections else frozenset()


def begins(sections: Sections) -> tuple[Step, ...]:
    """Where anything is expected the browser has been up for a while: a server that has never seen it waits for none
    that is about to connect."""
    return (SETTLES,) if ready(sections) else ()


CHROME = Vocabulary(
    system="chrome",
    about=("channel", "browser", "desktop"),
    surroundings=surroundings(),
    ready=ready,
    looks=LOOKS,
    acts=ACTS,
    strays=STRAYS,
    changes=CHANGES,
    tells=TELLS,
    answers=lambda sections: (),
    waits_ms=(50, 400, 1500, 6_000, 35_000),
    canaries=({"name": "the password that is typed", "value": TYPED, "allowed": ["wire.*"]},),
    doubts=frozenset({"task_end", "session_switch"}),
    again={"call": "ax_targets"},
    numbered=Numbered(at, kept=8),
    begins=begins,
    ends=(SETTLES,),
)
