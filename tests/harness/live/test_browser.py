"""A browser that starts the stack's side by itself: what a run puts around it, and that nothing of it stays."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from harness.claims import load_claims
from harness.commands.live import load_all
from harness.judged.run import judge_run
from harness.live.browser import OWN, connected, let_go, manifest_path, own_host, registered, started_by, turned
from harness.live.machine import ThisMachine
from harness.live.origins import Proof
from harness.live.pages import address_of
from harness.live.places import Places, own_tab, real
from harness.live.session import Session
from harness.live.systems import SYSTEMS
from harness.problem import Problem
from harness.scenario.compile import Choice, compile_sheet
from harness.subjects import subject
from tests.harness.live.machines import Told
from tests.harness.live.rehearsed import CLAIMS
from tests.stack.chrome.browser.chrome import running
from tests.tidy.tree import ROOT

OF, ROW = subject("chrome"), SYSTEMS["chrome"]
assert ROW.registers is not None
REGISTERS = ROW.registers


@pytest.mark.claim("HAR-LIVE-02", tooth="a manifest of the person's own, and none")
@pytest.mark.parametrize("before", [b'{"path": "/mine"}', None])
def test_the_manifest_names_the_tap_and_is_then_what_it_was(before: bytes | None, tmp_path: Path) -> None:
    path = manifest_path(REGISTERS, str(tmp_path))
    if before is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(before)
    seen = b""

    def fails() -> None:
        nonlocal seen
        with registered(REGISTERS, "/run/taps/channel", str(tmp_path)):
            seen = path.read_bytes()
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        fails()
    assert b'"path": "/run/taps/channel"' in seen
    assert b'"chrome-extension://fjpkpadlhgllicceinkhebmbjnpekjje/"' in seen
    assert (path.read_bytes() if path.is_file() else None) == before
    assert [each.name for each in path.parent.iterdir()] == ([path.name] if before else [])


@pytest.mark.parametrize("system", ["darwin", "linux"])
def test_the_manifest_is_where_the_browser_looks(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    folder = "Library/Application Support/Google/Chrome" if system == "darwin" else ".config/google-chrome"
    wanted = Path(f"/home/me/{folder}/NativeMessagingHosts/com.trailcam.browser_host.json")
    assert manifest_path(REGISTERS, "/home/me") == wanted


def test_beside_a_fake_browser_the_program_of_the_manifest_is_started(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\necho "started with $1"\n')
    program.chmod(0o700)
    started_by(REGISTERS, tmp_path, str(tmp_path))
    with registered(REGISTERS, str(program), str(tmp_path)):
        done = subprocess.run([tmp_path / "host", "an origin"], capture_output=True, check=True, timeout=30)
    assert done.stdout == b"started with an origin\n"


def test_where_nothing_connects_that_is_said_and_the_manifest_is_put_back(tmp_path: Path) -> None:
    @asynccontextmanager
    async def nothing() -> AsyncIterator[None]:
        yield

    async def main() -> None:
        async with connected(REGISTERS, tmp_path, str(tmp_path), nothing):
            raise AssertionError("nothing has connected")

    with pytest.raises(Problem, match="no extension has connected within 90000 ms"):
        trio.run(main, clock=MockClock(autojump_threshold=0))
    assert not manifest_path(REGISTERS, str(tmp_path)).exists()


@pytest.mark.claim("HAR-LIVE-02")
def test_the_host_of_a_run_is_ended_where_its_browser_stays_and_nothing_else_is(tmp_path: Path) -> None:
    code = "print(flush=True); input()"
    with ExitStack() as stack:
        others = [str(tmp_path / OWN / "host"), str(tmp_path / "taps" / "channel")]
        made = [
            stack.enter_context(subprocess.Popen(
                [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            ))
            for path in others
        ]  # fmt: skip
        for process in made:
            assert process.stdout is not None
            process.stdout.readline()
        let_go(tmp_path)
        assert made[0].wait() < 0
        assert made[1].poll() is None
        made[1].kill()


def test_the_runs_page_is_opened_in_the_persons_browser(tmp_path: Path) -> None:
    said = tmp_path / "said"
    program = tmp_path / "opens"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {said}\n')
    program.chmod(0o700)
    row = replace(ROW, registers=replace(REGISTERS, opens=(str(program), "-a", "Google Chrome")))
    sheet = {"world": {"pages": {"x": {"url": "http://127.0.0.1:4711/"}}}}

    async def main() -> Places:
        async with real(row, OF, Told())(sheet) as places, places.browser():
            return places

    assert trio.run(main).home == str(Path.home())
    assert said.read_text().splitlines() == ["-a", "Google Chrome", "http://127.0.0.1:4711/"]


def test_a_system_whose_browser_the_stack_starts_opens_nothing() -> None:
    async def main() -> bool:
        async with own_tab(SYSTEMS["safari-mcp"], subject("safari-mcp"), ""):
            return True

    assert trio.run(main)


def event(p: int, e: str, **more: Any) -> dict[str, Any]:
    return {"n": 9, "t": 0.0, "p": p, "e": e, **more}


def test_a_tape_before_the_stacks_own_side_is_told_from_the_other_end() -> None:
    wires: dict[str, dict[str, str]] = {"channel": {"stdio": "bridge"}}
    journal = [
        event(1, "started", program="channel", argv=["o"]), event(2, "started", program="desktop", argv=[]),
        event(1, "bytes", w="stdio", s="in", b="a"), event(1, "bytes", w="stdio", s="out", b="b"),
        event(2, "bytes", w="stdio", s="in", b="c"), event(1, "bytes", w="stdio", s="err", b="d"),
        event(1, "closed", w="stdio", s="in"), event(1, "exited", status=0),
    ]  # fmt: skip
    assert [(each["n"], each["p"], each["e"], each.get("s", each.get("program"))) for each in turned(
        journal, OF, wires
    )] == [
        (0, 1, "started", "channel"), (1, 3, "started", "host"), (2, 2, "started", "desktop"), (3, 1, "bytes", "out"),
        (4, 1, "bytes", "in"), (5, 2, "bytes", "in"), (6, 3, "bytes", "err"), (7, 1, "closed", "out"),
        (8, 3, "exited", None),
    ]  # fmt: skip
    assert wires == {"channel": {"stdio": "bridge"}, "host": {"stdio": "lines"}}
    assert turned([], OF, wires) == []


@pytest.mark.engine("chromium")
@pytest.mark.claim("HAR-LIVE-02")
def test_a_real_browser_starts_the_host_through_the_tap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole scenario with a Chromium in the place of the person's Chrome: its extension, our host, and the tap."""
    monkeypatch.chdir(ROOT)
    [scenario] = load_all(ROOT / "scenarios" / "live", load_claims(CLAIMS), OF)
    sheet = {**compile_sheet(scenario, Choice(mode="process")), "back": "model"}
    home = tmp_path / "home"

    @asynccontextmanager
    async def opened(given: Mapping[str, Any]) -> AsyncIterator[Places]:
        @asynccontextmanager
        async def browser() -> AsyncIterator[None]:
            def install(profile: Path) -> None:
                shutil.copytree(manifest_path(REGISTERS, str(home)).parent, profile / "NativeMessagingHosts")

            with running(install=install) as chrome:
                chrome.grant("http://127.0.0.1/*")
                await trio.to_thread.run_sync(chrome.tab_with, address_of(given))  # this thread serves the page
                yield

        proofs = {name: Proof("linux", "/chromium", "/official", False) for name in ("browser", "channel")}
        versions = {"browser": "Chromium", "channel": "Chromium"}
        yield Places({}, proofs, {}, versions, home=str(home), browser=browser, locks=tmp_path / "locks")

    stays: list[str] = []
    judged = judge_run(Session(sheet, ROW, OF, ThisMachine(OF), opened, tmp_path / "tapes", stays).run())
    assert set(judged.claims.values()) == {"holds"}, judged
    assert {"CHR-HOST-01", "CHR-SNAP-06", "CHR-ACT-02"} <= set(judged.claims)
    assert judged.run.sheet["back"] == "model"
    assert stays == []
    assert not manifest_path(REGISTERS, str(home)).exists()
    assert next(line for line in judged.run.history if line["e"] == "left")["processes"] == []


def test_the_host_of_a_run_is_the_stacks_own(tmp_path: Path) -> None:
    table = own_host(OF, REGISTERS, tmp_path, tmp_path / "state")
    path = Path(table["channel"])
    assert os.access(path, os.X_OK)
    assert str(tmp_path / "meet") in path.read_text()
