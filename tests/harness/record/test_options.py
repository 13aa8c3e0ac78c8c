"""The command line of `trailcam record`."""
from __future__ import annotations

import pytest

from harness.problem import UsageProblem
from harness.record.options import DEFAULTS, MANY, OPTIONS, STRENGTHS, help_text, parse
from harness.tape import header


def test_options_end_where_the_command_begins() -> None:
    for words in (["--out", "t", "--", "cat", "--out", "x"], ["--out=t", "cat", "--out", "x"]):
        options = parse(words)
        assert (options.out, options.words, options.program) == ("t", ["cat", "--out", "x"], "cat")


def test_defaults() -> None:
    options = parse(["/usr/bin/cat"])
    assert (options.out, options.dialect, options.strength, options.profile) == ("tapes/", "jsonrpc", "model", None)
    assert (options.redact, options.products, options.shim, options.program) == ([], [], None, "cat")
    assert not options.out_said
    assert not options.program_said


def test_what_may_be_given_again() -> None:
    options = parse(["--redact", "key:a", "--redact=pattern:b=c", "--product", "a=1", "--product", "b=2", "cat"])
    assert options.redact == ["key:a", "pattern:b=c"]
    assert options.products == ["a=1", "b=2"]


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ([], "no command"),
        (["--"], "no command"),
        (["--out", "t"], "no command"),
        (["--", ""], "no command"),
        (["--out"], "--out without a value"),
        (["--out", "--", "cat"], "--out without a value"),
        (["--nope", "cat"], "the option --nope"),
        (["-x", "cat"], "the option -x"),
        (["--out", "a", "--out", "b", "cat"], "--out twice"),
        (["--dialect", "morse", "cat"], "--dialect morse"),
        (["--strength", "great", "cat"], "--strength great"),
        (["--product", "codex", "cat"], "the product 'codex'"),
        (["--product", "=1", "cat"], "the product '=1'"),
    ],
)
def test_wrong_usage_is_said(words: list[str], seen: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        parse(words)
    assert caught.value.seen.startswith(seen)
    assert caught.value.exit_code == 2


def test_options_survive_the_way_through_a_shims_file() -> None:
    said = ["--out", "/t/", "--dialect", "mcp", "--strength", "live", "--profile", "p"]
    said += ["--redact", "key:a", "--redact", "key:b", "--product", "a=1"]
    assert parse([*said, "cat"]).as_words() == said
    assert parse([*parse(["cat"]).as_words(), "cat"]).as_words() == parse(["cat"]).as_words()


def test_the_help_names_every_option_and_default() -> None:
    text = help_text()
    for name, (argument, meaning) in OPTIONS.items():
        assert f"  {name} {argument}" in text
        assert meaning in text
    for value in DEFAULTS.values():
        assert f"(default: {value})" in text
    assert set(MANY) <= set(OPTIONS)
    assert max(map(len, text.split("\n"))) < 150


def test_strengths_are_those_of_a_tape() -> None:
    assert set(header.STRENGTHS) == set(STRENGTHS)
