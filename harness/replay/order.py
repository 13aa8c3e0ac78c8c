"""Another order of what may come in any order: drawn by a seed, within what the profile keeps.

Only what is free now changes places, and nothing is held back for it: a client that waits for the last of these frames
gets them all. The same seed draws the same order, however the client's bytes are split.
"""
from __future__ import annotations

from harness.replay.pointers import Absent, value_at
from harness.replay.profiles import EVERY
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Sequence

    from harness.replay.profiles import Frames, Profile
    from harness.replay.recording import Item
    from harness.wire.jsontext import Json

LOOK = 256
"""Of more frames that are free at once, only so many are drawn from."""

_MASK = (1 << 64) - 1
_RPC = frozenset({"request", "notice", "reply"})


class Order:
    """Draws what comes next."""

    __slots__ = ("_profile", "_seed")

    def __init__(self, profile: Profile, seed: int) -> None:
        self._profile = profile
        self._seed = seed

    def take(self, ahead: deque[Item]) -> Item:
        """Take one item of the program off `ahead`, whose first is one."""
        free: list[Item] = []
        places: list[int] = []
        for place, item in enumerate(ahead):
            if len(free) == LOOK or (item.client and not item.done):
                break
            if not item.client:
                free.append(item)
                places.append(place)
        first = [i for i, item in enumerate(free) if not any(keeps(self._profile, one, item) for one in free[:i])]
        drawn = min(first, key=lambda i: mixed(self._seed, free[i].n))
        del ahead[places[drawn]]
        return free[drawn]


def mixed(seed: int, n: int) -> int:
    """A number that looks drawn by chance, the same for the same two (the finisher of SplitMix64)."""
    z = (seed * 0x9E3779B97F4A7C15 + n * 0xD1342543DE82EF95 + 0x2545F4914F6CDD1D) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def keeps(profile: Profile, first: Item, then: Item) -> bool:
    """Whether `first`, which was recorded before `then`, has to come before it."""
    if first.kind != "frame" or then.kind != "frame":
        return True
    if first.stream != then.stream:
        return False
    if not (movable(profile, first) and movable(profile, then)):
        return True
    one, two = what(first), what(then)
    if one == two and one[0] != "reply":
        return all(at(first, pointer) == at(then, pointer) for pointer in profile.subjects.get(one[1] or "", ()))
    return any(
        fits(pair.first, first, one) and fits(pair.then, then, two) and all(
            at(first, before) == at(then, after) for before, after in pair.same
        )
        for pair in profile.pairs
    )


def what(item: Item) -> tuple[str, str | None]:
    """(kind, method) of a frame of the program; a reply has the method of its request."""
    frame = item.frame
    if frame.kind == "reply":
        return "reply", None if item.asked is None else item.asked.frame.method
    return frame.kind, frame.method


def movable(profile: Profile, item: Item) -> bool:
    """Whether a frame may change places at all."""
    if item.stream != "out" or item.frame.kind not in _RPC:
        return False
    return profile.movable is None or what(item) in profile.movable


def fits(frames: Frames, item: Item, which: tuple[str, str | None]) -> bool:
    """Whether an item is one of these frames."""
    return which[0] == frames.kind and frames.method in (EVERY, which[1]) and all(
        value_at(item.frame.value, pointer) in values for pointer, values in frames.where.items()
    )


def at(item: Item, pointer: str) -> str | None:
    """What stands at a pointer of the frame, or (`?`) of the request that it answers, as text; None for nothing."""
    value: Json | Absent
    if pointer.startswith("?"):
        value = Absent() if item.asked is None else value_at(item.asked.frame.value, pointer[1:])
    else:
        value = value_at(item.frame.value, pointer)
    return None if isinstance(value, Absent) else dumps(value, sort=True)


def out_of_order(profile: Profile, seen: Sequence[Item]) -> list[tuple[Item, Item]]:
    """(first, then): the pairs that the profile keeps and that came the other way round. seen: items in the order of
    their coming; each is compared with so many before it as a draw could have put there."""
    return [
        (first, then)
        for place, first in enumerate(seen)
        for then in seen[max(0, place - LOOK) : place]
        if first.n < then.n and keeps(profile, first, then)
    ]
