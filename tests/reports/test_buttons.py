"""Pictures of the extension's button: one a state, from the extension's own table, the same each time, and alone."""
from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from reports.buttons import TABLE, buttons, table

ROOT = Path(__file__).resolve().parents[2]
STATES = ["disconnected", "site_denied", "enabled", "unsupported"]


def test_each_state_of_the_extension_has_a_picture_of_its_text_and_colour() -> None:
    looks = table()
    assert list(looks) == STATES
    made = buttons(looks)
    assert made == buttons(table()), "the same table gives the same bytes"
    for button in made:
        root = ElementTree.fromstring(button.picture)
        look = looks[button.state]
        texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
        assert (texts[-1], button.says) == (look["text"], look["title"])
        assert look["color"] in [each.get("fill") for each in root.iter()]
        assert not re.search(r"href|url\(|style=|<script|data:", button.picture), "nothing is loaded"
    assert len({button.picture for button in made}) == len(STATES)


def test_the_extension_uses_the_same_table() -> None:
    source = (ROOT / "stack/chrome/extension/src/worker/indicator.js").read_text(encoding="utf-8")
    assert 'import LOOKS from "../../../looks.json";' in source
    assert TABLE == ROOT / "stack/chrome/looks.json"


def test_words_of_the_table_are_text() -> None:
    (button,) = buttons({"odd": {"text": "<b>", "color": "#000000", "title": 'a "b" & c'}})
    assert ElementTree.fromstring(button.picture).get("aria-label") == 'a "b" & c'
    assert "<b>" not in button.picture


@pytest.mark.parametrize("look", [{"text": "a", "color": "red", "title": "b"}, {"text": "a"},
                                  {"text": 1, "color": "#000000", "title": "b"}])  # fmt: skip
def test_another_table_is_refused(look: object, tmp_path: Path) -> None:
    path = tmp_path / "looks.json"
    path.write_text(json.dumps({"odd": look}))
    with pytest.raises(ValueError, match="expected"):
        table(path)
