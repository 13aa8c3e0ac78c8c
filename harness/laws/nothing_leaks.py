"""Law 6, nothing leaks: a planted canary is found nowhere but where it is allowed.

Everything that the run left is searched, apart from what the scenario itself said (told, asked, replied) and what is
only true of the world. Each text has a place with a dotted name, and a canary's `allowed` lists patterns of such names.
The bytes of a stream are searched as one text, so a canary cut by reads is found; so is one that was cut and sent in
pieces in the same member of successive JSON frames.
"""
from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from harness.kept.lines import Line
from harness.laws.attribution import Attribution
from harness.laws.canary import find, joined_leaves
from harness.laws.facts import Facts, Frame
from harness.laws.verdict import Finding, moot
from harness.tape.event import get_bytes, line
from harness.wire.jsontext import JsonTextError, dumps, loads

NUMBER = 6
NAME = "nothing leaks"
BROKEN_WHEN = (
    "a planted canary (password value, token, page of another origin or another session) is found in a message, tape, "
    "log, error or report where it has no business"
)
JUDGED_BY = "every text of the run against each canary of the sheet, in plain, JSON, base64, hex and percent form"

PLACES: Mapping[str, str] = {
    "answered": "an answer: content, structured content, code, evidence",
    "questioned": "a question that the stack asked",
    "launched.PROGRAM": "environment and working folder that the stack gave a program",
    "listed": "the list of tools",
    "reported": "the status of the stack",
    "wrote.PLACE": "what the stack wrote beside its answers: log, audit, stderr, error",
    "left": "names of files and sockets that were left",
    "effect": "value of an effect in the world",
    "argv.PROGRAM": "arguments, and names of environment variables, of a program",
    "wire.PROGRAM.WIRE.STREAM": "bytes of one stream: in (toward the program), out, err",
    "flow.PROGRAM.LEG.HALF": "request or response of an HTTP leg",
    "note": "remarks in the journal",
}
"""Place -> what is searched there."""


@dataclass(frozen=True, slots=True)
class Text:
    """One text that is searched. ends: for each frame in it, where the frame ends, so that a find names its frame."""

    place: str
    data: bytes
    calls: tuple[int, ...] = ()
    world: tuple[int, ...] = ()
    ends: tuple[tuple[int, Frame], ...] = ()

    def frames_at(self, offset: int) -> tuple[Frame, ...]:
        return next(((frame,) for end, frame in self.ends if offset < end), ())


def judge(facts: Facts, attribution: Attribution) -> Finding:
    """Broken at the first canary in a wrong place; unknown where a canary was not planted or a text is not whole."""
    canaries = facts.sheet.get("canaries") or ()
    if not canaries:
        return moot("no canary was planted")
    texts = list(_texts(facts))
    planted = dumps({key: value for key, value in facts.sheet.items() if key != "canaries"}, ascii_only=False).encode(
        "utf-8", "surrogatepass"
    )
    reasons = list(_not_whole(facts))
    for number, canary in enumerate(canaries, 1):
        name = canary.get("name") or f"number {number}"
        seen = "planted" in canary or find(canary["value"], planted) is not None
        for text in texts:
            found = find(canary["value"], text.data)
            if found is None:
                continue
            seen = True
            if not any(fnmatchcase(text.place, pattern) for pattern in canary["allowed"]):
                offset, form = found
                return Finding("broken", f"canary {name} is in {text.place}, {form}", text.calls, text.world,
                               text.frames_at(offset))
        if not seen:
            reasons.append(f"canary {name} was planted nowhere")
    if reasons:
        return Finding("unknown", "; ".join(reasons))
    return Finding("holds", f"{len(canaries)} canaries in {len(texts)} texts, none where it is not allowed")


def _texts(facts: Facts) -> Iterator[Text]:
    yield from _history_texts(facts)
    for effect in facts.effects:
        yield Text("effect", _bytes(effect.get("value")), (), (int(effect["n"]),))
    yield from _journal_texts(facts)


def _bytes(value: Any) -> bytes:
    return dumps(value, ascii_only=False).encode("utf-8", "surrogatepass")


