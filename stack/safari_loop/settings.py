"""What a stack of this package can be set to: the driver's own settings, and where the model is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from stack import safari_mcp
from stack.contract import Json
from stack.decide import Model, model_from
from stack.safari_mcp.settings import from_sheet as safari_from_sheet

PAGE_BYTES: Final = 4 * 1024 * 1024
"""Of one message of the driver where pages are observed: a page of 500 actions is far larger than what tools answer."""


@dataclass(frozen=True, slots=True)
class Settings:
    """safari: of the driver; model: None where there is none, and then no run is possible."""

    safari: safari_mcp.Settings = field(default_factory=safari_mcp.Settings)
    model: Model | None = None


def for_pages(safari: safari_mcp.Settings) -> safari_mcp.Settings:
    """The settings of a driver whose pages are observed."""
    return replace(safari, bounds=replace(safari.bounds, message_bytes=PAGE_BYTES))


def from_sheet(given: Mapping[str, Json]) -> Settings:
    """Settings from the `settings` of a run sheet: those of the driver, and `model`. ValueError."""
    model = given.get("model")
    safari = safari_from_sheet({name: value for name, value in given.items() if name != "model"})
    return Settings(safari, None if model is None else model_from(model))
