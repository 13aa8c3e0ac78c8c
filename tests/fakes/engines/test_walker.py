"""What walker.js reads from a page on real WebKitGTK, and how elements are found again."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fakes.engines import gestures, walker
from fakes.engines.webdriver import DriverError
from fakes.engines.webkit import WebKit

pytestmark = [pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]
BODY = """<!doctype html><title>Walk</title>
<h1 data-node=head>Hi</h1>
<input data-node=field value=a><input data-node=box type=checkbox checked>
<div data-node=none hidden>no</div><div data-node=unseen style="visibility: hidden">no</div>
<details><summary data-node=summary>s</summary><p data-node=folded>in</p></details>
<select data-node=choice><option>a<option selected>b</select>
<iframe data-node=frame src="/inner"></iframe><iframe data-node=foreign src="http://other.test/"></iframe>
<div data-node=host></div>
<button data-node=low style="position:absolute;left:50px;top:2000px;width:100px;height:40px"
 onclick="document.title = 'low'">low</button>
<button data-node=under style="position:absolute;left:300px;top:400px;width:100px;height:40px">under</button>
<div data-node=over style="position:absolute;left:290px;top:390px;width:120px;height:60px">over</div>
<div data-node=scroller style="overflow:auto;width:100px;height:50px"><div style="height:500px">x</div></div>
<script>document.querySelector('[data-node=host]').attachShadow({mode: 'open'}).innerHTML =
 '<button data-node=dark onclick="document.title = 1">dark</button>'</script>"""
PAGES: dict[str, Any] = {
    "http://walk.test/": {"body": BODY},
    "http://walk.test/inner": {
        "body": "<title>Inner</title><button data-node=in onclick=\"parent.document.title = 'in'\">in</button>"
    },
    "http://other.test/": {"body": "other"},
}


@pytest.fixture(scope="module")
def engine() -> Iterator[WebKit]:
    made = WebKit(PAGES, inspected=False)
    made.start()
    yield made
    made.close()


@pytest.fixture
def page(engine: WebKit) -> Iterator[tuple[str, dict[str, Any]]]:
    handle = engine.open("http://walk.test/")
    yield handle, walker.read(engine, handle)
    engine.close_window(handle)


def walk(element: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield element
    inner = [element["frame"]["tree"]] if element.get("frame", {}).get("tree") else []
    for child in (*element["children"], *element.get("shadow", ()), *inner):
        if isinstance(child, dict):
            yield from walk(child)


def named(reading: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in walk(reading["tree"]) if each["name"]}


def test_elements_are_read_with_what_they_are(page: tuple[str, dict[str, Any]]) -> None:
    reading = page[1]
    assert (reading["url"], reading["title"], reading["ready"]) == ("http://walk.test/", "Walk", "complete")
    found = named(reading)
    assert found["head"]["children"] == ["Hi"] and found["head"]["attributes"] == {}
    assert found["field"]["value"] == "a" and found["box"]["checked"] is True
    assert found["choice"]["value"] == "b"
    hidden = {name: each["hidden"] for name, each in found.items()}
    assert {name for name, why in hidden.items() if why == "display"} == {"none", "folded"}
    assert {name for name, why in hidden.items() if why == "visibility"} == {"unseen"}
    assert found["low"]["box"] == [50, 2000, 100, 40]
    assert found["scroller"]["scrolls"] == [0, 0, 85, 500] or found["scroller"]["scrolls"][3] == 500


def test_frames_and_shadow_roots_are_read_and_foreign_frames_are_not(page: tuple[str, dict[str, Any]]) -> None:
    found = named(page[1])
    assert found["frame"]["frame"]["url"] == "http://walk.test/inner"
    assert found["in"]["children"] == ["in"]
    assert found["foreign"]["frame"] == {"origin": "other", "url": "http://other.test/"}
    assert found["host"]["children"] == [] and found["host"]["shadow"][0]["name"] == "dark"


def test_references_stay_while_the_document_does(engine: WebKit, page: tuple[str, dict[str, Any]]) -> None:
    handle, first = page
    again = walker.read(engine, handle)
    assert {name: each["ref"] for name, each in named(again).items()} == {
        name: each["ref"] for name, each in named(first).items()
    }
    engine.reload(handle)
    assert walker.read(engine, handle)["id"] != first["id"]
    with pytest.raises(DriverError) as caught:
        walker.place(engine, handle, first["id"], named(first)["low"]["ref"])
    assert caught.value.code == "stale element reference"


def test_a_look_is_a_reading_in_short(engine: WebKit, page: tuple[str, dict[str, Any]]) -> None:
    handle, reading = page
    assert walker.look(engine, handle) == {key: reading[key] for key in ("id", "url", "title", "ready")}


def test_the_page_does_not_see_that_it_is_read(engine: WebKit, page: tuple[str, dict[str, Any]]) -> None:
    handle = page[0]
    before = engine.evaluate(handle, "return document.documentElement.outerHTML")
    walker.read(engine, handle)
    assert engine.evaluate(handle, "return document.documentElement.outerHTML") == before
    assert engine.evaluate(handle, "return Object.keys(window).filter((key) => /reader/.test(key))") == []


@pytest.mark.parametrize(("name", "title"), [("low", "low"), ("in", "in"), ("dark", "1")])
def test_what_is_placed_is_what_a_click_reaches(
    engine: WebKit, page: tuple[str, dict[str, Any]], name: str, title: str
) -> None:
    handle, reading = page
    place = walker.place(engine, handle, reading["id"], named(reading)[name]["ref"])
    assert place["hit"] is True
    engine.perform(handle, gestures.click(place["x"], place["y"]))
    assert engine.info(handle)[1] == title


@pytest.mark.parametrize(
    ("name", "place"),
    [("none", {"why": "not rendered"}), ("unseen", {"why": "not visible"}), ("under", {"hit": False})],
)
def test_what_can_not_be_clicked_says_why(
    engine: WebKit, page: tuple[str, dict[str, Any]], name: str, place: dict[str, Any]
) -> None:
    handle, reading = page
    found = walker.place(engine, handle, reading["id"], named(reading)[name]["ref"])
    assert found.items() >= place.items()


def test_an_element_that_left_the_page_is_gone(engine: WebKit, page: tuple[str, dict[str, Any]]) -> None:
    handle, reading = page
    ref = named(reading)["head"]["ref"]
    assert walker.on(engine, handle, reading["id"], ref, "return element.localName + arguments[2]", "!") == "h1!"
    engine.evaluate(handle, "document.querySelector('h1').remove()")
    with pytest.raises(DriverError) as caught:
        walker.on(engine, handle, reading["id"], ref, "return element.localName")
    assert caught.value.code == "stale element reference"
