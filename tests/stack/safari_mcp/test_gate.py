"""The gate of a stack without a consent provider."""

from __future__ import annotations

import pytest

from stack.contract import Proposal
from stack.errors import CallError
from stack.safari_mcp.gate import RESTRICTED, RefusesAll
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.staging import play


@pytest.mark.parametrize("scope", RESTRICTED)
def test_it_refuses_whatever_it_is_asked_and_told(scope: str) -> None:
    async def main() -> None:
        gate = RefusesAll()
        await gate.tell("grant", {"grant": "*"})
        with pytest.raises(CallError, match=scope) as error:
            await gate.authorize(Proposal(scope, "interact", {}), ScriptedCaller())
        assert error.value.code == "consent_missing"

    play(main)
