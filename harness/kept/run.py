"""One run as it is judged, in memory; and its folder on the disk, saved and loaded strictly.

The folder has run.json (the run sheet), history.jsonl, world.jsonl, tape.jsonl (header and journal) and
provenance.json (name, platform, source hashes, origins, hashes of the records, and one over all of it: whatever was
edited is refused).
"""
from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.kept.lines import Line, check
from harness.kept.origin import Origin, check_origins, origin_from, weakest
from harness.kept.problem import KeptProblem
from harness.kept.sheet import check_sheet
from harness.kept.sources import canonical_hash, run_hash
from harness.tape.event import line
from harness.tape.header import Header
from harness.tape.read import load as load_tape
from harness.tape.schema import is_sha256, shown
from harness.version import VERSION
from harness.wire.jsontext import JsonTextError, dumps, loads

FILES = ("run.json", "history.jsonl", "world.jsonl", "tape.jsonl", "provenance.json")
RECORDS = ("history.jsonl", "world.jsonl", "tape.jsonl")
PROVENANCE_VERSION = 1
AGAIN = "make the run again: `trailcam run SCENARIO --keep FOLDER`"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a run's evidence comes from.

    platform: `sys.platform` of the machine. sources: name -> SHA-256 (`source_hashes`). origins: program -> Origin.
    """

    platform: str = "unknown"
    sources: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, Origin] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptRun:
    """One run. history, world: lines as in `harness.kept.lines`; journal: events of a tape; header: of the tape that
    it was loaded from; name: the hash that names it. Raises KeptProblem where sheet or lines are not what the laws can
    judge."""

    sheet: Mapping[str, Any]
    history: Sequence[Line]
    world: Sequence[Line]
    journal: Sequence[Line]
    provenance: Provenance = field(default_factory=Provenance)
    header: Header | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        check_sheet(self.sheet)
        check("history", self.history)
        check("world", self.world)
        check_origins(self.provenance.origins, self.sheet["mode"], self.sheet["back"])
        object.__setattr__(self, "name", run_hash(self.sheet, self.provenance.sources))  # asked for many times


def save(run: KeptRun, folder: Path, wires: Mapping[str, Mapping[str, str]] | None = None) -> None:
    """Write a run into a folder, which is made where it is missing. wires: program -> wire -> dialect, for the header.

    Each file is written whole and then put into place; provenance.json comes last, so a folder without it is no run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "run.json": dumps(dict(run.sheet), sort=True) + "\n",
        "history.jsonl": _lines(run.history),
        "world.jsonl": _lines(run.world),
        "tape.jsonl": (run.header or header_of(run, wires or {})).line() + "\n" + _lines(run.journal),
    }
    origin = run.provenance
    fields: dict[str, Any] = {
        "v": PROVENANCE_VERSION,
        "run": run.name,
        "platform": origin.platform,
        "sources": dict(origin.sources),
        "origins": {program: each.as_json() for program, each in origin.origins.items()},
        "records": {name: hashlib.sha256(texts[name].encode("ascii")).hexdigest() for name in RECORDS},
    }
    texts["provenance.json"] = dumps({**fields, "hash": canonical_hash(fields)}, sort=True) + "\n"
    for name in FILES:
        partial = folder / f"{name}.partial"
        partial.write_text(texts[name], encoding="ascii", newline="\n")
        os.replace(partial, folder / name)


def _lines(lines: Sequence[Line]) -> str:
    return "".join(line(each) + "\n" for each in lines)


def header_of(run: KeptRun, wires: Mapping[str, Mapping[str, str]]) -> Header:
    """The header of a run's tape: as strong as the weakest of what spoke in it."""
    origins = run.provenance.origins
    recorded = [origin.recorded or origin.strength for origin in origins.values()]
    return Header(
        {
            "strength": weakest(recorded) if recorded else "model",
            "products": [{"name": program, "version": origins[program].version} for program in sorted(origins)],
            "platform": run.provenance.platform,
            "recorder": f"trailcam {VERSION}",
            "source": f"a {run.sheet['mode']} run of {run.sheet['scenario']}",
        },
        clock={"kind": "virtual"} if run.sheet["mode"] == "virtual" else {"kind": "monotonic"},
        wires=wires,
        hashes=dict(run.provenance.sources),
    )


