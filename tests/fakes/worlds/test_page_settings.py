"""The tables of a page agree with what carries them out."""

from __future__ import annotations

from fakes.settings import KINDS
from fakes.worlds import page_settings as keys
from fakes.worlds.page_effects import DO


def test_every_effect_is_carried_out() -> None:
    elsewhere = {"alert", "confirm", "prompt", "throw"}
    assert set(DO) | elsewhere == set(keys.EFFECTS) and not set(DO) & elsewhere


def test_every_kind_is_known_and_every_key_has_a_meaning() -> None:
    for table in (keys.PAGE_KEYS, keys.ELEMENT_KEYS, keys.TIMER_KEYS, keys.MESSAGE_KEYS, keys.REQUEST_KEYS):
        for key, (kind, _, meaning) in table.items():
            assert kind in KINDS or "|" in kind, key
            assert meaning, key
    for name, (kind, _, meaning) in keys.EFFECTS.items():
        assert kind in KINDS and meaning, name
