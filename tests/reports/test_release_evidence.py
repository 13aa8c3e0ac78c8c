"""The committed evidence of a release: what is picked, what is left out and counted, and what is refused."""
from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from harness.evidence.ledger import add, read
from harness.evidence.record import Record
from harness.evidence.seen import sightings
from harness.kept.origin import Origin
from harness.kept.run import FILES, load
from harness.problem import Problem
from reports.release_evidence import (
    ABOUT,
    LEDGER,
    MEMBER,
    NAME_LENGTH,
    RUNS,
    About,
    about_of,
    collect,
    compact,
    get,
    lines_of,
    teeth_of,
    unpack,
    write_runs,
)
from tests.reports.made import BUILD
from tests.reports.released import GUARD, RUN, sources

NAME = RUN.name[:NAME_LENGTH]


def record(**changes: object) -> Record:
    plain = Record("CUA-RES-01", "holds", {"codex": Origin("model", "0.171.0")}, "scenario:a.yaml", "1" * 64, "linux",
                   ("fault:drop",), BUILD)  # fmt: skip
    return replace(plain, **changes)  # type: ignore[arg-type]


def test_what_was_collected_is_read_back(tmp_path: Path) -> None:
    about = collect("0.1.0", sources(tmp_path), tmp_path / "out")
    assert about == about_of(tmp_path / "out")
    assert about.version == "0.1.0"
    assert (about.guards, sum(about.left_out.values())) == (True, 0)
    assert teeth_of(tmp_path / "out") == {"CUA-RES-01": [GUARD]}
    unpack(tmp_path / "out" / RUNS, tmp_path / "unpacked")
    assert load(tmp_path / "unpacked" / NAME).name == RUN.name


def test_the_same_evidence_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        collect("0.1.0", sources(tmp_path), tmp_path / name)
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
             for name in ("one", "two")]  # fmt: skip
    assert files[0] == files[1]


@pytest.mark.claim("HAR-RPT-03")
def test_of_where_and_when_only_day_and_platform_are_kept(tmp_path: Path) -> None:
    collect("0.1.0", sources(tmp_path), tmp_path / "out")
    found = sightings(tmp_path / "out" / "seen.jsonl")[RUN.name]
    seen = [(sighting.date, sighting.machine) for sighting in found]
    assert seen == [("2026-02-03", "linux"), ("2026-02-05", "linux")]
    everything = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert b"secret-machine" not in everything


def test_a_run_that_names_something_private_is_left_out_and_counted(tmp_path: Path) -> None:
    about = collect("0.1.0", sources(tmp_path, frozenset({"com.apple.Chess"})), tmp_path / "out")
    assert about.left_out["runs that name a machine or a folder"] == 1
    with zipfile.ZipFile(tmp_path / "out" / RUNS) as archive:
        assert archive.read(MEMBER) == b""


def test_a_part_of_another_word_is_no_name(tmp_path: Path) -> None:
    about = collect("0.1.0", sources(tmp_path, frozenset({"com.apple.Ches"})), tmp_path / "out")
    assert about.left_out["runs that name a machine or a folder"] == 0


def test_a_record_that_names_something_private_is_left_out_and_counted(tmp_path: Path) -> None:
    given = sources(tmp_path, frozenset({"/secret/place"}))
    add([record(by="test:/secret/place/test_a.py")], tmp_path / "ledger.jsonl")
    about = collect("0.1.0", given, tmp_path / "out")
    assert about.left_out["records that name a machine or a folder"] == 1
    assert len(read(tmp_path / "out" / LEDGER)) == 1


def test_records_of_other_sources_are_not_of_this_release(tmp_path: Path) -> None:
    given = sources(tmp_path)
    add([record(build={"stack": "9" * 64})], tmp_path / "ledger.jsonl")
    assert collect("0.1.0", given, tmp_path / "out").left_out["records made with other sources"] == 1
    with pytest.raises(Problem, match="no evidence of this build"):
        collect("0.1.0", replace(given, build={"stack": "8" * 64}), tmp_path / "out")