def load(folder: Path) -> KeptRun:
    """The run in a folder. Raises KeptProblem or TapeProblem, with file and line, for anything that is not exactly
    what `save` wrote."""
    for file in FILES:
        if not (folder / file).is_file():
            raise KeptProblem(f"no {file} in {folder}", f"a folder with {', '.join(FILES)}", AGAIN)
    provenance, records, name = _provenance(folder / "provenance.json")
    for record in RECORDS:
        path = folder / record
        if hashlib.sha256(path.read_bytes()).hexdigest() != records[record]:
            seen = "a record that was changed after its run"
            raise KeptProblem(seen, "the content that was kept", AGAIN, file=str(path))
    sheet = _object(folder / "run.json")
    check_sheet(sheet, str(folder / "run.json"))
    books = {}
    for book in ("history", "world"):
        path = folder / f"{book}.jsonl"
        books[book] = [_decode(text, path, number) for number, text in enumerate(_text(path).split("\n")[:-1], 1)]
        check(book, books[book], str(path))
    header, journal = load_tape(str(folder / "tape.jsonl"))
    run = KeptRun(sheet, books["history"], books["world"], journal, provenance, header)
    if run.name != name:
        raise KeptProblem("a run sheet that was changed after its run", "the sheet that was run", AGAIN,
                          file=str(folder / "run.json"))
    return run


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("ascii")
    except UnicodeDecodeError as error:
        raise KeptProblem(f"a byte that is not ASCII at offset {error.start}", "ASCII", AGAIN, file=str(path)) from None
    if text and text[-1] != "\n":
        raise KeptProblem("a last line without its end", "a newline", AGAIN, file=str(path), line=text.count("\n") + 1)
    return text


def _object(path: Path) -> dict[str, Any]:
    return _decode(_text(path), path, 1)


def _decode(text: str, path: Path, number: int) -> dict[str, Any]:
    try:
        value = loads(text)
    except JsonTextError as error:
        raise KeptProblem(f"{shown(text)}: {error}", "one JSON object", AGAIN, file=str(path), line=number) from None
    if type(value) is not dict:
        raise KeptProblem(shown(value), "one JSON object", AGAIN, file=str(path), line=number)
    return value


def _provenance(path: Path) -> tuple[Provenance, Mapping[str, str], str]:
    """(provenance, hashes of the records, name of the run)."""
    fields = _object(path)
    expected = {"v", "run", "platform", "sources", "origins", "records", "hash"}
    if fields.get("v") != PROVENANCE_VERSION or set(fields) != expected:
        raise KeptProblem(
            f"version {shown(fields.get('v'))} with {', '.join(sorted(fields))}",
            f"version {PROVENANCE_VERSION} with {', '.join(sorted(expected))}", AGAIN, file=str(path), line=1,
        )
    sources, records = fields["sources"], fields["records"]
    for name, hashes in (("sources", sources), ("records", records)):
        if type(hashes) is not dict or not all(map(is_sha256, hashes.values())):
            raise KeptProblem(f"{name} {shown(hashes)}", "name -> 64 hexadecimal digits", AGAIN, file=str(path), line=1)
    if set(records) != set(RECORDS) or type(fields["platform"]) is not str or type(fields["origins"]) is not dict:
        raise KeptProblem("a provenance of another form", f"a platform, origins, and hashes of {', '.join(RECORDS)}",
                          AGAIN, file=str(path), line=1)
    try:
        origins = {program: origin_from(value) for program, value in fields["origins"].items()}
    except ValueError as error:
        raise KeptProblem(str(error), "origins as `[back, version]`", AGAIN, file=str(path), line=1) from None
    if fields.pop("hash") != canonical_hash(fields):
        raise KeptProblem("a provenance that was changed after its run", "the content that was kept", AGAIN,
                          file=str(path), line=1)
    return Provenance(fields["platform"], sources, origins), records, fields["run"]
