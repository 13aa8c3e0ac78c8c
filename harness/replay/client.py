"""The client's side of a recording, for a real program: what to send, what to wait for, and what came instead.

Pure: the shell (probe.py) carries the bytes. The recorded order is the rule here as in the player, seen from the other
side: a frame of the client is sent when everything has come that had come before it in the recording. Each frame of
the program is taken for the recorded one that it is most like, of those of its kind and method that have not come.
"""
from __future__ import annotations

from harness.problem import Problem
from harness.replay.bindings import Bindings
from harness.replay.drift import WORDS, Drift, Rules, name_of
from harness.replay.order import out_of_order
from harness.replay.pointers import ABSENT, id_key
from harness.tape.schema import shown
from harness.wire.jsontext import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.replay.pointers import Absent
    from harness.replay.profiles import Profile
    from harness.replay.recording import Item
    from harness.replay.template import Language
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

    Key = tuple[str, Json]

LOOK = 64
"""Recorded frames of one method that a frame is compared with to find the one that it is."""
SHOWN = 400
"""Characters of an extra frame that are kept."""


class Unbound(Problem):
    """The client's side holds a placeholder that nothing has given a value."""


class Client:
    """One session with a real program. items: the whole recording of one process."""

    def __init__(
        self, items: Sequence[Item], profile: Profile, dialect: str, language: Language, bind: Mapping[str, str]
    ) -> None:
        self.items = list(items)
        self.drifts: list[Drift] = []
        self.compared = 0
        self._profile = profile
        self._bindings = Bindings(profile, dialect, language, bind)
        self._rules = Rules(profile, self._bindings)
        link(self.items)
        self._waiting = {item.n: item for item in self.items if item.kind == "frame" and item.stream == "out"}
        self._came: list[Item] = []
        self._extra: list[Frame] = []
        self._ids: dict[Key, Json] = {}
        """Recorded id of a request of the program -> the id that it has now."""

    # What the shell asks

    def frame_to_send(self, item: Item) -> bytes | None:
        """The bytes of a recorded frame of the client in this session; None for an answer to a request that never came.

        Raises Unbound.
        """
        changes: dict[str, bytes] = {}
        if item.frame.kind == "reply":
            key = id_key(item.frame.id)
            if key not in self._ids:
                return None
            changes["/id"] = encode(self._ids[key])
        raw = self._bindings.rewritten(item, changes)
        text = raw.decode("utf-8", "surrogateescape")
        for start, stop in self._bindings.language.tokens(text):
            token = text[start:stop]
            if token not in self._bindings.known:
                raise Unbound(
                    f"{token} in event {item.n}, which nothing has given a value", f"--bind {token[1:-1]}=VALUE",
                    "say what it stands for in this session",
                )
        return raw

    def has_come(self, item: Item) -> bool:
        """Whether a recorded frame of the program needs no more waiting."""
        return item.n not in self._waiting

    def came(self, frame: Frame) -> None:
        """A frame of the program."""
        item = self._recorded(frame)
        if item is None:
            self._extra.append(frame)
            return
        del self._waiting[item.n]
        self._came.append(item)
        self.compared += 1
        if frame.kind == "request":
            self._ids[id_key(item.frame.id)] = frame.id
        self.drifts += self._rules.drifts(item, frame)

    def missed(self, item: Item, why: str) -> None:
        """A recorded frame of the program did not come."""
        if self._waiting.pop(item.n, None) is not None:
            what = f"{name_of(item)}: {why}"
            self.drifts.append(Drift("missing", what, item.n, recorded=item.frame.value, seen=ABSENT))

    def ended(self, status: int | None) -> None:
        """The session is over. status: how the program ended, a signal's number negated; None where it did not."""
        for item in list(self._waiting.values()):
            self.missed(item, "the session ended before it")
        for frame in self._extra:
            what = f"{WORDS[frame.kind]} {frame.method or ''}".rstrip()
            seen: Json = frame.value if frame.value is not None else frame.raw.decode("utf-8", "replace")
            if len(frame.raw) > SHOWN:
                seen = shown(frame.raw.decode("utf-8", "replace"), SHOWN)
            self.drifts.append(Drift("extra", what, recorded=ABSENT, seen=seen))
        for first, then in out_of_order(self._profile, self._came):
            what = f"{name_of(then)} came before {name_of(first)}"
            self.drifts.append(Drift("order differs", what, first.n, recorded=ABSENT, seen=ABSENT))
        recorded = next((item.number for item in self.items if item.kind == "exited"), None)
        if recorded is not None and recorded != status:
            seen_status: Json | Absent = ABSENT if status is None else status
            what = "it did not end" if status is None else "it ended otherwise"
            self.drifts.append(Drift("exit status", what, recorded=recorded, seen=seen_status))
        self.drifts = unique(self.drifts)

    # Which recorded frame one is

    def _recorded(self, frame: Frame) -> Item | None:
        alike = [item for item in self._waiting.values() if self._may_be(item, frame)][:LOOK]
        if len(alike) < 2 or frame.kind in ("reply", "raw"):
            return alike[0] if alike else None
        return min(alike, key=lambda item: self._rules.distance(item, frame))

    def _may_be(self, item: Item, frame: Frame) -> bool:
        recorded = item.frame
        if recorded.kind != frame.kind:
            return False
        if frame.kind == "reply":
            return id_key(recorded.id) == id_key(frame.id)
        return recorded.method == frame.method


def link(items: Sequence[Item]) -> None:
    """Tell each reply in a recording which request it answers."""
    asked: dict[tuple[bool, Key], list[Item]] = {}
    for item in items:
        if item.kind != "frame" or item.stream == "err":
            continue
        key = id_key(item.frame.id)
        if item.frame.kind == "request":
            asked.setdefault((item.client, key), []).append(item)
        elif item.frame.kind == "reply" and asked.get((not item.client, key)):
            item.asked = asked[not item.client, key].pop(0)


def unique(drifts: Sequence[Drift]) -> list[Drift]:
    """Each tool's drift once, however often the inventory was asked for."""
    found: dict[object, Drift] = {}
    for place, drift in enumerate(drifts):
        once = drift.kind.startswith("tool ")
        found.setdefault((drift.kind, drift.what, drift.pointer) if once else place, drift)
    return list(found.values())
