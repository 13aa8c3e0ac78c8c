"""How calls and connections end, over raw lines in virtual time: whatever the client does, calls have cleaned up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from stack.contract import AskFailed, Caller, Json, Question, Reply
from tests.stack.scripted_stack import DONE, FORM, ScriptedStack, served
from tests.stack.staging import play


class Patient:
    """Calls that wait until they are taken back, clean up for a while, and ask meanwhile if told to."""

    def __init__(self, question: Question | None = None) -> None:
        self.question = question
        self.begun = anyio.Event()
        self.cleaned: list[str] = []
        self.answers: list[Any] = []

    async def act(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        try:
            self.begun.set()
            if self.question is not None:
                try:
                    self.answers.append(await caller.ask(self.question))
                except AskFailed as error:
                    self.answers.append(error)
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            pass  # as the port says: the reply still says what happened
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.sleep(3)
                self.cleaned.append(tool)
        return DONE


@pytest.mark.claim("CUA-RUN-09")
def test_a_cancelled_call_is_taken_back_and_never_answered() -> None:
    async def main() -> None:
        patient = Patient()
        async with served(ScriptedStack(patient.act)) as client:
            await client.greet()
            number = await client.call("drag")
            await patient.begun.wait()
            await client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
            pong = await client.ask("ping")
            assert "result" in pong
            await anyio.sleep(10)
            assert patient.cleaned == ["drag"]
            assert "result" in await client.ask("ping")  # nothing came in between

    play(main)


@pytest.mark.claim("CUA-ELI-03")
def test_a_call_that_is_cancelled_while_it_asks_takes_its_question_back() -> None:
    async def main() -> None:
        patient = Patient(Question("form", "Allow?", FORM))
        async with served(ScriptedStack(patient.act)) as client:
            await client.greet({"elicitation": {}})
            number = await client.call()
            asked = await client.read()
            await client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
            told = await client.read()
            assert (told["method"], told["params"]["requestId"]) == ("notifications/cancelled", asked["id"])
            await client.write({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}})
            await anyio.sleep(10)
            assert (patient.answers, patient.cleaned) == ([], ["click"])

    play(main)


@pytest.mark.claim("CUA-CLN-01", "CUA-ELI-03")
@pytest.mark.parametrize("end", ["the client closes its output", "a signal", "the client is killed", "deaf"])
@pytest.mark.parametrize("asking", [False, True])
def test_however_it_ends_calls_in_flight_have_cleaned_up(end: str, asking: bool) -> None:
    async def main() -> None:
        patient = Patient(Question("form", "Allow?", FORM) if asking else None)
        async with served(ScriptedStack(patient.act)) as client:
            await client.greet({"elicitation": {}})
            number = await client.call()
            await patient.begun.wait()
            if asking:
                await client.read()
            if end == "a signal":
                client.stop.set()
            elif end == "the client is killed":
                await client.to_server.send(b"")
            elif end == "deaf":
                client.from_server.broken = anyio.BrokenResourceError()
                await client.request("ping")
            else:
                await client.to_server.aclose()
            with anyio.fail_after(60):
                await client.ended.wait()
            assert (patient.answers, patient.cleaned) == ([], ["click"])
            if end == "a signal":
                message = await client.read()
                while "result" not in message:
                    message = await client.read()
                assert (message["id"], message["result"]["isError"]) == (number, False)

    play(main)


def test_a_client_that_reads_nothing_does_not_keep_the_server() -> None:
    async def main() -> None:
        async with served(ScriptedStack()) as client:
            await client.greet()

            async def never(item: bytes) -> None:
                await anyio.sleep_forever()

            client.from_server.send = never  # type: ignore[method-assign]
            await client.call()
            await client.to_server.aclose()
            with anyio.fail_after(60):
                await client.ended.wait()

    play(main)
