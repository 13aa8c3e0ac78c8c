"""Generated pages and actions on the model and on real WebKit: the same content, effects and states, or a finding.

A page is made of links, buttons with effects, fields, toggles and hidden elements at places of their own; actions are
what a client can do to its numbered nodes. Compared is what a client sees (the text tree with its numbers, the address
and title, the texts of dialogs, what each step answered) and the effects in the record. More pages: raise EXAMPLES.
Findings are not made smaller, since every try on an engine takes seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fakes.engines.webkit import WebKit
from harness.serve.scheduler import run_real, run_virtual
from tests.fakes.safaridriver.backs import Model
from tests.fakes.safaridriver.client import Client, Options
from tests.fakes.safaridriver.differences import DIFFERENCES
from tests.fakes.safaridriver.webkit import OnWebKit

pytestmark = [pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]
EXAMPLES = 8
URL = "http://gen.test/"
OTHER = "http://gen.test/other"
WORDS = st.sampled_from(["apple", "bread", "cheese", "dill & dip", "<egg>", "fig 'n' fun", "grün", "豆腐"])


def effects() -> st.SearchStrategy[dict[str, Any]]:
    """One effect, on nodes that every page has."""
    return st.one_of(
        st.builds(lambda name, text: {"set": {"node": name, "text": text}}, st.just("out"), WORDS),
        st.builds(lambda value: {"set": {"node": "box", "value": value}}, WORDS),
        st.builds(
            lambda hidden: {"set": {"node": "out", "hidden": hidden}}, st.sampled_from(["display", "visibility", None])
        ),
        st.builds(lambda: {"rerender": "box"}),
        st.builds(lambda text: {"insert": {"into": "out", "element": {"tag": "b", "text": text}}}, WORDS),
        st.builds(lambda text: {"title": text}, WORDS),
        st.builds(lambda: {"push": "/pushed"}),
        st.builds(lambda: {"navigate": "/other"}),
        st.builds(lambda text: {"alert": text}, WORDS),
        st.builds(lambda: {"focus": "box"}),
        st.builds(lambda: {"remove": "toggle"}),
    )


def elements(n: int) -> st.SearchStrategy[dict[str, Any]]:
    """One element at a place of its own."""
    at = [20, 20 + 60 * n, 200, 40]
    button = st.builds(
        lambda text, do, disabled: {"tag": "button", "text": text, "attributes": {"disabled": True} if disabled else {},
                                    "on": {"click": do}},
        WORDS, st.lists(effects(), min_size=1, max_size=2), st.booleans(),
    )  # fmt: skip
    link = st.builds(lambda text: {"tag": "a", "text": text, "attributes": {"href": "/other"}}, WORDS)
    field = st.builds(
        lambda text, readonly: {"tag": "input", "value": text, "attributes": {"readonly": True} if readonly else {}},
        WORDS, st.booleans(),
    )  # fmt: skip
    heading = st.builds(lambda text: {"tag": "h2", "text": text}, WORDS)
    hidden = st.builds(lambda text, why: {"tag": "button", "text": text, "hidden": why}, WORDS,
                       st.sampled_from(["display", "visibility"]))
    return st.one_of(button, link, field, heading, hidden).map(lambda each: {**each, "id": f"e{n}", "at": at})


def pages() -> st.SearchStrategy[dict[str, Any]]:
    fixed = [
        {"id": "out", "tag": "p", "text": "out", "at": [300, 20, 200, 40]},
        {"id": "box", "tag": "input", "value": "", "at": [300, 80, 200, 40], "attributes": {"placeholder": "box"}},
        {"id": "toggle", "tag": "input", "attributes": {"type": "checkbox"}, "at": [300, 140, 20, 20]},
    ]
    bodies = st.integers(1, 6).flatmap(lambda count: st.tuples(*(elements(n) for n in range(count))))
    return st.builds(lambda title, body: {"title": title, "body": [*body, *fixed]}, WORDS, bodies)


ACTIONS = st.one_of(
    st.tuples(st.just("click"), st.integers(0, 9), st.none()),
    st.tuples(st.just("type"), st.integers(0, 9), WORDS),
    st.tuples(st.just("keyPress"), st.none(), st.sampled_from(["x", "Backspace"])),
)


class Seen:
    """What one back showed: lines of text, in order."""

    def __init__(self) -> None:
        self.lines: list[Any] = []


async def play(client: Client, actions: list[Any], seen: Seen) -> None:
    await client.open(URL)
    for type, place, value in actions:
        tree = await client.tree(region="entire_page", nodeIds="interactive", includeRects=False)
        seen.lines.append(plain(tree))
        uids = [line.partition("uid=")[2].split(" ")[0] for line in tree if "uid=" in line]
        if place is not None and not uids:  # another page, on which there is nothing to act on
            break
        members: dict[str, Any] = {} if place is None else {"node": uids[place % len(uids)]}
        if value is not None:
            members["value"] = value
        step = {"type": type, "purpose": "test", **members}
        call = await client.begin("page_interactions", interactions=[step])
        while not client.answered(call):
            asked = await client.value("browser_dialogs", action="list")
            if asked["dialogs"]:
                seen.lines.append([dialog["message"] for dialog in asked["dialogs"]])
                await client.done("browser_dialogs", action="respond")
        reply = (await client.result(call)).value
        seen.lines.append({key: reply.get(key) for key in ("requested", "successful", "failureReason")})
        info = await client.value("page_info")
        seen.lines.append((info["url"], info["title"]))
    seen.lines.append(plain(await client.tree(region="entire_page")))


def plain(tree: list[str]) -> list[str]:
    """Without which node has the focus: see DIFFERENCES."""
    return [line.replace(" focused", "") for line in tree]


def effects_of(back: Any) -> list[Any]:
    return [
        (line["verb"], line["target"].get("node"), line["value"])
        for line in back.stages[-1].events if line["e"] == "effect"
    ]  # fmt: skip


def both(engine: WebKit, page: dict[str, Any], actions: list[Any]) -> tuple[Any, Any]:
    """What a client sees on the model, and on WebKit."""
    world = {"pages": {URL: page, OTHER: {"title": "Other", "body": ["the other page"]}}}
    found = []
    for back in (Model(), OnWebKit(engine)):
        seen = Seen()

        async def body(back: Any = back, seen: Seen = seen) -> None:
            async with back(Options(world=world)) as client:
                await play(client, actions, seen)

        run_virtual(body, 1) if back.virtual else run_real(body)
        found.append((seen.lines, effects_of(back)))
    return found[0], found[1]


@pytest.fixture(scope="module")
def engine() -> Iterator[WebKit]:
    made = WebKit({}, waits=False)
    made.start()
    yield made
    made.close()


@settings(max_examples=EXAMPLES, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(page=pages(), actions=st.lists(ACTIONS, min_size=1, max_size=4))
def test_model_and_webkit_show_the_same(engine: WebKit, page: dict[str, Any], actions: list[Any]) -> None:
    model, webkit = both(engine, page, actions)
    assert model == webkit


def test_every_difference_has_its_reason() -> None:
    assert all(len(why) > 20 for why in DIFFERENCES.values())
