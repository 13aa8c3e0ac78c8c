"""Which page an URL leads to: the definitions of a run sheet, the pages that a browser makes itself, and failures."""

from __future__ import annotations

from fakes.settings import SettingsProblem
from fakes.worlds.page import Definition
from fakes.worlds.page_url import BLANK, normal, origin, page_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.wire.jsontext import Json

ERROR_URL = "safari-resource:/ErrorPage.html"
ERROR_TITLE = "Failed to open page"
FAILURES = {
    "host": "Safari Can’t Find the Server",
    "refused": "Safari Can’t Connect to the Server",
    "certificate": "This Connection Is Not Private",
}
"""Heading of the error page. Sources: Safari's own pages, by memory; no recording."""


class Pages:
    """given: URL, or prefix with `*`, -> a page, or a list of pages for the first load, the second, ..."""

    def __init__(self, given: Json) -> None:
        assert isinstance(given, dict)
        self._exact: dict[str, list[Definition]] = {}
        self._prefixes: list[tuple[str, list[Definition]]] = []
        self._loads: dict[str, int] = {}
        for url, pages in given.items():
            many = pages if isinstance(pages, list) else [pages]
            if not many or "#" in url or origin(url) == "null":
                expected = "an http or https URL without fragment, and a page"
                raise SettingsProblem(f"page {url!r}", expected, "correct it")
            definitions = [Definition(page, f"world.pages[{url!r}]") for page in many]
            if url.endswith("*"):
                self._prefixes.append((normal(url[:-1]), definitions))
            else:
                self._exact[normal(url)] = definitions
        self._prefixes.sort(key=lambda row: -len(row[0]))
        self._origins = {origin(url) for url in (*self._exact, *(prefix for prefix, _ in self._prefixes))}
        self._blank = Definition({"load_ms": 0, "commit_ms": 0}, BLANK)
        self._missing = Definition({"title": "404 Not Found", "status": 404, "body": ["Not Found"]}, "404")
        self.errors = {
            why: Definition(
                {"title": ERROR_TITLE, "fails": why, "load_ms": 0, "body": [{"tag": "h1", "text": text}]}, why
            )
            for why, text in FAILURES.items()
        }

    def all(self) -> dict[str, list[Definition]]:
        """Every definition, by the URL or prefix (with `*`) that it stands under."""
        return {**self._exact, **{f"{prefix}*": pages for prefix, pages in self._prefixes}}

    def look_up(self, url: str) -> Definition:
        """What the server of an URL has, counted as one load of it."""
        key = normal(page_of(url))
        if key.startswith("about:"):
            return self._blank
        found = self._exact.get(key)
        if found is None:
            found = next((pages for prefix, pages in self._prefixes if key.startswith(prefix)), None)
        if found is None:
            return self._missing if origin(key) in self._origins else self.errors["host"]
        nth = self._loads.get(key, 0)
        self._loads[key] = nth + 1
        return found[min(nth, len(found) - 1)]
