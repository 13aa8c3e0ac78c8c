"""Asking the model over HTTP: what is sent, what is asked again, and what is an error at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
import trio
from anyio.abc import ByteStream

from stack.decide.answer import Decision
from stack.decide.model import BUSY, decide
from stack.decide.settings import Model
from stack.decide.space import space_of
from stack.errors import StackError
from tests.stack.decide.deciding import answers, body, page, play
from tests.stack.test_http import Scripted

SPACE = space_of(page())
GOOD = body(answers(SPACE, "CLICK", "3"))
MODEL = Model("http://127.0.0.1:8792", key="k")


def reply(status: int, sent: bytes = b"{}", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(sent)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + sent


class Endpoint:
    """A host whose every connection gives the next of these bytes; None says nothing for ever, an error is raised."""

    def __init__(self, replies: Sequence[bytes | OSError | None]) -> None:
        self.replies = list(replies)
        self.streams: list[Scripted] = []
        self.times: list[float] = []

    async def dial(self, address: str) -> ByteStream:
        assert address == "tcp:127.0.0.1:8792"
        self.times.append(trio.current_time())
        given = self.replies.pop(0)
        if isinstance(given, OSError):
            raise given
        stream = Scripted([] if given is None else [given], hangs=given is None)
        self.streams.append(stream)
        return stream


def asked(*replies: bytes | OSError | None, model: Model = MODEL) -> tuple[Decision | str, Endpoint]:
    """The decision or the code of the error."""
    endpoint = Endpoint(replies)

    async def main() -> Decision | str:
        try:
            return await decide(endpoint, model, b'{"x":1}', SPACE)  # type: ignore[arg-type]
        except StackError as error:
            return error.code if error.outcome == "refused" else f"{error.code}, {error.outcome}"

    return play(main), endpoint


def test_one_request_is_one_post_of_the_body_with_the_key() -> None:
    found, endpoint = asked(reply(200, GOOD))
    assert isinstance(found, Decision) and found.operation == "CLICK"
    (stream,) = endpoint.streams
    head, sent = stream.sent.split(b"\r\n\r\n", 1)
    assert head.startswith(b"POST /v1/systemone HTTP/1.1\r\n")
    assert b"Authorization: Bearer k" in head
    assert (sent, stream.closed) == (b'{"x":1}', True)


def test_without_a_key_no_header_of_one_is_sent() -> None:
    _, endpoint = asked(reply(200, GOOD), model=Model("http://127.0.0.1:8792/"))
    assert b"authorization" not in endpoint.streams[0].sent.lower()


@pytest.mark.claim("JXA-RUN-09", tooth="a server that stays busy, or names a time")
@pytest.mark.parametrize("status", sorted(BUSY))
@pytest.mark.parametrize(
    ("headers", "times"),
    [
        ((), [0, 0.5, 1.5]),
        (("Retry-After: 2",), [0, 2, 4]),
        (("Retry-After: 0",), [0, 0, 0]),
        (("Retry-After: 3600",), [0, 10, 20]),
        (("Retry-After-Ms: 250", "Retry-After: 9"), [0, 0.25, 0.5]),
        (("Retry-After: Wed, 21 Oct 2026 07:28:00 GMT",), [0, 0.5, 1.5]),
        (("Retry-After: -1",), [0, 0.5, 1.5]),
        (("Retry-After: nan",), [0, 0.5, 1.5]),
    ],
)
def test_a_busy_server_is_asked_three_times_in_all(status: int, headers: Any, times: list[float]) -> None:
    found, endpoint = asked(*[reply(status, b"{}", *headers)] * 5)
    assert found == "model_busy"
    assert endpoint.times == pytest.approx(times)


def test_a_server_that_is_busy_no_more_is_followed() -> None:
    found, endpoint = asked(reply(429), reply(529), reply(200, GOOD))
    assert isinstance(found, Decision)
    assert len(endpoint.times) == 3


@pytest.mark.claim("JXA-RUN-11", tooth="an address that the host refuses to dial")
@pytest.mark.claim("JXA-RUN-09", tooth="each other failure")
@pytest.mark.parametrize(
    ("given", "code", "seconds"),
    [
        (reply(400), "model_refused", 0), (reply(401), "model_refused", 0), (reply(404), "model_refused", 0),
        (reply(422), "model_refused", 0), (reply(500), "model_refused", 0), (reply(204), "model_refused", 0),
        (reply(302, b"{}", "Location: http://127.0.0.1:1/"), "model_refused", 0),
        (None, "http_timeout", 25), (b"HTTP/1.1 200", "http_closed", 0), (reply(200, GOOD)[:-5], "http_closed", 0),
        (b"nonsense\r\n\r\n", "http_malformed", 0),
        (ConnectionRefusedError(111, "Connection refused"), "http_unreachable", 0),
        (PermissionError(13, "only loopback"), "http_unreachable", 0),
    ],
)  # fmt: skip
def test_any_other_failure_is_an_error_at_once(given: Any, code: str, seconds: float) -> None:
    async def main() -> tuple[str, float, int]:
        endpoint = Endpoint([given] * 5)
        try:
            await decide(endpoint, MODEL, b"{}", SPACE)  # type: ignore[arg-type]
        except StackError as error:
            return error.code, trio.current_time(), len(endpoint.times)
        raise AssertionError

    assert play(main) == (code, seconds, 1)


@pytest.mark.claim("JXA-RUN-09", tooth="an answer that is none, twice")
def test_an_answer_that_is_none_is_asked_for_once_more() -> None:
    found, endpoint = asked(*[reply(200, b"{}")] * 5)
    assert (found, len(endpoint.times)) == ("model_invalid", 2)
    wrong = answers(SPACE, "CLICK", "3")
    wrong["operation"]["choice"] = "DONE"
    found, endpoint = asked(reply(200, body(wrong)), reply(200, GOOD))
    assert isinstance(found, Decision)
    assert len(endpoint.times) == 2
    assert json.loads(GOOD)["model"] == "m"
