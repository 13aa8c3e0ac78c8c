"""A last line that does not end."""
from __future__ import annotations

from harness.faults.steps import Close, Raw
from tests.harness.faults.catalogue.struck import REPLY, back, leaves, native


def test_the_line_comes_without_its_newline_and_the_stream_closes() -> None:
    assert back("no_final_newline", REPLY) == [Raw(REPLY[:-1]), Close()]
    assert back("no_final_newline", b"{}\r\n") == [Raw(b"{}"), Close()]


def test_only_for_lines() -> None:
    assert leaves("no_final_newline", native(b"{}"))
    assert leaves("no_final_newline", native(b"{}\n"))
    assert leaves("no_final_newline", b"{}")
