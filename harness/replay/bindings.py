"""What is different in this session, recorded value to value now; and putting it into the bytes that are sent.

Four kinds: the id of a request, which its reply repeats; tokens of the client, which stand where the profile says;
texts of the client's own, which are repeated whole, anywhere; and what placeholders and pseudonyms stand for, anywhere
in a text. Bytes are changed at the spans of these values and nowhere else, and not at all where nothing is different.
"""
from __future__ import annotations

from harness.replay.pointers import Absent, id_key, texts, value_at
from harness.replay.template import Language, fit
from harness.wire import codec
from harness.wire.jsontext import JsonTextError, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeGuard

    from harness.replay.profiles import Profile
    from harness.replay.recording import Item
    from harness.wire.jsontext import Json

    Key = tuple[str, Json]

JSON_DIALECTS = frozenset({"ndjson", "jsonrpc", "mcp", "native"})
SHORTEST_TEXT = 4
"""Characters. A shorter text of the client's own is not looked for elsewhere: `/` is a folder, and a slash."""


class Bindings:
    """Of one session. language: the tokens of its tape; given: token (`<ROOT>`) to what it stands for, from outside."""

    __slots__ = ("language", "profile", "known", "texts", "tokens", "same", "_ids", "_came", "_changed_tokens",
                 "_dialect")

    def __init__(self, profile: Profile, dialect: str, language: Language, given: Mapping[str, str]) -> None:
        self.language = language
        self.profile = profile
        self.known: dict[str, str] = dict(given)
        """Token -> what it stands for."""
        self.texts: dict[str, str] = {}
        """Text of the client's own as recorded -> as it is now, where that is another."""
        self.tokens: dict[Key, Json] = {}
        """Token of the client's as recorded -> as it is now."""
        self._ids: dict[Key, Json] = {}
        """Id that a request came with -> the id that it was recorded with, where that is another."""
        self._came: set[Key] = set()
        """Recorded ids of the requests that came with another one."""
        self.same = not given
        """Whether nothing is different so far."""
        self._changed_tokens = False
        self._dialect = dialect

    def binds_nothing(self, recorded: bytes) -> bool:
        """Whether a frame with the bytes of this recorded one is that one, and leaves everything as it is. False tells
        nothing."""
        return self.same and not self.language.may_be_in(recorded)

    def fits(self, text: str, got: str, found: dict[str, str]) -> bool:
        """Whether `got` is a recorded text in this session. What its tokens stand for is added to `found`."""
        if text in self.texts:
            return got == self.texts[text]
        tokens = self.language.tokens(text) if self.language else []
        if not tokens:
            return text == got
        new = fit(text, tokens, got, {**self.known, **found})
        if new is None:
            return False
        found.update(new)
        return True

    def learn(self, found: Mapping[str, str]) -> None:
        """What tokens stand for, once it is sure."""
        self.known.update(found)
        self.same = self.same and all(token == value for token, value in found.items())

    def request(self, item: Item, id: Json) -> None:
        """The request `item` has come, under this id."""
        recorded = item.frame.id
        if id_key(id) != id_key(recorded):
            item.renamed = True
            item.id = id
            self.same = False
            if self.profile.refers:
                self._ids[id_key(id)] = recorded
                self._came.add(id_key(recorded))

    def recorded_id(self, id: Json) -> Json:
        """What the client's name of an earlier request is in the recording; a list, which no id is, where it is the
        recorded id of a request that came with another one."""
        key = id_key(id)
        if key in self._ids:
            return self._ids[key]
        return [id] if key in self._came else id

    def owned(self, rows: Iterable[tuple[str, Json | Absent, Json | Absent]]) -> bool:
        """Values of the client's own: (kind of OWNED_KINDS, recorded, now). Whether a text is new and different."""
        news = False
        for kind, recorded, now in rows:
            if isinstance(recorded, Absent) or isinstance(now, Absent):
                continue
            if kind == "token":
                self.tokens[id_key(recorded)] = now
                self._changed_tokens = self._changed_tokens or id_key(recorded) != id_key(now)
            elif kind == "text" and is_text(recorded) and isinstance(now, str) and recorded != now:
                news = news or self.texts.get(recorded) != now
                self.texts[recorded] = now
        self.same = self.same and not (self._changed_tokens or self.texts)
        return news

    def bytes_of(self, item: Item) -> bytes:
        """What the program sends for a recorded frame in this session."""
        if self.same:
            return item.raw
        changes: dict[str, bytes] = {}
        asked = item.asked
        if asked is not None and asked.renamed:
            changes["/id"] = encode(asked.id)
        if self._changed_tokens and item.stream == "out":
            changes.update(self._repeated(item))
        return self.rewritten(item, changes)

    def _repeated(self, item: Item) -> Iterator[tuple[str, bytes]]:
        """(pointer, token) of the client's tokens in a frame of the program."""
        for pointer in self.profile.repeats.get(item.frame.method or "", ()):
            recorded = value_at(item.frame.value, pointer)
            if not isinstance(recorded, Absent) and id_key(recorded) in self.tokens:
                yield pointer, encode(self.tokens[id_key(recorded)])

    def rewritten(self, item: Item, changes: dict[str, bytes]) -> bytes:
        """A recorded frame with other values: these at their pointers, the other texts, and what tokens stand for."""
        json = item.stream != "err" and self._dialect in JSON_DIALECTS
        if json and self.texts:
            value = item.frame.value
            changes.update((pointer, encode(self.texts[text])) for pointer, text in texts(value) if text in self.texts)
        raw = self._substituted(item.raw, changes) if changes else item.raw
        return self._filled(raw, json) if self.known else raw

    def _substituted(self, raw: bytes, changes: Mapping[str, bytes]) -> bytes:
        from harness.wire.spans import substitute  # many replays change nothing

        try:
            return self._reframed(raw, lambda body: substitute(body, changes))
        except JsonTextError:
            return raw  # a frame that is no JSON holds no value that could be another now

    def _filled(self, raw: bytes, json: bool) -> bytes:
        """The bytes with what tokens stand for in their place."""

        def fill(body: bytes) -> bytes:
            for token, value in self.known.items():
                if value != token:
                    text = encode(value)[1:-1] if json else value.encode("utf-8", "surrogateescape")
                    body = body.replace(token.encode(), text)
            return body

        if not any(value != token and token.encode() in raw for token, value in self.known.items()):
            return raw
        return self._reframed(raw, fill) if json else fill(raw)

    def _reframed(self, raw: bytes, change: Callable[[bytes], bytes]) -> bytes:
        """A frame with another body. Half a line is changed as it stands; half a native message stays as it is."""
        framing = codec(self._dialect, "<<")
        body = framing.body(raw)
        if framing.wrap(body) == raw:
            return framing.wrap(change(body))
        return raw if self._dialect == "native" else change(raw)


def is_text(value: Json | Absent) -> TypeGuard[str]:
    """Whether a value is text that is long enough to be looked for elsewhere."""
    return isinstance(value, str) and len(value) >= SHORTEST_TEXT
