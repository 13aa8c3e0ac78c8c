"""Facts about native messaging as a browser does it: one check a row of fakes/fronts/chrome_native.py that a host's own
doing brings about. A back runs a host that is played by a script, and tells what was seen of it.

Source: trailcam facts, Chrome, section 2. Rows 1 to 4 are decided before a host is started (check_..._is_not_started);
rows 12, 18 and 19 are of APIs that our extension does not use (sendNativeMessage, posting what is no JSON, posting to
a port that is closed), so the fake has none of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fakes.fronts import chrome_native as native


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of a port. error: the text at onDisconnect, None where the port stayed open; delivered: messages of the
    host; killed_ms: from the end of the host's input or output to its kill, None where it was not killed."""

    error: str | None
    open: bool
    delivered: Sequence[Any]
    started: int
    killed_ms: float | None
    eof: bool


class Back(Protocol):
    """Something that is a browser. script: steps of the host, one of `say VALUE`, `raw BYTES`, `wait MS`, `exit N`,
    `close output`, `until end`, `stay`, `complain N`; then: what is done to the browser meanwhile. late_ms: how much
    later than it does something that may be seen."""

    late_ms: float

    def port(
        self, *script: tuple[str, Any], registered: str = "well", then: str = "", after_ms: float = 400
    ) -> Seen: ...


STAY = ("until end", None)


def check_chrome_browser_a_bad_name_is_not_started(back: Back) -> None:
    seen = back.port(STAY, registered="invalid_name")
    assert (seen.error, seen.started) == (native.INVALID_NAME, 0)


def check_chrome_browser_nine_kinds_of_missing_manifest_are_alike(back: Back) -> None:
    for cause in native.MANIFEST_CAUSES:
        seen = back.port(STAY, registered=cause)
        assert (seen.error, seen.started) == (native.NOT_FOUND, 0)


def check_chrome_browser_another_origin_is_not_started(back: Back) -> None:
    seen = back.port(STAY, registered="forbidden")
    assert (seen.error, seen.started) == (native.FORBIDDEN, 0)


def check_chrome_browser_an_exit_has_no_status(back: Back) -> None:
    for status in (0, 1, 3):
        assert back.port(("exit", status)).error == native.EXITED


def check_chrome_browser_a_message_before_an_exit_is_delivered(back: Back) -> None:
    seen = back.port(("say", {"type": "a"}), ("exit", 0))
    assert (seen.error, list(seen.delivered)) == (native.EXITED, [{"type": "a"}])


def check_chrome_browser_text_on_stdout_breaks_the_port(back: Back) -> None:
    for raw in (b"Traceback (most recent call last):\n", b"\x00\x00\x00\x02{}"):
        seen = back.port(("raw", raw), STAY)
        assert (seen.error, list(seen.delivered)) == (native.BROKEN, [])


def check_chrome_browser_a_mebibyte_passes_and_a_byte_more_breaks_the_port(back: Back) -> None:
    body = b'"' + b"x" * (native.TOWARD_BROWSER - 2) + b'"'
    seen = back.port(("raw", len(body).to_bytes(4, "little") + body), STAY)
    assert (seen.open, len(seen.delivered)) == (True, 1)
    body = b'"' + b"x" * (native.TOWARD_BROWSER - 1) + b'"'
    assert back.port(("raw", len(body).to_bytes(4, "little") + body), STAY).error == native.BROKEN


def check_chrome_browser_a_stalled_message_keeps_the_port_open_and_swallows_what_follows(back: Back) -> None:
    seen = back.port(("raw", b"\x64\x00\x00\x00{"), ("say", {"type": "a"}), STAY)
    assert (seen.open, list(seen.delivered)) == (True, [])


def check_chrome_browser_part_of_a_message_is_dropped_at_the_exit(back: Back) -> None:
    seen = back.port(("raw", b"\x64\x00\x00\x00{"), ("exit", 0))
    assert (seen.error, list(seen.delivered)) == (native.EXITED, [])


def check_chrome_browser_what_is_no_json_is_dropped_and_the_next_is_delivered(back: Back) -> None:
    cut = b'\x07\x00\x00\x00{"a"\xff1}'  # no UTF-8 where a colon should be
    for raw in (b"\x02\x00\x00\x00{]", b"\x00\x00\x00\x00", b'\x09\x00\x00\x00{"a":NaN}', cut):
        seen = back.port(("raw", raw), ("say", {"type": "a"}), STAY)
        assert (seen.open, list(seen.delivered)) == (True, [{"type": "a"}])


def check_chrome_browser_values_that_are_no_objects_are_delivered(back: Back) -> None:
    seen = back.port(("say", 1), ("say", [2]), ("say", True), STAY)
    assert (seen.open, list(seen.delivered)) == (True, [1, [2], True])


def check_chrome_browser_bad_utf8_is_delivered_with_replacements(back: Back) -> None:
    seen = back.port(("raw", b'\x03\x00\x00\x00"\xff"'), STAY)
    assert (seen.open, list(seen.delivered)) == (True, ["\ufffd"])


def check_chrome_browser_a_closed_output_counts_as_an_exit_and_is_killed(back: Back) -> None:
    seen = back.port(("close output", None), ("stay", None), after_ms=3000)
    assert seen.error == native.EXITED
    assert seen.killed_ms is not None
    assert 1900 <= seen.killed_ms <= 2200 + back.late_ms


def check_chrome_browser_a_disconnect_is_an_end_of_input_and_then_a_kill(back: Back) -> None:
    seen = back.port(STAY, then="disconnect")
    assert (seen.error, seen.eof, seen.killed_ms) == (None, True, None)
    seen = back.port(("stay", None), then="disconnect", after_ms=3000)
    assert seen.killed_ms is not None
    assert 1900 <= seen.killed_ms <= 2200 + back.late_ms


def check_chrome_browser_a_killed_worker_is_an_end_of_input(back: Back) -> None:
    seen = back.port(STAY, then="kill_worker")
    assert (seen.eof, seen.killed_ms) == (True, None)


def check_chrome_browser_its_end_is_an_end_of_input_and_never_a_kill(back: Back) -> None:
    assert back.port(STAY, then="close_browser").eof
    assert back.port(("stay", None), then="close_browser", after_ms=5000).killed_ms is None


def check_chrome_browser_much_on_stderr_is_harmless(back: Back) -> None:
    seen = back.port(("complain", 200_000), ("say", {"type": "a"}), STAY)
    assert (seen.open, list(seen.delivered)) == (True, [{"type": "a"}])


def check_chrome_browser_a_slow_host_is_waited_for(back: Back) -> None:
    seen = back.port(("wait", 2500), ("say", {"type": "a"}), STAY, after_ms=3000)
    assert (seen.open, list(seen.delivered)) == (True, [{"type": "a"}])


Check = Callable[[Back], None]
CHECKS: tuple[Check, ...] = tuple(
    value for name, value in sorted(globals().items()) if name.startswith("check_chrome_browser_")
)
Play = Callable[[Any], Awaitable[int]]
