"""The order in which guards are tried: kept, read back, and never more than an order."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.campaign.killers import key_of, read_killers, write_killers
from harness.problem import UsageProblem


def test_rows_of_guards_that_were_not_tried_stay(tmp_path: Path) -> None:
    path = tmp_path / "killers.json"
    before = {"guard:a": "s: base", "guard:b": "s: case", key_of(["guard:b", "guard:c"]): "s: both"}
    write_killers(path, before, ["guard:b"], {"guard:b": "t: base"})
    assert read_killers(path) == {"guard:a": "s: base", "guard:b": "t: base"}


def test_without_a_file_there_is_no_order(tmp_path: Path) -> None:
    assert read_killers(tmp_path / "none.json") == {}


@pytest.mark.parametrize("text", ["{", "[]", '{"guard:a": 1}'])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "killers.json"
    path.write_text(text)
    with pytest.raises(UsageProblem, match="--learn"):
        read_killers(path)
