"""What osascript does, each fact a check over any program that can be run: the fake on either engine, or a real one.

No recording of the real program exists yet; the facts are those of its manual page, of Apple's release notes and of
independent reports (trailcam facts: JXA, sections 1.1 to 1.4). A real Safari with two windows like those of `WORLD`
would make them run there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fakes.osascript.drive import SAFARI, WORLD, Ran, script

Run = Callable[..., Ran]
LOOP = """
function run(argv) {
  const input = $.NSFileHandle.fileHandleWithStandardInput, output = $.NSFileHandle.fileHandleWithStandardOutput;
  const say = text => output.writeData($(text + "\\n").dataUsingEncoding($.NSUTF8StringEncoding));
  let held = "";
  say("ready");
  for (;;) {
    const data = input.availableData;
    if (data.length === 0) break;
    held += $.NSString.alloc.initWithDataEncoding(data, 5).js;
    for (let end = held.indexOf("\\n"); end >= 0; end = held.indexOf("\\n")) {
      const line = decodeURIComponent(escape(held.slice(0, end)));
      held = held.slice(end + 1);
      say("<" + line + ">");
    }
  }
  return "over";
}
"""
"""A program that lives until the end of its input, and says every line again."""


def check_osascript_arguments(run: Run) -> None:
    """Statements of several -e are one script; words after it reach run() as they are."""
    text = run(["-l", "JavaScript", "-e", "function run(argv) {", "-e", "return argv.join('|') }", "a b", "-s", "'"])
    assert (text.status, text.out, text.errors) == (0, "a b|-s|'\n", "")


def check_osascript_script_on_stdin(run: Run) -> None:
    """Without a file, and with `-`, the script is standard input."""
    assert run(["-l", "JavaScript"], "'é' + 1".encode()).out == "é1\n"
    assert run(["-l", "JavaScript", "-", "x"], b"function run(a) { return a[0] }").out == "x\n"


def check_osascript_streams(run: Run) -> None:
    """console.log goes to standard error, the result of run() to standard output at the end."""
    ran = run(script("function run() { console.log('a', 1); return ['x', {k: 'v'}, [2]] }"))
    assert (ran.status, ran.out, ran.errors) == (0, "x, k:v, 2\n", "a 1\n")
    assert run(script("function run() {}")).out == ""


def check_osascript_source_form(run: Run) -> None:
    """-s s prints values as they would be written."""
    assert run(script("['a\"b', 1, {k: null}]", flags=["-ss"])).out == '["a\\"b", 1, {"k":null}]\n'
    assert run(script("'a'", flags=["-s", "s", "-s", "h"])).out == "a\n"


def check_osascript_errors(run: Run) -> None:
    """An uncaught error: one line with its number on standard error (standard output under -s o), exit status 1."""
    gone = script(SAFARI + "safari.windows.byId(77).name()")
    ran = run(gone)
    assert (ran.status, ran.out) == (1, "")
    assert ran.errors == "execution error: Error: Error: Can't get object. (-1728)\n"
    moved = run(script(SAFARI + "safari.windows.byId(77).name()", flags=["-s", "o"]))
    assert (moved.status, moved.out, moved.errors) == (1, ran.errors, "")


def check_osascript_own_errors(run: Run) -> None:
    """A script's own error has number -2700, or the one that it gives."""
    assert run(script("throw new Error('own')")).errors == "execution error: Error: Error: own (-2700)\n"
    numbered = run(script("const e = new Error('odd'); e.errorNumber = -128; throw e"))
    assert numbered.errors == "execution error: Error: Error: odd (-128)\n"
    assert run(script("1 +")).errors.startswith("syntax error: Error: SyntaxError: ")
    assert run(script("nothing.at.all")).errors.startswith("execution error: Error: ReferenceError: ")


def check_osascript_caught(run: Run) -> None:
    """A caught Apple Event error carries errorNumber and message."""
    text = "try { safari.windows[9].name() } catch (e) { [e.errorNumber, e.message, e instanceof Error].join() }"
    assert run(script(SAFARI + text)).out == "-1719,Invalid index.,true\n"


def check_osascript_lives_until_eof(run: Run) -> None:
    """availableData gives what is there, and nothing at the end of input; the loop ends, and the status is 0."""
    ran = run(script(LOOP), "one\ntwo é\u2028\U0001f600\nrest".encode())
    assert (ran.status, ran.errors) == (0, "")
    assert ran.out == "ready\n<one>\n<two é\u2028\U0001f600>\nover\n"


def check_osascript_half_a_character(run: Run) -> None:
    """Bytes that are no whole UTF-8 decode to nil."""
    text = """
    const data = $.NSFileHandle.fileHandleWithStandardInput.readDataOfLength(2);
    const half = $.NSString.alloc.initWithDataEncoding(data, $.NSUTF8StringEncoding);
    [half.isNil(), half.js === undefined, data.length].join()"""
    assert run(script(text), "aé".encode()).out == "true,true,2\n"


def check_osascript_no_event_loop(run: Run) -> None:
    """Nothing of a browser or of node is there, and a promise's callback does not run inside of a script."""
    names = ["setTimeout", "fetch", "window", "require", "process", "btoa", "TextDecoder", "performance", "__py"]
    text = f"{names}.filter(name => name in globalThis).join()"
    assert run(script(text)).out == "\n"
    assert run(script("let ran = 0; Promise.resolve().then(() => { ran = 1 }); delay(0.001); ran")).out == "0\n"


