"""Shims: executables that stand in PATH under a program's name, and record it whenever a client starts it.

A client that starts `codex` or `safaridriver` by name is recorded without being told, and without a setting in its
environment, which it might not pass on: what a shim does stands in `<name>.shim.json` beside it. The real program is
looked up once, when the shim is written, so a shim never starts itself.
"""
from __future__ import annotations

import os
import sys

from harness.problem import Problem, UsageProblem
from harness.record.options import Options, parse
from harness.wire.jsontext import JsonTextError, dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION = 1
CONFIG = ".shim.json"
SHEBANG_LIMIT = 126
"""Bytes that the oldest systems in use read of a first line, newline excluded."""

LOADER = """import sys
sys.path[0] = {code!r}
from harness.record.shim import main
sys.exit(main(__file__, sys.argv[1:]))
"""


def write_shims(options: Options) -> list[str]:
    """Write one shim for each NAME=REAL of the words: what was done, a line each. Raises UsageProblem, Problem."""
    folder = os.path.abspath(options.shim or ".")
    if options.program_said:
        raise UsageProblem("--program with --shim", "the name of the shim as the program's", "leave --program out")
    found = [resolve(folder, word) for word in options.words]
    out = os.path.abspath(options.out if options.out_said else os.path.join(folder, "tapes"))
    if os.path.exists(out) and not os.path.isdir(out):
        raise UsageProblem(f"--out {out}, which is no folder", "a folder for the tapes of all starts", "name a folder")
    options.out = out + "/"
    try:
        os.makedirs(folder, exist_ok=True)
        for name, real in found:
            config = {"v": VERSION, "real": real, "options": options.as_words()}
            put(os.path.join(folder, name + CONFIG), dumps(config) + "\n", 0o644)
            put(os.path.join(folder, name), first_lines(python()) + LOADER.format(code=code_root()), 0o755)
    except OSError as problem:
        raise Problem(
            f"{problem.filename}: {problem.strerror}", "a folder that can be written", "correct --shim"
        ) from None
    return [f"{os.path.join(folder, name)} records {real} in {options.out}" for name, real in found]


def main(path: str, words: Sequence[str]) -> int:
    """Be the shim at `path`, started with these words: record the real program. The exit code if nothing started."""
    from harness.record.tap import record

    try:
        path = os.path.realpath(path)
        options = session_of(path, words)
        record(options)
    except Problem as problem:
        os.write(2, os.fsencode(f"{path}: {problem}\n"))
        return problem.exit_code


def session_of(path: str, words: Sequence[str]) -> Options:
    """What the shim at `path` records with, after the file beside it. Raises Problem."""
    file = path + CONFIG
    try:
        with open(file, encoding="ascii") as opened:
            config = loads(opened.read())
        if not isinstance(config, dict) or config.get("v") != VERSION:
            raise ValueError(f"not version {VERSION} of a shim's file")
        options = parse([*config["options"], "--program", os.path.basename(path), "--", config["real"], *words])
    except (OSError, JsonTextError, ValueError, KeyError, TypeError) as problem:
        raise Problem(
            f"{problem}", "what `trailcam record --shim` writes", "write the shim again", file=file
        ) from None
    return options


def resolve(folder: str, word: str) -> tuple[str, str]:
    """(name, absolute path of the real program) of NAME=REAL, not looking in the shims' own folder."""
    name, equals, real = word.partition("=")
    if not equals or not name or not real or "/" in name:
        raise UsageProblem(f"{word!r}", "NAME=REAL, a name for PATH and a program", "correct the word")
    shim = os.path.join(folder, name)
    if os.path.lexists(shim) and not os.path.exists(shim + CONFIG):
        raise UsageProblem(f"{shim}, which is no shim", "a name that is free in the folder", "name another folder")
    for candidate in candidates(folder, real):
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            if os.path.realpath(candidate) == os.path.realpath(shim):
                raise UsageProblem(f"{real} as {name}, which is the shim itself", "the real program",
                                   "name the real program by its path")
            return name, candidate
    raise UsageProblem(f"{real}, which is no executable file", "a program that can be started",
                       "name it by its path, or correct PATH")


def candidates(folder: str, real: str) -> list[str]:
    """Where a program may be: its path made absolute, or each folder of PATH other than `folder`."""
    if "/" in real:
        return [os.path.abspath(real)]
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    own = os.path.realpath(folder)
    return [os.path.join(os.path.abspath(place), real) for place in places if os.path.realpath(place) != own]


def first_lines(interpreter: str) -> str:
    """The start of a script for this interpreter: `-SE`, so that it starts fast and heeds no environment."""
    shebang = f"#!{interpreter} -SE\n"
    if len(shebang.encode()) <= SHEBANG_LIMIT and not any(character.isspace() for character in interpreter):
        return shebang
    quoted = interpreter.replace("'", "'\"'\"'")
    return f"#!/bin/sh\n'''exec' '{quoted}' -SE \"$0\" \"$@\"\n' '''\n"


def python() -> str:
    """The real interpreter: one of a version manager or of an environment costs a second start."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def code_root() -> str:
    """The folder that holds the package `harness`."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def put(path: str, text: str, mode: int) -> None:
    """Write a file whole, or not at all: another start may be reading it."""
    draft = f"{path}.{os.getpid()}.new"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(draft, mode)
    os.replace(draft, path)
