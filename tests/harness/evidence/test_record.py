"""One line of a ledger: its form, its hash, and that no edit of it goes unseen."""
from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.evidence import LedgerProblem, Origin
from harness.evidence.record import FIELDS, record_from, teeth_fault
from harness.kept.sources import canonical_hash
from harness.wire.jsontext import dumps
from tests.harness.evidence.records import ENGINE, LIVE, MODEL, TAPE, record


def resigned(**changes: Any) -> str:
    """A line that somebody edited, with a new hash."""
    fields = {**record().as_json(), **changes}
    return dumps({**fields, "hash": canonical_hash(fields)}, sort=True)


def test_a_line_is_canonical_json_in_the_form_of_the_interface() -> None:
    line = record().line()
    fields = json.loads(line)
    assert line == json.dumps(fields, sort_keys=True, separators=(",", ":"))
    assert tuple(fields) == FIELDS
    assert fields["about"] == {"codex": ["engine", "0.171.0"]}
    assert (fields["strength"], fields["verdict"], fields["platform"]) == ("engine", "holds", "linux")
    assert record_from(line, "ledger.jsonl", 1) == record()


@pytest.mark.parametrize(
    ("about", "strength"),
    [
        ({"codex": LIVE}, "live"),
        ({"codex": LIVE, "helper": ENGINE}, "engine"),
        ({"codex": LIVE, "helper": TAPE}, "tape"),
        ({"codex": LIVE, "helper": ENGINE, "os": MODEL}, "model"),
        ({"codex": Origin("tape", "1", "model")}, "model"),
        ({"codex": Origin("tape", "1", "documented"), "os": MODEL}, "documented"),
    ],
)
def test_a_verdict_is_as_strong_as_the_weakest_it_is_about(about: dict[str, Origin], strength: str) -> None:
    assert record(about=about).strength == strength


@pytest.mark.claim("HAR-RPT-02", tooth="a ledger line with one character changed")
@given(st.data())
def test_any_edit_of_a_line_is_refused(data: st.DataObject) -> None:
    line = record().line()
    place = data.draw(st.integers(0, len(line) - 1))
    letter = data.draw(st.characters(codec="ascii").filter(lambda other: other != line[place]))
    for edited in (line[:place] + letter + line[place + 1 :], line[:place] + line[place + 1 :]):
        with pytest.raises(LedgerProblem) as caught:
            record_from(edited, "ledger.jsonl", 3)
        assert (caught.value.file, caught.value.line, caught.value.exit_code) == ("ledger.jsonl", 3, 3)


@pytest.mark.claim("HAR-RPT-02", tooth="a ledger line whose hash was made to fit")
@pytest.mark.claim("HAR-RPT-03", tooth="model evidence relabelled as live")
@pytest.mark.parametrize(
    ("changes", "seen"),
    [
        ({"strength": "live"}, "strength 'live'"),
        ({"strength": "model"}, "strength 'model'"),
        ({"strength": None}, "strength None"),
        ({"verdict": "proven"}, "verdict 'proven'"),
        ({"about": {}}, "about {}"),
        ({"about": {"codex": ["engine"]}}, "['engine']"),
        ({"about": {"codex": ["real", "1"]}}, "back 'real'"),
        ({"about": []}, "about []"),
        ({"by": "hearsay"}, "by 'hearsay'"),
        ({"run": "abc"}, "run 'abc'"),
        ({"build": {"harness": "abc"}}, "build"),
        ({"build": []}, "build"),
        ({"teeth": ["sharp"]}, "tooth 'sharp'"),
        ({"teeth": ["fault:b", "fault:a"]}, "a line in another form"),
        ({"teeth": {}}, "teeth {}"),
        ({"platform": 3}, "platform 3"),
        ({"date": "2026-01-31"}, "date"),
    ],
)
def test_a_line_that_was_made_up_is_refused(changes: dict[str, Any], seen: str) -> None:
    with pytest.raises(LedgerProblem) as caught:
        record_from(resigned(**changes), "ledger.jsonl", 1)
    assert seen in caught.value.seen


@pytest.mark.parametrize("text", ["", "[]", "3", "{", '{"claim":"CUA-RUN-04"}'])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(LedgerProblem):
        record_from(text, "ledger.jsonl", 1)


def test_the_same_line_with_spaces_is_another_line() -> None:
    line = record().line().replace('":', '": ')
    with pytest.raises(LedgerProblem, match="another form"):
        record_from(line, "ledger.jsonl", 1)


@pytest.mark.parametrize(
    ("teeth", "good"),
    [
        ([], True), (["fault:a", "guard:stack/a.py#turn", "broken:says done"], True), (["fault:"], False),
        ([3], False), (["fault"], False), ("fault:a", False), (["law:1"], False),
    ],
)  # fmt: skip
def test_teeth_have_a_kind_and_a_name(teeth: Any, good: bool) -> None:
    assert (teeth_fault(teeth) is None) == good
