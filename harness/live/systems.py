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
GOOGLE = "anchor apple generic and certificate leaf[subject.OU] = EQHXZ8M8AV"


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
class Asked:
    """What a program says of itself when it is asked. words: its arguments; fits: pattern of what is new enough;
    means: what follows where it is not; do: what to do."""

    words: tuple[str, ...]
    fits: str
    means: str
    do: str


@dataclass(frozen=True, slots=True)
class Registers:
    """How a browser comes to start the stack's own side through the tap. tables: dotted name of the stack's module that
    has the place and the content of its manifest; browser: its name there; channel: the program that is tapped; opens:
    what opens the run's page in it, and the words before its address."""

    tables: str
    browser: str
    channel: str
    opens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiveSystem:
    """One system.

    taps: program -> dialect of its stdio. untapped: program -> why nothing may stand before it. signed: program -> the
    requirement that its signature has to meet. get: program -> how to get it. settings: of the stack on a Mac.
    said: program -> member of an answer's evidence in which it says its version. borrowed: applications that must not
    run before, because their content would be the user's. baseline: program -> tapes it is compared with, `{version}`
    being that of the run or else of the newest profile. touches: all that a run touches, in words. asked: program ->
    how its version is found. carries: members of arguments whose values the run itself gives (carried.py). uncompared:
    why the messages of its programs are compared with no tape. registers: where a browser starts the stack's side.
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
    asked: Mapping[str, Asked] = field(default_factory=dict)
    carries: tuple[str, ...] = ()
    uncompared: str = ""
    registers: Registers | None = None


_CHROME = "install Google Chrome in /Applications"
_NEW = Asked(("--version",), r"Google Chrome (?:1[2-9][0-9]|[2-9][0-9]{2})\.",
             "the extension is built for Chrome 120 or newer", "update Chrome")  # fmt: skip

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
    "safari-mcp": LiveSystem(
        name="safari-mcp",
        taps={"safaridriver": "mcp"},
        untapped={},
        signed={"safaridriver": APPLE},
        get={"safaridriver": "it is part of macOS, and comes with Safari"},
        settings={},
        said={},
        borrowed=(),
        by_hand=(
            ByHand("Safari for web developers", "the setting below is not there",
                   "Safari, Settings, Advanced: Show features for web developers"),
            ByHand("Safari, remote automation", "the driver starts, and refuses the first call that needs Safari",
                   "Safari, Settings, Developer: Allow remote automation and external agents"),
        ),
        baseline={},
        touches=(
            "starts Safari's own driver, which opens a window of automation, apart from your windows and tabs",
            "opens one tab in it with a page that the run serves on loopback, reads it, and closes it again",
        ),
        asked={"safaridriver": Asked(
            ("--version",), r"Safari (?:2[7-9]|[3-9][0-9]|Technology Preview)\b",
            "--mcp is not there before Safari 27", "update Safari to version 27 or newer",
        )},
        carries=("targetId", "epoch"),
        uncompared="there is no committed tape of the real safaridriver to compare with",
    ),
    "safari-jxa": LiveSystem(
        name="safari-jxa",
        taps={"osascript": "jsonrpc"},
        untapped={},
        signed={"osascript": APPLE},
        get={"osascript": "it is part of macOS"},
        settings={},
        said={},
        borrowed=(),
        by_hand=(
            ByHand("permission Automation", "each Apple Event to Safari is refused (-1743)",
                   "System Settings, Privacy & Security, Automation: allow Safari for the application that runs this"),
            ByHand("JavaScript by Apple Events", "no page can be read (error 8)",
                   "Safari, Settings, Developer: Allow JavaScript from Apple Events"),
            ByHand("one Safari", "with more than one running Safari process the run is refused",
                   "quit other copies of Safari"),
        ),
        baseline={},
        touches=(
            "starts Safari where it does not run, and asks it for the numbers of its windows, for no title or address",
            "opens one window with a page that the run serves on loopback, reads it, presses one button on it",
            "closes that window again; no other window or tab is touched",
        ),
        keeps=("Safari, where it did not run before",),
        uncompared="the bridge is our own program; there is no committed tape of it under the real osascript",
    ),
    "chrome": LiveSystem(
        name="chrome",
        taps={"channel": "bridge"},
        untapped={
            "browser": "it is the person's own and runs before; what its extension says is on the channel's tape",
            "desktop": "there is no such program on any system yet: what needs it is said to be unavailable",
        },
        signed={"browser": GOOGLE, "channel": GOOGLE},
        get={"browser": _CHROME, "channel": _CHROME},
        settings={},
        said={},
        borrowed=(),
        by_hand=(
            ByHand("the packaged extension", "nothing connects",
                   "`make extension`; chrome://extensions, Developer mode, Load unpacked: build/extension/unpacked"),
            ByHand("the site of the run", "the run's page is not read, and says so",
                   "in the tab that a first run leaves open: the extension's window, Allow this site (127.0.0.1)"),
            ByHand("an extension that is not connected", "an older connection does not go through the tap",
                   "the extension's window: Disconnect; and Connect when the run has begun (it waits 90 s)"),
        ),
        baseline={},
        touches=(
            "has Chrome's manifest of the native host name the tap while it runs, and puts back what was there before",
            "opens one tab with a page that the run serves on loopback, reads it, presses one button on it",
            "asks the extension for its list of tabs: those of sites that you have allowed are told and on the tape",
        ),
        keeps=("the tab with the run's page: close it",),
        asked={"browser": _NEW, "channel": _NEW},
        uncompared="there is no committed tape of a person's own Chrome to compare with",
        registers=Registers("stack.chrome.registration", "chrome", "channel",
                            ("/usr/bin/open", "-a", "Google Chrome")),
    ),
}


def live_system(name: str) -> LiveSystem:
    """The row of that name. Raises UsageProblem."""
    if name not in SYSTEMS:
        raise UsageProblem(f"--system {name}", f"one of {', '.join(SYSTEMS)}", "no other system has a live path yet")
    return SYSTEMS[name]
