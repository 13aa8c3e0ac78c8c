"""The systems that are served, and what their options make of them."""

from __future__ import annotations

from typing import Any

import pytest

from stack.consent.served import ASK, AsksForTask
from stack.consent.settings import Judge
from stack.safari_mcp import SafariMcp
from stack.safari_mcp.listing import TOOLS
from stack.systems import JUDGED, SYSTEMS, Options, safari
from tests.stack.staging import play

JUDGE = Judge("openai", "http://127.0.0.1:8791/v1/chat/completions", "guard")


class Bare:
    """A host of which only a path is asked."""

    def path(self, program: str) -> str:
        return f"/usr/bin/{program}"


def test_whoever_has_a_judge_is_a_system() -> None:
    assert set(SYSTEMS) >= JUDGED == {"safari-mcp"}
    assert Options() == Options(progressive=False, judge=None)


@pytest.mark.claim("SAF-PERM-13", tooth="without a judge there is no consent")
@pytest.mark.parametrize("judge", [None, JUDGE])
def test_safari_has_consent_where_it_has_a_judge(judge: Judge | None) -> None:
    async def main() -> None:
        host: Any = Bare()
        async with safari(host, Options(judge=judge)) as stack:
            assert type(stack) is (SafariMcp if judge is None else AsksForTask)
            assert [tool.name for tool in await stack.tools()] == [*TOOLS, *([] if judge is None else [ASK.name])]
            assert (await stack.status())["consent"] is (judge is not None)

    play(main)
