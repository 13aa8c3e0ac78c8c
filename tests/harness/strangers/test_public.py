"""Three public stacks under the same faults and laws, by the committed adapters, as `make engines` installs them.

What is asserted of them is what docs/bring-your-own-stack.md says, for these versions: nothing is said of others.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from harness.judged.run import Judged
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import judge_records
from harness.scenario.runner import run
from harness.strangers.adapter import Adapter, load_adapter
from harness.strangers.binding import scenarios_of
from harness.strangers.process import ROOT
from tests.harness.strangers.rig import words

ADAPTERS = ROOT / "scenarios" / "adapters"
NAMES = ("macos-automator-mcp", "mcp-selenium", "fastmcp")
TRUE = {1: "holds", 3: "holds", 7: "holds", 8: "holds"}
PRESSED = "the connection is lost when the button was pressed, and before that was said"
DIES = "the program dies when the button was pressed, and before that was said"
LED = "the program dies when the page was led elsewhere, and before that was said"
GOES = "the client goes without a word"


@cache
def adapter_of(name: str) -> Adapter:
    return load_adapter(ADAPTERS / f"{name}.yaml")


def missing(name: str) -> list[str]:
    """What of a stack is not installed."""
    paths = [text.replace("{root}", str(ROOT)) for text in adapter_of(name).needs]
    return [path for path in paths if not Path(path).exists()]


def judged(name: str, case: str = "") -> Judged:
    if missing(name):
        pytest.skip(f"the stack {name} is not installed: `make engines` installs it")
    (scenario,) = scenarios_of(adapter_of(name), ROOT / "scenarios")
    return judge_records(run(compile_sheet(scenario, Choice(mode="process", case=case))))


@pytest.mark.claim("HAR-BYO-01")
@pytest.mark.parametrize("name", NAMES)
def test_a_public_stack_does_its_work_over_the_fakes(name: str) -> None:
    found = judged(name)
    said = words(found)
    assert {law: said[law] for law in TRUE} == TRUE
    assert (found.word, found.claims) == ("holds", {})
    assert found.run.sheet["stack"]["version"] == adapter_of(name).version


FINDINGS = [
    ("macos-automator-mcp", LED, 3, "broken", "says refused, and the world has its effect"),
    ("mcp-selenium", PRESSED, 1, "broken", "2 effects of click for 1 asked"),
    ("mcp-selenium", GOES, 7, "broken", "window window-9001"),
    ("fastmcp", DIES, 1, "holds", "none more often than it was asked for"),
]


@pytest.mark.claim("HAR-BYO-01", tooth="a fault that a public stack does not withstand")
@pytest.mark.parametrize(("name", "case", "law", "verdict", "why"), FINDINGS)
def test_and_under_a_fault_the_laws_find_what_it_does(
    name: str, case: str, law: int, verdict: str, why: str
) -> None:
    found = judged(name, case)
    assert found.applicable
    (said,) = (each for each in found.laws if each.law == law)
    assert said.verdict == verdict and why in said.why, said
    assert f"--stack {adapter_of(name).file}" in said.again
