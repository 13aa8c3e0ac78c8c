"""What there is to know of each system on a Mac, as data: one row a system, which `trailcam live` goes by.

Separate from harness/subjects.py, which says how a system is run; this says what of it is real, and what of that may be
tapped, trusted and touched.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.problem import UsageProblem

OPENAI = "anchor apple generic and certificate leaf[subject.OU] = 2DC432GLL2"
APPLE = "anchor apple"


@dataclass(frozen=True, slots=True)
class ByHand:
    """Something that no program can see or set. what: its name; means: what happens without it; do: how it is done."""

    what: str
    means: str
    do: str


@dataclass(frozen=True, slots=True)
class Borrowed:
    """An application that a run starts and ends. mark: what the arguments of its process contain."""

    name: str
    bundle_id: str
    mark: str


@dataclass(frozen=True, slots=True)
class LiveSystem:
    """One system.

    taps: program -> dialect of its stdio. untapped: program -> why nothing may stand before it. signed: program -> the
    requirement that its signature has to meet. get: program -> how to get it. settings: of the stack on a Mac.
    said: program -> member of an answer's evidence in which it says its version. borrowed: applications that must not
    run before, because their content would be the user's. baseline: program -> tapes it is compared with, `{version}`
    being that of the run or else of the newest profile. touches: all that a run touches, in words.
    """

    name: str
    taps: Mapping[str, str]
    untapped: Mapping[str, str]
    signed: Mapping[str, str]
    get: Mapping[str, str]
    settings: Mapping[str, Any]
    said: Mapping[str, str]
    borrowed: tuple[Borrowed, ...]
    by_hand: tuple[ByHand, ...]
    baseline: Mapping[str, tuple[str, ...]]
    touches: tuple[str, ...]
    keeps: tuple[str, ...] = field(default=())


_APP = "install the official application (ChatGPT.app with Computer Use) in /Applications"

SYSTEMS: Mapping[str, LiveSystem] = {
    "computer-use": LiveSystem(
        name="computer-use",
        taps={"codex": "jsonrpc", "codesign": "lines", "lsappinfo": "lines"},
        untapped={
            "helper": "macOS ends the helper where anything but the signed app-server starts it (launch constraint): "
            "no tap stands before it, and what it says is on the app-server's tape",
        },
        signed={"codex": OPENAI, "helper": OPENAI, "codesign": APPLE, "lsappinfo": APPLE},
        get={"codex": _APP, "helper": _APP, "codesign": "it is part of macOS", "lsappinfo": "it is part of macOS"},
        settings={"platform": "macos"},
        said={"codex": "brokerVersion", "helper": "clientBuild"},
        borrowed=(Borrowed("Chess", "com.apple.Chess", "/Chess.app/Contents/MacOS/"),),
        by_hand=(
            ByHand("permission Accessibility", "the helper refuses every call",
                   "System Settings, Privacy & Security, Accessibility: allow Codex Computer Use"),
            ByHand("permission Screen Recording", "the helper gives no picture of an application",
                   "System Settings, Privacy & Security, Screen & System Audio Recording: allow Codex Computer Use"),
            ByHand("screen unlocked", "the helper refuses while the screen is locked", "log in at the screen and stay"),
        ),
        baseline={"codex": ("scenarios/tapes/codex/{version}/s01_happy.jsonl",)},
        touches=(
            "reads the list of applications",
            "starts Chess, which holds no document of yours, reads its window, and ends it again",
            "keeps an empty lock file for Chess in your Library/Application Support/trailcam/locks",
        ),
        keeps=("Library/Application Support/trailcam/locks: an empty file for Chess, which is the lock",),
    ),
}


def live_system(name: str) -> LiveSystem:
    """The row of that name. Raises UsageProblem."""
    if name not in SYSTEMS:
        raise UsageProblem(f"--system {name}", f"one of {', '.join(SYSTEMS)}", "no other system has a live path yet")
    return SYSTEMS[name]
