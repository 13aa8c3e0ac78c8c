"""The fake app-server with its helper over a desktop: the whole path, what is flagged, and that seeds repeat runs."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from tests.fakes.conformance.client import Client
from tests.fakes.drive import Run, run
from tests.fakes.fronts.talk import session, whys

CALL = "mcpServer/tool/call"
CLIENT = {"name": "a", "version": "1"}


async def happy(made: Run, client: Client) -> None:
    await client.start()
    await client.list()
    await client.call("get_app_state", {"app": "Chess"})
    await client.call("click", {"app": "Chess", "element_index": "1"})
    assert await client.finish() == 0


@pytest.mark.claim("HAR-FAKE-02")
@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
@pytest.mark.parametrize("seed", range(6))
def test_the_happy_path_has_one_effect_and_no_violation(profile: str, seed: int) -> None:
    made = session(happy, codex={"profile": profile}, seed=seed)
    assert whys(made) == []
    assert [event["verb"] for event in made.of("effect")] == ["click"]
    assert made.stage.living() == []


def test_one_seed_gives_one_journal_and_others_give_others() -> None:
    def journal(seed: int) -> str:
        return repr(session(happy, seed=seed).stage.journal)

    assert journal(3) == journal(3)
    assert len({journal(seed) for seed in range(6)}) > 1


def test_without_shuffling_the_order_is_one() -> None:
    orders = set()
    for seed in range(6):
        made = session(happy, codex={"shuffle": False}, seed=seed)
        orders.add(
            tuple(
                str(line.get("b", ""))[:40] for line in made.stage.journal if line.get("s") == "out" and line["p"] == 1
            )
        )
    assert len({tuple("thread/started" in line for line in order) for order in orders}) == 1


VIOLATIONS: tuple[tuple[str, list[Any], str], ...] = (
    ("a second initialize", [{"method": "initialize", "id": 9, "params": {"clientInfo": CLIENT}}],
     "initialize in state armed"),
    ("a second initialized", [{"method": "initialized"}], "initialized in state armed"),
    ("a turn", [{"method": "turn/start", "id": 9, "params": {"threadId": "THREAD", "input": []}}],
     "other request in state armed"),
    ("a notification", [{"method": "foo/bar"}], "other notification in state armed"),
    ("an unknown method", [{"method": "foo/bar", "id": 9}], "other request in state armed"),
    ("an id twice", [{"method": "thread/loaded/list", "id": 9, "params": {}}] * 2, "id used again"),
    ("bad params", [{"method": "thread/loaded/list", "id": 9}], "bad params"),
    ("an experimental member", [{"method": "thread/start", "id": 9, "params": {"dynamicTools": []}}],
     "experimental member"),
    ("an answer to nobody", [{"id": 7, "result": {}}], "answer to 7, which nobody asked"),
    ("a tool that is not offered", [{"method": CALL, "id": 9, "params": {
        "threadId": "THREAD", "server": "computer-use", "tool": "launch", "arguments": {}}}], "unknown tool launch"),
    ("arguments that are no object", [{"method": CALL, "id": 9, "params": {
        "threadId": "THREAD", "server": "computer-use", "tool": "click", "arguments": []}}], "arguments are no object"),
    ("two calls at once", [{"method": CALL, "id": id, "params": {
        "threadId": "THREAD", "server": "computer-use", "tool": "list_apps", "arguments": {}}} for id in (9, 10)],
     "mcpServer/tool/call in state calling"),
)  # fmt: skip


@pytest.mark.parametrize(("what", "frames", "why"), VIOLATIONS, ids=[row[0] for row in VIOLATIONS])
def test_what_a_driver_must_not_do_is_flagged(what: str, frames: list[Any], why: str) -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.list()
        await client.ready()
        for frame in frames:
            if "threadId" in frame.get("params", {}):
                frame = {**frame, "params": {**frame["params"], "threadId": client.thread_id}}
            await client.send(frame)
        await trio.sleep(1)
        await client.finish()

    assert why in whys(session(body))


def test_the_happy_path_out_of_order_is_served_and_flagged() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.initialize(initialized=False)
        await client.thread()
        assert "result" in await client.call("list_apps", {})
        await client.finish()

    assert whys(session(body)) == ["thread/start in state initialized", "mcpServer/tool/call in state threaded"]


def test_an_unterminated_last_line_is_flagged_whether_answered_or_not() -> None:
    answered = set()
    for seed in range(8):

        async def body(made: Run, client: Client) -> None:
            await client.initialize()
            await client.send_bytes(b'{"id":"last","method":"thread/loaded/list","params":{}}')
            await client.finish()
            answered.add(len(client.replies("last")))

        assert whys(session(body, seed=seed))[0] == "unterminated last line"
    assert answered == {0, 1}


def test_a_method_outside_the_table_is_refused() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.initialize()
        reply = await client.request("model/list", {})
        assert reply["error"] == {"code": -32603, "message": "the fake does not serve model/list"}

    session(body)


def test_too_many_requests_at_once_are_refused() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        ids = [await client.ask(CALL, client.call_params("list_apps", {})) for _ in range(5)]
        replies = [await client.reply(id) for id in ids]
        errors = [reply["error"] for reply in replies if "error" in reply]
        assert errors == [{"code": -32001, "message": "Server overloaded; retry later."}] * len(errors)
        assert 0 < len(errors) < 5

    session(body, codex={"queue": 2, "shuffle": False})


@pytest.mark.parametrize("when", ["thread", "call", "close"])
@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
def test_a_turn_may_come_that_nobody_asked_for(when: str, profile: str) -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        assert ("turn/started" in _methods(client)) is (when == "thread")
        await client.call("list_apps", {})
        assert ("turn/started" in _methods(client)) is (when in ("thread", "call"))
        await client.finish()
        assert "turn/started" in _methods(client)

    session(body, codex={"stray_turn": when, "profile": profile})


def _methods(client: Client) -> list[str]:
    return [frame["method"] for frame in client.frames if "method" in frame]


@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
def test_a_turn_that_was_asked_for_is_served(profile: str) -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        reply = await client.request("turn/start", {"threadId": client.thread_id, "input": []})
        assert reply["result"]["turn"]["status"] == "inProgress"
        await client.notice("turn/started", threadId=client.thread_id)
        refused = await client.request("turn/start", {"threadId": "0", "input": []})
        assert refused["error"]["message"] == (
            "invalid thread id: invalid length: expected length 32 for simple format, found 1"
        )

    session(body, codex={"profile": profile})


def test_the_version_is_printed_and_bad_words_end_it() -> None:
    async def body(made: Run) -> None:
        assert (await made.output("codex", "--version"))[:2] == (0, "codex-cli 0.171.0\n")
        status, out, errors = await made.output("codex", "app-server", "--nope")
        assert (status, out, errors.split("\n")[0]) == (2, "", "error: unexpected argument '--nope' found")

    run(body, programs={"codex": {"warns": False}})


def test_a_healthy_start_is_not_silent_on_standard_error() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.initialize()
        await client.finish()
        assert b"could not create PATH aliases" in client.errors
        assert b"/private/home" in client.errors

    session(body)


@pytest.mark.parametrize(("profile", "status", "left"), [("0.144.2", -15, 1), ("0.171.0", 0, 0)])
def test_sigterm_leaves_an_orphan_on_the_older_version(profile: str, status: int, left: int) -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        client.process.terminate()
        assert await client.wait() == status
        await trio.sleep(1)
        assert [session.program for session in made.stage.living()] == ["helper"] * left

    session(body, codex={"profile": profile}, helper={"stubborn": True})
