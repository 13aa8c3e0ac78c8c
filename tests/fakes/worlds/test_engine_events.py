"""Events of an inspector as rows of console and network: levels, texts, requests with times, what is left out."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.engine_events import LEVELS, Live, Log


class Kept:
    """A log with the lists that it fills. asked: requests whose bodies were fetched."""

    def __init__(self) -> None:
        self.console: list[Any] = []
        self.requests: list[Any] = []
        self.asked: list[str] = []
        self.log = Log(None, self.console, self.requests, self.body)  # type: ignore[arg-type]

    def body(self, number: str) -> str | None:
        self.asked.append(number)
        return "{}" if number == "0.1" else None

    def take(self, *events: tuple[str, dict[str, Any]]) -> None:
        self.log.take([{"method": method, "params": params} for method, params in events], 7.0)


def message(text: str = "hi", **members: Any) -> tuple[str, dict[str, Any]]:
    row = {"source": "console-api", "level": "log", "text": text, "url": "http://a.test/", "line": 3, **members}
    return "Console.messageAdded", {"message": row}


def sent(
    number: str = "0.1", url: str = "http://a.test/api", at: float = 1.0, **members: Any
) -> tuple[str, dict[str, Any]]:
    request = {"url": url, "method": "POST"}
    return "Network.requestWillBeSent", {
        "requestId": number, "request": request, "timestamp": at, "initiator": {"type": "script"}, **members,
    }  # fmt: skip


def answered(number: str = "0.1", status: int = 200) -> tuple[str, dict[str, Any]]:
    return "Network.responseReceived", {"requestId": number, "response": {"status": status, "mimeType": "text/plain"}}


def finished(number: str = "0.1", at: float = 1.25) -> tuple[str, dict[str, Any]]:
    return "Network.loadingFinished", {"requestId": number, "timestamp": at}


@pytest.mark.parametrize(("level", "row"), LEVELS.items())
def test_levels_are_those_of_the_driver(level: str, row: str) -> None:
    kept = Kept()
    kept.take(message(level=level))
    assert kept.console == [{"level": row, "text": "hi", "url": "http://a.test/", "line": 3}]


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ([], "hi"),
        ([{"type": "string", "value": "hi"}], "hi"),
        ([{"type": "string", "value": "a"}, {"type": "number", "value": 1}], "a 1"),
        ([{"type": "string", "value": "a"}, {"type": "object", "description": "Error: b"}, {"type": "undefined"}],
         "a Error: b undefined"),
    ],
)  # fmt: skip
def test_every_argument_of_a_message_is_in_its_text(parameters: list[Any], text: str) -> None:
    kept = Kept()
    kept.take(message(parameters=parameters))
    assert [row["text"] for row in kept.console] == [text]


def test_a_new_document_clears_the_console_and_what_the_engine_asks_for_itself_is_left_out() -> None:
    kept = Kept()
    kept.take(message("old"), ("Console.messagesCleared", {"reason": "main-frame-navigation"}), message("new"))
    for path in ("favicon.ico", "x"):
        kept.take(message(source="network", url=f"http://a.test/{path}"))
    assert [row["text"] for row in kept.console] == ["new", "hi"]
    kept.take(("Page.loadEventFired", {"timestamp": 1}))


def test_a_request_is_a_row_when_it_is_over_and_its_body_is_fetched_when_somebody_looks() -> None:
    kept = Kept()
    kept.take(sent(), answered())
    assert kept.requests == []
    kept.take(("Network.dataReceived", {"requestId": "0.1", "dataLength": 2}), finished())
    (row,) = kept.requests
    assert dict(row) == {
        "request_id": "0.1", "url": "http://a.test/api", "method": "POST", "status": 200, "mime_type": "text/plain",
        "response_size_bytes": 2, "duration_ms": 250.0, "initiator": {"type": "script"}, "at_ms": 7.0,
    }  # fmt: skip
    assert kept.asked == []
    assert (row["body"], row["body"]) == ("{}", "{}")
    assert kept.asked == ["0.1"]
    with pytest.raises(KeyError):
        row["nothing"]


def test_a_redirect_is_two_rows_and_a_body_that_is_none_is_empty() -> None:
    kept = Kept()
    moved = {"status": 302, "mimeType": ""}
    kept.take(sent("0.2", "http://a.test/old"), sent("0.2", "http://a.test/new", 2.0, redirectResponse=moved))
    kept.take(answered("0.2"), finished("0.2", 2.0))
    rows = [(row["url"], row["status"]) for row in kept.requests]
    assert rows == [("http://a.test/old", 302), ("http://a.test/new", 200)]
    assert kept.requests[0]["body"] == ""


def test_what_never_got_an_answer_and_what_is_unknown_is_no_row() -> None:
    kept = Kept()
    kept.take(sent(), finished(), finished("0.9"), answered("0.9"))
    kept.take(("Network.dataReceived", {"requestId": "0.9", "dataLength": 2}))
    kept.take(sent("0.3", "http://a.test/.held/900"), sent("0.4", "http://a.test/favicon.ico"))
    kept.take(answered("0.3"), finished("0.3"))
    assert kept.requests == []


def test_a_live_list_is_brought_up_to_now_by_looking() -> None:
    waiting = ["a", "b"]

    def fetch() -> None:
        while waiting:
            rows.append(waiting.pop(0))

    rows = Live(fetch)
    assert len(rows) == 2
    waiting.append("c")
    assert [*rows] == ["a", "b", "c"]
    waiting.append("d")
    assert rows[-1] == "d" and rows[1:] == ["b", "c", "d"]
    rows.clear()
    assert [*rows] == []
