"""What a stack of this package can be set to: the driver's own settings, and where the model is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stack import safari_jxa
from stack.contract import Json
from stack.decide import Model, model_from
from stack.safari_jxa.settings import from_sheet as safari_from_sheet


@dataclass(frozen=True, slots=True)
class Settings:
    """safari: of the driver; model: None where there is none, and then no run is possible."""

    safari: safari_jxa.Settings = field(default_factory=safari_jxa.Settings)
    model: Model | None = None


def from_sheet(given: Mapping[str, Json]) -> Settings:
    """Settings from the `settings` of a run sheet: those of the driver, and `model`. ValueError."""
    model = given.get("model")
    safari = safari_from_sheet({name: value for name, value in given.items() if name != "model"})
    return Settings(safari, None if model is None else model_from(model))
