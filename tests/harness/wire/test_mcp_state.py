from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from harness.wire import codec, mcp_state
from harness.wire.frame import Frame
from harness.wire.jsonrpc import message
from harness.wire.mcp import CAPABILITIES_KEY, HANDSHAKE_REVISIONS, MCP, VERSION_KEY, McpCodec
from harness.wire.mcp_state import LIFECYCLE, LIFECYCLE_ERRORS, MESSAGES, STATES, Lifecycle
from tests.harness.wire.streams import notice, reply, request

ERROR = {"error": {"code": -32601, "message": "x"}}
META = {"_meta": {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}}}
HALF = {"_meta": {VERSION_KEY: "2026-07-28"}}


def see(lifecycle: Lifecycle, way: str, value: Any) -> str | None:
    problem = lifecycle.saw(way, message(MCP, b"", value) if isinstance(value, dict) else Frame(b"", value))
    return problem.code if problem else None


def initialize(id: Any = "i") -> dict[str, Any]:
    return request(id, "initialize", params={"protocolVersion": "2025-11-25"})


def agreed(revision: Any = "2025-06-18", id: Any = "i") -> dict[str, Any]:
    return reply(id, result={"protocolVersion": revision})


DISCOVER = request("d", "server/discover", params=META)
INITIALIZED = notice("notifications/initialized")

INTO: dict[str, list[tuple[str, Any]]] = {
    "new": [],
    "probing": [(">>", DISCOVER)],
    "offered": [(">>", initialize())],
    "agreed": [(">>", initialize()), ("<<", agreed())],
    "ready": [(">>", initialize()), ("<<", agreed()), (">>", INITIALIZED)],
    "stateless": [(">>", request("s", "tools/list", params=META))],
}
"""How a session gets into each state."""

PLAIN: dict[str, Any] = {
    ">> initialize": initialize("again"),
    ">> ping": request(1, "ping"),
    ">> request": request(1, "tools/list"),
    ">> discover": request("d2", "server/discover", params=META),
    ">> stateless": request(1, "tools/list", params=META),
    ">> half_stateless": request(1, "tools/list", params=HALF),
    ">> initialized": INITIALIZED,
    ">> cancel": notice("notifications/cancelled", requestId=99),
    ">> cancel_initialize": notice("notifications/cancelled", requestId="i"),
    ">> notice": notice("notifications/roots/list_changed"),
    ">> reply": reply(1),
    ">> array": [request(1, "ping")],
    "<< initialize_result": agreed(),
    "<< initialize_unknown": agreed("1999-01-01"),
    "<< initialize_error": reply("i", **ERROR),
    "<< discover_result": reply("d", result={"supportedVersions": ["2026-07-28"]}),
    "<< discover_error": reply("d", **ERROR),
    "<< reply": reply(77),
    "<< ping": request(1, "ping"),
    "<< log": notice("notifications/message", level="info"),
    "<< request": request(1, "roots/list"),
    "<< notice": notice("notifications/tools/list_changed"),
    "<< array": [reply(1)],
}
"""One message of each kind. Answers are to the ids `i` and `d`, which the test opens where the session has not."""


@pytest.mark.claim("HAR-WIRE-01")
def test_every_state_and_message_has_one_row() -> None:
    assert set(LIFECYCLE) == set(product(STATES, MESSAGES))
    assert set(LIFECYCLE.values()) <= set(STATES) | set(LIFECYCLE_ERRORS)
    assert set(LIFECYCLE_ERRORS) <= set(LIFECYCLE.values())
    assert list(PLAIN) == list(MESSAGES)


@pytest.mark.parametrize(("state", "what"), list(product(STATES, MESSAGES)))
def test_the_class_runs_the_table(state: str, what: str) -> None:
    lifecycle = Lifecycle()
    for way, value in INTO[state]:
        assert see(lifecycle, way, value) is None
    # An answer to a handshake or probe that was begun when it should not have been.
    lifecycle._openings.setdefault(("str", "i"), None)
    lifecycle._openings.setdefault(("str", "d"), "2026-07-28")
    assert lifecycle.state == state
    outcome = LIFECYCLE[state, what]
    code = see(lifecycle, what[:2], PLAIN[what])
    assert code == (outcome if outcome in LIFECYCLE_ERRORS else None)
    assert lifecycle.state == (state if outcome in LIFECYCLE_ERRORS else outcome)