def _history_texts(facts: Facts) -> Iterator[Text]:
    answers: list[Any] = []
    for call in facts.calls.values():
        for question, _ in call.questions:
            if question["e"] == "questioned":
                yield Text("questioned", _bytes(question["question"]), (call.number,))
        if call.answered is not None:
            said = {key: value for key, value in call.answered.items() if key not in ("sha256", "bytes")}
            answers.append(said)
            yield Text("answered", _bytes(said), (call.number,))
    yield from (Text("answered", text.encode("utf-8", "surrogatepass")) for text in joined_leaves(answers))
    for seen in facts.seen:
        place = f"launched.{seen['program']}" if seen["e"] == "launched" else str(seen["e"])
        yield Text(place, _bytes({key: value for key, value in seen.items() if key not in ("n", "t", "k", "j", "e")}))
    for wrote in facts.wrote:
        yield Text(f"wrote.{wrote['place']}", wrote["text"].encode("utf-8", "surrogatepass"))
    for left in facts.left:
        yield Text("left", _bytes(dict(left)))


def _journal_texts(facts: Facts) -> Iterator[Text]:
    programs = facts.programs()
    streams: dict[str, list[tuple[Frame, bytes]]] = {}
    for event in facts.run.journal:
        program = programs.get(event["p"], "unknown")
        match event["e"]:
            case "started":
                words = [program, *event["argv"], *event.get("env", ())]
                yield _of_frame(f"argv.{program}", _bytes(words), (event["p"], event["n"]))
            case "bytes":
                place = f"wire.{program}.{event['w']}.{event['s']}"
                key = f"{place}\0{event['p']}"
                streams.setdefault(key, []).append(((event["p"], event["n"]), get_bytes(event)))
            case "flow":
                for half in ("request", "response"):
                    if half in event:
                        place = f"flow.{program}.{event['w']}.{half}"
                        yield _of_frame(place, _flow(event[half]), (event["p"], event["n"]))
            case "note":
                yield Text("note", event["text"].encode("utf-8", "surrogatepass"))
    for key, pieces in streams.items():
        place = key.partition("\0")[0]
        yield _stream(place, pieces)
        for text in joined_leaves(_values(pieces)):
            yield _of_frame(place, text.encode("utf-8", "surrogatepass"), pieces[-1][0])


def _of_frame(place: str, data: bytes, frame: Frame) -> Text:
    return Text(place, data, (), (), ((len(data), frame),))


def _flow(half: Line) -> bytes:
    head = {key: value for key, value in half.items() if key not in ("b", "b64")}
    return _bytes(head) + (get_bytes(half) if "b" in half or "b64" in half else b"")


def _stream(place: str, pieces: list[tuple[Frame, bytes]]) -> Text:
    ends, end = [], 0
    for frame, data in pieces:
        end += len(data)
        ends.append((end, frame))
    return Text(place, b"".join(data for _, data in pieces), (), (), tuple(ends))


def _values(pieces: list[tuple[Frame, bytes]]) -> Iterator[Any]:
    """The JSON values among frames; framing before the first brace (a length, say) is left aside."""
    for _, data in pieces:
        begin = data.find(b"{")
        if begin >= 0:
            try:
                yield loads(data[begin:].decode("utf-8", "replace"))
            except JsonTextError:
                continue


def _not_whole(facts: Facts) -> Iterator[str]:
    """What of the run was not kept, and so can't be searched."""
    for call in facts.calls.values():
        if call.answered is not None and not is_whole(call.answered):
            yield f"the content of the answer to call {call.number} was not kept whole"
    for gap in facts.gaps():
        yield f"the journal has a gap at {gap['n']}"


def is_whole(answered: Line) -> bool:
    """Whether the kept content of an answer is all of it: it has the size and hash that the answer had."""
    data = line({"content": answered.get("content"), "structured": answered.get("structured")}).encode("ascii")
    return len(data) == answered["bytes"] and hashlib.sha256(data).hexdigest() == str(answered["sha256"])
