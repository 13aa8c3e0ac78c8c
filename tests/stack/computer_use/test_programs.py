"""Short programs: bounded in time and output, and never left running."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.computer_use.launch import PROGRAM_ENVIRONMENT
from stack.computer_use.programs import Printed, RunFailed, pipes_of, run_program
from stack.contract import Program
from tests.stack.scripted_host import Script, ScriptedHost, ScriptedProcess
from tests.stack.staging import play, staged


async def prints(process: ScriptedProcess) -> int:
    assert await process.line() is None
    await process.say(b"out")
    await process.complain(b"err")
    return 3


async def hangs(process: ScriptedProcess) -> int:
    await anyio.sleep_forever()
    return 0


async def floods(process: ScriptedProcess) -> int:
    for _ in range(20):
        await process.complain(b"x" * 10)
    return 0


async def closes(process: ScriptedProcess) -> int:
    process.stdout.end()
    process.stderr.end()
    await anyio.sleep(1)
    return 0


async def run(host: ScriptedHost) -> Printed:
    return await run_program(host, Program.CODESIGN, ["a"], limit_ms=2000, output_bytes=100)


@pytest.mark.parametrize(("script", "printed"), [(prints, Printed(3, b"out", b"err")), (closes, Printed(0, b"", b""))])
def test_a_program_is_run_to_its_end(script: Script, printed: Printed) -> None:
    async def main() -> None:
        async with staged(signs=script) as (host, _):
            assert await run(host) == printed
            (process,) = host.processes
            assert (process.args, process.env) == (["a"], PROGRAM_ENVIRONMENT)

    play(main)


@pytest.mark.claim("CUA-SIG-01")
@pytest.mark.parametrize(("script", "why"), [(hangs, "had not ended after 2000 ms"), (floods, "more than 100 bytes")])
def test_one_that_hangs_or_floods_is_ended(script: Script, why: str) -> None:
    async def main() -> None:
        async with staged(signs=script) as (host, _):
            with pytest.raises(RunFailed, match=why):
                await run(host)
            assert anyio.current_time() <= 2
            assert host.running() == []

    play(main)


@pytest.mark.parametrize(
    ("fails", "why"), [("start codesign", "Input/output error"), ("missing codesign", "No such file"), (None, "table")]
)
def test_one_that_can_not_be_started_says_why(fails: str | None, why: str) -> None:
    async def main() -> None:
        async with staged() as (host, _):
            host.fails = {fails} if fails else set()
            if fails is None:
                del host.scripts[Program.CODESIGN]
            with pytest.raises(RunFailed, match=why):
                await run(host)

    play(main)


def test_a_host_that_leaves_a_pipe_out_is_a_defect() -> None:
    class Half:
        stdin = stdout = object()
        stderr = None

    half: Any = Half()
    with pytest.raises(TypeError, match="pipes"):
        pipes_of(half)


def test_cancelling_ends_it_too() -> None:
    async def main() -> None:
        async with staged(signs=hangs) as (host, _):
            with anyio.move_on_after(1):
                await run(host)
            assert host.running() == []
            assert anyio.current_time() == pytest.approx(1)

    play(main)
