"""The page of a live run: what is served, to whom, and that the fakes' world has the same page."""
from __future__ import annotations

from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import trio
import yaml
from trio.testing import MockClock, memory_stream_pair

from harness.live.pages import ADDRESS, HEAD_LIMIT, PAGE, answer, at_port, names_page, reply, served
from harness.problem import Problem
from tests.tidy.tree import ROOT

FILE = ROOT / PAGE
SHEET: Mapping[str, Any] = {
    "steps": [{"call": {"arguments": {"url": f"http://{ADDRESS}/"}}}], "world": {f"a {ADDRESS}": 1},
}  # fmt: skip
ELSEWHERE: Mapping[str, Any] = {"steps": [{"call": {"arguments": {"url": "http://127.0.0.1:80/"}}}]}
SCENARIOS = [path for path in sorted((ROOT / "scenarios" / "live").glob("*.yaml")) if ADDRESS in path.read_text()]


def head(first: str = "GET / HTTP/1.1", host: str = "127.0.0.1:77") -> bytes:
    return f"{first}\r\nAccept: */*\r\nHost: {host}".encode()


@pytest.mark.claim("HAR-LIVE-02")
@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (head(), b"200"),
        (head("GET /other HTTP/1.1"), b"404"),
        (head("POST / HTTP/1.1"), b"404"),
        (head("GET /"), b"404"),
        (head(host="evil.test:77"), b"404"),
        (head(host="127.0.0.1:78"), b"404"),
        (b"GET / HTTP/1.1", b"404"),
        (b"", b"404"),
    ],
)
def test_nobody_gets_the_page_but_who_asks_this_address_for_it(asked: bytes, status: bytes) -> None:
    given = reply(asked, b"the page", 77)
    assert given.startswith(b"HTTP/1.1 " + status)
    assert given.endswith(b"the page") is (status == b"200")


async def fetched(port: int, host: str) -> bytes:
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    async with stream:
        await stream.send_all(b"GET / HT")
        await stream.send_all(b"TP/1.1\r\nHost: %b\r\n\r\n" % host.encode())
        return b"".join([data async for data in stream])


def port_of(sheet: Mapping[str, Any]) -> int:
    url: str = sheet["steps"][0]["call"]["arguments"]["url"]
    return int(url.removeprefix("http://127.0.0.1:").removesuffix("/"))


@pytest.mark.claim("HAR-LIVE-02", tooth="the same page asked for after the run, and by another name")
def test_the_page_is_served_while_the_run_lasts_and_no_longer() -> None:
    async def main() -> None:
        async with served(SHEET, FILE) as sheet:
            port = port_of(sheet)
            assert sheet["world"] == {f"a 127.0.0.1:{port}": 1}
            assert (await fetched(port, f"127.0.0.1:{port}")).endswith(FILE.read_bytes())
            assert (await fetched(port, "evil.test")).startswith(b"HTTP/1.1 404")
        with pytest.raises(OSError, match="all attempts to connect"):
            await trio.open_tcp_stream("127.0.0.1", port)

    trio.run(main)


def test_two_runs_at_once_have_a_port_each() -> None:
    async def main() -> None:
        async with served(SHEET, FILE) as one, served(SHEET, FILE) as other:
            assert port_of(one) != port_of(other)

    trio.run(main)


def test_a_run_that_names_no_page_has_none(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(ELSEWHERE, tmp_path / "none") as sheet:
            assert sheet is ELSEWHERE

    trio.run(main)
    assert (names_page(ELSEWHERE), names_page(SHEET)) == (False, True)
    assert at_port(ELSEWHERE, 5) == ELSEWHERE


def test_a_page_that_is_not_there_is_said(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(SHEET, tmp_path / "none"):
            raise AssertionError("nothing is served")

    with pytest.raises(Problem, match="no page at"):
        trio.run(main)


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\n", b"x" * (HEAD_LIMIT + 1)], ids=["nothing", "half", "flood"]
)
def test_what_is_no_whole_request_gets_no_answer(sent: bytes) -> None:
    async def main() -> bytes:
        ours, theirs = memory_stream_pair()
        await theirs.send_all(sent)
        await theirs.send_eof()
        await answer(ours, b"the page", 77)
        return bytes(await theirs.receive_some())

    assert trio.run(main) == b""


def test_who_never_asks_is_not_waited_for() -> None:
    async def main() -> bytes:
        ours, theirs = memory_stream_pair()
        await answer(ours, b"the page", 77)
        return bytes(await theirs.receive_some())

    assert trio.run(main, clock=MockClock(autojump_threshold=0)) == b""


def test_a_browser_that_goes_away_is_no_error() -> None:
    async def main() -> None:
        ours, theirs = memory_stream_pair()
        await theirs.send_all(head() + b"\r\n\r\n")
        await theirs.aclose()
        await answer(ours, b"the page", 77)
        with pytest.raises(trio.ClosedResourceError):
            await ours.send_all(b"more")

    trio.run(main)


class Body(HTMLParser):
    """The elements of a page below body, as a world has them: tag, id, text; and its title."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.nodes: list[dict[str, str]] = []
        self._in = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in = tag
        given = dict(attrs)
        if "id" in given:
            self.nodes.append({"tag": tag, "id": given["id"] or "", "text": ""})

    def handle_data(self, data: str) -> None:
        if self._in == "title":
            self.title += data.strip()
        elif self.nodes:
            self.nodes[-1]["text"] += data.strip()


def test_there_are_scenarios_that_load_it() -> None:
    assert len(SCENARIOS) == 3


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_fakes_world_has_the_same_page(path: Path) -> None:
    body = Body()
    body.feed(FILE.read_text())
    # its loader for texts alone: `on` is a member of a node, and no truth value
    pages = yaml.load(path.read_text(), yaml.BaseLoader)["world"]["pages"]
    [(key, page)] = [(key, each) for key, each in pages.items() if f"http://{ADDRESS}/" in (key, each.get("url"))]
    assert page["title"] == body.title
    if "nodes" in page:  # what an extension sees of it, by role and name
        assert [(each["id"], each["name"]) for each in page["nodes"]] == [
            (each["id"], each["text"]) for each in body.nodes
        ]
        return
    assert key == f"http://{ADDRESS}/"
    assert [{key: node[key] for key in ("tag", "id", "text")} for node in page["body"]] == body.nodes
    [pressed] = [node for node in page["body"] if "on" in node]
    [effect] = pressed["on"]["click"]
    script = f"document.getElementById('{effect['set']['node']}').textContent = '{effect['set']['text']}'"
    assert f'<button id="{pressed["id"]}" type="button" onclick="{script}">' in FILE.read_text()


def test_it_loads_nothing_else() -> None:
    text = FILE.read_text()
    assert not [word for word in ("src=", "href=", "http:", "https:", "fetch", "import") if word in text]
