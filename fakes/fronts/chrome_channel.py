"""One native messaging port of the fake browser: the bytes between its extension and our host, and how it ends.

A channel (harness/serve/channel.py): the other end of its stdio is our real host. Native messaging is Chrome's, by the
rows of `chrome_native`; what the messages mean is `chrome_extension`'s.
"""

from __future__ import annotations

from fakes.fronts.chrome_extension import VERBS, Extension, Failed
from fakes.fronts.chrome_native import BROKEN, EXITED, KILLED_AFTER_MS, is_dropped, is_fatal
from fakes.fronts.chrome_params import misfit
from harness.faults.steps import At, Close, Exit, Send, Signal, Until, Wait
from harness.serve.machine import Silent
from harness.wire import codec
from harness.wire.jsontext import JsonTextError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from fakes.worlds.chrome import Browser, Chrome, Profile
    from harness.faults.steps import Handler
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

SIGKILL = 9
LENGTH_BYTES = 4
STEP_MS = 50
LEFT_ALONE_MS = 1000


def delivered(frame: Frame) -> Json:
    """What the extension gets of a message that is not dropped: bytes that are no UTF-8 replaced (row 14). Raises
    JsonTextError where those stood outside of its texts: then it is no JSON, and dropped too (row 11)."""
    if frame.problem is None or frame.problem.code != "not_utf8":
        return frame.value
    return loads(frame.raw[LENGTH_BYTES:].decode("utf-8", "replace"))


