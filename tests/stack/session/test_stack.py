"""A Safari stack with `run` and `command`, over a scripted Safari."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack import safari_jxa
from stack.contract import Program, Reply
from stack.decide import Model
from stack.session import Settings, open
from stack.session.settings import from_sheet
from tests.stack.scripted_host import ScriptedHost
from tests.stack.scripted_safari import Safari, play


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


@pytest.mark.parametrize("words", [["fly"], ["act"], ["observe", "--match", "("], ["open", "u", "--bounds", "1"], ["run", "--goal", "g", "--literal", "x"], ["observe", "--settle", "0"], ["text", "--session", "-"], []])  # fmt: skip
def test_words_that_are_none_are_usage(words: list[str]) -> None:
    reply = called("command", {"words": words})
    assert (reply.outcome, reply.code) == ("refused", "invalid_arguments")
    assert isinstance(reply.structured, dict) and reply.structured["exit"] == 2


def test_the_drivers_own_tools_are_as_they_were() -> None:
    assert called("text", {}).structured == {"text": "Shop"}


def test_settings_are_the_drivers_and_a_model() -> None:
    assert from_sheet({}) == Settings()
    found = from_sheet({"pid": 3, "model": {"url": "u"}})
    assert (found.safari, found.model) == (safari_jxa.Settings(pid=3), Model("u"))
    with pytest.raises(ValueError):
        from_sheet({"model": {}})
    with pytest.raises(ValueError):
        from_sheet({"other": 1})


def test_what_its_body_raises_comes_out_as_it_is() -> None:
    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            host = ScriptedHost(tasks, {Program.OSASCRIPT: Safari().script})
            with pytest.raises(KeyError):
                async with open(host, Settings()):
                    raise KeyError
            tasks.cancel_scope.cancel()

    play(main)
