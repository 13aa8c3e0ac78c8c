"""A Safari stack with `run` and `command`, over a scripted Safari."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from stack import safari_jxa
from stack.contract import Program, Reply
from stack.decide import Model
from stack.decide.answer import Decision
from stack.decide.model import ModelError
from stack.decide.space import Space
from stack.session import Settings, open
from tests.stack.decide.deciding import Script
from tests.stack.scripted_host import ScriptedHost
from tests.stack.scripted_safari import Safari, play
from tests.stack.session.holding import Safari as Stub
from tests.stack.session.holding import host_in, opening
from tests.stack.session.holding import run as really_run


def called(tool: str, arguments: dict[str, Any], attach: bool = True, **settings: Any) -> Reply:
    safari = Safari()
    found: list[Reply] = []

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            host = ScriptedHost(tasks, {Program.OSASCRIPT: safari.script})
            async with open(host, Settings(**settings)) as stack:
                if attach:
                    assert (await stack.call("attach", {"window": 7}, None)).outcome == "done"  # type: ignore[arg-type]
                found.append(await stack.call(tool, arguments, None))  # type: ignore[arg-type]
                names = [each.name for each in await stack.tools()]
                assert names[-2:] == ["run", "command"] and len(names) == 12
                assert (await stack.status())["tools"] == names
                await stack.tell("task_end", None)
            assert host.running() == []
            tasks.cancel_scope.cancel()

    play(main)
    return found[0]


@pytest.mark.parametrize(
    ("arguments", "attach", "model", "code"),
    [
        ({"goal": "g"}, True, None, "model_missing"),
        ({"goal": "g"}, False, Model("http://127.0.0.1:1"), "no_session"),
        ({"goal": "g", "script": "x"}, True, Model("http://127.0.0.1:1"), "invalid_arguments"),
    ],
)
def test_a_run_that_can_not_be_is_refused(arguments: Any, attach: bool, model: Any, code: str) -> None:
    reply = called("run", arguments, attach, model=model)
    assert (reply.outcome, reply.code, reply.is_error) == ("refused", code, True)


@pytest.mark.parametrize("arguments", [{}, {"words": "observe"}, {"words": [1]}, {"words": [], "more": 1}])
def test_a_command_is_words(arguments: Any) -> None:
    assert called("command", arguments).code == "invalid_arguments"


@pytest.mark.parametrize(
    "words",
    [
        ["fly"],
        ["act"],
        ["observe", "--match", "("],
        ["open", "u", "--bounds", "1"],
        ["run", "--goal", "g", "--literal", "x"],
        ["observe", "--settle", "0"],
        ["text", "--session", "-"],
        [],
    ],
)
def test_words_that_are_none_are_usage(words: list[str]) -> None:
    reply = called("command", {"words": words})
    assert (reply.outcome, reply.code) == ("refused", "invalid_arguments")
    assert isinstance(reply.structured, dict) and reply.structured["exit"] == 2


def test_the_drivers_own_tools_are_as_they_were() -> None:
    assert called("text", {}).structured == {"text": "Shop"}


def test_what_its_body_raises_comes_out_as_it_is() -> None:
    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            host = ScriptedHost(tasks, {Program.OSASCRIPT: Safari().script})
            with pytest.raises(KeyError):
                async with open(host, Settings()):
                    raise KeyError
            tasks.cancel_scope.cancel()

    play(main)


def over_sockets(monkeypatch: pytest.MonkeyPatch, folder: Path, *calls: tuple[str, dict[str, Any]]) -> list[Reply]:
    """The replies of a stack whose driver is a few lines, and whose servers listen on real sockets."""
    monkeypatch.setattr(safari_jxa, "open", opening(Stub()))

    async def main() -> list[Reply]:
        async with open(host_in(folder), Settings(model=Model("http://127.0.0.1:9"))) as stack:
            return [await stack.call(tool, given, None) for tool, given in calls]  # type: ignore[arg-type]

    return really_run(main)


@pytest.mark.claim("JXA-SES-01", tooth="servers that are not there for the next command")
def test_commands_in_process_have_servers_that_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = ["attach 7", "observe --json", "act 2.e1", "attach 7", "close", "status"]
    replies = over_sockets(monkeypatch, tmp_path, *(("command", {"words": line.split()}) for line in lines))
    said: list[Any] = [reply.structured for reply in replies]
    assert [each["exit"] for each in said] == [0, 0, 0, 2, 0, 5]
    assert said[1]["lines"][0]["observe"]["observation"] == 2
    assert [(reply.outcome, reply.code) for reply in replies[3:]] == [
        ("refused", "session_taken"),
        ("done", None),
        ("refused", "no_session"),
    ]


@pytest.mark.parametrize(
    ("steps", "code", "outcome", "ended"),
    [
        ([("CLICK", "1"), ("DONE", None, {"visible": 0.9})], None, "done", "done"),
        ([("BLOCKED", None, {})], "blocked", "refused", "blocked"),
    ],
)
def test_a_run_says_how_it_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, steps: Any, code: str | None, outcome: str, ended: str
) -> None:
    script = Script(steps, think=0.001)

    async def decide(host: object, model: object, body: bytes, space: Space) -> Decision:
        return await script.decide(body, space)

    monkeypatch.setattr("stack.decide.model.decide", decide)
    monkeypatch.setattr("stack.decide.leg.PAUSES_MS", (1, 1, 1))
    _, reply = over_sockets(monkeypatch, tmp_path, ("attach", {"window": 7}), ("run", {"goal": "g", "execute": True}))
    found: Any = reply.structured
    assert (reply.outcome, reply.code, found["ended"]) == (outcome, code, ended)


@pytest.mark.parametrize(("first", "outcome"), [([], "refused"), ([("CLICK", "1")], "done")])
def test_what_was_done_before_an_error_stays_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, first: Any, outcome: str
) -> None:
    script = Script([*first, ("WAIT", None)], think=0.001, errors={len(first) + 1: ModelError("model_busy", "busy")})

    async def decide(host: object, model: object, body: bytes, space: Space) -> Decision:
        return await script.decide(body, space)

    monkeypatch.setattr("stack.decide.model.decide", decide)
    _, reply = over_sockets(monkeypatch, tmp_path, ("attach", {"window": 7}), ("run", {"goal": "g", "execute": True}))
    assert (reply.outcome, reply.code, reply.is_error) == (outcome, "model_busy", True)
