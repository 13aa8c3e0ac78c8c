"""What may happen in the fake browser by itself, one function a change: by the user, the page, or a fault."""

from __future__ import annotations

from fakes.worlds.chrome_pages import origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from fakes.worlds.chrome import Browser, Chrome, Tab

VIEW = ("device_pixel_ratio", "frame_offset", "outer", "screen", "scroll", "viewport", "zoom")
"""What may change around a page while it stays as it is."""


class TabClosed(Exception):
    """The change is about a tab that there was: two things may happen to it, and the first may close it."""


def _tab(world: Chrome, value: Any) -> tuple[Browser, Tab]:
    id = value["tab"] if isinstance(value, dict) else value
    if id in world.closed:
        raise TabClosed
    for browser in world.browsers:
        if id in browser.tabs:
            return browser, browser.tabs[id]
    raise ValueError(f"saw tab {id!r}; no browser has it")


def _browser(world: Chrome, value: Any) -> Browser:
    return world.browsers[int(value["browser"]) if isinstance(value, dict) and "browser" in value else 0]


def _navigate(world: Chrome, by: str, value: Any) -> None:
    browser, tab = _tab(world, value)
    world.navigate(browser, tab, value["page"], by)


def _back(world: Chrome, by: str, value: Any) -> None:
    """The document before comes out of the cache as it was, and the one that was shown goes into it."""
    browser, tab = _tab(world, value)
    before = tab.cached.pop()
    tab.cached.append(tab.document)
    tab.document = before
    world.changed(by, tab=str(tab.id), document=before.key)
    world.tell(browser, "tab_navigated", tab_id=tab.id, frame_id=0, document_id=before.id)


def _push_state(world: Chrome, by: str, value: Any) -> None:
    browser, tab = _tab(world, value)
    tab.document.url = value["url"]
    world.changed(by, tab=str(tab.id), url=value["url"])
    world.tell(browser, "same_document", tab_id=tab.id, frame_id=0, document_id=tab.document.id)


def _close_tab(world: Chrome, by: str, value: Any) -> None:
    browser, tab = _tab(world, value)
    del browser.tabs[tab.id]
    world.closed.add(tab.id)
    others = [each.id for each in browser.tabs.values() if each.window == tab.window]
    if browser.active.get(tab.window) == tab.id and others:
        browser.active[tab.window] = others[0]
    world.changed(by, closed=str(tab.id))
    world.tell(browser, "tab_closed", tab_id=tab.id)


def _crash(world: Chrome, by: str, value: Any) -> None:
    _, tab = _tab(world, value)
    tab.document.crashed = True
    world.changed(by, tab=str(tab.id), crashed=True)


def _activate(world: Chrome, by: str, value: Any) -> None:
    browser, tab = _tab(world, value)
    browser.active[tab.window] = tab.id
    browser.focused = tab.window
    world.changed(by, front=str(tab.id))


def _front(world: Chrome, by: str, value: Any) -> None:
    world.front = str(value)
    world.changed(by, front=world.front)


def _allow(world: Chrome, by: str, value: Any) -> None:
    browser = _browser(world, value)
    browser.allowed.append(value["site"])
    world.changed(by, allowed=value["site"])
    world.tell(browser, "permission_granted")


def _revoke(world: Chrome, by: str, value: Any) -> None:
    browser = _browser(world, value)
    site = value["site"]
    if site not in (*browser.allowed, *map(origin, world.pages.values())):
        raise ValueError(f"saw site {site!r}, which is neither allowed nor any page's")
    told = site in browser.allowed
    browser.allowed = [each for each in browser.allowed if each != site]
    world.changed(by, revoked=site)
    if told:
        world.tell(browser, "permission_revoked")


