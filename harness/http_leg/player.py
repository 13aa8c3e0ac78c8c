"""Answers requests from a tape, strictly in its order. Whatever else is asked is refused, and nothing is passed on.

What is compared: method, path and query, Content-Type, and the body. Where the tape has a pseudonym in a secret's
place, whatever stands there is taken for the secret. A request that differs, and one after the last recorded reply, is
a miss: from then on everything is refused, because what was recorded after it belongs to another session.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from harness.http_leg.messages import Request, Response, request_of, response_of
from harness.problem import Problem
from harness.tape.disguise import MARK
from harness.tape.read import read
from harness.wire.jsontext import JsonTextError, dumps
from harness.wire.spans import spans

REFUSED = 599
"""Status of a refusal: no server of the real world sends it."""
ADVICE = "correct the client, or record the session again"
_PSEUDONYM = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SHOWN = 100


@dataclass(frozen=True, slots=True)
class Recorded:
    """One flow of the tape. n: its event; response: None where none came then."""

    n: int
    request: Request
    response: Response | None


@dataclass(slots=True)
class Player:
    """What may be asked next. ignore: JSON pointers whose values are not compared in bodies."""

    flows: Sequence[Recorded]
    ignore: Sequence[str] = ()
    missed: list[str] = field(default_factory=list)
    """The first miss, and what was asked after it."""
    _place: int = 0

    def answer(self, request: Request) -> Response | None:
        """The recorded reply; None where none came then; a refusal for a miss."""
        if self.missed:
            return self._refuse(request, "nothing more after a miss")
        if self._place == len(self.flows):
            return self._refuse(request, f"nothing: all {len(self.flows)} recorded requests were answered")
        recorded = self.flows[self._place]
        difference = differs(recorded.request, request, self.ignore)
        if difference:
            return self._refuse(request, f"event {recorded.n}: {named(recorded.request)}; {difference}")
        self._place += 1
        return recorded.response

    def _refuse(self, request: Request, expected: str) -> Response:
        self.missed.append(f"saw {named(request)}; expected {expected}")
        error = {"type": "trailcam_miss", "seen": named(request), "expected": expected, "advice": ADVICE}
        return Response(REFUSED, (("Content-Type", "application/json"),), dumps({"error": error}).encode())

    @property
    def left(self) -> Sequence[Recorded]:
        """What was recorded and not asked for."""
        return self.flows[self._place :]

    @property
    def problems(self) -> list[str]:
        """Why this was not the recorded session; empty where it was."""
        if self.missed:
            more = len(self.missed) - 1
            return [f"{self.missed[0]}; {ADVICE}", *([f"{more} more requests were refused after it"] if more else [])]
        if self.left:
            first = self.left[0]
            return [f"saw the end; expected event {first.n}: {named(first.request)}, and {len(self.left) - 1} more"]
        return []


def named(request: Request) -> str:
    """A request in a message: no header and no body, which may hold a secret, and no query."""
    return f"{request.method} {request.target.partition('?')[0]}"[:SHOWN]


def differs(recorded: Request, request: Request, ignore: Sequence[str] = ()) -> str:
    """How a request differs from the recorded one, in words without content; empty where it does not."""
    if request.method != recorded.method:
        return "another method"
    if not same(recorded.target.encode(), request.target.encode()):
        return "another path or query"
    if recorded.header("content-type") != request.header("content-type"):
        return "another Content-Type"
    if not same(without(recorded.body, ignore), without(request.body, ignore)):
        return f"another body ({len(request.body)} bytes in place of {len(recorded.body)})"
    return ""


def without(body: bytes, ignore: Sequence[str]) -> bytes:
    """A JSON body with `null` in place of the values at these pointers; any other body as it is."""
    if not ignore:
        return body
    try:
        found = spans(body)
    except (JsonTextError, UnicodeDecodeError):
        return body
    for start, stop in sorted((found[pointer] for pointer in ignore if pointer in found), reverse=True):
        body = body[:start] + b"null" + body[stop:]
    return body


def same(recorded: bytes, got: bytes) -> bool:
    """Whether two texts are equal apart from pseudonyms in the recorded one, which are as long as their secrets."""
    if recorded == got:
        return True
    if len(recorded) != len(got) or MARK not in recorded:
        return False
    place = 0
    for start, stop in pseudonyms(recorded):
        if recorded[place:start] != got[place:start]:
            return False
        place = stop
    return recorded[place:] == got[place:]


def pseudonyms(text: bytes) -> Iterator[tuple[int, int]]:
    """Where pseudonyms stand in redacted text."""
    start = text.find(MARK)
    while start >= 0:
        stop = start
        while stop < len(text) and text[stop] in _PSEUDONYM:
            stop += 1
        yield start, stop
        start = text.find(MARK, stop)


def open_player(path: str, leg: str | None = None, ignore: Sequence[str] = ()) -> Player:
    """The flows of a tape, those of one leg where it is named. Raises TapeProblem, and Problem where it has none or a
    gap: what is missing might be the very reply."""
    flows = []
    _, events = read(path)
    with events:
        for event in events:
            if event["e"] == "gap":
                raise Problem(f"{path}: a gap at event {event['n']}", "a tape without gaps", "record it again")
            if event["e"] == "flow" and leg in (None, event["w"]):
                response = event.get("response")
                answer = response_of(response) if isinstance(response, dict) else None
                flows.append(Recorded(int(str(event["n"])), request_of(event["request"]), answer))  # type: ignore[arg-type]
    if not flows:
        raise Problem(f"{path}: no flow{f' of {leg}' if leg else ''}", "a tape with flows of an HTTP leg",
                      "record one with `trailcam http record`")
    return Player(flows, ignore)