def check_osascript_frameworks(run: Run) -> None:
    """Functions of a header, and classes of AppKit, are there after their import."""
    text = "ObjC.import('stdlib'); ObjC.import('AppKit'); [typeof $.getenv, typeof $.NSScreen].join()"
    assert run(script("[typeof $.getenv, typeof $.NSScreen].join()")).out == "undefined,undefined\n"
    assert run(script(text)).out == "function,object\n"
    assert run(script("ObjC.import('stdlib'); $.getenv('WORD')"), env={"WORD": "val"}).out == "val\n"
    assert run(script("ObjC.import('stdlib'); $.exit(5)")).status == 5


def check_osascript_out_parameter(run: Run) -> None:
    """Reading a Ref() that a method filled ends the program by a segmentation fault."""
    assert run(script("const ref = Ref(); ref[0]")).status == -11


def check_osascript_specifiers(run: Run) -> None:
    """A path is no event, and prints as it would be written; calling it is one event, and so is a length."""
    text = SAFARI + "const tab = safari.windows.byId(7).tabs.at(1);\n"
    lazy = run(script(text + "String(tab.name)"))
    assert lazy.out == 'Application("Safari").windows.byId(7).tabs.at(1).name\n'
    assert lazy.of("apple_event") == []
    ran = run(script(text + "[tab.name(), safari.windows.length, safari.windows.id().join('-')].join()"))
    assert ran.out == "Beta,3,7-9-8\n"
    assert [line["event"] for line in ran.of("apple_event")] == ["get", "count", "get"]


def check_osascript_windows(run: Run) -> None:
    """windows() gives specifiers by id, a property of a collection is a list of one event, a phantom has no tab."""
    assert run(script(SAFARI + "safari.windows().map(String)[1]")).out == 'Application("Safari").windows.byId(9)\n'
    assert run(script(SAFARI + "safari.windows.byId(7).tabs.url()")).out == "http://a.test/1, http://b.test/2\n"
    assert run(script(SAFARI + "safari.windows.byId(9).currentTab()")).out == "null\n"
    names = run(script(SAFARI + "[safari.windows.byId(8).name(), safari.windows.byId(8).currentTab.name()]"))
    assert names.out == "Personal — Beta, Beta\n"


def check_osascript_changes(run: Run) -> None:
    """Assignment is one event; make opens a window in front; push adds a tab; close closes."""
    text = """
    const window = safari.windows.byId(7);
    window.bounds = {x: 1, y: 2, width: 300, height: 400};
    window.currentTab = window.tabs.at(1);
    safari.Document({url: 'http://b.test/9'}).make();
    window.tabs.push(safari.Tab({url: 'http://b.test/8'}));
    safari.windows.byId(8).close();
    JSON.stringify([window.bounds(), window.currentTab.index(), window.tabs.length, safari.windows.id()])"""
    ran = run(script(SAFARI + text))
    assert ran.errors == ""
    bounds = '{"x":1,"y":2,"width":300,"height":400}'
    assert ran.out == f"[{bounds},2,3,[10,7,9]]\n"
    assert [(line["verb"], line["value"]) for line in ran.of("effect")] == [
        ("open", "http://b.test/9"),
        ("open", "http://b.test/8"),
        ("close", None),
    ]


def check_osascript_javascript(run: Run) -> None:
    """doJavaScript answers for the tab that the specifier names, unresolved."""
    ran = run(script(SAFARI + "safari.doJavaScript('document.title', {in: safari.windows.byId(7).tabs.at(1)})"))
    assert ran.out == "Beta\n"
    assert len(ran.of("apple_event")) == 1


def check_osascript_settings(run: Run) -> None:
    """Denied consent is -1743 for every event, JavaScript from Apple Events off is 8 for doJavaScript alone."""
    text = """
    const numbers = [];
    const run = () => safari.doJavaScript('1', {in: safari.windows[0].currentTab});
    for (const what of [() => safari.windows.length, run]) {
      try { what(); numbers.push(0) } catch (e) { numbers.push(e.errorNumber) }
    }
    numbers.join()"""
    denied: dict[str, Any] = {**WORLD, "permissions": {"automation": "denied"}}
    off: dict[str, Any] = {**WORLD, "permissions": {"javascript_from_apple_events": False}}
    assert run(script(SAFARI + text), world=denied).out == "-1743,-1743\n"
    assert run(script(SAFARI + text), world=off).out == "0,8\n"


def check_osascript_not_running(run: Run) -> None:
    """running() launches nothing and is no event; an event to a Safari that does not run is -600."""
    stopped: dict[str, Any] = {**WORLD, "processes": [], "windows": []}
    text = "let n = 0; try { safari.windows.length } catch (e) { n = e.errorNumber }; [safari.running(), n].join()"
    ran = run(script(SAFARI + text), world=stopped)
    assert ran.out == "false,-600\n"
    assert len(ran.of("apple_event")) == 1
    assert run(script("Application('No Such App')")).errors.endswith("Application can't be found. (-2700)\n")


def check_osascript_several_safaris(run: Run) -> None:
    """A number addresses one process; a name means one of several, and which is not to be relied on."""
    two: dict[str, Any] = {
        **WORLD,
        "processes": [{"pid": 763}, {"pid": 900}],
        "windows": [{"id": 7, "pid": 763, "tabs": [{}]}, {"id": 70, "pid": 900, "tabs": [{}]}],
    }
    text = """
    ObjC.import('AppKit');
    const all = $.NSRunningApplication.runningApplicationsWithBundleIdentifier('com.apple.Safari');
    [all.count, all.objectAtIndex(1).processIdentifier, Application(900).windows.id()].join()"""
    assert run(script(text), world=two).out == "2,900,70\n"
    assert run(script("Application(901).windows.id()"), world=two).status == 1


CHECKS = [value for name, value in sorted(globals().items()) if name.startswith("check_osascript_")]
