"""Signals as something to poll: each one that comes is a byte on a pipe."""
from __future__ import annotations

import _signal
import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CAUGHT = (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP, _signal.SIGQUIT, _signal.SIGUSR1, _signal.SIGUSR2)


class Signals:
    """While it is entered, the signals of `CAUGHT` make `descriptor` readable; `take` gives their numbers."""

    def __enter__(self) -> Signals:
        self.descriptor, self._end = posix.pipe()
        posix.set_blocking(self._end, False)
        self._before = {number: _signal.signal(number, self._came) for number in CAUGHT}
        _signal.signal(_signal.SIGPIPE, _signal.SIG_IGN)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            _signal.signal(number, handler)
        posix.close(self.descriptor)
        posix.close(self._end)

    def _came(self, number: int, _: Any) -> None:
        posix.write(self._end, bytes([number]))

    def take(self) -> list[int]:
        return list(posix.read(self.descriptor, 512))
