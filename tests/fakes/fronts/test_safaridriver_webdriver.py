"""WebDriver mode: Selenium's own Safari driver, unchanged, and every refusal by its W3C word."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from fakes.fronts.safaridriver_webdriver import COMMANDS, DRIVER, ELEMENT, SESSION, STATUS, WebDriver
from fakes.worlds.safari import Safari
from harness.serve.launch import CODE
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.wire import codec
from harness.wire.jsontext import dumps, loads
from tests.fakes.safaridriver.pages import ALERTS, FORM, SECOND, SHOP, WORLD

LAUNCHER = """#!/bin/sh
cd {code} && exec {python} -m harness.serve.service fakes.fronts.safaridriver_webdriver:WebDriver --port "$2" \\
  --world {world} --world-settings {settings}
"""


class Wire:
    """Requests to the machine in memory, one connection each, on one stage in virtual time."""

    def __init__(self, **world: Any) -> None:
        sheet = {"v": 1, "world": {**WORLD, **world}, "programs": {}}
        self.stage = Stage(sheet, {"driver": WebDriver}, Safari, clock=trio.current_time)

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        data = b"" if body is None else dumps(body).encode()
        session = self.stage.open("driver")
        session.begin([], {}, trio.current_time())
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(data)}\r\n\r\n".encode()
        session.feed("stdio", head + data, trio.current_time())
        while session.status is None:
            due = session.due()
            assert due is not None, f"{method} {path} is never answered"
            await trio.sleep_until(due)
            session.tick(trio.current_time())
        said = b"".join(output[3] for output in session.take() if output[0] == "write")
        (frame,) = codec("http", "<<").feed(said)
        value: Any = frame.value
        content: Any = loads(value["body"])
        return int(value["start"].split(" ")[1]), content["value"]

    async def do(self, method: str, path: str, body: Any = None) -> Any:
        status, value = await self.ask(method, f"/session/{SESSION}/{path}", body)
        assert status == 200, value
        return value

    async def fails(self, method: str, path: str, body: Any = None) -> str:
        status, value = await self.ask(method, f"/session/{SESSION}{path}", body)
        assert status == STATUS[value["error"]], (status, value)
        return str(value["error"])

    async def begin(self, url: str) -> None:
        status, value = await self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {"browserName": "Safari"}}})
        assert (status, value["sessionId"]) == (200, SESSION)
        await self.do("POST", "url", {"url": url})

    async def find(self, selector: str) -> str:
        found = await self.do("POST", "element", {"using": "css selector", "value": selector})
        return str(found[ELEMENT])


def play(body: Any, **world: Any) -> None:
    async def main() -> None:
        await body(Wire(**world))

    run_virtual(main, 1)


def test_one_session_a_driver_and_the_second_is_already_paired() -> None:
    async def body(wire: Wire) -> None:
        assert (await wire.ask("GET", "/status"))[1]["ready"] is True
        await wire.begin(SHOP)
        assert (await wire.ask("GET", "/status"))[1]["ready"] is False
        status, value = await wire.ask("POST", "/session", {})
        assert (status, value["error"]) == (500, "session not created") and "already paired" in value["message"]
        assert await wire.do("GET", "title") == "Shop"
        assert (await wire.ask("DELETE", f"/session/{SESSION}"))[0] == 200
        assert await wire.fails("GET", "/title") == "invalid session id"
        assert (await wire.ask("POST", "/session", {}))[0] == 200
        held = [event["id"] for event in wire.stage.events if event["e"] in ("held", "freed") and event["p"] == DRIVER]
        assert held == ["window-9001", "window-9001", "window-9001"]

    play(body)


@pytest.mark.parametrize(
    ("world", "wanted", "text"),
    [
        ({"permissions": {"remote_automation": False}}, {}, "Allow Remote Automation"),
        ({}, {"browserName": "Safari Technology Preview"}, "no browser named"),
    ],
)
def test_a_session_that_can_not_be_had_says_why(world: dict[str, Any], wanted: dict[str, Any], text: str) -> None:
    async def body(wire: Wire) -> None:
        status, value = await wire.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        assert (status, value["error"]) == (500, "session not created") and text in value["message"]

    play(body, **world)


def test_what_apples_driver_lacks_is_an_unknown_command() -> None:
    async def body(wire: Wire) -> None:
        await wire.begin(SHOP)
        key = await wire.find("button")
        for method, path in (("POST", "/print"), ("GET", f"/element/{key}/displayed"), ("GET", "/screenshot")):
            assert await wire.fails(method, path, {}) == "unknown command"
        for method, path in (("GET", "/nothing"), ("GET", "/session")):
            assert (await wire.ask(method, path))[1]["error"] == "unknown command"

    play(body)


def test_a_dialog_makes_every_other_command_fail() -> None:
    async def body(wire: Wire) -> None:
        await wire.begin(ALERTS)
        assert await wire.fails("GET", "/alert/text") == "no such alert"
        for answer, said in (("accept", "yes"), ("dismiss", "no")):
            buttons = await wire.do("POST", "elements", {"using": "css selector", "value": "button"})
            await wire.do("POST", f"element/{buttons[1][ELEMENT]}/click")
            assert await wire.fails("GET", "/title") == "unexpected alert open"
            assert await wire.do("GET", "alert/text") == "Yes?"
            await wire.do("POST", f"alert/{answer}")
            assert await wire.do("GET", f"element/{await wire.find('p')}/text") == said

    play(body)


def test_elements_are_found_used_and_stale_after_a_navigation() -> None:
    async def body(wire: Wire) -> None:
        await wire.begin(FORM)
        field = await wire.find("input")
        assert field == await wire.find("input")
        await wire.do("POST", f"element/{field}/value", {"text": "!"})
        assert await wire.do("GET", f"element/{field}/attribute/placeholder") == "Your name"
        assert await wire.do("GET", f"element/{field}/name") == "input"
        plain = await wire.find("p")
        assert await wire.fails("POST", f"/element/{plain}/value", {"text": "x"}) == "element not interactable"
        for selector, error in (("nav", "no such element"), ("p:hover", "invalid selector")):
            given = {"using": "css selector", "value": selector}
            assert await wire.fails("POST", "/element", given) == error
        assert await wire.fails("POST", "/element", {"using": "xpath", "value": "//p"}) == "invalid selector"
        assert await wire.fails("GET", "/element/node-99/text") == "no such element"
        await wire.do("POST", "refresh")
        assert await wire.fails("GET", f"/element/{field}/text") == "stale element reference"
        effects = [event["verb"] for event in wire.stage.events if event["e"] == "effect"]
        assert effects == ["open", "navigate", "type"]

    play(body)


def test_elements_are_found_by_tag_and_link() -> None:
    async def body(wire: Wire) -> None:
        await wire.begin(SHOP)
        link = await wire.find("a")
        for using, value in (("tag name", "A"), ("link text", "Second page"), ("partial link text", "Second")):
            assert (await wire.do("POST", "element", {"using": using, "value": value}))[ELEMENT] == link
        assert await wire.fails("POST", "/element", {"using": "link text", "value": "Second"}) == "no such element"

    play(body)


def test_hidden_elements_take_no_click() -> None:
    async def body(wire: Wire) -> None:
        await wire.begin(SHOP)
        found = await wire.do("POST", "elements", {"using": "css selector", "value": "p"})
        assert await wire.fails("POST", f"/element/{found[1][ELEMENT]}/click") == "element not interactable"

    play(body)


def test_windows_are_switched_opened_and_closed() -> None:
    async def body(wire: Wire) -> None:
        await wire.begin(SHOP)
        first = await wire.do("GET", "window")
        second = (await wire.do("POST", "window/new", {}))["handle"]
        assert await wire.do("GET", "window/handles") == [first, second]
        await wire.do("POST", "window", {"handle": second})
        assert await wire.fails("POST", "/window", {"handle": "page-0"}) == "no such window"
        await wire.do("POST", "url", {"url": SECOND})
        await wire.do("POST", "url", {"url": SHOP})
        await wire.do("POST", "back")
        assert await wire.do("GET", "url") == SECOND
        assert await wire.do("DELETE", "window") == [first]
        for method, path in (("GET", "/title"), ("GET", "/window"), ("DELETE", "/window")):
            assert await wire.fails(method, path) == "no such window"

    play(body)


def test_scripts_are_function_bodies_and_throw_as_errors() -> None:
    async def body(wire: Wire) -> None:
        await wire.begin(SHOP)
        assert await wire.do("POST", "execute/sync", {"script": "return document.title", "args": []}) == "Shop"
        assert await wire.fails("POST", "/execute/sync", {"script": "what?"}) == "javascript error"

    play(body)


def test_a_body_that_is_no_object_is_an_empty_one() -> None:
    async def body(wire: Wire) -> None:
        await wire.begin(SHOP)
        assert await wire.fails("POST", "/element", [1]) == "invalid selector"

    play(body)


def test_every_command_has_a_method_and_a_path() -> None:
    assert all(name.split(" ")[0] in ("GET", "POST", "DELETE") and len(name.split(" ")) > 1 for name in COMMANDS)


def launched(folder: Path, world: str) -> Path:
    """An executable `safaridriver -p PORT` over a world."""
    settings = folder / "world.json"
    settings.write_text(dumps(WORLD))
    path = folder / "safaridriver"
    path.write_text(LAUNCHER.format(code=CODE, python=sys.executable, world=world, settings=settings))
    path.chmod(0o700)
    return path


ON_WEBKIT = pytest.param(
    "fakes.worlds.safari_webkit:SafariOnWebKit", marks=[pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]
)


@pytest.mark.parametrize("world", ["fakes.worlds.safari:Safari", ON_WEBKIT])
def test_seleniums_safari_driver_works_unchanged(world: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from selenium import webdriver
    from selenium.common.exceptions import SessionNotCreatedException, UnexpectedAlertPresentException
    from selenium.webdriver.common.by import By
    from selenium.webdriver.safari.service import Service

    monkeypatch.setenv("no_proxy", "*")
    driver: Any = webdriver.Safari(service=Service(executable_path=str(launched(tmp_path, world))))
    try:
        driver.get(SHOP)
        assert (driver.title, driver.current_url) == ("Shop", SHOP)
        driver.find_element(By.TAG_NAME, "button").click()
        assert driver.find_element(By.TAG_NAME, "p").text == "bought"
        driver.find_element(By.LINK_TEXT, "Second page").click()
        driver.get(SECOND)
        assert driver.title == "Second" and driver.execute_script("return document.title") == "Second"
        if "webkit" in world:
            assert driver.execute_script("return arguments[0].a + arguments[1]", {"a": 40}, 2) == 42
        driver.get(ALERTS)
        driver.find_element(By.TAG_NAME, "button").click()
        with pytest.raises(UnexpectedAlertPresentException):
            driver.find_element(By.TAG_NAME, "p")
        driver.switch_to.alert.accept()
        assert driver.title == "Alerts"
        with pytest.raises(SessionNotCreatedException, match="already paired"):
            webdriver.Remote(driver.service.service_url, options=webdriver.SafariOptions())
    finally:
        driver.quit()
