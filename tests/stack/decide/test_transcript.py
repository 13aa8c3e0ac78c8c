"""A line of the transcript."""

from __future__ import annotations

from stack.decide.transcript import Line


def test_a_line_as_text_and_as_a_value() -> None:
    line = Line(12, "RESTALE", "Where to?", 0.87, None, 282.4, 474, "around")
    assert line.text() == "12. RESTALE  Where to?  (87% sure, model 282ms, step 474ms)  [around]"
    assert dict(line.shown()) == {
        "attempt": 12, "tag": "RESTALE", "said": "Where to?", "sure": 0.87, "target": None, "model_ms": 282.4,
        "step_ms": 474, "reason": "around", "typed": None,
    }  # fmt: skip
