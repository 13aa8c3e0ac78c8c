"""Every rule of lint has a tape that it must find, and a good tape that it must pass."""
from __future__ import annotations

import re
from typing import Any

import pytest

from harness.tape.event import line
from harness.tape.header import Header
from harness.tape.lint import RULES, exposed, lint
from harness.tape.read import TORN
from harness.tape.redact import Redactor
from harness.tape.rules import Rules
from tests.harness.tape.tapes import EXIT, ORIGIN, START, call, header, number, reply, sent, session

CLOSED = {"e": "closed", "w": "stdio", "s": "out"}
SECRET = '{"password":"hunter2hunter2"}\n'


def found(events: list[dict[str, Any]], head: Header | None = None, **options: Any) -> list[tuple[str, int | None]]:
    findings = lint(head or header(), number(events), today="2026-01-31", **options)
    return [(finding.rule, finding.n) for finding in findings]


def test_a_good_tape_has_no_findings() -> None:
    assert found(session(), header(expires="2026-02-01"), lines=map(line, session())) == []


BAD: list[tuple[list[dict[str, Any]], dict[str, Any], list[tuple[str, int | None]]]] = [
    ([START, EXIT], {"expires": "2026-01-31"}, [("TAPE-L001", None)]),
    ([START, EXIT], {"expires": "2025-12-31T23:59:59Z"}, [("TAPE-L001", None)]),
    ([START, EXIT], {"bytes": "reconstructed"}, [("TAPE-L002", None)]),
    ([START, {"e": "gap", "why": "disk full"}, EXIT], {}, [("TAPE-L003", 1)]),
    ([START, START, EXIT], {}, [("TAPE-L004", 1)]),
    ([call()], {}, [("TAPE-L010", None), ("TAPE-L004", 0), ("TAPE-L014", 0)]),
    ([START, EXIT, EXIT], {}, [("TAPE-L004", 2)]),
    ([START, CLOSED, CLOSED, EXIT], {}, [("TAPE-L004", 2)]),
    ([START, CLOSED, reply(), EXIT], {}, [("TAPE-L004", 2)]),
    ([{**START, "p": 0}, {**EXIT, "p": 0}], {}, [("TAPE-L004", 0)]),
    ([START, sent(SECRET, "out"), EXIT], {}, [("TAPE-L005", 1), ("TAPE-L008", 1)]),
    ([START, sent("MODEL_API_KEY=abcdefgh\n", "err"), EXIT], {}, [("TAPE-L005", 1)]),
    ([{**START, "argv": ["--api-key=abcdefgh"]}, EXIT], {}, [("TAPE-L005", 0)]),
    ([START, {"e": "note", "text": "password: hunter2hunter2"}, EXIT], {}, [("TAPE-L005", 1)]),
    ([START, call(), EXIT], {}, [("TAPE-L007", 1)]),
    ([START, sent("junk\n"), EXIT], {}, [("TAPE-L008", 1)]),
    ([START, sent('{"id', "out"), EXIT], {}, [("TAPE-L008", 1)]),
    ([{**START, "t": 5}, {**EXIT, "t": 4}], {}, [("TAPE-L009", 1)]),
    ([{"e": "note", "text": "x", "p": 0}], {}, [("TAPE-L010", None)]),
    ([], {}, [("TAPE-L010", None)]),
    ([START, EXIT], {"date": None}, [("TAPE-L011", None)]),
    ([START, EXIT], {"origin": {**ORIGIN, "products": []}}, [("TAPE-L011", None)]),
    ([START, EXIT], {"origin": {**ORIGIN, "products": [{"name": "a", "version": "unknown"}]}}, [("TAPE-L011", None)]),
    ([START, EXIT], {"origin": {**ORIGIN, "strength": "live"}}, [("TAPE-L012", None)]),
    ([START, sent("err\n", "err", more=True), EXIT], {}, [("TAPE-L013", 1)]),
    ([START, EXIT], {"wires": {"fake": {"stdio": "morse"}}}, [("TAPE-L014", None)]),
    ([START, {**reply(), "w": "socket"}, EXIT], {}, [("TAPE-L014", 1)]),
    ([START], {}, [("TAPE-L015", None)]),
]


