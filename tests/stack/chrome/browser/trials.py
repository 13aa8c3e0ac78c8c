"""The extension's guards taken out one at a time, in a real Chromium, against the cases in `content.py`.

    python -m tests.stack.chrome.browser.trials [--module TEXT] [--jobs N] [--out FILE]

No scenario carries the extension out, so `trailcam guards` tries none of its guards; this does, and leaves what came of
it where that command takes it from. The program is built anew without the guard and put into a page of a browser that
stays; all cases are asked until one does not come to what is wanted. What the worker and the window have of the browser
is played there. Separate from `test_guards`, where what a guard prevents is shown to happen in the whole extension.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from fakes.engines.chromium import CdpError
from harness.campaign.equivalent import Reason, read_reasons
from harness.campaign.executor import Lost, forked
from harness.campaign.removal import file_of
from harness.campaign.scripts.browser import PATH, Kept, build, counts, write
from harness.campaign.scripts.find import find, without
from harness.campaign.scripts.programs import EXTENSION as FILES
from tests.stack.chrome.browser import chrome
from tests.stack.chrome.browser.bare import Bare, page, parts_of
from tests.stack.chrome.browser.bridge import ROOT
from tests.stack.chrome.browser.content import CASES, OF_THE_WORKER, differing

CASE = "tests/stack/chrome/browser/test_content.py::test_a_case_comes_to_what_is_wanted[{}]"
AT_ONCE = 12
"""Guards that share a browser."""


def guards() -> list[str]:
    """Every guard that is tried, in the order of the files."""
    return [site.guard.id for file in FILES for site in find(text_of(file), file)]


def text_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


@contextmanager
def source_without(ids: Iterable[str]) -> Iterator[Path]:
    """A copy of the extension's source without these guards."""
    ids = list(ids)
    folder = Path(tempfile.mkdtemp(prefix="trailcam-trial-"))
    try:
        source = folder / "chrome/extension/src"
        shutil.copytree(chrome.SOURCE, source)
        for name in ("protocol.json", "looks.json"):
            shutil.copy(ROOT / "stack/chrome" / name, folder / "chrome" / name)
        for file in {file_of(id) for id in ids}:
            text = without(text_of(file), file, [id for id in ids if file_of(id) == file])
            (folder / file.removeprefix("stack/")).write_text(text, encoding="utf-8")
        yield source
    finally:
        shutil.rmtree(folder)


def noticed(bare: Bare, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(what is noticed, the test that notices it), for each case that notices that these guards are gone."""
    with source_without(ids) as source:
        try:
            bare.parts = parts_of(source, source)
        except subprocess.CalledProcessError:
            yield "can't be built", ""
            return
    bare.renew()
    inside = any("/content/" in id for id in ids)
    for name, seen in differing(bare, iter(sorted(CASES, key=lambda name: (name in OF_THE_WORKER) == inside))):
        yield " ".join(f"{name}: {seen}".split())[:200], CASE.format(name)


def tried(given: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """In a child: what is noticed of each of several programs. One in which a page says nothing ends the browser."""
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    left, found = list(given), []
    while left:
        with page("") as bare:
            while left:
                ids = left.pop(0)
                found.append(next(noticed(bare, ids), ("", "")))
                if "nothing for" in found[-1][0]:
                    break
    return found


def judged(ids: Sequence[str], reasons: Mapping[str, Reason], jobs: int) -> Iterator[Kept]:
    """What came of each guard. One that nothing notices and that has a reason is tried again without the guards that
    are said to do its work."""
    [(control, _)] = tried([()])
    if control:
        raise CdpError(f"the program as it is does not pass: {control}", "a case that it passes", "correct it")
    parts = [ids[at : at + AT_ONCE] for at in range(0, len(ids), AT_ONCE)]
    left: list[str] = []
    for part, answer in forked([partial(tried, [[id] for id in part]) for part in parts], jobs):
        rows = [(answer.why, None)] * len(parts[part]) if isinstance(answer, Lost) else answer
        for id, (how, by) in zip(parts[part], rows, strict=True):
            if by is None:
                yield Kept(id, "untried", how, "", 0, len(CASES))
            elif how:
                yield Kept(id, "killed", how, by, len(CASES), len(CASES))
            elif id in reasons:
                left.append(id)
            else:
                yield Kept(id, "survived", f"{len(CASES)} cases noticed nothing", "", len(CASES), len(CASES))
    for id in left:
        yield explained(id, reasons[id])


def explained(id: str, reason: Reason) -> Kept:
    """What came of a guard that nothing notices alone: without the others too, more has to be noticed than without the
    others alone."""
    with page("") as bare:
        alone = set(noticed(bare, reason.others))
        more = [each for each in noticed(bare, [id, *reason.others]) if each not in alone]
    if not more:
        return Kept(id, "survived", "its reason is wrong: nothing more is noticed", "", len(CASES), len(CASES))
    [(how, by), *_] = more
    return Kept(id, "equivalent", f"{reason.why} Without both: {how}", by, len(CASES), len(CASES))


def main(words: Sequence[str]) -> int:
    """0 where every guard is noticed or explained, 1 where one is not, 3 where one could not be tried."""
    parser = argparse.ArgumentParser(prog="trials", description="try guards of the extension in a real Chromium")
    parser.add_argument("--module", default="", metavar="TEXT", help="only guards with this in their name")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="browsers at once")
    parser.add_argument("--out", type=Path, default=PATH, help=f"where the outcome is kept (default: {PATH})")
    args = parser.parse_args(words)
    made_with = build()  # before anything is tried: what changes meanwhile was not tried
    rows = []
    for row in judged([id for id in guards() if args.module in id], reasons_by_guard(), args.jobs):
        rows.append(row)
        print(f"{row.state:<10}  {row.guard}  {row.how}", file=sys.stderr, flush=True)
    write(rows, args.out, made_with)
    total: Any = counts(rows)
    print(f"{len(rows)} guards: " + ", ".join(f"{count} {state}" for state, count in total.items()))
    return 1 if total["survived"] else 3 if total["untried"] else 0


def reasons_by_guard() -> dict[str, Reason]:
    return {reason.guard: reason for reason in read_reasons()}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
