"""Cases of the content program alone: what it says of a page, and what it does there, without extension and host; and
of the worker and its window, for which browser and host are played.

Each is a page, what is asked of it in its own world, and what has to come of it. One page of one browser carries all of
them out, in milliseconds, so that a trial of a guard (trials.py) can ask all of them. `content.js` has the words.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.stack.chrome.browser.bare import Bare
from tests.stack.chrome.browser.content_acts import ACTS
from tests.stack.chrome.browser.content_looks import LOOKS
from tests.stack.chrome.browser.content_secrets import SECRETS
from tests.stack.chrome.browser.content_tasks import TASKS
from tests.stack.chrome.browser.content_whole import PORTS
from tests.stack.chrome.browser.content_worker import WORKER

WORDS = Path(__file__).with_name("content.js").read_text(encoding="utf-8")
ASK = """(async () => {{ const {{ start, later, by, made, live, listening, worker, why, never, timed, played }} = cases;
  const {{ agent, ask, look, snap, nodes, one, id, act, locate, observe, plain }} = start();
  try {{ return await (async () => {{ {} }})() }} finally {{ cases.restored() }} }})()"""


class Case(NamedTuple):
    """page: its HTML; asked: statements that return a value; wanted: that value."""

    page: str
    asked: str
    wanted: Any


OF_THE_WORKER = {**WORKER, **TASKS, **PORTS}
TABLES = (SECRETS, LOOKS, ACTS, WORKER, TASKS, PORTS)
CASES: dict[str, Case] = {name: Case(*each) for table in TABLES for name, each in table.items()}


def asked(bare: Bare, case: Case) -> Any:
    """What comes of a case."""
    bare.show(f"<!doctype html>{case.page}")
    bare.ask(WORDS)
    return bare.ask(ASK.format(case.asked))


def differing(bare: Bare, names: Iterator[str] | None = None) -> Iterator[tuple[str, Any]]:
    """Cases that do not come to what is wanted, with what they come to, or the error that is raised."""
    for name in names or iter(CASES):
        try:
            seen = asked(bare, CASES[name])
        except Exception as error:  # whatever a changed program raises: it is told
            seen = f"{type(error).__name__}: {error}"
        if seen != CASES[name].wanted:
            yield name, seen