@pytest.mark.parametrize(("events", "fields", "findings"), BAD)
def test_what_a_rule_finds(
    events: list[dict[str, Any]], fields: dict[str, Any], findings: list[tuple[str, int | None]]
) -> None:
    assert found(events, header(**fields)) == findings


def test_a_stream_may_outlive_its_process() -> None:
    """The client may close after the program ended, and a child of the program may go on writing."""
    assert found([START, EXIT, reply(), CLOSED, {"e": "closed", "w": "stdio", "s": "in"}]) == []


def test_every_rule_is_in_a_test() -> None:
    assert {rule for *_, findings in BAD for rule, _ in findings} | {"TAPE-L006"} == set(RULES)
    assert all(re.fullmatch(r"TAPE-L\d{3}", rule) for rule in RULES)


@pytest.mark.parametrize(
    ("edit", "wrong"),
    [(lambda text: text, False), (lambda text: text.replace(",", ", "), True),
     (lambda text: text.replace('"n":1', '"n":9,"n":1'), True),
     (lambda text: text.replace("ping", "p\\u0069ng"), True)],
)
def test_a_line_that_somebody_edited(edit: Any, wrong: bool) -> None:
    lines = [edit(line(event)) if event["n"] == 1 else line(event) for event in session()]
    assert found(session(), lines=lines) == ([("TAPE-L006", 1)] if wrong else [])


def test_the_torn_end_of_a_tape_is_a_gap_and_no_edit() -> None:
    torn = {"n": 2, "t": 1, "p": 0, "e": "gap", "why": TORN, "size": 3}
    events = [*number([START, EXIT]), torn]
    assert found(events, lines=[*map(line, events[:2]), '{"n']) == [("TAPE-L003", 2)]


def test_a_flow_is_searched_everywhere() -> None:
    asked: dict[str, Any] = {"method": "GET", "url": "http://x/"}
    for request, response in (
        ({**asked, "url": "http://x/?api_key=abcdefgh"}, {"status": 200}),
        ({**asked, "headers": [["Authorization", "Bearer abcdefgh"]]}, {"status": 200}),
        ({**asked, "b": SECRET}, {"status": 200}),
        (asked, {"status": 200, "b": SECRET}),
    ):
        flow = {"e": "flow", "w": "http", "p": 0, "request": request, "response": response}
        assert found([START, flow, EXIT]) == [("TAPE-L005", 1)]
        redacted = Redactor(Rules(), b"key").event(number([START, flow])[1])
        assert found([START, redacted, EXIT], header(redaction=[{"what": "x", "how": "y"}])) == []
    assert found([START, {"e": "flow", "w": "http", "p": 0, "request": asked}, EXIT]) == []


@pytest.mark.parametrize(
    "data",
    [b'{"password":"hunter2hunter2"}', b'{"password":"short"}', b'{"password":12345678}', b"sk-0123456789abcdefghij",
     b'{"cookie":["a=b; c=d"]}', b'{"t":"{\\"password\\":\\"hunter2hunter2\\"}"}'],
)
def test_what_redaction_took_out_is_no_finding(data: bytes) -> None:
    assert exposed(data, text=False, redacted=False) != []
    made = Redactor(Rules(), b"key").frame(data, p=1, dialect="ndjson")
    assert made is not None
    assert exposed(made, text=False, redacted=True) == []


@pytest.mark.parametrize(
    "data", [b'{"password":null}', b'{"password":"<PASSWORD-1>"}', b'{"password":"*****"}', b'{"password":"REDACTED"}',
             b'{"maxTokens":100,"progressToken":"abcdefgh"}', b'{"password":{"type":"string"}}'],
)
def test_what_hides_a_secret_already_is_no_finding(data: bytes) -> None:
    assert exposed(data, text=True, redacted=False) == []


def test_a_finding_says_what_to_do_and_never_the_secret() -> None:
    finding = lint(header(), number([START, sent(SECRET, "err"), EXIT]))[0]
    assert finding.as_json() == {
        "rule": "TAPE-L005", "severity": "error", "n": 1, "says": "something looks like a secret",
        "detail": "values of password", "advice": "record it again with --redact, and change that secret",
    }
    assert "hunter2" not in str(finding)
