"""Whether a frame of the client is a recorded one, and where it differs: values by the profile, anything else by bytes.

Separate from the window, which knows what may come now and nothing of what is in a frame.
"""
from __future__ import annotations

from harness.replay.pointers import ABSENT, Absent, differences, equal, mapped, replaced, texts, value_at
from harness.replay.profiles import EVERY
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.replay.bindings import Bindings
    from harness.replay.profiles import Profile
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

    Difference = tuple[str, Json | Absent, Json | Absent]


class Comparison:
    """Of the frames of one session."""

    __slots__ = ("bindings", "_profile", "_rules")

    def __init__(self, profile: Profile, bindings: Bindings) -> None:
        self.bindings = bindings
        self._profile = profile
        self._rules: dict[tuple[str, str | None], Rules] = {}

    def differences(self, recorded: Frame, frame: Frame, found: dict[str, str] | None = None) -> Iterator[Difference]:
        """(pointer, recorded, got) where a frame differs from a recorded one; pointer "" where bytes are compared.

        found: gets what tokens of the recorded one stand for.
        """
        known: dict[str, str] = {} if found is None else found
        if recorded.kind != frame.kind or (frame.kind != "reply" and recorded.method != frame.method):
            yield "/method", recorded.method or recorded.kind, frame.method or frame.kind
        if has_value(recorded) and has_value(frame):
            yield from differences(
                self.normal(recorded), self.normal(frame, got=True), lambda _, one, two: self._same(one, two, known)
            )
        elif has_value(recorded) or has_value(frame) or not self._same_bytes(recorded.raw, frame.raw, known):
            yield "", text_of(recorded.raw), text_of(frame.raw)

    def _same(self, recorded: Json, got: Json, found: dict[str, str]) -> bool:
        if isinstance(recorded, str) and isinstance(got, str):
            return self.bindings.fits(recorded, got, found)
        return equal(recorded, got)

    def _same_bytes(self, recorded: bytes, got: bytes, found: dict[str, str]) -> bool:
        return recorded == got or self.bindings.fits(text_of(recorded), text_of(got), found)

    def key(self, frame: Frame, *, got: bool = False) -> str | bytes:
        """Equal for frames that are equal: of a recorded one in this session, or (got) of one that has come."""
        if not has_value(frame):
            return frame.raw
        value = self.normal(frame, got=got)
        if not got and self.bindings.texts:
            value = mapped(value, self.bindings.texts)
        return f"{frame.kind} {dumps(value, ascii_only=False, sort=True)}"

    def has_tokens(self, frame: Frame) -> bool:
        """Whether a recorded frame has no key, because text in it stands for other text."""
        language = self.bindings.language
        if not language.may_be_in(frame.raw):
            return False
        if not has_value(frame):
            return bool(language.tokens(text_of(frame.raw)))
        return any(language.tokens(text) for _, text in texts(self.normal(frame)))

    def normal(self, frame: Frame, *, got: bool = False) -> Json:
        """The value without what is the client's own. got: ids of earlier requests are put back as recorded."""
        value = frame.value
        rules = self.rules(frame)
        for pointer in rules.dropped:
            value = replaced(value, pointer, ABSENT)
        for pointer, _ in rules.owned:
            value = replaced(value, pointer, None)
        if got:
            for pointer in rules.refers:
                id = value_at(value, pointer)
                if not isinstance(id, Absent):
                    value = replaced(value, pointer, self.bindings.recorded_id(id))
        return value

    def rules(self, frame: Frame) -> Rules:
        """What the profile says of frames of this kind and method."""
        which = frame.kind, frame.method
        if which not in self._rules:
            self._rules[which] = Rules(self._profile, *which)
        return self._rules[which]

    def bind(self, recorded: Frame, frame: Frame) -> bool:
        """Learn what is different in this session from a frame that is a recorded one. Whether keys are others now."""
        if self.bindings.language:
            found: dict[str, str] = {}
            for _ in self.differences(recorded, frame, found):
                pass
            self.bindings.learn(found)
        owned = self.rules(frame).owned
        return bool(owned) and self.bindings.owned(
            (kind, value_at(recorded.value, pointer), value_at(frame.value, pointer)) for pointer, kind in owned
        )


class Rules:
    """A profile's pointers for the frames of one kind and method. dropped: neither there nor not there is compared."""

    __slots__ = ("dropped", "owned", "refers")

    def __init__(self, profile: Profile, kind: str, method: str | None) -> None:
        self.dropped: list[str] = []
        self.owned: list[tuple[str, str]] = []
        self.refers: list[str] = []
        if kind not in ("request", "notice") or method is None:
            return
        for name in (EVERY, method):
            self.dropped += profile.ignored.get(name, ())
            self.owned += profile.owned.get(name, {}).items()
            self.refers += profile.refers.get(name, ())
        if kind == "request":
            self.dropped.append("/id")


def has_value(frame: Frame) -> bool:
    """Whether it is the value that is compared, and not the bytes: text lines and bad frames are compared as bytes."""
    return frame.value is not None and not isinstance(frame.value, str)


def text_of(raw: bytes) -> str:
    """Bytes as text in which every byte can be told."""
    return raw.decode("utf-8", "surrogateescape")