class Channel(Silent):
    """See the module. Its environment says which browser and profile it belongs to; its host gets none of that."""

    wires: Mapping[str, str] = {"stdio": "bridge"}
    moments: Sequence[str] = ("received", "before_effect", "after_effect", "answered")

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.world: Chrome = given.world
        self.p = given.p
        self.extension: Extension | None = None
        self.browser: Browser | None = None
        self.profile: Profile | None = None
        self.protocol: int | None = None
        """Spoken since the host's hello."""
        self.host_ended = False
        self._encoder = codec("bridge", "<<")
        self._closing = self._free = False
        self._asked: dict[str, bool] = {}
        """Id of a request in flight -> whether it was taken back."""

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        browser = self.browser = self.world.browsers[int(env["browser"])]
        profile = self.profile = browser.profiles[int(env["profile"])]
        profile.channel, profile.opening = self.p, False
        profile.hosts += 1
        self.world.note("held", p=self.p, what="child", id=profile.host)
        self.extension = Extension(self.world, browser, profile, self.p)
        yield self._send(self.extension.hello())
        yield from self._until_told(profile)

    def _until_told(self, profile: Profile) -> Handler:
        """Events go out, and orders are carried out, as they come."""
        while not self._closing:
            while profile.events:
                yield self._send(profile.events.pop(0))
            while profile.orders and not self._closing:
                yield from self._obey(profile.orders.pop(0))
            if not self._closing:
                yield Until(f"channel:{self.p}")

    def _send(self, value: Json) -> Send:
        return Send(self._encoder.encode(value))

    def _obey(self, order: str) -> Handler:
        if order == "kill host":
            yield Signal("host", SIGKILL)
        elif order in ("close browser", "browser gone"):  # the host is never killed, row 21
            yield from self._leave(order == "close browser")
        elif order == "disconnect":
            yield self._send({"v": 1, "type": "event", "event": "disconnecting", "data": {}})
            yield from self._close("")
        else:
            if order == "no hello" and self.profile is not None:
                self.profile.errors.append("protocol_mismatch")
                self.profile.refused()
            yield from self._close("")

    def _leave(self, in_order: bool) -> Handler:
        """The browser ends: the host sees the end of its input, and nobody waits for it or kills it."""
        self._closing = True
        self._over()
        yield Close("stdio", "out")
        waited = 0
        while in_order and not self.host_ended and waited < LEFT_ALONE_MS:  # its end is to be seen, if it comes soon
            yield Wait(STEP_MS)
            waited += STEP_MS
        self._let_go()
        yield Exit(0)

    def gone(self) -> None:
        self._let_go()

    def _let_go(self) -> None:
        """The host is nobody's any more."""
        if not self._free and self.profile is not None and self.browser is not None:
            self._free = True
            self.profile.hosts -= 1
            self.world.wake(f"hosts:{self.browser.number}")

    def _over(self) -> None:
        if self.browser is not None and self.profile is not None and self.profile.channel == self.p:
            self.world.disconnected(self.browser, self.profile)

    def _close(self, error: str) -> Handler:
        """The port is closed: the host sees the end of its input, and is killed where it does not end (row 17)."""
        if self._closing:
            return
        self._closing = True
        if error and self.profile is not None:
            self.profile.errors.append(error)
        self._over()
        yield Close("stdio", "out")
        waited = 0
        while not self.host_ended and waited < KILLED_AFTER_MS:
            yield Wait(STEP_MS)
            waited += STEP_MS
        if not self.host_ended:
            yield Signal("host", SIGKILL)
            while not self.host_ended:
                yield Wait(STEP_MS)
        self._let_go()
        yield Exit(0)

    # The host

    def received(self, wire: str, frame: Frame) -> Handler:
        if self._closing or is_dropped(frame):
            return
        if is_fatal(frame):
            yield from self._close(BROKEN)
            return
        try:
            message = delivered(frame)
        except JsonTextError:
            return
        assert self.browser is not None
        assert self.profile is not None
        self.profile.delivered.append(message)
        if not isinstance(message, dict) or self.browser.values["takes"] == "anything":
            return
        yield At("received", {"type": message.get("type")})
        kind = message.get("type")
        if self.protocol is None:
            yield from self._greeted(message)
        elif kind == "request":
            yield from self._request(message)
        elif kind == "ping":
            yield self._send({"v": 1, "type": "pong", "n": message.get("n")})
        elif kind not in ("pong",):
            yield from self._violated("a message that the host may not send")

    def _greeted(self, message: Mapping[str, Any]) -> Handler:
        assert self.browser is not None
        assert self.profile is not None
        low, high = self.browser.values["protocol"]
        protocol = message.get("protocol")
        fits = type(protocol) is int and low <= protocol <= high
        if message.get("type") == "hello" and message.get("role") == "host" and fits:
            self.protocol = protocol
            self.profile.connected = True
            self.profile.connections += 1
            self.world.note("changed", what={"connected": self.p}, by="page")
            self.world.wake(f"channel:{self.p}")
            return
        self.profile.errors.append("protocol_mismatch")
        self.profile.refused()
        yield from self._close("")

    def _violated(self, why: str) -> Handler:
        self.world.note("violation", p=self.p, why=why)
        yield from self._close("")

    def _request(self, message: Mapping[str, Any]) -> Handler:
        assert self.extension is not None
        id, verb, params = message.get("id"), message.get("verb"), message.get("params")
        deadline_ms = message.get("deadline_ms")
        if not isinstance(id, str) or not isinstance(params, dict) or not isinstance(deadline_ms, int):
            yield from self._violated("a request of another form")
        elif verb == "cancel":
            found = params.get("id") in self._asked
            if found:
                self._asked[str(params["id"])] = True
            yield self._send({"v": 1, "type": "response", "id": id, "ok": True, "result": {"cancelled": found}})
        elif verb not in VERBS:
            yield from self._violated("a verb that there is not")
        else:
            self._asked[id] = False
            yield from self._answer(self.extension, id, str(verb), params, deadline_ms)

    def _answer(
        self, extension: Extension, id: str, verb: str, params: Mapping[str, Any], deadline_ms: float
    ) -> Handler:
        try:
            wrong = misfit(verb, params)
            if wrong is not None:
                raise Failed("invalid_message", f"{verb}: {wrong} does not fit", {"path": wrong})
            result = yield from extension.answer(verb, params, deadline_ms)
        except Failed as failed:
            error: dict[str, Json] = {"reason": failed.reason, "message": failed.message}
            if failed.detail:
                error["detail"] = failed.detail
            answer: dict[str, Json] = {"v": 1, "type": "response", "id": id, "ok": False, "error": error}
        else:
            answer = {"v": 1, "type": "response", "id": id, "ok": True, "result": result}
        self._asked.pop(id, None)
        if not self._closing:
            yield self._send(answer)
            yield At("answered", {"verb": verb})

    def ended(self, wire: str) -> Handler:
        """The host has closed its output: whatever it does besides, it has exited (rows 5 and 15)."""
        yield from self._close(EXITED)

    def reaped(self, wire: str, status: int) -> Handler:
        self.host_ended = True
        yield Wait(STEP_MS)  # what it had written is read first (row 6)
        yield from self._close(EXITED)