GOOD: dict[str, list[tuple[str, Any]]] = {
    "a handshake, with pings before it is done": [
        (">>", request(0, "ping")),
        ("<<", reply(0)),
        (">>", initialize()),
        (">>", request(1, "ping")),
        ("<<", request(0, "ping")),
        (">>", reply(0)),
        ("<<", notice("notifications/message", level="info")),
        ("<<", agreed()),
        ("<<", notice("notifications/tools/list_changed")),
        (">>", INITIALIZED),
        (">>", request(2, "tools/call", params={"_meta": {"progressToken": 0}})),
        ("<<", request(1, "elicitation/create")),
        (">>", reply(1)),
        (">>", notice("notifications/cancelled", requestId=2)),
        ("<<", reply(2)),
    ],
    "a refused handshake, and another": [
        (">>", initialize(1)),
        ("<<", reply(1, **ERROR)),
        (">>", initialize(2)),
        ("<<", agreed(id=2)),
        (">>", INITIALIZED),
    ],
    "a stateless session": [
        (">>", request(1, "tools/list", params=META)),
        ("<<", notice("notifications/progress", progressToken=1)),
        ("<<", reply(1)),
        (">>", notice("notifications/cancelled", requestId=1)),
    ],
    "a probe that finds a stateless server": [
        (">>", DISCOVER),
        ("<<", reply("d", result={})),
        (">>", request(1, "tools/call", params=META)),
        ("<<", reply(1)),
    ],
    "a probe that falls back after an error": [
        (">>", DISCOVER),
        ("<<", reply("d", **ERROR)),
        (">>", initialize()),
        ("<<", agreed()),
        (">>", INITIALIZED),
    ],
    "a probe that falls back after silence, and is answered late": [
        (">>", DISCOVER),
        (">>", initialize()),
        ("<<", reply("d", result={})),
        ("<<", agreed()),
        (">>", INITIALIZED),
        (">>", request(1, "tools/list")),
    ],
}


@pytest.mark.parametrize("name", GOOD)
def test_what_the_specification_allows(name: str) -> None:
    lifecycle = Lifecycle()
    assert [see(lifecycle, way, value) for way, value in GOOD[name]] == [None] * len(GOOD[name])


FORBIDDEN: list[tuple[str, list[tuple[str, Any]], str]] = [
    ("a call before initialize", [(">>", request(1, "tools/list"))], "too_early"),
    ("a call before the result", [(">>", initialize()), (">>", request(1, "tools/list"))], "too_early"),
    ("initialized before the result", [(">>", initialize()), (">>", INITIALIZED)], "too_early"),
    ("a call before initialized", [*INTO["agreed"], (">>", request(1, "tools/list"))], "too_early"),
    ("a server request before initialized", [*INTO["agreed"], ("<<", request(1, "roots/list"))], "server_too_early"),
    ("a second initialize", [*INTO["ready"], (">>", initialize("j"))], "initialize_again"),
    ("initialized twice", [*INTO["ready"], (">>", INITIALIZED)], "initialized_again"),
    ("an unknown revision", [(">>", initialize()), ("<<", agreed("2026-07-28"))], "unknown_revision"),
    ("a revision of another type", [(">>", initialize()), ("<<", agreed(["2025-06-18"]))], "unknown_revision"),
    ("initialize cancelled", [(">>", initialize()), (">>", notice("notifications/cancelled", requestId="i"))],
     "cancels_initialize"),
    ("a stateless request after a handshake", [*INTO["ready"], (">>", PLAIN[">> stateless"])], "mixed_eras"),
    ("a handshake in a stateless session", [*INTO["stateless"], (">>", initialize())], "mixed_eras"),
    ("a stateless session without metadata", [*INTO["stateless"], (">>", request(1, "tools/list"))], "no_envelope"),
    ("half of the metadata", [(">>", PLAIN[">> half_stateless"])], "bad_envelope"),
    ("a server request in a stateless session", [*INTO["stateless"], ("<<", request(1, "roots/list"))],
     "server_request"),
    ("a notice in a stateless session", [*INTO["stateless"], (">>", PLAIN[">> notice"])], "client_notice"),
    ("a reply in a stateless session", [*INTO["stateless"], (">>", reply(1))], "client_reply"),
    ("a batch in 2025-06-18", [*INTO["ready"], (">>", [request(1, "ping")])], "array"),
    ("an accepted second handshake", [*INTO["ready"], (">>", initialize("j")), ("<<", agreed(id="j"))],
     "second_handshake"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "session", "code"), FORBIDDEN, ids=[name for name, *_ in FORBIDDEN])
