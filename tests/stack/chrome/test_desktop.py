"""The port of what the system gives: forms of answers, deadlines, and a program that is not there."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from harness.serve.scheduler import run_virtual
from stack.chrome.desktop import Desktop, DesktopError, Thing, Window
from stack.contract import Program
from tests.stack.scripted_host import ScriptedHost, ScriptedProcess, stay

NODE = {
    "id": "a",
    "role": "button",
    "name": "A",
    "actions": ["activate", 1],
    "bounds": {"x": 1, "y": 2, "w": 3, "h": 4},
}


class Deaf(ScriptedHost):
    """A host whose programs have closed their input by the time that anybody writes to it."""

    def spawn(self, *words: Any, **more: Any) -> ScriptedProcess:
        process = super().spawn(*words, **more)
        process.stdin.broken = True
        return process


def asked(
    answer: Any, *calls: Any, script: Any = None, on: type[ScriptedHost] = ScriptedHost
) -> tuple[Any, list[bytes | None]]:
    """(what a call gives, the lines that the program was sent)."""
    lines: list[bytes | None] = []

    async def play(process: ScriptedProcess) -> int:
        lines.append(await process.line())
        await process.say(answer)
        return 0

    async def main() -> Any:
        async with anyio.create_task_group() as tasks:
            host = on(tasks, {Program.DESKTOP: script or play})
            name, *arguments = calls
            result = await getattr(Desktop(host), name)(*arguments)
            assert host.running() == []
            assert all(process.closed for process in host.processes)
            tasks.cancel_scope.cancel()
        return result

    return run_virtual(main, 1), lines


def failing(answer: Any, *calls: Any, script: Any = None) -> DesktopError:
    with pytest.raises(BaseExceptionGroup) as caught:
        asked(answer, *calls, script=script)
    (error,) = caught.value.exceptions
    assert isinstance(error, DesktopError)
    return error


def test_answers_of_each_kind() -> None:
    rows = b'{"ok":true,"result":{"windows":[{"id":1,"pid":2,"app":"A","front":true,"unit":"point"}]}}'
    assert asked(rows, "windows")[0] == [Window(1, 2, "A", True, "point")]
    row = {**NODE, "value": "v"}
    nodes = json.dumps({"ok": True, "result": {"nodes": [row]}}).encode()
    thing = Thing("a", "button", "A", "v", ("activate",), {"x": 1, "y": 2, "w": 3, "h": 4})
    result, lines = asked(nodes, "read", 1, "page")
    assert (result, lines) == ([thing], [b'{"ask": "read", "window": 1, "part": "page"}'])
    assert asked(nodes, "recognise", 1)[0] == [thing]
    picture = b'{"ok":true,"result":{"data":"AA==","mime":"image/png"}}'
    assert asked(picture, "picture", 1)[0] == {"type": "image", "data": "AA==", "mimeType": "image/png"}
    done = b'{"ok":true,"result":{}}'
    assert asked(done, "click", 1, 2.0, 3.0)[1] == [b'{"ask": "click", "window": 1, "x": 2.0, "y": 3.0}']
    assert asked(done, "press", 1, "a")[0] is None


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"{", b"[]", b'{"ok":1}', b'{"ok":true}', b'{"ok":true,"result":{"nodes":1}}',
        b'{"ok":true,"result":{"nodes":[1]}}',
        b'{"ok":true,"result":{"nodes":[{"id":1,"role":"a","name":"a"}]}}', b'{"ok":false}',
        b'{"ok":true,"result":{"nodes":[{"id":"a","role":"a","name":"a","bounds":{"x":true}}]}}',
        b'{"ok":true,"result":{"nodes":[{"id":"a","role":"a","name":"a"}]}}',
    ],
)  # fmt: skip
def test_an_answer_of_another_form_is_none(answer: bytes) -> None:
    assert failing(answer, "read", 1, "page").reason == "invalid_answer"


def test_numbers_have_to_be_numbers() -> None:
    rows = b'{"ok":true,"result":{"windows":[{"id":true,"pid":2,"app":"A","unit":"point"}]}}'
    assert failing(rows, "windows").reason == "invalid_answer"


def test_an_answer_that_is_said_again_is_the_same_answer_and_another_is_none() -> None:
    answer = b'{"ok":true,"result":{"windows":[]}}\n'
    assert asked(answer * 2, "windows")[0] == []
    other = b'{"ok":false,"reason":"unavailable","message":"no"}\n'
    assert failing(answer + other, "windows").reason == "invalid_answer"


def test_a_program_that_reads_to_the_end_of_its_input_answers_and_ends() -> None:
    answer = b'{"ok":true,"result":{"windows":[]}}'

    async def loops(process: ScriptedProcess) -> int:
        while await process.line() is not None:
            await process.say(answer)
        return 0

    assert asked(answer, "windows", script=loops)[0] == []


def test_what_a_program_said_before_it_stopped_reading_counts() -> None:
    async def says_first(process: ScriptedProcess) -> int:
        await process.say(b'{"ok":true,"result":{"windows":[]}}')
        return 0

    assert asked(b"", "windows", script=says_first, on=Deaf)[0] == []


def test_its_own_reason_is_kept_and_a_program_that_does_not_answer_is_ended() -> None:
    assert failing(b'{"ok":false,"reason":"refused","message":"no"}', "press", 1, "a").reason == "refused"
    assert failing(b"", "windows", script=stay).reason == "timed_out"

    async def quits(process: ScriptedProcess) -> int:
        return 1

    assert failing(b"", "windows", script=quits).reason == "invalid_answer"

    async def floods(process: ScriptedProcess) -> int:
        for _ in range(9):
            await process.say(b"x" * (1 << 20))
        return 0

    assert failing(b"", "windows", script=floods).reason == "invalid_answer"


def test_without_such_a_program_nothing_is_available() -> None:
    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            host = ScriptedHost(tasks, {})
            with pytest.raises(DesktopError, match="unavailable"):
                await Desktop(host).windows()
            host = ScriptedHost(tasks, {Program.DESKTOP: stay})
            host.fails.add(f"missing {Program.DESKTOP}")
            with pytest.raises(DesktopError, match="unavailable"):
                await Desktop(host).windows()

    run_virtual(main, 1)
