"""The judge on a command line: where it is, and the file with its key. The key itself is no argument, which others see.

Separate from the settings, which are for code, and take the key as it is.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from stack.consent.settings import Judge, judge_from
from stack.consent.styles import STYLES
from stack.contract import Json
from stack.host import parse_address, read_private
from stack.http import parse_url

KEY_BYTES: Final = 4096
_NEEDED: Final = ("style", "url", "model")


class WrongOptions(Exception):
    """What was given is not a judge; the text says why, and never shows the key."""


def add(parser: argparse.ArgumentParser) -> None:
    """The options of a judge."""
    parser.add_argument("--judge-style", choices=sorted(STYLES), help="how the judge's endpoint is asked")
    parser.add_argument("--judge-url", metavar="URL", help="the endpoint itself, such as https://…/v1/messages")
    parser.add_argument("--judge-model", metavar="NAME", help="the model's name there")
    parser.add_argument("--judge-key-file", metavar="FILE", type=Path, help="its key, in a file closed to other users")


def judge_in(given: argparse.Namespace) -> Judge | None:
    """The judge of a command line; None where it names none. Raises WrongOptions."""
    said = {name: getattr(given, f"judge_{name}") for name in _NEEDED}
    if all(value is None for value in (*said.values(), given.judge_key_file)):
        return None
    missing = [f"--judge-{name}" for name, value in said.items() if value is None]
    if missing:
        raise WrongOptions(f"a judge without {', '.join(missing)}; expected all three, and perhaps --judge-key-file")
    members: dict[str, Json] = {**said}
    if given.judge_key_file is not None:
        members["key"] = key_in(given.judge_key_file)
    try:
        return judge_from(members)
    except ValueError as error:
        raise WrongOptions(str(error)) from None


def key_in(path: Path) -> str:
    """The key in a file: one line. Raises WrongOptions, also for a file that others can read."""
    try:
        data = read_private(path, KEY_BYTES)
    except OSError as error:
        raise WrongOptions(f"the key's file can't be used ({error})") from None
    text = data.removesuffix(b"\n").removesuffix(b"\r")
    if not text or not all(0x21 <= byte <= 0x7E for byte in text):
        raise WrongOptions(f"{path} is not one line of visible ASCII; expected the key and nothing else")
    return text.decode("ascii")


def is_elsewhere(judge: Judge | None) -> bool:
    """Whether asking this judge leaves this machine."""
    return judge is not None and not parse_address(parse_url(judge.url).address).loopback
