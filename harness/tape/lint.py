"""What to know before a tape is trusted: rules with stable ids, over one tape, in one pass and constant memory.

Errors say that a tape must not be relied on, warnings that it should be looked at, notes that something in it is worth
knowing (silence and broken frames are data). Whatever the reader refuses is no finding but a TapeProblem.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from harness.tape.disguise import MARK, ROOM
from harness.tape.event import get_bytes, line
from harness.tape.find import Finder
from harness.tape.header import Header
from harness.tape.read import TORN
from harness.tape.redact import JSON_BODIES
from harness.tape.rules import Rules
from harness.tape.views import Seen, exchanges, frames
from harness.wire import DIALECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tape.event import Event
    from harness.wire.jsontext import Json

Severity = Literal["error", "warning", "note"]

RULES: dict[str, tuple[Severity, str, str]] = {
    "TAPE-L001": ("error", "the tape has expired", "record it again against the real program"),
    "TAPE-L002": ("note", "the bytes are reconstructed", "rely on its frames only, or record it again"),
    "TAPE-L003": ("warning", "events are missing", "record it again, or see what is missing with `trailcam tape show`"),
    "TAPE-L004": ("error", "an event stands where it can't", "record it again: the recorder or an editor broke it"),
    "TAPE-L005": ("error", "something looks like a secret", "record it again with --redact, and change that secret"),
    "TAPE-L006": ("warning", "a line is not as the writer writes it", "restore the file: somebody edited it"),
    "TAPE-L007": ("note", "a request has no reply", "nothing: silence is data, and replays as silence"),
    "TAPE-L008": ("note", "a frame breaks the rules of its wire", "nothing: it replays as it was"),
    "TAPE-L009": ("error", "time goes back", "join segments with `trailcam tape join`, or record it again"),
    "TAPE-L010": ("error", "the tape has no process", "record it again: there is nothing to replay"),
    "TAPE-L011": ("note", "its date or a product's version is unknown", "record it again where that matters"),
    "TAPE-L012": ("warning", "nothing was redacted", "record it again with this trailcam"),
    "TAPE-L013": ("warning", "a frame goes on after its last piece", "record it again: the tape ends too early"),
    "TAPE-L014": ("error", "a stream has no dialect that is known", "correct `wires` in the header"),
    "TAPE-L015": ("note", "a process has no end", "nothing, if it outlived the recording"),
}
"""Id -> (severity, what it says, what to do). Ids are never reused."""

_FINDER = Finder(Rules())
_HIDDEN = (b"redacted", b"***", b"<")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule found. n: the event, None for the tape as a whole. detail: which, never a secret itself."""

    rule: str
    n: int | None
    detail: str

    @property
    def severity(self) -> Severity:
        return RULES[self.rule][0]

    def as_json(self) -> dict[str, Json]:
        severity, says, advice = RULES[self.rule]
        return {
            "rule": self.rule, "severity": severity, "n": self.n, "says": says, "detail": self.detail, "advice": advice,
        }


def lint(
    header: Header, events: Iterable[Event], *, today: str | None = None, lines: Iterable[str] | None = None
) -> list[Finding]:
    """The findings for one tape, those for the whole tape first, then by event.

    today: `2026-01-31`, for expiry; None: expiry is not judged. lines: the text of each event's line, taken in step
    with the events, for TAPE-L006.
    """
    checks = _Checks(header)
    found = list(_of_header(header, today))
    known = all(dialect in DIALECTS for wires in header.wires.values() for dialect in wires.values())
    watched = checks.watch(events, iter(lines) if lines is not None else None)
    if known:
        seen = _broken(frames(header, watched), found)
        for exchange in exchanges(seen):
            if exchange.reply is None:
                request = exchange.request
                found.append(Finding("TAPE-L007", request.n, f"{request.s} {request.frame.method}"))
    else:
        for _ in watched:
            pass
    found += checks.found
    found += checks.at_end()
    return sorted(found, key=lambda each: (each.n is not None, each.n or 0, each.rule))


def _of_header(header: Header, today: str | None) -> Iterator[Finding]:
    if today is not None and header.expires is not None and header.expires[:10] <= today[:10]:
        yield Finding("TAPE-L001", None, f"on {header.expires}")
    if header.bytes == "reconstructed":
        yield Finding("TAPE-L002", None, str(header.origin.get("source", "made from parsed frames")))
    products: list[dict[str, Json]] = header.origin["products"]  # type: ignore[assignment]
    vague = [str(product["name"]) for product in products if product["version"] in ("", "unknown")]
    if header.date is None or vague or not products:
        yield Finding("TAPE-L011", None, ", ".join(filter(None, [
            "no date" if header.date is None else "",
            "no product" if not products else "",
            f"no version of {', '.join(vague)}" if vague else "",
        ])))
    if header.bytes == "verbatim" and header.origin["strength"] in ("live", "engine") and not header.redaction:
        yield Finding("TAPE-L012", None, "the header has no redaction rules")
    for program, wires in header.wires.items():
        for wire, dialect in wires.items():
            if dialect not in DIALECTS:
                yield Finding("TAPE-L014", None, f"{program} {wire}: {dialect}")


