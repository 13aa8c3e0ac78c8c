"""Where browsers look for the host, what stands there, and what is wrong with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stack.chrome.registration import (
    BROWSERS,
    CAUSES,
    FILE_NAME,
    FOLDERS,
    ORIGIN,
    OTHER_CAUSES,
    REGISTRY,
    SYSTEM_FOLDERS,
    cause_of,
    install,
    launcher,
    looked,
    manifest,
    places,
    program_path,
    registered_browsers,
    uninstall,
    windows_plan,
)

PROGRAM = "/u/.local/state/trailcam/browser-host"
WHERE = {"system": "linux", "home": "/u", "program": PROGRAM}
GOOD: dict[str, Any] = json.loads(manifest(PROGRAM))


class Memory:
    """Files in memory."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, int]] = {PROGRAM: (b"", 0o700)}
        self.writes = 0

    def read(self, path: str) -> bytes | None:
        return self.files[path][0] if path in self.files else None

    def write(self, path: str, data: bytes, mode: int) -> None:
        self.writes += 1
        self.files[path] = data, mode

    def remove(self, path: str) -> bool:
        return self.files.pop(path, None) is not None

    def executable(self, path: str) -> bool | None:
        return bool(self.files[path][1] & 0o100) if path in self.files else None


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key != name}


@pytest.mark.claim("CHR-HOST-02", tooth="each of the nine mistakes that browsers report as one")
@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (None, "no_manifest"),
        (b"{", "not_json"),
        (b"[]", "not_json"),
        (without("description"), "no_description"),
        ({**GOOD, "description": ""}, "no_description"),
        ({**GOOD, "type": "pipe"}, "wrong_type"),
        ({**GOOD, "name": "com.other.host"}, "wrong_name"),
        ({**GOOD, "allowed_origins": ["chrome-extension://*/"]}, "wildcard_origin"),
        ({**GOOD, "allowed_origins": [ORIGIN[:-1]]}, "origin_without_slash"),
        ({**GOOD, "path": "browser-host"}, "relative_path"),
        (without("path"), "relative_path"),
        ({**GOOD, "path": "/nowhere"}, "program_missing"),
        ({**GOOD, "allowed_origins": [ORIGIN, "chrome-extension://" + "a" * 32 + "/"]}, "origin_not_allowed"),
        (without("allowed_origins"), "origin_not_allowed"),
        ({**GOOD, "path": "/plain"}, "not_executable"),
        ({**GOOD, "path": "/other"}, "other_program"),
        (GOOD, None),
    ],
)
def test_each_mistake_is_named(content: Any, cause: str | None) -> None:
    files = Memory()
    files.files |= {"/plain": (b"", 0o600), "/other": (b"", 0o700)}
    data = content if content is None or isinstance(content, bytes) else json.dumps(content).encode()
    assert cause_of(data, files, PROGRAM) == cause
    assert cause is None or cause in {**CAUSES, **OTHER_CAUSES}
    assert len(CAUSES) == 9


@pytest.mark.claim("CHR-HOST-02", tooth="files that were changed or removed between two installations")
@pytest.mark.parametrize("system", ["linux", "macos"])
def test_installing_and_taking_away_can_be_repeated(system: str) -> None:
    where = {"system": system, "home": "/u", "program": program_path("/u", system)}
    files = Memory()
    files.files.clear()
    written = install(BROWSERS, files, python="/usr/bin/python3", **where)
    assert set(written) == {where["program"], *(path for each in BROWSERS for path in places(each, system, "/u"))}
    assert [row.cause for row in looked(BROWSERS, files, **where)] == [None] * 6
    assert install(BROWSERS, files, python="/usr/bin/python3", **where) == []
    broken = places("edge", system, "/u")[0]
    files.files[broken] = b"{", 0o600
    files.files[where["program"]] = files.files[where["program"]][0], 0o600
    assert install(BROWSERS, files, python="/usr/bin/python3", **where) == [where["program"], broken]
    assert uninstall(("edge",), files, **where) == [broken]
    assert where["program"] in files.files
    assert len(uninstall(BROWSERS, files, **where)) == 5
    assert files.files == {}
    assert uninstall(BROWSERS, files, **where) == []


@pytest.mark.claim("CHR-HOST-02", tooth="a browser or system without a place")
def test_five_browsers_have_their_places_on_three_systems() -> None:
    assert set(FOLDERS) == set(REGISTRY) == {"chrome", "chromium", "edge", "brave", "vivaldi"}
    for browser, systems in FOLDERS.items():
        assert set(systems) == {"macos", "linux"}
        for system in systems:
            for path in places(browser, system, "/u"):
                assert path.startswith("/u/") and path.endswith(f"/NativeMessagingHosts/{FILE_NAME}")
    assert set(SYSTEM_FOLDERS) <= set(FOLDERS)
    assert windows_plan(("chrome", "brave", "edge"), r"C:\t\host.json") == [
        (r"SOFTWARE\Google\Chrome\NativeMessagingHosts\com.trailcam.browser_host", r"C:\t\host.json"),
        (r"SOFTWARE\Microsoft\Edge\NativeMessagingHosts\com.trailcam.browser_host", r"C:\t\host.json"),
    ]


def test_the_manifest_allows_one_extension_and_no_wildcard() -> None:
    assert GOOD["allowed_origins"] == [ORIGIN]
    assert ORIGIN.endswith("/") and "*" not in ORIGIN
    assert sorted(GOOD) == ["allowed_origins", "description", "name", "path", "type"]


def test_the_launcher_quotes_its_interpreter() -> None:
    assert launcher("/a b/it's").decode() == "#!/bin/sh\nexec '/a b/it'\\''s' -I -m stack.chrome \"$@\"\n"


def test_this_machines_registrations_can_be_read() -> None:
    assert set(registered_browsers()) <= set(BROWSERS)
