"""Another order by a seed, within what a profile keeps."""

from __future__ import annotations

from _collections import deque
from collections.abc import Sequence
from itertools import permutations

import pytest

from harness.replay.order import LOOK, Order, keeps, mixed, out_of_order
from harness.replay.profiles import CODEX, JSONRPC, MCP, PLAIN, Profile
from harness.replay.recording import Item


def out(n: int, text: str, dialect: str = "jsonrpc", stream: str = "out") -> Item:
    item = Item(n, n, "frame", stream, text.encode() + b"\n")
    item.dialect = "lines" if stream == "err" else dialect
    return item


def answering(reply: Item, request: str) -> Item:
    reply.asked = Item(0, 0, "frame", "in", request.encode() + b"\n")
    reply.asked.dialect = reply.dialect
    return reply


def ask(method: str, params: str = "{}") -> str:
    return f'{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}'


def status(n: int, name: str, thread: str = "t") -> Item:
    return out(
        n,
        f'{{"method":"mcpServer/startupStatus/updated","params":{{"threadId":"{thread}","name":"cu","status":"{name}"}}}}',
    )


def started(n: int, thread: str = "t") -> Item:
    return out(n, f'{{"method":"thread/started","params":{{"thread":{{"id":"{thread}"}}}}}}')


def changed(n: int, kind: str) -> Item:
    return out(n, f'{{"method":"thread/status/changed","params":{{"threadId":"t","status":{{"type":"{kind}"}}}}}}')


def elicit(n: int, id: int) -> Item:
    return out(n, f'{{"id":{id},"method":"mcpServer/elicitation/request","params":{{"threadId":"t"}}}}')


def resolved(n: int, id: int) -> Item:
    return out(n, f'{{"method":"serverRequest/resolved","params":{{"threadId":"t","requestId":{id}}}}}')


def result(n: int, method: str) -> Item:
    return answering(out(n, '{"id":1,"result":{}}'), f'{{"id":1,"method":"{method}"}}')


def thread(n: int) -> Item:
    return answering(out(n, '{"id":1,"result":{"thread":{"id":"t"}}}'), '{"id":1,"method":"thread/start"}')


def progress(n: int, token: str) -> Item:
    return out(
        n,
        f'{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}',
        "mcp",
    )


def done(n: int, token: str) -> Item:
    reply = out(n, '{"jsonrpc":"2.0","id":1,"result":{}}', "mcp")
    return answering(reply, ask("tools/call", f'{{"name":"x","_meta":{{"progressToken":{token}}}}}'))


