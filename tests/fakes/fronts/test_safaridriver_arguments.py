"""Command lines of safaridriver: which of them ask for what."""

from __future__ import annotations

import pytest

from fakes.fronts.safaridriver_arguments import ORDER, help_text, read_arguments


@pytest.mark.parametrize(("argv", "does", "port"), [
    (["--mcp"], "mcp", None),
    (["--mcp", "--diagnose"], "mcp", None),
    (["-h"], "help", None),
    (["--help", "--mcp"], "help", None),
    (["--version"], "version", None),
    (["--enable"], "enable", None),
    (["-p", "4444"], "port", 4444),
    (["--port=0"], "port", 0),
    (["-p", "4444", "-b", "4445"], "port", 4444),
    (["-b", "4445"], "usage", None),
    ([], "usage", None),
    (["-p"], "usage", None),
    (["-p", "x"], "usage", None),
    (["-p", "70000"], "usage", None),
    (["--other"], "usage", None),
    (["mcp"], "usage", None),
])  # fmt: skip
def test_command_lines(argv: list[str], does: str, port: int | None) -> None:
    wanted = read_arguments(argv, True)
    assert (wanted.does, wanted.port) == (does, port)
    assert does in (*ORDER, "usage")


def test_an_older_one_knows_no_mcp() -> None:
    assert read_arguments(["--mcp"], False).problem == "safaridriver: unrecognized option '--mcp'\n"
    assert "--mcp" in help_text(True) and "--mcp" not in help_text(False)
    assert read_arguments(["--diagnose"], True).diagnose
