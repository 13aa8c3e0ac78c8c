"""The streams of a script, what it knows of its surroundings, and the settings of the fake."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from tests.fakes.fronts.test_osascript import ANSWER, at, bridge, on
from tests.fakes.osascript.checks import LOOP
from tests.fakes.osascript.drive import SAFARI, WORLD, script, virtual

# Streams


@pytest.mark.parametrize("offset", range(1, 12))
def test_stdin_comes_in_two_at_any_byte(offset: int) -> None:
    ran = virtual(script(LOOP), "é\u2028\U0001f600 x\n".encode(), faults=[on(">>", "split", offset=offset, ms=5)])
    assert ran.out == "ready\n<é\u2028\U0001f600 x>\nover\n"
    assert len(ran.of("fault")) == 1


def test_a_half_line_reaches_the_script_at_once() -> None:
    text = "const d = $.NSFileHandle.fileHandleWithStandardInput.availableData; d.length"
    ran = virtual(script(text), b"0123456789\n", faults=[on(">>", "split", offset=3, ms=5)])
    assert ran.out == "3\n"


def test_several_lines_in_one_read_and_reads_of_a_byte() -> None:
    text = "const d = $.NSFileHandle.fileHandleWithStandardInput.availableData; d.length"
    assert virtual(script(text), b"a\nb\nc\n").out == "6\n"
    assert virtual(script(text), b"a\nb\nc\n", settings={"read_bytes": 1}).out == "1\n"


def test_replies_lost_doubled_and_followed_by_noise() -> None:
    assert bridge(on("<<", "drop")).out == ""
    assert len(bridge(on("<<", "drop")).of("apple_event")) == 2
    assert bridge(on("<<", "duplicate")).out == ANSWER * 2
    assert bridge(at("ending", "garbage", text="bye")).out == ANSWER + "bye\n"
    assert bridge(at("apple_event", "stderr_flood", bytes=200)).errors.count("W") > 100
    noisy = virtual(script("console.log('note'); 1"))
    assert (noisy.out, noisy.errors) == ("1\n", "note\n")


def test_output_of_run_may_be_suppressed() -> None:
    ran = virtual(script(LOOP), b"x\n", settings={"output": "suppressed"})
    assert (ran.status, ran.out) == (0, "over\n")


def test_handles_of_files() -> None:
    text = """
    const files = $.NSFileHandle, out = files.fileHandleWithStandardOutput;
    files.fileHandleWithStandardError.writeData($('e').dataUsingEncoding(4));
    out.writeData($('o').dataUsingEncoding(4));
    files.fileHandleWithStandardInput.closeFile;
    const rest = files.fileHandleWithStandardInput.readDataToEndOfFile;
    const two = rest.subdataWithRange($.NSMakeRange(1, 2));
    const none = files.fileHandleWithStandardInput.readDataOfLength(3);
    console.log(rest.base64EncodedStringWithOptions(0).js, two.length, none.length);
    out.closeFile;
    out.writeData($('lost').dataUsingEncoding(4));
    delay(); $.NSThread.sleepForTimeInterval(0.5); undefined"""
    ran = virtual(script(text), b"abc")
    assert (ran.out, ran.errors, ran.ms) == ("o", "eYWJj 2 0\n", 500)


def test_what_a_process_knows_of_itself() -> None:
    text = """
    const self = $.NSProcessInfo.processInfo;
    [self.processIdentifier, ObjC.deepUnwrap(self.arguments).join('-'), self.environment.objectForKey('A').js,
     self.processName.js, self.systemUptime, $.NSDate.date.timeIntervalSince1970].join()"""
    assert virtual(script(text, "x"), env={"A": "b"}).out == "4001,/usr/bin/osascript-x,b,osascript,0,1767225600\n"


def test_screens_are_as_cocoa_has_them() -> None:
    two: dict[str, Any] = {**WORLD, "displays": [{"bounds": [0, 0, 1440, 900]}, {"bounds": [1440, -180, 1920, 1080]}]}
    text = """
    ObjC.import('AppKit');
    const frames = [0, 1].map(n => $.NSScreen.screens.objectAtIndex(n).frame);
    JSON.stringify([...frames, $.NSScreen.mainScreen.visibleFrame])"""
    first = '{"origin":{"x":0,"y":0},"size":{"width":1440,"height":900}}'
    second = '{"origin":{"x":1440,"y":0},"size":{"width":1920,"height":1080}}'
    assert virtual(script(text), world=two).out == f"[{first},{second},{first}]\n"
    none: dict[str, Any] = {**WORLD, "displays": []}
    assert virtual(script("ObjC.import('Cocoa'); $.NSScreen.mainScreen.isNil()"), world=none).out == "true\n"


def test_running_applications_are_those_of_the_first_look() -> None:
    text = """
    ObjC.import('AppKit');
    const count = () => $.NSWorkspace.sharedWorkspace.runningApplications.count;
    const before = count();
    safari.windows.length;
    [before, count()].join()"""
    started = at("apple_event", "world", process={"pid": 900, "running": True})
    assert virtual(script(SAFARI + text), faults=[started]).out == "1,1\n"


# Settings


def test_booleans_of_a_page_may_be_lost() -> None:
    text = script(
        SAFARI + "String(safari.doJavaScript('document.hasFocus()', {in: safari.windows.byId(7).currentTab}))"
    )
    assert virtual(text).out == "true\n"
    assert virtual(text, settings={"booleans": "lost"}).out == "null\n"


def test_collections_may_lose_their_methods() -> None:
    text = script(SAFARI + "[typeof safari.windows.byId, typeof safari.windows.whose, typeof safari.windows].join()")
    stopped: dict[str, Any] = {**WORLD, "processes": [], "windows": []}
    assert virtual(text, world=stopped).out == "function,function,function\n"
    lost = virtual(text, world=stopped, settings={"dictionary": "lost"})
    assert lost.out == "undefined,undefined,function\n"
    assert virtual(text, settings={"dictionary": "lost"}).out == "function,function,function\n"


def test_nobody_may_be_told_whether_safari_runs() -> None:
    text = script(SAFARI + "String(safari.running())")
    stopped: dict[str, Any] = {**WORLD, "processes": [], "windows": []}
    assert virtual(text, world=stopped, settings={"dictionary": "lost"}).out == "false\n"
    assert "(-600)" in virtual(text, world=stopped, settings={"dictionary": "gone"}).errors
    assert virtual(text, settings={"dictionary": "gone"}).out == "true\n"


def test_which_safari_a_name_means_is_a_setting() -> None:
    two: dict[str, Any] = {**WORLD, "processes": [{"pid": 763}, {"pid": 900}], "windows": [{"id": 5, "pid": 900}]}
    text = script(SAFARI + "safari.windows.length")
    assert virtual(text, world=two).out == "0\n"
    assert virtual(text, world=two, settings={"address": "last"}).out == "1\n"


def test_errors_may_have_their_place() -> None:
    text = "const a = 1;\nnothing.here;\n"
    ran = virtual(script(text), settings={"positions": True})
    assert ran.errors == "13:26: execution error: Error on line 2: ReferenceError: nothing is not defined (-2700)\n"


def test_an_unknown_setting() -> None:
    with pytest.raises(BaseExceptionGroup) as raised:
        virtual(script("1"), settings={"evnt_ms": 1})
    assert raised.group_contains(SettingsProblem, match="evnt_ms")
