"""A kept run: saved and loaded as it was, and refused with file and line where it is not."""
from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.kept import KeptProblem, KeptRun, Origin, Provenance, load, save
from harness.kept.run import FILES, header_of
from harness.kept.sources import canonical_hash
from harness.problem import Problem
from tests.harness.laws.runs import SHEET, Script, click, typical

PROVENANCE = Provenance(
    "linux", {"harness": "0" * 64}, {"codex": Origin("tape", "0.171.0", "engine"), "helper": Origin("model", "1")}
)


def kept(folder: Path, script: Script | None = None) -> Path:
    run = (script or typical(2)).run(PROVENANCE if script is None else None)
    save(run, folder, {"codex": {"stdio": "jsonrpc"}})
    return folder


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    script = typical(2)
    script.sheet["back"] = "tape"
    run = script.run(PROVENANCE)
    save(run, tmp_path, {"codex": {"stdio": "jsonrpc"}})
    back = load(tmp_path)
    assert (back.sheet, back.history, back.world, back.journal) == (run.sheet, run.history, run.world, run.journal)
    assert back.provenance == PROVENANCE
    assert back.name == run.name
    assert back.header is not None
    assert back.header.wires == {"codex": {"stdio": "jsonrpc"}}
    again = tmp_path / "again"
    save(back, again)
    assert all((again / name).read_bytes() == (tmp_path / name).read_bytes() for name in FILES)


def test_the_name_is_the_same_wherever_it_was_made() -> None:
    first = click().run(Provenance("linux", {"harness": "0" * 64}))
    other = click(Script(step_ms=9)).run(Provenance("darwin", {"harness": "0" * 64}))
    assert first.name == other.name
    assert click().run().name != first.name


@pytest.mark.parametrize(
    ("origins", "strength"),
    [
        ({}, "model"),
        ({"codex": Origin("tape", "1", "live")}, "live"),
        ({"codex": Origin("tape", "1", "live"), "helper": Origin("model", "1")}, "model"),
        ({"codex": Origin("tape", "1", "documented")}, "documented"),
    ],
)
def test_its_tape_is_as_strong_as_the_weakest_in_it(origins: dict[str, Origin], strength: str) -> None:
    run = KeptRun({**SHEET, "back": "tape"}, [], [], [], Provenance("linux", {}, origins))
    header = header_of(run, {})
    assert header.origin["strength"] == strength
    assert header.clock == {"kind": "virtual"}
    assert header_of(KeptRun({**SHEET, "mode": "process"}, [], [], []), {}).clock == {"kind": "monotonic"}


def test_a_run_in_memory_is_checked_too() -> None:
    with pytest.raises(KeptProblem, match="one of told"):
        KeptRun(SHEET, [{"e": "x"}], [], [])
    with pytest.raises(KeptProblem, match="one of shown"):
        KeptRun(SHEET, [], [{"e": "x"}], [])
    with pytest.raises(KeptProblem, match="version 1"):
        KeptRun({**SHEET, "v": 9}, [], [], [])
    with pytest.raises(KeptProblem, match="codex on back live"):
        KeptRun(SHEET, [], [], [], Provenance("linux", {}, {"codex": Origin("live", "1")}))


@pytest.mark.parametrize("name", FILES)
def test_each_file_must_be_there(name: str, tmp_path: Path) -> None:
    (kept(tmp_path, click()) / name).unlink()
    with pytest.raises(KeptProblem, match=f"no {name}"):
        load(tmp_path)


