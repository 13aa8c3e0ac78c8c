"""Randomly faulted deliveries: one action on a page, hit by losses, delays, crashes and changes at any phase of it.

A delivery is drawn by a function that chooses from sequences, so that Hypothesis can draw and shrink it (test) and a
seeded generator can draw ten thousand of them (tests/bench/bench_deliveries.py). It is run in virtual time with the
real bridge program on the model of Safari, judged by the eight laws, and its answer is compared with the world's
record by a rule of its own, AGREES: so that a defect of law 3 would not go unseen here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from harness.faults.registry import FAULTS
from harness.judged.run import judge_run
from harness.properties.draft import CASE, Draft
from harness.properties.trial import limited
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import kept
from harness.scenario.runner import Records, run
from stack.safari_jxa.settings import Deadlines

T = TypeVar("T")
Choose = Callable[[Sequence[Any]], Any]
SHOP, NEXT = "http://shop.test/", "http://shop.test/next"
PID = 763
LENT, OTHER, OWNED = 26081, 26090, 26091
"""Numbers of windows: the one that is lent, another of the user's, and the one that a session opens."""
TABS: Mapping[str, str] = {"lent": "tab-1", "owned": "tab-4"}
WINDOWS: Mapping[str, int] = {"lent": LENT, "owned": OWNED}
WORLD: Mapping[str, Any] = {
    "effects": ["click", "fill", "select", "scroll"],
    "pages": {
        SHOP: {"title": "Shop", "body": [
            {"id": "name", "tag": "input", "attributes": {"aria-label": "Name"}},
            {"id": "colour", "tag": "select", "attributes": {"aria-label": "Colour"}, "children": [
                {"id": "red", "tag": "option", "attributes": {"value": "r"}, "text": "Red"},
                {"id": "green", "tag": "option", "attributes": {"value": "g"}, "text": "Green"},
            ]},
            {"id": "buy", "tag": "button", "text": "Buy", "on": {"click": [{"set": {"node": "note", "text": "paid"}}]}},
            {"id": "more", "tag": "a", "attributes": {"href": "/next"}, "text": "More"},
            {"id": "again", "tag": "button", "text": "Again", "on": {"click": [{"rerender": "again"}]}},
            {"id": "push", "tag": "button", "text": "Push", "on": {"click": [{"push": "/pushed"}]}},
            {"id": "ask", "tag": "button", "text": "Ask", "on": {"click": [{"alert": "Sure?"}]}},
            {"id": "leave", "tag": "button", "text": "Leave", "on": {"click": [{"close": True}]}},
            {"id": "note", "tag": "p", "text": "nothing yet"},
            {"id": "end", "tag": "p", "text": "the end", "at": [0, 4000, 100, 20]},
        ]},
        NEXT: {"title": "Next", "body": [{"id": "other", "tag": "button", "text": "Other"}]},
    },
    "windows": [
        {"id": LENT, "tabs": [{"url": SHOP}, {"url": NEXT}]},
        {"id": OTHER, "tabs": [{"url": SHOP}]},
    ],
}  # fmt: skip
CLOSES = "click that closes the window"
ACTIONS: Mapping[str, Mapping[str, Any]] = {
    "fill": {"action": "e1", "text": "Lisbon", "verb": "fill", "node": "1", "value": "Lisbon"},
    "select": {"action": "e4", "verb": "select", "node": "2", "value": "g"},
    "click": {"action": "e5", "verb": "click", "node": "3"},
    "click that leaves the page": {"action": "e6", "verb": "click", "node": "4"},
    "click that renders anew": {"action": "e7", "verb": "click", "node": "5"},
    "click that changes the address": {"action": "e8", "verb": "click", "node": "6"},
    "click that opens a dialog": {"action": "e9", "verb": "click", "node": "7"},
    CLOSES: {"action": "e10", "verb": "click", "node": "8"},
    "scroll": {"action": "scroll-down", "verb": "scroll", "node": "page", "value": [0, 592]},
}
"""What is delivered, by name: the action's id and text, and what it means."""

