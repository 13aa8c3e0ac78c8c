"""The machine of osascript: its moments, what faults do there, its settings, and how it ends."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.engines.javascript import EngineMissing
from fakes.fronts import osascript
from fakes.settings import SettingsProblem
from fakes.worlds.safari import Safari
from harness.faults.steps import Ask, At, Exit, Send, Wait
from harness.serve.machine import Given
from harness.wire.jsontext import JsonTextError, dumps, loads
from stack.safari_jxa.scripts import program
from tests.fakes.osascript.drive import SAFARI, WORLD, Ran, script, virtual
from tests.fakes.worlds.recorded import Book

BRIDGE = """
function run() {
  const files = $.NSFileHandle, safari = Application('Safari');
  const say = value => files.fileHandleWithStandardOutput.writeData(
    $(JSON.stringify(value) + "\\n").dataUsingEncoding(4));
  let held = "";
  for (;;) {
    const data = files.fileHandleWithStandardInput.availableData;
    if (data.length === 0) return;
    held += $.NSString.alloc.initWithDataEncoding(data, 5).js;
    for (let end = held.indexOf("\\n"); end >= 0; end = held.indexOf("\\n")) {
      const request = JSON.parse(held.slice(0, end));
      held = held.slice(end + 1);
      try {
        const window = safari.windows.byId(request.window);
        const tabs = () => [window.tabs.length, window.tabs.url()];
        say({id: request.id, result: request.method === "close" ? window.close() : tabs()});
      } catch (error) {
        say({id: request.id, error: {code: error.errorNumber, message: error.message}});
      }
    }
  }
}
"""
"""A bridge of two methods: `tabs` (two events) and `close` (one)."""


def ask(id: int, method: str, window: int) -> bytes:
    return dumps({"id": id, "method": method, "params": {}, "window": window}).encode() + b"\n"


TABS = ask(1, "tabs", 7)
ANSWER = '{"id":1,"result":[2,["http://a.test/1","http://b.test/2"]]}\n'


def at(moment: str, fault: str, nth: int = 1, **args: Any) -> dict[str, Any]:
    return {"fault": fault, "at": {"moment": moment, "nth": nth}, "args": args}


def on(way: str, fault: str, nth: int = 1, **args: Any) -> dict[str, Any]:
    return {"fault": fault, "at": {"way": way, "nth": nth}, "args": args}


def bridge(*faults: dict[str, Any], stdin: bytes = TABS, **more: Any) -> Ran:
    return virtual(script(BRIDGE), stdin, faults=faults, **more)


def code(ran: Ran, line: int = 0) -> Any:
    answer: Any = loads(ran.out.split("\n")[line])
    return answer["error"]["code"]


# Apple Events and time


def test_each_event_is_charged_and_told_with_its_request() -> None:
    ran = bridge(stdin=TABS + ask(2, "tabs", 8), settings={"read_bytes": len(TABS)})
    assert [(line["event"], line["request"]) for line in ran.of("apple_event")] == [
        ("count", 1), ("get", 1), ("count", 2), ("get", 2),
    ]  # fmt: skip
    assert ran.ms == 4 * 17
    assert ran.out.startswith(ANSWER)


def test_requests_are_lines_that_the_script_was_given_so_far() -> None:
    ran = bridge(stdin=TABS + ask(2, "tabs", 8))
    assert [line["request"] for line in ran.of("apple_event")] == [2, 2, 2, 2]


def test_what_an_event_costs_is_a_setting() -> None:
    assert bridge(settings={"event_ms": 100}).ms == 200


def test_a_delayed_event() -> None:
    assert bridge(at("apple_event", "delay", 2, ms=5000)).ms == 5034


def test_a_change_between_two_events_of_one_request() -> None:
    ran = bridge(at("apple_event", "world", 2, close_window=7))
    assert code(ran) == -1728
    opened = bridge(at("apple_event", "world", 2, open_tab={"window": 7, "url": "http://b.test/9"}))
    assert opened.out == '{"id":1,"result":[2,["http://a.test/1","http://b.test/2","about:blank"]]}\n'


def test_who_dies_in_an_event_has_done_it_all_the_same() -> None:
    closing = ask(1, "close", 8)
    before = bridge(at("apple_event", "crash", status=-9), stdin=closing)
    assert (before.status, before.of("effect"), before.out) == (-9, [], "")
    after = bridge(at("apple_event_ran", "crash", status=-9), stdin=closing)
    assert (after.status, [line["verb"] for line in after.of("effect")], after.out) == (-9, ["close"], "")
    assert after.ms == 17


def test_standard_plans_find_the_places_around_an_effect() -> None:
    closing = ask(1, "close", 8)
    assert bridge(at("before_effect", "crash"), stdin=closing).of("effect") == []
    assert len(bridge(at("after_effect", "crash"), stdin=closing).of("effect")) == 1
    reading = bridge(at("before_effect", "crash"))
    assert (reading.status, reading.of("fault")) == (0, [])


# The errors of events


@pytest.mark.parametrize("number", [-128, -600, -609, -1700, -1708, -1712, -1719, -1728, -1743, -1744, -10000, -10006])
def test_every_number_on_demand(number: int) -> None:
    ran = bridge(at("apple_event", "apple_event_error", number=number))
    assert code(ran) == number
    assert [line["event"] for line in ran.of("apple_event")] == ["count"]


def test_an_event_that_never_ran_ran_now_or_runs_late() -> None:
    closing = ask(1, "close", 8)
    never = bridge(at("apple_event", "apple_event_error", runs="never"), stdin=closing)
    assert (code(never), never.of("effect")) == (-1712, [])
    now = bridge(at("apple_event", "apple_event_error", runs="now", wait_ms=60_000), stdin=closing)
    assert (code(now), len(now.of("effect")), now.ms) == (-1712, 1, 60_017)
    assert now.of("effect")[0]["t"] == 0


def test_a_late_event_runs_after_its_error_and_after_what_came_meanwhile() -> None:
    late = at("apple_event", "apple_event_error", runs="later", late_ms=500)

    async def talk(process: Any, stage: Any) -> None:
        await process.stdin.send(ask(1, "close", 8))
        await process.stdout.receive()
        assert stage.now_ms() == 17
        await process.stdin.send(ask(2, "tabs", 8))
        assert (await process.stdout.receive()).startswith(b'{"id":2,"result":[1')
        while stage.now_ms() < 600:
            await process.stdin.send(ask(3, "tabs", 7))
            await process.stdout.receive()

    ran = virtual(script(BRIDGE), faults=[late], later=talk)
    (effect,) = ran.of("effect")
    assert (effect["verb"], effect["t"]) == ("close", 517)


def test_a_late_event_runs_even_when_nobody_looks() -> None:
    late = at("apple_event", "apple_event_error", runs="later", late_ms=500)
    waiting = script(SAFARI + "try { safari.windows.byId(8).close() } catch (error) { delay(2) }")
    (effect,) = virtual(waiting, faults=[late]).of("effect")
    assert effect["t"] == 517


def test_an_order_that_makes_no_sense() -> None:
    with pytest.raises(BaseExceptionGroup) as raised:
        virtual(
            script(SAFARI + "safari.windows.length"), faults=[at("apple_event", "world", apple_event={"number": 0})]
        )
    assert raised.group_contains(ValueError, match="the number of an error")


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("straight", "Can't get object."),
        ("typographic", "Can’t get window id 99."),
        ("german", "Das Objekt kann nicht gelesen werden."),
    ],
)
def test_texts_of_errors_are_no_more_than_texts(style: str, text: str) -> None:
    ran = bridge(stdin=ask(1, "tabs", 99), settings={"texts": style})
    assert loads(ran.out) == {"id": 1, "error": {"code": -1728, "message": text}}


def test_a_safari_that_ends_is_first_an_invalid_connection() -> None:
    gone = at("apple_event", "world", 2, crash=763)
    ran = bridge(gone, stdin=TABS + ask(2, "tabs", 7))
    assert (code(ran, 0), code(ran, 1)) == (-609, -600)
    assert [line["why"] for line in ran.of("violation")] == ["the event would have launched Safari"]


# Consent and dialogs


def test_an_event_waits_while_the_user_is_asked() -> None:
    asking: dict[str, Any] = {**WORLD, "permissions": {"automation": "unasked"}}
    granted = {"name": "automation", "value": "granted"}

    async def talk(process: Any, stage: Any) -> None:
        await process.stdin.send(TABS)
        import anyio

        await anyio.sleep(3.05)
        assert [line["e"] for line in stage.events[-2:]] == ["apple_event", "unsaid"]
        stage.world.change("user", permission=granted)
        assert (await process.stdout.receive()) == ANSWER.encode()

    ran = virtual(script(BRIDGE), world=asking, later=talk)
    assert ran.ms == 3100 + 2 * 17
    never = bridge(world=asking, settings={"timeout_ms": 1000})
    assert (code(never), never.ms) == (-1712, 1017)


def test_a_dialog_holds_the_page_and_nothing_else() -> None:
    text = """
    const out = [];
    const tab = safari.windows.byId(7).currentTab;
    for (const what of [() => tab.name(), () => safari.doJavaScript('document.title', {in: tab})]) {
      try { out.push(what()) } catch (error) { out.push(error.errorNumber) }
    }
    out.join()"""
    opened = at("apple_event", "world", dialog={"tab": "tab-1", "text": "Leave?"})
    ran = virtual(script(SAFARI + text), faults=[opened], settings={"timeout_ms": 500})
    assert (ran.out, ran.ms) == ("Alpha,-1712\n", 534)
    (unsaid,) = ran.of("unsaid")
    assert (unsaid["p"], "dialog" in unsaid["why"]) == (1, True)


def test_a_dialog_that_the_event_itself_opened_holds_its_answer() -> None:
    acting = "(" + program() + '\n)({"op":"act","epoch":"none"})'
    text = SAFARI + f"safari.doJavaScript({dumps(acting)}, {{in: safari.windows.byId(7).currentTab}})"
    opened = at("after_effect", "world", dialog={"tab": "tab-1", "text": "Sure?"})
    held = virtual(script(text), faults=[opened], settings={"timeout_ms": 300})
    assert (held.status, held.errors.endswith("(-1712)\n"), held.ms) == (1, True, 317)

    async def answer(process: Any, stage: Any) -> None:
        import anyio

        await anyio.sleep(0.15)
        stage.world.change("user", answer_dialog={"tab": "tab-1", "accept": True})

    answered = virtual(script(text), faults=[opened], later=answer)
    assert (answered.out, answered.ms) == ('{"status":"document"}\n', 217)


# Scripts, starts and ends


def test_a_script_in_a_file(tmp_path: Any) -> None:
    path = tmp_path / "a.js"
    path.write_text("function run(argv) { if (argv[0]) throw new Error('é'); return 'ran' }", encoding="utf-8")
    assert virtual(["-l", "JavaScript", str(path)]).out == "ran\n"
    failed = virtual(["-l", "JavaScript", str(path), "x"])
    assert failed.errors == f"{path}: execution error: Error: Error: é (-2700)\n"
    missing = virtual(["-l", "JavaScript", "/no/such.js"])
    assert (missing.status, missing.errors) == (2, "osascript: /no/such.js: No such file or directory\n")


def test_a_command_line_that_is_refused() -> None:
    ran = virtual(["-e", "tell application"])
    assert (ran.status, ran.out) == (64, "")
    assert "expected -l JavaScript" in ran.errors


def test_signals_kill_a_script_that_catches_everything() -> None:
    stubborn = "for (;;) { try { Application('Safari').windows.length } catch (error) {} }"

    async def talk(process: Any, stage: Any) -> None:
        import anyio

        await anyio.sleep(0.1)
        process.send_signal(15)

    ran = virtual(script(stubborn), later=talk)
    assert ran.status == -15
    assert len(ran.of("apple_event")) == 6


def test_a_command_or_application_that_the_fake_does_not_have() -> None:
    for text in (
        "safari.searchTheWeb('x')",
        "Application('Finder').windows.length",
        "safari.doJavaScript('x()', {in: safari.windows[0].currentTab})",
    ):
        ran = virtual(script(SAFARI + text))
        assert ran.status == 1
        assert len(ran.of("violation")) == 1


def test_a_defect_of_the_fake_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(front: Any, argument: Any) -> Any:
        raise ZeroDivisionError("a defect")

    for table, text in (
        (osascript.AT_ONCE, "ObjC.import('AppKit'); $.NSScreen.screens"),
        (osascript.SERVED, "delay(1)"),
    ):
        monkeypatch.setitem(table, "screens" if table is osascript.AT_ONCE else "delay", broken)
        with pytest.raises(BaseExceptionGroup) as raised:
            virtual(script(text))
        assert raised.group_contains(ZeroDivisionError, match="a defect")


def test_a_defect_that_no_stage_takes_is_raised_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Front:
        @staticmethod
        def _ask(request: Any) -> Any:
            return request

    with pytest.raises(JsonTextError):
        osascript.Osascript._called(Front(), "delay", "no JSON")  # type: ignore[arg-type]


def test_an_engine_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "_quickjs", None)
    with pytest.raises(BaseExceptionGroup) as raised:
        virtual(script("1"))
    assert raised.group_contains(EngineMissing, match="quickjs-ng")


def test_a_program_that_is_its_own_stage_runs_its_script_inside_of_a_step() -> None:
    world = Safari(Book(), WORLD)
    front = osascript.Osascript(Given(1, "osascript", world, {}, "1"))
    steps: list[Any] = []

    def within(handler: Any) -> Any:
        while True:
            try:
                steps.append(next(handler))
            except StopIteration as stop:
                return stop.value

    front.lend(within)
    last = list(front.started(script(SAFARI + "safari.windows.length + 1"), {}))
    assert [type(step) for step in steps] == [At, Wait, At]
    assert last == [Send(b"4\n"), At("ending", {"status": 0}), Exit(0)]
    front.gone()


def test_javascriptcore_runs_in_a_process_of_its_own_only() -> None:
    with pytest.raises(BaseExceptionGroup) as raised:
        virtual(script("1"), settings={"engine": "jsc"})
    assert raised.group_contains(SettingsProblem, match="its own stage")


def test_a_process_that_ends_before_its_script_began_has_nothing_to_unwind() -> None:
    osascript.Osascript(Given(1, "osascript", Safari(Book(), WORLD), {}, "1")).gone()
    assert virtual(script("1"), faults=[at("started", "crash", status=3)]).status == 3


def test_on_an_engine_the_page_is_asked_in_a_step_that_may_block() -> None:
    world = Safari(Book(), WORLD)
    world.blocking = True
    front = osascript.Osascript(Given(1, "osascript", world, {}, "1"))
    path = [["app", "Safari"], ["p", "windows"]]
    request: dict[str, Any] = {"event": "count", "path": path, "value": None, "options": {}}
    steps = list(front._carry_out(request, {}))
    assert [type(step) for step in steps] == [Ask]
    assert steps[0].function() == {"value": 3}  # type: ignore[attr-defined]
