"""docs/fakes-safari.md from the tables of the Safari world and of safaridriver: `python -m fakes.worlds.describe`.

Separate from the tables, so that no program loads what describes it. The document is a pure function of the tables.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from fakes.fronts import osascript, safaridriver_settings
from fakes.fronts.osascript_texts import TEXTS
from fakes.fronts.safaridriver_tools import SCHEMAS, TAB_ARGUMENT
from fakes.settings import REQUIRED
from fakes.worlds import page_settings, safari, safari_events, safari_windows
from fakes.worlds.safari_changes import CHANGES
from harness.wire.jsontext import dumps
from harness.written import keep, markdown_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fakes.settings import Table

PATH = Path(__file__).resolve().parents[2] / "docs" / "fakes-safari.md"
HEAD = """# The fake Safari and its driver
Generated from the tables under fakes/ by `python -m fakes.worlds.describe`; a test compares it with them.

`safaridriver --mcp` over a Safari with windows, tabs and pages. No recording of Apple's program exists: what it does is
taken from trailcam facts on Safari MCP (clients' code and notes, WebKit's source, Apple's own words), every such fact
is a check under tests/fakes/safaridriver, and none of them has been run on the real program yet: on a Mac
`python -m tests.fakes.safaridriver.real` does that. What the sources leave open is a setting, or said to be ours where
it stands.

## What the record says
`shown.ref` is the handle of a tab, or `HANDLE/UID` for a node; a reference is written again only when it comes to stand
for something else. `effect.target` is `{tab}`, or `{tab, document, node}` where a node was named; tabs of the user's
own windows have `window` before them. Choosing a tab is no effect but `changed {selected}`. An automation window is
`held` by its session, and `freed` at its end; a signal of the client leaves it held. A dialog that holds a call is
`held` too.

"""
EVENTS = """
## Apple Events
`osascript -l JavaScript` runs a script in a real JavaScript engine; what of JavaScript for Automation it has is in
fakes/fronts/osascript_prelude.js. No recording of the real program exists: the checks under tests/fakes/osascript hold
it to its manual page and to reports (trailcam facts on JXA). Every event is a line `apple_event` of the record, with
`request`, the number of lines of input that the script had been given. `shown.ref` is `WINDOW` for a window,
`WINDOW/page` for its current tab, `WINDOW/NODE` for a node that a page program offered. Errors by number:

"""
PAGES = """
## Pages
A page is data: elements, and what they do as a list of effects. On the model they are carried out in virtual time; for
a real engine `fakes.worlds.page_html.render` writes the page as HTML with a fixed script that does the same. JavaScript
that a client sends is answered on the model for the page programs of fakes/worlds/programs.json alone, by hash; any
other is an error, never a value.

"""
LEFT_OUT = {
    "files": "pictures and large content are named by a path, and no file is written; an engine takes the picture",
    "layout": "boxes of elements without `at` are plain lines; an engine lays out by its fonts",
    "page programs": "selectors beyond fakes/worlds/page_select.py are an error that says so",
    "text extraction": "which class and id words are shown is decided by their letters, not by a dictionary",
    "html format": "its markup is ours",
    "history": "going back loads the page anew; there is no cache of documents",
    "WebDriver": "`-p` needs the network, which a machine has not; it is served by a program over this one",
}
"""What -> how the fake differs from what is known or likely of the real one."""


def _settings(title: str, keys: Table) -> str:
    rows = [(f"`{key}`", kind, _default(default), meaning) for key, (kind, default, meaning) in keys.items()]
    return f"### {title}\n{markdown_table(('key', 'kind', 'default', 'meaning'), rows)}"


def _default(default: Any) -> str:
    return "none" if default is REQUIRED else f"`{dumps(default)}`"


def document() -> str:
    """The text of docs/fakes-safari.md."""
    settings = [
        _settings("`world`", safari.KEYS),
        _settings("`world.windows[]`", safari_windows.WINDOW_KEYS),
        _settings("`world.windows[].tabs[]`", safari_windows.TAB_KEYS),
        _settings("`world.processes[]`", safari_windows.PROCESS_KEYS),
        _settings("`world.displays[]`", safari_windows.DISPLAY_KEYS),
        _settings("`programs.safaridriver`", safaridriver_settings.KEYS),
        _settings("`programs.safaridriver.says[]`", safaridriver_settings.SAYS),
        _settings("`programs.osascript`", osascript.KEYS),
        _settings("the change `apple_event`", safari_events.ORDER_KEYS),
    ]
    pages = [
        _settings("a page of `world.pages`", page_settings.PAGE_KEYS),
        _settings("an element", page_settings.ELEMENT_KEYS),
        _settings("`timers[]`", page_settings.TIMER_KEYS),
        _settings("`console[]`", page_settings.MESSAGE_KEYS),
        _settings("`requests[]`", page_settings.REQUEST_KEYS),
    ]
    effects = markdown_table(
        ("effect", "its value", "beside it", "meaning"),
        (
            (f"`{name}`", kind, ", ".join(beside), meaning)
            for name, (kind, beside, meaning) in page_settings.EFFECTS.items()
        ),
    )
    changes = markdown_table(
        ("key", "value and meaning"), ((f"`{key}`", meaning) for key, (_, meaning) in CHANGES.items())
    )
    profiles = markdown_table(
        ("profile", "second argument of navigate_to_url", "requests to this machine"),
        (
            (f"`{name}`", f"`{TAB_ARGUMENT[name]}`", row["loopback"])
            for name, row in safaridriver_settings.PROFILES.items()
        ),
    )
    tools = markdown_table(
        ("tool", "required", "optional"),
        ((f"`{name}`", *_arguments(schema)) for name, schema in sorted(SCHEMAS.items())),
    )
    parts = [
        HEAD,
        "## Settings of a run sheet\nAn unknown key, or a value of another kind, is refused with its place.\n\n",
        "\n".join(settings),
        EVENTS,
        markdown_table(("number", "text"), ((str(number), english) for number, (english, _) in TEXTS.items())),
        PAGES,
        "\n".join(pages),
        f"\n### Effects\nOne of these in each object of a list.\n\n{effects}",
        f"\n## World faults\nKeys of a change, in a fault plan or by a person at the Mac.\n\n{changes}",
        f"\n## Profiles\n{profiles}",
        f"\n## Tools\n{tools}",
        f"\n## Known differences\n{markdown_table(('what', 'how the fake differs'), LEFT_OUT.items())}",
    ]
    return "".join(parts)


def _arguments(schema: dict[str, Any]) -> tuple[str, str]:
    required = schema.get("required", [])
    optional = [name for name in schema["properties"] if name not in required]
    return ", ".join(f"`{name}`" for name in required), ", ".join(f"`{name}`" for name in optional)


def main(arguments: Sequence[str], path: Path = PATH) -> int:
    """As harness.written.keep."""
    return keep(arguments, path, document, "fakes.worlds.describe")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