KEPT: list[tuple[str, Profile, Item, Item, bool]] = [
    (
        "initialize",
        CODEX,
        result(1, "initialize"),
        out(2, '{"method":"remoteControl/status/changed","params":{}}'),
        True,
    ),
    ("thread first", CODEX, thread(1), started(2), True),
    ("thread, then starting", CODEX, thread(1), status(2, "starting"), True),
    ("starting, then ready", CODEX, status(1, "starting"), status(2, "ready"), True),
    ("starting, then failed", CODEX, status(1, "starting"), status(2, "failed"), True),
    ("two threads", CODEX, status(1, "starting", "t"), status(2, "ready", "u"), False),
    ("active, then the question", CODEX, changed(1, "active"), elicit(2, 0), True),
    ("question, then resolved", CODEX, elicit(1, 0), resolved(2, 0), True),
    ("another question", CODEX, elicit(1, 0), resolved(2, 1), False),
    ("resolved, then idle", CODEX, resolved(1, 0), changed(2, "idle"), True),
    ("status of a thread", CODEX, changed(1, "active"), changed(2, "idle"), True),
    ("started and starting", CODEX, started(1), status(2, "starting"), False),
    ("ready and the list", CODEX, status(1, "ready"), result(2, "mcpServerStatus/list"), False),
    ("result and resolved", CODEX, result(1, "mcpServer/tool/call"), resolved(2, 0), False),
    ("two results", CODEX, result(1, "mcpServer/tool/call"), result(2, "mcpServer/tool/call"), False),
    ("not measured", CODEX, out(1, '{"method":"turn/started","params":{}}'), result(2, "mcpServer/tool/call"), True),
    ("junk", CODEX, out(1, "a log line"), result(2, "mcpServer/tool/call"), True),
    ("stderr", CODEX, out(1, "log", stream="err"), result(2, "mcpServer/tool/call"), False),
    ("two lines of stderr", CODEX, out(1, "log", stream="err"), out(2, "log", stream="err"), True),
    ("progress and its reply", MCP, progress(1, "7"), done(2, "7"), True),
    ("progress of another call", MCP, progress(1, "7"), done(2, "8"), False),
    ("a token of another type", MCP, progress(1, "7"), done(2, '"7"'), False),
    ("two steps of one call", MCP, progress(1, "7"), progress(2, "7"), True),
    ("two calls", MCP, progress(1, "7"), progress(2, "8"), False),
    ("replies", JSONRPC, result(1, "a"), result(2, "b"), False),
    ("notices of one method", JSONRPC, out(1, '{"method":"a"}'), out(2, '{"method":"a"}'), True),
    ("notices of two methods", JSONRPC, out(1, '{"method":"a"}'), out(2, '{"method":"b"}'), False),
    ("an orphan", JSONRPC, out(1, '{"id":1,"result":1}'), out(2, '{"method":"b"}'), False),
    ("the end", JSONRPC, result(1, "a"), Item(2, 2, "exited"), True),
    ("lines", PLAIN, out(1, "a", "lines"), out(2, "b", "lines"), True),
    ("JSON lines", PLAIN, out(1, "1", "ndjson"), out(2, "2", "ndjson"), True),
]


@pytest.mark.parametrize(("profile", "first", "then", "kept"), [row[1:] for row in KEPT], ids=[row[0] for row in KEPT])
def test_what_is_kept(profile: Profile, first: Item, then: Item, kept: bool) -> None:
    assert keeps(profile, first, then) is kept
    assert bool(out_of_order(profile, [then, first])) is kept
    assert out_of_order(profile, [first, then]) == []


def taken(order: Order, items: Sequence[Item]) -> list[int]:
    ahead = deque(items)
    return [order.take(ahead).n for _ in items]


SESSION = [thread(1), started(2), status(3, "starting"), status(4, "ready"), result(5, "mcpServerStatus/list")]


def test_every_order_that_the_pairs_allow_is_drawn_by_some_seed_and_no_other() -> None:
    drawn = {tuple(taken(Order(CODEX, seed), SESSION)) for seed in range(400)}
    by_n = {item.n: item for item in SESSION}
    allowed = {order for order in permutations(by_n) if not out_of_order(CODEX, [by_n[n] for n in order])}
    assert len(allowed) > 3
    assert drawn == allowed


def test_one_seed_draws_one_order() -> None:
    assert taken(Order(CODEX, 7), SESSION) == taken(Order(CODEX, 7), SESSION)
    assert len({mixed(seed, n) for seed in range(30) for n in range(30)}) == 900


def test_nothing_is_drawn_from_behind_what_the_client_has_not_sent() -> None:
    asked = Item(3, 3, "frame", "in", b'{"id":1,"method":"m"}\n')
    items = [result(1, "a"), result(2, "b"), asked, result(4, "c")]
    for seed in range(50):
        ahead = deque(items)
        assert {Order(JSONRPC, seed).take(ahead).n, Order(JSONRPC, seed).take(ahead).n} == {1, 2}
    asked.done = True
    assert {taken(Order(JSONRPC, seed), [*items[:2], items[3]])[0] for seed in range(50)} == {1, 2, 4}
    firsts = set()
    for seed in range(50):
        ahead = deque(items)
        firsts.add(Order(JSONRPC, seed).take(ahead).n)
    assert firsts == {1, 2, 4}


def test_of_very_many_only_the_first_are_drawn_from() -> None:
    items = [result(n, "a") for n in range(2 * LOOK)]
    assert max(Order(JSONRPC, seed).take(deque(items)).n for seed in range(12)) < LOOK
