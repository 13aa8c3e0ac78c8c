"""A real program behind the shell: everything passes, and a fault plan works on it."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
import trio

from harness.serve.hosted import Hosted
from harness.serve.launch import PYTHON, make_folder, remove_folder
from harness.serve.proxy import Proxy
from harness.serve.scheduler import run_real
from harness.serve.stage import Stage
from tests.harness.serve.drive import FolderHost, ask, leave
from tests.harness.serve.machines import Counter

PROGRAM = f"""#!{PYTHON} -SE
import os, sys, json, signal
signal.signal(signal.SIGTERM, lambda *_: os._exit(9))
sys.stderr.write("up\\n"); sys.stderr.flush()
for line in sys.stdin.buffer:
    q = json.loads(line)
    out = {{"id": q["id"], "result": [sys.argv[1:], os.environ.get("HOME"), sorted(os.environ), q["method"]]}}
    sys.stdout.write(json.dumps(out) + "\\n"); sys.stdout.flush()
sys.exit(4)
"""


PROGRAMS: Any = {"it": Proxy}


def run(client: Any, tmp_path: Path, plan: Any = None) -> tuple[list[Any], Stage]:
    real = tmp_path / "real"
    real.write_text(PROGRAM)
    real.chmod(0o700)
    folder = make_folder(["it"])
    history: list[Any] = []

    async def main() -> Stage:
        sheet = {"v": 1, "plan": plan, "programs": {"it": {"path": str(real), "dialect": "jsonrpc"}}}
        stage = Stage(sheet, PROGRAMS, Counter, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            await nursery.start(Hosted(stage, folder).serve)
            await client(FolderHost(folder), history)
            with trio.fail_after(20):
                while stage.living():
                    await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
        return stage

    try:
        return history, run_real(main)
    finally:
        remove_folder(folder)


async def straight(host: Any, history: list[Any]) -> None:
    program = await host.start("it", ["a", "é"], env={"HOME": "/nowhere", "X": "1"}, cwd="/")
    history.append(await ask(program, 1, "hello"))
    history.append(await program.stderr.receive())
    history.append(await leave(program))


def test_arguments_environment_frames_stderr_and_status_pass(tmp_path: Path) -> None:
    history, stage = run(straight, tmp_path)
    line, errors, status = history
    assert line == [b'{"id": 1, "result": [["a", "\\u00e9"], "/nowhere", ["HOME", "LC_CTYPE", "X"], "hello"]}']
    assert (errors, status) == (b"up\n", 4)
    assert [event.get("b") for event in stage.journal if event.get("s") == "err"] == ["up\n"]


def test_a_fault_plan_works_on_a_real_program(tmp_path: Path) -> None:
    plan = {"v": 1, "seed": 1, "faults": [{"id": "f1", "fault": "drop", "at": {"way": "<<", "kind": "reply"}}]}

    async def client(host: Any, history: list[Any]) -> None:
        program = await host.start("it", [], env={}, cwd="/")
        await program.stdin.send(b'{"id":1,"method":"lost"}\n')
        history.append(await ask(program, 2, "kept"))
        history.append(await leave(program))

    history, stage = run(client, tmp_path, plan)
    assert [b'"kept"' in line for line in history[0]] == [True]
    assert [event["e"] for event in stage.events] == ["fault", "freed"]


def test_a_signal_reaches_the_real_program_and_its_status_comes_back(tmp_path: Path) -> None:
    async def client(host: Any, history: list[Any]) -> None:
        program = await host.start("it", [], env={}, cwd="/")
        await ask(program, 1, "hello")
        program.terminate()
        history.append(await program.wait())
        await program.aclose()

    assert run(client, tmp_path)[0] == [9]


def test_a_program_that_cannot_be_started_ends_as_a_shell_says_it(tmp_path: Path) -> None:
    async def client(host: Any, history: list[Any]) -> None:
        (tmp_path / "real").unlink()
        program = await host.start("it", [], env={}, cwd="/")
        with pytest.raises(anyio.EndOfStream):
            await program.stdout.receive()
        history.append(await program.wait())
        history.append(await program.stderr.receive())
        await program.aclose()

    status, errors = run(client, tmp_path)[0]
    assert status == 127
    assert b"No such file" in errors