DELAYS: tuple[tuple[str, Mapping[str, Any]], ...] = tuple(
    ("delay", {"ms": ms}) for ms in (5, 4_000, 12_000, 25_000, 40_000)
)
"""Within every deadline, and past each of them in turn."""
ON_THE_WAY: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *DELAYS, ("drop", {}), ("duplicate", {}), ("truncate", {}), ("truncate", {"bytes": 1}), ("corrupt", {}),
    ("split", {"offset": 1}), ("stall", {}), ("stall", {"bytes": 1}), ("close", {}), ("slow_drip", {}),
)  # fmt: skip
ON_THE_WAY_BACK: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *ON_THE_WAY, ("wrong_id", {}), ("null_result", {}), ("type_confusion", {}), ("half_frame_then_exit", {}),
    ("garbage", {}), ("late_reply", {}), ("unknown_field", {}),
)  # fmt: skip
IN_THE_BRIDGE: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *DELAYS, ("crash", {}), ("signal", {}), ("stderr_flood", {}), ("garbage", {}),
)  # fmt: skip
AN_EVENT: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *IN_THE_BRIDGE,
    *(
        ("apple_event_error", {"number": number, "runs": runs, **more})
        for number in (-1712, -609, -600, -1728, -1719, -1743, -10000)
        for runs, more in (("never", {}), ("now", {}), ("later", {"late_ms": 10}), ("later", {"late_ms": 20_000}))
        if number in (-1712, -609) or runs == "never"
    ),
)
"""An error that says that the event did not run is not drawn with one that ran: no client could tell that."""
CHANGES: tuple[Callable[[str, int], Mapping[str, Any]], ...] = (
    lambda tab, window: {"navigate": {"tab": tab, "url": NEXT}},
    lambda tab, window: {"navigate": {"tab": tab, "url": "http://nobody.test/"}},
    lambda tab, window: {"reload": {"tab": tab}},
    lambda tab, window: {"close_tab": tab},
    lambda tab, window: {"open_tab": {"window": window, "url": NEXT}},
    lambda tab, window: {"close_window": window},
    lambda tab, window: {"raise_window": OTHER},
    lambda tab, window: {"move_window": {"window": window, "bounds": [0, 0, 500, 400]}},
    lambda tab, window: {"dialog": {"tab": tab, "text": "Stay?"}},
    lambda tab, window: {"permission": {"name": "javascript_from_apple_events", "value": False}},
    lambda tab, window: {"permission": {"name": "automation", "value": "denied"}},
    lambda tab, window: {"crash": PID},
    lambda tab, window: {"process": {"pid": PID, "running": False}},
    lambda tab, window: {"process": {"pid": 900, "running": True}},
    *(
        (lambda tab, window, effect=effect: {"page": {"tab": tab, "do": [effect]}})
        for effect in (
            {"set": {"node": "buy", "text": "Sold out"}}, {"set": {"node": "name", "value": "Ada"}},
            {"rerender": "buy"}, {"remove": "buy"}, {"push": "/pushed"}, {"reload": True},
            {"set": {"node": "colour", "attributes": {"disabled": ""}}},
        )
    ),
)
PHASES: Mapping[str, tuple[Mapping[str, Any], Sequence[tuple[str, Mapping[str, Any]]]]] = {
    "before it is sent": ({"wire": "stdio", "way": ">>", "kind": "request", "method": "act"}, ON_THE_WAY),
    "before the guard": ({"moment": "apple_event", "where": {"property": "visible"}}, AN_EVENT),
    "after the guard": ({"moment": "apple_event_ran", "where": {"property": "visible"}}, IN_THE_BRIDGE),
    "before the event": ({"moment": "apple_event", "where": {"op": "act"}}, AN_EVENT),
    "before the effect": ({"moment": "before_effect", "where": {"op": "act"}}, IN_THE_BRIDGE),
    "after the effect": ({"moment": "after_effect", "where": {"op": "act"}}, IN_THE_BRIDGE),
    "after the event": ({"moment": "apple_event_ran", "where": {"op": "act"}}, IN_THE_BRIDGE),
    "on the way back": ({"wire": "stdio", "way": "<<", "kind": "reply", "method": "act"}, ON_THE_WAY_BACK),
    "before it is looked up": ({"wire": "stdio", "way": ">>", "kind": "request", "method": "resolve"}, ON_THE_WAY),
    "while it is looked up": ({"moment": "apple_event", "where": {"op": "resolve"}}, AN_EVENT),
    "after it was looked up": ({"moment": "apple_event_ran", "where": {"op": "resolve"}}, IN_THE_BRIDGE),
    "as what was found comes back": (
        {"wire": "stdio", "way": "<<", "kind": "reply", "method": "resolve"}, ON_THE_WAY_BACK,
    ),
}  # fmt: skip
"""Phase of a delivery -> (where in a run, what may happen there). A world may change wherever a bridge is at a moment,
and where a request is on its way."""
LOSSES = tuple(name for name in PHASES if "look" not in name and "found" not in name)
WITHOUT_EXCUSE = "nothing hid its outcome"
"""Law 3 excuses what is held back until the call's own deadline. A reply is given up after Deadlines.request, which is
earlier: for what faults hold back so long in all, `unknown` is honest here too. It has to agree all the same."""
TIMEOUT_MS = 40_000
"""After which Safari gives up an event that a dialog holds: longer than any call."""
AGREES: Mapping[str, frozenset[int]] = {"done": frozenset({1}), "refused": frozenset({0}), "unknown": frozenset({0, 1})}
"""Outcome of the answer -> how many effects the world may have of that delivery, then or later."""


