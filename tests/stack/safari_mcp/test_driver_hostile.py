"""Whatever a caller or a driver says: a typed answer, no other tool and no other program, and nothing sent for what is
refused."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from stack.errors import ADVICE
from stack.safari_mcp import pinned
from stack.safari_mcp.listing import TOOLS
from stack.safari_mcp.page_programs import PROGRAMS
from tests.stack.scripted_safaridriver import SHOP, SafariDriver, call, first_tab, result, staged
from tests.stack.staging import play

WORDS = st.text(max_size=20) | st.sampled_from(['"', "')}]", "\\", "${x}", "</script>", "\u2028", "\ud800", "\x00"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-20_000, 20_000) | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
SCHEMAS: list[Any] = [tool.input_schema for tool in TOOLS.values()]
NAMES = sorted({name for schema in SCHEMAS for name in schema["properties"]})
ARGUMENTS = st.dictionaries(st.sampled_from(NAMES), JSON, max_size=5)
KNOWN = {*pinned.SENT, *pinned.PINNED}


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([*TOOLS, "evaluate_javascript"]), ARGUMENTS, st.booleans())
def test_whatever_a_caller_gives(tool: str, arguments: dict[str, Any], named: bool) -> None:
    async def main() -> None:
        driver = SafariDriver()
        driver.add()
        async with staged(driver) as (_, stack):
            target = await first_tab(stack)
            sent = len(driver.calls)
            reply = await call(stack, tool, **{**arguments, **(target if named else {})})
            assert reply.code is None or reply.code in ADVICE
            if reply.code in ("invalid_arguments", "invalid_url", "unknown_tool", "stale_target"):
                assert (reply.outcome, len(driver.calls)) == ("refused", sent)
        check_sent(driver)

    play(main)


def check_sent(driver: SafariDriver) -> None:
    """Only known tools, and only the fixed programs."""
    for name, arguments in driver.calls:
        assert name in KNOWN
        if name == pinned.EVALUATE:
            assert arguments["expression"].partition(")(")[0].removeprefix("return (") in PROGRAMS.values()


@settings(max_examples=25, deadline=None)
@given(WORDS, st.sampled_from(["selector", "text"]))
def test_whatever_is_looked_for(words: str, member: str) -> None:
    async def main() -> None:
        driver = SafariDriver()
        driver.add()
        async with staged(driver) as (_, stack):
            reply = await call(stack, "find", **await first_tab(stack), **{member: words})
            assert reply.outcome == ("done" if words else "refused")
        check_sent(driver)

    play(main)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([*sorted(KNOWN), "initialize", "tools/list", *PROGRAMS]), JSON)
def test_whatever_the_driver_answers(place: str, value: Any) -> None:
    async def main() -> None:
        driver = SafariDriver()
        driver.add()
        async with staged(driver) as (_, stack):
            if place not in ("initialize", "tools/list"):
                target = await first_tab(stack)
            else:
                target = {"targetId": "page-1", "epoch": "none"}
            driver.answers[place] = [result(value)]
            ways: list[tuple[str, dict[str, Any]]] = [
                ("tabs", {}), ("open", {"url": SHOP}), ("snapshot", target), ("find", {**target, "text": "x"}),
                ("follow_link", {**target, "expectedUrl": SHOP, "selector": "a"}), ("search", {"query": "q"}),
            ]  # fmt: skip
            for tool, arguments in ways:
                reply = await call(stack, tool, **arguments)
                assert reply.code is None or (reply.code in ADVICE and reply.is_error)
        check_sent(driver)

    play(main)
