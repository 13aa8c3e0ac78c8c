"""What a real program does otherwise than it was recorded: one kind of difference a row, and the rules that find it.

Pure: the probe's client shows frames, this says what differs. Values that the program makes up anew are bound by the
profile's pointers, and by placeholders, and expected wherever the recorded ones stood; times are not compared; tools
are compared by name, so that one that was added is not a shift of all the others.
"""
from __future__ import annotations

from harness.replay.bindings import is_text
from harness.replay.compare import has_value, text_of
from harness.replay.pointers import Absent, differences, equal, escaped, parts_of
from harness.tape.rules import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.replay.bindings import Bindings
    from harness.replay.profiles import Profile
    from harness.replay.recording import Item
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

    Value = Json | Absent

KINDS = {
    "tool added": "a tool that was not recorded",
    "tool removed": "a recorded tool that is gone",
    "tool changed": "a tool whose description, schema or annotations differ",
    "answer differs": "a reply to a request",
    "request differs": "a request of the program",
    "notice differs": "a notice of the program",
    "output differs": "a frame that is no message",
    "order differs": "two frames that came the other way round, though the profile keeps their order",
    "missing": "a recorded frame that did not come in time",
    "extra": "a frame that was not recorded",
    "exit status": "the program ended otherwise",
}
"""Kind of drift -> what drifted."""


class Drift:
    """One difference. what: the message or tool, in a few words; event: n of the recorded event, None for what was not
    recorded; pointer: where in the frame or tool; recorded, seen: values, ABSENT where nothing stood."""

    __slots__ = ("kind", "what", "event", "pointer", "recorded", "seen")

    def __init__(
        self, kind: str, what: str, event: int | None = None, pointer: str = "", *, recorded: Value, seen: Value
    ) -> None:
        self.kind = kind
        self.what = what
        self.event = event
        self.pointer = pointer
        self.recorded = recorded
        self.seen = seen

    def as_json(self) -> dict[str, Json]:
        """`{kind, what, event, pointer, recorded, seen}`; recorded and seen are left out where nothing stood."""
        row: dict[str, Json] = {"kind": self.kind, "what": self.what, "event": self.event, "pointer": self.pointer}
        for name in ("recorded", "seen"):
            value = getattr(self, name)
            if not isinstance(value, Absent):
                row[name] = value
        return row


class Tools:
    """The tools of one inventory: the pointer to them, and name -> tool."""

    __slots__ = ("pointer", "by_name")

    def __init__(self, pointer: str, value: Json) -> None:
        self.pointer = pointer
        self.by_name: dict[str, Json] = {}
        if isinstance(value, dict):
            self.by_name = dict(value)
        elif isinstance(value, list):
            self.by_name = {str(tool.get("name", place)): tool for place, tool in enumerate(value) if is_object(tool)}


