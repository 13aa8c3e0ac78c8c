"""What the extension answers on the model, and what that does in the world."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from stack.chrome.schema import check_result
from tests.fakes.browser_rig import HostEnd, Run, run

ALL: dict[str, Any] = {
    "pages": {
        "all": {
            "url": "https://shop.test/all", "title": "All", "frames": {"7": "inner", "8": "bank"},
            "nodes": [
                {"id": "twin", "role": "button", "name": "A", "actions": ["activate"], "does": "new_tab"},
                {"id": "hash", "role": "link", "name": "Top", "actions": ["activate"], "does": "same_document",
                 "goes": "https://shop.test/all#t"},
                {"id": "odd", "role": "textbox", "name": "Odd", "actions": ["set_value"], "drops_value": True},
                {"id": "list", "role": "listbox", "name": "List", "actions": ["set_value"]},
                {"id": "off", "role": "button", "name": "Off", "actions": ["activate"], "states": {"disabled": True}},
                {"id": "unseen", "role": "button", "name": "Unseen", "hidden": True},
            ],
        },
        "inner": {
            "url": "https://shop.test/inner",
            "nodes": [{"id": "in", "role": "button", "name": "In", "actions": ["activate"]}],
        },
        "silent": {"url": "https://shop.test/s", "silent": True},
    },
    "browsers": [{"tabs": [{"id": 101, "page": "shop"}, {"id": 102, "page": "all"}, {"id": 103, "page": "bank"},
                           {"id": 104, "page": "silent"}]}],
}  # fmt: skip


def talk(body: Callable[[HostEnd, Run], Awaitable[None]], world: Any = None) -> Run:
    """Play a host that asks."""
    done: list[bool] = []
    runs: list[Run] = []

    async def play(end: HostEnd) -> int:
        await end.greet()
        await body(end, runs[0])
        done.append(True)
        while await end.hear() is not None:
            pass
        return 0

    async def beside(made: Run) -> None:
        runs.append(made)
        await anyio.sleep(8)

    made = run(play, beside, ALL if world is None else world)
    assert done == [True]
    return made


def reference(result: Any, node: str) -> dict[str, Any]:
    frame = next(frame for frame in result["frames"] if frame["frame_id"] == int(node.partition(":")[0]))
    return {**frame["ref"], "node": node}


async def read(end: HostEnd, tab: int = 101) -> Any:
    answer = await end.ask("snapshot", tab_id=tab)
    check_result("snapshot", answer["result"])
    return answer["result"]


async def act(end: HostEnd, verb: str, ref: Any, **more: Any) -> Any:
    answer = await end.ask(verb, ref=ref, **more)
    if answer["ok"]:
        check_result(verb, answer["result"])
        return answer["result"]
    return answer["error"]


def test_every_result_is_one_of_the_protocol() -> None:
    async def body(end: HostEnd, made: Run) -> None:
        for verb, params in (("list_targets", {}), ("status", {}), ("select_target", {"tab_id": 101, "front": True})):
            answer = await end.ask(verb, **params)
            check_result(verb, answer["result"])
        result = await read(end)
        assert [node["name"] for node in result["nodes"]][:3] == ["Shop", "Search", "Buy"]
        located = await end.ask("locate", ref=reference(result, "0:3"))
        check_result("locate", located["result"])
        assert made.world.front == "browser 0"

    talk(body)


def test_what_each_kind_of_node_does() -> None:
    async def body(end: HostEnd, made: Run) -> None:
        result = await read(end)
        assert (await act(end, "activate", reference(result, "0:3")))["effect"] == ["content"]
        assert (await act(end, "activate", reference(result, "0:5")))["effect"] == ["state"]
        assert (await act(end, "activate", reference(result, "0:2")))["effect"] == ["focus"]
        assert (await act(end, "focus", reference(result, "0:2")))["effect"] == ["already"]
        assert (await act(end, "focus", reference(result, "0:3")))["effect"] == ["focus"]
        assert (await act(end, "set_value", reference(result, "0:2"), value="tea"))["value"] == "tea"
        secret = await act(end, "set_value", reference(result, "0:8"), value="hunter2")
        assert (secret["value_taken"], "value" in secret) == (True, False)
        assert (await act(end, "set_value", reference(result, "0:5"), value=True))["value_taken"] is True
        assert (await act(end, "scroll_into_view", reference(result, "0:3")))["effect"] == ["scroll"]
        assert (await act(end, "activate", reference(result, "0:4")))["reason"] == "no_observed_effect"
        assert (await act(end, "activate", reference(result, "0:7")))["detail"]["rectangle"]["tab_id"] == 101
        assert (await act(end, "set_value", reference(result, "0:3"), value="x"))["reason"] == "not_actionable"
        assert (await act(end, "activate", reference(result, "0:6")))["route"] == "chrome_dom_then_navigation"
        assert (await act(end, "activate", reference(result, "0:3")))["reason"] == "stale_snapshot"
        assert "hunter2" not in str(made.stage.events)
        assert "secret" not in str(result)

    made = talk(body)
    assert [event["verb"] for event in made.of("effect")].count("activate") == 4


def test_frames_links_values_and_new_tabs() -> None:
    async def body(end: HostEnd, made: Run) -> None:
        result = await read(end, 102)
        assert (result["coverage"], [frame["read"] for frame in result["frames"]]) == ("partial", [True, True, False])
        assert (await act(end, "activate", reference(result, "0:1")))["effect"] == ["new_tab"]
        assert (await act(end, "activate", reference(result, "0:2")))["effect"] == ["same_document_navigation"]
        assert (await act(end, "set_value", reference(result, "0:3"), value="x"))["value_taken"] is False
        assert (await act(end, "set_value", reference(result, "0:4"), value=["a", "b"]))["value"] == "a, b"
        assert (await act(end, "activate", reference(result, "0:5")))["reason"] == "not_actionable"
        assert (await act(end, "activate", reference(result, "7:1")))["target"]["frame_id"] == 7
        assert "Unseen" not in str(result)

    talk(body)


@pytest.mark.parametrize(
    ("verb", "params", "reason"),
    [
        ("snapshot", {"tab_id": 9}, "tab_not_found"),
        ("snapshot", {"tab_id": 103}, "site_permission_required"),
        ("snapshot", {"tab_id": 104}, "no_result"),
        ("snapshot", {"tab_id": 101, "document_id": "F" * 32}, "stale_snapshot"),
        ("select_target", {"window_id": 11}, "ambiguous_target"),
        ("select_target", {"title": "Nothing"}, "tab_not_found"),
        ("select_target", {"title": "Bank"}, "tab_not_found"),
        ("select_target", {"tab_id": 103}, "site_permission_required"),
    ],
)
def test_reasons(verb: str, params: Any, reason: str) -> None:
    async def body(end: HostEnd, made: Run) -> None:
        assert (await end.ask(verb, **params))["error"]["reason"] == reason

    talk(body)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"navigate": {"tab": 101, "page": "cart"}}, "stale_snapshot"),
        ({"replace": {"tab": 101, "node": "buy"}}, "stale_snapshot"),
        ({"node": {"tab": 101, "node": "buy", "name": "Other"}}, "stale_snapshot"),
        ({"node": {"tab": 101, "node": "buy", "hidden": True}}, "stale_snapshot"),
        ({"revoke": {"site": "https://shop.test"}}, "site_permission_required"),
        ({"close_tab": {"tab": 101}}, "tab_not_found"),
        ({"hang": {"tab": 101, "on": True}}, "timed_out"),
        ({"crash": {"tab": 101}}, "frame_not_accessible"),
    ],
)
def test_what_is_not_as_it_was_shown_is_not_acted_on(change: dict[str, Any], reason: str) -> None:
    async def body(end: HostEnd, made: Run) -> None:
        ref = reference(await read(end), "0:3")
        made.world.change("user", **change)
        assert (await act(end, "activate", ref))["reason"] == reason
        assert made.of("effect") == []

    talk(body)


def test_references_of_another_worker_generation_or_nonce_are_stale() -> None:
    async def body(end: HostEnd, made: Run) -> None:
        old = reference(await read(end), "0:3")
        new = reference(await read(end), "0:3")
        for ref in (old, {**new, "instance": "f" * 32}, {**new, "nonce": "f" * 32}, {**new, "node": "0:99"},
                    {**new, "frame_id": 5}):  # fmt: skip
            assert (await act(end, "activate", ref))["reason"] == "stale_snapshot"
        assert (await act(end, "activate", new))["effect"] == ["content"]

    talk(body)


def test_what_moves_is_somewhere_else_the_next_time() -> None:
    async def body(end: HostEnd, made: Run) -> None:
        ref = reference(await read(end), "0:3")
        made.world.change("user", moves=[0, 50], steals="Notes")
        first = (await end.ask("locate", ref=ref))["result"]["rectangle"]
        second = (await end.ask("locate", ref=ref))["result"]["rectangle"]
        assert second["y"] - first["y"] == 50
        await end.ask("select_target", tab_id=101, front=True)
        assert made.world.front == "Notes"

    talk(body)


def test_the_second_profile_has_no_windows() -> None:
    async def play(end: HostEnd) -> int:
        await end.greet()
        seen.append(len((await end.ask("list_targets"))["result"]["targets"]))
        while await end.hear() is not None:
            pass
        return 0

    seen: list[int] = []
    run(play, seconds=3, world={"browsers": [{"profiles": 2, "tabs": []}]})
    assert seen == [0, 0]
