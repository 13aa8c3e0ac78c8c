"""A real program behind the same shell: frames pass through, so that a fault plan works on it as on a fake."""
from __future__ import annotations

from harness.faults.steps import Close, Exit, Send, Signal, Start, Wait
from harness.serve.machine import Silent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.steps import Handler
    from harness.serve.machine import Given
    from harness.wire.frame import Frame

REAL = "real"
HELD_MS = 1000
"""How long the output of a program that has ended may be held open by its children."""


class Proxy(Silent):
    """Passes everything on between a client and the real program.

    settings: `path` (absolute path of the real program) and `dialect` (of its stdio; default raw).
    """

    moments = ()

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        dialect = str(given.settings.get("dialect", "raw"))
        self.wires: Mapping[str, str] = {"stdio": dialect, REAL: dialect}
        self._drained = False
        self._status: int | None = None
        self._path = str(given.settings["path"])

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        yield Start(REAL, self._path, argv, env)

    def received(self, wire: str, frame: Frame) -> Handler:
        yield Send(frame.raw, "stdio" if wire == REAL else REAL)

    def ended(self, wire: str) -> Handler:
        yield Close("stdio") if wire == REAL else Close(REAL)
        if wire == REAL:
            self._drained = True
            if self._status is not None:
                yield Exit(self._status)

    def reaped(self, wire: str, status: int) -> Handler:
        self._status = status
        if not self._drained:
            yield Wait(HELD_MS)
        yield Exit(status)

    def signalled(self, number: int) -> Handler:
        yield Signal(REAL, number)
