"""The package: what the extension asks for, who it is, that it is the same each time, and what no file of it holds."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.stack.chrome.browser.bridge import PROTOCOL
from tests.stack.chrome.browser.chrome import EXTENSION, ID, TOOLS, built, running

MANIFEST = json.loads((EXTENSION / "src/manifest.json").read_text(encoding="utf-8"))
PERMISSIONS = {
    "activeTab": "the user lends one tab by the extension's button",
    "alarms": "a lost connection is made again after the browser has stopped the worker",
    "nativeMessaging": "the one way to the host",
    "scripting": "the content program is put into a page when it is asked for, and never before",
    "webNavigation": "a command goes to one document: its frame is looked up before each injection",
}
"""Every permission, and why it is there."""
OPTIONAL = ["file:///*", "http://*/*", "https://*/*"]
FORBIDDEN = ("debugger", "tabs", "cookies", "history", "webRequest", "storage", "<all_urls>")
NO_CODE = re.compile(
    r"\beval\s*\(|new Function\b|\bimportScripts\b|\bimport\s*\(|XMLHttpRequest|\bfetch\s*\(|WebSocket|innerHTML"
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension"))


def packed() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO((built() / "trailcam.zip").read_bytes())) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.claim("CHR-PERM-04", tooth="the pinned list without one permission")
def test_the_packaged_manifest_asks_for_the_pinned_list_and_no_more() -> None:
    manifest = json.loads(packed()["manifest.json"])
    assert sorted(manifest["permissions"]) == sorted(PERMISSIONS)
    assert sorted(manifest["optional_host_permissions"]) == OPTIONAL
    assert not set(FORBIDDEN) & set(manifest["permissions"])
    for absent in (
        "host_permissions",
        "content_scripts",
        "externally_connectable",
        "web_accessible_resources",
        "optional_permissions",
    ):
        assert absent not in manifest
    assert sorted(manifest["permissions"]) != sorted(PERMISSIONS)[1:]
    assert (
        manifest["content_security_policy"]["extension_pages"]
        == "default-src 'none'; script-src 'self'; style-src 'self'"
    )


@pytest.mark.claim("CHR-PKG-01", tooth="a source file changed by one letter")
def test_the_package_is_the_same_each_time_and_loads_with_its_pinned_id(tmp_path: Path) -> None:
    first = (built() / "trailcam.zip").read_bytes()
    subprocess.run(
        ["node", str(EXTENSION / "build.js"), str(tmp_path)], check=True, stdout=subprocess.DEVNULL, timeout=120
    )
    assert (tmp_path / "trailcam.zip").read_bytes() == first
    files = packed()
    assert sorted(files) == ["content.js", "manifest.json", "popup.css", "popup.html", "popup.js", "worker.js"]
    digest = hashlib.sha256(base64.b64decode(MANIFEST["key"])).hexdigest()[:32]
    assert digest.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop")) == ID
    folder = tmp_path / "loaded"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    with running(extension=folder) as chrome:
        assert chrome.connection.hello["id"] == ID
        assert chrome.connection.hello["version"] == MANIFEST["version"]
    changed = {**files, "popup.css": files["popup.css"] + b" "}
    assert (
        hashlib.sha256(repr(sorted(changed.items())).encode()).digest()
        != hashlib.sha256(repr(sorted(files.items())).encode()).digest()
    )


@pytest.mark.claim("CHR-SEC-01", tooth="a line of each kind, which the pattern finds")
def test_no_file_makes_code_or_asks_a_network() -> None:
    for name, data in packed().items():
        found = NO_CODE.findall(COMMENT.sub("", data.decode()))
        assert found == [], name
    for line in (
        "eval (x)",
        "new Function('x')",
        "await import('x')",
        "fetch('x')",
        "new WebSocket(x)",
        "a.innerHTML = b",
    ):
        assert NO_CODE.search(line)
    assert b"onMessageExternal" not in packed()["worker.js"] and b"onConnectExternal" not in packed()["worker.js"]


def test_the_schema_names_the_same_extension_and_host() -> None:
    assert PROTOCOL["extension_id"] == ID
    reasons = {**PROTOCOL["reasons"]["extension"], **PROTOCOL["reasons"]["host"]}
    assert sorted(reasons) == PROTOCOL["$defs"]["reason"]["enum"]
    assert sorted(PROTOCOL["verbs"]) == PROTOCOL["$defs"]["request"]["properties"]["verb"]["enum"]
    assert PROTOCOL["$defs"]["bounds"]["required"] == sorted(PROTOCOL["bounds"])


def test_what_builds_it_is_locked_and_names_no_registry() -> None:
    lock = (EXTENSION / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    wanted = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    packages = json.loads(lock)["packages"]
    assert all("integrity" in each for name, each in packages.items() if name)
    for name, version in wanted["devDependencies"].items():
        assert packages[f"node_modules/{name}"]["version"] == version
        assert json.loads((TOOLS / name / "package.json").read_text())["version"] == version
