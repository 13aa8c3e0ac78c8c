"""Law 5 on small runs made by hand."""
from __future__ import annotations

from typing import Any

import pytest

from harness.laws.attribution import Attribution
from harness.laws.consent import ENDINGS, WHY, judge
from harness.laws.facts import Facts
from harness.laws.verdict import PRECEDENCE, Finding
from tests.harness.laws.runs import Script


def judged(script: Script) -> Finding:
    facts = Facts(script.run())
    return judge(facts, Attribution(facts))


def act(script: Script, call: int = 0, t: float | None = None, **effect: Any) -> Script:
    """Asked, sent, and a restricted effect."""
    script.start().show().ask(call, "click", t=t).sent(b"{}\n", t=t)
    return script.effect(needs="app:chess", t=t, **effect).answer(call)


def grant(**data: Any) -> Script:
    return Script().tell("grant", grant="app:chess", **data)


CASES: list[tuple[str, Script, str]] = [
    # The world knows its grants
    ("a grant", act(Script(), grant="g1"), "holds"),
    ("none", act(Script(), grant=None), "broken"),
    ("taken back before", act(Script().tell("revoke", grant="app:chess"), grant="g1"), "broken"),
    ("all taken back", act(Script().tell("revoke"), grant="g1"), "broken"),
    ("everything taken back", act(Script().tell("revoke", grant="*"), grant="g1"), "broken"),
    ("another taken back", act(Script().tell("revoke", grant="app:mail"), grant="g1"), "holds"),
    ("the session switched, and the grant is stored", act(Script().tell("session_switch"), grant="g1"), "holds"),
    ("taken back and given again", act(grant().tell("revoke").tell("grant", grant="*"), grant="g1"), "holds"),
    ("taken back after it", act(Script(), grant="g1").tell("revoke"), "holds"),
    ("a task that ended", act(Script().tell("task_end").tell("user_input"), grant="g1"), "holds"),
    # It can't know them
    ("told of one", act(grant()), "holds"),
    ("told of everything", act(Script().tell("grant", grant="*")), "holds"),
    ("told of nothing", act(Script()), "broken"),
    ("told of another", act(Script().tell("grant", grant="app:mail")), "broken"),
    ("told of it afterwards", act(Script()).tell("grant", grant="app:chess"), "broken"),
    ("told, and taken back", act(grant().tell("revoke")), "broken"),
    ("told, and the session switched", act(grant().tell("session_switch")), "broken"),
    ("a grant without a name", act(Script().tell("grant")), "broken"),
    ("a time limit, in time", act(grant(lasts_ms=100), t=50), "holds"),
    ("a time limit, run out", act(grant(lasts_ms=100), t=101), "broken"),
    ("a time limit, run out just then", act(grant(lasts_ms=100), t=100.999), "holds"),
    ("a time limit that is none", act(grant(lasts_ms="long")), "unknown"),
    # Nothing that is restricted
    ("no effect needs one", Script().show().ask(0, "click").effect().answer(0), "unknown"),
    ("nothing at all", Script(), "unknown"),
]


@pytest.mark.parametrize(("name", "script", "verdict"), CASES)
def test_cases(name: str, script: Script, verdict: str) -> None:
    found = judged(script)
    assert found.verdict == verdict
    assert found.moot == (name in ("no effect needs one", "nothing at all"))


def revoked_meanwhile(revoked_at: str) -> Script:
    """Taken back while the call runs, all at one instant of the clock: before its frame was sent, or after."""
    script = Script(step_ms=0).start().show().tell("grant", grant="app:chess").ask(0, "click")
    if revoked_at == "before":
        script.tell("revoke")
    script.sent(b"{}\n")
    if revoked_at == "after":
        script.tell("revoke")
    return script.effect(needs="app:chess").answer(0)


@pytest.mark.parametrize(("at", "verdict"), [("before", "broken"), ("after", "holds")])
def test_the_instant_of_dispatch_counts(at: str, verdict: str) -> None:
    assert judged(revoked_meanwhile(at)).verdict == verdict


def test_frames_of_earlier_calls_are_no_dispatch_of_this_one() -> None:
    script = Script().start().show().sent(b"earlier\n").tell("grant", grant="app:chess").ask(0, "click").tell("revoke")
    assert judged(script.sent(b"{}\n").effect(needs="app:chess").answer(0)).verdict == "broken"


def test_what_was_taken_back_before_the_call_needs_no_frame_to_tell() -> None:
    script = Script().show().tell("grant", grant="app:chess").tell("revoke").ask(0, "click").effect(needs="app:chess")
    assert judged(script.answer(0)).verdict == "broken"
    assert judged(Script().tell("grant", grant="app:chess").effect(needs="app:chess")).verdict == "unknown"


def test_what_the_records_cannot_tell_is_unknown() -> None:
    script = Script().show().tell("grant", grant="app:chess").ask(0, "click").tell("revoke").effect(needs="app:chess")
    found = judged(script.answer(0))
    assert (found.verdict, found.moot) == ("unknown", False)
    two = Script().start().show().tell("grant", grant="app:chess").ask(0, "click").sent(b"1").tell("revoke").sent(b"2")
    assert judged(two.effect(needs="app:chess").answer(0)).verdict == "unknown"
    assert judged(act(two, 1)).verdict == "broken"


def test_a_time_limit_without_a_frame_is_unknown() -> None:
    script = grant(lasts_ms=5).show().ask(0, "click").effect(needs="app:chess").answer(0)
    assert judged(script).verdict == "unknown"


def answered(action: str | None, changed: bool = True, **effect: Any) -> Script:
    script = Script().start().show().ask(0, "click").past("questioned", call=0, question={"mode": "form"})
    script.past("replied", call=0, answer=None if action is None else {"action": action})
    if changed:
        script.world_line("changed", what={"approval": "chess", "grant": "g1"}, by="answer:1")
    return script.sent(b"{}\n").effect(needs="app:chess", **effect).answer(0)


ANSWERS: list[tuple[str, Script, str]] = [
    ("accepted", answered("accept", grant="g1"), "holds"),
    ("declined, and done all the same", answered("decline", grant="g1"), "broken"),
    ("cancelled", answered("cancel", grant="g1"), "broken"),
    ("nobody could be asked", answered(None, grant="g1"), "broken"),
    ("declined, but granted before the run", answered("decline", changed=False, grant="g1"), "holds"),
    ("declined, and another grant by answer", answered("decline", grant="g2"), "holds"),
    ("declined, the world knows nothing", answered("decline", changed=False), "broken"),
    ("accepted, the world knows nothing", answered("accept", changed=False), "broken"),
]


@pytest.mark.parametrize(("name", "script", "verdict"), ANSWERS)
def test_an_answer_that_was_no_accept_is_no_grant(name: str, script: Script, verdict: str) -> None:
    assert judged(script).verdict == verdict


def test_a_stray_effect_needs_its_grant_too() -> None:
    script = Script().show().ask(0, "click").effect(target={"node": "x"}, needs="app:chess", grant=None)
    assert judged(script).calls == (0,)
    assert judged(Script().effect(needs="app:chess", grant=None)).verdict == "broken"


def test_it_shows_what_it_saw() -> None:
    found = judged(act(Script()))
    assert (found.calls, found.world, found.frames) == ((0,), (1,), ((1, 1),))
    assert "click needs the grant app:chess" in found.why


def test_tables() -> None:
    assert set(WHY) == {(known, word) for known in (True, False) for word in PRECEDENCE if word != "holds"}
    assert ENDINGS == {True: ("revoke",), False: ("revoke", "session_switch")}
