"""How `codex app-server` says something: replies, notifications, requests of its own, its log, and flagged violations.

Members stand in the order of the real one: replies `id, result`, errors `error, id`, notifications `method, params`
and, on the newer version, `emittedAtMs`. There is no `jsonrpc` member, and text that is not ASCII is sent raw.
"""

from __future__ import annotations

from fakes.fronts.codex_thread import EPOCH_S
from harness.faults.steps import Send
from harness.wire.jsontext import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from fakes.fronts.codex import AppServer
    from harness.faults.steps import Handler, Step
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json


class Output:
    """One process's way of speaking. Nothing goes out after the client has closed its end."""

    __slots__ = ("_server", "_emitted", "_next_request")

    def __init__(self, server: AppServer) -> None:
        self._server = server
        self._emitted = 0
        self._next_request = 0

    def reply(self, id: Json, members: dict[str, Json]) -> Handler:
        """Answer a request: members is `{"result": …}` or `{"error": …}`."""
        self._server.open.discard(repr(id))
        ordered = {**members, "id": id} if "error" in members else {"id": id, **members}
        yield from self._send(ordered)

    def refuse(self, id: Json, code: int, message: str) -> Handler:
        yield from self.reply(id, {"error": {"code": code, "message": message}})

    def notify(self, method: str, params: Json) -> Handler:
        """A notification, but for those that the client opted out of."""
        unwanted = self._server.capabilities.get("optOutNotificationMethods")
        if isinstance(unwanted, list) and method in unwanted:
            return
        frame: dict[str, Json] = {"method": method, "params": params}
        if self._server.profile.stamps:
            self._emitted += 1
            frame["emittedAtMs"] = EPOCH_S * 1000 + self._emitted
        yield from self._send(frame)

    def ask(self, method: str, params: Json) -> Generator[Step, Any, int]:
        """A request of the server's own: its id, an integer from 0."""
        id, self._next_request = self._next_request, self._next_request + 1
        yield from self._send({"method": method, "id": id, "params": params})
        return id

    def log(self, where: str, text: str) -> Send:
        """One line of the log on standard error. The clock stands still."""
        return Send(f"2026-01-01T00:00:00.000000Z ERROR {where}: {text}\n".encode(), stream="err")

    def violation(self, why: str, frame: Frame) -> None:
        """What the client did is wrong, although the real server does not say so."""
        server = self._server
        if server.settings["strict"]:
            id = frame.id if isinstance(frame.id, str | int) else None
            server.world.note("violation", p=server.p, why=why, frame={"method": frame.method, "id": id})

    def _send(self, value: dict[str, Json]) -> Handler:
        if not self._server.closing:
            yield Send(encode(value) + b"\n")
