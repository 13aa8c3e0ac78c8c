"""The command line of osascript, as its manual page has it.

Several `-e` are lines of one script; with any of them no file is looked for. Else the first word is a file, and `-`, or
nothing at all, is standard input. What follows reaches `run(argv)` as texts. `-s` takes letters of e, h, o and s in any
number; of each pair the last one counts. Source: osascript(1); trailcam facts: JXA, section 1.1.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE = "usage: osascript [-l language] [-s flags] [-i] [-e statement | programfile] [argument ...]"
STYLES = "ehos"
JAVASCRIPT = "javascript"
KNOWN = ("applescript", JAVASCRIPT, "generic scripting system")


class Misused(Exception):
    """A command line that the fake does not run. text: for standard error; status: exit status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.text = text
        self.status = status


class Arguments:
    """statements: of `-e`, None without one. file: name of the script, None for standard input. argv: for run().

    recompilable: results in source form (`-s s`). complains: the stream that errors go to, `err` or `out` (`-s o`).
    """

    def __init__(self) -> None:
        self.language = "applescript"
        self.statements: list[str] | None = None
        self.file: str | None = None
        self.argv: list[str] = []
        self.recompilable = False
        self.complains = "err"

    def style(self, letters: str) -> None:
        for letter in letters:
            if letter not in STYLES:
                raise Misused(f"osascript: unrecognized modifier '{letter}'\n{USAGE}\n", 64)
            if letter in "hs":
                self.recompilable = letter == "s"
            else:
                self.complains = "out" if letter == "o" else "err"


def parse(argv: Sequence[str]) -> Arguments:
    """Raises Misused: for what the real program refuses too, and for what only this fake does not do."""
    found = Arguments()
    words = list(argv)
    while words and words[0].startswith("-") and words[0] != "-":
        word = words.pop(0)
        if word == "--":
            break
        letter, value = word[1:2], word[2:]
        if letter == "i" and not value:
            raise Misused("osascript (fake): -i is not faked; give the script by -e, a file or standard input\n", 64)
        if letter not in ("l", "e", "s"):
            raise Misused(f"osascript: illegal option -- {letter}\n{USAGE}\n", 64)
        if not value:
            if not words:
                raise Misused(f"osascript: option requires an argument -- {letter}\n{USAGE}\n", 64)
            value = words.pop(0)
        if letter == "l":
            found.language = value.lower()
        elif letter == "s":
            found.style(value)
        else:
            found.statements = [*(found.statements or []), value]
    if found.statements is None and words:
        name = words.pop(0)
        found.file = None if name == "-" else name
    found.argv = words
    _refuse_other_languages(found.language)
    return found


def _refuse_other_languages(language: str) -> None:
    if language not in KNOWN:
        raise Misused(f'osascript: no such component "{language}".\n', 1)
    if language != JAVASCRIPT:
        raise Misused(
            f"osascript (fake): saw the language {language}; expected -l JavaScript, the only one that is faked\n", 64
        )
