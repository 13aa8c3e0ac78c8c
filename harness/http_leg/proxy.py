"""The process of an HTTP leg: mitmproxy with one addon of ours. Run as a script, by the interpreter that has mitmproxy.

    python harness/http_leg/proxy.py '{"mode": "record", "port": 0, "upstream": "http://127.0.0.1:8000", "tape": ...}'

The one module that knows mitmproxy, which is imported when it runs. The first line of stdout says the port. In replay
no connection to a server is ever made: every request is answered by the player before mitmproxy would connect, and a
connection that mitmproxy tries all the same is refused.
"""
from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Mapping
from importlib import import_module
from typing import Any

if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from harness.http_leg.messages import Headers, Request, Response
from harness.http_leg.player import Player, open_player
from harness.http_leg.recorder import Leg, Recorder, open_recorder
from harness.problem import Problem
from harness.tape.problem import TapeProblem
from harness.wire.jsontext import dumps, loads

MISSED = 70
"""Exit code where a replay was not the recorded session, as the player of processes has it."""
INCOMPLETE = 3
BODY_LIMIT = "16m"
NOWHERE = "http://127.0.0.1:9"
"""What a replay stands in for: the discard port, which it never dials."""
DROPPED = ("connection", "keep-alive", "proxy-connection", "transfer-encoding", "content-length", "te", "upgrade")
"""Headers that belong to one connection, or that follow from the body."""


def headers_of(message: Any) -> Headers:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in message.headers.fields)


def request_of(flow: Any) -> Request:
    message = flow.request
    return Request(message.method, message.url, headers_of(message), message.raw_content or b"")


def response_of(flow: Any) -> Response:
    """Without its content coding, in which no secret could be found."""
    message = flow.response.copy()
    message.decode(strict=False)
    return Response(message.status_code, headers_of(message), message.raw_content or b"")


class Recording:
    """The addon of a recording: everything goes to the upstream and back."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._open: dict[str, Any] = {}
        self.status = 0

    def request(self, flow: Any) -> None:
        self._open[flow.id] = self._recorder.asked(request_of(flow))
        flow.request.headers["accept-encoding"] = "identity"

    def response(self, flow: Any) -> None:
        asked = self._open.pop(flow.id, None)
        if asked is not None:
            self._recorder.answered(asked, response_of(flow))

    def error(self, flow: Any) -> None:
        asked = self._open.pop(flow.id, None)
        if asked is not None:
            self._recorder.answered(asked, None, f"no reply came: {flow.error.msg}")

    def done(self) -> None:
        self.status = 0 if self._recorder.end() else INCOMPLETE


class Replaying:
    """The addon of a replay: everything is answered here."""

    def __init__(self, player: Player, make: Any) -> None:
        self._player = player
        self._make = make
        self.status = 0

    def request(self, flow: Any) -> None:
        answer = self._player.answer(request_of(flow))
        if answer is None:
            flow.kill()
            return
        kept = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers
                if name.lower() not in DROPPED]  # fmt: skip
        flow.response = self._make(answer.status, answer.body, kept)

    def server_connect(self, data: Any) -> None:
        data.server.error = "a replay never connects to a server"

    def done(self) -> None:
        for problem in self._player.problems:
            print(f"trailcam http replay: {problem}", file=sys.stderr)
            self.status = MISSED


class Announcing:
    """Says the port when connections are taken."""

    def __init__(self, master: Any) -> None:
        self._master = master

    def running(self) -> None:
        port = self._master.addons.get("proxyserver").listen_addrs()[0][1]
        print(dumps({"port": port}), flush=True)


def addon_of(settings: Mapping[str, Any]) -> Any:
    """The addon that the settings ask for. Raises Problem."""
    if settings["mode"] == "record":
        leg = Leg(**{name: settings[name] for name in ("program", "leg", "redact", "strength")},
                  products=[tuple(product) for product in settings["products"]])  # fmt: skip
        recorder = open_recorder(settings["tape"], leg, os.environ)
        recorder.begin()
        return Recording(recorder)
    player = open_player(settings["tape"], settings["leg"], settings["ignore"])
    return Replaying(player, import_module("mitmproxy.http").Response.make)


async def serve(settings: Mapping[str, Any], addon: Any, folder: str) -> None:
    """Run mitmproxy until SIGTERM or SIGINT. folder: for the certificates that it makes."""
    options = import_module("mitmproxy.options").Options(
        listen_host="127.0.0.1", listen_port=settings["port"], confdir=folder,
        mode=[f"reverse:{settings.get('upstream') or NOWHERE}"],
    )  # fmt: skip
    master = import_module("mitmproxy.tools.dump").DumpMaster(options, with_termlog=False, with_dumper=False)
    options.update(connection_strategy="lazy", body_size_limit=BODY_LIMIT, validate_inbound_headers=True)
    master.addons.add(addon, Announcing(master))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, master.shutdown)
    await master.run()


def main(words: list[str]) -> int:
    """Serve with the settings in the one argument. The exit code."""
    settings: Any = loads(words[0])
    try:
        addon = addon_of(settings)
    except (Problem, TapeProblem) as problem:
        print(f"trailcam http {settings['mode']}: {problem}", file=sys.stderr)
        return problem.exit_code
    with tempfile.TemporaryDirectory(prefix="tc") as folder:
        try:
            asyncio.run(serve(settings, addon, folder))
        except (OSError, SystemExit) as error:
            print(f"trailcam http {settings['mode']}: could not listen: {error}", file=sys.stderr)
            return INCOMPLETE
    return int(addon.status)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