def test_a_run_that_was_not_kept_is_counted(tmp_path: Path) -> None:
    given = sources(tmp_path)
    add([record(run="2" * 64)], tmp_path / "ledger.jsonl")
    assert collect("0.1.0", given, tmp_path / "out").left_out["runs of which nothing was kept"] == 1


def test_an_edited_run_is_refused_and_what_was_there_stays(tmp_path: Path) -> None:
    given = sources(tmp_path)
    collect("0.1.0", given, tmp_path / "out")
    before = (tmp_path / "out" / ABOUT).read_bytes()
    history = tmp_path / "runs" / NAME / "history.jsonl"
    history.write_text(history.read_text().replace('"done"', '"refused"'))
    with pytest.raises(Problem):
        collect("0.1.0", given, tmp_path / "out")
    assert (tmp_path / "out" / ABOUT).read_bytes() == before


def test_without_trials_of_guards_it_says_so(tmp_path: Path) -> None:
    about = collect("0.1.0", sources(tmp_path, teeth=False), tmp_path / "out")
    assert not about.guards
    assert teeth_of(tmp_path / "out") == {}
    assert not collect("0.1.0", replace(sources(tmp_path), teeth=None), tmp_path / "out").guards


COMPACT: list[tuple[str, list[Record], int]] = [
    ("the same held twice", [record(), record(run="2" * 64)], 1),
    ("by two checks", [record(), record(by="test:b")], 2),
    ("on two backs", [record(), record(about={"codex": Origin("engine", "0.171.0")})], 2),
    ("on two versions", [record(), record(about={"codex": Origin("model", "0.144.2")})], 2),
    ("on two platforms", [record(), record(platform="darwin")], 2),
    ("broken ones all stay", [record(verdict="broken"), record(verdict="broken", run="2" * 64)], 2),
    ("unknown ones all stay", [record(), record(verdict="unknown"), record(verdict="unknown", run="2" * 64)], 3),
]


@pytest.mark.parametrize(("records", "left"), [case[1:] for case in COMPACT], ids=[case[0] for case in COMPACT])
def test_only_what_another_record_says_too_is_dropped(records: list[Record], left: int) -> None:
    assert len(compact(records)) == left


def test_of_two_the_one_with_more_teeth_is_kept() -> None:
    more = record(run="2" * 64, teeth=("broken:x", "fault:drop"))
    assert compact([record(teeth=()), more, record()]) == [more]


ARCHIVES = [
    ("no archive", None, "BadZipFile"),
    ("no JSON", "{", "expected one JSON object"),
    ("no object", "[]", "no object"),
    ("another file", json.dumps({"run": NAME, "file": "../x", "text": ""}), "of a run"),
    ("a way out", json.dumps({"run": "../../../../x/y/", "file": FILES[0], "text": ""}), "of a run"),
    ("no name", json.dumps({"run": 7, "file": FILES[0], "text": ""}), "of a run"),
]


@pytest.mark.parametrize(("content", "words"), [case[1:] for case in ARCHIVES], ids=[case[0] for case in ARCHIVES])
def test_an_archive_of_another_form_is_refused(tmp_path: Path, content: str | None, words: str) -> None:
    path = tmp_path / RUNS
    if content is None:
        path.write_bytes(b"x")
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(MEMBER, content + "\n")
    with pytest.raises(Problem, match=words):
        unpack(path, tmp_path / "unpacked")
    assert not (tmp_path / "x").exists()


def test_an_archive_of_nothing_is_one(tmp_path: Path) -> None:
    write_runs({}, tmp_path / RUNS)
    unpack(tmp_path / RUNS, tmp_path / "unpacked")
    assert not (tmp_path / "unpacked").exists()


def test_a_file_of_another_form_is_refused(tmp_path: Path) -> None:
    path = tmp_path / ABOUT
    with pytest.raises(Problem, match="FileNotFoundError"):
        get(path)
    path.write_text("{}\n{}\n")
    with pytest.raises(Problem, match="ValueError"):
        get(path)
    path.write_text('{"v":2}\n')
    with pytest.raises(Problem, match="form 2"):
        get(path)
    assert list(lines_of("", "x")) == []
    assert About("0.1.0", {}, {}, False).version == "0.1.0"