def rewritten(folder: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """Change a file, and make its hash in provenance.json fit, so that the reader itself has to find what is wrong."""

    path = folder / name
    path.write_bytes(change(path.read_bytes()))
    seal(folder, name, path)


def seal(folder: Path, name: str, path: Path) -> None:
    """Make the hashes of provenance.json fit what stands there, as far as it can be read."""
    file = folder / "provenance.json"
    try:
        provenance = json.loads(file.read_text())
    except ValueError:
        return
    if name in provenance.get("records", {}):
        provenance["records"][name] = hashlib.sha256(path.read_bytes()).hexdigest()
    if "hash" in provenance:
        del provenance["hash"]
        provenance["hash"] = canonical_hash(provenance)
        file.write_text(json.dumps(provenance) + "\n")



@pytest.mark.claim("HAR-RPT-02", tooth="a history that was edited after its run")
@pytest.mark.parametrize("name", ["history.jsonl", "world.jsonl", "tape.jsonl"])
def test_an_edited_record_is_refused(name: str, tmp_path: Path) -> None:
    path = kept(tmp_path, click()) / name
    path.write_bytes(path.read_bytes().replace(b"e2", b"e4").replace(b"done", b"DONE").replace(b"linux", b"macos"))
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(KeptProblem, match="changed after its run") as caught:
        load(tmp_path)
    assert caught.value.file == str(path)


DAMAGE: list[tuple[str, Callable[[bytes], bytes], str, int | None]] = [
    ("history.jsonl", lambda data: data[:-1], "a last line without its end", 2),
    ("history.jsonl", lambda data: data.replace(b"asked", "\u00e9sked".encode()), "not ASCII", None),
    ("history.jsonl", lambda data: data.replace(b"{", b"", 1), "text after the value", 1),
    ("history.jsonl", lambda data: b"\n" + data, "no JSON value", 1),
    ("history.jsonl", lambda data: b"[]\n" + data, "[]", 1),
    ("world.jsonl", lambda data: data.replace(b'"effect"', b'"affect"'), "'affect'", 2),
    ("world.jsonl", lambda data: data + data, "k 1 after 3", 3),
    ("tape.jsonl", lambda data: data.replace(b'"v":1', b'"v":99', 1), "version 99", 1),
    ("tape.jsonl", lambda data: data + b'{"n":5}\n', "an event of kind None", 2),
    ("run.json", lambda data: data.replace(b'"v":1', b'"v":7'), "version 7", None),
    ("run.json", lambda data: b"[]\n", "[]", 1),
    ("provenance.json", lambda data: data.replace(b'"v":1', b'"v":2'), "version 2", 1),
    ("provenance.json", lambda data: data.replace(b'"platform"', b'"form"'), "version 1 with form", 1),
    ("provenance.json", lambda data: data.replace(b'"unknown"', b"3"), "another form", 1),
    ("provenance.json", lambda data: data.replace(b'"sources":{}', b'"sources":{"a":"b"}'), "sources", 1),
    ("provenance.json", lambda data: data.replace(b'"sources":{}', b'"sources":[]'), "sources", 1),
    ("provenance.json", lambda data: data.replace(b'"origins":{}', b'"origins":{"a":["b"]}'), "['b']", 1),
    ("provenance.json", lambda data: data.replace(b'"origins":{}', b'"origins":[]'), "another form", 1),
    ("provenance.json", lambda data: data.replace(b"world.jsonl", b"word.jsonl"), "another form", 1),
    ("provenance.json", lambda data: data.replace(b'"origins":{}', b'"origins":{"a":["live","1"]}'), "back live", None),
]


@pytest.mark.parametrize(("name", "change", "seen", "line"), DAMAGE)
def test_damage_is_named_with_file_and_line(
    name: str, change: Callable[[bytes], bytes], seen: str, line: int | None, tmp_path: Path
) -> None:
    rewritten(kept(tmp_path, click()), name, change)
    with pytest.raises(Problem) as caught:
        load(tmp_path)
    assert seen in caught.value.seen
    assert caught.value.exit_code == 3
    assert caught.value.line == line


def test_an_empty_history_is_an_empty_history(tmp_path: Path) -> None:
    run: Any = KeptRun(SHEET, [], [], [])
    save(run, tmp_path)
    assert load(tmp_path).history == []


@pytest.mark.parametrize(("file", "old", "new"), [
    ("provenance.json", b'"platform":"unknown"', b'"platform":"darwin"'),
    ("run.json", b'"seed":', b'"seed":1'),
])
def test_an_edited_provenance_or_sheet_is_refused(tmp_path: Path, file: str, old: bytes, new: bytes) -> None:
    kept(tmp_path, click())
    data = (tmp_path / file).read_bytes()
    assert old in data
    (tmp_path / file).write_bytes(data.replace(old, new))
    with pytest.raises(Problem, match="changed after its run"):
        load(tmp_path)
