"""A served Safari stack, the stage of its driver, and a judge at a real port of this machine, in the test's process."""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from fakes.programs import PROGRAMS
from harness.serve.dotted import Resolved, resolve
from harness.serve.hosted import Hosted
from harness.serve.launch import make_folder, remove_folder
from harness.serve.services import Services
from harness.serve.sockets import Socket
from harness.serve.stage import Stage
from harness.tape.event import get_bytes
from tests.stack.outsiders.staging import Served

JUDGE = "tcp:127.0.0.1:8791"
"""The judge's address in the run sheet; the port that is really listened on is another."""
KEY = "key-of-the-judge-73"
PATHS: Mapping[str, str] = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}
SHOP = "http://shop.test/"
PAGES: Mapping[str, Any] = {
    SHOP: {
        "title": "Shop",
        "body": [
            {
                "id": "buy",
                "tag": "button",
                "text": "Buy",
                "on": {"click": [{"set": {"node": "note", "text": "bought"}}]},
            },
            {"id": "name", "tag": "input", "attributes": {"type": "text", "aria-label": "Name"}},
            {"id": "note", "tag": "p", "text": "nothing yet"},
        ],
    }
}
MODEL, WEBKIT = "fakes.worlds.safari:Safari", "fakes.worlds.safari_webkit:SafariOnWebKit"


class SafariServed(Served):
    """judge: the options that name it, its key in a file among them; () for a stack without one."""

    def __init__(self, stage: Stage, folder: Path, state: Path, judge: tuple[str, ...]) -> None:
        super().__init__(stage, folder, state)
        self.judge = judge

    def command(self, *options: str, verb: str = "serve") -> list[str]:
        words = super().command(*options, *self.judge, verb=verb)
        words[words.index("computer-use")] = "safari-mcp"
        return words

    def questions(self) -> list[dict[str, Any]]:
        """What the judge was asked: the bodies of its requests."""
        judges = {event["p"] for event in self.stage.journal if event["e"] == "started" and event["program"] == "judge"}
        sent: dict[Any, bytes] = {}
        for event in self.stage.journal:
            if event["e"] == "bytes" and event["p"] in judges and event["s"] == "in":
                sent[event["p"]] = sent.get(event["p"], b"") + get_bytes(event)
        return [json.loads(data.partition(b"\r\n\r\n")[2]) for data in sent.values()]


@asynccontextmanager
async def staged_safari(
    style: str = "", *, judge: Mapping[str, Any] | None = None, world: str = MODEL
) -> AsyncIterator[SafariServed]:
    """A fake driver, and a judge that is asked in that style, or none. At the end nothing may run any more."""
    programs = {"safaridriver": {"profile": "27.0"}, "judge": {"key": KEY, "think_ms": 1, **(judge or {})}}
    sheet = {
        "v": 1, "seed": 1, "programs": programs, "services": {"judge": JUDGE},
        "world": {"pages": dict(PAGES), "needs": True},
    }  # fmt: skip
    folder, state = make_folder(("safaridriver",)), Path(tempfile.mkdtemp(prefix="tc"))
    stage = Stage(sheet, Resolved(PROGRAMS), resolve(world), clock=trio.current_time, may_block=True)  # type: ignore[arg-type]
    try:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        async with listener, trio.open_nursery() as nursery:
            await nursery.start(Hosted(stage, folder).serve)
            nursery.start_soon(_accept, listener, Services(stage, nursery))
            url = f"http://127.0.0.1:{listener.socket.getsockname()[1]}{PATHS.get(style)}"
            served = SafariServed(stage, folder, state, _options(style, url, state) if style else ())
            yield served
            await served.until(lambda: not stage.living())
            nursery.cancel_scope.cancel()
        assert served.running() == []
    finally:
        getattr(stage.world, "close", lambda: None)()  # the engine, where there is one
        remove_folder(folder)
        remove_folder(state)


def _options(style: str, url: str, folder: Path) -> tuple[str, ...]:
    key = folder / "key"
    key.write_text(f"{KEY}\n", encoding="ascii")
    key.chmod(0o600)
    return ("--judge-style", style, "--judge-url", url, "--judge-model", "guard", "--judge-key-file", str(key))


async def _accept(listener: trio.SocketListener, services: Services) -> None:
    while True:
        stream = await listener.accept()
        services.serve(await services.connect(JUDGE), Socket(stream.socket))