def _node(world: Chrome, by: str, value: Any) -> None:
    """Other text, state or place of a node: also how a virtualised list recycles one."""
    _, tab = _tab(world, value)
    node = tab.document.node(value["node"])
    for name in ("name", "role", "hidden", "bounds"):
        if name in value:
            setattr(node, name, value[name])
    node.states.update(value.get("states", {}))
    world.changed(by, tab=str(tab.id), node=node.id)


def _replace(world: Chrome, by: str, value: Any) -> None:
    """The page renders a node anew: another element of the same look."""
    _, tab = _tab(world, value)
    old = tab.document.node(value["node"])
    index = tab.document.nodes.index(old)
    new = object.__new__(type(old))
    new.__dict__.update(old.__dict__)
    tab.document.nodes[index] = new
    world.changed(by, tab=str(tab.id), replaced=old.id)


def _hang(world: Chrome, by: str, value: Any) -> None:
    _, tab = _tab(world, value)
    tab.document.hang = bool(value["on"])
    world.changed(by, tab=str(tab.id), hang=tab.document.hang)


def _order(order: str) -> Callable[[Chrome, str, Any], None]:
    def give(world: Chrome, by: str, value: Any) -> None:
        world.changed(by, ordered=order)
        world.order(_browser(world, value), order)

    return give


def _moves(world: Chrome, by: str, value: Any) -> None:
    x, y = value
    world.moves = [float(x), float(y)]
    world.changed(by, moves=value)


def _view(world: Chrome, by: str, value: Any) -> None:
    """The window around a page: each of its numbers may change by itself, as the user or the browser has it."""
    _, tab = _tab(world, value)
    given = {name: each for name, each in value.items() if name != "tab"}
    unknown = set(given) - set(VIEW)
    if unknown or not given:
        raise ValueError(f"saw {sorted(unknown) or 'nothing'} of a view; expected some of {', '.join(VIEW)}")
    tab.document.view.update(given)
    world.changed(by, tab=str(tab.id), view=given)


def _move_tab(world: Chrome, by: str, value: Any) -> None:
    """The user drags a tab into another window."""
    browser, tab = _tab(world, value)
    tab.window = int(value["window"])
    browser.active[tab.window] = tab.id
    world.changed(by, tab=str(tab.id), window=tab.window)


def _steals(world: Chrome, by: str, value: Any) -> None:
    world.steals = str(value)
    world.changed(by, steals=world.steals)


CHANGES: Mapping[str, tuple[Callable[[Chrome, str, Any], None], str]] = {
    "navigate": (_navigate, "{tab, page}: the tab goes to another page"),
    "back": (_back, "{tab}: back to the document before, out of the cache"),
    "push_state": (_push_state, "{tab, url}: another address of the same document"),
    "close_tab": (_close_tab, "{tab}"),
    "crash": (_crash, "{tab}: its process dies"),
    "activate": (_activate, "{tab}: the user brings it to the front of its browser"),
    "front": (_front, "`browser N`, or the name of another application"),
    "allow": (_allow, "{site}: the user allows a site"),
    "revoke": (_revoke, "{site}: the user takes that back"),
    "node": (_node, "{tab, node, name, role, states, hidden, bounds}: a node becomes another"),
    "replace": (_replace, "{tab, node}: the page renders a node anew"),
    "hang": (_hang, "{tab, on}: nothing on the page answers"),
    "kill_worker": (_order("kill worker"), "{browser}: the browser stops the extension's worker"),
    "kill_host": (_order("kill host"), "{browser}: somebody kills the native host"),
    "close_browser": (_order("close browser"), "{browser}: the user closes the browser"),
    "disconnect": (_order("disconnect"), "{browser}: the user disconnects by the extension's button"),
    "view": (_view, "{tab} and new values of what a rectangle says of the window around the page"),
    "move_tab": (_move_tab, "{tab, window}: the user drags it into another window"),
    "moves": (_moves, "[x, y]: the page moves so far after a node was next located"),
    "steals": (_steals, "name of an application that comes to the front in place of the browser"),
}
"""Change -> (what it does, its value)."""
