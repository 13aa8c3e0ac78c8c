"""How large a message may be between a real Chromium and the stack's own host, and what becomes of one that is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from fakes.fronts.chrome_host import NAME
from stack.chrome.bridge import Bridge, BridgeError, connect
from stack.chrome.endpoint import endpoints
from tests.stack.chrome.browser.bridge import PROTOCOL
from tests.stack.chrome.browser.chrome import Chrome, built, running
from tests.stack.chrome.browser.hosts import install, server
from tests.stack.chrome.browser.test_hosts import HELLO_OF_A_TEST

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
BOUNDS = PROTOCOL["bounds"]
ASK_MS = 30_000
PAGE = "<!doctype html><title>Large</title><select multiple aria-label=Many><option>a</select>"
PORT = """new Promise((resolve) => { const port = globalThis.port = chrome.runtime.connectNative('NAME');
  port.onMessage.addListener((message) => message.type === 'hello' && port.postMessage(LATER));
  port.onDisconnect.addListener(() => resolve('closed'));
  port.postMessage(HELLO); setTimeout(() => resolve('open'), 15000) })"""


@contextmanager
def hosted() -> Iterator[tuple[Chrome, Path]]:
    """A browser with the extension and a real host, which are connected; with its profile's folder."""
    with running(extension=built() / "unpacked", install=install) as chrome:
        chrome.connected()
        chrome.grant("http://a.test/*")
        yield chrome, Path(chrome.browser.profile)


@asynccontextmanager
async def connected(profile: Path, server_name: str = "1" * 32) -> Any:
    """A server's connection to the host."""
    host = server(profile)
    (endpoint,) = endpoints(host)
    bridge = await connect(host, endpoint, server_name, lambda event, data: None)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(bridge.run)
        try:
            yield bridge
        finally:
            await bridge.aclose()
            tasks.cancel_scope.cancel()


def frame_bytes(number: int, verb: str, params: Any) -> int:
    """Length of the host's message for a request that is its `number`th."""
    request = {"v": 1, "type": "request", "id": f"q{number}", "verb": verb, "deadline_ms": ASK_MS, "params": params}
    return len(json.dumps(request, separators=(",", ":")).encode())


def filled(number: int, ref: Any, wanted: int) -> dict[str, Any]:
    """Parameters of a set_value whose message has exactly so many bytes."""
    words = ["\u00e9" * 1000] * 174 + ["x" * 1000] * 3
    params = {"ref": ref, "value": [*words, ""]}
    params["value"][-1] = "x" * (wanted - frame_bytes(number, "set_value", params))
    assert len(params["value"][-1]) <= 1000
    assert frame_bytes(number, "set_value", params) == wanted
    return params


async def large(profile: Path) -> list[str]:
    """What comes of a request of the greatest length, of one byte more, and of a small one after it."""
    said = []
    async with connected(profile) as bridge:
        listed = await bridge.request("list_targets", {}, ASK_MS)
        (tab,) = [row["tab_id"] for row in listed["targets"] if row.get("title") == "Large"]
        seen = await bridge.request("snapshot", {"tab_id": tab}, ASK_MS)
        (node,) = [node for node in seen["nodes"] if node["name"] == "Many"]
        ref = {**seen["frames"][0]["ref"], "node": node["id"]}
        for number, more in ((3, 0), (4, 1)):
            said.append(await reason_of(bridge, filled(number, ref, BOUNDS["request_bytes"] + more)))
        said.append("alive" if await bridge.request("status", {}, ASK_MS) else "dead")
    return said


async def reason_of(bridge: Bridge, params: Any) -> str:
    try:
        await bridge.request("set_value", params, ASK_MS)
    except BridgeError as error:
        return f"{error.reason}: {error.message} {error.detail.get('state', '')}"
    return "done"


@pytest.mark.claim("CHR-HOST-04", tooth="a request of one byte more, which the host does not write")
def test_the_greatest_request_reaches_the_extension_and_one_byte_more_is_not_written() -> None:
    with hosted() as (chrome, profile):
        chrome.tab(chrome.pages.put("/large", PAGE))
        passed, refused, after = anyio.run(large, profile)
    assert passed.startswith("not_actionable: ")
    assert passed.endswith(" no_such_option")
    assert refused.startswith(f"invalid_message: too_long: a message of {BOUNDS['request_bytes'] + 1} bytes")
    assert after == "alive"


async def read(profile: Path) -> Any:
    async with connected(profile) as bridge:
        listed = await bridge.request("list_targets", {}, ASK_MS)
        (tab,) = [row["tab_id"] for row in listed["targets"] if row.get("title") == "Ten thousand"]
        return await bridge.request("snapshot", {"tab_id": tab}, ASK_MS)


@pytest.mark.claim("CHR-HOST-04", tooth="a page that is too long, of which the snapshot says that it is cut")
def test_a_snapshot_of_a_long_page_is_cut_so_that_the_host_takes_it() -> None:
    page = "<!doctype html><title>Ten thousand</title>" + f"<button>{'y' * 900}</button>" * 10_000
    with hosted() as (chrome, profile):
        chrome.tab(chrome.pages.put("/long", page))
        seen = anyio.run(read, profile)
    assert (seen["coverage"], seen["reasons"][0]["reason"]) == ("truncated", "bound")
    assert len(json.dumps(seen)) <= BOUNDS["message_bytes"]


BAD = {
    "too long": ({"v": 1, "type": "ping", "n": 1, "more": "x" * BOUNDS["message_bytes"]}, "too_long"),
    "of no form": ({"v": 1, "type": "ping", "n": "many"}, "/n is no integer"),
    "good": ({"v": 1, "type": "ping", "n": 1}, None),
}


@pytest.mark.claim("CHR-HOST-04", tooth="a message that fits, after which the connection lives")
@pytest.mark.parametrize("name", BAD)
def test_a_message_of_the_extension_that_is_none_ends_the_connection_with_a_typed_error(name: str) -> None:
    message, why = BAD[name]
    with hosted() as (chrome, profile):
        words = {"NAME": NAME, "LATER": json.dumps(message), "HELLO": json.dumps(HELLO_OF_A_TEST)}
        asked = PORT
        for word, value in words.items():
            asked = asked.replace(word, value)
        if why is None:
            asked = asked.replace("15000", "1500")
        assert chrome.js(chrome.window(), asked) == ("open" if why is None else "closed")
        log = (profile / "stderr.txt").read_text(encoding="utf-8", errors="replace")
        assert ("trailcam browser-host: invalid_message: " in log) is (why is not None)
        assert why is None or why in log
