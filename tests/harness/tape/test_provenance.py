"""The list of a folder of tapes is made from the tapes, and the committed one is in sync."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.problem import UsageProblem
from harness.tape.problem import TapeProblem
from harness.tape.provenance import NAME, main, page, rows
from tests.harness.tape.tapes import ORIGIN, header, session, write

TAPES = Path(__file__).resolve().parents[3] / "scenarios" / "tapes"


@pytest.mark.claim("HAR-TAPE-01")
@pytest.mark.parametrize("folder", sorted(TAPES.iterdir()), ids=lambda folder: folder.name)
def test_the_committed_page_is_what_the_tapes_say(folder: Path) -> None:
    assert (folder / NAME).read_text(encoding="utf-8") == page(folder)


def test_a_page(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    write(tmp_path / "a" / "one.jsonl", session(), header(hashes={"source": "1" * 64}))
    product = {"name": "a|b", "version": "2", "sha256": "2" * 64}
    write(tmp_path / "two.jsonl", session()[:1], header(origin={**ORIGIN, "products": [product], "source": "A test."}))
    assert main([str(tmp_path)]) == 0
    text = (tmp_path / NAME).read_text(encoding="utf-8")
    assert text == page(tmp_path)
    assert text.endswith("\n".join([
        "| tape | products | strength | bytes | processes | events | SHA-256 of the source |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        f"| a/one.jsonl | fake 1 | model | verbatim | 1 | 7 | {'1' * 64} |",
        "| two.jsonl | a\\|b 2 | model | verbatim | 1 | 1 |  |",
        "",
    ]))
    assert "**fake 1** on Linux, model (a fake), written by test 1. 1 tapes, 1 processes, 7 events." in text
    assert f"**a|b 2 (SHA-256 {'2' * 64})** on Linux, model (a fake), written by test 1. A test. 1 tapes" in text


def test_a_folder_without_tapes_and_one_with_a_bad_tape(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match=r"no \*\.jsonl under"):
        rows(tmp_path)
    with pytest.raises(UsageProblem, match="no folder"):
        main([])
    (tmp_path / "bad.jsonl").write_text("{}\n")
    with pytest.raises(TapeProblem):
        main([str(tmp_path)])
    assert not (tmp_path / NAME).exists()
