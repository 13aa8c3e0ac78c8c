"""Players that do one thing otherwise are seen by the very checks that the real one passes. In virtual time."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.faults.steps import Exit, Send, Step
from harness.replay import miss, player
from harness.replay.bindings import Bindings
from harness.replay.order import Order, mixed, out_of_order
from harness.replay.player import MISSED, Player
from harness.replay.profiles import profile_of
from harness.replay.recording import Recording
from harness.replay.window import Window
from tests.harness.replay import test_player, test_player_values, test_recordings
from tests.harness.replay.talking import CLOSE, HELLO, WELCOME, ask, reply, run, talk
from tests.harness.replay.tapes import err, got, said
from tests.teeth import Break, check_tells_apart, replaced

Check = Callable[[Path], object]
PLAY, RECEIVED, FREE = Player._play, Player.received, Window.free


def doing(change: Callable[[list[Step]], Iterable[Step]]) -> Break:
    """A player whose steps, as many as it carries out at once, are others."""

    def _play(self: Player) -> Iterator[Step]:
        yield from change(list(PLAY(self)))

    return replaced(Player, "_play", _play)


def each(change: Callable[[Step], Step | None]) -> Break:
    """A player each of whose steps is another, or none."""
    return doing(lambda steps: [after for step in steps if (after := change(step)) is not None])


def only(kind: type[Step], change: Callable[[Any], Step | None]) -> Break:
    return each(lambda step: change(step) if isinstance(step, kind) else step)


def anew(step: Send) -> Step:
    """The same JSON in other bytes."""
    return step if step.stream == "err" else Send(json.dumps(json.loads(step.raw)).encode() + b"\n")


def plays_frames_and_log_in_their_order(folder: Path) -> None:
    frames = ['{"method":"a"}', '{"method":"b"}', '{"method":"c"}', WELCOME]
    seen = run(folder, [got(HELLO), err("one"), *map(said, frames), err("two"), *CLOSE], talk(HELLO, 4))
    assert [line.decode() for line in seen.lines] == frames
    assert (seen.err, seen.status) == (b"one\ntwo\n", 0)


def is_the_recorded_app_server(folder: Path) -> None:
    test_recordings.test_it_replays_as_it_was("0.171.0/s09d_idle_sigint.jsonl", 1)


MOOD = "0.171.0/s32_two_parallel.jsonl"

AS_THE_PROGRAM: dict[str, tuple[Check, Break]] = {
    "any command line": (
        lambda folder: test_player_values.test_the_command_line_is_compared(
            folder, ("serve", "-v"), "auto", {}, MISSED),
        replaced(Player, "_argv_problem", lambda self, argv: None),
    ),
    "JSON written anew": (test_player.test_ids_are_the_clients_own, only(Send, anew)),
    "a native message with its old length": (
        test_player_values.test_a_native_message_gets_its_new_length,
        replaced(Bindings, "_reframed", lambda self, raw, change: change(raw)),
    ),
    "another order": (plays_frames_and_log_in_their_order, doing(lambda steps: reversed(steps))),
    "no stderr": (plays_frames_and_log_in_their_order, only(Send, lambda step: None if step.stream == "err" else step)),
    "stderr on stdout": (plays_frames_and_log_in_their_order, only(Send, lambda step: Send(step.raw))),
    "exit status 0": (is_the_recorded_app_server, only(Exit, lambda step: Exit(0))),
    "recorded ids": (
        test_player.test_ids_are_the_clients_own, replaced(Bindings, "bytes_of", lambda self, item: item.raw)),
    "recorded tokens": (
        test_player_values.test_progress_tokens_and_cancelled_ids,
        replaced(Bindings, "_repeated", lambda self, item: ()),
    ),
    "recorded values of the client": (
        test_player_values.test_what_the_client_owns_is_repeated_to_it,
        replaced(Bindings, "owned", lambda self, rows: False),
    ),
    "placeholders as they stand": (
        test_player_values.test_placeholders_of_a_reconstructed_tape,
        replaced(Bindings, "_filled", lambda self, raw, json: raw),
    ),
    "pseudonyms as they stand": (
        test_player_values.test_a_pseudonym_stands_for_the_secret_that_the_client_sends,
        replaced(Bindings, "_filled", lambda self, raw, json: raw),
    ),
}  # fmt: skip


@pytest.mark.claim("HAR-PLAY-01", tooth="a player of another command line, framing, order, stderr, exit or old values")
@pytest.mark.parametrize(("check", "broken"), AS_THE_PROGRAM.values(), ids=AS_THE_PROGRAM)
def test_a_player_that_is_not_as_the_program_is_seen(check: Check, broken: Break, tmp_path: Path) -> None:
    check_tells_apart(check, broken, tmp_path)


def any_open(self: Window, frame: object) -> object:
    """Whatever comes is what was expected."""
    self.load()
    head = next(iter(self.open.values()), None)
    return None if head is None else self._came(head)


def ends_with_the_nearest_request(folder: Path) -> None:
    """One method apart, one value apart, and one that stands nowhere near."""
    events = [got(ask(1, "a")), said(reply(1, 1)), got(ask(2, "b", x=1, y=2)), said(reply(2, 2)), *CLOSE]
    nearest = "expected event 3, the nearest that is recorded here: the request b with id 2, with"
    for sent, words in (
        (ask(2, "c", x=1, y=2), f'which differs at /method: "c"; {nearest} "b" at /method'),
        (ask(2, "b", x=1, y=3), f"which differs at /params/y: 3; {nearest} 2 at /params/y"),
        ('{"method":"gone"}', "saw the notice gone"),
    ):
        seen = run(folder, events, talk(ask(1, "a"), 1, sent))
        assert (seen.status, seen.lines) == (MISSED, [reply(1, 1).encode()]), "nothing is made up"
        assert words in seen.err.decode()
        assert seen.err.startswith(f"trailcam replay: {folder}/t.jsonl:".encode())


def ending(*steps: Step, says: bool = True) -> Break:
    """A player that meets a miss with these steps; says: and with what it says of it."""
    end = player._end

    def _end(problem: Any) -> Iterator[Step]:
        if says:
            yield from (step for step in end(problem) if isinstance(step, Send))
        yield from steps

    return replaced(player, "_end", _end)


MADE_UP = b'{"id":2,"result":{}}\n'
MISSES: dict[str, Break] = {
    "whatever comes is expected": replaced(Window, "match", any_open),
    "a made-up reply, and it goes on": ending(Send(MADE_UP), says=False),
    "a made-up reply, and the end": ending(Send(MADE_UP), Exit(MISSED)),
    "it goes on": ending(),
    "it ends as if all were well": ending(Exit(0)),
    "it ends without a word": ending(Exit(MISSED), says=False),
    "no difference": replaced(miss, "first_of", lambda window, item, frame: [("", "this", "that")]),
    "not the nearest": replaced(miss, "miss_of_frame", lambda window, recording, frame: miss.miss(
        window, recording, miss.named(frame))),
}  # fmt: skip


@pytest.mark.claim("HAR-PLAY-02", tooth="a player that goes on, makes a reply up, or does not name what it expected")
@pytest.mark.parametrize("broken", MISSES.values(), ids=MISSES)
def test_a_player_that_hides_a_miss_is_seen(broken: Break, tmp_path: Path) -> None:
    check_tells_apart(ends_with_the_nearest_request, broken, tmp_path)


def eager(self: Window) -> bool:
    """The program's events are played as soon as they are read, whatever of the client they waited for."""
    self.load()
    while self.ahead and (self.ahead[0].client or self.ahead[0].done):
        self.ahead.popleft()
    return bool(self.ahead) or FREE(self)


