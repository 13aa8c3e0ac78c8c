"""What a request to the extension must have, by verb: what does not fit is answered with its place, and never tried.

The rules are those of the protocol's schema (stack/chrome/protocol.json, with which a test compares them): which
members there are, which must be there, and of what kind. Numbers and texts of a fake are shorter than real ones, so
their form is not looked at.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    Kind: TypeAlias = Callable[[Any], bool] | Mapping[str, Any]



def _text(value: object) -> bool:
    return isinstance(value, str)


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _whole(least: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def _value(value: object) -> bool:
    return isinstance(value, str | bool) or (isinstance(value, list) and all(map(_text, value)))


REF: Mapping[str, Kind] = {
    "instance": _text, "tab_id": _whole(0), "frame_id": _whole(0), "document_id": _text, "nonce": _text,
    "generation": _whole(1), "node": _text,
}  # fmt: skip
OF_REF: tuple[Mapping[str, Kind], Mapping[str, Kind]] = ({"ref": REF}, {})
PARAMS: Mapping[str, tuple[Mapping[str, Kind], Mapping[str, Kind]]] = {
    "activate": OF_REF,
    "focus": OF_REF,
    "list_targets": ({}, {}),
    "locate": OF_REF,
    "scroll_into_view": OF_REF,
    "select_target": ({}, {"tab_id": _whole(0), "window_id": _whole(0), "title": _text, "front": _flag}),
    "set_value": ({"ref": REF, "value": _value}, {}),
    "snapshot": ({"tab_id": _whole(0)}, {"document_id": _text, "keeps": _flag}),
    "status": ({}, {}),
}
"""Verb -> members that must be there, and members that may."""


def misfit(verb: str, params: Mapping[str, Any]) -> str | None:
    """Where the parameters of a request do not fit, as a path; None where they do."""
    return _misfit(*PARAMS[verb], params, "params")


def _misfit(must: Mapping[str, Kind], may: Mapping[str, Kind], value: Any, at: str) -> str | None:
    if not isinstance(value, dict):
        return at
    for name in must:
        if name not in value:
            return f"{at}/{name}"
    for name, member in value.items():
        kind = must.get(name, may.get(name))
        if kind is None:
            return f"{at}/{name}"
        if callable(kind):
            if not kind(member):
                return f"{at}/{name}"
        elif (inner := _misfit(kind, {}, member, f"{at}/{name}")) is not None:
            return inner
    return None
