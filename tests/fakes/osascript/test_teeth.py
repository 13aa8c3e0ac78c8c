"""Each check of osascript fails on a fake that does the thing wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakes.fronts import osascript
from fakes.fronts.osascript_arguments import Arguments, parse
from fakes.worlds import safari_dictionary, safari_events
from fakes.worlds.safari_dictionary import AppleEventError
from tests.fakes.osascript import checks
from tests.fakes.osascript.drive import virtual

PRELUDE: dict[str, tuple[str, str]] = {
    "check_osascript_arguments": ("global.run(argv)", "global.run([])"),
    "check_osascript_streams": (
        "call('log', given.map(String).join(' '))",
        "call('write', [1, given.map(String).join(' ') + '\\n'])",
    ),
    "check_osascript_source_form": ("text: recompilable ? source(value)", "text: recompilable ? human(value)"),
    "check_osascript_errors": ("Number.isInteger(error.errorNumber) ? error.errorNumber", "false ? 0"),
    "check_osascript_own_errors": ("syntax: facts.name", "syntax: false && facts.name"),
    "check_osascript_caught": ("error.errorNumber = number;", ""),
    "check_osascript_lives_until_eof": ("unescape(encodeURIComponent(text))", "escape(text)"),
    "check_osascript_half_a_character": ("decodeURIComponent(escape(bytes))", "bytes"),
    "check_osascript_no_event_loop": ("'__py', 'btoa'", "'btoa'"),
    "check_osascript_frameworks": ("bring(FOUNDATION);", "bring(FOUNDATION); bring(STDLIB);"),
    "check_osascript_out_parameter": ("call('fault')", "null"),
    "check_osascript_specifiers": ("at: one => index => one.step('at', index)", "at: one => () => one.step('at', 0)"),
    "check_osascript_javascript": ("options[key] = outward(value);", "options[key] = outward(value());"),
}
"""Check -> (a place in the prelude, what stands there in a prelude that is wrong)."""


@pytest.mark.parametrize("name", PRELUDE)
def test_a_wrong_prelude_is_caught(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(osascript.PRELUDE).read_text(encoding="utf-8")
    right, wrong = PRELUDE[name]
    assert text.count(right) == 1
    changed = tmp_path / "prelude.js"
    changed.write_text(text.replace(right, wrong), encoding="utf-8")
    monkeypatch.setattr(osascript, "PRELUDE", str(changed))
    with pytest.raises(AssertionError):
        getattr(checks, name)(virtual)


def _no_dash(argv: list[str]) -> Arguments:
    found = parse(argv)
    found.file = found.file or ("-" if found.statements is None else None)
    return found


def _index_for_id(app: Any, found: Any, kind: str, value: Any) -> Any:
    return found.things[0] if kind == "id" else found.things[value]


def _any_safari(events: Any, name: Any, pids: Any, last: bool) -> int:
    return int(events.pids()[0])


def _never_denied(events: Any, app: Any, request: Any) -> Any:
    raise AppleEventError(-10000)


def _no_push(*given: Any) -> Any:
    return {"value": None}


PARTS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "check_osascript_script_on_stdin": (osascript, "parse", _no_dash),
    "check_osascript_windows": (safari_dictionary, "_chosen", _index_for_id),
    "check_osascript_settings": (safari_events.SafariEvents, "_tab", _never_denied),
    "check_osascript_several_safaris": (safari_events.SafariEvents, "_reached", _any_safari),
    "check_osascript_not_running": (safari_events.SafariEvents, "running", lambda events, name: True),
    "check_osascript_changes": (safari_events, "_set_bounds", _no_push),
}
"""Check -> (where, which part of the fake, a wrong one in its place)."""


@pytest.mark.parametrize("name", PARTS)
def test_a_wrong_part_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    home, part, wrong = PARTS[name]
    monkeypatch.setattr(home, part, wrong)
    if name == "check_osascript_changes":
        monkeypatch.setitem(safari_events.SETTERS, ("window", "bounds"), wrong)
    with pytest.raises(AssertionError):
        getattr(checks, name)(virtual)


def test_every_check_has_teeth() -> None:
    assert sorted([*PRELUDE, *PARTS]) == [check.__name__ for check in checks.CHECKS]