def answers_all(self: Player, wire: str, frame: Any) -> Iterator[Step]:
    message = json.loads(frame.raw)
    if "id" in message and "method" in message:
        yield Send(reply(message["id"], "null").encode() + b"\n")
    yield from RECEIVED(self, wire, frame)


def ends_at_eof(self: Player, wire: str) -> Iterator[Step]:
    yield Exit(0)


def shuffles_what_is_unordered(folder: Path) -> None:
    """Seeds draw several orders of the program's frames, one each, and never one that the profile does not allow."""
    orders = set()
    for seed in (1, 2, 3, 4, 5):
        recorded, seen = test_recordings.play(MOOD, 1, seed=seed)
        test_recordings.linked(recorded)
        header = Recording(str(test_recordings.FOLDER / MOOD), 1).header
        profile = profile_of(header.profile, next(iter(header.wires.values()))["stdio"])
        assert not out_of_order(profile, test_recordings.frames(recorded, seen.out)), seed
        assert test_recordings.play(MOOD, 1, seed=seed)[1].out == seen.out
        orders.add(seen.out)
    assert len(orders) > 1


def drawn_freely(self: Order, ahead: Any) -> Any:
    """Any of the program's items that no event of the client parts from the first."""
    count = next((place for place, item in enumerate(ahead) if item.client and not item.done), len(ahead))
    free = [place for place in range(count) if not ahead[place].client]
    drawn = min(free, key=lambda place: mixed(self._seed, ahead[place].n))
    item = ahead[drawn]
    del ahead[drawn]
    return item


