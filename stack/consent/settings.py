"""Where the judge is and how it is asked. Without one no action is allowed but under a full grant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from stack.consent.styles import STYLES
from stack.contract import Json
from stack.errors import SetupError
from stack.http import parse_url

DECIDES_WITHIN_MS: Final = 15_000
"""What the judge has for one decision, connecting included."""
_NEEDED: Final = {"style", "url", "model"}


@dataclass(frozen=True, slots=True)
class Judge:
    """style: a key of STYLES; url: of the endpoint itself, http or https; model: its name there; key: the secret that
    the endpoint wants, which no message of this stack shows."""

    style: str
    url: str
    model: str
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """judge: None where there is no model to ask."""

    judge: Judge | None = None
    decides_within_ms: int = DECIDES_WITHIN_MS


def judge_from(given: Json) -> Judge:
    """A judge from `{style, url, model, key?}`. ValueError names what is wrong, and never the key."""
    if not isinstance(given, dict):
        raise ValueError("consent: judge is no object; expected members style, url, model and perhaps key")
    members = set(given)
    plain = all(isinstance(value, str) and value for value in given.values())
    if not plain or not _NEEDED <= members <= _NEEDED | {"key"}:
        raise ValueError(f"consent: judge has {sorted(given)}; expected the texts style, url, model and perhaps key")
    texts = {name: str(value) for name, value in given.items()}
    if texts["style"] not in STYLES:
        raise ValueError(f"consent: style is {texts['style']!r}; expected one of {sorted(STYLES)}")
    try:
        parse_url(texts["url"])
    except SetupError as error:
        raise ValueError(f"consent: url is {error.seen}; expected a plain http or https URL") from None
    return Judge(**texts)



def from_sheet(given: Json) -> Settings:
    """Settings from the member `consent` of a run sheet's settings: `{judge?: {style, url, model, key?}}`. ValueError
    names what is wrong."""
    if not isinstance(given, dict) or not set(given) <= {"judge"}:
        raise ValueError(f"consent: {given!r:.80}; expected an object with the member judge, or none")
    return Settings(judge_from(given["judge"]) if "judge" in given else None)
