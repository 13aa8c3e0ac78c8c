"""A Mac desktop: what is on it, what Computer Use may do with it, and what really happened.

Approvals, leases, focus and the lock screen are kept here, so that every program of a run sees the same. Whatever a
client is shown, and whatever is done, held, refused or changed is a line of the world record:

- an app is named in it by its key (bundle identifier), a node by its element's id, a window by its id;
- `shown.ref` is `KEY` for an app and `KEY/INDEX` for an element, INDEX being the element index that the client got;
- `effect.target` has app, window and node where the verb names an element, and app alone where it names an app;
  `landed` then says where it came down;
- `unsaid` says that an answer did not tell whether anything was done;
- `effect.needs` names the approval that the effect requires, `effect.grant` the one that was valid at that instant.
"""

from __future__ import annotations

from fakes.settings import SettingsProblem, read
from fakes.worlds.desktop_apps import DEFAULT_APPS, apps
from fakes.worlds.desktop_changes import CHANGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from fakes.settings import Table
    from fakes.worlds.desktop_apps import App, Element, Window
    from harness.serve.machine import Record
    from harness.wire.jsontext import Json

KEYS: Table = {
    "apps": ("list", DEFAULT_APPS, "installed apps"),
    "front": ("text or null", None, "key of the app in front; the first running one where absent"),
    "locked": ("bool", False, "whether the lock screen is up"),
    "macos": ("int", 26, "major version of macOS: decides how lsappinfo writes"),
    "authenticated": ("bool", True, "whether the helper accepts the process that talks to it"),
    "runtime": ("bool", True, "whether the helper's runtime app is installed"),
    "approvals": ("object", {}, "app key to always, session or denied: what is stored before the run"),
    "user": ("object", {}, "app key to accept or decline: what the user really wants, by which grants are judged"),
}
STORED = ("always", "session", "denied")
ELEMENT_VERBS = ("click", "perform_secondary_action", "set_value", "select_text", "scroll")
"""Verbs that name an element; click may name a point in its place."""


