"""The browser's only network: which answer an address has, and what the proxy says on the wire."""
from __future__ import annotations

import http.client
import json
import ssl
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any

import pytest

from fakes.engines import pages
from fakes.engines.pages import Server, Table, find, origins
from fakes.engines.processes import PATH, Keeper

TABLE: dict[str, Any] = {
    "http://shop.test/": {"body": "<title>é</title>"},
    "http://shop.test/old": {"status": 302, "headers": [["Location", "/"]]},
    "http://shop.test/api": {"body": "{}", "method": "POST", "headers": [["Content-Type", "application/json"]]},
    "http://shop.test/docs/*": {"body": "docs"},
    "http://shop.test/docs/deep/*": {"body": "deep"},
    "http://shop.test/cut": {"refused": True},
    "http://shop.test/late": {"body": "late", "after": True},
    "http://shop.test/slow": {"body": "slow", "delay_ms": 5},
    "https://safe.test/": {"body": "secure"},
    "http://shop.test/turns": {"turns": [{"body": "one"}, {"body": "two"}]},
}


@pytest.mark.parametrize(
    ("method", "url", "body"),
    [
        ("GET", "http://shop.test/", "<title>é</title>"),
        ("GET", "http://shop.test/?q=1#top", "<title>é</title>"),
        ("POST", "http://shop.test/api", "{}"),
        ("GET", "http://shop.test/api", None),
        ("GET", "http://shop.test/docs/a", "docs"),
        ("GET", "http://shop.test/docs/deep/a", "deep"),
        ("GET", "http://shop.test/nothing", None),
        ("GET", "http://other.test/", None),
    ],
)
def test_an_address_has_one_answer(method: str, url: str, body: str | None) -> None:
    found = find(TABLE, method, url)
    assert (found and found["body"]) == body


def test_origins_are_those_of_the_addresses() -> None:
    found = origins({**TABLE, "http://a.test:8080/*": {}})
    assert found == {"http://shop.test", "https://safe.test", "http://a.test:8080"}


class Here(ThreadingMixIn, Server):
    """The same server in this process: a thread a connection."""

    daemon_threads = True


@pytest.fixture(scope="module", params=["a process", "here"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    path = tmp_path_factory.mktemp("pages") / "pages.json"
    path.write_text(json.dumps(TABLE))
    if request.param == "here":
        with Here(str(path)) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            yield server.server_address[1], path
            server.shutdown()
            thread.join()
        return
    keeper = Keeper()
    _, port = keeper.start_and_listen([sys.executable, "-SE", pages.__file__, str(path)], {"PATH": PATH})
    yield int(port), path
    keeper.close()


def ask(port: int, method: str, url: str, body: bytes = b"") -> tuple[int, bytes, str | None]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, url, body)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.getheader("Content-Type")
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("method", "url", "status", "body"),
    [
        ("GET", "http://shop.test/", 200, "<title>é</title>".encode()),
        ("HEAD", "http://shop.test/", 200, b""),
        ("GET", "http://shop.test/old", 302, b""),
        ("POST", "http://shop.test/api", 200, b"{}"),
        ("GET", "http://shop.test/slow", 200, b"slow"),
        ("GET", "http://shop.test/nothing", 404, b""),
        ("GET", "http://shop.test/favicon.ico", 204, b""),
    ],
)
def test_pages_are_served_by_their_own_addresses(
    served: tuple[int, Path], method: str, url: str, status: int, body: bytes
) -> None:
    assert ask(served[0], method, url, b"hi" if method == "POST" else b"")[:2] == (status, body)


@pytest.mark.parametrize("url", ["http://nowhere.test/", "http://127.0.0.1:9/", "http://shop.test/cut"])
def test_any_other_host_is_refused_without_a_word(served: tuple[int, Path], url: str) -> None:
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        ask(served[0], "GET", url)


def test_an_answer_that_is_held_back_comes_when_the_table_says_so(served: tuple[int, Path]) -> None:
    port, path = served
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "http://shop.test/late")
    assert ask(port, "GET", "http://shop.test/")[0] == 200  # nothing else is held by it
    changed = {**TABLE, "http://shop.test/late": {"body": "now"}}
    new = path.with_suffix(".new")
    new.write_text(json.dumps(changed))
    new.replace(path)
    assert connection.getresponse().read() == b"now"
    connection.close()


def test_turns_are_answered_one_after_the_other_and_the_last_one_stays(served: tuple[int, Path]) -> None:
    bodies = [ask(served[0], "GET", "http://shop.test/turns")[1] for _ in range(3)]
    assert bodies == [b"one", b"two", b"two"]


def test_a_secure_page_comes_through_the_proxy_and_an_unknown_host_does_not(served: tuple[int, Path]) -> None:
    context = ssl._create_unverified_context()
    connection = http.client.HTTPSConnection("127.0.0.1", served[0], context=context, timeout=10)
    connection.set_tunnel("safe.test", 443)
    connection.request("GET", "/")
    assert connection.getresponse().read() == b"secure"
    connection.close()
    other = http.client.HTTPSConnection("127.0.0.1", served[0], context=context, timeout=10)
    other.set_tunnel("shop.test", 443)  # there, but not so
    with pytest.raises((OSError, http.client.HTTPException)):
        other.request("GET", "/")
    other.close()


def test_a_table_is_read_anew_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "pages.json"
    path.write_text('{"http://a.test/": {}}')
    table = Table(str(path))
    assert table.now() == table.now() == {"http://a.test/": {}}
    new = tmp_path / "new"
    new.write_text("{}")
    new.replace(path)
    assert table.now() == {}


def test_a_browser_that_goes_away_is_no_error_and_anything_else_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pages.json"
    path.write_text("{}")
    with Server(str(path)) as server:
        for error, words in ((ConnectionResetError(), ""), (ValueError("defect"), "defect")):
            try:
                raise error
            except (OSError, ValueError):
                server.handle_error(None, ("127.0.0.1", 1))
            assert words in capsys.readouterr().err


def test_the_script_says_its_port_and_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pages.json"
    path.write_text("{}")
    served_by: list[Server] = []
    monkeypatch.setattr(Server, "serve_forever", lambda self: served_by.append(self))
    pages.main([str(path)])
    assert capsys.readouterr().out == f"{served_by[0].server_address[1]}\n"
