"""What may happen to Safari by itself, one function a key: faults of the world, a person at the Mac, a page.

A change is `{key: value}` in a fault plan or a scenario. The same table makes the list in the documentation.
"""

from __future__ import annotations

from fakes.settings import REQUIRED, SettingsProblem, read
from fakes.worlds import safari_loading as loading
from fakes.worlds.page import check_effects
from fakes.worlds.page_url import BLANK
from fakes.worlds.safari_windows import Process, numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fakes.settings import Table
    from fakes.worlds.safari import Safari
    from harness.wire.jsontext import Json


def _read(given: Json, /, **kinds: str) -> dict[str, Any]:
    """Members of an object: name -> kind; a kind that ends in `?` may be absent, and is None then."""
    table: Table = {
        name: (kind.rstrip("?"), None if kind.endswith("?") else REQUIRED, "") for name, kind in kinds.items()
    }
    return read(given, table, "the change")


def _truth(value: Json) -> bool:
    if not isinstance(value, bool):
        raise SettingsProblem(f"{value!r}", "true or false", "correct it")
    return value


def _navigate(world: Safari, by: str, value: Json) -> None:
    given = _read(value, tab="text", url="text")
    loading.begin(world, world.tab(given["tab"]), given["url"], by)


def _reload(world: Safari, by: str, value: Json) -> None:
    world.reload(world.tab(_read(value, tab="text")["tab"]).document, by)


def _close_tab(world: Safari, by: str, value: Json) -> None:
    world.drop_tab(world.tab(str(value)), by)


def _open_tab(world: Safari, by: str, value: Json) -> None:
    """In a window, the front one where none is named; by the user, so it becomes current."""
    given = _read(value, window="int?", url="text")
    if given["window"] is None and not world.windows:
        raise SettingsProblem("no window", "a window for the tab", "give the world a window")
    window = world.windows[0] if given["window"] is None else world.window(given["window"])
    tab = world.new_tab(window)
    world.changed(by, opened=tab.key)
    world.select_tab(tab, by)
    if given["url"] != BLANK:
        loading.begin(world, tab, given["url"], by)


def _select(world: Safari, by: str, value: Json) -> None:
    world.select_tab(world.tab(str(value)), by)


def _close_window(world: Safari, by: str, value: Json) -> None:
    world.drop_window(world.window(value), by)


def _raise_window(world: Safari, by: str, value: Json) -> None:
    world.raise_window(by, world.window(value))


def _move_window(world: Safari, by: str, value: Json) -> None:
    given = _read(value, window="int", bounds="list")
    world.move_window(by, world.window(given["window"]), numbers(given["bounds"], "bounds"))


def _move_tab(world: Safari, by: str, value: Json) -> None:
    given = _read(value, tab="text", index="int")
    tab = world.tab(given["tab"])
    tabs = tab.window.tabs
    if not 0 <= given["index"] < len(tabs):
        raise SettingsProblem(f"index {given['index']}", f"a place from 0 to {len(tabs) - 1}", "correct it")
    current = tab.window.tab
    tabs.remove(tab)
    tabs.insert(given["index"], tab)
    if current is not None:
        tab.window.current = tabs.index(current)
    world.changed(by, tab=tab.key, index=given["index"])


def _page(world: Safari, by: str, value: Json) -> None:
    given = _read(value, tab="text", do="list")
    check_effects(given["do"], "the change")
    world.page_does(world.tab(given["tab"]).document, given["do"], by)


def _title(world: Safari, by: str, value: Json) -> None:
    given = _read(value, tab="text", title="text")
    tab = world.tab(given["tab"])
    tab.document.page.title = given["title"]
    tab.given_title = None
    world.changed(by, tab=tab.key, title=given["title"])


def _dialog(world: Safari, by: str, value: Json) -> None:
    given = _read(value, tab="text", text="text")
    world.dialog(world.tab(given["tab"]).document, "alert", given["text"], by, lambda accepted, text: None)


def _answer_dialog(world: Safari, by: str, value: Json) -> None:
    given = _read(value, tab="text", accept="bool")
    tab = world.tab(given["tab"])
    if not tab.dialogs:
        raise SettingsProblem(f"no dialog in {tab.key}", "an open dialog", "open one first")
    world.answer_dialog(tab, given["accept"], "", by)


def _locked(world: Safari, by: str, value: Json) -> None:
    world.locked = _truth(value)
    world.changed(by, locked=world.locked)


def _permission(world: Safari, by: str, value: Json) -> None:
    given = _read(value, name="text", value="any")
    world.permit(given["name"], given["value"])
    world.changed(by, permission=given["name"], value=given["value"])


def _process(world: Safari, by: str, value: Json) -> None:
    given = _read(value, pid="int", running="bool")
    for process in world.processes:
        if process.pid == given["pid"]:
            process.running = given["running"]
            break
    else:
        world.processes.append(Process(given["pid"], given["running"]))
    world.changed(by, process=given["pid"], running=given["running"])


def _crash(world: Safari, by: str, value: Json) -> None:
    """A Safari is gone with its windows."""
    if value not in [process.pid for process in world.processes if process.running]:
        raise SettingsProblem(f"process {value!r}", "a Safari that runs", "correct it")
    for window in [window for window in world.windows if window.pid == value]:
        _close_window(world, by, window.id)
    _process(world, by, {"pid": value, "running": False})


def _apple_event(world: Safari, by: str, value: Json) -> None:
    from fakes.worlds.safari_events import expect_error  # only runs with osascript have it loaded anyway

    expect_error(world, by, value)


CHANGES: dict[str, tuple[Callable[[Safari, str, Json], None], str]] = {
    "navigate": (_navigate, "{tab, url}: the tab goes to another URL"),
    "reload": (_reload, "{tab}: the tab loads its URL again, into a new document"),
    "close_tab": (_close_tab, "tab: it is closed"),
    "open_tab": (_open_tab, "{window, url}: the user opens a tab, in the front window where none is named"),
    "select": (_select, "tab: it becomes the current one of its window"),
    "close_window": (_close_window, "number of a window: it is closed with its tabs"),
    "raise_window": (_raise_window, "number of a window: it comes to the front"),
    "move_window": (_move_window, "{window, bounds}: it is moved or resized"),
    "move_tab": (_move_tab, "{tab, index}: it is moved within its window"),
    "page": (_page, "{tab, do}: the page does these effects by itself"),
    "title": (_title, "{tab, title}: its document gets another title"),
    "dialog": (_dialog, "{tab, text}: an alert opens"),
    "answer_dialog": (_answer_dialog, "{tab, accept}: the user closes the open dialog"),
    "locked": (_locked, "true or false: the screen is locked or unlocked"),
    "permission": (_permission, "{name, value}: a permission is given or taken away"),
    "process": (_process, "{pid, running}: a Safari starts or ends; its windows stay as they are"),
    "apple_event": (_apple_event, "the next Apple Event gets this error; see fakes/worlds/safari_events.py"),
    "crash": (_crash, "pid: that Safari is gone with its windows"),
}
"""Key -> (function, what its value is and means). A tab is named by its key (`tab-1`) or its handle."""
