"""A program that was started and then listens: its port of loopback, and a process of its own for each connection.

Separate from `services`, which stand at an address for the whole run: a door is open while the program that opened it
runs, as safaridriver's is in WebDriver mode. The step is here for machines, the doors themselves are the host's.
"""
from __future__ import annotations

from harness.faults.steps import Step
from harness.serve.session import MachineFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.serve.session import Session


class Listen(Step):
    """Take connections at a port of loopback until this process ends: each is one process of `program`, which has to be
    among the sheet's `services`. Refused where nothing of the run can be connected to: in virtual runs, and alone."""

    __slots__ = __match_args__ = ("program", "port")

    def __init__(self, program: str, port: int) -> None:
        self.program = program
        self.port = port

    def apply_to(self, session: Session) -> None:
        if session.stage.open_door is None:
            seen = f"{session.program} listens on port {self.port} where no client can reach it"
            raise MachineFault(f"{seen}; expected a run of processes")
        session.stage.open_door(session.p, self.program, self.port)
