"""Law 3 on small runs made by hand, and its table."""
from __future__ import annotations

from itertools import product

import pytest

from harness.kept.lines import OUTCOMES
from harness.laws.attribution import Attribution
from harness.laws.facts import Facts
from harness.laws.honest_outcome import EXCUSES, HONEST, TOLD, UNSURE, WHY, Excuse, judge
from harness.laws.verdict import Finding
from tests.harness.laws.runs import OTHER, Script, click


def judged(script: Script) -> Finding:
    facts = Facts(script.run())
    return judge(facts, Attribution(facts))


def asked() -> Script:
    return Script().show().ask(0, "click")


CASES: list[tuple[str, Script, str]] = [
    ("done, and done", click(), "holds"),
    ("refused, and not done", click(outcome="refused", effects=0), "holds"),
    ("done, and not done", click(effects=0), "broken"),
    ("done, and done after the answer", asked().answer(0).effect(), "broken"),
    ("done on another target", asked().effect(target=OTHER).answer(0), "broken"),
    ("done, the second not", click(click(), 1, effects=0), "broken"),
    ("refused, and done", click(outcome="refused"), "broken"),
    ("refused, and done later", asked().answer(0, "refused").effect(), "broken"),
    ("done and refused, done once", click(click(), 1, "refused", 0), "holds"),
    ("done and refused, done twice", click(click(), 1, "refused"), "broken"),
    ("refused and done, done twice", click(click(outcome="refused"), 1), "broken"),
    ("done twice, refused later", click(effects=2).ask(1, "click").answer(1, "refused"), "holds"),
    ("refused twice, done once", asked().ask(1, "click").effect().answer(0, "refused").answer(1, "refused"), "broken"),
    ("unknown without a reason", click(outcome="unknown", effects=0), "broken"),
    ("unknown, though done", click(outcome="unknown"), "broken"),
    ("unknown after a fault that hides", asked().strike("drop", kind="reply").answer(0, "unknown"), "holds"),
    ("unknown and done, after it", asked().effect().strike("drop", kind="reply").answer(0, "unknown"), "holds"),
    ("unknown after a fault that hides nothing", asked().strike("crlf", kind="reply").answer(0, "unknown"), "broken"),
    ("unknown before the fault", asked().answer(0, "unknown").strike("drop", kind="reply"), "broken"),
    ("unknown after a fault nobody knows", asked().strike("gremlin").answer(0, "unknown"), "unknown"),
    ("given up by the caller", asked().past("cancelled", call=0).answer(0, "unknown"), "holds"),
    ("the task ends under it", asked().tell("task_end").answer(0, "unknown"), "holds"),
    ("the task ends before it", Script().tell("task_end").show().ask(0, "click").answer(0, "unknown"),
        "broken"),
    ("the task ends after it", asked().answer(0, "unknown").tell("task_end"), "broken"),
    ("an event under it that ends no call of this system", asked().tell("session_switch").answer(0, "unknown"),
        "broken"),
    ("the user speaks under it", asked().tell("user_input").answer(0, "unknown"), "broken"),
    ("done all the same", asked().tell("task_end").answer(0), "broken"),
    ("unknown, and the program did not say it", asked().world_line("unsaid", p=1, why="no place")
        .answer(0, "unknown"), "holds"),
    ("unknown, and the program did not say another", click(asked().world_line("unsaid", p=1, why="no place")
        .answer(0, "unknown"), 1, "unknown", 0), "broken"),
    ("unknown, and the program did not say another thing", asked()
        .world_line("unsaid", p=1, verb="close", why="it ended").answer(0, "unknown"), "broken"),
    ("unknown, and the program did not say this thing", asked()
        .world_line("unsaid", p=1, verb="click", why="it ended").answer(0, "unknown"), "holds"),
    ("a read unknown, and the program did not say what it left", Script().ask(0)
        .world_line("unsaid", p=1, verb="close", why="it ended").answer(0, "unknown"), "holds"),
    ("done, not done, and the program did not say it", asked().world_line("unsaid", p=1, why="no place").answer(0),
        "broken"),
    ("refused, done, and the program did not say it", asked().effect().world_line("unsaid", p=1, why="no place")
        .answer(0, "refused"), "broken"),
    ("done, not done, and the program said that it was", asked().feign("click").answer(0), "holds"),
    ("done, and the program feigned another thing", asked().feign("hover").answer(0), "broken"),
    ("done, and the program feigned it on another target", asked().feign("click", OTHER).answer(0), "broken"),
    ("done, and the program feigned it with another value", Script().show().ask(0, "type", value="a")
        .feign("type", value="b").answer(0), "broken"),
    ("done, and the program feigned it with this value", Script().show().ask(0, "type", value="a")
        .feign("type", value="a").answer(0), "holds"),
    ("done without a ref, and the program feigned it somewhere", Script().ask(0, "click", None).feign("click", OTHER)
        .answer(0), "holds"),
    ("done on what was not shown, and the program feigned it", Script().ask(0, "click").feign("click").answer(0),
        "broken"),
    ("two done at once, feigned once", asked().ask(1, "click").feign("click").answer(0).answer(1), "broken"),
    ("two done at once, feigned twice", asked().ask(1, "click").feign("click").feign("click").answer(0).answer(1),
        "holds"),
    ("two done at once, one feigned, one done", asked().ask(1, "click").feign("click").effect().answer(0).answer(1),
        "holds"),
    ("one done and feigned, another neither", asked().effect().feign("click").answer(0).ask(1, "click").answer(1),
        "broken"),
    ("done, and the program feigned it for a call before", click(asked().feign("click").answer(0), 1, effects=0),
        "broken"),
    ("done, and the program feigned it after the answer", asked().answer(0).feign("click"), "broken"),
    ("unknown, and the program feigned it", asked().feign("click").answer(0, "unknown"), "broken"),
    ("refused, done, and the program feigned it", asked().feign("click").effect().answer(0, "refused"), "broken"),
    ("done after a fault that hides", asked().strike("drop", kind="reply").answer(0), "broken"),
    ("refused after a fault that hides", asked().effect().strike("drop", kind="reply").answer(0, "refused"), "broken"),
    ("refused after a fault that said so", asked().effect().strike("error_reply", way="<<", kind="reply")
        .answer(0, "refused"), "holds"),
    ("changed on the way, and said to be done", asked().strike("corrupt", way=">>").effect(target=OTHER).answer(0),
        "unknown"),
    ("broken wins over unknown", click(asked().strike("gremlin").answer(0, "unknown"), 1, effects=0), "broken"),
    ("a read done", Script().ask(0).answer(0), "unknown"),
    ("a read refused", Script().ask(0).answer(0, "refused"), "unknown"),
    ("a read unknown without a reason", Script().ask(0).answer(0, "unknown"), "broken"),
    ("a read unknown after a fault", Script().ask(0).strike("drop", kind="reply").answer(0, "unknown"), "holds"),
    ("no answer", asked().effect(), "unknown"),
    ("one cancelled, no answer, done", asked().past("cancelled", call=0).effect(), "unknown"),
    ("no ref", Script().ask(0, "open", None).effect("open").answer(0), "holds"),
    ("nothing at all", Script(), "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "script", "verdict"), CASES)
def test_cases(name: str, script: Script, verdict: str) -> None:
    assert judged(script).verdict == verdict


def test_every_input_has_one_row() -> None:
    excuses: dict[str, tuple[Excuse, ...]] = {
        "done": (True, False), "refused": (True, False), "unknown": (True, False, None),
    }  # fmt: skip
    inputs = {(outcome, had, said) for outcome in OUTCOMES for had, said in product((True, False), excuses[outcome])}
    inputs.add(("done", False, TOLD))  # what has its effect was not only said
    assert set(HONEST) == inputs
    assert set(EXCUSES) == set(OUTCOMES)
    broken = {(outcome, had) for (outcome, had, _), verdict in HONEST.items() if verdict == "broken"}
    assert set(WHY) == broken
    assert set(UNSURE) == {outcome for (outcome, _, _), verdict in HONEST.items() if verdict == "unknown"}


def test_only_an_excuse_makes_a_difference_to_what_the_world_says() -> None:
    for (outcome, had, excuse), verdict in HONEST.items():
        if excuse is False and verdict == "holds":
            assert outcome == ("done" if had else "refused")


def test_it_shows_what_it_saw() -> None:
    script = Script().start().show().ask(0, "click").sent(b"1\n").effect().answer(0, "refused")
    found = judged(script)
    assert (found.calls, found.world, found.frames) == ((0,), (1,), ((1, 1),))
    assert "says refused, and the world has its effect" in found.why
    assert judged(click(effects=0)).frames == ()
    assert judged(Script()).moot
