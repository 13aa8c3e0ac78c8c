"""Native messaging as Chrome does it: the 23 rows of behaviour, as data, and the few decisions that are made from them.

Source: trailcam facts, Chrome: measured in Chromium 156 on Linux. Separate from the machines, so that checks on the
fake and on a real Chromium name the same rows. Texts are those of `runtime.lastError` when a port disconnects.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from harness.wire.frame import Frame

    Row: TypeAlias = tuple[str, str | None, bool, str]

INVALID_NAME = "Invalid native messaging host name specified."
NOT_FOUND = "Specified native messaging host not found."
FORBIDDEN = "Access to the specified native messaging host is forbidden."
EXITED = "Native host has exited."
BROKEN = "Error when communicating with the native messaging host."
DISCONNECTED = "Attempting to use a disconnected port object"
UNSERIALISABLE = "Could not serialize message."
INVALID_JSON = "The sender sent an invalid JSON message; message ignored."

KILLED_AFTER_MS = 2000
"""From the end of input that a host is given to its SIGKILL; it never gets SIGTERM."""
TOWARD_BROWSER = 1_048_576
IDLE_MS = 30_000
"""How long a worker without a port lives."""

ROWS: Mapping[int, Row] = {
    # number -> (case, text at onDisconnect, whether the port ends, what else is seen)
    1: ("a name that is none", INVALID_NAME, True, "nothing is started"),
    2: ("no usable manifest, of nine kinds", NOT_FOUND, True, "nothing is started"),
    3: ("an origin that the manifest does not allow", FORBIDDEN, True, "nothing is started"),
    4: ("a program that can't be run", EXITED, True, ""),
    5: ("the host ends at once, or is killed", EXITED, True, "the status is not seen"),
    6: ("the host writes a message, and ends", EXITED, True, "the message is delivered first"),
    7: ("text where a length should be, or a length in the other byte order", BROKEN, True, "nothing is delivered"),
    8: ("a message of 1 MiB and a byte", BROKEN, True, "1 MiB itself is delivered"),
    9: ("a length and part of its message, and then nothing", None, False, "later messages are swallowed by it"),
    10: ("part of a message, and the end", EXITED, True, "the part is dropped"),
    11: ("a whole message that is no JSON, or empty", None, False, "it is dropped, and the next is delivered"),
    12: ("the same as the answer to sendNativeMessage", INVALID_JSON, True, ""),
    13: ("a JSON value that is no object", None, False, "it is delivered as it is"),
    14: ("bytes that are no UTF-8 within a text", None, False, "U+FFFD is delivered in their place"),
    15: ("the host closes its output alone", EXITED, True, "it is killed after 2 s"),
    16: ("the host closes its input alone", BROKEN, True, "at the next message to it"),
    17: ("the extension disconnects", None, True, "the host sees the end of input, and is killed after 2 s"),
    18: ("a message to a port that is closed", None, False, f"throws {DISCONNECTED}"),
    19: ("a message that can't be serialised", None, False, f"throws {UNSERIALISABLE}"),
    20: ("the worker is killed, or the extension reloaded", None, True, "the host sees the end of input at once"),
    21: ("the browser ends, however it does", None, True, "the host sees the end of input, and is never killed"),
    22: ("much on standard error", None, False, "nothing comes of it"),
    23: ("a host that answers late", None, False, "there is no deadline"),
}
NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._")

MANIFEST_CAUSES = (
    "no_manifest", "not_json", "no_description", "wrong_type", "wrong_name", "wildcard_origin", "origin_without_slash",
    "relative_path", "program_missing",
)  # fmt: skip
"""The nine kinds of row 2."""


def name_is_valid(name: str) -> bool:
    """Whether a native host may have this name (row 1)."""
    return bool(name) and set(name) <= NAME_LETTERS and ".." not in name and name[0] != "." and name[-1] != "."


def refusal(registered: str) -> str | None:
    """Why connectNative finds no host, by how it is registered: `well`, `forbidden`, `invalid_name`, or one of the
    nine causes; None where the program is started."""
    if registered == "well":
        return None
    if registered == "forbidden":
        return FORBIDDEN
    return INVALID_NAME if registered == "invalid_name" else NOT_FOUND


def is_fatal(frame: Frame) -> bool:
    """Whether what the host wrote ends the port (rows 7 and 8): Chrome looks at the length alone."""
    return frame.problem is not None and (frame.problem.fatal or frame.problem.code == "too_long")


DROPPED = ("not_json", "unreadable_number", "empty", "half_frame")
"""Problems of a message that make Chrome drop it; what else this codec refuses it delivers."""


def is_dropped(frame: Frame) -> bool:
    """Whether a message is dropped without a word (rows 10 and 11)."""
    return frame.problem is not None and frame.problem.code in DROPPED
