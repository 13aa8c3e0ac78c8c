"""Where browsers look for the native host, what has to stand there, and which of nine mistakes makes them not find it.

Tables and pure functions over a port of files. Source: trailcam facts, Chrome 156 (nine mistakes, all of which Chrome
reports as `Specified native messaging host not found.`) and the vendors' documents; the folders of Vivaldi, and those
of Brave beside Chrome's, are unverified conventions, so they are written too. Windows is a plan of registry keys, which
nothing here carries out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from stack.chrome.files import Files, RealFiles, home, platform
from stack.chrome.schema import EXTENSION_ID, HOST_NAME
from stack.contract import Json

_HOSTS: Final = "NativeMessagingHosts"
_MAC: Final = "~/Library/Application Support"
FOLDERS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "chrome": {
        "macos": (f"{_MAC}/Google/Chrome/{_HOSTS}",),
        "linux": (f"~/.config/google-chrome/{_HOSTS}",),
    },
    "chromium": {
        "macos": (f"{_MAC}/Chromium/{_HOSTS}",),
        "linux": (f"~/.config/chromium/{_HOSTS}",),
    },
    "edge": {
        "macos": (f"{_MAC}/Microsoft Edge/{_HOSTS}",),
        "linux": (f"~/.config/microsoft-edge/{_HOSTS}",),
    },
    "brave": {
        "macos": (f"{_MAC}/BraveSoftware/Brave-Browser/{_HOSTS}", f"{_MAC}/Google/Chrome/{_HOSTS}"),
        "linux": (f"~/.config/BraveSoftware/Brave-Browser/{_HOSTS}", f"~/.config/google-chrome/{_HOSTS}"),
    },
    "vivaldi": {
        "macos": (f"{_MAC}/Vivaldi/{_HOSTS}",),
        "linux": (f"~/.config/vivaldi/{_HOSTS}",),
    },
}
"""Browser -> system -> the user's folders in which it looks, the first of them its own."""
SYSTEM_FOLDERS: Final[Mapping[str, Mapping[str, str]]] = {
    "chrome": {"macos": f"/Library/Google/Chrome/{_HOSTS}", "linux": "/etc/opt/chrome/native-messaging-hosts"},
    "chromium": {
        "macos": f"/Library/Application Support/Chromium/{_HOSTS}",
        "linux": "/etc/chromium/native-messaging-hosts",
    },
    "edge": {"macos": f"/Library/Microsoft/Edge/{_HOSTS}", "linux": "/etc/opt/edge/native-messaging-hosts"},
}
"""Where an administrator may have registered a host; looked at by the browser after the user's, never written here."""
REGISTRY: Final[Mapping[str, tuple[str, ...]]] = {
    "chrome": (rf"SOFTWARE\Google\Chrome\{_HOSTS}",),
    "chromium": (rf"SOFTWARE\Chromium\{_HOSTS}", rf"SOFTWARE\Google\Chrome\{_HOSTS}"),
    "edge": (
        rf"SOFTWARE\Microsoft\Edge\{_HOSTS}", rf"SOFTWARE\Chromium\{_HOSTS}", rf"SOFTWARE\Google\Chrome\{_HOSTS}",
    ),
    "brave": (rf"SOFTWARE\Google\Chrome\{_HOSTS}",),
    "vivaldi": (rf"SOFTWARE\Google\Chrome\{_HOSTS}",),
}  # fmt: skip
"""Browser -> the keys below HKCU, then HKLM, in which it looks on Windows, in its order."""
BROWSERS: Final = tuple(FOLDERS)
FILE_NAME: Final = f"{HOST_NAME}.json"
ORIGIN: Final = f"chrome-extension://{EXTENSION_ID}/"

CAUSES: Final[Mapping[str, str]] = {
    "no_manifest": "no manifest is there",
    "not_json": "the manifest is no JSON object",
    "no_description": "the manifest has no description",
    "wrong_type": "the manifest's type is not stdio",
    "wrong_name": "the name in the manifest is not that of the file",
    "wildcard_origin": "an allowed origin has a wildcard",
    "origin_without_slash": "an allowed origin does not end in a slash",
    "relative_path": "the path of the program is not absolute",
    "program_missing": "the program is not there",
}
"""The nine mistakes that a browser reports as `host not found`, in the order in which they are looked for."""
OTHER_CAUSES: Final[Mapping[str, str]] = {
    "origin_not_allowed": "the manifest allows another extension than ours, or more than ours",
    "not_executable": "the program may not be run",
    "other_program": "the manifest names another program than this stack's",
}
"""What makes a registration useless in other words of the browser."""


