"""Redaction: nothing of a planted secret reaches the tape, and nothing else changes."""
from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.event import get_bytes, line
from harness.tape.redact import REFUSED, Redactor
from harness.tape.rules import PROTECTED, Rules
from harness.tape.schema import event_fault
from tests.harness.tape.canaries import CANARY, KEY, NUMBER, frame, leaks, redactor
from tests.harness.tape.tapes import header, number, sent


def loads(data: bytes) -> Any:
    return json.loads(data)


# What stays


@pytest.mark.parametrize(
    ("before", "changed"),
    [
        ({"password": "hunter2", "a": 1}, ["/password"]),
        ({"password": 12345, "a": 1}, ["/password"]),
        ({"password": None, "secret": True, "cookie": ""}, []),
        ({"password": {"type": "string"}}, []),
        ({"set-cookie": ["a=b", "c=d"]}, ["/set-cookie/0", "/set-cookie/1"]),
        ({"text": f"x {CANARY} y"}, ["/text"]),
        ({"n": int(NUMBER)}, ["/n"]),
        ({"maxTokens": 5, "progressToken": "abc", "_meta": {"progressToken": 7}}, []),
    ],
)
def test_types_and_lengths_stay_and_only_secrets_change(before: dict[str, Any], changed: list[str]) -> None:
    raw = json.dumps({"id": 1, "method": "x", "params": before}, ensure_ascii=False).encode() + b"\n"
    made = frame(raw, redactor(CANARY, NUMBER))
    assert made is not None
    assert len(made) == len(raw)
    after = loads(made)["params"]
    found = [pointer for pointer, value in flat(before) if dict(flat(after))[pointer] != value]
    assert found == changed
    assert [type(value) for _, value in flat(before)] == [type(value) for _, value in flat(after)]


def test_digits_stay_digits_and_escaped_ones_keep_their_length() -> None:
    raw = f'{{"a":"{NUMBER}","b":"\\u0034{NUMBER[1:]}"}}\n'.encode()
    made = frame(raw, redactor(NUMBER))
    assert made is not None
    assert len(made) == len(raw)
    assert loads(made)["a"].isdigit()
    assert not leaks(made.decode(), NUMBER)


