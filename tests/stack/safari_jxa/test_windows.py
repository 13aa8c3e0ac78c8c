"""Windows, displays, and where a new window goes."""

from __future__ import annotations

from typing import Any

import pytest

from stack.errors import CallError
from stack.safari_jxa.errors import BridgeError
from stack.safari_jxa.windows import Display, box_of, display_of, placement
from tests.stack.scripted_safari import Safari, driving, play

DISPLAYS = (Display(0, (0, 31, 1440, 900)), Display(1, (-1920, 351, 1920, 1080)))


@pytest.mark.parametrize(
    ("display", "bounds", "side", "box"),
    [
        (None, None, None, None),
        (0, None, None, (0, 31, 1440, 900)),
        (1, None, None, (-1920, 351, 1920, 1080)),
        (None, None, "left", (0, 31, 720, 900)),
        (None, None, "right", (720, 31, 720, 900)),
        (None, None, "top", (0, 31, 1440, 450)),
        (None, None, "bottom", (0, 481, 1440, 450)),
        (1, None, "right", (-960, 351, 960, 1080)),
        (None, (5, 6, 700, 800), None, (5, 6, 700, 800)),
    ],
)
@pytest.mark.claim("JXA-WIN-01", "JXA-WIN-05", tooth="each side of each display")
def test_a_window_is_placed(display: int | None, bounds: Any, side: str | None, box: Any) -> None:
    assert placement(DISPLAYS, display, bounds, side) == box


@pytest.mark.parametrize(
    ("display", "bounds", "side"),
    [(2, None, None), (-1, None, None), (0, (0, 0, 1, 1), None), (None, (0, 0, 1, 1), "left")],
)
def test_a_place_that_is_none_is_refused(display: int | None, bounds: Any, side: str | None) -> None:
    with pytest.raises(CallError, match="invalid_arguments"):
        placement(DISPLAYS, display, bounds, side)


@pytest.mark.parametrize("value", [None, [], [1, 2, 3], [1, 2, 3, "4"], [1, 2, True, 4], [0, 0, 0, 1], [0, 0, 1, -1]])
def test_what_is_no_box_is_none(value: Any) -> None:
    assert box_of(value) is None


def test_a_window_is_on_the_display_that_has_most_of_it() -> None:
    assert box_of([0, 31, 1200, 900.5]) == (0, 31, 1200, 900.5)
    assert display_of((0, 31, 1200, 900), DISPLAYS) == 0
    assert display_of((-1300, 400, 1400, 500), DISPLAYS) == 1
    assert display_of((9000, 9000, 10, 10), DISPLAYS) is None
    assert display_of(None, DISPLAYS) is None


@pytest.mark.claim("JXA-WIN-03", tooth="titles that nobody asked for")
def test_windows_have_titles_and_addresses_only_when_asked() -> None:
    safari = Safari()

    async def main() -> None:
        async with driving(safari) as (_, stack):
            assert await stack.windows() == [{"window": 7, "tabs": 2, "display": 0}]
            (row,) = await stack.windows(titles=True)
            assert row == {"window": 7, "tabs": 2, "display": 0, "title": "Shop", "url": safari.url}
            assert [asked["titles"] for asked in safari.asked("windows")] == [False, True]

    play(main)


@pytest.mark.claim("JXA-WIN-05", tooth="a display that can't be read")
def test_displays_are_listed() -> None:
    safari = Safari()

    async def main() -> None:
        async with driving(safari) as (_, stack):
            assert await stack.displays() == [
                {"index": 0, "x": 0, "y": 31, "width": 1440, "height": 2529},
                {"index": 1, "x": -1920, "y": 351, "width": 1920, "height": 1080},
            ]
            for bad in (None, [], [[0, 0, 1]], [[0, 0, 1, 1], None]):
                safari.answers["displays"] = {"displays": bad}
                with pytest.raises(BridgeError, match="displays"):
                    await stack.displays()

    play(main)


@pytest.mark.parametrize("rows", [None, [1], [{"tabs": 1}], [{"window": 7}]])
def test_windows_that_can_not_be_read_are_an_error_and_no_empty_list(rows: Any) -> None:
    safari = Safari(answers={"windows": {"windows": rows}})

    async def main() -> None:
        async with driving(safari) as (_, stack):
            with pytest.raises(BridgeError):
                await stack.windows()

    play(main)