@dataclass(frozen=True, slots=True)
class Registration:
    """One place in which a browser looks. cause: a key of the two tables, None where the host will be found."""

    browser: str
    path: str
    cause: str | None


def manifest(program: str) -> bytes:
    """The host's manifest: one extension, by its origin, and no wildcard."""
    value: Json = {
        "name": HOST_NAME,
        "description": "Lets trailcam read and act on pages that the user has allowed",
        "path": program,
        "type": "stdio",
        "allowed_origins": [ORIGIN],
    }
    return (json.dumps(value, indent=2) + "\n").encode()


def cause_of(data: bytes | None, files: Files, program: str) -> str | None:
    """What is wrong with the manifest of this content, first of the browser's nine, then of ours."""
    if data is None:
        return "no_manifest"
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError):
        return "not_json"
    if not isinstance(value, dict):
        return "not_json"
    origins = value.get("allowed_origins")
    origins = origins if isinstance(origins, list) else []
    path = value.get("path")
    path = path if isinstance(path, str) else ""
    rows = (
        ("no_description", not isinstance(value.get("description"), str) or not value["description"]),
        ("wrong_type", value.get("type") != "stdio"),
        ("wrong_name", value.get("name") != HOST_NAME),
        ("wildcard_origin", any("*" in str(each) for each in origins)),
        ("origin_without_slash", any(not str(each).endswith("/") for each in origins)),
        ("relative_path", not path.startswith("/")),
        ("program_missing", files.executable(path) is None),
        ("origin_not_allowed", origins != [ORIGIN]),
        ("not_executable", files.executable(path) is False),
        ("other_program", path != program),
    )
    return next((name for name, holds in rows if holds), None)


def places(browser: str, system: str, home: str) -> list[str]:
    """Where the manifest of a browser is put, for this user."""
    return [f"{folder.replace('~', home, 1)}/{FILE_NAME}" for folder in FOLDERS[browser][system]]


def launcher(python: str) -> bytes:
    """The program that the manifest names: browsers give their own arguments, so the command has to stand in it."""
    quoted = "'" + python.replace("'", "'\\''") + "'"
    return f'#!/bin/sh\nexec {quoted} -I -m stack.chrome "$@"\n'.encode()


def looked(browsers: Sequence[str], files: Files, *, system: str, home: str, program: str) -> list[Registration]:
    """How each place of these browsers stands."""
    return [
        Registration(browser, path, cause_of(files.read(path), files, program))
        for browser in browsers
        for path in places(browser, system, home)
    ]


def install(browsers: Sequence[str], files: Files, *, system: str, home: str, program: str, python: str) -> list[str]:
    """Write the program and each manifest that is not there as it should be; the paths that were written."""
    wanted = {program: (launcher(python), 0o700)}
    wanted |= {path: (manifest(program), 0o600) for each in browsers for path in places(each, system, home)}
    written = []
    for path, (data, mode) in wanted.items():
        if files.read(path) != data or (path == program and not files.executable(path)):
            files.write(path, data, mode)
            written.append(path)
    return written


def uninstall(browsers: Sequence[str], files: Files, *, system: str, home: str, program: str) -> list[str]:
    """Remove each manifest that names this stack's host, and the program where no browser's names it any more; the
    paths that were removed. A place that another browser shares goes with the first of them."""
    removed = []
    for browser in browsers:
        for path in places(browser, system, home):
            if files.read(path) is not None and files.remove(path):
                removed.append(path)
    others = [path for browser in BROWSERS for path in places(browser, system, home)]
    if not any(files.read(path) is not None for path in others) and files.remove(program):
        removed.append(program)
    return removed


def windows_plan(browsers: Sequence[str], manifest_path: str) -> list[tuple[str, str]]:
    """(key below HKEY_CURRENT_USER, its default value) for each browser on Windows: its own key alone is written."""
    keys = dict.fromkeys(REGISTRY[browser][0] for browser in browsers)
    return [(rf"{key}\{HOST_NAME}", manifest_path) for key in keys]


def program_path(home: str, system: str) -> str:
    """Where this stack's launcher is."""
    folder = "Library/Application Support/trailcam" if system == "macos" else ".local/state/trailcam"
    return f"{home}/{folder}/browser-host"


def registered_browsers() -> tuple[str, ...]:
    """The browsers of this user that will find the host."""
    system, where = platform(), home()
    program = program_path(where, system)
    rows = looked(BROWSERS, RealFiles(), system=system, home=where, program=program)
    return tuple(dict.fromkeys(row.browser for row in rows if row.cause is None))
