"""Flows on a tape: in the order in which they were asked, redacted, and never silently missing."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.http_leg.messages import Request, Response
from harness.http_leg.recorder import Leg, Recorder, open_recorder
from harness.problem import Problem, UsageProblem
from harness.tape.header import Header
from harness.tape.lint import lint
from harness.tape.read import load
from harness.tape.redact import Redactor
from harness.tape.rules import Rules
from harness.tape.write import Writer

ORIGIN: Any = {"strength": "model", "products": [], "platform": "any", "recorder": "a test"}


def post(path: str, body: bytes = b"{}", *headers: tuple[str, str]) -> Request:
    return Request("POST", f"http://a{path}", headers, body)


def events_of(tape: Path) -> list[Any]:
    return list(load(str(tape))[1])


def test_an_early_reply_waits_for_those_asked_before_it(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    recorder = open_recorder(str(tape), Leg(program="judge", products=[("judge", "7")], strength="live"), {})
    recorder.begin()
    first, second, third = (recorder.asked(post(path)) for path in ("/1", "/2", "/3"))
    recorder.answered(second, Response(200, (), b"2"))
    recorder.answered(first, Response(200, (), b"1"))
    recorder.answered(third, None, "no reply came: gone")
    recorder.asked(post("/4"))
    assert recorder.end()
    events = events_of(tape)
    flows = [event for event in events if event["e"] == "flow"]
    assert [event["request"]["url"][-2:] for event in flows] == ["/1", "/2", "/3", "/4"]
    assert [event.get("response", {}).get("b") for event in flows] == ["1", "2", None, None]
    notes = [event["text"] for event in events if event["e"] == "note"]
    assert notes == ["POST: no reply came: gone", "POST: the recording ended before a reply came"]
    header, _ = load(str(tape))
    assert (header.origin["strength"], header.origin["products"]) == ("live", [{"name": "judge", "version": "7"}])
    assert header.clock["kind"] == "monotonic"
    assert {finding.rule for finding in lint(header, events)} <= {"TAPE-L012"}


def test_keys_never_reach_the_disk(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    secret, given = "s3cr3t-4711-value", "given-4711-value"
    environment = {"MINE": given, "A_API_KEY": "env-4711-key"}
    recorder = open_recorder(str(tape), Leg(redact=["env:MINE", "key:passcode"]), environment)
    recorder.begin()
    headers = [("Authorization", f"Bearer {secret}"), ("x-api-key", secret), ("X-Goog-Api-Key", secret)]
    body = f'{{"passcode":"{secret}","text":"{given}","also":"env-4711-key"}}'.encode()
    response = Response(200, (("Set-Cookie", f"a={secret}"),), f'{{"access_token":"{secret}"}}'.encode())
    recorder.answered(recorder.asked(post("/a", body, *headers)), response)
    assert recorder.end()
    text = tape.read_text(encoding="ascii")
    assert not any(word in text for word in (secret, given, "env-4711-key"))
    flow = next(event for event in events_of(tape) if event["e"] == "flow")
    assert len(flow["request"]["b"]) == len(body)
    assert "redaction struck" in events_of(tape)[-1]["text"]
    assert tape.stat().st_mode & 0o777 == 0o600


def test_a_flow_whose_secret_can_not_be_taken_out_is_a_gap(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    recorder = open_recorder(str(tape), Leg(redact=["pointer:/a"]), {})
    recorder.begin()
    recorder.answered(recorder.asked(post("/a", b'{"a":"one-secret","a":"two-secret"}')), Response(200))
    recorder.end()
    kinds = [event["e"] for event in events_of(tape)]
    assert "gap" in kinds
    assert "flow" not in kinds
    assert "two-secret" not in tape.read_text(encoding="ascii")


def test_what_can_not_be_recorded_is_said_before_anything_starts(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    tape.write_text("there", encoding="ascii")
    with pytest.raises(Problem, match="File exists"):
        open_recorder(str(tape), Leg(), {})
    with pytest.raises(UsageProblem, match="redaction rule"):
        open_recorder(str(tmp_path / "new.jsonl"), Leg(redact=["nothing"]), {})


def test_a_full_disk_is_said_before_anything_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(descriptor: int) -> Any:
        def write(data: bytes) -> int:
            raise OSError(28, "No space left on device")

        return write

    monkeypatch.setattr("harness.http_leg.recorder.to_descriptor", full)
    with pytest.raises(Problem, match="No space left"):
        open_recorder(str(tmp_path / "leg.jsonl"), Leg(), {})


def test_times_never_fall() -> None:
    lines: list[bytes] = []
    clock = iter([5_000_000, 3_000_000, 9_000_000])
    writer = Writer(lambda data: lines.append(data), Header(ORIGIN))
    recorder = Recorder(writer, Redactor(Rules(), b"key"), Leg(), 1_000_000, lambda: next(clock))
    recorder.begin()
    recorder.answered(recorder.asked(post("/a")), Response(204))
    recorder.end()
    times = [line.split(b'"t":')[1].split(b",")[0] for line in b"".join(lines).split(b"\n")[1:-1]]
    assert times == [b"4.0", b"4.0", b"8.0"]
