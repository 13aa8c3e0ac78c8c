"""Where secrets stand: each way of writing one, and what only looks like one."""
from __future__ import annotations

import base64
import json
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.find import CHUNK, STEMS, Finder, forms_of, string_end
from harness.tape.rules import NAMES, Rules

FINDER = Finder(Rules())


def found(data: bytes, *, text: bool = False, finder: Finder = FINDER) -> list[bytes]:
    """The bytes of all finds, in their order, without those that lie inside of another."""
    places = {(find.start, find.stop) for find in finder.all(data, text=text)}
    outer = [place for place in places
             if not any(other != place and other[0] <= place[0] and place[1] <= other[1] for other in places)]
    return [data[start:stop] for start, stop in sorted(outer)]


JSON_CASES: list[tuple[bytes, list[bytes]]] = [
    (b'{"password":"hunter2"}', [b"hunter2"]),
    (b'{"Password" : \n "hunter2"}', [b"hunter2"]),
    (b'{"password":""}', []),
    (b'{"password":"a\\"b"}', [b'a\\"b']),
    (b'{"password":12.5}', [b"12.5"]),
    (b'{"password":null,"x":true}', []),
    (b'{"password":{"type":"string"}}', []),
    (b'{"password":["a",["b"],{"c":"d"},1,true,"e"],"x":"y"}', [b"a", b"b", b"1", b"e"]),
    (b'{"passwords":"x","my_password":"y"}', []),
    (b'{"required":["password"],"x":"password"}', []),
    (b'{"p\\u0061ssword":"hunter2"}', [b"hunter2"]),
    (b'{"text":"{\\"password\\":\\"hunter2\\"}"}', [b"hunter2"]),
    (b'{"text":"{\\"t\\":\\"{\\\\\\"password\\\\\\":\\\\\\"hunter2\\\\\\"}\\"}"}', [b"hunter2"]),
    (b'{"headers":[{"name":"Cookie","value":"a=b"},{"name":"Accept","value":"c"}]}', [b"a=b"]),
    (b'{"names":["cookie","value"]}', []),
    (b'{"name":"cookie","other":"x"}', []),
    (b'{"password":"half', [b"half"]),
    (b'{"password":["half', [b"half"]),
    (b'{"password":', []),
    (b'{"password"', []),
    (b'junk "password": "hunter2" junk', [b"hunter2"]),
    (b'{"maxTokens":5,"progressToken":"abc"}', []),
    (b'{"text":"password: hunter2"}', []),
]


@pytest.mark.parametrize(("data", "secrets"), JSON_CASES)
def test_values_of_names_in_json(data: bytes, secrets: list[bytes]) -> None:
    assert found(data) == secrets


TEXT_CASES: list[tuple[bytes, list[bytes]]] = [
    (b"password=hunter2 x", [b"hunter2"]),
    (b"PASSWORD = 'hunter2'", [b"hunter2"]),
    (b"MODEL_API_KEY=abc\n", [b"abc"]),
    (b"xpassword=abc", []),
    (b"password is required", []),
    (b"password:\nnext line", []),
    (b"Authorization: Bearer abc.def\r\n", [b"abc.def"]),
    (b"Authorization: abc", [b"abc"]),
    (b"Authorization: Basic", []),
    (b"Cookie: a=b; c=d\r\nAccept: x", [b"a=b; c=d"]),
    (b"http://x/?api_key=abc&q=1", [b"abc"]),
    (b"password=abc password=def", [b"abc", b"def"]),
    (b'{"password":"hunter2"}', [b"hunter2"]),
    (b"{'password': 'hunter2'}", [b"hunter2"]),
    (b'{"password":{"type":"string"},"secret":null,"cookie":[]}', []),
    (b"password = {x}", []),
    (b"http://user:hunter2@host/", [b"hunter2"]),
    (b"http://user@host:80/a:b@c", []),
]


@pytest.mark.parametrize(("data", "secrets"), TEXT_CASES)
def test_values_of_names_in_text(data: bytes, secrets: list[bytes]) -> None:
    assert found(data, text=True) == secrets


