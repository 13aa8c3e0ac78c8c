"""safaridriver with `-p PORT` in a run of processes: one session, and what a client leaves that does not end it."""

from __future__ import annotations

from pathlib import Path

from tests.harness.strangers.driver_rig import BEGIN, START, STOP, answers, ask, lines_of, played
from tests.harness.strangers.rig import words

SESSION = "6E3A4E5B-0000-4000-8000-000000000001"


def test_a_session_begins_ends_and_leaves_nothing(tmp_path: Path) -> None:
    found = played(tmp_path, [START, BEGIN, ask("DELETE", f"/session/{SESSION}"), STOP])
    assert SESSION in answers(found)[1]
    assert [line["id"] for line in lines_of(found, "held")] == [line["id"] for line in lines_of(found, "freed")]
    assert words(found)[7] == "holds"


def test_a_driver_that_is_ended_leaves_the_window_and_the_next_one_can_begin(tmp_path: Path) -> None:
    found = played(tmp_path, [START, BEGIN, STOP, START, BEGIN, ask("DELETE", f"/session/{SESSION}"), STOP])
    assert "already paired" not in "".join(answers(found))
    assert len(lines_of(found, "held")) == 1
    assert len(lines_of(found, "freed")) == 1


def test_the_end_of_its_input_means_nothing_to_it(tmp_path: Path) -> None:
    found = played(tmp_path, [START, {"wait_ms": 200}, ask("GET", "/status"), STOP])
    assert '"ready":true' in answers(found)[1]


def test_asked_for_something_else_it_is_safaridriver(tmp_path: Path) -> None:
    arguments = {"start": {"tool": "start", "arguments": {"words": ["--version"]}}}
    found = played(tmp_path, [START], tools=arguments)
    assert answers(found) == ["Included with Safari Technology Preview (Release 249, 20625.1.9)"]
