"""The one page that a live run loads, served by the run itself on loopback, to nobody but this machine.

A scenario writes the page's address as `ADDRESS`; the port is whichever the system gives, so that a run needs no
certain port to be free. Where a sheet does not name the address, nothing is served.
"""
from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from harness.problem import Problem
from harness.scenario.scenario import ROOT
from harness.wire.jsontext import dumps, loads

ADDRESS = "127.0.0.1:8793"
"""What scenarios write for host and port."""
LOOPBACK = "127.0.0.1"
PAGE = ROOT / "live" / "page.html"
HEAD_LIMIT = 65_536
"""Bytes of a request's head; more is nobody that loads a page."""
PATIENCE_S = 10
"""How long a connection may take to ask, and to take its answer."""


def names_page(sheet: Mapping[str, Any]) -> bool:
    """Whether a run sheet loads the page."""
    return ADDRESS in dumps(dict(sheet))


def address_of(sheet: Mapping[str, Any]) -> str:
    """The page's address in a sheet that is to be run; "" where it names none."""
    found = re.search(rf"http://{re.escape(LOOPBACK)}:[0-9]+/", dumps(dict(sheet)))
    return found.group() if found else ""


def at_port(sheet: Mapping[str, Any], port: int) -> dict[str, Any]:
    """The sheet with the page's real address everywhere: in steps, world and what is asserted."""
    placed: Any = loads(dumps(dict(sheet)).replace(ADDRESS, f"{LOOPBACK}:{port}"))
    return dict(placed)


@asynccontextmanager
async def served(sheet: Mapping[str, Any], page: Path = PAGE) -> AsyncIterator[Mapping[str, Any]]:
    """The sheet as it is to be run, while its page is served. Raises Problem where the page can't be read."""
    if not names_page(sheet):
        yield sheet
        return
    try:
        body = page.read_bytes()
    except OSError as error:
        raise Problem(f"no page at {page}: {error.strerror}", "the page of live runs", "run in the checkout") from None
    [listener] = await trio.open_tcp_listeners(0, host=LOOPBACK)
    port = listener.socket.getsockname()[1]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, lambda stream: answer(stream, body, port), [listener])
        yield at_port(sheet, port)
        nursery.cancel_scope.cancel()


async def answer(stream: trio.abc.Stream, body: bytes, port: int) -> None:
    """One request and its answer; the connection ends with it."""
    with trio.move_on_after(PATIENCE_S):
        try:
            head = await head_of(stream)
            if head:
                await stream.send_all(reply(head, body, port))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # the browser went away, which is its own affair
    await trio.aclose_forcefully(stream)


async def head_of(stream: trio.abc.Stream) -> bytes:
    """The head of a request, or nothing where there is no whole one."""
    head = b""
    while b"\r\n\r\n" not in head:
        data = await stream.receive_some(HEAD_LIMIT)
        head += data
        if not data or len(head) > HEAD_LIMIT:
            return b""
    return head.partition(b"\r\n\r\n")[0]


def reply(head: bytes, body: bytes, port: int) -> bytes:
    """The page for `GET /` of this very address; a page of somebody else's name that leads here (DNS rebinding) gets
    nothing, nor does any other path or method."""
    first, *lines = head.split(b"\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
    own = headers.get(b"host") == f"{LOOPBACK}:{port}".encode()
    if not own or first.rpartition(b" ")[0] != b"GET /":
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    kind = b"Content-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n"
    length = b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body)
    return b"HTTP/1.1 200 OK\r\n" + kind + length + body