def flat(value: Any, pointer: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [pair for name, part in value.items() for pair in flat(part, f"{pointer}/{name}")]
    if isinstance(value, list):
        return [pair for place, part in enumerate(value) for pair in flat(part, f"{pointer}/{place}")]
    return [(pointer, value)]


def test_equal_secrets_stay_equal_and_another_key_gives_another_tape() -> None:
    raw = b'{"password":"hunter2hunter2","in":"{\\"password\\":\\"hunter2hunter2\\"}","secret":"hunter2hunter3"}\n'
    made = frame(raw)
    assert made is not None
    value = loads(made)
    assert value["password"] == loads(value["in"].encode())["password"]
    assert value["password"] != value["secret"]
    assert frame(raw) == made
    assert Redactor(Rules(), b"other").frame(raw, p=1, dialect="jsonrpc") != made


NAMES_OF_MEMBERS = st.sampled_from(["password", "a", "cookie", "id", "name", "value", CANARY]) | st.text(max_size=4)
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from([CANARY, f"a{CANARY}", NUMBER]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES_OF_MEMBERS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.booleans())
def test_a_frame_keeps_its_shape_or_is_left_out(value: Any, ascii_only: bool) -> None:
    raw = json.dumps({"id": 7, "method": "m", "params": {"_meta": {"progressToken": "t"}, "a": value}},
                     ensure_ascii=ascii_only).encode("utf-8", "surrogatepass") + b"\n"
    made = frame(raw, redactor(CANARY, NUMBER))
    if made is None:
        return
    assert len(made) == len(raw)
    assert not leaks(made.decode("utf-8", "replace"), CANARY)
    try:
        before, after = loads(raw), loads(made)
    except UnicodeDecodeError:
        return
    assert after["id"] == 7
    assert after["method"] == "m"
    assert after["params"]["_meta"] == {"progressToken": "t"}
    assert [type(part) for _, part in flat(before)] == [type(part) for _, part in flat(after)]


# Protocol fields


@pytest.mark.parametrize("pointer", PROTECTED)
def test_no_rule_but_a_given_secret_touches_a_protocol_field_and_that_costs_the_frame(pointer: str) -> None:
    value: Any = CANARY
    for part in reversed(pointer.replace("**", "x").split("/")[1:]):
        value = {part: value}
    raw = json.dumps(value).encode() + b"\n"
    everything = {"pointers": [pointer, "/**"], "patterns": [".*nAr.*"], "names": pointer.split("/")}
    assert frame(raw, redactor(**everything)) == raw
    made = redactor(CANARY)
    assert frame(raw, made) is None
    assert made.counts == {"given secret 1": 1, "frames left out": 1}


def test_a_frame_that_is_left_out_is_a_gap_of_its_size() -> None:
    raw = f'{{"id":"{CANARY}"}}\n'
    event: dict[str, Any] = {"n": 3, "t": 1, "p": 1, "e": "bytes", "w": "stdio", "s": "in", "b": raw, "cuts": [2]}
    made = redactor(CANARY).event(event, dialect="jsonrpc")
    assert made == {"n": 3, "t": 1, "p": 1, "e": "gap", "why": REFUSED, "size": len(raw.encode())}
    assert event_fault(made, 3) is None


def test_a_secret_that_is_structure_costs_the_frame() -> None:
    raw = b'{"a":"x","b":"y"}\n'
    assert frame(raw, redactor('"x","b":')) is None


# Pointers and patterns


POINTED = b'{"id":1,"params":{"text":"typed","n":5,"list":["a",{"b":"c"}],"p\\u0061th":"q","keep":"k"}}\n'


@pytest.mark.parametrize(
    ("pointer", "changed"),
    [
        ("/params/text", ["/params/text"]),
        ("/params/n", ["/params/n"]),
        ("/params/list", ["/params/list/0", "/params/list/1/b"]),
        ("/params/list/*", ["/params/list/0", "/params/list/1/b"]),
        ("/params/list/1/**", ["/params/list/1/b"]),
        ("/params/path", ["/params/path"]),
        ("/params/none", []),
        ("/id", []),
        ("/**", ["/params/text", "/params/n", "/params/list/0", "/params/list/1/b", "/params/path", "/params/keep"]),
    ],
)
def test_pointers(pointer: str, changed: list[str]) -> None:
    made = frame(POINTED, redactor(pointers=[pointer]))
    assert made is not None
    before, after = dict(flat(loads(POINTED))), dict(flat(loads(made)))
    assert [each for each in before if before[each] != after[each]] == changed


def test_a_pointer_that_leads_to_two_values_costs_the_frame() -> None:
    made = redactor(pointers=["/params/text"])
    assert frame(b'{"params":{"text":"one","text":"two"}}\n', made) is None
    assert frame(b'{"params":{"other":"one","other":"text"}}\n', made) is not None


@pytest.mark.parametrize(
    "raw", [b'{"params":{"text":"typed', b'{"params":{"text":"typed"},}\n', b'junk "params": "text": "typed"\n']
)
def test_a_pointer_is_obeyed_in_a_frame_that_cannot_be_decoded(raw: bytes) -> None:
    made = frame(raw, redactor(pointers=["/params/text"]))
    assert made is not None
    assert b"typed" not in made
    assert len(made) == len(raw)


def test_a_pointer_is_obeyed_in_a_later_piece_of_a_frame() -> None:
    made = redactor(pointers=["/params/text"])
    assert frame(b'{"params":{' + b" " * 1000, made, more=True) is not None
    piece = frame(b'"text":"typed', made, more=True)
    assert piece is not None
    assert b"typed" not in piece
    last = frame(b'typed too"}}\n', made)
    assert last is not None
    assert b"typed" not in last
    assert last.endswith(b'"}}\n')
    assert redactor(pointers=["/params/*"]).frame(b"{", p=1, dialect="jsonrpc", more=True) is None


def test_a_pointer_without_a_name_costs_a_frame_that_cannot_be_decoded() -> None:
    made = redactor(pointers=["/params/*"])
    assert frame(b'{"params":{"text":"typed"\n', made) is None
    assert frame(b"unrelated\n", made) == b"unrelated\n"
    assert frame(b"params: text on stderr\n", made, "lines") == b"params: text on stderr\n"


def test_patterns() -> None:
    made = frame(b'{"a":"PIN 1234","b":"PIN x"}\n', redactor(patterns=[r"PIN (?P<secret>\d+)"]))
    assert made is not None
    assert loads(made)["b"] == "PIN x"
    assert loads(made)["a"].startswith("PIN ")
    assert loads(made)["a"] != "PIN 1234"


# Dialects and kinds of event


def test_the_length_before_a_native_message_stays() -> None:
    body = json.dumps({"password": CANARY}).encode()
    raw = len(body).to_bytes(4, "little") + body
    made = frame(raw, dialect="native")
    assert made is not None
    assert made[:4] == raw[:4]
    assert loads(made[4:])["password"] != CANARY


def test_only_text_is_searched_for_name_and_value_without_quotes() -> None:
    raw = b'{"description":"password: the password of the user"}\n'
    assert frame(raw) == raw
    assert frame(b"password: hunter2\n", dialect="lines") != b"password: hunter2\n"


@given(st.binary(max_size=60))
def test_bytes_without_secrets_stay(data: bytes) -> None:
    made = frame(data, dialect="raw")
    assert made == data or any(name in data.lower() for name in (b"password", b"secret", b"passwd"))


ASKED: dict[str, Any] = {"method": "POST", "url": f"https://host/x?api_key={CANARY}&q=1",
                         "b": f'{{"password":"{CANARY}"}}',
         "headers": [["Authorization", "Bearer abc"], ["Accept", "text/html"], ["X-Other", f"v {CANARY}"]]}
ANSWERED = {"status": 200, "headers": [["Set-Cookie", "sid=1; Path=/"]],
            "b64": base64.b64encode(b"\xff" + CANARY.encode()).decode()}


def test_a_flow_loses_its_secrets_and_nothing_else() -> None:
    event: dict[str, Any] = {"n": 0, "t": 0, "p": 0, "e": "flow", "w": "http", "request": ASKED, "response": ANSWERED}
    made: Any = redactor(CANARY).event(event)
    assert event_fault(made, 0) is None
    assert not leaks(line(made), CANARY)
    assert made["request"]["method"] == "POST"
    assert made["request"]["url"].startswith("https://host/x?api_key=rdct")
    assert made["request"]["url"].endswith("&q=1")
    names = [name for name, _ in made["request"]["headers"]]
    assert names == ["Authorization", "Accept", "X-Other"]
    assert made["request"]["headers"][1] == ["Accept", "text/html"]
    assert "Bearer abc" not in line(made)
    assert "sid=1" not in line(made)
    assert made["response"]["status"] == 200
    assert len(get_bytes(made["request"])) == len(get_bytes(ASKED))


def test_a_flow_whose_body_cannot_be_redacted_is_a_gap() -> None:
    request = {**ASKED, "b": f'{{"id":"{CANARY}"}}'}
    event: dict[str, Any] = {"n": 0, "t": 0, "p": 0, "e": "flow", "w": "http", "request": request}
    assert redactor(CANARY).event(event) == {"n": 0, "t": 0, "p": 0, "e": "gap", "why": REFUSED}
    assert redactor().event({**event, "request": {"method": "GET", "url": "http://x/"}})["e"] == "flow"


def test_a_flow_of_schemas_stays() -> None:
    body = '{"properties":{"password":{"type":"string"},"secret":null,"cookie":1},"required":["password"]}'
    request = {"method": "POST", "url": "/", "b": body}
    event: dict[str, Any] = {"n": 0, "t": 0, "p": 0, "e": "flow", "w": "http", "request": request}
    made: Any = redactor().event(event)
    assert made["request"]["b"].startswith('{"properties":{"password":{"type":"string"},"secret":null,"cookie":')
    assert made["request"]["b"].endswith(',"required":["password"]}')


def test_arguments() -> None:
    argv = ["--password", "hunter2", "--api-key=abc", "--verbose", "--secret", "--next", "-c", 'x={api_key="zz"}',
            "plain", "caf\udce9", "--cookie", ""]
    made: Any = redactor().event({"p": 1, "e": "started", "program": "fake", "argv": argv})
    assert [word == old for word, old in zip(made["argv"], argv, strict=True)] == [
        True, False, False, True, True, True, True, False, True, True, True, True,
    ]
    assert made["argv"][2].startswith("--api-key=")
    assert [len(word) for word in made["argv"]] == [len(word) for word in argv]


def test_events_without_text_stay_and_a_closed_stream_is_forgotten() -> None:
    made = redactor(CANARY)
    frame(b"x " + CANARY.encode()[:8], made, "raw", s="err")
    closed: dict[str, Any] = {"n": 0, "t": 0, "p": 1, "e": "closed", "w": "stdio", "s": "err"}
    assert made.event(closed) == closed
    rest = CANARY.encode()[8:]
    assert frame(rest, made, "raw", s="err") == rest
    gap = made.event({"p": 0, "e": "gap", "why": f"lost {CANARY}"})
    assert CANARY not in str(gap["why"])
    exited: dict[str, Any] = {"n": 1, "t": 0, "p": 1, "e": "exited", "status": 0}
    assert made.event(exited) == exited


def test_cuts_stay_valid_and_the_order_of_fields_stays() -> None:
    raw = f'{{"password":"{CANARY}"}}\n'
    event: dict[str, Any] = {**number([sent(raw)])[0], "cuts": [3, 16], "cause": 0}
    made = redactor(CANARY).event(event, dialect="jsonrpc")
    assert list(made) == list(event)
    assert made["cuts"] == [3, 16]
    assert len(get_bytes(made)) == len(raw.encode())


# What the tape says about it


def test_the_manifest_names_the_rules_and_no_secret() -> None:
    made = redactor(CANARY, pointers=["/params/text"], patterns=["x+"])
    entries = made.manifest()
    text = json.dumps(entries)
    assert [entry["what"] for entry in entries][1:] == [
        "1 secrets given by value, in plain text, JSON escapes, base64, hexadecimal and percent encoding",
        "what stands at /params/text", "what matches pattern 1",
        "text that looks like a key or token of a known kind, and passwords in addresses",
    ]
    assert "api_key" in text
    assert not leaks(text, CANARY)
    assert header(redaction=entries).line()
    assert Redactor(Rules(names=[], shapes=False), KEY).manifest() == []


def test_the_closing_note_counts() -> None:
    made = redactor(CANARY)
    assert made.closing() == "redaction struck 0 times"
    frame(f'{{"password":"abc","t":"{CANARY}"}}\n'.encode(), made)
    frame(b'{"password":"abc"}\n', made)
    assert made.closing() == "redaction struck 3 times; given secret 1: 1, values of password: 2"
