"""Readings that can't be taken over leave a page as it was, and frames keep their documents while they are the same."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.engines.webdriver import ELEMENT, DriverError
from fakes.worlds.engine_page import EngineDocument
from fakes.worlds.engine_reading import evaluate_at_top, evaluate_in_frame, plain, read_page
from fakes.worlds.page import Definition
from fakes.worlds.page_programs import ScriptError
from fakes.worlds.safari_windows import Tab, Window
from tests.fakes.worlds.test_engine_page import element

EMPTY = Definition({}, "test")


class Engine:
    """Says what it is told, once each; an error is raised."""

    def __init__(self, *said: Any) -> None:
        self.said = list(said)

    def evaluate(self, handle: str, script: str, *arguments: Any) -> Any:
        said = self.said.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


class World:
    """As much of a world as a reading needs."""

    frames = 0

    class pages:
        @staticmethod
        def look_up(url: str) -> Definition:
            return EMPTY

    def document(self, tab: Tab, url: str, definition: Definition, epoch: int) -> EngineDocument:
        return EngineDocument(f"doc-{self.frames}", tab, url, definition, epoch, lambda document: None)


def reading(id: str, *children: Any) -> dict[str, Any]:
    return {
        "id": id, "title": "T", "text": "said", "size": [100, 200], "scroll": [0, 5], "view": [100, 100],
        "tree": element(1, "body", *children),
    }  # fmt: skip


def framed(url: str, ref: int) -> dict[str, Any]:
    inner = {"url": url, "title": "In", "ready": "complete", "tree": element(ref, "body", element(ref + 1, "p"))}
    return element(2, "iframe", name="frame", frame=inner)


def opened() -> tuple[World, EngineDocument]:
    world, tab = World(), Tab(1, Window(1, 763))
    tab.document = document = world.document(tab, "http://a.test/", EMPTY, 1)
    document.engine_id = "1"
    return world, document


def read(world: World, document: EngineDocument, *said: Any) -> None:
    read_page(world, Engine(*said), document, "page-1")  # type: ignore[arg-type]


def test_a_reading_of_the_document_is_its_page() -> None:
    world, document = opened()
    read(world, document, reading("1", element(2, "p", name="p")))
    page = document.page
    assert (page.find("p").tag, page.text(), page.title, page.scroll) == ("p", "said", "T", [0.0, 5.0])


@pytest.mark.parametrize(
    "said", [DriverError("unexpected alert open", ""), reading("2"), {**reading("1"), "tree": None}],
    ids=["dialog", "another document", "no body"],
)  # fmt: skip
def test_what_can_not_be_read_leaves_the_page_as_it_was(said: Any) -> None:
    world, document = opened()
    read(world, document, reading("1", element(2, "p", name="p")))
    read(world, document, said)
    assert document.page.find("p").connected


def test_a_frame_keeps_its_document_while_it_is_the_same() -> None:
    world, document = opened()
    read(world, document, reading("1", framed("http://a.test/in", 10)))
    first = document.page.find("frame").frame
    assert (first.frame_id, first.url, first.ready) == ((6, 1), "http://a.test/in", "complete")
    assert [node.tag for node in first.page.walk()] == ["body", "p"]
    read(world, document, reading("1", framed("http://a.test/in", 10)))
    assert document.page.find("frame").frame is first
    read(world, document, reading("1", framed("http://a.test/in", 20)))
    assert document.page.find("frame").frame is not first
    foreign = element(2, "iframe", name="frame", frame={"origin": "other", "url": "http://b.test/"})
    read(world, document, reading("1", foreign))
    assert document.page.find("frame").frame.url == "http://b.test/"


def test_scripts_run_in_frames_that_are_there() -> None:
    world, document = opened()
    read(world, document, reading("1", framed("http://a.test/in", 10)))
    frame = document.page.find("frame").frame
    engine: Any = Engine([5])
    assert evaluate_in_frame(engine, "page-1", document, frame, "return 5") == 5
    read(world, document, reading("1"))
    with pytest.raises(ScriptError, match="detached"):
        evaluate_in_frame(engine, "page-1", document, frame, "return 5")


class Leaving:
    """An engine whose document goes in the middle of so many scripts."""

    def __init__(self, times: int, code: str = "no such frame") -> None:
        self.asked = 0
        self._times = times
        self._code = code

    def evaluate(self, handle: str, script: str) -> Any:
        self.asked += 1
        if self.asked <= self._times:
            raise DriverError(self._code, "Callback was not called before the unload event.")
        return "there"


def test_a_document_that_goes_under_a_script_is_asked_for_in_the_one_that_comes() -> None:
    assert evaluate_at_top(Leaving(1), "w", "return 1", leaves=True) == "there"  # type: ignore[arg-type]
    for engine, leaves in ((Leaving(1), False), (Leaving(2), True), (Leaving(1, "script timeout"), True)):
        with pytest.raises(DriverError):
            evaluate_at_top(engine, "w", "return 1", leaves=leaves)  # type: ignore[arg-type]
        assert engine.asked == (2 if engine._times == 2 else 1)


def test_references_are_nothing_to_a_client() -> None:
    assert plain([{ELEMENT: "e"}, {"a": {ELEMENT: "e"}, "b": [1, None]}]) == [{}, {"a": {}, "b": [1, None]}]
