"""What may happen to a desktop by itself, one function a key: faults of the world, and a person at the Mac.

A change is `{key: value}` in a fault plan or a scenario. Keys with their values are in `CHANGES`; the same table makes
the list in the documentation.
"""

from __future__ import annotations

from fakes.settings import SettingsProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.worlds.desktop import Desktop
    from harness.wire.jsontext import Json


def _truth(value: Json) -> bool:
    if not isinstance(value, bool):
        raise SettingsProblem(f"{value!r}", "true or false", "correct it")
    return value


def _fields(value: Json, *names: str) -> list[str]:
    if (
        not isinstance(value, dict)
        or sorted(value) != sorted(names)
        or not all(isinstance(v, str) for v in value.values())
    ):
        raise SettingsProblem(f"{value!r}", f"an object with {', '.join(names)}", "correct it")
    return [str(value[name]) for name in names]


def _locked(desktop: Desktop, by: str, value: Json) -> None:
    desktop.locked = _truth(value)
    desktop.changed(by, locked=desktop.locked)
    desktop.wake("locked")


def _front(desktop: Desktop, by: str, value: Json) -> None:
    desktop.activate(desktop.app(str(value)), by)


def _user_changed(desktop: Desktop, by: str, value: Json) -> None:
    app = desktop.app(str(value))
    app.generation += 1
    desktop.changed(by, user_changed=app.key)


def _value(desktop: Desktop, by: str, value: Json) -> None:
    key, node, text = _fields(value, "app", "node", "value")
    app = desktop.app(key)
    for window in app.windows:
        element = window.find(node)
        if element is not None:
            element.value = text
            app.generation += 1
            desktop.changed(by, app=app.key, node=node, value="" if element.secret else text)
            return
    raise SettingsProblem(f"node {node!r}", f"a node of {app.key}", "name an element's id")


def _app_quit(desktop: Desktop, by: str, value: Json) -> None:
    app = desktop.app(str(value))
    app.running = False
    desktop.changed(by, app_quit=app.key)
    for p, key in list(desktop.views):
        if key == app.key:
            desktop.release(p, key)
    if desktop.front is app:
        others = [other for other in desktop.apps if other.running]
        if others:
            desktop.activate(others[0], by)


def _app_started(desktop: Desktop, by: str, value: Json) -> None:
    app = desktop.app(str(value))
    app.running = True
    desktop.changed(by, app_started=app.key)


def _window_gone(desktop: Desktop, by: str, value: Json) -> None:
    for app in desktop.apps:
        for window in app.windows:
            if window.id == value:
                window.hidden = True
                desktop.changed(by, window=window.id, hidden=True)
                return
    raise SettingsProblem(f"window {value!r}", "a window of the world", "name a window's id")


def _approval(desktop: Desktop, by: str, value: Json) -> None:
    key, kind = _fields(value, "app", "kind")
    if kind not in ("always", "session", "denied", "none"):
        raise SettingsProblem(f"kind {kind!r}", "always, session, denied or none", "correct it")
    app = desktop.app(key)
    desktop.store(app, kind)
    desktop.changed(by, approval=app.key, kind=kind)


def _unresponsive(desktop: Desktop, by: str, value: Json) -> None:
    app = desktop.app(str(value))
    desktop.unresponsive.add(app.key)
    desktop.changed(by, unresponsive=app.key)


def _authenticated(desktop: Desktop, by: str, value: Json) -> None:
    desktop.authenticated = _truth(value)
    desktop.changed(by, authenticated=desktop.authenticated)


def _runtime(desktop: Desktop, by: str, value: Json) -> None:
    desktop.runtime = _truth(value)
    desktop.changed(by, runtime=desktop.runtime)


CHANGES: dict[str, tuple[Callable[[Desktop, str, Json], None], str]] = {
    "locked": (_locked, "true or false: the lock screen comes up or goes"),
    "front": (_front, "app key: the app comes to the front"),
    "user_changed": (_user_changed, "app key: the user worked in the app, so that earlier views of it are stale"),
    "value": (_value, "{app, node, value}: the user changed the value of an element"),
    "app_quit": (_app_quit, "app key: the app ends, and with it the leases on it"),
    "app_started": (_app_started, "app key: the app runs again"),
    "window_gone": (_window_gone, "window id: the window leaves the screen"),
    "approval": (_approval, "{app, kind}: always, session, denied, or none to revoke"),
    "unresponsive": (_unresponsive, "app key: the app does not answer any more"),
    "authenticated": (_authenticated, "true or false: whether the helper accepts its client"),
    "runtime": (_runtime, "true or false: whether the helper's runtime app is there"),
}
"""Key -> (function, what its value is and means)."""
