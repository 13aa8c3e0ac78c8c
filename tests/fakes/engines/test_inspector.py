"""The side channel against a scripted browser: attaching, answers by number, events in order, what counts as hung."""
from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from fakes.engines.frames import Reader, encode, numbers, read_numbers, read_text, text
from fakes.engines.inspector import DOMAINS, Inspector, InspectorError
from fakes.engines.webdriver import Hung

TARGET = 1


class Browser:
    """Says `events` before each answer; `answers`: method -> the inner message that answers it, without its id."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.heard: list[tuple[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.answers: dict[str, dict[str, Any] | None] = {}
        self.outer_errors: set[str] = set()
        self.provisional = False
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()

    def _serve(self) -> None:
        connection, _ = self.listener.accept()
        reader = Reader()
        with connection:
            while True:
                data = connection.recv(65536)
                if not data:
                    return
                for name, arguments in reader.feed(data):
                    answer = self._answer(name, arguments)
                    if answer is None:
                        return
                    connection.sendall(answer)

    def _answer(self, name: str, arguments: bytes) -> bytes | None:
        if name == "SetupInspectorClient":
            return encode("DidSetupInspectorClient", b"\0" * 100)
        if name == "Setup":
            shown = {"targetInfo": {"targetId": "page-1", "isProvisional": False}}
            early = {"targetInfo": {"targetId": "page-9", "isProvisional": True}}
            return self._says("Target.targetCreated", early) + self._says("Target.targetCreated", shown)
        message = json.loads(read_text(read_numbers(arguments, 2)[1]))
        inner = json.loads(message["params"]["message"])
        method = inner["method"]
        self.heard.append((message["params"]["targetId"], method))
        if method in self.outer_errors:
            return self._wrap({"id": inner["id"], "error": {"message": "no such target"}})
        if method in self.answers and self.answers[method] is None:
            return None
        said = b"".join(self._says_inner(event) for event in self.events)
        self.events = []
        if self.provisional:
            self.provisional = False
            said += self._says("Target.didCommitProvisionalTarget", {"newTargetId": "page-2"})
        return said + self._says_inner({"id": inner["id"], **(self.answers.get(method) or {"result": {}})})

    def _wrap(self, message: dict[str, Any]) -> bytes:
        return encode("SendMessageToFrontend", numbers(1, TARGET) + text(json.dumps(message)))

    def _says(self, method: str, params: dict[str, Any]) -> bytes:
        return self._wrap({"method": method, "params": params})

    def _says_inner(self, message: dict[str, Any]) -> bytes:
        params = {"targetId": "page-1", "message": json.dumps(message)}
        return self._says("Target.dispatchMessageFromTarget", params)


@pytest.fixture
def browser() -> Iterator[Browser]:
    made = Browser()
    yield made
    made.thread.join()
    made.listener.close()


@pytest.fixture
def inspector(browser: Browser) -> Iterator[Inspector]:
    made = Inspector(browser.address, 5)
    yield made
    made.close()


def test_a_target_is_attached_and_what_it_says_is_switched_on(browser: Browser, inspector: Inspector) -> None:
    target = inspector.attach(TARGET)
    assert target.page == "page-1"
    browser.events = [{"method": "Console.messageAdded", "params": {"n": n}} for n in (1, 2)]
    assert [event["params"]["n"] for event in inspector.take(target)] == [1, 2]
    assert inspector.take(target) == []
    assert [method for _, method in browser.heard[:3]] == list(DOMAINS)


def test_answers_are_told_apart_by_their_number(browser: Browser, inspector: Inspector) -> None:
    target = inspector.attach(TARGET)
    browser.answers = {
        "A.one": {"result": {"is": 1}}, "A.two": {"error": {"message": "it can't"}}, "A.three": {"error": {"n": 3}},
    }  # fmt: skip
    assert inspector.ask(target, "A.one", x=1) == {"is": 1}
    for method, words in (("A.two", "it can't"), ("A.three", "'n': 3")):
        with pytest.raises(InspectorError, match=words):
            inspector.ask(target, method)


def test_a_refusal_of_the_target_itself_is_an_answer_too(browser: Browser, inspector: Inspector) -> None:
    target = inspector.attach(TARGET)
    browser.outer_errors = {"A.one"}
    with pytest.raises(InspectorError, match="no such target"):
        inspector.ask(target, "A.one")


def test_a_page_in_another_process_is_followed(browser: Browser, inspector: Inspector) -> None:
    target = inspector.attach(TARGET)
    browser.provisional = True
    inspector.take(target)
    assert target.page == "page-2"
    inspector.ask(target, "A.one")
    assert ("page-2", "Console.enable") in browser.heard and browser.heard[-1] == ("page-2", "A.one")


def test_what_a_forgotten_window_says_is_dropped(browser: Browser, inspector: Inspector) -> None:
    target = inspector.attach(TARGET)
    inspector.detach(target)
    inspector._socket.settimeout(0.05)
    with pytest.raises(Hung, match=r"waiting for A\.one"):
        inspector.ask(target, "A.one")


def test_a_browser_that_goes_away_is_hung(browser: Browser, inspector: Inspector) -> None:
    target = inspector.attach(TARGET)
    browser.answers = {"A.one": None}
    with pytest.raises(Hung, match=r"closed its connection; expected A\.one"):
        inspector.ask(target, "A.one")


def test_nobody_there_is_an_error_of_the_system() -> None:
    with pytest.raises(ConnectionRefusedError):
        Inspector("127.0.0.1:1", 1)