class Rules:
    """Compares frames of the program under a profile, and learns what is different in this session from them."""

    __slots__ = ("_profile", "_bindings")

    def __init__(self, profile: Profile, bindings: Bindings) -> None:
        self._profile = profile
        self._bindings = bindings

    def drifts(self, item: Item, frame: Frame) -> list[Drift]:
        """Where a frame that came differs from the recorded one that it stands for."""
        recorded = item.frame
        what = name_of(item)
        if not (has_value(recorded) and has_value(frame)):
            same = self._fits(text_of(recorded.raw), text_of(frame.raw))
            one, two = text_of(recorded.raw), text_of(frame.raw)
            return [] if same else [Drift("output differs", what, item.n, recorded=one, seen=two)]
        key = method_key(item)
        inventory = self._profile.tools.get(key)
        chosen = frozenset(self._profile.chosen.get(key, ()))
        found = [
            Drift(f"{WORDS[recorded.kind]} differs", what, item.n, pointer, recorded=one, seen=two)
            for pointer, one, two in differences(
                recorded.value, frame.value, lambda pointer, one, two: self._same(pointer, one, two, chosen)
            )
            if pointer != "/id" and not (inventory and inside(inventory, pointer))
        ]
        if recorded.kind == "request" and type(recorded.id) is not type(frame.id):
            found.append(Drift("request differs", what, item.n, "/id", recorded=recorded.id, seen=frame.id))
        return found + (list(tool_drifts(inventory, item, frame)) if inventory else [])

    def distance(self, item: Item, frame: Frame) -> int:
        """How many values differ, learning nothing: which of several recorded frames one is most like."""
        found = differences(item.frame.value, frame.value, self._alike)
        return sum(1 for pointer, _, _ in found if pointer != "/id")

    def _alike(self, pointer: str, recorded: Json, got: Json) -> bool:
        if isinstance(recorded, str) and isinstance(got, str):
            return self._bindings.fits(recorded, got, {})
        return equal(recorded, got) or self._is_time(pointer)

    def _same(self, pointer: str, recorded: Json, got: Json, chosen: frozenset[str]) -> bool:
        if self._is_time(pointer) or self._either(pointer, recorded, got):
            return True
        if not (isinstance(recorded, str) and isinstance(got, str)):
            return equal(recorded, got) or (pointer in chosen and type(recorded) is type(got))
        if self._fits(recorded, got):
            return True
        if pointer in chosen and is_text(recorded) and recorded not in self._bindings.texts:
            self._bindings.texts[recorded] = got
            return True
        return False

    def _fits(self, recorded: str, got: str) -> bool:
        found: dict[str, str] = {}
        fits = self._bindings.fits(recorded, got, found)
        self._bindings.learn(found if fits else {})
        return fits

    def _is_time(self, pointer: str) -> bool:
        return pointer.rpartition("/")[2] in self._profile.times

    def _either(self, pointer: str, recorded: Json, got: Json) -> bool:
        return any(
            recorded in values and got in values
            for pattern, values in self._profile.either.items()
            if matches(pattern, pointer)
        )


WORDS = {"reply": "answer", "request": "request", "notice": "notice", "raw": "output"}


def method_key(item: Item) -> str:
    """By which a profile's tables name a frame of the program."""
    if item.frame.kind == "reply":
        return "?" if item.asked is None else f"?{item.asked.frame.method}"
    return item.frame.method or ""


def name_of(item: Item) -> str:
    """A recorded frame of the program in a few words."""
    frame = item.frame
    if frame.kind == "reply":
        method = "an unknown request" if item.asked is None else item.asked.frame.method
        return f"answer to {method} (event {item.n})"
    return f"{WORDS[frame.kind]} {frame.method or ''}".rstrip() + f" (event {item.n})"


def is_object(value: Json) -> bool:
    return isinstance(value, dict)


def inside(pattern: str, pointer: str) -> bool:
    """Whether a pointer leads to what a pattern with `*` names, or into it."""
    return matches(pattern, pointer) or matches(f"{pattern}/**", pointer)


def inventories(pattern: str, value: Json, pointer: str = "") -> Iterator[Tools]:
    """The tools that stand where a pattern with `*` leads."""
    name, *rest = parts_of(pattern) or [""]
    if not name:
        yield Tools(pointer, value)
        return
    deeper = "".join(f"/{escaped(part)}" for part in rest)
    if name == "*" and isinstance(value, list):
        for place, each in enumerate(value):
            yield from inventories(deeper, each, f"{pointer}/{place}")
    elif isinstance(value, dict):
        for member in value if name == "*" else [name] if name in value else []:
            yield from inventories(deeper, value[member], f"{pointer}/{escaped(member)}")


def tool_drifts(pattern: str, item: Item, frame: Frame) -> Iterator[Drift]:
    """Tools added, removed and changed between two inventories."""
    recorded = {tools.pointer: tools for tools in inventories(pattern, item.frame.value)}
    seen = {tools.pointer: tools for tools in inventories(pattern, frame.value)}
    for pointer in dict.fromkeys((*recorded, *seen)):
        old = recorded[pointer].by_name if pointer in recorded else {}
        new = seen[pointer].by_name if pointer in seen else {}
        for name in dict.fromkeys((*old, *new)):
            if name not in new:
                yield Drift("tool removed", name, item.n, pointer, recorded=old[name], seen=Absent())
            elif name not in old:
                yield Drift("tool added", name, item.n, pointer, recorded=Absent(), seen=new[name])
            else:
                for where, one, two in differences(old[name], new[name]):
                    yield Drift("tool changed", name, item.n, where, recorded=one, seen=two)