def test_what_the_specification_forbids(name: str, session: list[tuple[str, Any]], code: str) -> None:
    lifecycle = Lifecycle()
    assert [see(lifecycle, way, value) for way, value in session][-1] == code


def test_every_error_is_reached() -> None:
    assert {code for *_, code in FORBIDDEN} == set(LIFECYCLE_ERRORS)


@pytest.mark.parametrize("revision", HANDSHAKE_REVISIONS)
def test_the_agreed_revision_is_the_servers_and_the_codecs_learn_it(revision: str) -> None:
    toward, back = codec("mcp", ">>"), codec("mcp", "<<")
    lifecycle = Lifecycle(toward, back, codec("lines", "<<"))
    for way, value in ((">>", initialize()), ("<<", agreed(revision)), (">>", INITIALIZED)):
        assert see(lifecycle, way, value) is None
    assert lifecycle.revision == revision
    assert isinstance(toward, McpCodec)
    assert isinstance(back, McpCodec)
    assert toward.revision == back.revision == revision
    batches = revision == "2025-03-26"
    [frame] = toward.feed(b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n')
    assert (frame.problem is None) == batches
    assert (lifecycle.saw(">>", frame) is None) == batches


def test_members_of_a_batch_are_judged_one_by_one() -> None:
    lifecycle = Lifecycle()
    for way, value in ((">>", initialize()), ("<<", agreed("2025-03-26"))):
        assert see(lifecycle, way, value) is None
    assert see(lifecycle, ">>", [request(1, "ping"), INITIALIZED]) is None
    assert lifecycle.state == "ready"
    assert see(lifecycle, ">>", [request(2, "tools/list"), INITIALIZED, initialize("j")]) == "initialized_again"


@pytest.mark.parametrize("opening", [PLAIN[">> stateless"], DISCOVER])
def test_a_stateless_session_has_the_version_of_its_requests(opening: Any) -> None:
    lifecycle = Lifecycle()
    see(lifecycle, ">>", opening)
    see(lifecycle, "<<", reply("d", result={}))
    assert (lifecycle.state, lifecycle.revision) == ("stateless", "2026-07-28")


def test_a_probe_answered_after_the_fallback_leaves_the_revision() -> None:
    lifecycle = Lifecycle()
    for way, value in GOOD["a probe that falls back after silence, and is answered late"]:
        see(lifecycle, way, value)
    assert (lifecycle.state, lifecycle.revision) == ("ready", "2025-06-18")


def test_bytes_that_are_no_message_change_nothing() -> None:
    lifecycle = Lifecycle()
    assert lifecycle.saw(">>", Frame(b"junk\n")) is None
    assert see(lifecycle, ">>", {"jsonrpc": "1.0", "method": "tools/list", "id": 1}) is None
    assert lifecycle.state == "new"


def test_a_violation_names_message_and_state() -> None:
    problem = Lifecycle().saw(">>", message(MCP, b"", request(1, "tools/list")))
    assert problem is not None
    assert problem.seen == "tools/list (>> request) in the state new"


def test_openings_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_state, "OPENINGS_LIMIT", 2)
    lifecycle = Lifecycle()
    for id in range(5):
        see(lifecycle, ">>", initialize(id))
    assert len(lifecycle._openings) == 2
