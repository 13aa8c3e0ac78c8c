"""`run --backend mcp`: a tab of its own, leave from the user at the terminal, and an end of everything."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import anyio
import pytest

from stack import safari_mcp
from stack.contract import Content, Program, Reply
from stack.decide import Model
from stack.decide import model as models
from stack.decide.answer import Decision
from stack.decide.space import Space
from stack.safari_mcp.settings import PLATFORM
from stack.session import client, commands
from stack.session.arguments import parse
from stack.session.machine import Machine
from tests.stack.decide.deciding import Script
from tests.stack.safari_loop.paged import LOST, SHORT, Paged, said
from tests.stack.scripted_host import ScriptedHost
from tests.stack.staging import play

RUN = ["run", "--backend", "mcp", "--url", "http://shop.test/", "--plan", "Buy", "--json"]
EXECUTE = [*RUN, "--execute"]
SETTINGS = safari_mcp.Settings(platform=PLATFORM, deadlines=SHORT)


def ran(
    monkeypatch: pytest.MonkeyPatch, words: list[str], paged: Paged | None = None, **more: Any
) -> tuple[int, Any, list[str]]:
    """(exit code, what was printed, remarks) of one command on a staged machine."""
    script = Script([("CLICK", None, None), ("DONE", None, {"visible": 0.9})])
    out: list[str] = []
    remarks: list[str] = []

    async def decide(host: Any, model: Model, body: bytes, space: Space) -> Decision:
        return await script.decide(body, space)

    async def main() -> int:
        driver = (paged or Paged()).driver()
        driver.tabs.clear()
        async with anyio.create_task_group() as tasks:
            host = ScriptedHost(tasks, {Program.SAFARIDRIVER: driver})
            machine = Machine(host, None, out.append, remarks.append, mcp=SETTINGS, model=Model("http://127.0.0.1:1"))  # type: ignore[arg-type]
            status = await commands.run(parse(words), replace(machine, **more))
            assert host.running() == []
            tasks.cancel_scope.cancel()
        return status

    monkeypatch.setattr(models, "decide", decide)
    status = play(main)
    return status, json.loads(out[-1]) if "--json" in words else out, remarks


def test_with_the_users_grant_it_acts_on_a_tab_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    paged = Paged()
    status, value, remarks = ran(monkeypatch, EXECUTE, paged, user="/allow\n")
    assert (status, value["ended"], remarks) == (0, "done", [])
    assert [line["tag"] for line in value["legs"][0]["transcript"]] == ["did", "done"]
    assert len(paged.asked("act")) == 1


@pytest.mark.claim("JXA-RUN-16", tooth="a command line that says --execute and nothing more")
@pytest.mark.parametrize(
    ("user", "code"),
    [
        (None, "consent_noninteractive"),
        ("", "consent_no_task"),
        ("/other", "consent_no_task"),
        ("buy one", "consent_missing"),  # a request, and no judge who could hold an action against it
    ],
)
def test_execute_alone_grants_nothing(monkeypatch: pytest.MonkeyPatch, user: str | None, code: str) -> None:
    paged = Paged()
    status, value, _ = ran(monkeypatch, EXECUTE, paged, user=user)
    assert (status, value["ended"], value["error"]["code"]) == (1, "failed", code)
    assert (len(paged.asked("observe")) > 0, paged.asked("act")) == (True, [])


def test_without_execute_nobody_needs_to_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    paged = Paged()
    status, value, _ = ran(monkeypatch, RUN, paged)
    assert (status, value["ended"], paged.asked("act")) == (1, "proposed", [])


def test_it_prints_its_transcript(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [word for word in EXECUTE if word != "--json"]
    status, lines, _ = ran(monkeypatch, [*words, "--expect", "Shop"], user="/allow")
    assert (status, lines[0], lines[-1]) == (0, "== 1. Buy", 'proven  the page shows "Shop"')
    assert lines[1].startswith(" 1. did      click 1  (90% sure")


@pytest.mark.claim("JXA-RUN-10", tooth="an action whose page is gone with its answer")
def test_an_unknown_outcome_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    paged = Paged({"act": LOST, "resolve": said({"status": "document"})})
    status, value, _ = ran(monkeypatch, EXECUTE, paged, user="/allow")
    assert (status, value["error"]["code"], value["error"]["outcome"]) == (4, "delivery_unknown", "unknown")
    assert len(paged.asked("act")) == 1


JUDGE = ["--judge-style", "openai", "--judge-url"]


@pytest.mark.parametrize(
    ("words", "more", "status", "code"),
    [
        (["run", "--backend", "mcp", "--goal", "g", "--json"], {}, 2, "invalid_arguments"),
        ([*RUN, *JUDGE, "http://127.0.0.1:1/"], {}, 2, "invalid_arguments"),
        ([*RUN, *JUDGE, "no url", "--judge-model", "m"], {}, 2, "invalid_arguments"),
        ([*RUN, "--min-confidence", "7"], {}, 2, "invalid_arguments"),
        ([*RUN], {"mcp": None}, 2, "invalid_arguments"),
        ([*RUN], {"model": None}, 2, "model_missing"),
        ([*RUN[:3], "--url", "ftp://shop.test/", "--goal", "g", "--json"], {}, 2, "invalid_url"),
        ([*RUN], {"mcp": safari_mcp.Settings(platform="linux")}, 5, "safari_unsupported"),
    ],
)
def test_what_can_not_be_opens_no_browser(
    monkeypatch: pytest.MonkeyPatch, words: list[str], more: dict[str, Any], status: int, code: str
) -> None:
    paged = Paged()
    found, value, _ = ran(monkeypatch, words, paged, **more)
    assert (found, value["code"], value["outcome"]) == (status, code, "refused")
    assert paged.heard == []


def test_without_an_address_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    _, value, _ = ran(monkeypatch, ["run", "--backend", "mcp", "--goal", "g", "--json"])
    assert "--backend mcp without --url" in value["text"]


def test_what_could_not_be_seen_to_end_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    status = safari_mcp.SafariMcp.status

    async def left(self: Any) -> Any:
        return {**await status(self), "cleanup": {"verified": 0, "problems": ["process 7 is still there"]}}

    monkeypatch.setattr(safari_mcp.SafariMcp, "status", left)
    found, value, remarks = ran(monkeypatch, EXECUTE, user="/allow")
    assert (found, value["ended"]) == (1, "done")
    assert "process 7" in remarks[0]


@pytest.mark.parametrize("text", ["[]", "{}", "x"])
def test_a_tab_that_no_answer_names_is_none(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    async def call(self: Any, tool: str, arguments: Any, caller: Any) -> Reply:
        return Reply("done", None, (Content({"type": "text", "text": text}),))

    monkeypatch.setattr(safari_mcp.SafariMcp, "call", call)
    found, value, _ = ran(monkeypatch, RUN)
    assert (found, value["code"]) == (5, "tab_unidentified")


def test_a_session_takes_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """After open no command takes one; `--url` belongs to the tab that this command opens itself."""

    async def connect(host: Any, name: str) -> Any:
        class Asked:
            async def aclose(self) -> None:
                return

        return Asked()

    monkeypatch.setattr(client, "connect", connect)
    found, value, _ = ran(monkeypatch, ["run", "--goal", "g", "--url", "http://shop.test/", "--json"])
    assert (found, value["code"]) == (2, "invalid_arguments")
