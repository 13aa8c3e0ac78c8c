"""The command line of `trailcam record`, read from a table and without argparse, which would double the start.

Options come before the command, which begins at `--` or at the first word that is no option.
"""
from __future__ import annotations

import os

from harness.problem import UsageProblem
from harness.wire import DIALECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

STRENGTHS = ("documented", "model", "engine", "live")

OPTIONS = {
    "--out": ("TAPE", "the tape to write: a new file, or a folder that gets a new file for each session"),
    "--dialect": ("NAME", f"how stdin and stdout are framed: {', '.join(DIALECTS)}"),
    "--redact": ("RULE", "a secret beside the built-in ones: key:NAME, env:VARIABLE, pointer:/PATH or pattern:REGEX"),
    "--program": ("NAME", "the program's name on the tape"),
    "--product": ("NAME=VERSION", "a product that speaks on the tape"),
    "--strength": ("NAME", f"how strong evidence from this tape is: {', '.join(STRENGTHS)}"),
    "--profile": ("NAME", "the order and binding profile that the tape replays under"),
    "--shim": ("FOLDER", "write executables NAME there, each of which records REAL, and start nothing"),
}
"""Option -> (its argument, its meaning). Those in MANY may be given several times."""
MANY = ("--redact", "--product")
DEFAULTS = {"--out": "tapes/", "--dialect": "jsonrpc", "--strength": "model"}

USAGE = """usage: trailcam record [OPTION…] -- COMMAND [ARGUMENT…]
       trailcam record --shim FOLDER [OPTION…] NAME=REAL [NAME=REAL…]
"""
ABOUT = """
Records a session between a client and COMMAND, which notices nothing: bytes, order, backpressure, closing of pipes,
stderr, signals and exit status pass unchanged. Secrets are redacted before they reach the disk.

"""
EXITS = """
Ends as COMMAND does. With nothing started: 2 wrong usage, 3 the tape can't be written, 126 COMMAND can't be run,
127 COMMAND was not found.
"""


class Options:
    """What a session is recorded with. words: COMMAND and its arguments, or NAME=REAL of shims.

    path: of the tape, once it is open. out_said, program_said: whether these were given, or are the default.
    """

    __slots__ = ("out", "dialect", "redact", "program", "products", "strength", "profile", "shim", "words",
                 "path", "out_said", "program_said")

    def __init__(self, said: dict[str, list[str]], words: Sequence[str]) -> None:
        one = {**DEFAULTS, **{name: values[-1] for name, values in said.items()}}
        self.words = list(words)
        self.out = one["--out"]
        self.dialect = one["--dialect"]
        self.redact = said.get("--redact", [])
        self.program = one.get("--program") or (os.path.basename(words[0]) if words else "")
        self.products = said.get("--product", [])
        self.strength = one["--strength"]
        self.profile = one.get("--profile")
        self.shim = one.get("--shim")
        self.path = ""
        self.out_said = "--out" in said
        self.program_said = "--program" in said
        choose("--dialect", self.dialect, DIALECTS)
        choose("--strength", self.strength, STRENGTHS)
        for product in self.products:
            if not all(product.partition("=")):
                raise UsageProblem(f"the product {product!r}", "NAME=VERSION", "name the version that speaks")

    def as_words(self) -> list[str]:
        """The options that a shim's sessions are recorded with, as words that `parse` reads."""
        words = ["--out", self.out, "--dialect", self.dialect, "--strength", self.strength]
        if self.profile is not None:
            words += ["--profile", self.profile]
        for name, values in (("--redact", self.redact), ("--product", self.products)):
            for value in values:
                words += [name, value]
        return words


def choose(option: str, value: str, allowed: Collection[str]) -> None:
    """Raises UsageProblem where the value of an option is not an allowed one."""
    if value not in allowed:
        raise UsageProblem(f"{option} {value}", f"one of {', '.join(allowed)}", "correct the option")


def parse(words: Sequence[str]) -> Options:
    """The options in the words after `record`. Raises UsageProblem."""
    said: dict[str, list[str]] = {}
    place = 0
    while place < len(words) and words[place].startswith("-") and words[place] != "--":
        name, equals, value = words[place].partition("=")
        place += 1
        if name not in OPTIONS:
            raise UsageProblem(f"the option {name}", f"one of {', '.join(OPTIONS)}", "see `trailcam record --help`")
        if not equals:
            if place == len(words) or words[place] == "--":
                raise UsageProblem(f"{name} without a value", f"{name} {OPTIONS[name][0]}", "give it a value")
            value = words[place]
            place += 1
        if name in said and name not in MANY:
            raise UsageProblem(f"{name} twice", f"{name} once", "leave one of them out")
        said.setdefault(name, []).append(value)
    rest = words[place + 1 :] if place < len(words) and words[place] == "--" else words[place:]
    if not rest or not rest[0]:
        raise UsageProblem("no command", "COMMAND and its arguments after the options", "see `trailcam record --help`")
    return Options(said, rest)


def help_text() -> str:
    """What `--help` prints: made from the table."""
    lines = []
    for name, (argument, meaning) in OPTIONS.items():
        default = f" (default: {DEFAULTS[name]})" if name in DEFAULTS else ""
        many = "; may be given again" if name in MANY else ""
        lines.append(f"  {name + ' ' + argument:<24}{meaning}{many}{default}\n")
    return USAGE + ABOUT + "".join(lines) + EXITS
