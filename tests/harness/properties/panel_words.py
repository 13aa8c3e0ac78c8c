"""What can be drawn for the panel of tests/harness/laws/panel.py: a system whose run takes a few milliseconds.

Its program takes no notice of what is no request of its own: faults garble requests here, and a fake must bear that.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from harness.properties.vocabulary import Act, Step, Vocabulary
from tests.harness.laws import panel
from tests.harness.laws.panel import DEADLINE_MS, NAME, SECRET

if TYPE_CHECKING:
    from harness.faults.steps import Handler
    from harness.wire.frame import Frame

HERE = "tests.harness.properties.panel_words"

CANARY = {"name": "note", "value": SECRET, "allowed": ["wire.panel.stdio.out"]}


class PanelProgram(panel.PanelProgram):
    """The panel's program, before a wire that garbles."""

    def received(self, wire: str, frame: Frame) -> Handler:
        value: Any = frame.value
        params = value.get("params") if isinstance(value, dict) else None
        known = isinstance(params, dict) and (frame.method != "press" or params.get("button") in panel.BUTTONS)
        if known and "id" in value:
            yield from super().received(wire, frame)


PROGRAMS = {NAME: f"{HERE}:PanelProgram"}
SUBJECT = replace(panel.SUBJECT, programs=f"{HERE}:PROGRAMS")


def press(button: str, sure: bool = False) -> Act:
    step: Step = {"call": "press", "arguments": {"button": button}, "means": {"verb": "press", "ref": button}}
    return Act(step, sure)


def words(defect: str | None = None, buttons: Sequence[str] = panel.BUTTONS) -> Vocabulary:
    """The vocabulary of the panel's honest stack, or of a broken one. buttons: those that are pressed."""
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
        acts={"panel": tuple(press(button, sure=button == "stop") for button in buttons)},
        strays=(),
        changes=(),
        tells=({"tell": "grant", "data": {"grant": "arm"}}, {"tell": "revoke", "data": {"grant": "arm"}}),
        answers=lambda sections: (),
        waits_ms=(),
        overlap=False,
        faults=("crash", "drop"),
    )
