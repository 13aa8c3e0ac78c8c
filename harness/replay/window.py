"""What the client may send now, and which recorded frame a frame of the client is.

The window reaches from the first recorded frame of the client that has not come yet to the first event of the program
that could be an effect of one that has not come: the reply to a request; any output after an answer or a notice.
Within it requests match in any order, each frame the earliest recorded one that is equal, so that what was asked twice
is answered in the order of the tape; a notice is never overtaken, and an answer may come at any time after its request.
The tape is read no further than the window reaches, and finding a frame does not depend on its size.
"""
from __future__ import annotations

from _collections import deque

from harness.replay.pointers import id_key
from harness.replay.recording import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.replay.compare import Comparison
    from harness.replay.recording import Item, Recording
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

    Key = tuple[str, Json]

LEFT_OVER = 64
"""Items that have come may wait so many for being sorted in before they are let go."""


class Window:
    """`ahead` holds what was read of the recording and has not been played, in its order."""

    def __init__(self, recording: Recording, comparison: Comparison) -> None:
        self.ahead: deque[Item] = deque()
        self.open: dict[int, Item] = {}
        """n -> item of the client that may come now, in the order of the tape."""
        self.comparison = comparison
        self._recording = recording
        self._closed_by: set[int] = set()
        """n of the items that have to come before the window reaches further."""
        self.over = False
        """Whether the recording has been read to its end."""
        self._effects: set[int] = set()
        """n of the open items that any output of the program could be an effect of."""
        self._beyond: deque[Item] = deque()
        """Read behind the window, in search of an answer."""
        self._fresh: Item | None = None
        """A frame of the client that was read last: what follows it may say what it is."""
        self._asked: dict[int, Item] = {}
        """n of its first piece -> request that is not answered as far as was read."""
        self._unnamed: list[Item] = []
        self._named: dict[Key, deque[Item]] = {}
        """Requests by their ids, put there when a reply is met that does not say what it answers."""
        self._asking: set[Key] = set()
        """Ids of the program's requests that were played and not answered."""
        self._eaten = 0
        self.t = 0.0
        """Recorded time up to which everything has happened."""
        self._by_key: dict[str | bytes, deque[Item]] = {}
        self._unsorted: list[Item] = []
        self._templates: dict[int, Item] = {}

    # Reading on

    def load(self) -> None:
        """Read on as far as the window reaches."""
        while not (self._closed_by or self.over):
            self._read_on()

    def read_ahead(self) -> None:
        """What the client's next frame needs, and one item more: while there is time for it."""
        self.load()
        self._next()

    def _next(self) -> Item | None:
        """What follows what was read as far as the window reaches."""
        if not self._beyond and not self.over:
            item = self._recording.next()
            if item is None:
                return None
            self._beyond.append(item)
        return self._beyond[0] if self._beyond else None

    def _read_on(self) -> None:
        item = self._beyond.popleft() if self._beyond else self._recording.next()
        if self._fresh is not None:
            self._classify(self._fresh, item)
            self._fresh = None
            if self._closed_by and item is not None and item.asked is None:
                self._beyond.appendleft(item)
                return
        if item is None:
            self.over = True
        else:
            self._take(item)

    def _take(self, item: Item) -> None:
        self.ahead.append(item)
        if item.client:
            if not item.done:
                self.open[item.n] = item
                if item.kind == "frame":
                    self._fresh = item
                    self._unsorted.append(item)
                    if len(self._unsorted) > 2 * len(self.open) + LEFT_OVER:
                        self._unsorted = [each for each in self._unsorted if not each.done]
                else:
                    (self._effects if item.kind == "signalled" else self._closed_by).add(item.n)
        elif item.stream == "out":
            self._closed_by |= self._effects
            if item.kind == "frame" and item.asked is None:
                self._link(item)

    def _classify(self, item: Item, after: Item | None) -> None:
        """What may come before a frame of the client that was just read; `after` is what was recorded after it.

        A frame that something answers is a request, which spares decoding it: its bytes are compared first.
        """
        if after is not None and after.cause == item.first:
            self._answered(item, after)
            return
        kind = item.frame.kind
        if kind == "request":
            self._asked[item.first] = item
            self._unnamed.append(item)
        elif not item.done:
            (self._effects if kind == "reply" else self._closed_by).add(item.n)

    def _link(self, item: Item) -> None:
        """Which request a frame of the program answers."""
        asked = None if item.cause is None else self._asked.get(item.cause)
        if asked is None and item.frame.kind == "reply":
            asked = self._asked_with(id_key(item.frame.id))
        if asked is not None:
            del self._asked[asked.first]
            self._answered(asked, item)

    def _answered(self, asked: Item, reply: Item) -> None:
        """Nothing that was recorded after a reply may come before its request."""
        reply.asked = asked
        if not asked.done:
            self._closed_by.add(asked.n)

    def _asked_with(self, key: Key) -> Item | None:
        """The oldest request with this id that is not answered."""
        for item in self._unnamed:
            self._named.setdefault(id_key(item.frame.id), deque()).append(item)
        self._unnamed.clear()
        waiting = self._named.get(key)
        while waiting:
            oldest: Item = waiting.popleft()
            if oldest.first in self._asked:
                return oldest
        return None

    # Playing

    def free(self) -> bool:
        """Whether the next thing in the recording is the program's: everything of the client before it has come."""
        ahead = self.ahead
        while True:
            while ahead and ahead[0].done:
                self.t = max(self.t, ahead.popleft().t)
            if ahead:
                return not ahead[0].client
            if self._closed_by or self.over:
                return False
            item = self._next()
            if item is not None and item.client and not item.done:
                return False
            self._read_on()

    def played(self, item: Item) -> None:
        """A frame of the program was sent."""
        if item.asked is None and item.kind == "frame" and item.stream == "out" and item.frame.kind == "request":
            self._asking.add(id_key(item.frame.id))

    def skip_to(self, kind: str, number: int) -> bool:
        """The client ended the session before its recorded end: go to where it did the same in the recording, leaving
        out all that would be said until then and after. False where it never did: then only an exit code is left."""
        rest = [*self.ahead, *self._beyond, *self._recording]
        self.over = True
        self._fresh = None
        self._beyond.clear()
        place = next((i for i, item in enumerate(rest) if item.kind == kind and item.client and item.number == number),
                     len(rest))
        found = place < len(rest)
        after = [item for item in rest[place + 1 :] if item.kind != "frame"]
        if not found:
            after = [item for item in rest if item.kind == "exited" and item.number >= 0]
        self.ahead = deque(after)
        self.open = {item.n: item for item in after if item.client}
        self._closed_by.clear()
        self._effects.clear()
        return found

    # Matching

    def match(self, frame: Frame) -> Item | None:
        """The recorded frame that this one is: it has come now. None where the tape does not expect it.

        The bytes are compared first: a client that sends what was recorded is not decoded at all.
        """
        self.load()
        head = next(iter(self.open.values()), None)
        if head is not None and head.raw == frame.raw and self.comparison.bindings.binds_nothing(head.raw):
            if head.decoded and head.frame.kind == "reply":
                self._asking.discard(id_key(head.frame.id))
            return self._came(head)
        frame = decoded(frame, self._recording.dialect)
        self._sort()
        found = self._earliest(frame)
        if found is None and frame.kind == "reply":
            found = next((item for item in self.answers_to(frame) if self._is(item, frame)), None)
        return None if found is None else self._came(found, frame)

    def match_bytes(self, data: bytearray) -> bool:
        """Take what was recorded next off the front of raw bytes, which come in any pieces. False where they differ."""
        self.load()
        while data and self.open:
            head = next(iter(self.open.values()))
            rest = head.raw[self._eaten :]
            size = min(len(rest), len(data))
            if not size or data[:size] != rest[:size]:
                return False
            del data[:size]
            self._eaten += size
            if size == len(rest):
                self._eaten = 0
                self._came(head)
                self.load()
        return not data

    def match_end(self, kind: str, number: int = 0) -> bool:
        """Whether stdin may end (`closed`), or this signal come (`signalled`), now: everything before it has come."""
        self.load()
        head = next(iter(self.open.values()), None)
        if head is None or head.kind != kind or head.number != number:
            return False
        self._came(head)
        return True

    def signal_is_near(self, kind: str, number: int = 0) -> bool:
        """Whether a signal and something on stdin may have been seen in the wrong order: they come on two ways."""
        if kind == "closed":
            return any(item.kind == "signalled" for item in self.open.values())
        for item in (*self.open.values(), *self._following()):
            if item.kind == "signalled":
                return item.number == number
        return False

    def _following(self) -> Iterator[Item]:
        """What the client did next behind the window, before the program did anything. Reads on."""
        place = 0
        while True:
            if place == len(self._beyond):
                item = self._recording.next()
                if item is None:
                    return
                self._beyond.append(item)
            if not self._beyond[place].client:
                return
            yield self._beyond[place]
            place += 1

    def _earliest(self, frame: Frame) -> Item | None:
        equals = self._by_key.get(self.comparison.key(frame, got=True))
        found = equals[0] if equals else None
        for n, item in self._templates.items():
            if (found is None or n < found.n) and self._is(item, frame):
                return item
        return found

    def answers_to(self, frame: Frame) -> Iterator[Item]:
        """Recorded answers, behind the window, to the request of the program that `frame` answers. Reads on."""
        key = id_key(frame.id)
        if key not in self._asking:
            return
        yield from (item for item in self._beyond if is_answer(item, key))
        while (item := self._recording.next()) is not None:
            self._beyond.append(item)
            if is_answer(item, key):
                yield item

    def _came(self, item: Item, frame: Frame | None = None) -> Item:
        item.done = True
        self.open.pop(item.n, None)
        self._closed_by.discard(item.n)
        self._effects.discard(item.n)
        self._templates.pop(item.n, None)
        if item.key is not None:
            equals = self._by_key[item.key]
            equals.remove(item)
            if not equals:
                del self._by_key[item.key]
        if frame is not None:
            self._name(item, frame)
            if self.comparison.bind(item.frame, frame):
                self._sort_anew()
        return item

    def _is(self, item: Item, frame: Frame) -> bool:
        return not any(self.comparison.differences(item.frame, frame))

    def _name(self, item: Item, frame: Frame) -> None:
        if frame.kind == "request":
            self.comparison.bindings.request(item, frame.id)
        elif frame.kind == "reply":
            self._asking.discard(id_key(frame.id))

    def _sort(self) -> None:
        """Put the items that were read since into the index."""
        for item in self._unsorted:
            if item.done:
                continue
            if self.comparison.has_tokens(item.frame):
                self._templates[item.n] = item
            else:
                item.key = self.comparison.key(item.frame)
                self._by_key.setdefault(item.key, deque()).append(item)
        self._unsorted = []

    def _sort_anew(self) -> None:
        """What is recorded as one text is another one now: no key is what it was."""
        self._by_key.clear()
        self._templates.clear()
        self._unsorted = [item for item in self.open.values() if item.kind == "frame"]
        for item in self._unsorted:
            item.key = None


def is_answer(item: Item, key: Key) -> bool:
    """Whether an item is an answer of the client that has not come, to the program's request with this id."""
    return (
        item.client and item.kind == "frame" and not item.done
        and item.frame.kind == "reply" and id_key(item.frame.id) == key
    )  # fmt: skip
