"""`trailcam claims`."""
from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from harness.commands import claims
from harness.evidence import LedgerProblem, add
from harness.kept.sources import source_hashes
from tests.harness.evidence.records import MODEL, record

CLAIMS = """\
- {id: CUA-RUN-04, kind: refusal, from: computer-use, about: [codex], claim: "It is refused."}
- {id: CUA-RUN-05, kind: bound, from: computer-use, about: [codex], claim: "It is bounded."}
- {id: HAR-WIRE-01, kind: behaviour, from: harness, about: [harness], claim: "Any split."}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "a.yaml").write_text(CLAIMS)
    return tmp_path


def call(folder: Path, *words: str) -> int:
    parser = argparse.ArgumentParser()
    claims.add(parser.add_subparsers())
    places = ["--ledger", str(folder / "ledger.jsonl"), "--claims", str(folder / "claims")]
    args = parser.parse_args(["claims", *places, *words])
    status: int = args.run(args)
    return status


def current(**changes: Any) -> Any:
    return record(about={"codex": MODEL}, build=source_hashes(claims.PACKAGES), **changes)


@pytest.mark.claim("HAR-CLI-01", tooth="anything else on stdout")
def test_json_is_one_document_with_every_claim(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add([current()], folder / "ledger.jsonl")
    assert call(folder, "--json") == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert said.err == ""
    assert [row["id"] for row in document] == ["CUA-RUN-04", "CUA-RUN-05", "HAR-WIRE-01"]
    assert list(document[0]) == ["id", "kind", "strength", "verdict", "teeth", "shown_by"]
    assert (document[0]["verdict"], document[0]["strength"]) == ("holds", "model")
    assert document[1] == {
        "id": "CUA-RUN-05", "kind": "bound", "strength": None, "verdict": None, "teeth": [], "shown_by": [],
    }  # fmt: skip


def test_a_missing_ledger_shows_nothing_and_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(folder, "--json") == 0
    said = capsys.readouterr()
    assert {row["verdict"] for row in json.loads(said.out)} == {None}
    assert "there is no ledger at" in said.err
    assert "make verify" in said.err


@pytest.mark.claim("HAR-LAW-02", tooth="a broken claim among claims that hold")
@pytest.mark.parametrize(
    ("verdicts", "status"),
    [(["holds"], 0), (["holds", "broken"], 1), (["holds", "unknown"], 3), (["unknown", "broken"], 1)],
)
def test_exit_codes(verdicts: list[str], status: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = zip(("CUA-RUN-04", "CUA-RUN-05"), verdicts, strict=False)
    add([current(claim=id, verdict=verdict) for id, verdict in named], folder / "ledger.jsonl")
    assert call(folder) == status
    assert verdicts[-1] in capsys.readouterr().out


def test_text_says_what_shows_each_claim_and_how_many_stand_how(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add([current(), current(claim="CUA-RUN-05", teeth=()), record(claim="CUA-RUN-05")], folder / "ledger.jsonl")
    assert call(folder) == 3
    lines = capsys.readouterr().out.split("\n")
    assert lines[:3] == [
        "CUA-RUN-04   holds     model      scenario:computer-use/turn.yaml",
        "CUA-RUN-05   no teeth  model      scenario:computer-use/turn.yaml",
        "HAR-WIRE-01  not shown",
    ]
    assert "    1 no teeth (model)" in lines
    assert "    1 not shown" in lines
    assert "    1 have evidence from other builds, which --any-build counts" in lines


def test_evidence_of_other_builds_counts_only_where_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add([record()], folder / "ledger.jsonl")
    assert call(folder, "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["verdict"] is None
    assert call(folder, "--json", "--any-build") == 0
    assert json.loads(capsys.readouterr().out)[0]["strength"] == "engine"


@pytest.mark.claim("HAR-RPT-02", tooth="an edited ledger")
def test_an_edited_ledger_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "ledger.jsonl"
    add([current(verdict="broken")], path)
    path.write_bytes(path.read_bytes().replace(b'"broken"', b'"holds"'))
    with pytest.raises(LedgerProblem) as caught:
        call(folder, "--json")
    assert caught.value.exit_code == 3
    assert capsys.readouterr().out == ""
