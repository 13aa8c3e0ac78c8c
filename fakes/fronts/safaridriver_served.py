"""safaridriver as a run of processes has it: with `-p PORT` it listens, and each connection is one of WebDriver's.

Separate from `safaridriver`, which is complete without a network. In WebDriver mode the end of stdin means nothing to
it. The one session that it has is over when it ends; what a client that never ended the session leaves behind is then
still there: its window.
"""

from __future__ import annotations

from fakes.fronts.safaridriver import SafariDriver
from harness.serve.door import Listen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.fronts.safaridriver_arguments import Wanted
    from harness.faults.steps import Handler
    from harness.serve.machine import Given

CONNECTION = "webdriver"
"""Program that a connection is a process of."""


class ServedSafariDriver(SafariDriver):
    """See the module."""

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self._listens = False

    def webdriver(self, wanted: Wanted) -> Handler:
        assert wanted.port is not None, "read_arguments asks for webdriver by its port"
        self._listens = True
        yield Listen(CONNECTION, wanted.port)

    def ended(self, wire: str) -> Handler:
        if not self._listens:
            yield from super().ended(wire)

    def gone(self) -> None:
        if self._listens:
            self.world.webdriver = None  # type: ignore[attr-defined]
