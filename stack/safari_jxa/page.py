"""What the page program answers, read strictly: every reply is one JSON text with a status.

Separate from the session, so that what is not a reply is decided in one place. A reply that can't be read is None here:
for a read that is an error, for a mutation it is a lost reply.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NoReturn

from stack.contract import Json
from stack.safari_jxa.errors import PARTS, REASONS, Blocked, StalePage

STATUSES: Final = frozenset({"ok", "document", "refused", "finished", "void", "repeated", "failed", "invalid"})
ELEMENT_FIELDS: Final = ("id", "kind", "label", "node", "role", "rect", "value")
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "click": ELEMENT_FIELDS,
    "fill": ELEMENT_FIELDS,
    "select": (*ELEMENT_FIELDS, "option"),
    "scroll": ("id", "kind", "label"),
    "wait": ("id", "kind", "label"),
}
"""Kind of action -> what one of it has."""

Action = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Observation:
    """One snapshot of the page.

    number: counted within the session; fingerprint: SHA-256 over url, text, actions and scroll; left_out: actions over
    the bound of 500, which are not listed; ready: document.readyState; rebound: an owned window shows another document
    than before; page, guards: what is compared before an action, opaque.
    """

    number: int
    url: str
    title: str
    text: str
    scroll: Mapping[str, Json]
    actions: tuple[Action, ...]
    fingerprint: str
    left_out: int
    ready: str
    rebound: bool
    epoch: str
    page: Mapping[str, Json]
    guards: Mapping[str, Mapping[str, Json]]

    def shown(self) -> dict[str, Json]:
        """What a caller sees of it."""
        return {
            "observation": self.number,
            "url": self.url,
            "title": self.title,
            "text": self.text,
            "scroll": dict(self.scroll),
            "actions": [dict(action) for action in self.actions],
            "left_out": self.left_out,
            "fingerprint": self.fingerprint,
            "ready": self.ready,
            "rebound": self.rebound,
        }


def canonical(value: Json) -> bytes:
    """One spelling of a JSON value."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode("ascii")


def reply_of(value: Json) -> Mapping[str, Json] | None:
    """The reply in the result of an evaluation; None where there is none that can be read. A page may have changed
    what its scripts give in any way, so nothing is taken for more than a JSON value before it was looked at."""
    if not isinstance(value, str):
        return None
    try:
        reply: Json = json.loads(value, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    if not isinstance(reply, dict) or not _among(reply.get("status"), STATUSES):
        return None
    if reply["status"] == "refused" and refusal(reply) is None:
        return None
    return reply


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _among(value: Json, known: Container[str]) -> bool:
    """Whether it is one of these texts; a list or an object can't even be looked up."""
    return isinstance(value, str) and value in known


def refusal(reply: Mapping[str, Json]) -> StalePage | None:
    """The error of a page that refused; None where it does not say why in words that are known."""
    part, reason = reply.get("part"), reply.get("reason")
    if isinstance(reason, str) and reason in REASONS:
        return Blocked(reason)
    return StalePage(part) if isinstance(part, str) and part in PARTS else None


def seen_now(reply: Mapping[str, Json], number: int, text_characters: int) -> Observation | None:
    """The observation that came with a refusal; None where none did, or none that is whole."""
    seen = reply.get("seen")
    return observation(seen, number, text_characters) if isinstance(seen, dict) else None


def _texts(reply: Mapping[str, Json], *names: str) -> tuple[str, ...] | None:
    found = tuple(value for value in map(reply.get, names) if isinstance(value, str))
    return found if len(found) == len(names) else None


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _action(value: Json) -> Action | None:
    """An action as it is listed, or None: exactly the fields of its kind, with their types."""
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return None
    names = FIELDS.get(str(value["kind"]))
    if names is None or set(value) != set(names):
        return None
    types: Mapping[str, type | tuple[type, ...]] = {"node": int, "option": int, "rect": dict}
    if not all(isinstance(value[name], types.get(name, str)) for name in names):
        return None
    return value


def observation(reply: Mapping[str, Json], number: int, text_characters: int) -> Observation | None:
    """The observation in a reply with status ok; None where it is not whole, or its text is longer than it may be."""
    texts = _texts(reply, "url", "title", "text", "ready", "epoch")
    scroll, actions, page, guards = (reply.get(name) for name in ("scroll", "actions", "page", "guards"))
    if texts is None or not isinstance(scroll, dict) or set(scroll) != {"y", "height"} or not isinstance(actions, list):
        return None
    if not isinstance(page, dict) or not isinstance(guards, dict) or not all(map(_is_number, scroll.values())):
        return None
    listed = tuple(action for action in map(_action, actions) if action is not None)
    kept = {node: guard for node, guard in guards.items() if isinstance(guard, dict)}
    nodes = {str(action["node"]) for action in listed if "node" in action}
    url, title, text, ready, epoch = texts
    if len(listed) != len(actions) or not nodes <= set(kept) or len(text) > text_characters:
        return None
    seen: Json = [url, text, [dict(action) for action in listed], scroll]
    fingerprint = sha256(canonical(seen)).hexdigest()
    over, rebound = reply.get("left_out", 0), reply.get("rebound") is True
    if not isinstance(over, int):
        return None
    return Observation(number, url, title, text, scroll, listed, fingerprint, over, ready, rebound, epoch, page, kept)
