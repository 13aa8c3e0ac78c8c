"""One JSON line each way, over streams in memory."""

from __future__ import annotations

import pytest

from stack.contract import Content, Reply
from stack.errors import CallError, ProtocolError
from stack.session.wire import ENDS, Lines, answer, failed, reply_of
from tests.stack.decide.deciding import play
from tests.stack.test_http import Scripted


def received(*pieces: bytes) -> object:
    async def main() -> object:
        return await Lines(Scripted(pieces)).receive()

    return play(main)


def test_a_line_is_an_object_however_it_is_cut() -> None:
    assert received(b'{"call"', b':"observe"}', b"\n{") == {"call": "observe"}


@pytest.mark.parametrize("line", [b"no\n", b"[1]\n", b"\xff\n", b"[" * 99_999 + b"\n"])
def test_what_is_none_is_refused(line: bytes) -> None:
    with pytest.raises(ProtocolError):
        received(line)


def test_an_end_is_an_end() -> None:
    with pytest.raises(ENDS):
        received(b"half a line")


def test_what_is_sent_is_ascii_and_one_line() -> None:
    stream = Scripted([])

    async def main() -> None:
        await Lines(stream).send({"text": "a\n\u2028é"})

    play(main)
    assert stream.sent == b'{"text":"a\\n\\u2028\\u00e9"}\n'


def test_a_reply_goes_there_and_back() -> None:
    reply = Reply("refused", "stale_page", (Content({"type": "text", "text": "moved"}),), {"part": "field"}, True)
    assert reply_of(answer(reply)) == reply
    done = reply_of(answer(Reply("done", structured={"a": 1})))
    assert (done.outcome, done.code, done.structured, done.is_error) == ("done", None, {"a": 1}, False)
    error = failed(CallError("no_session", "none"))
    assert (error.outcome, error.code, error.is_error) == ("refused", "no_session", True)


@pytest.mark.parametrize("more", [{"outcome": "fine"}, {"code": 1}, {"text": None}])
def test_what_is_no_reply_is_refused(more: dict[str, object]) -> None:
    with pytest.raises(ProtocolError):
        reply_of({**answer(Reply("done")), **more})  # type: ignore[dict-item]
