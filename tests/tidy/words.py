"""What no file of the tree may say: places on somebody's machine, hosts of package registries, people, and how the
project came to be. The patterns are written so that this file does not match itself."""
from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath

PLACE = "a place on somebody's machine"
HOST = "a host of a package registry"
BESIDE = "a folder beside the checkout"
MAIL = "an e-mail address"
ORIGIN = "how the project came to be"

FORBIDDEN: dict[str, re.Pattern[str]] = {
    PLACE: re.compile(
        r"(?<![>\w.])/(?:work|root|opt/x)[/](?=[\w.])"
        r"|(?<![>\w.])/(?:home|Users)[/](?!(?:user|someone|me|you|runner)\b)[a-z]"
    ),
    HOST: re.compile(r"[a-z0-9.-]*(?:pypi|npmjs|debian)[a-z0-9-]*[.](?:org|com|net)\b"),
    BESIDE: re.compile(
        r"[.][.][/]shared\b"
        r"|\bshared[/](?:facts|claims|design|tapes|hooks|prototypes|sources|data)\b"
    ),
    MAIL: re.compile(
        r"\b[\w.+-]+[@](?!(?:[\w-]+[.])*(?:example|invalid|test)\b)"
        r"(?:[\w-]+[.])+(?:com|org|net|io|dev|edu|de|uk|me|ai|app)\b"
    ),
    ORIGIN: re.compile(r"\b(?:AI[-]generated|this session[']s|the brief[ ]says|in the[ ]brief|the C[E]O)\b"),
}
ALLOWED: dict[str, re.Pattern[str]] = {
    BESIDE: re.compile(r"[.][.][/]shared[/]data[/]wpt-accname\b"),
}
"""The accname cases are read where they lie, and never copied: the one pointer out of the tree."""
RECORDED = "scenarios/tapes/"
RECORDED_MAY = frozenset({MAIL, ORIGIN})
"""What recordings of real programs may say, because those said it."""


def words(path: str, text: str) -> list[str]:
    """Forbidden words in one file."""
    findings = []
    for number, line in enumerate(text.split("\n"), 1):
        for what, pattern in FORBIDDEN.items():
            if path.startswith(RECORDED) and what in RECORDED_MAY:
                continue
            allowed = ALLOWED.get(what)
            found = pattern.search(allowed.sub("", line) if allowed else line)
            if found:
                findings.append(f"{path}:{number} names {what}: {found.group()!r}")
    return findings


LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)")


def links(path: str, text: str, exists: Callable[[str], bool]) -> list[str]:
    """Links of a document to files of the tree that are not there. exists: tells of a path from the checkout's root."""
    folder = PurePosixPath(path).parent
    goals = [(folder / goal).as_posix() for goal in LINK.findall(text)]
    return [f"{path}:1 points to {goal}, which is not there" for goal in goals if not exists(goal)]


SECTIONS = ("# ", "## Context", "## Decision", "## Rejected")


def decision(path: str, text: str) -> list[str]:
    """A record of a decision says its context, what was decided and what was rejected, in this order."""
    found = [next((part for part in SECTIONS if line.startswith(part)), "") for line in text.split("\n")]
    if [part for part in found if part] == list(SECTIONS) and text.startswith("# "):
        return []
    return [f"{path}:1 is no record of a decision: it has to have {', '.join(SECTIONS[1:])}"]


COMMANDS = ("make verify", "make test")


def readme(text: str) -> list[str]:
    """The two commands that a reader needs."""
    return [f"README.md:1 does not name `{command}`" for command in COMMANDS if command not in text]
