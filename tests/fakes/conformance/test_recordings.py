"""The client's half of every recorded session, played against the model: differences are fixed, or listed."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.wire.jsontext import dumps, loads
from tests.fakes.conformance.compare import broken_rules, differences
from tests.fakes.conformance.known_differences import KNOWN
from tests.fakes.conformance.normal import normal
from tests.fakes.conformance.play import Player
from tests.fakes.conformance.recordings import (
    VERSIONS,
    Recording,
    Sent,
    helper_side,
    helper_sides,
    names,
    recording,
)

ALL = [(version, name) for version in VERSIONS for name in names(version)]
SIDES = [(version, name) for version in VERSIONS for name in helper_sides(version)]
SEEDS = range(1, 17)
"""A recording is one order of several: the model must be able to draw it, and most seeds are not needed."""
STUBBORN = {"s52_stubborn_child_eof": 0, "s52_stubborn_child_15": 15, "s52_stubborn_child_9": 9}
"""Sessions of which only the helper's side was recorded, with how they ended."""


def test_every_recording_is_there() -> None:
    assert len(ALL) == 153
    assert len(SIDES) == 26


@pytest.mark.claim("HAR-FAKE-04")
@pytest.mark.parametrize(("version", "name"), ALL)
def test_the_model_does_what_the_recording_shows(version: str, name: str) -> None:
    recorded = recording(version, name)
    assert broken_rules(recorded.frames) == []
    found: list[str] = []
    for seed in SEEDS:
        found = differences(recorded, Player(recorded, seed).run())
        if not found:
            break
    words, why = KNOWN.get((version, name), ("", ""))
    if why:
        assert found, f"{name} agrees now: take it off the list of known differences"
        assert [each for each in found if words not in each] == []
    else:
        assert found == []


@pytest.mark.claim("HAR-FAKE-04")
@pytest.mark.parametrize(("version", "name"), SIDES)
def test_the_model_tells_its_helpers_what_the_recording_shows(version: str, name: str) -> None:
    """Frame by frame for each process; for a helper that ignores them also how it was told to end."""
    player = Player(_stubborn(version, name) if name in STUBBORN else recording(version, name), seed=1)
    player.run()
    marks = name in STUBBORN
    recorded = helper_side(version, name)
    assert _bag(player.helper_frames(), marks) == _bag(recorded, marks)


def _bag(processes: dict[int, list[object]], marks: bool) -> Counter[str]:
    return Counter(
        dumps(normal([each for each in seen if marks or not isinstance(each, str)]), sort=True)
        for seen in processes.values()
    )


def _stubborn(version: str, name: str) -> Recording:
    """The session of such a recording: up to the first call, and then its end."""
    happy = recording(version, "s01_happy")
    until_call = next(n for n, sent in enumerate(happy.sent) if sent.data and b"tool/call" in sent.data) + 1
    found = Recording(version, name, sent=happy.sent[:until_call])
    answered = next(n for n, frame in enumerate(happy.frames) if frame.get("id") == "4") + 1
    number = STUBBORN[name]
    found.sent.append(Sent(happy.sent[until_call - 1].t_ms + 400, None, answered, number))
    found.frames = happy.frames[:answered]
    return found


def _frame(text: str) -> object:
    return loads(text)


BROKEN: tuple[tuple[str, list[str], str], ...] = (
    ("a frame that is missing", ['{"id":"1","result":{}}'], "missing: "),
    ("a member that differs", ['{"id":"1","result":{}}', '{"id":"2","result":{"x":2}}'], "not recorded: "),
    ("replies in another order", ['{"id":"2","result":{"x":1}}', '{"id":"1","result":{}}'], "replies in the order"),
    (
        "resolved before it was asked",
        ['{"id":"1","result":{}}', '{"id":"2","result":{"x":1}}',
         '{"method":"serverRequest/resolved","params":{"requestId":0}}'],
        "order rule broken",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("what", "frames", "begins"), BROKEN, ids=[row[0] for row in BROKEN])
def test_a_difference_is_found(what: str, frames: list[str], begins: str) -> None:
    recorded = Recording(
        "0.171.0", "x", frames=[_frame('{"id":"1","result":{}}'), _frame('{"id":"2","result":{"x":1}}')]
    )
    played = Recording("0.171.0", "x", frames=[_frame(text) for text in frames])
    assert any(each.startswith(begins) for each in differences(recorded, played)), what


def test_a_different_end_is_found() -> None:
    recorded = Recording("0.171.0", "x", errors=["<TS> ERROR a"], status=0)
    played = Recording("0.171.0", "x", errors=["2026-01-01T00:00:00.000000Z ERROR b"], status=1)
    assert differences(recorded, played) == [
        "missing on standard error: ERROR a",
        "not recorded on standard error: ERROR b",
        "exit status 1, recorded 0",
    ]
    assert differences(recorded, recorded) == []
