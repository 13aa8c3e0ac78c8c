"""Items: each form holds, is broken, and is unknown where there is nothing that it could judge."""

from __future__ import annotations

from typing import Any

import pytest

from harness.judged.then import FORMS, form_of, in_words, select
from tests.harness.judged.panels import judged

EFFECT = {"world": {"e": "effect", "verb": "press"}}
NOTHING = {"world": {"e": "effect", "verb": "push"}}
LOOKED = {"history": {"e": "answered", "outcome": "done"}}
REQUESTS = {"frames": {"way": ">>", "method": "press"}}

ITEMS: list[tuple[dict[str, Any], str, str]] = [
    ({"some": EFFECT}, "holds", "3 of world with e='effect', verb='press'"),
    ({"some": NOTHING}, "broken", "no world with e='effect', verb='push'"),
    ({"some": NOTHING, "among": {"world": {"e": "push"}}}, "unknown", "nothing to judge"),
    ({"some": NOTHING, "among": EFFECT}, "broken", "no world"),
    ({"some": EFFECT, "among": NOTHING}, "holds", "3 of"),
    ({"none": NOTHING, "among": EFFECT}, "holds", "no world"),
    ({"none": EFFECT, "among": LOOKED}, "broken", "3 of"),
    ({"none": NOTHING, "among": NOTHING}, "unknown", "nothing to judge: no world with"),
    ({"count": EFFECT, "is": 3}, "holds", "3 of"),
    ({"count": EFFECT, "is": 2}, "broken", "3 of world with e='effect', verb='press'; expected 2"),
    ({"count": EFFECT, "at_least": 3}, "holds", "3 of"),
    ({"count": EFFECT, "at_least": 4}, "broken", "expected at least 4"),
    ({"count": EFFECT, "at_most": 3}, "holds", "3 of"),
    ({"count": EFFECT, "at_most": 2}, "broken", "expected at most 2"),
    ({"count": NOTHING, "is": 0}, "holds", "0 of"),
    ({"count": NOTHING, "is": 0, "among": NOTHING}, "unknown", "nothing to judge"),
    ({"count": NOTHING, "is": 0, "among": EFFECT}, "holds", "0 of"),
    ({"every": EFFECT, "has": {"target": {"app": "panel"}}}, "holds", "each of 3"),
    ({"every": EFFECT, "has": {"target": {"node": "stop"}}}, "broken", "1 of 3 of world with e='effect'"),
    ({"every": EFFECT, "has": {"target": {"node": "stop"}}}, "broken", "/target/node 'stop' (it is 'arm')"),
    ({"every": EFFECT, "has": {"target": {"frame": 1}}}, "broken", "/target/frame 1 (it is nothing)"),
    ({"every": EFFECT, "has": {"verb": {"$any": ["push"]}}}, "broken", "/verb {'$any': ['push']} (it is 'press')"),
    ({"every": NOTHING, "has": {}}, "unknown", "nothing to judge"),
    ({"order": [REQUESTS, EFFECT, LOOKED]}, "holds", "3 in this order"),
    ({"order": [EFFECT, {"frames": {"way": ">>", "method": "look", "id": 1}}]}, "broken", "no frames with"),
    ({"order": [NOTHING, EFFECT]}, "broken", "no world with e='effect', verb='push'"),
    ({"order": [EFFECT, NOTHING]}, "broken", "verb='push' after world with e='effect', verb='press'"),
    ({"order": [NOTHING, NOTHING]}, "unknown", "nothing to judge"),
    ({"equal": [{**EFFECT, "at": "/target/app"}, {**EFFECT, "at": "/target/app"}]}, "holds", "3 values, equal"),
    ({"equal": [{**EFFECT, "at": "/target/app"}, {**EFFECT, "at": "/target/node"}]}, "broken", "'panel' and 'stop'"),
    ({"equal": [{**EFFECT, "at": "/verb"}, {**REQUESTS, "at": "/method"}]}, "broken", "3 values and 4 of"),
    ({"equal": [{**EFFECT, "at": "/verb"}, {**NOTHING, "at": "/verb"}]}, "broken", "3 values and 0 of"),
    ({"equal": [{**NOTHING, "at": "/verb"}, {**NOTHING, "at": "/verb"}]}, "unknown", "nothing to judge"),
    ({"equal": [{**EFFECT, "at": "/none"}, {**EFFECT, "at": "/nil"}]}, "unknown", "nothing to judge"),
    ({"law": 1}, "holds", "none more often than it was asked for"),
]


@pytest.mark.parametrize(("item", "verdict", "why"), ITEMS)
def test_an_item_is_judged(monkeypatch: pytest.MonkeyPatch, item: dict[str, Any], verdict: str, why: str) -> None:
    said = judged(monkeypatch, item).then[0]
    assert said.verdict == verdict, said.why
    assert why in said.why


def test_every_form_can_hold_be_broken_and_be_unknown() -> None:
    for form in FORMS:
        assert {verdict for item, verdict, _ in ITEMS if form in item} == {"holds", "broken", "unknown"}, form


def test_an_item_names_what_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    result = judged(monkeypatch, {"claims": ["C"], "some": EFFECT}, {"some": LOOKED}, {"some": REQUESTS})
    effects, answers, frames = result.then
    assert [result.run.world[n]["e"] for n in effects.world] == ["effect"] * 3
    assert answers.calls == (0, 1, 3)
    assert all(result.run.journal[n]["e"] == "bytes" for _, n in frames.frames)
    assert effects.as_json()["claims"] == ["C"]
    assert effects.as_json()["frames"] == []
    assert [said.item for said in result.then] == [0, 1, 2]


def test_a_law_with_nothing_to_judge_is_unknown_as_an_item(monkeypatch: pytest.MonkeyPatch) -> None:
    said = judged(monkeypatch, {"law": 6}, canaries=[]).then[0]
    assert said.verdict == "unknown"
    assert "no canary" in said.why


def test_an_item_or_selection_of_no_form_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyError, match="no form"):
        form_of({"says": "x"})
    with pytest.raises(KeyError, match="without a book"):
        select({"at": "/x"}, judged(monkeypatch).run)  # type: ignore[arg-type]
    assert in_words({"world": {}}) == "world"
