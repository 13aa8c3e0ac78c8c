"""Law 5, consent: a restricted effect has a grant that is valid at the instant of its dispatch.

The world says which effects are restricted (`needs`). Where it knows the grants itself (`grant` is there) it is the
judge: null means that none was valid. Where it cannot know them, the history is asked: a told `grant` of that name, or
of `*`, that had not ended. Whatever the world says, a grant that the user took back before the dispatch is none, and
neither is one that the stack made of an answer that was no accept.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.kept.lines import Line
from harness.laws.attribution import Attribution, numbers, places
from harness.laws.facts import Call, Facts
from harness.laws.verdict import Finding, Word, moot

NUMBER = 5
NAME = "consent"
BROKEN_WHEN = "a restricted effect without a grant that is valid at the instant of dispatch"
JUDGED_BY = "effects with `needs` against their `grant`, told grants and revocations, and the user's answers"

EVERYTHING = "*"
ENDINGS: Mapping[bool, tuple[str, ...]] = {True: ("revoke",), False: ("revoke", "session_switch")}
"""Whether the world knows the grant -> told events that end it. `revoke` ends those that its data name (all, where it
names none). `session_switch` ends all that the stack was told of; how long a grant of the world's own lasts (once, for
a session, stored) is the world's to know."""


WHY: Mapping[tuple[bool, Word], str] = {
    # (whether the world knows the grant, verdict that is not holds) -> why
    (True, "broken"): "which had been taken back",
    (True, "unknown"): "which was taken back, or ended, just then",
    (False, "broken"): "and the stack had been told of none that was valid",
    (False, "unknown"): "and the one that the stack was told of began or ended just then",
}


@dataclass(frozen=True, slots=True)
class Instant:
    """When an effect was dispatched: not before the call was asked, not after the effect, and with one of the frames
    that the stack sent in that time."""

    asked_k: int
    effect_k: int
    frames: tuple[Line, ...]

    def after(self, line: Line) -> bool | None:
        """Whether the dispatch came after a line of the history; None where the records can't tell."""
        if line["k"] < self.asked_k:
            return True
        if line["k"] > self.effect_k:
            return False
        if self.frames and line["j"] <= self.frames[0]["n"]:
            return True
        if self.frames and line["j"] > self.frames[-1]["n"]:
            return False
        return None


def judge(facts: Facts, attribution: Attribution) -> Finding:
    """Broken at the first restricted effect without a grant; moot where no effect is restricted."""
    restricted = [effect for effect in facts.effects if "needs" in effect]
    unsure: Finding | None = None
    for effect in restricted:
        call = _call_of(attribution, effect)
        verdict, why = _judge_one(facts, effect, call)
        if verdict != "holds":
            calls = numbers([call] if call else [])
            found = Finding(verdict, why, calls, places([effect]), facts.frames_before(effect))
            if verdict == "broken":
                return found
            unsure = unsure or found
    if unsure is not None:
        return unsure
    if not restricted:
        return moot("no effect that needs a grant")
    return Finding("holds", f"{len(restricted)} restricted effects, each with a grant that was valid")


def _call_of(attribution: Attribution, effect: Line) -> Call | None:
    for shares in attribution.shares.values():
        for number, owned in shares.of.items():
            if owned is effect:
                return attribution.facts.calls[number]
    near = attribution.calls_near(effect)
    return near[-1] if near else None


def _judge_one(facts: Facts, effect: Line, call: Call | None) -> tuple[Word, str]:
    needs = effect["needs"]
    did = f"{effect['verb']} needs the grant {needs}"
    if "grant" in effect and effect["grant"] is None:
        return "broken", f"{did}, and the world knows of none that was valid"
    answer = _last_answer(effect, call) if _from_answer(facts, effect) else None
    if answer is not None and answer.get("action") != "accept":
        return "broken", f"{did}, and the user's answer was {answer.get('action') or 'none'}"
    known = "grant" in effect
    word = _standing(facts, needs, _instant(facts, effect, call), "holds" if known else "broken")
    return word, f"{did}, {WHY.get((known, word), 'which was valid')}"


def _from_answer(facts: Facts, effect: Line) -> bool:
    """Whether the grant came, or may have come, from an answer in this run. A world that knows its grants says so when
    it makes one (`changed`, by an answer, with the grant's name)."""
    made = [line["what"] for line in facts.changed if line["by"].startswith("answer:")]
    return "grant" not in effect or any(
        isinstance(what, dict) and what.get("grant") == effect["grant"] for what in made
    )


def _last_answer(effect: Line, call: Call | None) -> Mapping[str, Any] | None:
    """The user's last answer in the effect's call, before it; an empty one where the user could not be asked."""
    replies = [reply for _, reply in call.questions if reply and reply["k"] < effect["k"]] if call else []
    return (replies[-1]["answer"] or {}) if replies else None


def _instant(facts: Facts, effect: Line, call: Call | None) -> Instant:
    begin = call.asked["j"] if call else 0
    sent = facts.sent_to(facts.root(effect["p"]))
    frames = tuple(frame for frame in sent if begin <= frame["n"] < effect["j"])
    return Instant(call.begin if call else -1, effect["k"], frames)


def _named(line: Line) -> str | None:
    data = line.get("data")
    name = data.get("grant") if isinstance(data, dict) else None
    return name if isinstance(name, str) else None


def _standing(facts: Facts, needs: str, instant: Instant, start: Word) -> Word:
    """What had become of the grant at the instant of dispatch: holds where it was valid, broken where not."""
    word = start
    for line in facts.told:
        new = _turn(line, needs, instant, ENDINGS[start == "holds"])
        after = instant.after(line)
        if new is not None and after is not False:
            word = new if after or new == word else "unknown"
    return word


def _turn(line: Line, needs: str, instant: Instant, endings: tuple[str, ...]) -> Word | None:
    """What a told event makes of the grant; None where it is about something else."""
    if line["event"] in endings:
        named = None if line["event"] != "revoke" else _named(line)
        return "broken" if named in (None, EVERYTHING, needs) else None
    if line["event"] == "grant" and _named(line) in (EVERYTHING, needs):
        return _lasting(line, instant)
    return None


def _lasting(grant: Line, instant: Instant) -> Word:
    """Whether a grant, with its time limit if it has one, was valid still."""
    lasts_ms = grant["data"].get("lasts_ms")
    if lasts_ms is None:
        return "holds"
    if type(lasts_ms) not in (int, float) or not instant.frames:
        return "unknown"
    end = grant["t"] + lasts_ms
    first, last = instant.frames[0]["t"], instant.frames[-1]["t"]
    return "holds" if last < end else "broken" if first >= end else "unknown"
