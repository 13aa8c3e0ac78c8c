"""bridge.js as it is, run by the fake osascript: in a greenlet, and as a process on QuickJS and JavaScriptCore."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from stack.safari_jxa import scripts
from tests.fakes.fronts.test_osascript import at
from tests.fakes.osascript.drive import PLACES, WORLD, Ran, script, virtual

BAD: list[tuple[bytes, int]] = [
    (b"{", -32700),
    (b"", -32700),
    (b"null", -32700),
    (b'{"id":"1","method":"windows","params":{"pid":"\xc3\xa9"}}', -32700),
    (b'{"id":"1","method":"constructor"}', -32601),
    (b'{"id":"1","method":"evaluate"}', -32601),
    (b'{"id":"1"}', -32601),
    (b'{"id":"1","method":"start","params":{}}', -32602),
    (b'{"id":"1","method":"windows"}', -32602),
    (b'{"id":"1","method":"look","params":{"pid":763,"window":"7"}}', -32602),
    (b'{"id":"1","method":"look","params":{"pid":763,"window":1.5}}', -32602),
    (b'{"id":"1","method":"open","params":{"pid":763}}', -32602),
    (b'{"id":"1","method":"go","params":{"pid":763,"window":7}}', -32602),
    (b'{"id":"1","method":"read","params":{"pid":763,"window":7,"tabs":2,"position":0,"argument":{}}}', -10000),
    (b'{"id":"1","method":"place","params":{"pid":763,"window":7}}', -2700),
    (b'{"id":"1","method":"look","params":{"pid":763,"window":99}}', -1728),
    (b'{"id":"1","method":"look","params":{"pid":99,"window":7}}', -600),
]


def said(ran: Ran) -> list[dict[str, Any]]:
    """Every line of its stdout; they are ASCII JSON and nothing else."""
    assert ran.out.isascii() and ran.out.endswith("\n")
    return [json.loads(line) for line in ran.out[:-1].split("\n")]


@pytest.mark.parametrize("run", PLACES)
@pytest.mark.claim("JXA-BRG-07", "JXA-BRG-02", tooth="lines that are no request")
def test_every_line_is_answered_once_and_every_error_is_an_answer(run: Callable[..., Ran]) -> None:
    lines = [line for line, _ in BAD]
    good = json.dumps({"id": "last", "method": "start", "params": {"program": scripts.program()}}).encode()
    ran = run(script(scripts.bridge()), b"".join(line + b"\n" for line in [*lines, good]))
    ready, *answers, last = said(ran)
    assert ready == {"method": "ready", "params": {"bridge": 1}}
    assert [answer["error"]["code"] for answer in answers] == [code for _, code in BAD]
    assert last == {"id": "last", "result": {"pids": [763]}}
    assert (ran.status, ran.errors) == (0, "")


@pytest.mark.parametrize("run", PLACES)
def test_a_line_may_end_with_a_carriage_return(run: Callable[..., Ran]) -> None:
    good = json.dumps({"id": "1", "method": "start", "params": {"program": scripts.program()}}).encode()
    assert said(run(script(scripts.bridge()), good + b"\r\n"))[1:] == [{"id": "1", "result": {"pids": [763]}}]


@pytest.mark.parametrize("run", PLACES)
def test_it_lists_looks_and_ends_with_its_input(run: Callable[..., Ran]) -> None:
    requests: list[tuple[str, dict[str, Any]]] = [
        ("displays", {}),
        ("windows", {"pid": 763, "titles": False}),
        ("windows", {"pid": 763, "titles": True}),
        ("look", {"pid": 763, "window": 7}),
        ("close", {"pid": 763, "window": 7, "tabs": 1}),
    ]
    lines = [json.dumps({"id": str(n), "method": m, "params": p}) for n, (m, p) in enumerate(requests)]
    ran = run(script(scripts.bridge()), "\n".join(lines).encode() + b"\n")
    _, displays, plain, titled, look, close = [answer.get("result", {}) for answer in said(ran)]
    assert displays and len(displays["displays"][0]) == 4
    assert [set(row) for row in plain["windows"]] == [{"window", "tabs", "position", "bounds"}] * 2
    assert [(row["window"], row["tabs"]) for row in plain["windows"]] == [(7, 2), (8, 1)]
    assert titled["windows"][0]["url"] == "http://a.test/1"
    assert (look["tabs"], look["position"]) == (2, 0)
    assert close == {"closed": False, "tabs": 2}
    assert ran.status == 0


@pytest.mark.parametrize("dictionary", ["kept", "lost"])
@pytest.mark.claim("JXA-SCP-05", tooth="collections that have no methods, since Safari is gone")
def test_a_safari_that_is_gone_is_said_by_its_number(dictionary: str) -> None:
    gone = {**WORLD, "processes": [{"pid": 763, "running": False}]}
    line = json.dumps({"id": "1", "method": "look", "params": {"pid": 763, "window": 7}}).encode() + b"\n"
    ran = virtual(script(scripts.bridge()), line, world=gone, settings={"dictionary": dictionary})
    assert [answer["error"]["code"] for answer in said(ran)[1:]] == [-600]


@pytest.mark.parametrize(("dictionary", "number"), [("lost", -600), ("gone", -2700)])
def test_an_error_without_a_number_is_an_answer_where_safari_has_gone(dictionary: str, number: int) -> None:
    lines = [{"id": method, "method": method, "params": {"pid": 763, "window": 7}} for method in ("look", "place")]
    ran = virtual(
        script(scripts.bridge()),
        b"".join(json.dumps(line).encode() + b"\n" for line in lines),
        settings={"dictionary": dictionary},
        faults=[at("apple_event", "world", process={"pid": 763, "running": False})],
    )
    assert [answer["error"]["code"] for answer in said(ran)[1:]] == [-600, number]
    assert (ran.status, ran.errors) == (0, "")


@pytest.mark.parametrize("run", PLACES)
@pytest.mark.claim("JXA-BRG-06", "JXA-SCP-01", tooth="a guard that does not fit")
def test_a_guard_that_does_not_fit_lets_nothing_through(run: Callable[..., Ran]) -> None:
    guards: list[tuple[int | None, int, bool]] = [
        (2, 0, True), (None, 0, True), (1, 0, False), (3, 0, False), (2, 1, False), (None, 1, False),
    ]  # fmt: skip
    lines = [json.dumps({"id": "start", "method": "start", "params": {"program": scripts.program()}})]
    for tabs, position, _ in guards:
        params = {"pid": 763, "window": 7, "tabs": tabs, "position": position, "argument": {"op": "bind", "epoch": "e"}}
        lines.append(json.dumps({"id": f"{tabs} {position}", "method": "read", "params": params}))
    ran = run(script(scripts.bridge()), "\n".join(lines).encode() + b"\n")
    results = [answer["result"] for answer in said(ran)[2:]]
    assert ["value" in result for result in results] == [fits for _, _, fits in guards]
    assert [result.get("lost", False) for result in results] == [not fits for _, _, fits in guards]
    assert len(ran.of("apple_event")) == sum(2 if fits else 1 for _, _, fits in guards)
