"""Process runs: a machine takes no step after its process died, whoever killed it."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import trio

from tests.harness.serve.drive import ask, process

ENV = {"LANG": "C"}


async def killed_behind_its_back(host: Any, history: list[Any]) -> None:
    program = await host.start("echo", [], env=ENV, cwd="/")
    await ask(program, 1, "two")
    await program.stdin.send(b'{"id":2,"method":"slow","params":{"ms":300}}\n')
    await program.stdin.send(b'{"id":3,"method":"add","params":{"amount":1}}\n')
    await trio.sleep(0.1)
    program.kill()
    history.append({"status": await program.wait()})
    await program.aclose()


def test_a_killed_process_takes_no_step(tmp_path: Path) -> None:
    plan = {"v": 1, "seed": 1, "faults": [
        {"id": "f1", "fault": "delay", "args": {"ms": 300}, "at": {"way": ">>", "method": "add"}}]}  # fmt: skip
    history, world, journal = process({"v": 1, "plan": plan}, killed_behind_its_back, tmp_path)
    assert history == [{"status": -9}]
    assert [event["e"] for event in world] == ["fault", "freed"]
    assert journal[-1]["e"] == "exited"
    assert journal[-1]["status"] == -9


async def started_from_a_child(host: Any, history: list[Any]) -> None:
    program = await host.start("parent", [], env=ENV, cwd="/")
    await ask(program, 1, "two")
    history.append({"status": 0})
    await program.stdin.aclose()
    await program.wait()
    await program.aclose()


def test_a_child_knows_its_parent_and_gets_the_environment_of_the_step(tmp_path: Path) -> None:
    _, _, journal = process({"v": 1}, started_from_a_child, tmp_path)
    started = {event["program"]: event for event in journal if event["e"] == "started"}
    assert started["echo"]["parent"] == started["parent"]["p"]
    assert started["echo"]["argv"] == ["--child"]
