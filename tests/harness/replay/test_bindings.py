"""What is different in a session, put into the bytes: the spans of those values change, and nothing else."""

from __future__ import annotations

import json
import struct

import pytest

from harness.replay.bindings import Bindings
from harness.replay.pointers import ABSENT
from harness.replay.profiles import CODEX, JSONRPC, MCP, Profile
from harness.replay.recording import Item
from harness.replay.template import Language


def item(raw: str | bytes, dialect: str = "jsonrpc", stream: str = "out") -> Item:
    made = Item(1, 0, "frame", stream, raw if isinstance(raw, bytes) else raw.encode() + b"\n")
    made.dialect = dialect
    return made


def bindings(
    dialect: str = "jsonrpc", profile: Profile = JSONRPC, names: tuple[str, ...] = (), **given: str
) -> Bindings:
    return Bindings(profile, dialect, Language(names), {f"<{name}>": value for name, value in given.items()})


def asked(reply: Item, recorded: object, now: object, of: Bindings) -> Item:
    request = item(json.dumps({"id": recorded, "method": "m"}), reply.dialect, "in")
    request.done = True
    of.request(request, now)  # type: ignore[arg-type]
    reply.asked = request
    return reply


ODD = '{ "result":[1.0,1e2,"\\u00e9\\/"] ,"id" : %s,"id2":1}'


@pytest.mark.parametrize("now", ["x", 2**60, 0, 1.5, None, 'q"uo\u2028te'])
def test_a_reply_gets_the_id_of_its_request(now: object) -> None:
    of = bindings()
    sent = of.bytes_of(asked(item(ODD % "1"), 1, now, of))
    assert sent == (ODD % json.dumps(now, ensure_ascii=False)).encode() + b"\n"


def test_nothing_is_changed_where_nothing_is_different() -> None:
    of = bindings()
    reply = asked(item(ODD % "1"), 1, 1, of)
    assert of.bytes_of(reply) is reply.raw
    assert of.binds_nothing(b"a")
    asked(item(ODD % "2"), 2, "2", of)
    assert not of.binds_nothing(b"a")
    assert of.bytes_of(reply) == reply.raw


def test_bytes_that_may_hold_tokens_are_not_equal_by_themselves() -> None:
    of = bindings(names=("ROOT",))
    assert of.binds_nothing(b"a") and not of.binds_nothing(b"a<")


def test_texts_of_the_client_are_changed_whole_and_in_order() -> None:
    of = bindings(profile=CODEX)
    assert of.owned([("text", "/recorded", "/now"), ("text", "/same", "/same"), ("", "a long one", "another")])
    assert not of.owned([("text", "/recorded", "/now"), ("text", ABSENT, "/x"), ("text", "/y", ABSENT), ("text", 1, 2)])
    assert not of.owned([("text", "/", "/other/root")]), "too short to be told from any other text"
    raw = '{"method":"m","params":{"/recorded":"/recorded","b":["/recorded","/recorded/a"],"c":"\\/recorded"}}'
    sent = of.bytes_of(item(raw)).decode()
    assert sent == '{"method":"m","params":{"/recorded":"/now","b":["/now","/recorded/a"],"c":"/now"}}\n'
    assert of.bytes_of(item("no JSON /recorded")) == b"no JSON /recorded\n"
    assert of.bytes_of(item(raw, stream="err")) == raw.encode() + b"\n"


def test_half_a_reply_keeps_its_bytes() -> None:
    of = bindings()
    half = asked(item(b'{"id":1,"resu'), 1, "other", of)
    assert of.bytes_of(half) == b'{"id":1,"resu'


def test_tokens_of_the_client_stand_where_the_profile_says() -> None:
    of = bindings("mcp", MCP)
    of.owned([("token", 1, "now"), ("token", "1", 7)])

    def progress(token: str) -> str:
        return (
            '{"jsonrpc":"2.0","method":"notifications/progress","params":'
            f'{{"progressToken":{token},"progress":1,"total":1}}}}'
        )

    for recorded, now in (("1", '"now"'), ('"1"', "7"), ("2", "2")):
        assert of.bytes_of(item(progress(recorded), "mcp")) == progress(now).encode() + b"\n"
    other = '{"jsonrpc":"2.0","method":"notifications/message","params":{"progressToken":1}}'
    assert of.bytes_of(item(other, "mcp")) == other.encode() + b"\n"
    without = '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}'
    assert of.bytes_of(item(without, "mcp")) == without.encode() + b"\n"


def test_what_tokens_stand_for_is_escaped_where_it_stands_in_json() -> None:
    of = bindings(names=("ROOT", "HOST"), ROOT='/a "b"')
    of.learn({"<HOST>": "<HOST>"})
    assert of.bytes_of(item('{"a":"<ROOT>/<HOST>"}')) == b'{"a":"/a \\"b\\"/<HOST>"}\n'
    assert of.bytes_of(item("in <ROOT>", stream="err")) == b'in /a "b"\n'
    assert of.bytes_of(item(b'{"half":"<ROOT>')) == b'{"half":"/a \\"b\\"'


def test_native_messages_keep_a_right_length_and_half_ones_stay() -> None:
    of = bindings("native", names=("ROOT",), ROOT="/longer")
    body = b'{"a":"<ROOT>"}'
    whole = struct.pack("=I", len(body)) + body
    assert of.bytes_of(item(whole, "native")) == struct.pack("=I", len(body) + 1) + b'{"a":"/longer"}'
    assert of.bytes_of(item(whole[:-2], "native")) == whole[:-2]


def test_a_text_that_is_bound_is_no_other_any_more() -> None:
    of = bindings(names=("ROOT",))
    found: dict[str, str] = {}
    assert of.fits("<ROOT>/a", "/x/a", found) and found == {"<ROOT>": "/x"}
    assert not of.fits("<ROOT>/a", "/y/a", found)
    of.learn(found)
    of.owned([("text", "/was", "/is")])
    assert of.fits("/was", "/is", {}) and not of.fits("/was", "/was", {})


def test_names_of_earlier_requests() -> None:
    of = bindings("mcp", MCP)
    asked(item("{}"), 1, "a", of)
    assert of.recorded_id("a") == 1
    assert of.recorded_id(1) == [1], "the recorded id of a request that has another one now"
    assert of.recorded_id(99) == 99
