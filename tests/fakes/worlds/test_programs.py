"""Page programs by their hash, and the manifest against the stack's files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from fakes.worlds import programs
from fakes.worlds.programs import Programs, digest_of, recognise
from harness.wire.jsontext import dumps, loads
from stack.safari_jxa.scripts import program


@pytest.mark.parametrize("text", ["", "abc", "é\u2028\U0001f600", "\ud800"])
def test_the_digest_is_sha256_of_utf8(text: str) -> None:
    assert digest_of(text) == hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def test_a_program_is_known_by_its_text_alone(tmp_path: Path) -> None:
    path = tmp_path / "programs.json"
    path.write_text(dumps({digest_of("function () {}"): "nothing"}), encoding="ascii")
    known = Programs(str(path))
    assert known.recognise("function () {}") == "nothing"
    assert known.recognise("function () { }") is None
    path.unlink()
    assert [known.recognise("function () {}"), known.recognise("other")] == ["nothing", None]


def test_texts_that_are_no_programs_do_not_pile_up(tmp_path: Path) -> None:
    path = tmp_path / "programs.json"
    path.write_text("{}", encoding="ascii")
    known = Programs(str(path))
    for n in range(200):
        assert known.recognise(str(n)) is None
    assert len(known._known) <= 65


def test_the_manifest_has_the_page_program_of_safari_jxa() -> None:
    assert recognise(program()) == "jxa_page"


def test_the_manifest_is_sorted_hashes_and_names() -> None:
    rows = loads(Path(programs.PATH).read_text(encoding="ascii"))
    assert isinstance(rows, dict)
    assert all(len(digest) == 64 and isinstance(name, str) for digest, name in rows.items())
    assert len(set(rows.values())) == len(rows)
