"""One engine for all runs of a child: its start costs more than a run. A run gets a world to which it is lent.

An engine that a run has ended is started anew for the next one. The bound of memory that a child has is lifted: an
engine takes more addresses than that, and little memory.
"""
from __future__ import annotations

import resource
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from harness.campaign.scripts.programs import MARK
from harness.serve.dotted import resolve
from harness.subjects import Backing

WRAPPED = (
    "const value = (function () {{ {} }}).apply(null, arguments);"
    f" return [value, Array.from(globalThis[Symbol.for('{MARK}')] || [])];"
)


class Lender:
    """Makes worlds in place of a backing's own, all on one engine."""

    def __init__(self, backing: Backing) -> None:
        self._engine_of = resolve(backing.engine)
        self._world_of = resolve(backing.world)
        self._engine: Any = None

    def __call__(self, record: Any, settings: Any) -> Any:
        if self._engine is None or not self._engine.is_up:
            self._engine = self._engine_of({}, waits=False)
            self._engine.start()
        return self._world_of(record, settings, engine=self._engine)

    def end(self) -> None:
        if self._engine is not None:
            self._engine.close()


@contextmanager
def lent(backing: Backing | None) -> Iterator[None]:
    """Meanwhile every run on this engine, in this process, shares one."""
    if backing is None:
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    module, _, name = backing.world.partition(":")
    lender = Lender(backing)
    own = resolve(backing.world)
    setattr(sys.modules[module], name, lender)
    try:
        yield
    finally:
        setattr(sys.modules[module], name, own)
        lender.end()


@contextmanager
def listening(backing: Backing, reached: set[int]) -> Iterator[Collection[int]]:
    """Meanwhile what counted programs say in pages (programs.counter) is added to `reached`."""
    engine = resolve(backing.engine)
    own = engine.evaluate

    def evaluate(self: Any, handle: str, script: str, *arguments: Any) -> Any:
        if MARK not in script:
            return own(self, handle, script, *arguments)
        value, seen = own(self, handle, WRAPPED.format(script), *arguments)
        reached.update(seen)
        return value

    engine.evaluate = evaluate
    try:
        yield reached
    finally:
        engine.evaluate = own
