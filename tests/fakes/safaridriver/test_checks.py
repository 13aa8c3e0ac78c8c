"""Every check on the model, in both profiles; and what only the world can tell of it."""

from __future__ import annotations

import signal
from types import ModuleType
from typing import Any

import pytest

from fakes.fronts.safaridriver_settings import PROFILES
from harness.serve.scheduler import run_virtual
from tests.fakes.safaridriver import checks_interactions, checks_logs, checks_page, checks_process, checks_tabs
from tests.fakes.safaridriver.backs import Check, Model
from tests.fakes.safaridriver.client import Connect, Options
from tests.fakes.safaridriver.pages import FORM, SHOP, TALL

MODULES: tuple[ModuleType, ...] = (checks_process, checks_tabs, checks_page, checks_interactions, checks_logs)
CHECKS: dict[str, Check] = {
    name.removeprefix("check_safaridriver_"): check
    for module in MODULES
    for name, check in vars(module).items()
    if name.startswith("check_safaridriver_")
}


async def pictures(connect: Connect) -> None:
    """Pictures of a page, and of all of a long one in a small viewport."""
    async with connect() as client:
        await client.open(SHOP)
        await client.done("screenshot")
        await client.done("screenshot", full_page=False)
        await client.open(TALL)
        await client.done("set_viewport_size", width=600, height=400)
        await client.done("screenshot")
        await client.done("screenshot", full_page=True)


def sizes_of(changes: list[dict[str, Any]]) -> list[Any]:
    return [event["what"]["size"] for event in changes if "picture" in event["what"]]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", CHECKS)
def test_check_on_the_model(name: str, profile: str) -> None:
    Model(profile).check(CHECKS[name])


def test_the_end_of_stdin_closes_the_window_and_a_signal_leaves_it() -> None:
    for end, freed in ((True, ["window-9001"]), (False, [])):
        model = Model()

        async def body(model: Model = model, end: bool = end) -> None:
            async with model() as client:
                await client.open(SHOP)
                if end:
                    await client.finish()
                else:
                    client.process.send_signal(signal.SIGTERM)
                    await client.wait()

        run_virtual(body, 1)
        assert [event["id"] for event in model.of("held")] == ["window-9001"]
        assert [event["id"] for event in model.of("freed")] == freed


def test_the_world_says_how_large_a_picture_is() -> None:
    model = Model()
    run_virtual(lambda: pictures(model), 1)
    assert sizes_of(model.of("changed")) == [[1200, 740], [1200, 740], [600, 400], [600, 1500]]


@pytest.mark.claim("HAR-FAKE-02")
def test_the_world_says_what_typing_and_chords_did() -> None:
    model = Model()

    async def body() -> None:
        async with model(Options(settings={"settle_ms": 0})) as client:
            await client.open(FORM)
            uid = await client.uid("placeholder")
            await client.act("type", node=uid, value="!")
            await client.act("keyPress", value="cmd+k")
            await client.act("type", node=uid, value="Bea", replaceAll=True)

    run_virtual(body, 1)
    values = [event["what"]["value"] for event in model.of("changed") if event["what"].get("node") == "name"]
    assert values == ["Ann!", "Ann!c", "Ann!cm", "Ann!cmd", "Ann!cmd+", "Ann!cmd+k", "Bea"]
    effects = [(event["verb"], event["value"]) for event in model.of("effect")]
    assert effects == [("open", FORM), ("type", "!"), ("keyPress", "cmd+k"), ("type", "Bea")]
