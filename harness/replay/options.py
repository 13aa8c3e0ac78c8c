"""The command line of `trailcam replay`, read from the table of settings, without argparse: a player starts at once.

    trailcam replay TAPE [OPTION…] [-- ARGUMENT…]
"""
from __future__ import annotations

from harness.problem import UsageProblem
from harness.replay.settings import DEFAULTS, SETTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.wire.jsontext import Json

USAGE = "usage: trailcam replay TAPE [OPTION…] [-- ARGUMENT…]\n"
ABOUT = """
Stands in for the program that was recorded on TAPE: reads stdin, writes stdout and stderr, takes signals and ends as
it did. ARGUMENT… is what the client started it with; after `--` it is compared with the recorded command line.

"""
EXITS = """
Ends as the recorded program did; with 70 where the client does what the tape does not expect, or the tape has a gap,
and the reason on stderr. Before anything was played: 2 wrong usage, 3 the tape can't be read.
"""


def number(text: str) -> Json:
    """A whole number where the text is one, else the text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else text


def pace(text: str) -> Json:
    """A factor where the text is one, else the text."""
    try:
        return float(text)
    except ValueError:
        return text


READ: dict[str, Callable[[str], Json]] = {"process": number, "seed": number, "pace": pace}
"""Setting -> what its word on the command line means; others are text. `bind` may be given again."""


def parse(words: Sequence[str]) -> tuple[dict[str, Json], list[str]]:
    """(settings, arguments of the program). Raises UsageProblem. Values are checked by `Settings`."""
    own, arguments = list(words), None
    if "--" in own:
        place = own.index("--")
        own, arguments = own[:place], own[place + 1 :]
    settings: dict[str, Json] = {"argv": "free" if arguments is None else "check"}
    bind: dict[str, Json] = {}
    tapes = []
    while own:
        word = own.pop(0)
        if not word.startswith("--"):
            tapes.append(word)
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        if name not in SETTINGS or name == "tape":
            expected = ", ".join(f"--{each}" for each in SETTINGS if each != "tape")
            raise UsageProblem(f"the option {word}", f"one of {expected}", "see `trailcam replay --help`")
        if not equals:
            if not own:
                raise UsageProblem(f"{word} without a value", f"{word} {SETTINGS[name][0]}", "give it a value")
            value = own.pop(0)
        if name == "bind":
            token, _, meaning = value.partition("=")
            bind[token] = meaning
        else:
            settings[name] = READ.get(name, str)(value)
    if len(tapes) != 1:
        raise UsageProblem(f"{len(tapes)} tapes", "one TAPE", USAGE.strip())
    return {"process": 1, **settings, "tape": tapes[0], "bind": bind}, arguments or []


def help_text() -> str:
    """What `--help` prints: made from the table."""
    lines = []
    for name, (words, _, meaning) in SETTINGS.items():
        if name != "tape":
            default = {**DEFAULTS, "process": 1, "argv": "check after --, else free"}[name]
            shown = "" if default in (None, {}) else f" (default: {default})"
            lines.append(f"  --{name + ' ' + words:<32} {meaning}{shown}\n")
    return USAGE + ABOUT + "".join(lines) + EXITS
