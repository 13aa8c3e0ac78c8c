"""A page of a Chromium without extension, into which the content program's parts are put: for cases that ask single
elements. Separate from `chrome`, because nothing of a host, a worker or a permission takes part."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fakes.engines.chromium import Chromium
from harness.engines import locate, select
from tests.stack.chrome.browser import chrome


def parts_of(source: Path, folder: Path) -> str:
    """The content program's parts by name, built from a source into a folder."""
    file = folder / "parts.js"
    node = shutil.which("node")
    assert node is not None
    words = [node, str(chrome.EXTENSION / "build.js"), "--content", str(file), str(source)]
    subprocess.run(words, check=True, timeout=120, capture_output=True)
    return file.read_text(encoding="utf-8")


class Bare:
    """The page. parts: the program that is put into what it shows."""

    def __init__(self, browser: Chromium, parts: str) -> None:
        self.browser = browser
        self.parts = parts
        self.session = ""
        self._target = ""
        self.renew()

    def renew(self) -> None:
        """Another page in the place of this one, with nothing in it of what was there."""
        before, self._target = self._target, self.browser.open()
        self.session = self.browser.attach(self._target)
        self.browser.call("Page.enable", session=self.session)
        if before:
            self.browser.call("Target.closeTarget", {"targetId": before})
        self.browser.events.clear()

    def show(self, html: str) -> None:
        frame = self.browser.call("Page.getFrameTree", session=self.session)["frameTree"]["frame"]["id"]
        self.browser.call("Page.setDocumentContent", {"frameId": frame, "html": html}, self.session)
        self.browser.evaluate(self.session, self.parts)

    def ask(self, expression: str) -> Any:
        return self.browser.evaluate(self.session, expression)


@contextmanager
def page(parts: str) -> Iterator[Bare]:
    """One such page of a browser of its own."""
    (engine,) = select("chromium")
    profile = tempfile.mkdtemp(prefix="trailcam-names-")
    browser = Chromium(str(locate(engine)), profile)
    try:
        yield Bare(browser, parts)
    finally:
        browser.close()
        shutil.rmtree(profile, ignore_errors=True)