WEB_TOKEN = b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
SHAPE_CASES: list[tuple[bytes, list[bytes]]] = [
    (b'"sk-0123456789abcdefghij"', [b"0123456789abcdefghij"]),
    (b'"task-0123456789abcdefghij"', []),
    (b'"sk-abcdefghijklmnopqrstuvwxyz"', []),
    (b"Bearer abcdefghijklmnopq1", [b"abcdefghijklmnopq1"]),
    (b"Bearer authentication and more", []),
    (b"AKIA0123456789ABCDEF", [b"0123456789ABCDEF"]),
    (b"ghp_" + b"a1" * 18, [b"a1" * 18]),
    (WEB_TOKEN, [WEB_TOKEN[3:]]),
    (b"eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxMjM0NTY3", []),
    (b"-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA", [b"\nMIIB\n"]),
    (b"-----BEGIN PRIVATE KEY-----\nMIIB", [b"\nMIIB"]),
    (b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END", []),
]


@pytest.mark.parametrize(("data", "secrets"), SHAPE_CASES)
def test_shapes(data: bytes, secrets: list[bytes]) -> None:
    assert found(data) == secrets
    assert found(data, finder=Finder(Rules(shapes=False))) == []


def test_patterns_with_and_without_a_group() -> None:
    finder = Finder(Rules(names=[], shapes=False, patterns=[r"PIN \d+", r"<(?P<secret>[a-z]*)>"]))
    assert found(b"PIN 1234 <ab> <>", finder=finder) == [b"PIN 1234", b"ab"]


LITERAL = b'S3cr3t/+"\\ \xc3\xa9.x'


@given(st.binary(max_size=8), st.binary(max_size=8))
def test_every_form_of_a_given_secret_is_found(before: bytes, after: bytes) -> None:
    finder = Finder(Rules(names=[], shapes=False, literals=[LITERAL]))
    text = LITERAL.decode()
    forms = [
        before + LITERAL + after,
        base64.b64encode(before + LITERAL + after),
        base64.urlsafe_b64encode(before + LITERAL + after),
        (before + LITERAL + after).hex().encode(),
        (before + LITERAL + after).hex().upper().encode(),
        urllib.parse.quote(LITERAL, safe="").encode(),
        urllib.parse.quote_plus(LITERAL).encode(),
        json.dumps(text).encode(),
        json.dumps(text, ensure_ascii=False).encode(),
        json.dumps(json.dumps(text)).encode(),
        "".join(f"\\u{ord(letter):04X}" for letter in text).encode(),
        json.dumps({"a": [base64.b64encode(LITERAL).decode()]}).encode(),
    ]
    for form in forms:
        finds = finder.all(form, text=False)
        assert any(find.given for find in finds), form


def test_a_form_of_base64_is_no_more_than_the_secret_decides() -> None:
    literal = b"secret-0"
    for form in forms_of(literal)[1:4]:
        coded = base64.b64encode(b"??" + literal + b"??") + base64.b64encode(b"?" + literal) + base64.b64encode(literal)
        assert form.translate(bytes.maketrans(b"-_", b"+/")) in coded


def test_the_same_secret_is_the_same_however_it_is_written() -> None:
    finds = FINDER.all(b'{"password":"a\\u0062c"} {"password":"abc"} {"t":"{\\"password\\":\\"abc\\"}"}', text=False)
    assert {find.secret for find in finds} == {b"abc"}


@pytest.mark.parametrize("size", [0, 100, CHUNK - 20, CHUNK, CHUNK + 7])
def test_an_escaped_secret_is_found_across_chunks(size: int) -> None:
    data = b'"' + b"\\\\" * (size // 2) + b'","p\\u0061ssword":"hunter2"'
    assert found(data) == [b"hunter2"]


@pytest.mark.parametrize("tail", [b"S3cr", b"S3cr3t/+", LITERAL[:-1]])
def test_the_beginning_of_a_given_secret_at_the_end_counts(tail: bytes) -> None:
    finder = Finder(Rules(names=[], literals=[LITERAL]))
    begun = finder.begun(b"text " + tail)
    assert (begun[0].start, begun[0].size) == (5, len(LITERAL))
    assert {find.start for find in begun} == {5}, "percent encoding begins with the same letters"
    assert finder.begun(b"text S3c") == []
    assert finder.begun(b"text S3cr S3c") == []
    assert {find.start for find in finder.begun(b"S3crS3cr")} == {4}


@pytest.mark.parametrize(
    ("data", "end"), [(b'ab"', 2), (b'a\\"b"', 4), (b'a\\\\"b', 3), (b'ab\n"', 2), (b"ab", 2), (b'a\\\\\\"', 5)]
)
def test_where_a_string_ends(data: bytes, end: int) -> None:
    assert string_end(data, 0) == end


HOSTILE = [
    b'"password":', b'"password",', b"password=", b"cookie: ", b'"password":[', b"://a:b",
    b"-----BEGIN PRIVATE KEY-----", b"sk-", b"eyJ.", b"\\", b"\\u0061", b'"', b'"name":"cookie","value"', b"Bearer ",
    b'\\"',
]


@pytest.mark.parametrize("part", HOSTILE)
def test_hostile_bytes_take_linear_work(part: bytes) -> None:
    """Each look goes on behind the last find: the finds of a text of a thousand parts cannot outgrow its length."""
    data = part * (60_000 // len(part))
    finds = FINDER.all(data, text=True)
    assert all(0 <= find.start < find.stop <= len(data) for find in finds)
    assert sum(find.stop - find.start for find in finds) <= 40 * len(data)


@given(st.lists(st.sampled_from([*HOSTILE, b'x"', b":", b"1", b"]", b"}", b"\n", b"\xff", b" "]), max_size=30))
def test_no_bytes_break_it(parts: list[bytes]) -> None:
    data = b"".join(parts)
    assert all(0 <= find.start < find.stop <= len(data) for find in FINDER.all(data, text=True))


def test_every_built_in_name_has_a_stem_and_a_name_of_ones_own_is_one() -> None:
    assert all(any(stem in name.encode() for stem in STEMS) for name in NAMES)
    finder = Finder(Rules(names=("pin",)))
    assert found(b'{"pin":"4711"}', finder=finder) == [b"4711"]
    assert found(b'{"pan":"4711"}', finder=finder) == []