def _broken(seen: Iterable[Seen], found: list[Finding]) -> Iterator[Seen]:
    for each in seen:
        problem = each.frame.problem
        if problem is not None and not each.broken:
            found.append(Finding("TAPE-L008", each.n, f"{each.s} {problem.code}"))
        yield each


class _Checks:
    """What is checked event by event, with no more memory than processes and streams."""

    def __init__(self, header: Header) -> None:
        self.found: list[Finding] = []
        self._header = header
        self._programs: dict[Json, str] = {}
        self._ended: set[Json] = set()
        self._closed: set[tuple[Json, Json, Json]] = set()
        self._open: dict[tuple[Json, Json, Json], int] = {}
        self._named: set[tuple[str, Json]] = set()
        self._t: float = 0

    def watch(self, events: Iterable[Event], lines: Iterator[str] | None) -> Iterator[Event]:
        for event in events:
            n: int = event["n"]  # type: ignore[assignment]
            self._order(event, n)
            self._secrets(event, n)
            if event["e"] == "gap":
                self._add("TAPE-L003", n, str(event["why"]))
            text = next(lines, None) if lines is not None else None
            if text is not None and text != line(event) and event.get("why") != TORN:
                self._add("TAPE-L006", n, "other spacing, order, escapes or a field twice")
            yield event

    def at_end(self) -> Iterator[Finding]:
        if not self._programs:
            yield Finding("TAPE-L010", None, "no `started` event")
        for p, program in self._programs.items():
            if p not in self._ended:
                yield Finding("TAPE-L015", None, f"{program}, process {p}")
        for (p, wire, stream), n in self._open.items():
            yield Finding("TAPE-L013", n, f"process {p} {wire} {stream}")

    def _add(self, rule: str, n: int, detail: str) -> None:
        self.found.append(Finding(rule, n, detail))

    def _order(self, event: Event, n: int) -> None:
        p, kind = event["p"], event["e"]
        t: float = event["t"]  # type: ignore[assignment]
        if t < self._t:
            self._add("TAPE-L009", n, f"from {self._t} to {t} ms")
        self._t = max(t, self._t)
        if kind == "started":
            if p in self._programs or p == 0:
                self._add("TAPE-L004", n, f"process {p} starts twice" if p else "a process numbered 0")
            self._programs[p] = str(event["program"])
        elif kind in ("bytes", "closed", "exited", "signalled"):
            if p not in self._programs:
                self._add("TAPE-L004", n, f"{kind} of process {p}, which has not started")
            elif p in self._ended and kind == "exited":
                self._add("TAPE-L004", n, f"process {p} ends twice")
        if kind == "exited":
            self._ended.add(p)
        elif kind in ("bytes", "closed"):
            self._stream(event, n)

    def _stream(self, event: Event, n: int) -> None:
        key = event["p"], event["w"], event["s"]
        if key in self._closed:
            self._add("TAPE-L004", n, f"{event['e']} on {key[1]} {key[2]} of process {key[0]}, which has closed")
        if event["e"] == "closed":
            self._closed.add(key)
        elif event.get("more"):
            self._open[key] = n
        else:
            self._open.pop(key, None)
        program = self._programs.get(event["p"], "")
        if (program, event["w"]) not in self._named:
            self._named.add((program, event["w"]))
            if event["w"] not in self._header.wires.get(program, {}):
                self._add("TAPE-L014", n, f"{program} {event['w']} is not in the header")

    def _secrets(self, event: Event, n: int) -> None:
        program = self._programs.get(event["p"], "")
        for data, dialect in _texts(event, self._header, program):
            for rule in exposed(data, text=dialect not in JSON_BODIES, redacted=bool(self._header.redaction)):
                self._add("TAPE-L005", n, rule)


def _texts(event: Event, header: Header, program: str) -> Iterator[tuple[bytes, str]]:
    """(bytes, dialect) of everything in an event that could hold a secret."""
    kind = event["e"]
    if kind == "bytes":
        yield get_bytes(event), header.dialect(program, str(event["w"]), str(event["s"]))
    elif kind == "started":
        argv: list[str] = event["argv"]  # type: ignore[assignment]
        for word in argv:
            yield word.encode("utf-8", "surrogateescape"), "lines"
    elif kind == "flow":
        for name in ("request", "response"):
            half = event.get(name)
            if isinstance(half, dict):
                if "b" in half or "b64" in half:
                    yield get_bytes(half), "lines"
                yield str(half.get("url", "")).encode("utf-8", "replace"), "lines"
                for header_name, value in half.get("headers", []):
                    yield f"{header_name}: {value}".encode("utf-8", "replace"), "lines"
    elif "text" in event:
        yield str(event["text"]).encode("utf-8", "replace"), "lines"


def exposed(data: bytes, *, text: bool, redacted: bool) -> list[str]:
    """The rules by which something in `data` looks like a secret that nobody took out, each once.

    redacted: the tape has been through redaction, so that numbers and texts too short for its mark count as taken out.
    """
    rules: dict[str, None] = {}
    for find in _FINDER.all(data, text=text):
        value = find.secret.lower()
        unmarked = redacted and (find.number or len(value) < ROOM)
        if not (unmarked or value.startswith((MARK, *_HIDDEN)) or find.secret in (b"null", b"true", b"false")):
            rules[find.rule] = None
    return list(rules)


