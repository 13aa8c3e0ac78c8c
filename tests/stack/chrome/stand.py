"""A Chrome stack over a host whose extension is played by hand, and a desktop that is set by a test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio

from stack.chrome import open
from stack.chrome.desktop import DesktopError, Thing, Window
from stack.chrome.driver import Chrome
from stack.chrome.settings import Settings
from stack.contract import Reply
from tests.stack.chrome.rig import DOCUMENT, Nobody, Rig, Started, play, snapshot

ROW = {"window_id": 1, "tab_id": 1, "active": True, "focused": True, "state": "enabled", "reason": None,
       "url": "https://a.test/", "title": "A"}  # fmt: skip
PLACE = {"tab_id": 1, "frame_id": 0, "document_id": DOCUMENT}
CLICKED = {"route": "chrome_dom", "effect": ["content"], "target": PLACE}
FRONT = Window(1, 7, "Chrome", True, "point")


def thing(id: str, name: str = "A", **more: Any) -> Thing:
    return Thing(id, more.get("role", "button"), name, None, ("activate",), {"x": 10, "y": 20, "w": 30, "h": 40})


class SetDesktop:
    """What the system gives. Values that are errors are raised; done: what was asked of it."""

    def __init__(self) -> None:
        self.fronts: Any = [FRONT]
        self.browser: Any = []
        self.page: Any = []
        self.words: Any = DesktopError("unavailable", "no")
        self.image: Any = DesktopError("unavailable", "no")
        self.clicks: Any = None
        self.presses: Any = None
        self.done: list[Any] = []
        self.after: Callable[[], None] = lambda: None

    def _give(self, value: Any) -> Any:
        if isinstance(value, DesktopError):
            raise value
        return value

    async def windows(self) -> Any:
        return self._give(self.fronts)

    async def read(self, window: int, part: str) -> Any:
        return list(self._give(self.browser if part == "browser" else self.page))

    async def recognise(self, window: int) -> Any:
        return list(self._give(self.words))

    async def picture(self, window: int) -> Any:
        return self._give(self.image)

    async def press(self, window: int, node: str) -> None:
        self._give(self.presses)
        self.done.append((window, node))
        self.after()

    async def click(self, window: int, x: float, y: float) -> None:
        self._give(self.clicks)
        self.done.append((window, x, y))
        self.after()


class Stand:
    """stack: opened; started: the extension's end."""

    def __init__(self, rig: Rig, stack: Chrome, desktop: SetDesktop, started: Started | None) -> None:
        self.rig, self.stack, self.desktop = rig, stack, desktop
        self._started = started

    @property
    def started(self) -> Started:
        assert self._started is not None
        return self._started

    async def call(self, tool: str, **arguments: Any) -> Reply:
        return await self.stack.call(tool, arguments, Nobody())

    async def read(self, *names: str, **arguments: Any) -> Reply:
        """ax_read of a page with these buttons."""
        return await self.while_(self.call("ax_read", **arguments), self.listed(), self.answer(snapshot(*names)))

    async def listed(self, *rows: Mapping[str, Any]) -> None:
        await self.answer({"targets": [*rows] or [ROW]})

    async def answer(self, result: Any) -> None:
        await self.started.answer(result)

    async def fail(self, reason: str, **detail: Any) -> None:
        await self.started.fail(reason, **detail)

    async def while_(self, call: Awaitable[Reply], *script: Awaitable[None]) -> Reply:
        """A call, while the extension does this."""
        found: list[Reply] = []

        async def run() -> None:
            found.append(await call)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            for each in script:
                await each
        return found[0]


def stand(body: Callable[[Stand], Awaitable[None]], *, connected: bool = True, **settings: Any) -> None:
    """Run a test's body."""

    async def main(rig: Rig) -> None:
        started = await rig.start(parent=7) if connected else None
        made = Settings(**{"registered": lambda: ("chrome",), **settings})
        async with open(rig.host(), made) as stack:
            desktop = SetDesktop()
            stack._reader._desktop = desktop  # type: ignore[assignment]
            stack._actor._desktop = desktop  # type: ignore[assignment]
            await body(Stand(rig, stack, desktop, started))

    play(main)
