"""The evidence of a release, compact enough to be committed: picked out of ledgers and kept runs, and read back.

A release's folder `evidence/` has about.json (version, sources, what was left out), ledger.jsonl and seen.jsonl,
claims/, runs.zip (the kept runs that decide claims, as lines of one file) and teeth.json (guards that claims stand on).
Nothing in it names a machine, a user or a folder: whatever would is left out, counted, and said in the report.
"""
from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.evidence.ledger import add, read
from harness.evidence.record import Record
from harness.evidence.seen import Sighting, beside, note_sightings, sightings
from harness.evidence.summary import is_current
from harness.kept.run import FILES, load
from harness.problem import Problem
from harness.tape.schema import is_sha256

FORM = 1
EVIDENCE = "evidence"
"""The folder of it below that of its release."""
ABOUT, LEDGER, CLAIMS, RUNS, TEETH = "about.json", "ledger.jsonl", "claims", "runs.zip", "teeth.json"
MEMBER = "runs.jsonl"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of the archive's one member: the same content gives the same bytes."""
DAY = 10
"""Characters of a date that say the day."""
NAME_LENGTH = 16
"""Digits of a run's hash that name its folder."""
AGAIN = "make it again: `trailcam report release VERSION`"


@dataclass(frozen=True, slots=True)
class Sources:
    """Where evidence is taken from. build: hashes of the sources as they are: records of others are not of this
    release. teeth: what guard trials found. private: texts that no file of a release may have (names of machine, user,
    folders)."""

    ledgers: Sequence[Path]
    runs: Sequence[Path]
    claims: Path
    build: Mapping[str, str]
    teeth: Path | None = None
    private: Collection[str] = field(default=())

    def names_something(self, text: str) -> bool:
        """Whether a text has something private in it, not as a part of another word."""
        words = (re.escape(each) + (r"(?!\w)" if each[-1].isalnum() else "") for each in self.private)
        return any(re.search(r"(?<!\w)" + word, text) for word in words)


@dataclass(frozen=True, slots=True)
class About:
    """What a release's evidence says of itself. left_out: what -> how many; guards: whether guards were tried."""

    version: str
    build: Mapping[str, str]
    left_out: Mapping[str, int]
    guards: bool


def collect(version: str, sources: Sources, folder: Path) -> About:
    """Write the evidence of a release into `folder`, anew. Raises Problem where there is none of this build, and
    LedgerProblem or KeptProblem where evidence was changed."""
    records = [record for path in sources.ledgers if path.exists() for record in read(path)]
    current = [record for record in records if is_current(record, sources.build)]
    if not current:
        raise Problem(f"no evidence of this build in {', '.join(map(str, sources.ledgers))}", "runs of these sources",
                      "`make verify` makes them; after a change of the sources older ones don't count")  # fmt: skip
    fewer = compact(current)
    clean = [record for record in fewer if not sources.names_something(record.line())]
    names = dict.fromkeys(record.run for record in clean if record.by.startswith("scenario:"))
    runs, missing, private = picked(names, sources)
    guards = guards_of({record.run for record in current}, sources.teeth)
    about = About(version, dict(sources.build), {
        "records made with other sources": len(records) - len(current),
        "records that say what a kept one says": len(current) - len(fewer),
        "records that name a machine or a folder": len(fewer) - len(clean),
        "runs that name a machine or a folder": private,
        "runs of which nothing was kept": missing,
    }, guards is not None)  # fmt: skip
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    add(clean, folder / LEDGER)
    note_sightings(beside(folder / LEDGER), seen_of(clean, sources.ledgers))
    shutil.copytree(sources.claims, folder / CLAIMS)
    write_runs(runs, folder / RUNS)
    put(folder / TEETH, {"v": FORM, "claims": guards or {}})
    put(folder / ABOUT, {"v": FORM, "version": version, "build": about.build, "left_out": about.left_out,
                         "guards": about.guards})  # fmt: skip
    return about


def compact(records: Iterable[Record]) -> list[Record]:
    """One record for each thing that is held by the same check on the same programs, the one with most teeth; and all
    that do not hold. Nothing that decides a verdict is lost."""
    best: dict[Any, Record] = {}
    rest = []
    for record in sorted(records, key=lambda record: (-len(record.teeth), record.line())):
        if record.verdict == "holds":
            about = tuple((program, tuple(origin.as_json())) for program, origin in sorted(record.about.items()))
            best.setdefault((record.claim, record.by, record.platform, about), record)
        else:
            rest.append(record)
    return [*best.values(), *rest]


