"""One tree, told apart by number."""

from __future__ import annotations

import pytest

from stack.errors import StackError
from stack.safari_jxa import errors
from stack.safari_jxa.errors import (
    NOT_RUN,
    PARTS,
    REASONS,
    SCOPE,
    BridgeError,
    SafariError,
    call_error,
)

TREE = {
    "StartRefused": "SafariError",
    "BridgeError": "SafariError",
    "BridgeTimeout": "BridgeError",
    "BridgeCallError": "BridgeError",
    "AutomationDenied": "BridgeCallError",
    "JavaScriptDisabled": "BridgeCallError",
    "NeverRan": "BridgeError",
    "Terminal": "SafariError",
    "ScopeLost": "Terminal",
    "DeliveryUnknown": "Terminal",
    "StalePage": "SafariError",
    "Blocked": "StalePage",
}


@pytest.mark.claim("JXA-ERR-01", tooth="a class that stands elsewhere in the tree")
def test_the_tree() -> None:
    kinds = {
        name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, SafariError)
    }
    assert {name: kind.__bases__[0].__name__ for name, kind in kinds.items() if name != "SafariError"} == TREE
    assert SafariError.__bases__ == (StackError,)
    assert [name for name, kind in kinds.items() if issubclass(kind, errors.Terminal)] == [
        "Terminal",
        "ScopeLost",
        "DeliveryUnknown",
    ]


@pytest.mark.parametrize("number", [-1743, 8, -600, -609, -1712, -1719, -1728, -10006, -10000, -1708, -2700])
@pytest.mark.claim("JXA-ERR-01", "JXA-BRG-03", tooth="the same number with other words")
def test_a_call_error_has_its_number_and_says_whether_it_is_about_the_scope(number: int) -> None:
    for text in ("Can't get object.", "Can\u2019t get object.", "Objekt kann nicht gelesen werden.", ""):
        error = call_error(number, text, sent=True)
        assert issubclass(type(error), BridgeError)
        assert (error.number, error.scope) == (number, number in SCOPE)
        assert error.outcome == ("refused" if number in NOT_RUN else "unknown")
        assert type(error) is type(call_error(number, "x", sent=False))
        assert text not in error.seen or not text


def test_each_setting_is_named() -> None:
    assert "Privacy & Security, Automation" in str(call_error(-1743, "x", sent=False))
    assert "Allow JavaScript from Apple Events" in str(call_error(8, "x", sent=False))


def test_parts_and_reasons_are_said_in_words() -> None:
    assert not set(PARTS) & set(REASONS)
    for part in PARTS:
        assert PARTS[part] in str(errors.StalePage(part))
    for reason in REASONS:
        blocked = errors.Blocked(reason)
        assert (REASONS[reason] in str(blocked), blocked.code, blocked.part) == (True, "action_blocked", "target")
