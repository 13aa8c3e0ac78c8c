"""Exclusive work on one application: waiting a stated time for the user's kernel lock."""

from __future__ import annotations

from hashlib import sha256

import anyio

from stack.computer_use.settings import Deadlines
from stack.contract import Host, Lease
from stack.errors import CallError, SetupError


def lock_name(bundle_id: str) -> str:
    """One file name per application, whatever the identifier's length and letters: 79 bytes."""
    return f"app-{sha256(bundle_id.casefold().encode('utf-8', 'surrogatepass')).hexdigest()}.lock"


async def take_lease(host: Host, bundle_id: str, deadlines: Deadlines, until: float) -> Lease:
    """The lease on an application. CallError(app_busy), which names it, when the wait is over at `until`, a time of
    the stack's clock."""
    name = lock_name(bundle_id)
    while True:
        try:
            lease = host.try_lock(name)
        except OSError as error:
            raise SetupError(
                "state_unwritable", f"the lock of {bundle_id} can't be taken ({error.strerror})"
            ) from error
        if lease is not None:
            return lease
        if anyio.current_time() >= until:
            raise CallError("app_busy", f"other work on {bundle_id} has not ended within {deadlines.lock} ms")
        await anyio.sleep(deadlines.lock_retry / 1000)
