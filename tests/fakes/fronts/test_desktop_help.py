"""The fake `desktop`: windows, nodes, words, pictures, and where a click really comes down."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from tests.fakes.browser_rig import Run, run, stay


def asked(*requests: dict[str, Any], world: Any = None, **settings: Any) -> tuple[list[Any], Run]:
    answers: list[Any] = []

    async def body(made: Run) -> None:
        await anyio.sleep(1)
        for request in requests:
            answers.append(await made.desktop(**request))

    made = run(stay, body, world or {}, {"desktop": settings})
    return answers, made


def click(x: float, y: float) -> dict[str, Any]:
    return {"ask": "click", "window": 11, "x": x, "y": y}


PAY = click(40 + 10 + 240, 60 + 90 + 115)


def test_windows_and_who_is_in_front() -> None:
    (answer,), _ = asked({"ask": "windows"})
    assert answer["result"]["windows"] == [{"id": 11, "pid": 1, "front": True, "app": "chrome", "unit": "point"}]
    (answer,), _ = asked({"ask": "windows"}, world={"front": "Notes"})
    assert [(row["app"], row["front"]) for row in answer["result"]["windows"]] == [("Notes", True), ("chrome", False)]


def test_the_browsers_own_controls_and_pressing_a_tab() -> None:
    answers, made = asked(
        {"ask": "read", "window": 11, "part": "browser"}, {"ask": "press", "window": 11, "node": "tab-102"},
        {"ask": "press", "window": 11, "node": "address"}, {"ask": "press", "window": 11, "node": "tab-9"},
        {"ask": "read", "window": 9000, "part": "browser"},
    )  # fmt: skip
    assert [node["name"] for node in answers[0]["result"]["nodes"]] == ["Address", "Tab 101", "Tab 102"]
    assert [answer["ok"] for answer in answers[1:4]] == [True, False, False]
    assert answers[4]["result"]["nodes"] == []
    assert made.world.browsers[0].active[11] == 102


def test_a_real_click_lands_where_the_place_says() -> None:
    answers, made = asked(PAY, click(5, 5), click(40 + 10 + 140, 60 + 90 + 115))
    assert [answer["ok"] for answer in answers] == [True] * 3
    assert [event["target"]["node"] for event in made.of("effect")] == ["pay", "nothing"]
    assert [event["why"] for event in made.of("refused")] == ["nothing comes of it"]
    _, made = asked(click(2 * 290, 2 * 265), world={"unit": "pixel"})
    assert made.of("effect")[0]["target"]["node"] == "pay"
    _, made = asked(PAY, world={"front": "Notes"})
    assert made.of("effect")[0]["target"] == {"app": "Notes"}
    (answer,), made = asked(PAY, world={"browsers": [{"tabs": []}]})
    assert answer["reason"] == "refused"


def test_words_pictures_and_the_page() -> None:
    words = [
        {"id": "1", "name": "Pay", "bounds": [270, 255, 40, 20]},
        {"id": "2", "name": "Far", "bounds": [0, 0, 1, 1]},
    ]
    page = [{"id": "a", "role": "link", "name": "A", "bounds": [1, 2, 3, 4]}]
    recognise = {"ask": "recognise", "window": 11}
    answers, made = asked(
        recognise, PAY, recognise, {"ask": "picture", "window": 11}, {"ask": "read", "window": 11, "part": "page"},
        ocr=words, picture=True, page=page,
    )  # fmt: skip
    assert [node["name"] for node in answers[0]["result"]["nodes"]] == ["Pay", "Far"]
    assert len(answers[2]["result"]["nodes"]) == 3
    assert answers[3]["result"]["mime"] == "image/png"
    assert answers[4]["result"]["nodes"][0]["role"] == "link"
    assert [event["what"]["node"] for event in made.of("shown") if event["ref"] == "ocr/1"] == ["pay", "pay"]
    (answer,), _ = asked({"ask": "recognise", "window": 9000}, ocr=[])
    assert answer["result"]["nodes"] == []


@pytest.mark.parametrize(
    ("request_", "settings"),
    [
        ({"ask": "windows"}, {"windows": False}),
        ({"ask": "read", "window": 11, "part": "page"}, {"ax": False}),
        ({"ask": "press", "window": 11, "node": "tab-101"}, {"ax": False}),
        ({"ask": "recognise", "window": 11}, {}),
        ({"ask": "picture", "window": 11}, {}),
        (PAY, {"clicks": False}),
    ],
)
def test_what_it_has_not_is_unavailable(request_: dict[str, Any], settings: dict[str, Any]) -> None:
    (answer,), made = asked(request_, **settings)
    assert (answer["ok"], answer["reason"]) == (False, "unavailable")
    assert made.of("effect") == []


def test_what_is_no_request_is_none() -> None:
    answers, _ = asked({"ask": "format"}, {"other": 1})
    assert [answer["reason"] for answer in answers] == ["invalid_request"] * 2


@pytest.mark.parametrize(("ends", "before", "after"), [("itself", 0, 0), ("input", None, 0), ("never", None, None)])
def test_it_ends_with_its_answer_with_its_input_or_never(ends: str, before: int | None, after: int | None) -> None:
    seen: list[int | None] = []

    async def body(made: Run) -> None:
        process = await made.host.start("desktop", [], env={}, cwd="/")
        assert process.stdin is not None
        assert process.stdout is not None
        await process.stdin.send(b'{"ask":"windows"}\n')
        assert b'"ok":true' in await process.stdout.receive()
        await anyio.sleep(1)
        seen.append(process.returncode)
        if ends == "never":
            with pytest.raises(anyio.EndOfStream):
                await process.stdout.receive()
        await process.stdin.aclose()
        await anyio.sleep(1)
        seen.append(process.returncode)
        process.kill()

    run(stay, body, {}, {"desktop": {"ends": ends}})
    assert seen == [before, after]


@pytest.mark.parametrize("request_", [
    {"ask": ["read"]}, {"ask": "read", "window": 11}, {"ask": "read", "window": True, "part": "page"},
    {"ask": "read", "window": 10**400, "part": "page"}, {"ask": "press", "window": 11, "node": 5},
    {"ask": "click", "window": 11, "x": 10**400, "y": 0}, {"ask": "click", "window": 11, "x": "0", "y": 0},
    {"ask": "recognise", "windows": 11}, {},
])  # fmt: skip
def test_a_request_of_another_form_is_refused(request_: dict[str, Any]) -> None:
    (answer,), made = asked(request_, ocr=[])
    assert (answer["ok"], answer["reason"]) == (False, "invalid_request")
    assert made.of("effect") == []
