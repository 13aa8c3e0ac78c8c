"""A ledger: sorted, added to, and refused where it is not as it was written."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.evidence import LedgerProblem, Record, add, read
from harness.evidence.ledger import read_all
from tests.harness.evidence.records import MODEL, record

SOME = [
    record(),
    record(claim="CUA-RUN-05"),
    record(verdict="broken"),
    record(about={"codex": MODEL}, teeth=()),
    record(by="test:tests/a.py::test_b"),
]


@given(st.lists(st.lists(st.sampled_from(SOME))))
def test_the_same_records_give_the_same_bytes_in_any_order(parts: list[list[Record]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder) / "deep" / "one.jsonl", Path(folder) / "other.jsonl"
        for part in parts:
            add(part, one)
        together = add([each for part in parts for each in reversed(part)], other)
        assert not parts or one.read_bytes() == other.read_bytes()
        assert read(other) == together
        assert {each.line() for each in together} == {each.line() for part in parts for each in part}


def test_adding_takes_nothing_away(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    first = add(SOME[:3], path)
    before = path.read_bytes().split(b"\n")
    more = record(claim="SAF-READ-01")
    assert add([more], path) == read(path)
    assert sorted(path.read_bytes().split(b"\n")) == sorted([*before, more.line().encode()])
    assert len(read(path)) == len(first) + 1
    assert [each.name for each in tmp_path.iterdir()] == ["ledger.jsonl"]


DAMAGE: list[tuple[str, Callable[[bytes], bytes], str, int | None]] = [
    ("an edited verdict", lambda data: data.replace(b'"broken"', b'"holds"'), "does not have its hash", None),
    ("a line taken twice", lambda data: data.split(b"\n")[0] + b"\n" + data, "out of order", 2),
    ("two lines exchanged", lambda data: b"\n".join(reversed(data[:-1].split(b"\n"))) + b"\n", "out of order", 2),
    ("a torn end", lambda data: data[:-1], "a last line without its end", 5),
    ("an empty line", lambda data: b"\n" + data, "no JSON value", 1),
    ("a letter that is not ASCII", lambda data: data.replace(b"CUA", "CÜA".encode()), "not ASCII", None),
    ("another end of line", lambda data: data.replace(b"\n", b"\r\n"), "another form", 1),
]


@pytest.mark.claim("HAR-RPT-02", tooth="an edited ledger")
@pytest.mark.parametrize(("name", "change", "seen", "line"), DAMAGE)
def test_an_edited_ledger_is_refused_and_not_added_to(
    name: str, change: Callable[[bytes], bytes], seen: str, line: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "ledger.jsonl"
    add(SOME, path)
    damaged = change(path.read_bytes())
    path.write_bytes(damaged)
    for more in ([], [record(claim="HAR-WIRE-01")]):
        with pytest.raises(LedgerProblem) as caught:
            add(more, path) if more else read(path)
        assert seen in caught.value.seen
        assert caught.value.file == str(path)
        assert line in (None, caught.value.line)
    assert path.read_bytes() == damaged


def test_a_ledger_that_is_not_there_is_no_empty_one(tmp_path: Path) -> None:
    with pytest.raises(LedgerProblem, match="FileNotFoundError"):
        read(tmp_path / "ledger.jsonl")


def test_an_empty_ledger_is_one(tmp_path: Path) -> None:
    assert add([], tmp_path / "ledger.jsonl") == ()
    assert read(tmp_path / "ledger.jsonl") == ()


def test_the_tests_own_ledger_beside_it_is_read_too(tmp_path: Path) -> None:
    one, other = (record(claim=claim) for claim in ("CUA-RUN-04", "CUA-RUN-05"))
    add([one], tmp_path / "ledger.jsonl")
    assert read_all(tmp_path / "ledger.jsonl") == (one,)
    add([one, other], tmp_path / "tests.jsonl")
    assert {each.claim for each in read_all(tmp_path / "ledger.jsonl")} == {"CUA-RUN-04", "CUA-RUN-05"}
    assert len(read_all(tmp_path / "ledger.jsonl")) == 2
