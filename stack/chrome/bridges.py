"""The native hosts that a server is connected to, found anew with each request; one that failed is left alone a while.

Separate from one connection. Nothing is dialled unless a request needs it, so a server that is idle holds no claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import anyio
from anyio.abc import TaskGroup

from stack.chrome.bridge import Bridge, BridgeError, connect
from stack.chrome.endpoint import Endpoint, abandon, endpoints, notices, unpost, withdraw
from stack.chrome.timing import backoff_ms
from stack.contract import Host, Json

SERVER_DIGITS: Final = 32


@dataclass(slots=True)
class Failed:
    """A host that could not be connected to. times: in a row; until: when it is tried again (seconds of the clock)."""

    times: int
    until: float
    error: BridgeError


class Bridges:
    """told: called with (bridge, event, data). A bridge is open until its connection ends or the server does."""

    def __init__(self, host: Host, tasks: TaskGroup, told: Callable[[Bridge, str, Mapping[str, Json]], None]) -> None:
        self.open: dict[str, Bridge] = {}
        self.seen: set[int] = set()
        """Numbers of browser processes that have been connected in this server's life."""
        self._host = host
        self._tasks = tasks
        self._told = told
        self._server = host.token(SERVER_DIGITS)
        self._failed: dict[str, Failed] = {}
        self._noticed: set[int] = set()
        self._one = anyio.Lock()

    async def now(self) -> list[Bridge]:
        """Every host that can be connected to now, in the order of their endpoints."""
        async with self._one:
            found = endpoints(self._host)
            for endpoint in found:
                if endpoint.id not in self.open:
                    await self._try(endpoint)
            known = {endpoint.id for endpoint in found}
            for id in [id for id in self._failed if id not in known]:
                del self._failed[id]
            bridges = [self.open[endpoint.id] for endpoint in found if endpoint.id in self.open]
            return [bridge for bridge in bridges if bridge.closed is None]

    def failure(self, browser: int | None = None) -> BridgeError | None:
        """Why a host (of this browser process) could not be connected to, where one is known: by this server's own
        failure, or because it refused its extension and ended."""
        by_id = {endpoint.id: endpoint for endpoint in endpoints(self._host)}
        for id, failed in self._failed.items():
            if id in by_id and browser in (None, by_id[id].browser):
                return failed.error
        try:
            refused = [notice for notice in notices(self._host) if browser in (None, notice.browser)]
        except OSError:
            return None  # nobody can say which browsers run
        self._noticed |= {notice.browser for notice in refused}
        return BridgeError("protocol_mismatch", refused[0].message) if refused else None

    async def _try(self, endpoint: Endpoint) -> None:
        failed = self._failed.get(endpoint.id)
        if failed is not None and anyio.current_time() < failed.until:
            return
        times = failed.times + 1 if failed is not None else 1
        try:
            bridge = await connect(
                self._host, endpoint, self._server, lambda event, data: self._told(bridge, event, data)
            )
        except (ConnectionRefusedError, FileNotFoundError):
            withdraw(self._host, endpoint)  # nobody listens: its host was killed
            self._failed.pop(endpoint.id, None)
        except BridgeError as error:
            self._failed[endpoint.id] = Failed(times, anyio.current_time() + backoff_ms(times) / 1000, error)
        except OSError as error:
            problem = BridgeError("bridge_disconnected", f"the host's socket can't be used ({type(error).__name__})")
            self._failed[endpoint.id] = Failed(times, anyio.current_time() + backoff_ms(times) / 1000, problem)
        else:
            self._failed.pop(endpoint.id, None)
            self.open[endpoint.id] = bridge
            self.seen.add(endpoint.browser)
            self._tasks.start_soon(self._run, bridge)

    async def _run(self, bridge: Bridge) -> None:
        try:
            await bridge.run()
        finally:
            self.open.pop(bridge.endpoint.id, None)

    async def end(self) -> None:
        """Close every connection for good. What killed hosts of browsers that have ended left goes too: no other host
        may come to take it away."""
        await self.aclose()
        with suppress(OSError):  # where processes can't be listed nobody knows which browsers run
            abandon(self._host)

    async def aclose(self) -> None:
        """Close every connection. A notice goes with the server that has read it: the next host leaves another."""
        for browser in self._noticed:
            unpost(self._host, browser)
        for bridge in list(self.open.values()):
            await bridge.aclose()
