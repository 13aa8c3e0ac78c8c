"""The claims: what stack and harness promise, one a row of scenarios/claims/*.yaml, read strictly.

A row has id, kind (how it is shown), from (its source), about (the programs of which it says something) and claim (the
sentence). Whatever else a row has, lacks or repeats is refused with file and line: a claim that was misread would be
shown by evidence for another one.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from harness.problem import Problem

FOLDER = Path("scenarios/claims")
KINDS = ("refusal", "behaviour", "bound", "consent", "hygiene")
SOURCES = ("pi-safari", "wrangle", "computer-use", "nova", "harness", "ours")
PROGRAMS = (
    "browser", "codesign", "codex", "extension", "harness", "helper", "host", "judge", "lsappinfo", "model", "os",
    "osascript", "page", "safaridriver",
)  # fmt: skip
"""What a claim may be about. `harness` is trailcam itself, `os` the operating system."""
FIELDS = ("id", "kind", "from", "about", "claim")
ID = re.compile(r"[A-Z]{3}(-[A-Z0-9]+)+-[0-9]{2}\Z")
ADVICE = "correct the row; see scenarios/claims for the form"


class ClaimsProblem(Problem):
    """The claims can't be read, so nothing can be said to be shown. Exit code 3."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One promise. about: sorted names of programs; source: where the promise comes from."""

    id: str
    kind: str
    source: str
    about: tuple[str, ...]
    text: str


def load_claims(folder: Path = FOLDER) -> dict[str, Claim]:
    """Id -> claim, in the order of files and rows. Raises ClaimsProblem."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        advice = "run in the checkout, or name the folder"
        raise ClaimsProblem(f"no claims in {folder}", "files of claims, *.yaml", advice)
    claims: dict[str, Claim] = {}
    for file in files:
        for claim, line in _rows(file):
            if claim.id in claims:
                raise ClaimsProblem(f"{claim.id} twice", "each id once", ADVICE, file=str(file), line=line)
            claims[claim.id] = claim
    return claims


def _rows(file: Path) -> Iterator[tuple[Claim, int]]:
    """Each claim of one file with its line."""
    try:
        root = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else None
        seen = getattr(error, "problem", None) or type(error).__name__
        raise ClaimsProblem(str(seen), "YAML", "correct the file", file=str(file), line=line) from None
    except RecursionError:
        raise ClaimsProblem("values nested too deep to be read", "a list of claims", ADVICE, file=str(file)) from None
    if not isinstance(root, yaml.SequenceNode):
        raise ClaimsProblem("no list", "a list of claims", ADVICE, file=str(file), line=1)
    for node in root.value:
        line = node.start_mark.line + 1
        fields = _fields(node, str(file), line)
        yield _claim(fields, str(file), line), line


def _fields(node: yaml.Node, file: str, line: int) -> Mapping[str, str | list[str]]:
    if not isinstance(node, yaml.MappingNode):
        raise ClaimsProblem("a row that is no mapping", f"a row with {', '.join(FIELDS)}", ADVICE, file=file, line=line)
    fields: dict[str, str | list[str]] = {}
    for key, value in node.value:
        name = str(key.value)
        if name in fields or name not in FIELDS:
            seen = f"{name} twice" if name in fields else f"the field {name!r}"
            raise ClaimsProblem(seen, f"{', '.join(FIELDS)}, each once", ADVICE, file=file, line=line)
        if isinstance(value, yaml.SequenceNode):
            fields[name] = [str(item.value) for item in value.value]
        else:
            fields[name] = value.value if isinstance(value, yaml.ScalarNode) else ""
    return fields


def _claim(fields: Mapping[str, str | list[str]], file: str, line: int) -> Claim:
    def refuse(seen: str, expected: str) -> ClaimsProblem:
        return ClaimsProblem(seen, expected, ADVICE, file=file, line=line)

    for name in FIELDS:
        if not fields.get(name):
            raise refuse(f"no {name}", f"a row with {', '.join(FIELDS)}")
    about = fields["about"]
    words = {name: value for name, value in fields.items() if isinstance(value, str)}
    if not isinstance(about, list) or about != sorted(set(about)) or not set(about) <= set(PROGRAMS):
        raise refuse(f"about {about!r}", f"a sorted list, each once, of {', '.join(PROGRAMS)}")
    if len(words) != len(FIELDS) - 1:
        raise refuse("a list in place of a text", "texts for all fields but about")
    for name, allowed in (("kind", KINDS), ("from", SOURCES)):
        if words[name] not in allowed:
            raise refuse(f"{name} {words[name]!r}", f"one of {', '.join(allowed)}")
    if not ID.match(words["id"]):
        raise refuse(f"id {words['id']!r}", "an id as HAR-LAW-01")
    return Claim(words["id"], words["kind"], words["from"], tuple(about), words["claim"])
