"""The command line of osascript."""

from __future__ import annotations

import pytest

from fakes.fronts.osascript_arguments import Misused, parse

JS = ("-l", "JavaScript")


@pytest.mark.parametrize(
    ("argv", "statements", "file", "rest"),
    [
        ((*JS, "-e", "a", "-e", "b", "c"), ["a", "b"], None, ["c"]),
        (("-lJavaScript", "-ea"), ["a"], None, []),
        ((*JS, "file.js", "-e", "x"), None, "file.js", ["-e", "x"]),
        ((*JS, "-", "x"), None, None, ["x"]),
        ((*JS,), None, None, []),
        ((*JS, "--", "-odd.js"), None, "-odd.js", []),
        ((*JS, "-e", "a", "-"), ["a"], None, ["-"]),
        (("-l", "javascript", "f"), None, "f", []),
    ],
)
def test_where_the_script_is(
    argv: tuple[str, ...], statements: list[str] | None, file: str | None, rest: list[str]
) -> None:
    found = parse(argv)
    assert (found.statements, found.file, found.argv) == (statements, file, rest)


@pytest.mark.parametrize(
    ("flags", "recompilable", "complains"),
    [
        ((), False, "err"),
        (("-ss",), True, "err"),
        (("-s", "so"), True, "out"),
        (("-s", "s", "-s", "h"), False, "err"),
        (("-soe",), False, "err"),
    ],
)
def test_of_each_pair_of_styles_the_last_counts(flags: tuple[str, ...], recompilable: bool, complains: str) -> None:
    found = parse([*JS, *flags, "-e", "1"])
    assert (found.recompilable, found.complains) == (recompilable, complains)


@pytest.mark.parametrize(
    ("argv", "text", "status"),
    [
        (("-e", "beep"), "expected -l JavaScript", 64),
        (("-l", "AppleScript", "x"), "expected -l JavaScript", 64),
        (("-l", "Python", "x"), 'no such component "python"', 1),
        ((*JS, "-i"), "-i is not faked", 64),
        ((*JS, "-x"), "illegal option -- x", 64),
        ((*JS, "-e"), "requires an argument -- e", 64),
        ((*JS, "-sz"), "unrecognized modifier 'z'", 64),
    ],
)
def test_what_is_refused(argv: tuple[str, ...], text: str, status: int) -> None:
    with pytest.raises(Misused) as raised:
        parse(argv)
    assert text in raised.value.text
    assert raised.value.status == status
