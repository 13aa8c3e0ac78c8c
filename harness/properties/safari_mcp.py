"""What can be drawn for Safari: three tabs that are opened first, their pages, and who allows what is done there.

Tabs and nodes stand here by the names that the driver gives them, which a test compares with what a run shows. Not
drawn are `search`, which opens and closes in one call, where a call means one effect; changes of the stack's own tabs
from outside, since a fault may have taken the tab before (pages move by themselves instead); and a locked screen, under
which this driver says that a click was done, and nobody can tell that it was not.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from harness.properties.vocabulary import Act, Sections, Step, Vocabulary

EPOCH = "f2a74de452e6b438"
SHOP, FORM, SPARE = (f"page-00000000-0000-4000-8000-00000000000{number}" for number in (2, 3, 4))
"""The tabs of the stack; the first one is the user's own."""
SHOP_URL, MORE_URL, FORM_URL, SPARE_URL, MINE_URL = (
    "http://shop.test/", "http://shop.test/more", "http://form.test/", "http://spare.test/", "http://mine.test/",
)  # fmt: skip
WINDOWS: tuple[Mapping[str, Any], ...] = ({"id": 1, "tabs": [{"url": MINE_URL}]},)
"""The user's own window, which no call may touch."""
URLS: Mapping[str, str] = {SHOP: SHOP_URL, FORM: FORM_URL, SPARE: SPARE_URL}
ALL = frozenset(URLS)
SECRET = "hush-judge-5207"
NODES = ("buy", "again", "leave", "reload", "ask", "popup")
"""Nodes of the shop, by their ids on the page, in the order in which a snapshot numbers them from 1."""
PAGES: Mapping[str, Any] = {
    SHOP_URL: {"title": "Shop", "body": [
        {"id": "buy", "tag": "button", "text": "Buy", "on": {"click": [{"set": {"node": "note", "text": "bought"}}]}},
        {"id": "again", "tag": "button", "text": "Again", "on": {"click": [{"rerender": "buy"}]}},
        {"id": "leave", "tag": "button", "text": "Leave", "on": {"click": [{"navigate": "/more"}]}},
        {"id": "reload", "tag": "button", "text": "Reload", "on": {"click": [{"reload": True}]}},
        {"id": "ask", "tag": "button", "text": "Ask", "on": {"click": [{"alert": "Sure?"}]}},
        {"id": "popup", "tag": "button", "text": "Popup", "on": {"click": [{"open": "/more"}]}},
        {"id": "link", "tag": "a", "attributes": {"href": "/more"}, "text": "More"},
        {"id": "note", "tag": "p", "text": "nothing yet"},
    ]},
    MORE_URL: {"title": "More", "body": [{"id": "end", "tag": "p", "text": "That is all"}]},
    FORM_URL: {"title": "Form", "body": [
        {"id": "name", "tag": "input", "attributes": {"type": "text", "aria-label": "Name"}, "value": "Ada"},
        {"id": "send", "tag": "button", "text": "Send"},
    ]},
    SPARE_URL: {"title": "Spare", "body": [{"id": "spare", "tag": "p", "text": "To be closed"}]},
    "http://moved.test/": {"redirect": SHOP_URL},
    MINE_URL: {"title": "The user's own"},
}  # fmt: skip
MOVES: Mapping[str, Any] = {
    "rerender": {"rerender": "buy"}, "remove": {"remove": "buy"}, "navigate": {"navigate": "/more"},
    "push": {"push": "/more"}, "reload": {"reload": True}, "alert": {"alert": "Stay?"}, "close": {"close": True},
    "replace": {"replace": {"node": "buy", "element": {"id": "sell", "tag": "button", "text": "Buy"}}},
}  # fmt: skip
"""What the shop may do by itself, some time after it has loaded."""
JUDGE: Mapping[str, Any] = {
    "style": "openai", "url": "http://127.0.0.1:8791/v1/chat/completions", "model": "guard", "key": SECRET,
}  # fmt: skip
ANSWERS: tuple[Mapping[str, Any], ...] = (
    {}, {"decision": "deny"}, {"text": "approve"}, {"status": 500}, {"body": "{"}, {"think_ms": 16_000},
)  # fmt: skip
"""What a judge may say; the first approves."""
BOUNDS: Mapping[str, Any] = {"call_ms": 120_000}
"""A call may wait for the turns of some others, each of which has its 23 s, and for a judge; what a fault holds back is
held for longer."""
GRANT: Step = {"tell": "grant", "data": {"command": "allow", "interactive": True, "grant": "safari"}}
FRESH: Step = {"tell": "user_input", "data": {"text": "buy a book", "source": "fresh", "interactive": True}}


