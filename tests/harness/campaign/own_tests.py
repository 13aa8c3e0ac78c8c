"""Guards that no run comes by, taken out one at a time before the tests of their own file.

    python -m tests.harness.campaign.own_tests [--text TEXT] PLACE ...

PLACE: `FILE#FUNCTION`, or one guard as `FILE#FUNCTION:KIND:NUMBER`, all of one file. TEXT: a file whose text stands in
the place of that file's. Prints one JSON object: name of each guard, or `nothing` for the stack as it is -> how its
tests ended. A program of its own, because a test must import the stack after the guard is gone, and the tests that ask
have imported it long since.
"""
from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import pytest

from harness.campaign.executor import Lost, forked, limit_run
from harness.campaign.guards import find
from harness.campaign.removal import Package, function_of, tables_of

ROOT = Path(__file__).resolve().parents[3]
CPU_S = 20.0
"""Seconds of computing after which tests hang: twenty times what the longest need."""
AT_ONCE = 2
NOTHING = "nothing"
PASSED, FAILED = "passed", "failed"
HANGS = "hangs"
"""As the executor says it: noticed as well, since with nothing taken out the same tests end."""
WORDS = {pytest.ExitCode.OK: PASSED, pytest.ExitCode.TESTS_FAILED: FAILED}
"""Everything else has no tests, or could not collect them: that says nothing of a guard, and is no word here."""


def tests_of(file: str) -> str:
    """The tests that mirror a file of the stack."""
    folder, _, module = file.rpartition("/")
    return f"tests/{folder}/test_{module.replace('__main__', 'main')}"


def places_of(entry: str) -> list[str]:
    """FILE#FUNCTION of every guard that an entry of UNRUN leaves out. The entry itself where it names one guard."""
    file = entry.partition("#")[0]
    ids = [site.guard.id for site in find(ast.parse((ROOT / file).read_text(encoding="utf-8")), file, tables_of(file))]
    if f"guard:{entry}" in ids:
        return [entry]
    return sorted({place for place in map(function_of, ids) if entry in (file, place)})


def by_file(entries: Iterable[str]) -> dict[str, list[str]]:
    """File -> the places of its entries. The tests of a file are run once with nothing taken out, for all of them."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        found.setdefault(entry.partition("#")[0], []).extend(places_of(entry))
    return found


def tried(places: Sequence[str], text: str | None = None) -> dict[str, str]:
    """Guard -> how the tests ended without it. The stack must not have been imported."""
    (file,) = {place.partition("#")[0] for place in places}
    package = Package(".".join(file.split("/")[:2]), ROOT, {file: text or (ROOT / file).read_text(encoding="utf-8")})
    ids = [site.guard.id for site in find(ast.parse(package.texts[file]), file, tables_of(file))]
    chosen = [id for id in ids if {function_of(id), id.removeprefix("guard:")} & set(places)]
    jobs = [partial(_tests, package, file, [id] if id else []) for id in ("", *chosen)]
    names = [NOTHING, *chosen]
    found = {names[number]: answer for number, answer in forked(jobs, AT_ONCE)}
    return {name: found[name].why if isinstance(found[name], Lost) else found[name] for name in names}


def _tests(package: Package, file: str, without: Sequence[str]) -> str:
    limit_run(CPU_S)
    package.install_without(without)
    out = io.StringIO()
    words = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning", tests_of(file)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = pytest.main(words)
    except* pytest.PytestUnraisableExceptionWarning:  # something was left open, and only pytest's own end came by it
        status = pytest.ExitCode.TESTS_FAILED
    limit_run(0)
    return WORDS.get(pytest.ExitCode(status)) or f"ended with {status}: {out.getvalue()[-400:]}"


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.harness.campaign.own_tests")
    parser.add_argument("places", nargs="+", metavar="PLACE")
    parser.add_argument("--text", type=Path)
    args = parser.parse_args(words)
    print(json.dumps(tried(args.places, None if args.text is None else args.text.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main(sys.argv[1:])
