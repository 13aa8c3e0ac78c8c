"""The bridge's wire without I/O: lines of JSON, ours in ASCII, and what each of them is to the requests so far.

Separate from the process that carries it, because every way in which a bridge can be wrong is decided here. The ids
are texts that count from 1. A reply to a request that was given up, or that has been answered, answers nothing else; a
reply to an id that was never issued means that this is not our conversation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from stack.contract import Json
from stack.safari_jxa.errors import BridgeCallError, BridgeError, call_error


@dataclass(frozen=True, slots=True)
class Ready:
    """The bridge runs, and reads requests from now on."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The reply to the request in flight: its result, or the typed error of its Apple Event."""

    result: Mapping[str, Json]
    error: BridgeCallError | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something that answers nothing: a late or second reply, a notice without meaning."""


Event: TypeAlias = Ready | Answered | Dropped


def failed(seen: str) -> BridgeError:
    """A bridge that is not to be used any more."""
    return BridgeError("bridge_failed", seen, outcome="refused")


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def decode(line: bytes) -> Mapping[str, Json]:
    """The object of one line. BridgeError, which quotes nothing of it."""
    try:
        value: Json = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise failed(f"a line that is not JSON ({type(error).__name__})") from None
    if not isinstance(value, dict):
        raise failed("a line that is no JSON object")
    return value


class Conversation:
    """One bridge: what was asked, and what its lines mean. One request is in flight at a time."""

    def __init__(self, line_bytes: int) -> None:
        self._limit = line_bytes
        self._rest = bytearray()
        self._issued = 0
        self._in_flight: str | None = None
        self._ready = False

    def request(self, method: str, params: Mapping[str, Json]) -> bytes:
        """The line of the next request. ASCII: a decoder that is given half a character has nothing to say."""
        self._issued += 1
        self._in_flight = str(self._issued)
        members = {"id": self._in_flight, "method": method, "params": dict(params)}
        return json.dumps(members, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"

    def give_up(self) -> None:
        """Whatever comes for the request in flight is late from now on."""
        self._in_flight = None

    def feed(self, data: bytes) -> Iterator[Event]:
        """The events that `data` completes. BridgeError where the bridge broke its protocol."""
        self._rest += data
        while (end := self._rest.find(b"\n")) >= 0:
            line = bytes(self._rest[:end])
            del self._rest[: end + 1]
            self._check(len(line))
            yield self._event(decode(line))
        self._check(len(self._rest))

    def _check(self, size: int) -> None:
        if size > self._limit:
            raise failed(f"a line of more than {self._limit} bytes")

    def _event(self, members: Mapping[str, Json]) -> Event:
        if "method" in members:
            return self._notice(members)
        if not self._ready:
            raise failed("a reply before the bridge was ready")
        identifier = members.get("id")
        if not isinstance(identifier, str) or not self._was_issued(identifier):
            raise failed("a reply to an id that was never issued")
        if identifier != self._in_flight:
            return Dropped()
        self._in_flight = None
        return _answer(members)

    def _notice(self, members: Mapping[str, Json]) -> Event:
        if "id" in members:
            raise failed("a request, which no bridge makes")
        if members["method"] == "ready" and not self._ready:
            self._ready = True
            return Ready()
        return Dropped()

    def _was_issued(self, identifier: str) -> bool:
        return (
            identifier.isascii()
            and identifier.isdigit()
            and 1 <= int(identifier) <= self._issued
            and (str(int(identifier)) == identifier)
        )


def _answer(members: Mapping[str, Json]) -> Answered:
    result, error = members.get("result"), members.get("error")
    if isinstance(result, dict) and error is None:
        return Answered(result)
    if result is None and isinstance(error, dict):
        number, text, data = error.get("code"), error.get("message"), error.get("data")
        if isinstance(number, int) and not isinstance(number, bool) and isinstance(text, str):
            # Where the bridge does not say whether the event went out, it may have.
            sent = not (isinstance(data, dict) and data.get("sent") is False)
            return Answered({}, call_error(number, text, sent=sent))
    raise failed("a reply with neither a result nor an error")
