"""The back of a real program: every check against `safaridriver` itself, with the pages of the checks on loopback.

    python -m tests.fakes.safaridriver.real [--profile P] [--only TEXT] [COMMAND ...]

COMMAND: by default `safaridriver`. On a Mac with remote automation allowed it opens and closes windows of its own, and
touches no other. The checks name pages by addresses that only a fake has: each has another one on loopback, and what
passes is rewritten both ways. Prints a line a check. Exit code 0 where all hold that could be asked, 1 where one does
not, 2 for a profile or a text that no check has, 3 where the program can't be started. No recording of the real program
exists yet.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import trio

from fakes.engines.pages import __file__ as PAGES_PROGRAM
from fakes.engines.processes import PATH
from fakes.fronts.safaridriver_settings import PROFILES
from fakes.worlds.engine_table import table
from fakes.worlds.page import Definition
from harness.wire.jsontext import dumps
from tests.fakes.safaridriver.backs import PLAIN, Check
from tests.fakes.safaridriver.checks_logs import (
    check_safaridriver_network_filters,
    check_safaridriver_network_is_armed,
)
from tests.fakes.safaridriver.client import Client, Options
from tests.fakes.safaridriver.pages import LOCAL, PAGES, SHOP

NEWEST = next(iter(PROFILES))
HOST = "shop.test"
ASIDE = "/local/"
"""Where the page of another origin lies: there is one port."""
OF_LOOPBACK: tuple[Check, ...] = (check_safaridriver_network_is_armed, check_safaridriver_network_filters)
"""Look at what is recorded of requests, which here are all of this machine: a profile that loses those has nothing to
show. `check_safaridriver_loopback` asks just that, of every profile."""
PATIENCE_S = 60.0
"""For one answer, the page that takes half of it included. What comes later is none."""
LEAVE_S = 10.0
"""From the end of a program's input until it is killed."""


class NeedsTheFake(Exception):
    """A check that wants something of the world which no real one can be told."""


class NotStarted(Exception):
    """The program is not there, or may not be started."""


class Addresses:
    """Of the checks' pages, and where those are on loopback. here: host and port.

    An answer may be JSON within a text, where a slash can stand behind a backslash."""

    def __init__(self, here: str) -> None:
        aside = (LOCAL.partition("://")[2], here + ASIDE)
        escaped = (aside[0].replace("/", r"\/"), aside[1].replace("/", r"\/"))
        self._pairs = [aside, escaped, (HOST, here)]

    def there(self, value: Any) -> Any:
        """A value with the addresses of loopback in place of the checks'."""
        return replaced(value, self._pairs)

    def back(self, value: Any) -> Any:
        """A value with the addresses of the checks in place of loopback's."""
        return replaced(value, [(new, old) for old, new in self._pairs])


def replaced(value: Any, pairs: Sequence[tuple[str, str]]) -> Any:
    """A JSON value with texts in place of others, in the names of members too."""
    if isinstance(value, str):
        for old, new in pairs:
            value = value.replace(old, new)
        return value
    if isinstance(value, list):
        return [replaced(each, pairs) for each in value]
    if isinstance(value, dict):
        return {replaced(name, pairs): replaced(each, pairs) for name, each in value.items()}
    return value


@contextmanager
def served() -> Iterator[Addresses]:
    """The pages of the checks on a port of loopback. Whoever answers for them is a group of processes of its own, and
    is ended as that: a Mac has no /proc from which it could be told who belongs to whom."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.json"
        path.write_text("{}")
        argv = [sys.executable, "-SE", PAGES_PROGRAM, str(path)]
        with subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env={"PATH": PATH}, start_new_session=True
        ) as server:
            try:
                assert server.stdout is not None
                addresses = Addresses(f"127.0.0.1:{int(server.stdout.readline())}")
                path.write_text(dumps(answers(addresses)))
                yield addresses
            finally:
                os.killpg(server.pid, signal.SIGKILL)


def answers(addresses: Addresses) -> dict[str, Any]:
    """What `pages.py` answers for the pages of the checks, which are asked for by their paths."""
    pages = {url: page if isinstance(page, list) else [page] for url, page in addresses.there(PAGES).items()}
    definitions = {url: [Definition(page, url) for page in turns] for url, turns in pages.items()}
    own = addresses.there(SHOP).removesuffix("/")
    return {url.removeprefix(own): answer for url, answer in table(definitions).items()}


class Rewriting(Client):
    """A client whose addresses are not those of the pages that are there, and who does not wait for long."""

    patience_s = PATIENCE_S

    def __init__(self, process: anyio.abc.Process, profile: str, nursery: trio.Nursery, addresses: Addresses) -> None:
        self.addresses = addresses
        super().__init__(process, profile, nursery)

    def heard(self, frame: Any) -> Any:
        return self.addresses.back(frame)

    async def send(self, value: Any) -> None:
        with trio.fail_after(self.patience_s):
            await super().send(self.addresses.there(value))


class OnProgram:
    """See `backs.Model`. command: starts the program."""

    virtual = False

    def __init__(self, command: Sequence[str], addresses: Addresses, profile: str = NEWEST) -> None:
        self.command = list(command)
        self.addresses = addresses
        self.profile = profile

    @asynccontextmanager
    async def __call__(self, options: Options = PLAIN) -> AsyncIterator[Client]:
        if options.world or options.settings:
            raise NeedsTheFake
        argv = [*self.command, *options.arguments]
        try:
            process = await anyio.open_process(argv, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise NotStarted(error.strerror) from error
        try:
            async with trio.open_nursery() as nursery:
                client = Rewriting(process, self.profile, nursery, self.addresses)
                if options.greet:
                    await client.greet()
                yield client
                nursery.cancel_scope.cancel()
        finally:
            with trio.move_on_after(LEAVE_S, shield=True):
                await process.aclose()  # ends its input, waits, and kills it where the time is over

    def check(self, check: Check) -> None:
        trio.run(check, self)


def said(back: OnProgram, check: Check) -> str:
    """`holds`, `not asked`, or what does not hold. Raises NotStarted."""
    if check in OF_LOOPBACK and PROFILES[back.profile]["loopback"] == "lost":
        return f"not asked: {back.profile} does not record requests to this machine, where the pages are"
    try:
        back.check(check)
    except Exception as error:  # whatever a check stumbles over is what does not hold
        first: BaseException = error
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        if isinstance(first, NotStarted):
            raise first from None
        if isinstance(first, NeedsTheFake):
            return "not asked: it needs a world that only a fake has"
        return f"BROKEN: {type(first).__name__}: {first}"[:400]
    return "holds"


def main(words: Sequence[str]) -> int:
    from tests.fakes.safaridriver.test_checks import CHECKS

    parser = argparse.ArgumentParser(prog="python -m tests.fakes.safaridriver.real")
    parser.add_argument("--profile", choices=tuple(PROFILES), default=NEWEST)
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("command", nargs="*", default=["safaridriver"])
    args = parser.parse_args(words)
    chosen = {name: check for name, check in CHECKS.items() if args.only in name}
    if not chosen:
        parser.error(f"no check has {args.only!r} in its name, and nothing was asked; there are {', '.join(CHECKS)}")
    broken = False
    with served() as addresses:
        back = OnProgram(args.command, addresses, args.profile)
        for name, check in chosen.items():
            try:
                how = said(back, check)
            except NotStarted as problem:
                print(f"{args.command[0]} can't be started ({problem}): Safari 27 has it", file=sys.stderr)
                return 3
            broken = broken or how.startswith("BROKEN")
            print(f"{name}: {how}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
