"""What a player is told beside its tape: one table for the run sheet's `programs` and for the command line.

Separate from the player, which only sees checked values.
"""
from __future__ import annotations

from harness.problem import UsageProblem
from harness.replay.profiles import PLACEHOLDERS, PROFILES
from harness.replay.template import Language
from harness.tape.schema import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from harness.tape.header import Header
    from harness.wire.jsontext import Json

MODES = {
    "strict": "a client that ends the session before its recorded end missed",
    "prefix": "it may: the program then ends as it did in the recording, without what it would have said until then",
}
ARGV = {
    "auto": "compared where the tape is verbatim; a reconstructed one may not know them",
    "check": "compared",
    "free": "not compared",
}
INCOMPLETE = {
    "refuse": "a gap in the tape, or a torn last line, breaks the replay there",
    "accept": "it is the end of the recording",
}
PACES = {"none": 0.0, "recorded": 1.0}
"""Pace -> factor on the recorded times; any number from 0 is a pace too."""


def is_process(value: Json) -> bool:
    return (type(value) is int and value >= 1) or (type(value) is str and value != "")


def is_pace(value: Json) -> bool:
    return value in PACES if isinstance(value, str) else type(value) in (int, float) and 0 <= value < 1e6  # type: ignore[operator]


def is_bind(value: Json) -> bool:
    return type(value) is dict and all(type(each) is str and each and name_of(name) for name, each in value.items())


SETTINGS: dict[str, tuple[str, Callable[[Json], bool], str]] = {
    "tape": ("PATH", lambda value: type(value) is str, "the tape"),
    "process": ("N|NAME", is_process, "which process of the tape: its number, or the first of a program"),
    "seed": ("N", lambda value: type(value) is int and value >= 0,
             "draw another order of what may come in any; without it the recorded order is kept"),
    "pace": ("none|recorded|SCALE", is_pace, "how long recorded times last; none: all as soon as it is free"),
    "mode": ("|".join(MODES), lambda value: value in MODES, "what a client is that ends the session early"),
    "profile": ("NAME", lambda value: value in PROFILES, f"instead of the tape's own: {', '.join(PROFILES)}"),
    "argv": ("|".join(ARGV), lambda value: value in ARGV, "whether arguments are compared with the recorded ones"),
    "bind": ("NAME=VALUE", is_bind, "what a placeholder `<NAME>` of the tape stands for in this session"),
    "incomplete": ("|".join(INCOMPLETE), lambda value: value in INCOMPLETE, "what a gap or a torn end of the tape is"),
}  # fmt: skip
"""Setting -> (its value in words, its check, its meaning)."""

DEFAULTS: dict[str, Json] = {
    "process": None, "seed": None, "pace": "none", "mode": "strict", "profile": None, "argv": "auto", "bind": {},
    "incomplete": "refuse",
}  # fmt: skip


class Settings:
    """Checked settings. pace: factor on recorded times, 0 for none. bind: token (`<ROOT>`) -> what it stands for."""

    __slots__ = ("tape", "process", "seed", "pace", "mode", "profile", "argv", "bind", "incomplete")

    def __init__(self, said: Mapping[str, Json]) -> None:
        for name, value in said.items():
            if name not in SETTINGS:
                continue  # a run sheet has settings for other backs of the program too
            words, check, _ = SETTINGS[name]
            if value is not None and not check(value):
                raise UsageProblem(f"{name} {shown(value)}", words, "correct the setting of the tape back")
        if said.get("tape") is None:
            raise UsageProblem("no tape", "a path as `tape`", "say which tape is to be played")
        one: dict[str, Any] = {**DEFAULTS, **{name: value for name, value in said.items() if value is not None}}
        self.tape: str = one["tape"]
        self.process: int | str | None = one["process"]
        self.seed: int | None = one["seed"]
        self.pace = PACES.get(one["pace"], one["pace"])
        self.mode: str = one["mode"]
        self.profile: str | None = one["profile"]
        self.argv: str = one["argv"]
        self.bind: dict[str, str] = {f"<{name}>": value for name, value in one["bind"].items()}
        self.incomplete: str = one["incomplete"]

    def language(self, header: Header) -> Language:
        """The tokens of a tape: placeholders where it is reconstructed, those that are bound in any, and pseudonyms."""
        return language_of(header, self.bind)

    def checks_argv(self, header: Header) -> bool:
        """Whether the arguments of the program are compared."""
        return self.argv == "check" or (self.argv == "auto" and header.bytes == "verbatim")


def name_of(text: str) -> str:
    """The name in `NAME` or `NAME-7`; empty where it is none."""
    name, dash, number = text.partition("-")
    known = name.isascii() and name.isalnum() and name.isupper()
    return name if known and (not dash or number.isdigit()) else ""


def language_of(header: Header, bind: Mapping[str, str]) -> Language:
    """The tokens of a tape with this header, where these (`<NAME>`) are bound from outside."""
    names = {name_of(token[1:-1]) for token in bind}
    if header.bytes == "reconstructed":
        names |= PLACEHOLDERS.keys()
    return Language(names, pseudonyms=bool(header.redaction))