READ_EVENTS, MUTATION_EVENTS = 2, 4
MUTATION = ("act", "resolve")
"""What a page is asked for an action."""


@dataclass(frozen=True, slots=True)
class Struck:
    """One fault: the phase, its name, its arguments."""

    phase: str
    fault: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Delivery:
    """One delivery. held: lent or owned; action: a name in ACTIONS."""

    held: str
    action: str
    faults: tuple[Struck, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a delivery came to. wrong: what is not as it has to be, in words; fired: faults that fired, by phase."""

    outcome: str
    code: str
    effects: int
    fired: tuple[str, ...]
    wrong: tuple[str, ...]


def drawn(choose: Choose) -> Delivery:
    """A delivery with one to three faults; the first may be anywhere, others where a lost reply is looked up as well.
    The world changes once at most, and not beside a window that closes: a change of what is gone is no change."""
    held, action = choose(tuple(TABS)), choose(tuple(ACTIONS))
    faults: list[Struck] = []
    for number in range(choose((1, 1, 2, 3))):
        phase = choose(LOSSES if number == 0 else tuple(PHASES))
        settled = action == CLOSES or any(each.fault == "world" for each in faults)
        if not settled and choose((False, False, True)) and PHASES[phase][0].get("way") != "<<":
            faults.append(Struck(phase, "world", choose(CHANGES)(TABS[held], WINDOWS[held])))
        else:
            faults.append(Struck(phase, *choose([each for each in PHASES[phase][1] if not _clash(each[0], faults)])))
    return Delivery(held, action, tuple(faults))


def _clash(name: str, others: Sequence[Struck]) -> bool:
    """Whether it is not drawn beside those. A fault that repeats or changes a request on its way, which the stack can't
    help, would do what Safari has just said of the first one that it did not do."""
    errors = "apple_event_error"
    if name == errors:
        return any(FAULTS[each.fault].forges for each in others)
    return FAULTS[name].forges and any(each.fault == errors for each in others)


def draft(held: str, action: str) -> Draft:
    """The run of a delivery, without faults: the user looks on for a minute before the session ends."""
    window = WINDOWS[held]
    what = ACTIONS[action]
    begin = {"call": "open", "arguments": {"url": SHOP}} if held == "owned" else {
        "call": "attach", "arguments": {"window": LENT}
    }  # fmt: skip
    means = {"verb": what["verb"], "ref": f"{window}/{what['node']}"}
    means |= {"value": what["value"]} if "value" in what else {}
    arguments = {"observation": 1, "action": what["action"]} | ({"text": what["text"]} if "text" in what else {})
    steps: list[dict[str, Any]] = [
        {**begin, "expect": "done"},
        {"call": "observe", "expect": "done"},
        {"call": "act", "arguments": arguments, "means": means},
        {"call": "status", "expect": "done"},
        {"call": "observe"},
        {"wait_ms": 60_000},
        {"call": "close"},
    ]
    sections = {"world": dict(WORLD), "programs": {"osascript": {"timeout_ms": TIMEOUT_MS}}}
    return Draft("safari-jxa", ("osascript",), "macos-26", sections, steps)


@cache
def request_of(held: str, action: str) -> int:
    """How many lines the bridge has been given when it is asked to act, as the run without faults has it."""
    records = run(compile_sheet(draft(held, action).scenario(), Choice()))
    (number,) = {line["request"] for line in records.world if line["e"] == "apple_event" and line.get("op") == "act"}
    return int(number)


def plan_of(delivery: Delivery) -> list[dict[str, Any]]:
    """Its faults as entries of a plan."""
    entries = []
    for number, struck in enumerate(delivery.faults, 1):
        at = {"program": "osascript", **PHASES[struck.phase][0]}
        if "visible" in str(at.get("where")):
            at["where"] = {**at["where"], "request": request_of(delivery.held, delivery.action)}
        entries.append({"id": f"f{number}", "fault": struck.fault, "at": at, "args": dict(struck.args)})
    return entries


def played(delivery: Delivery) -> Records:
    """Its run."""
    faults = plan_of(delivery)
    scenario = draft(delivery.held, delivery.action).scenario(faults)
    with limited():
        return run(compile_sheet(scenario, Choice(case=CASE if faults else "")))


def seen(delivery: Delivery) -> Seen:
    """Run it, and compare what was answered with the laws and with the world."""
    records = played(delivery)
    judged = judge_run(kept(records))
    late = held_back_ms(delivery) >= Deadlines().request
    wrong = [
        f"law {each.law}: {each.why}"
        for each in judged.laws
        if each.verdict == "broken" and not (late and each.law == 3 and WITHOUT_EXCUSE in (each.why or ""))
    ]
    answers = {line["call"]: line for line in records.history if line["e"] == "answered"}
    (asked,) = (line["call"] for line in records.history if line["e"] == "asked" and line["tool"] == "act")
    effects = sum(line["e"] == "effect" for line in records.world)
    answer = answers.get(asked, {"outcome": "none", "code": None})
    outcome, code = str(answer["outcome"]), str(answer["code"] or "")
    if effects not in AGREES.get(outcome, ()):
        wrong.append(f"the answer is {outcome} {code}, and the world has {effects} effects")
    if not any(FAULTS[each.fault].forges for each in delivery.faults):  # those ask again what was asked once
        wrong += costs(records)
    names = {f"f{number}": struck.phase for number, struck in enumerate(delivery.faults, 1)}
    fired = tuple(names[line["id"]] for line in records.world if line["e"] == "fault")
    return Seen(outcome, code, effects, fired, tuple(wrong))


def costs(records: Records) -> list[str]:
    """What cost more Apple Events than it may: a read, or the action with all that it was looked up for."""
    events: Counter[tuple[int, int]] = Counter()
    ops: dict[tuple[int, int], str] = {}
    for line in records.world:
        if line["e"] == "apple_event":
            request = line["p"], line["request"]
            events[request] += 1
            ops[request] = ops.get(request) or line.get("op", "")
    action = sum(count for request, count in events.items() if ops[request] in MUTATION)
    dear = [f"{ops[request]}: {count} Apple Events" for request, count in events.items()
            if ops[request] not in ("", *MUTATION) and count > READ_EVENTS]  # fmt: skip
    return dear + ([f"the action: {action} Apple Events"] if action > MUTATION_EVENTS else [])


def held_back_ms(delivery: Delivery) -> float:
    """How much later than usual its faults make things in all; what is held for ever is not counted."""
    held = 0.0
    for struck in delivery.faults:
        args = FAULTS[struck.fault].complete(struck.args) if struck.fault != "world" else {}
        held += sum(value for name, value in args.items() if name.endswith("ms") and isinstance(value, int | float))
    return held


def counted(all_seen: Sequence[Seen]) -> tuple[Counter[str], Counter[str]]:
    """Deliveries by their answer, and faults that fired by phase."""
    answers: Counter[str] = Counter(f"{each.outcome} {each.code}".strip() for each in all_seen)
    return answers, Counter(phase for each in all_seen for phase in each.fired)
