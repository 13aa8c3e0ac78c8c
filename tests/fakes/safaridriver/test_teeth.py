"""Every check is caught out by a machine that is broken in the one way that it is about: a check that nothing can turn
proves nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fakes.fronts import (
    safaridriver,
    safaridriver_arguments,
    safaridriver_calls,
    safaridriver_logs,
    safaridriver_page,
    safaridriver_session,
    safaridriver_settings,
    safaridriver_table,
    safaridriver_tools,
)
from fakes.fronts.safaridriver_session import DriverSession, ToolError
from fakes.worlds import (
    page,
    page_behaviour,
    page_content,
    page_formats,
    page_interact,
    page_programs,
    page_tree,
    safari,
    safari_loading,
)
from harness.faults.steps import Exit
from tests.fakes.safaridriver.backs import Model
from tests.fakes.safaridriver.test_checks import CHECKS

Break = Callable[[pytest.MonkeyPatch], None]


def default(table: Any, key: str, value: Any) -> Break:
    """Another default of a setting."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        kind, _, meaning = table[key]
        patch.setitem(table, key, (kind, value, meaning))

    return apply


def put(place: Any, name: str, value: Any) -> Break:
    """Another value of a module's or a class's name."""
    return lambda patch: patch.setattr(place, name, value)


def row(table: Any, key: str, value: Any) -> Break:
    return lambda patch: patch.setitem(table, key, value)


def handler(tool: str, change: Callable[[Any], Any]) -> Break:
    """Another handler of a tool, made of the real one."""
    return row(safaridriver_table.HANDLERS, tool, change(safaridriver_table.HANDLERS[tool]))


def nothing(*_: Any) -> Any:
    yield from ()


def in_json(real: Any) -> Any:
    def broken(call: Any) -> Any:
        text = yield from real(call)
        return f'{{"done":"{text}"}}'

    return broken


def given(**members: Any) -> Callable[[Any], Any]:
    """The tool, called with these arguments whatever the client said."""

    def change(real: Any) -> Any:
        def broken(call: Any) -> Any:
            call.given = {**call.given, **members}
            return (yield from real(call))

        return broken

    return change


def forgetful(real: Any) -> Any:
    def broken(call: Any) -> Any:
        text = yield from real(call)
        call.session.options = {}
        return text

    return broken


def fails(*_: Any) -> Any:
    raise ToolError("the step failed")


def refuses_names(value: str) -> list[str]:
    raise page_interact.Failed(f"no key {value}")


def vague(tab: Any, uid: str) -> Any:
    raise page_interact.Failed("Could not be done")


def wanted_help(argv: Any, mcp: bool) -> Any:
    wanted = safaridriver_arguments.Wanted()
    wanted.does = "help"
    return wanted


def exits_well(self: Any, number: int) -> Any:
    return (step for step in [Exit(0)])


def always_armed(call: Any, tab: Any) -> Any:
    return tab.requests


def dialogs_inverted(real: Any) -> Any:
    def broken(call: Any) -> Any:
        turned = {"respond": "dismiss", "dismiss": "respond"}
        call.given = {**call.given, "action": turned.get(call.given["action"], "list")}
        return (yield from real(call))

    return broken


