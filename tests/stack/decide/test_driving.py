"""The loop's port over a stack's tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from stack.contract import Content, Json, Reply
from stack.decide.driving import ToolDriver, check
from stack.decide.port import Failed, part_of
from stack.errors import ProtocolError
from tests.stack.decide.deciding import ACTIONS, page, play

SEEN: dict[str, Json] = {
    "observation": 3, "url": "u", "title": "t", "text": "x", "fingerprint": "f", "actions": [dict(ACTIONS[4])],
}  # fmt: skip


def driver(reply: Reply, heard: list[Any]) -> ToolDriver:
    async def ask(tool: str, arguments: Mapping[str, Json]) -> Reply:
        heard.append((tool, dict(arguments)))
        return reply

    return ToolDriver(ask)


def test_each_method_is_one_call() -> None:
    heard: list[Any] = []

    async def main() -> None:
        seen = await driver(Reply("done", structured=SEEN), heard).observe()
        assert (seen.number, seen.fingerprint, seen.actions) == (3, "f", (ACTIONS[4],))
        acting = driver(Reply("done", structured={"changed": True}), heard)
        assert (await acting.act(ACTIONS[4], page(7), None)).changed
        await acting.act(ACTIONS[0], page(7), "OKC")
        assert await driver(Reply("done", structured={"text": "words"}), heard).text() == "words"

    play(main)
    assert heard == [
        ("observe", {}),
        ("act", {"observation": 7, "action": dict(ACTIONS[4])}),
        ("act", {"observation": 7, "action": dict(ACTIONS[0]), "text": "OKC"}),
        ("text", {}),
    ]


@pytest.mark.parametrize("more", [{"observation": "3"}, {"actions": None}, {"url": 1}, {"fingerprint": None}])
def test_what_is_no_observation_is_an_error(more: dict[str, Json]) -> None:
    async def main() -> None:
        await driver(Reply("done", structured={**SEEN, **more}), []).observe()

    with pytest.raises(ProtocolError):
        play(main)


def test_a_reply_with_a_code_is_raised_with_its_part() -> None:
    said = (Content({"type": "text", "text": "it moved"}),)
    with pytest.raises(Failed) as caught:
        check(Reply("refused", "stale_page", said, {"part": "around"}))
    assert (caught.value.code, str(caught.value), part_of(caught.value)) == ("stale_page", "it moved", "around")
    with pytest.raises(Failed) as caught:
        check(Reply("unknown", "delivery_unknown"))
    assert (caught.value.outcome, part_of(caught.value), caught.value.advice) == ("unknown", "delivery_unknown", "")
    assert check(Reply("done", structured=None)) == {}


@pytest.mark.claim("JXA-RUN-08", tooth="a refusal whose page is not kept")
@pytest.mark.parametrize(("seen", "number"), [(SEEN, 3), ({**SEEN, "actions": None}, None), (None, None), (7, None)])
def test_a_refusal_has_the_page_that_came_with_it(seen: Json, number: int | None) -> None:
    refused = Reply("refused", "stale_page", (), {"error": "stale_page", "part": "around", "seen": seen})
    with pytest.raises(Failed) as caught:
        check(refused)
    assert (caught.value.part, caught.value.page and caught.value.page.number) == ("around", number)
