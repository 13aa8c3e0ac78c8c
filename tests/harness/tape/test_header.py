"""The first line: what it must say, and what a newer or foreign file is answered."""
from __future__ import annotations

import copy
from typing import Any

import pytest

from harness.tape.event import VERSION
from harness.tape.header import CHOICES, Header, header_fault, header_of
from harness.tape.problem import NewerTape, OlderTape, TapeProblem
from harness.wire.jsontext import loads
from tests.harness.tape.tapes import MONOTONIC, ORIGIN, header

FULL = header(
    origin={**ORIGIN, "source": "a test", "products": [{"name": "a", "version": "1", "sha256": "0" * 64}]},
    clock=MONOTONIC, profile="codex-0.171.0", redaction=[{"what": "x", "how": "y", "count": 1}],
    expires="2027-01-31", hashes={"source": "f" * 64}, date="2026-01-31T10:00:00Z", bytes="reconstructed",
)


@pytest.mark.claim("HAR-TAPE-01")
def test_a_header_says_where_the_tape_came_from_and_comes_back() -> None:
    fields = loads(FULL.line())
    assert isinstance(fields, dict)
    assert list(fields)[:4] == ["trailcam", "v", "origin", "bytes"]
    again = header_of(fields, "x")
    assert again.as_json() == FULL.as_json() == fields
    assert fields["origin"]["strength"] == "model"
    assert fields["origin"]["products"] == [{"name": "a", "version": "1", "sha256": "0" * 64}]
    assert (fields["date"], fields["origin"]["recorder"], fields["v"]) == ("2026-01-31T10:00:00Z", "test 1", VERSION)


@pytest.mark.claim("HAR-TAPE-01")
def test_a_newer_version_is_refused_with_the_way_out() -> None:
    with pytest.raises(NewerTape, match=r"t:1: saw a tape of version 2; .*upgrade trailcam"):
        header_of({"trailcam": "tape", "v": VERSION + 1, "anything": True}, "t")


@pytest.mark.claim("HAR-TAPE-01")
def test_a_frame_log_is_refused_with_the_way_to_migrate() -> None:
    with pytest.raises(OlderTape, match=r"trailcam tape import logs/a\.jsonl --out"):
        header_of({"dir": "c2s", "ts": 0.1, "frame": {}}, "logs/a.jsonl")


@pytest.mark.parametrize("fields", [None, [], 1, "tape", {}, {"trailcam": "report", "v": 1}])
def test_another_file_is_no_tape(fields: Any) -> None:
    with pytest.raises(TapeProblem, match=r't:1: saw .*; expected a header that begins {"trailcam"'):
        header_of(fields, "t")


def without(field: str) -> dict[str, Any]:
    return {name: value for name, value in FULL.as_json().items() if name != field}


@pytest.mark.parametrize("field", [field for field in FULL.as_json() if field not in ("trailcam", "v")])
def test_every_field_is_required(field: str) -> None:
    with pytest.raises(TapeProblem, match=f"the header without {field}"):
        header_of(without(field), "t")


CHANGES: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("v",), True, "v True"),
    (("v",), "1", "v '1'"),
    (("extra",), 1, "an unknown field 'extra'"),
    (("bytes",), "exact", "bytes 'exact'"),
    (("origin", "strength"), "tape", "strength 'tape'"),
    (("origin", "extra"), 1, "an unknown field 'extra' in origin"),
    (("origin", "products"), ["a"], "'a' as a product"),
    (("origin", "products", 0, "sha256"), "abc", "sha256 'abc' in a product"),
    (("origin", "products", 0, "extra"), 1, "an unknown field 'extra' in a product"),
    (("clock", "kind"), "wall", "kind 'wall'"),
    (("clock", "began_ns"), 1.5, "began_ns 1.5 in clock"),
    (("redaction",), [{"what": "x"}], "a redaction without how"),
    (("wires",), {"a": "jsonrpc"}, "wires of a"),
    (("wires",), {"a": {"stdio": 1}}, "wires of a"),
    (("hashes", "source"), "xyz", "hash source"),
    (("expires",), "soon", "expires 'soon'"),
    (("profile",), 1, "profile 1"),
]


@pytest.mark.parametrize(("path", "value", "seen"), CHANGES)
def test_a_wrong_field_is_named(path: tuple[str | int, ...], value: Any, seen: str) -> None:
    fields: Any = copy.deepcopy(FULL.as_json())
    place = fields
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    with pytest.raises(TapeProblem) as caught:
        header_of(fields, "t")
    assert caught.value.seen.startswith(seen)
    assert (caught.value.file, caught.value.line) == ("t", 1)


def test_a_version_that_never_was_is_a_fault() -> None:
    assert header_fault({**FULL.as_json(), "v": 0}) == ("version 0", f"version {VERSION}")


def test_a_recorder_cannot_write_what_the_reader_would_refuse() -> None:
    with pytest.raises(TapeProblem, match="strength 'certain'"):
        Header({**ORIGIN, "strength": "certain"}).line()


@pytest.mark.parametrize(
    ("wire", "stream", "dialect"),
    [("stdio", "in", "jsonrpc"), ("stdio", "out", "jsonrpc"), ("stdio", "err", "lines"), ("socket", "in", "raw"),
     ("other", "err", "raw")],
)
def test_dialect_of_a_stream(wire: str, stream: str, dialect: str) -> None:
    made = header(wires={"fake": {"stdio": "jsonrpc", "socket": "raw"}})
    assert made.dialect("fake", wire, stream) == dialect
    assert made.dialect("unknown", wire, stream) == "raw"


def test_every_choice_has_a_meaning() -> None:
    assert all(meaning for choices in CHOICES.values() for meaning in choices.values())
