"""How a tape of the tap begins: its header, and what of the program's start may be written down.

Separate from the scribe, which makes the events after it. Runs in the writer process.
"""
from __future__ import annotations

import os
import time

from harness.record.program import environment
from harness.tape.header import Header
from harness.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.record.options import Options
    from harness.wire.jsontext import Json

ENVIRONMENT = (
    "CODEX_HOME", "DISPLAY", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "NODE_OPTIONS", "NO_COLOR", "PATH", "PWD",
    "PYTHONPATH", "RUST_LOG", "SHELL", "TERM", "TMPDIR", "TZ", "USER", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR",
)  # fmt: skip
"""Variables whose being set is written down. Their values never are."""

BOOT = "/proc/sys/kernel/random/boot_id"


def heading(options: Options, began_ns: int, redaction: Sequence[Mapping[str, Json]]) -> Header:
    """The header of a tape of this session, `t` counting from `began_ns` on the monotonic clock."""
    products: list[Json] = []
    for product in options.products:
        name, _, version = product.partition("=")
        products.append({"name": name, "version": version})
    if not products:
        products.append({"name": options.program, "version": "unknown"})
    system = os.uname()
    return Header(
        {
            "strength": options.strength,
            "products": products,
            "platform": f"{system.sysname} {system.machine}",
            "recorder": f"trailcam {VERSION}",
        },
        clock=clock(began_ns),
        profile=options.profile,
        wires={options.program: {"stdio": options.dialect}},
        redaction=redaction,
        date=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    )


def clock(began_ns: int) -> dict[str, Json]:
    """The machine's clock, with the boot that it counts from where the system tells."""
    found: dict[str, Json] = {"kind": "monotonic", "began_ns": began_ns}
    try:
        with open(BOOT, encoding="ascii") as file:
            found["boot"] = file.read().strip()
    except OSError:
        pass
    return found


def names_of_environment() -> list[str]:
    """The names on the allow list that the program was given."""
    return [name for name in ENVIRONMENT if name.encode() in environment()]
