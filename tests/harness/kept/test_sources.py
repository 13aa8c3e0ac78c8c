"""Hashes of sources and runs: what changes them, and what must not."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.kept import KeptProblem, run_hash, source_hash, source_hashes
from harness.kept.sources import canonical_hash, changed_since
from tests.harness.laws.runs import SHEET


def package(root: Path, **files: str) -> str:
    folder = root / "pack" / "inner"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return hash_of(root)


def hash_of(root: Path) -> str:
    source_hash.cache_clear()
    return source_hash("pack.inner", root)


def test_content_and_names_decide_and_nothing_else(tmp_path: Path) -> None:
    first = package(tmp_path, a_py="1", b_js="2")
    assert hash_of(tmp_path) == first
    assert package(tmp_path, a_pyc="x", b_txt="y") == first
    changed = package(tmp_path, a_py="1 ")
    assert changed != first
    assert package(tmp_path, a_py="1") == first
    (tmp_path / "pack" / "inner" / "a.py").rename(tmp_path / "pack" / "inner" / "c.py")
    assert hash_of(tmp_path) != first


def test_moving_bytes_from_file_to_file_is_a_change(tmp_path: Path) -> None:
    assert package(tmp_path / "1", a_py="xy", b_py="") != package(tmp_path / "2", a_py="x", b_py="y")


def test_data_beside_the_code_counts(tmp_path: Path) -> None:
    assert package(tmp_path, a_py="1", profile_json="{}") != package(tmp_path, a_py="1", profile_json="[]")


def test_a_package_that_is_not_there_is_no_empty_one(tmp_path: Path) -> None:
    source_hash.cache_clear()
    with pytest.raises(KeptProblem, match="no source file of package pack"):
        source_hash("pack.inner", tmp_path)


def test_it_is_computed_once_a_process(tmp_path: Path) -> None:
    first = package(tmp_path, a_py="1")
    (tmp_path / "pack" / "inner" / "a.py").write_text("2")
    assert source_hash("pack.inner", tmp_path) == first


def test_what_changed_meanwhile_is_seen_all_the_same(tmp_path: Path) -> None:
    first = {"pack.inner": package(tmp_path, a_py="1")}
    assert changed_since(first, tmp_path) == []
    (tmp_path / "pack" / "inner" / "a.py").write_text("2")
    assert changed_since(first, tmp_path) == ["pack.inner"]


def test_hashes_of_packages_and_tapes_by_name(tmp_path: Path) -> None:
    tape = tmp_path / "happy.jsonl"
    tape.write_bytes(b"{}\n")
    hashes = source_hashes(("harness.wire",), [str(tape)])
    assert set(hashes) == {"harness.wire", "tape:happy.jsonl"}
    assert hashes["tape:happy.jsonl"] == "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"


def test_a_run_is_named_by_sheet_and_sources_alone() -> None:
    name = run_hash(SHEET, {"harness": "0" * 64})
    assert run_hash(dict(reversed(SHEET.items())), {"harness": "0" * 64}) == name
    assert run_hash({**SHEET, "seed": 8}, {"harness": "0" * 64}) != name
    assert run_hash(SHEET, {"harness": "1" * 64}) != name
    assert canonical_hash({"b": 1, "a": "é"}) == canonical_hash({"a": "é", "b": 1})
