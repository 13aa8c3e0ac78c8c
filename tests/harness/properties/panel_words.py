"""What can be drawn for the panel of tests/harness/laws/panel.py: a system whose run takes a few milliseconds."""
from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from harness.properties.vocabulary import Act, Step, Vocabulary
from tests.harness.laws.panel import DEADLINE_MS, NAME, SECRET

ALL = frozenset({"stop", "arm", "jam"})
CANARY = {"name": "note", "value": SECRET, "allowed": ["wire.panel.stdio.out"]}


def press(button: str, sure: bool = False) -> Act:
    step: Step = {"call": "press", "arguments": {"button": button}, "means": {"verb": "press", "ref": button}}
    return Act(step, sure)


def words(defect: str | None = None) -> Vocabulary:
    """The vocabulary of the panel's honest stack, or of a broken one."""
    sections: dict[str, Any] = {
        "world": {"secret": SECRET},
        "settings": {} if defect is None else {"defect": defect},
        "bounds": {"call_ms": DEADLINE_MS, "frame_bytes": 4096},
        "canaries": [CANARY],
    }
    return Vocabulary(
        system=NAME,
        about=(NAME,),
        surroundings=st.just(sections),
        ready=lambda sections: frozenset({"panel"}),
        looks={"panel": {"call": "look"}},
        acts={"panel": (press("stop", sure=True), press("arm"), press("jam"))},
        strays=({"call": "look"},),
        changes=(({"alarm": True}, ALL),),
        tells=({"tell": "grant", "data": {"grant": "arm"}}, {"tell": "revoke", "data": {"grant": "arm"}}),
        answers=lambda sections: (),
        waits_ms=(1, 100),
    )