BROKEN: dict[str, Break] = {
    "help_names_mcp": put(safaridriver_arguments, "MCP_HELP", ""),
    "version": row(safaridriver_settings.PROFILES["27.0"], "version", "27.0"),
    "unknown_option": put(safaridriver, "read_arguments", wanted_help),
    "handshake": default(safaridriver_settings.KEYS, "server_version", "2.0.0"),
    "lists_17_tools": row(safaridriver_tools.TAB_ARGUMENT, "27.0", "handle"),
    "handshake_without_permission": put(safaridriver, "NO_PERMISSION", "not now"),
    "unknown_tool": put(safaridriver, "_error", lambda code, message: safaridriver._result(message, True)),
    "missing_argument": put(safaridriver_tools, "fits", lambda rule, value: True),
    "unknown_method": default(safaridriver_settings.KEYS, "discover", "silent"),
    "ends_with_stdin": default(safaridriver_settings.KEYS, "exit_ms", 500),
    "ends_by_sigterm": put(safaridriver.SafariDriver, "signalled", exits_well),
    "own_tabs_only": put(DriverSession, "tabs", lambda self: list(self.world.tabs())),
    "rows_of_tabs": put(DriverSession, "is_active", lambda self, tab: True),
    "plain_acknowledgements": handler("switch_tab", in_json),
    "unknown_handle": put(DriverSession, "tab", lambda self, handle: self.tabs()[0]),
    "lists_popups": put(DriverSession, "is_active", lambda self, tab: tab is self.active),
    "page_info": handler("page_info", in_json),
    "navigates": put(DriverSession, "loaded", nothing),
    "navigates_a_named_tab": put(DriverSession, "chosen", lambda self, handle: self.current()),
    "failed_navigation_succeeds": put(safari_loading, "ERROR_URL", "about:blank"),
    "text_tree": row(page_formats.FORMATS, "textTree", page_formats.as_plain_text),
    "fields": put(page_content, "SPEAKING_VALUES", ("text", "password")),
    "node_ids": row(page_content.NUMBERED, "none", lambda node: True),
    "formats": put(page_formats, "VERSION", 1),
    "last_options": handler("get_page_content", forgetful),
    "region": row(page_content.DEFAULTS, "region", "entire_page"),
    "rects": put(page_tree, "rect", lambda box: "[0,0;1x1]"),
    "words": put(page_tree, "truncated", lambda text, limit, beside: text),
    "spills": default(safaridriver_settings.KEYS, "spill_bytes", 1 << 30),
    "frames": put(page_interact, "node_of", lambda document, uid: None),
    "evaluates_a_body": row(page_programs.FIXED, "1+1", lambda document: 2),
    "screenshot_is_a_path": put(safaridriver_calls.Call, "new_path", lambda self, stem, ending: "/one.png"),
    "wait_times_out": handler("wait_for_navigation", given(timeout_seconds=100_000)),
    "viewport": put(safari.Safari, "resize", lambda self, p, width, height: None),
    "emulated_media": put(safari.Safari, "emulate", lambda self, p, tab, media: None),
    "click": put(safari.Safari, "perform", lambda self, *arguments: None),
    "click_that_navigates": put(page_behaviour, "_default_of_click", lambda document, node: []),
    "failed_step_succeeds": put(safaridriver_page, "interact", fails),
    "failure_reasons": put(page_interact, "_target", vague),
    "stale_number": default(safari.KEYS, "uids", "document"),
    "types": put(page.Node, "editable", property(lambda self: True)),
    "chords_are_letters": put(page_interact, "keys_of", refuses_names),
    "native_menu_chooses_nothing": default(safari.KEYS, "native_menus", False),
    "alert_blocks": put(DriverSession, "unblocked", nothing),
    "dialog_answers": handler("browser_dialogs", dialogs_inverted),
    "console_drains": handler("browser_console_messages", given(clear=False)),
    "console_filters": put(safaridriver_logs, "CONSOLE_MOST", 0),
    "network_is_armed": put(safaridriver_logs, "_recorded", always_armed),
    "network_filters": put(safaridriver_logs, "_wanted", lambda request, rules: True),
    "loopback": put(safaridriver_session.DriverSession, "loopback_lost", lambda self: True),
}
"""Check -> what is broken of the model so that it must fail."""


def test_every_check_has_a_machine_that_it_catches() -> None:
    assert sorted(BROKEN) == sorted(CHECKS)


@pytest.mark.parametrize("name", BROKEN)
def test_the_check_catches_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    BROKEN[name](monkeypatch)
    with pytest.raises((AssertionError, BaseExceptionGroup)) as raised:
        Model("27.0").check(CHECKS[name])
    if isinstance(raised.value, BaseExceptionGroup):
        assert raised.group_contains(AssertionError), raised.value
