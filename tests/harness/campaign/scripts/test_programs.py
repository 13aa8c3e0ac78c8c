"""Which files a system's programs have, who has to know them, and what is put in to count."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.campaign.executor import forked
from harness.campaign.scripts.programs import PROGRAMS, back_of, counter, learn, texts_of
from harness.scenario.runner import ROOT
from harness.serve.dotted import resolve


def test_every_file_is_there_and_says_where_it_runs() -> None:
    for system, programs in PROGRAMS.items():
        assert len(texts_of(system, Path(ROOT))) == sum(len(program.files) for program in programs)
    assert texts_of("computer-use", Path(ROOT)) == {}
    assert back_of("safari-jxa", "stack/safari_jxa/bridge.js") == "model"
    assert back_of("safari-jxa", "stack/safari_jxa/page.js") == "engine"


@pytest.mark.parametrize(("back", "says"), [
    ("model", 'console.log("trailcam.reached 3")'),
    ("engine", '(globalThis[Symbol.for("trailcam.reached")] ??= new Set()).add(3)'),
])  # fmt: skip
def test_a_counter_says_the_guards_number(back: str, says: str) -> None:
    assert counter(back, {"guard:a": 3})("guard:a") == says


def test_the_fakes_know_a_program_that_was_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def job() -> list[Any]:
        recognise = resolve("fakes.worlds.programs:recognise")
        vars(resolve("stack.safari_jxa:scripts"))["program"] = lambda: "changed"
        before = recognise("changed")
        learn("safari-jxa")
        learn("safari-mcp")  # whose programs nobody has to know
        return [before, recognise("changed")]

    ((_, answer),) = forked([job], 1)
    assert answer == [None, "jxa_page"]
