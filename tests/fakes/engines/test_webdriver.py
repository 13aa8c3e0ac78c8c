"""WebDriver on the wire against a scripted server: values, errors by their word, and what counts as hung."""
from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from fakes.engines.processes import free_port
from fakes.engines.webdriver import ELEMENT, Driver, DriverError, Hung, element

SAID: list[tuple[int, bytes]] = []
HEARD: list[tuple[str, str, bytes]] = []


class Scripted(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        HEARD.append((self.command, self.path, body))
        status, content = SAID.pop(0)
        if status == 0:  # the connection breaks
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_DELETE = do_GET


@pytest.fixture
def driver() -> Iterator[Driver]:
    SAID.clear()
    HEARD.clear()
    server = HTTPServer(("127.0.0.1", 0), Scripted)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    made = Driver(server.server_port, 5)
    yield made
    made.close()
    server.shutdown()
    thread.join()
    server.server_close()


def test_commands_are_sent_as_they_are_and_values_come_back(driver: Driver) -> None:
    SAID[:] = [(200, b'{"value": {"ready": true}}'), (200, b'{"value": null}'), (200, b'{"value": [1]}')]
    driver.session = "s1"
    assert driver.ask("GET", "/status") == {"ready": True}
    assert driver.do("POST", "/back") is None
    assert driver.do("POST", "/execute/sync", {"script": "é", "args": []}) == [1]
    assert HEARD == [
        ("GET", "/status", b""),
        ("POST", "/session/s1/back", b"{}"),
        ("POST", "/session/s1/execute/sync", b'{"script": "\\u00e9", "args": []}'),
    ]


ERRORS: dict[str, tuple[bytes, str, str, Any]] = {
    "w3c": (
        b'{"value": {"error": "no such window", "message": "gone", "data": {"a": 1}}}',
        "no such window", "gone", {"a": 1},
    ),
    "bare": (b'{"value": {}}', "unknown error", "", None),
    "no object": (b'{"value": "text"}', "unknown error", "", None),
}


@pytest.mark.parametrize(("body", "code", "message", "data"), ERRORS.values(), ids=ERRORS)
def test_a_refusal_is_an_error_with_its_word(driver: Driver, body: bytes, code: str, message: str, data: Any) -> None:
    SAID[:] = [(404, body)]
    with pytest.raises(DriverError) as caught:
        driver.ask("GET", "/status")
    assert (caught.value.code, caught.value.message, caught.value.data) == (code, message, data)


@pytest.mark.parametrize("said", [(0, b""), (200, b"not JSON")], ids=["broken", "garbage"])
def test_a_connection_that_breaks_and_what_is_no_answer_is_hung(driver: Driver, said: tuple[int, bytes]) -> None:
    SAID[:] = [said, (200, b'{"value": 2}')]
    with pytest.raises(Hung, match="GET /status"):
        driver.ask("GET", "/status")
    assert driver.ask("GET", "/status") == 2


def test_nobody_there_is_not_up(driver: Driver) -> None:
    SAID[:] = [(200, b'{"value": {}}')]
    assert driver.is_up()
    assert not Driver(free_port(), 1).is_up()


def test_references_to_elements_are_told_from_other_values() -> None:
    assert element({ELEMENT: "e1"}) == "e1"
    assert [element(value) for value in ({"a": 1}, "e1", None, [1])] == [None] * 4
