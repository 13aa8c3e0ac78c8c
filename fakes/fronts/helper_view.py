"""How the helper draws a window and the list of apps as text, and the picture that goes with it.

The grammar follows what clients have published of the real one: a header, one line an element with its index, role,
name and attributes, indented by tabs, and a last line about the keyboard.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.worlds.desktop import View
    from fakes.worlds.desktop_apps import App, Element

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""A PNG of one pixel, in base64."""


def app_line(app: App, front: bool) -> str:
    """One line of list_apps."""
    flags = [*(["running"] if app.running else []), *(["frontmost"] if front else [])]
    flags += ["last-used=2025-12-01", f"uses={app.uses}"]
    return f"{app.name} — {app.bundle} [{', '.join(flags)}]"


def state_text(app: App, view: View) -> str:
    """The text of get_app_state, and of the answer to an action."""
    lines = [f"App={app.bundle} (pid {app.pid})", f'Window: "{view.window.title}", App: {app.name}.']
    focused = "No UI element is currently focused."
    for index, (depth, element) in enumerate(view.nodes):
        line = _line(index, element)
        lines.append("\t" * (depth + 1) + line)
        if element.id == app.focus:
            focused = f"The focused UI element is {line}."
    return "\n".join([*lines, "", focused, ""])


def _line(index: int, element: Element) -> str:
    flags = " (settable)" if element.settable else ""
    name = f" {element.title}" if element.title else ""
    attributes = []
    if element.value is not None:
        attributes.append(f"Value: {'•' * len(element.value) if element.secret else element.value}")
    if element.selected is not None:
        attributes.append(f"Selected: {element.selected}")
    if element.actions:
        attributes.append(f"Secondary Actions: {', '.join(element.actions)}")
    return f"{index} {element.role}{flags}{name}" + "".join(
        (" " if n == 0 and not name else ", ") + each for n, each in enumerate(attributes)
    )
