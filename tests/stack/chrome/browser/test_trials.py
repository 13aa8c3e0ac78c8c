"""Trials of the content program's guards: one that is missed, one with a reason, one that nothing misses."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.engines.chromium import CdpError
from harness.campaign.equivalent import Reason
from harness.campaign.scripts.browser import Kept, read
from tests.stack.chrome.browser import trials
from tests.stack.chrome.browser.chrome import built

pytestmark = pytest.mark.engine("chromium")
REDACTION = "guard:stack/chrome/extension/src/content/redaction.js#"
WORD, NAMING, REQUEST = f"{REDACTION}SECRET_WORDS:row:1", f"{REDACTION}NAMING:row:3", f"{REDACTION}isDigitBox:refusal:1"


def outcome(ids: list[str], reasons: dict[str, Reason]) -> dict[str, Kept]:
    built()
    return {row.guard: row for row in trials.judged(ids, reasons, 1)}


def test_a_guard_is_noticed_or_explained_or_survives() -> None:
    both = Reason(WORD, (NAMING,), "what it says", 1)
    rows = outcome([WORD, REQUEST], {WORD: both})
    assert (rows[REQUEST].state, rows[REQUEST].by) == ("killed", trials.CASE.format("beside boxes for a digit each"))
    assert rows[WORD].state == "equivalent"
    assert rows[WORD].how.startswith("what it says Without both: autocomplete current-password")
    rows = outcome([WORD], {})
    assert (rows[WORD].state, rows[WORD].by) == ("survived", "")
    wrong = Reason(WORD, (f"{REDACTION}isCardNumber:bound:1",), "what it says", 1)
    assert outcome([WORD], {WORD: wrong})[WORD].state == "survived", "the other one is missed alone, and not more so"


def test_where_the_program_as_it_is_does_not_pass_nothing_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "tried", lambda given: [("a case: it differs", "")])
    with pytest.raises(CdpError, match="the program as it is does not pass"):
        outcome([WORD], {})


def test_what_came_of_it_is_kept_and_the_exit_code_says_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [Kept(REQUEST, "killed", "how", "by", 1, 1)]
    monkeypatch.setattr(trials, "judged", lambda ids, reasons, jobs: iter(rows))
    out = tmp_path / "kept.jsonl"
    assert trials.main(["--module", "isDigitBox", "--out", str(out)]) == 0
    assert read(out) == {REQUEST: rows[0]}
    rows.append(Kept(WORD, "untried", "how", "", 0, 1))
    assert trials.main(["--out", str(out)]) == 3
    rows.append(Kept(NAMING, "survived", "how", "", 1, 1))
    assert trials.main(["--out", str(out)]) == 1
    assert set(read(out)) == {REQUEST, WORD, NAMING}


def test_every_guard_of_the_extension_is_tried() -> None:
    found = trials.guards()
    assert {WORD, NAMING, REQUEST} <= set(found)
    assert {id.partition("#")[0].removeprefix("guard:stack/chrome/extension/src/") for id in found} >= {
        "popup/popup.js", "worker/actions.js", "worker/main.js", "worker/navigations.js", "worker/port.js",
        "worker/snapshots.js",
    }  # fmt: skip
