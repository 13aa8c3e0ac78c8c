"""The gate: who may, what is asked, and what ends it."""

from __future__ import annotations

import anyio
import pytest

from stack.consent.gate import opener
from stack.consent.grants import ENDINGS
from stack.consent.judge import EVIDENCE_CHARACTERS, REQUEST_CHARACTERS, message
from stack.consent.settings import Settings
from stack.contract import Gate, Permit, Proposal
from stack.errors import DeadlineError, StackError
from tests.stack.consent.rig import ALLOW, CLICK, FRESH, Endpoint, Nobody, Somebody, gate, played


async def code_of(made: Gate, proposal: Proposal = CLICK, caller: Somebody | None = None) -> str | None:
    """The code with which a proposal is refused; None where it is allowed."""
    try:
        await made.authorize(proposal, caller or Somebody())
    except StackError as error:
        return error.code if error.outcome == "refused" else f"{error.code} and {error.outcome}"
    return None


def test_a_full_grant_allows_without_a_judge() -> None:
    async def body() -> None:
        made = gate(judge=False)
        await made.tell("grant", ALLOW)
        permit = await made.authorize(CLICK, Somebody())
        permit.check()
        assert permit.evidence == {"by": "full grant"}

    played(body)


@pytest.mark.claim("SAF-PERM-02", "SAF-PERM-12", tooth="callers without a user, and no task")
def test_who_is_refused_without_asking() -> None:
    async def body() -> None:
        endpoint = Endpoint()
        made = gate(endpoint)
        assert await code_of(made) == "consent_no_task"
        await made.tell("grant", ALLOW)
        assert await code_of(made, caller=Nobody()) == "consent_noninteractive"
        assert await code_of(made) is None
        await made.tell("user_input", FRESH)
        assert await code_of(made, caller=Nobody()) == "consent_noninteractive"
        without = gate(judge=False)
        await without.tell("user_input", FRESH)
        assert await code_of(without) == "consent_missing"
        assert endpoint.streams == []

    played(body)


@pytest.mark.parametrize("style", ["openai", "anthropic"])
def test_the_judge_decides_and_the_permit_says_what_that_used(style: str) -> None:
    async def body() -> None:
        endpoint = Endpoint(style=style)
        made = gate(endpoint, style)
        await made.tell("user_input", FRESH)
        permit = await made.authorize(CLICK, Somebody())
        used = "prompt_tokens" if style == "openai" else "input_tokens"
        assert permit.evidence == {"by": "judge", "usage": {used: 5}}
        assert len(endpoint.streams) == 1
        assert await code_of(made) is None  # asked anew
        assert len(endpoint.streams) == 2
        assert vars(made)["_pending"] == set(), "a decision that is over is kept, as long as the session lasts"

    played(body)


def test_a_denial_says_why_and_what_it_used() -> None:
    async def body() -> None:
        made = gate(Endpoint('{"decision":"deny"}'))
        await made.tell("user_input", FRESH)
        with pytest.raises(StackError, match=r"consent_denied: click: the judge denied \(used prompt_tokens 5\)"):
            await made.authorize(CLICK, Somebody())

    played(body)


@pytest.mark.claim("SAF-PERM-04", tooth="one character more, and a millisecond more")
def test_the_judge_has_15_s() -> None:
    async def body() -> None:
        for wait_s, code in ((14.999, None), (15.001, "consent_timeout"), (1000.0, "consent_timeout")):
            made = gate(Endpoint(wait_s=wait_s))
            await made.tell("user_input", FRESH)
            began = anyio.current_time()
            assert await code_of(made) == code, wait_s
            assert anyio.current_time() - began == pytest.approx(min(wait_s, 15))

    played(body)
    assert issubclass(DeadlineError, StackError)


@pytest.mark.claim("SAF-PERM-04", tooth="one character more")
def test_the_most_that_is_asked() -> None:
    def padded(characters: int) -> Proposal:
        bare = len(message("t", Proposal("type", "interact", {"value": ""})))
        return Proposal("type", "interact", {"value": "x" * (characters - bare)})

    async def body() -> None:
        for task, proposal, code in (
            ("t" * REQUEST_CHARACTERS, CLICK, None),
            ("t" * (REQUEST_CHARACTERS + 1), CLICK, "consent_too_large"),
            ("t", padded(EVIDENCE_CHARACTERS), None),
            ("t", padded(EVIDENCE_CHARACTERS + 1), "consent_too_large"),
        ):
            endpoint = Endpoint()
            made = gate(endpoint)
            await made.tell("user_input", {**FRESH, "text": task})
            assert await code_of(made, proposal) == code
            assert len(endpoint.streams) == (code is None)
            if code is None:
                assert len(endpoint.requests[0][1]["messages"][1]["content"]) <= EVIDENCE_CHARACTERS

    assert (REQUEST_CHARACTERS, EVIDENCE_CHARACTERS) == (16_000, 40_000)
    played(body)


@pytest.mark.claim("SAF-PERM-06", tooth="a later grant, and every event that ends a task")
@pytest.mark.parametrize("event", [*(name for name, ending in ENDINGS.items() if ending.task), "anything else"])
def test_what_ends_a_task_takes_back_what_is_pending(event: str) -> None:
    data = FRESH if event == "user_input" else ALLOW if event == "grant" else None

    async def body() -> None:
        made = gate(Endpoint(wait_s=5))
        await made.tell("user_input", FRESH)
        allowed = await gate_permit(made)
        codes: list[str | None] = []
        async with anyio.create_task_group() as tasks:

            async def ask() -> None:
                codes.append(await code_of(made))

            tasks.start_soon(ask)
            await anyio.sleep(1)
            began = anyio.current_time()
            await made.tell(event, data)  # type: ignore[arg-type]
            await made.tell("grant", ALLOW)
        assert codes == ["consent_retired"]
        assert anyio.current_time() == began
        with pytest.raises(StackError, match="consent_retired"):
            allowed.check()

    played(body)


async def gate_permit(made: Gate) -> Permit:
    permit = await made.authorize(CLICK, Somebody())
    permit.check()
    return permit


def test_cancel_ends_nothing_and_a_call_that_is_taken_back_is_taken_back() -> None:
    async def body() -> None:
        made = gate(Endpoint(wait_s=5))
        await made.tell("user_input", FRESH)
        permit = await gate_permit(made)
        await made.tell("cancel", None)
        permit.check()
        with anyio.move_on_after(1) as scope:
            await made.authorize(CLICK, Somebody())
        assert scope.cancelled_caught

    played(body)


def test_a_gate_ends_with_its_stack() -> None:
    async def body() -> None:
        async with opener(Settings())(Endpoint()) as made:  # type: ignore[arg-type]
            await made.tell("grant", ALLOW)
            permit = await made.authorize(CLICK, Somebody())
        with pytest.raises(StackError, match="consent_retired"):
            permit.check()
        assert await code_of(made) == "consent_no_task"

    played(body)