def call(tool: str, tab: str, **arguments: Any) -> dict[str, Any]:
    return {"call": tool, "arguments": {"targetId": tab, "epoch": EPOCH, **arguments}}


def opening(url: str, of: dict[str, Any]) -> dict[str, Any]:
    """A call that means to open this."""
    return {**of, "means": {"verb": "open", "ref": None, "value": url}}


def opens(url: str) -> dict[str, Any]:
    return opening(url, {"call": "open", "arguments": {"url": url}})


def interact(tab: str, verb: str, meant: Any = None, /, **action: Any) -> dict[str, Any]:
    """An interaction; it means its node, where it names one, or its tab, as a key does: whatever has the focus."""
    ref = f"{tab}/{action['node']}" if "node" in action and verb != "keyPress" else tab
    step = call("interact", tab, expectedUrl=URLS[tab], action={"type": verb, "purpose": "as drawn", **action})
    return {**step, "means": {"verb": verb, "ref": ref, **({} if meant is None else {"value": meant})}}


def node(name: str) -> str:
    """The id of a node of the shop in its first snapshot."""
    return str(NODES.index(name) + 1)


def navigate(tab: str, url: str, at: str) -> dict[str, Any]:
    step = call("navigate", tab, expectedUrl=at, url=url)
    return {**step, "means": {"verb": "navigate", "ref": tab, "value": url}}


def click(name: str, *, sure: bool = True, spoils: frozenset[str] = frozenset()) -> Act:
    return Act(interact(SHOP, "click", node=node(name)), sure, spoils)


def looks(tab: str) -> tuple[Act, ...]:
    """Calls that only look."""
    steps = (
        call("read", tab),
        call("find", tab, selector="*"),
        call("wait", tab, selector="p, input", expectedUrl=URLS[tab]),
        call("screenshot", tab),
        call("console", tab),
        call("network", tab),
        call("inspect", tab, selector="p, input"),
        call("activate", tab),
    )
    return tuple(Act(step, sure=True) for step in steps)