class Refused(Exception):
    """Computer Use did not do it. reason is a key of `helper_errors.ERRORS`; facts fill in its text."""

    def __init__(self, reason: str, **facts: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


class Grant:
    """One approval. kind: once (for `call` alone), session (for process `p`), always. real: the user wants it."""

    __slots__ = ("name", "app", "kind", "p", "call", "real")

    def __init__(self, name: str, app: str, kind: str, p: int, call: str, real: bool) -> None:
        self.name = name
        self.app = app
        self.kind = kind
        self.p = p
        self.call = call
        self.real = real

    def covers(self, app: App, p: int, call: str) -> bool:
        if self.app != app.key:
            return False
        return self.kind == "always" or (self.p in (0, p) if self.kind == "session" else self.call == call)


class View:
    """What one process was last shown of one app: element index to (window, element), and how old it is."""

    __slots__ = ("generation", "window", "nodes")

    def __init__(self, generation: int, window: Window, nodes: list[tuple[int, Element]]) -> None:
        self.generation = generation
        self.window = window
        self.nodes = nodes


class Desktop:
    """See the module. Built with the stage as its record, and the run sheet's `world`."""

    def __init__(self, record: Record, settings: Mapping[str, Json]) -> None:
        values = read(dict(settings), KEYS, "world")
        self._record = record
        self.apps = apps(values["apps"])
        self.locked = bool(values["locked"])
        self.macos = int(values["macos"])
        self.authenticated = bool(values["authenticated"])
        self.runtime = bool(values["runtime"])
        self.unresponsive: set[str] = set()
        self.denied: set[str] = set()
        self.grants: list[Grant] = []
        self.views: dict[tuple[int, str], View] = {}
        self.fronts: list[tuple[App, App | None]] = []
        """Every change of the app in front: (now in front, before it)."""
        self.wants = self._checked(values["user"], ("accept", "decline"), "user")
        for key, stored in self._checked(values["approvals"], STORED, "approvals").items():
            self.store(self.app(key), stored)
        running = [app.key for app in self.apps if app.running]
        front = values["front"] or (running[0] if running else None)
        self.front: App | None = self.app(str(front)) if front else None

    def _checked(self, given: Json, words: tuple[str, ...], where: str) -> dict[str, str]:
        assert isinstance(given, dict)
        for key, word in given.items():
            if word not in words:
                raise SettingsProblem(f"{word!r} for {key!r} in world.{where}", " or ".join(words), "correct it")
            self.app(key)
        return given

    def app(self, key: str) -> App:
        """The app with this key. Raises SettingsProblem where none has it."""
        for app in self.apps:
            if app.key == key:
                return app
        raise SettingsProblem(
            f"app {key!r}", f"one of {', '.join(a.key for a in self.apps)}", "name an app of the world"
        )

    def installed(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """(bundle identifier, path, names) of each app, for the host of a run."""
        return [(app.bundle, app.path, (app.name,)) for app in self.apps]

    # What machines wait for and tell

    def now_ms(self) -> float:
        """Milliseconds since the run began."""
        return self._record.now_ms()

    def wake(self, key: str) -> None:
        self._record.wake(key)

    def note(self, e: str, **fields: Json) -> int:
        """A line of the world record that a front writes itself: `violation`, `unsaid`."""
        return self._record.record(e, **fields)

    # What a client asks for

    def resolve(self, name: str) -> App:
        """The one app with that name, path or bundle identifier. Raises Refused: no_app, or many_apps."""
        exact = [app for app in self.apps if name in (app.path, app.bundle)]
        found = exact or [app for app in self.apps if app.name.lower() == name.lower()]
        if len(found) > 1:
            raise Refused("many_apps", app=name, found=", ".join(app.path for app in found))
        if not found:
            raise Refused("no_app", app=name)
        return found[0]

    def list_apps(self, p: int) -> list[App]:
        """All apps, shown to process `p`: the running ones first, each in the order of the run sheet."""
        if not self.authenticated:
            raise Refused("not_authenticated")
        found = sorted(self.apps, key=lambda app: not app.running)
        for app in found:
            self._record.record("shown", p=p, ref=app.key, what={"app": app.key})
        return found

    def look(self, p: int, app: App) -> View:
        """The front window of `app`, shown to process `p`, which holds the lease on the app from now on."""
        self.refuse_unready(app)
        window = app.window()
        if not app.running or window is None:
            raise Refused("no_window" if app.running or not app.windows else "window_gone", app=app.name)
        view = View(app.generation, window, list(window.walk()))
        if (p, app.key) not in self.views:
            self._record.record("held", p=p, what="lease", id=app.key)
        self.views[p, app.key] = view
        self._record.record("shown", p=p, ref=app.key, what={"app": app.key})
        for index, (_, element) in enumerate(view.nodes):
            what = {"app": app.key, "window": window.id, "node": element.id}
            self._record.record("shown", p=p, ref=f"{app.key}/{index}", what=what)
        return view

    def refuse_unready(self, app: App) -> None:
        """Raises Refused where nothing can be done with the app now."""
        for reason, holds in (
            ("not_authenticated", not self.authenticated),
            ("runtime_missing", not self.runtime),
            ("blocked", app.blocked),
            ("locked", self.locked),
            ("unresponsive", app.key in self.unresponsive),
        ):
            if holds:
                raise Refused(reason, app=app.name, bundle=app.bundle)

    def node(self, p: int, app: App, index: str) -> Element:
        """What element index stands for in the last view of process `p`. Raises Refused."""
        view = self.view(p, app)
        if not index.isascii() or not index.isdigit() or int(index) >= len(view.nodes):
            raise Refused("no_element", app=app.name, index=index)
        return view.nodes[int(index)][1]

    def view(self, p: int, app: App) -> View:
        """The last view of process `p`, where it still holds. Raises Refused."""
        view = self.views.get((p, app.key))
        if view is None or not app.running:
            raise Refused("not_active", app=app.name)
        if view.generation != app.generation:
            raise Refused("user_changed", app=app.name)
        if view.window.hidden or view.window not in app.windows:
            raise Refused("window_gone", app=app.name)
        return view

    def act(
        self,
        p: int,
        app: App,
        verb: str,
        *,
        element: Element | None,
        point: tuple[float, float] | None,
        value: Json,
        needs: bool,
        call: str,
    ) -> int:
        """Carry out one action in the world: its number in the record. Raises Refused, and then nothing has happened.

        element: what a verb that names one names; point: where a click without one goes; needs: whether the helper
        asks for approvals at all; call: token of the tool call, for which an approval may have been given alone.
        """
        self.refuse_unready(app)
        view = self.view(p, app)
        grant = self.grant(app, p, call)
        if needs and grant is None:
            raise Refused("denied", app=app.name, bundle=app.bundle)
        _refuse_unfit(app, verb, element, value)
        target: dict[str, Json] = {"app": app.key}
        fields: dict[str, Json] = {}
        if element is not None:
            target.update(window=view.window.id, node=element.id)
        else:
            landed = view.window.under(*point) if point else view.window.find(app.focus or "")
            fields["landed"] = {"window": view.window.id, "node": landed.id if landed else None}
            element = landed
        if needs:
            fields["needs"] = f"app:{app.key}"
            fields["grant"] = grant.name if grant and grant.real else None
        n = self._record.record("effect", p=p, verb=verb, target=target, value=value, **fields)
        self._follow(app, verb, element, value, n)
        if verb in app.activates:
            self.activate(app, f"effect:{n}")
        return n

    def _follow(self, app: App, verb: str, element: Element | None, value: Json, n: int) -> None:
        """What the app itself does after an effect."""
        if element is None:
            return
        new: str | None = None
        if verb == "set_value" or (verb == "type_text" and element.settable):
            new = str(value) if verb == "set_value" else (element.value or "") + str(value)
        elif verb == "select_text":
            element.selected = str(value)
        elif verb == "click":
            if element.role == "checkbox":
                new = "0" if element.value == "1" else "1"
            if element.settable:
                app.focus = element.id
            for window in app.windows:
                if window.id in (element.opens, element.closes):
                    window.hidden = window.id == element.closes
                    self.changed(f"effect:{n}", window=window.id, hidden=window.hidden)
        if new is not None:
            element.value = new
            self.changed(f"effect:{n}", app=app.key, node=element.id, value="" if element.secret else new)

    def refused(self, p: int, verb: str, why: str, app: str | None) -> None:
        self._record.record("refused", p=p, verb=verb, why=why, app=app)

    # Approvals

    def grant(self, app: App, p: int, call: str) -> Grant | None:
        """The approval that lets process `p` use the app in this call; None where none does."""
        if app.key in self.denied:
            return None
        return next((grant for grant in self.grants if grant.covers(app, p, call)), None)

    def approve(self, p: int, app: App, kind: str, call: str) -> None:
        """The helper was told that the user approves: once, for the session, or always."""
        wanted = self.wants.get(app.key, "accept") == "accept"
        self._grant(app, kind, p, call, wanted)
        self.changed(f"answer:{p}", approval=app.key, kind=kind, grant=self.grants[-1].name)

    def store(self, app: App, kind: str) -> None:
        """An approval or denial that was not asked for in this run. kind `none` takes all of them away."""
        self.grants = [grant for grant in self.grants if grant.app != app.key]
        self.denied.discard(app.key)
        if kind == "denied":
            self.denied.add(app.key)
        elif kind in ("always", "session"):
            self._grant(app, kind, 0, "", True)

    def _grant(self, app: App, kind: str, p: int, call: str, real: bool) -> None:
        self.grants.append(Grant(f"g{len(self.grants) + 1}", app.key, kind, p, call, real))

    # Focus, processes, and what happens by itself

    def activate(self, app: App, by: str) -> None:
        """The app comes to the front."""
        if app is not self.front:
            before, self.front = self.front, app
            self.fronts.append((app, before))
            self.changed(by, front=app.key)
            self.wake("front")

    def release(self, p: int, app: str | None = None) -> None:
        """Process `p` gives up its leases: all, or the one on the app with this key."""
        for held, key in [view for view in self.views if view[0] == p and app in (None, view[1])]:
            del self.views[held, key]
            self._record.record("freed", p=p, what="lease", id=key)

    def process_ended(self, p: int) -> None:
        """Process `p` is gone, however it ended: its leases with it."""
        self.release(p)

    def changed(self, by: str, **what: Json) -> None:
        self._record.record("changed", what=what, by=by)

    def change(self, by: str, **what: Json) -> None:
        """The world changes by itself; keys are those of `CHANGES`. Raises ValueError for any other, or a bad value."""
        for key in what:
            if key not in CHANGES:
                raise ValueError(f"saw change {key!r}; expected one of {', '.join(sorted(CHANGES))}")
        for key, value in what.items():
            try:
                CHANGES[key][0](self, by, value)
            except SettingsProblem as problem:
                raise ValueError(f"change {key!r}: {problem}") from None


def _refuse_unfit(app: App, verb: str, element: Element | None, value: Json) -> None:
    if element is None:
        return
    if verb == "set_value" and not element.settable:
        raise Refused("not_settable", app=app.name, index=element.id)
    if verb == "perform_secondary_action" and value not in element.actions:
        raise Refused("no_action", app=app.name, action=str(value))
    if verb == "select_text" and str(value) not in (element.value or ""):
        raise Refused("no_text", app=app.name)
