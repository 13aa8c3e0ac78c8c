"""Values by their JSON pointers: taking one, putting others, finding where two values differ.

Separate from `wire.spans`, which is about the bytes of a text; this is about decoded values.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from harness.wire.jsontext import Json

    Same = Callable[[str, Json, Json], bool]


class Absent:
    """The type of ABSENT: what stands where nothing stands."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()


def parts_of(pointer: str) -> list[str]:
    """The names on the way to a value."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def escaped(name: str) -> str:
    """A member's name as a part of a pointer."""
    return name.replace("~", "~0").replace("/", "~1") if "~" in name or "/" in name else name


def value_at(value: Json, pointer: str) -> Json | Absent:
    """What stands at a pointer, or ABSENT."""
    found: Json = value
    for part in parts_of(pointer):
        if isinstance(found, dict) and part in found:
            found = found[part]
        elif isinstance(found, list) and part.isascii() and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        else:
            return ABSENT
    return found


def replaced(value: Json, pointer: str, new: Json | Absent) -> Json:
    """A copy in which `new` stands at the pointer (ABSENT: nothing); the same value where nothing stood there before.

    Only members of objects are looked at.
    """
    return _replaced(value, parts_of(pointer), new)


def _replaced(value: Json, parts: list[str], new: Json | Absent) -> Json:
    if not isinstance(value, dict) or parts[0] not in value:
        return value
    copy = dict(value)
    if len(parts) > 1:
        copy[parts[0]] = _replaced(copy[parts[0]], parts[1:], new)
    elif isinstance(new, Absent):
        del copy[parts[0]]
    else:
        copy[parts[0]] = new
    return copy


def mapped(value: Json, change: Mapping[str, str]) -> Json:
    """A copy in which every text that is a key of `change` is its value."""
    if isinstance(value, str):
        return change.get(value, value)
    if isinstance(value, dict):
        return {name: mapped(each, change) for name, each in value.items()}
    return [mapped(each, change) for each in value] if isinstance(value, list) else value


def texts(value: Json, pointer: str = "") -> Iterator[tuple[str, str]]:
    """(pointer, text) of every text in a value, names of members aside."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from texts(each, f"{pointer}/{escaped(name)}")
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from texts(each, f"{pointer}/{place}")


def id_key(id: Json) -> tuple[str, Json]:
    """Equal for ids and tokens that are the same JSON value: 0, 0.0 and "0" are three. As the wires' own key, which
    comes with all of JSON-RPC, and a player starts in no time."""
    return type(id).__name__, repr(id) if isinstance(id, list | dict) else id


def equal(recorded: Json, got: Json) -> bool:
    """Whether two values that are no containers are the same JSON value: 1, 1.0 and true are three."""
    return type(recorded) is type(got) and recorded == got


def differences(
    recorded: Json | Absent, got: Json | Absent, same: Same = lambda _, one, two: equal(one, two), pointer: str = ""
) -> Iterator[tuple[str, Json | Absent, Json | Absent]]:
    """(pointer, recorded, got) of each place where two values differ, in the order of the recorded one.

    same: compares two texts, numbers, or other values that are no containers of one kind.
    """
    if isinstance(recorded, dict) and isinstance(got, dict):
        for name, each in recorded.items():
            yield from differences(each, got.get(name, ABSENT), same, f"{pointer}/{escaped(name)}")
        for name, other in got.items():
            if name not in recorded:
                yield f"{pointer}/{escaped(name)}", ABSENT, other
    elif isinstance(recorded, list) and isinstance(got, list):
        for place in range(max(len(recorded), len(got))):
            one = recorded[place] if place < len(recorded) else ABSENT
            two = got[place] if place < len(got) else ABSENT
            yield from differences(one, two, same, f"{pointer}/{place}")
    elif isinstance(recorded, Absent) or isinstance(got, Absent):
        if recorded is not got:
            yield pointer, recorded, got
    elif not same(pointer, recorded, got):
        yield pointer, recorded, got