ACTS: Mapping[str, tuple[Act, ...]] = {
    SHOP: (
        click("buy"),
        Act(interact(SHOP, "hover", node=node("again")), sure=True),
        Act(interact(SHOP, "scroll", [0, 10], scrollDelta={"x": 0, "y": 10}), sure=True),
        *looks(SHOP),
        Act(opening(MORE_URL, call("follow_link", SHOP, expectedUrl=SHOP_URL, selector="a")), sure=True),
        click("again", sure=False, spoils=frozenset({SHOP})),
        click("leave", spoils=frozenset({SHOP})),
        click("reload", spoils=frozenset({SHOP})),
        click("popup", sure=False, spoils=ALL),
        click("ask", sure=False, spoils=ALL),
        Act(navigate(SHOP, MORE_URL, SHOP_URL), sure=True, spoils=frozenset({SHOP})),
        Act(navigate(SHOP, "http://moved.test/", SHOP_URL), sure=False, spoils=frozenset({SHOP})),
    ),
    FORM: (
        Act(interact(FORM, "type", "wörld", node="1", value="wörld"), sure=True),
        Act(interact(FORM, "type", "new", node="1", value="new", replaceAll=True), sure=True),
        Act(interact(FORM, "keyPress", "Tab", node="1", value="Tab"), sure=True),
        Act(interact(FORM, "click", node="2"), sure=True),
        *looks(FORM),
    ),
    SPARE: (
        *looks(SPARE),
        Act({**call("close", SPARE), "means": {"verb": "close", "ref": SPARE}}, sure=True, spoils=frozenset({SPARE})),
    ),
}
LOOKS: Mapping[str, Step] = {tab: call("snapshot", tab) for tab in URLS}
STRAYS: tuple[Step, ...] = (
    {"call": "tabs"},
    {"look": "tools"},
    {"look": "status"},
    {"call": "no_such_tool"},
    {"call": "open", "arguments": {"url": "file:///etc/passwd"}},
    opens("http://nobody.test/"),
    opens("http://moved.test/"),
    opens(MORE_URL),
    {"call": "read", "arguments": {"targetId": SHOP, "epoch": "another"}},
    call("read", "page-0"),
    call("find", SHOP, selector="p["),
    call("wait", SHOP, text="nowhere", expectedUrl=SHOP_URL, timeoutMs=400),
    navigate(SHOP, FORM_URL, MORE_URL),
    interact(FORM, "click", node="99"),
    {**interact(FORM, "click", node="2"), "arguments": {"action": {"type": "click"}}},
    call("follow_link", FORM, expectedUrl=FORM_URL, selector="a"),
)
CHANGES: tuple[tuple[Mapping[str, Any], frozenset[str]], ...] = (
    ({"navigate": {"tab": "tab-1", "url": MORE_URL}}, frozenset()),
    ({"title": {"tab": "tab-1", "title": "The user's"}}, frozenset()),
    ({"open_tab": {"window": 1, "url": FORM_URL}}, frozenset()),
    ({"select": "tab-1"}, frozenset()),
    ({"raise_window": 1}, frozenset()),
    ({"permission": {"name": "remote_automation", "value": False}}, ALL),
)
TELLS: tuple[Step, ...] = (
    {"tell": "cancel"},
    {"tell": "task_end"},
    FRESH,
    {"tell": "user_input", "data": {"text": "buy two", "source": "queued", "interactive": True}},
    {"tell": "session_switch"},
    {"tell": "revoke"},
)


@st.composite
def surroundings(draw: st.DrawFn) -> dict[str, Any]:
    """World, and who allows; half of them have a full grant and pages that stay as they are, where most is done."""
    world: dict[str, Any] = {"needs": True, "windows": [*WINDOWS], "pages": {**PAGES}}
    sections: dict[str, Any] = {"world": world, "settings": {"consent": {}}, "modes": ["form"], "bounds": BOUNDS}
    if draw(st.booleans()):
        return sections
    move = draw(st.sampled_from(["", *MOVES]))
    if move:
        timer = {"after_ms": draw(st.sampled_from([150, 600, 1500])), "do": [MOVES[move]]}
        world["pages"][SHOP_URL] = {**PAGES[SHOP_URL], "timers": [timer]}
    if draw(st.booleans()):
        world["uids"] = "document"
    if draw(st.booleans()):
        sections["settings"] = {"consent": {"judge": dict(JUDGE)}}
        sections["programs"] = {"judge": {"answers": draw(st.lists(st.sampled_from(ANSWERS), min_size=1, max_size=3))}}
        sections["canaries"] = [{"name": "the judge's key", "value": SECRET, "allowed": ["wire.judge.*"]}]
    elif draw(st.booleans()):
        del sections["settings"], sections["modes"]
    return sections


def begins(sections: Sections) -> tuple[Step, ...]:
    """What allows, where anything does, and the three tabs."""
    allows: tuple[Step, ...] = ()
    if "settings" in sections:
        allows = (FRESH,) if "judge" in sections["settings"]["consent"] else (GRANT,)
    return (*allows, *(opens(url) for url in URLS.values()))


def ready(sections: Sections) -> frozenset[str]:
    plain = begins(sections)[0] is GRANT and "timers" not in sections["world"]["pages"][SHOP_URL]
    return ALL if plain and "uids" not in sections["world"] else frozenset()


SAFARI_MCP = Vocabulary(
    system="safari-mcp",
    about=("safaridriver", "judge"),
    surroundings=surroundings(),
    ready=ready,
    looks=LOOKS,
    acts=ACTS,
    strays=STRAYS,
    changes=CHANGES,
    tells=TELLS,
    answers=lambda sections: (),
    waits_ms=(50, 400, 1000, 21_000, 310_000),
    begins=begins,
    doubts=frozenset({"session_switch", "revoke", "wait_ms"}),
    again={"call": "tabs"},
)
