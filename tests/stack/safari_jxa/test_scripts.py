"""The JavaScript as texts: constants, ASCII, and known to the model by their hash."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from stack.safari_jxa import scripts

MANIFEST = Path("fakes/worlds/programs.json")


def test_the_program_is_a_constant_of_ascii_lines() -> None:
    text = scripts.program()
    assert text is scripts.program()
    assert text.isascii() and text.startswith("function (request) {") and text.endswith("}")
    assert all(line == line.strip() and line for line in text.split("\n"))
    assert not any(line.startswith(("//", ")(")) for line in text.split("\n"))


@pytest.mark.claim("JXA-BRG-04", tooth="a program of another text")
def test_the_model_knows_this_program_and_no_other() -> None:
    known = json.loads(MANIFEST.read_text(encoding="ascii"))
    ours = [name for digest, name in known.items() if digest == sha256(scripts.program().encode()).hexdigest()]
    assert ours == ["jxa_page"]
    assert list(known.values()).count("jxa_page") == 1


def test_nothing_in_a_program_is_left_to_be_put_in() -> None:
    for text in (scripts.program(), scripts.bridge()):
        assert not re.search(r"%s|\{\{|__[A-Z]+__", text)
        assert "eval(" not in text and "Function(" not in text