def picked(names: Iterable[str], sources: Sources) -> tuple[dict[str, Mapping[str, str]], int, int]:
    """(name of a run -> its files, how many were not kept, how many name something private). Each is loaded first, so
    that an edited one is refused here already."""
    found: dict[str, Mapping[str, str]] = {}
    missing = private = 0
    for name in names:
        places = [folder / name[:NAME_LENGTH] for folder in sources.runs]
        place = next((place for place in places if place.is_dir()), None)
        if place is None:
            missing += 1
            continue
        load(place)
        texts = {file: (place / file).read_text(encoding="ascii") for file in FILES}
        if any(map(sources.names_something, texts.values())):
            private += 1
        else:
            found[name[:NAME_LENGTH]] = texts
    return found, missing, private


def seen_of(records: Iterable[Record], ledgers: Iterable[Path]) -> list[Sighting]:
    """Day and platform of each run of the records; no machine, and no time of day."""
    platforms = {record.run: record.platform for record in records}
    known = [(run, each) for ledger in ledgers for run, found in sightings(beside(ledger)).items() for each in found]
    days = {(run, sighting.date[:DAY]) for run, sighting in known if run in platforms}
    return [Sighting(run, day, platforms[run]) for run, day in sorted(days)]


def guards_of(runs: Collection[str], path: Path | None) -> dict[str, list[str]] | None:
    """Claim -> guards whose removal broke it in one of these runs; None where no guard was tried."""
    if path is None or not path.is_file():
        return None
    found: dict[str, set[str]] = {}
    for line in lines_of(path.read_text(encoding="ascii"), str(path)):
        if line.get("run") in runs:
            for claim, guards in line.get("teeth", {}).items():
                found.setdefault(claim, set()).update(guards)
    return {claim: sorted(guards) for claim, guards in sorted(found.items())}


# The archive of runs


def write_runs(runs: Mapping[str, Mapping[str, str]], path: Path) -> None:
    """One archive with one member, a line a file: what runs have in common is stored once."""
    files = [(file, name) for file in FILES for name in sorted(runs)]
    lines = [line_of({"run": name, "file": file, "text": runs[name][file]}) for file, name in files]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        member = zipfile.ZipInfo(MEMBER, EPOCH)
        member.compress_type = zipfile.ZIP_LZMA
        archive.writestr(member, "".join(f"{line}\n" for line in lines))


def unpack(path: Path, folder: Path) -> None:
    """The runs of an archive as folders below `folder`. Raises Problem for one that `write_runs` did not write."""
    try:
        with zipfile.ZipFile(path) as archive:
            text = archive.read(MEMBER).decode("ascii")
    except (OSError, KeyError, zipfile.BadZipFile, UnicodeDecodeError, EOFError) as error:
        raise Problem(f"{type(error).__name__}: {error}", "an archive of kept runs", AGAIN, file=str(path)) from None
    for number, line in enumerate(lines_of(text, str(path)), 1):
        name, file = line.get("run"), line.get("file")
        if not isinstance(name, str) or not is_sha256(name * (64 // NAME_LENGTH)) or file not in FILES:
            raise Problem(f"the file {file!r} of the run {name!r}", f"one of {', '.join(FILES)} of a run", AGAIN,
                          file=str(path), line=number)  # fmt: skip
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / file).write_text(line["text"], encoding="ascii", newline="\n")


def lines_of(text: str, file: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, one a line. Raises Problem."""
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            value = json.loads(line)
        except ValueError as error:
            raise Problem(str(error), "one JSON object", AGAIN, file=file, line=number) from None
        if not isinstance(value, dict):
            raise Problem("no object", "one JSON object", AGAIN, file=file, line=number)
        yield value


def line_of(value: Mapping[str, Any]) -> str:
    """One form for one value: compact, ASCII, keys sorted."""
    return json.dumps(dict(value), sort_keys=True, separators=(",", ":"))


# What is written beside


def put(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(line_of(value) + "\n", encoding="ascii", newline="\n")


def get(path: Path) -> dict[str, Any]:
    """The one JSON object of a file, of this form. Raises Problem."""
    try:
        [value] = lines_of(path.read_text(encoding="ascii"), str(path))
    except (OSError, ValueError) as error:
        raise Problem(f"{type(error).__name__}", "one JSON object", AGAIN, file=str(path)) from None
    if value.get("v") != FORM:
        raise Problem(f"form {value.get('v')}", f"form {FORM}", "use the trailcam that wrote it", file=str(path))
    return value


def about_of(folder: Path) -> About:
    """What the evidence in a folder says of itself."""
    value = get(folder / ABOUT)
    return About(value["version"], value["build"], value["left_out"], value["guards"])


def teeth_of(folder: Path) -> Mapping[str, Sequence[str]]:
    """Claim -> guards, as `collect` has found them."""
    claims: Mapping[str, Sequence[str]] = get(folder / TEETH)["claims"]
    return claims
