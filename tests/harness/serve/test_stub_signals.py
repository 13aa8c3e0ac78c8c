from __future__ import annotations

import os
import select
import signal

from harness.serve.stub_signals import Signals


def test_signals_become_readable_and_handlers_are_given_back() -> None:
    before = signal.getsignal(signal.SIGUSR1)
    with Signals() as signals:
        assert not select.select([signals.descriptor], [], [], 0)[0]
        os.kill(os.getpid(), signal.SIGUSR1)
        assert select.select([signals.descriptor], [], [], 5)[0]
        assert signals.take() == [signal.SIGUSR1]
    assert signal.getsignal(signal.SIGUSR1) == before
