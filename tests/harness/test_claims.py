"""Claims are read strictly: what is misread would be shown by evidence for another claim."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.claims import KINDS, PROGRAMS, SOURCES, ClaimsProblem, load_claims
from tests.tidy import claims as tidy
from tests.tidy.tree import ROOT

ROW = '- {id: HAR-LAW-01, kind: behaviour, from: harness, about: [harness], claim: "It is so."}\n'


def written(folder: Path, text: str, name: str = "a.yaml") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_the_claims_of_the_project() -> None:
    claims = load_claims(ROOT / "scenarios" / "claims")
    assert len(claims) == tidy.NUMBER
    assert list(claims) == [claim.id for claim in claims.values()]
    law = claims["HAR-LAW-02"]
    assert (law.kind, law.source, law.about) == ("behaviour", "harness", ("harness",))
    assert law.text.startswith("A verdict is holds, broken or unknown")


def test_words_are_those_of_the_rule() -> None:
    assert set(KINDS) == tidy.KINDS
    assert set(SOURCES) == tidy.ORIGINS
    assert set(PROGRAMS) == tidy.PROGRAMS


def test_files_are_read_in_order(tmp_path: Path) -> None:
    written(tmp_path, "# a comment\n" + ROW.replace("LAW-01", "B-01"), "b.yaml")
    written(tmp_path, ROW.replace("LAW-01", "A-01"), "a.yaml")
    written(tmp_path, "not a claim", "notes.txt")
    assert list(load_claims(tmp_path)) == ["HAR-A-01", "HAR-B-01"]


BAD: list[tuple[str, str, str, int | None]] = [
    ("no list", "id: HAR-LAW-01\n", "no list", 1),
    ("empty", "", "no list", 1),
    ("no YAML", ROW + "- {id: [\n", "expected the node content", 3),
    ("not UTF-8", "", "UnicodeDecodeError", None),
    ("a depth without end", "[" * 5000, "values nested too deep", None),
    ("no mapping", ROW + "- HAR-LAW-02\n", "a row that is no mapping", 2),
    ("an unknown field", ROW.replace("claim:", "claims:"), "the field 'claims'", 1),
    ("a field twice", ROW.replace("kind:", "id: HAR-LAW-02, kind:"), "id twice", 1),
    ("a field is missing", "\n" + ROW.replace("about: [harness], ", ""), "no about", 2),
    ("a field is empty", ROW.replace('"It is so."', '""'), "no claim", 1),
    ("a field is null", ROW.replace('"It is so."', ""), "no claim", 1),
    ("a mapping for a text", ROW.replace('"It is so."', "{a: 1}"), "no claim", 1),
    ("a list for a text", ROW.replace('"It is so."', "[a]"), "a list in place of a text", 1),
    ("about is a text", ROW.replace("[harness]", "harness"), "about 'harness'", 1),
    ("about is empty", ROW.replace("[harness]", "[]"), "no about", 1),
    ("about is not sorted", ROW.replace("[harness]", "[os, harness]"), "about ['os', 'harness']", 1),
    ("about twice the same", ROW.replace("[harness]", "[os, os]"), "about ['os', 'os']", 1),
    ("about nobody", ROW.replace("[harness]", "[hamster]"), "about ['hamster']", 1),
    ("another kind", ROW.replace("behaviour", "habit"), "kind 'habit'", 1),
    ("from elsewhere", ROW.replace("from: harness", "from: hearsay"), "from 'hearsay'", 1),
    ("no id", ROW.replace("HAR-LAW-01", "HAR-LAW-1"), "id 'HAR-LAW-1'", 1),
    ("the same id twice", ROW + ROW, "HAR-LAW-01 twice", 2),
]


@pytest.mark.parametrize(("name", "text", "seen", "line"), BAD)
def test_bad_claims_are_refused_with_file_and_line(
    name: str, text: str, seen: str, line: int | None, tmp_path: Path
) -> None:
    written(tmp_path, text)
    if name == "not UTF-8":
        (tmp_path / "a.yaml").write_bytes(b"- \xff\n")
    with pytest.raises(ClaimsProblem) as caught:
        load_claims(tmp_path)
    assert seen in caught.value.seen
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "a.yaml"), line)
    assert caught.value.exit_code == 3


def test_no_claims_are_no_empty_promise(tmp_path: Path) -> None:
    with pytest.raises(ClaimsProblem, match="no claims in"):
        load_claims(tmp_path)