ANSWER = ('{"id":0,"result":{"action":"decline"}}', 'differs at /result/action: "decline"; expected event 3')
GATES: dict[str, tuple[Check, Break]] = {
    "a request does not wait": (
        test_player.test_a_request_of_the_program_waits_for_the_answer_to_the_one_before,
        replaced(Window, "free", eager),
    ),
    "any answer will do": (
        lambda folder: test_player.test_an_answer_is_compared_with_the_recorded_one(folder, *ANSWER),
        replaced(Window, "match", any_open),
    ),
    "silence is filled": (test_player.test_silence_is_silence, replaced(Player, "received", answers_all)),
    "half a frame is left out": (
        test_player.test_a_crash_in_the_middle_of_a_frame,
        only(Send, lambda step: step if step.raw.endswith(b"\n") else None),
    ),
    "half a frame is made whole": (
        test_player.test_a_crash_in_the_middle_of_a_frame,
        only(Send, lambda step: step if step.raw.endswith(b"\n") else Send(step.raw + b'ult":{}}\n')),
    ),
    "a crash is an end": (test_player.test_a_crash_in_the_middle_of_a_frame, only(Exit, lambda step: Exit(0))),
    "a signal is a status": (
        test_player.test_it_hangs_on_the_end_of_stdin_where_the_recorded_program_did,
        only(Exit, lambda step: Exit(128 - step.status)),
    ),
    "it ends with stdin": (
        test_player.test_it_hangs_on_the_end_of_stdin_where_the_recorded_program_did,
        replaced(Player, "ended", ends_at_eof),
    ),
    "no seed": (shuffles_what_is_unordered, replaced(Order, "take", lambda self, ahead: ahead.popleft())),
    "a seed that keeps nothing": (shuffles_what_is_unordered, replaced(Order, "take", drawn_freely)),
}


@pytest.mark.claim("HAR-PLAY-04", tooth="a player that does not wait, compare, keep silent, break off or shuffle")
@pytest.mark.parametrize(("check", "broken"), GATES.values(), ids=GATES)
def test_a_player_that_smooths_a_session_is_seen(check: Check, broken: Break, tmp_path: Path) -> None:
    check_tells_apart(check, broken, tmp_path)


def test_the_changed_player_without_a_change_is_the_real_one(tmp_path: Path) -> None:
    """What changes a player's steps changes nothing by itself."""
    with pytest.raises(AssertionError, match="does not see"):
        check_tells_apart(plays_frames_and_log_in_their_order, each(lambda step: step), tmp_path)
