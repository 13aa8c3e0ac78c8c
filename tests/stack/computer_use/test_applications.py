"""One installed application, or a refusal."""

from __future__ import annotations

import pytest

from stack.computer_use.applications import choose, choose_at_path
from stack.contract import Application
from stack.errors import CallError

CHESS = Application("com.apple.Chess", "/A/Chess.app", ("Chess", "Schach"))
NOTES = Application("com.apple.Notes", "/A/Notes.app", ("Notes",))
OTHER = Application("org.x.chess", "/A/Other.app", ("chess",))
TWIN = Application("com.apple.chess", "/B/Chess.app", ("Old Chess",))
ODD = Application("org.x.odd", "/A/Odd.app", ("com.apple.Notes",))


@pytest.mark.claim("CUA-APP-01")
@pytest.mark.parametrize("target", ["Chess", "chess", " CHESS ", "Schach", "com.apple.Chess", "COM.APPLE.CHESS"])
def test_names_and_identifiers_in_any_case(target: str) -> None:
    assert choose([CHESS, NOTES], target) == "com.apple.Chess"


@pytest.mark.claim("CUA-APP-01")
@pytest.mark.parametrize(
    ("installed", "target", "code"),
    [
        ([CHESS], "Ches", "app_not_found"),
        ([CHESS], "", "app_not_found"),
        ([], "Chess", "app_not_found"),
        ([CHESS, OTHER], "chess", "app_ambiguous"),
        ([NOTES, ODD], "com.apple.Notes", "app_ambiguous"),
    ],
)
def test_none_or_several_are_refused(installed: list[Application], target: str, code: str) -> None:
    with pytest.raises(CallError) as caught:
        choose(installed, target)
    assert caught.value.code == code


def test_two_copies_of_one_application_are_one() -> None:
    assert choose([CHESS, TWIN], "com.apple.chess") in ("com.apple.Chess", "com.apple.chess")


@pytest.mark.claim("CUA-APP-01")
def test_a_path_is_that_bundle_unless_another_has_its_identifier() -> None:
    assert choose_at_path([CHESS, NOTES], [CHESS], "/A/Chess.app") == "com.apple.Chess"
    assert choose_at_path([NOTES], [CHESS], "/A/Chess.app") == "com.apple.Chess"
    for installed, found, code in (([CHESS, TWIN], [CHESS], "app_ambiguous"), ([CHESS], [], "app_not_found")):
        with pytest.raises(CallError) as caught:
            choose_at_path(installed, found, "/A/Chess.app")
        assert caught.value.code == code
