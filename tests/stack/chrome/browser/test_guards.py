"""Guards of the extension taken out, one or several at a time, in a real Chromium: what each of them prevents happens.

Where two guards prevent the same, the second is the reason why the first alone is not missed, and both are taken out.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.stack.chrome.browser.bridge import ROOT
from tests.stack.chrome.browser.chrome import EXTENSION, Chrome, built, running
from tests.stack.chrome.browser.test_references import SAVED, page

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
Cut = tuple[str, str, str]
"""File below src, its text, and what stands there instead."""

LOOK_UP: Cut = ("worker/injection.js", 'if (!frame || frame.documentLifecycle !== "active") throw', "if (false) throw")
LOOK_UP_OF_PLACE: Cut = (
    "worker/frames.js",
    """  if (!frame || frame.documentLifecycle !== "active") throw new Failure("stale_snapshot", SAYS_GONE);
  const place = (await framesOf(ref.tab_id, deadline)).find((each) => each.documentId === ref.document_id);""",
    "  const place = { ...(await framesOf(ref.tab_id, deadline))[0], documentId: ref.document_id };",
)
NONCE: Cut = ("content/agent.js", "request.nonce !== undefined && request.nonce !== this.nonce", "false")
ANSWER: Cut = (
    "worker/injection.js",
    "result.documentId !== place.documentId || result.frameId !== place.frameId",
    "false",
)
PRINT: Cut = ("content/agent.js", "if (prints.of(element) !== print) return", "if (false) return")
SECRET: Cut = ("content/redaction.js", "  const secret = looksSecret(element);", "  const secret = false;")
REPEATS: Cut = ("content/redaction.js", "if (isSecret(element)) repeats.add(element);", "continue;")
EXPIRY: Cut = ("content/agent.js", "request.expires < Date.now()", "false")
AT_THE_END: Cut = (
    "worker/snapshots.js",
    "for (const place of read) await this.sites.check(place.tabId, place.governing, deadline);",
    "",
)
SENDER: Cut = ("worker/window.js", "!isOwnWindow(sender) || ", "")
EFFECT: Cut = ("worker/actions.js", "if (!enough) await this.without(verb, ref, seen, deadline);", "")
SCHEMA: Cut = ("worker/requests.js", "if (wrong !== null) throw", "if (false) throw")


def with_cuts(cuts: tuple[Cut, ...], folder: Path) -> Path:
    """The extension without these guards, built."""
    built()
    source = folder / "chrome/extension/src"
    shutil.copytree(EXTENSION / "src", source)
    for name in ("protocol.json", "looks.json"):
        shutil.copy(ROOT / "stack/chrome" / name, folder / "chrome" / name)
    for name, text, instead in cuts:
        file = source / name
        before = file.read_text(encoding="utf-8")
        assert before.count(text) == 1, (name, text)
        file.write_text(before.replace(text, instead), encoding="utf-8")
    subprocess.run(
        ["node", str(EXTENSION / "build.js"), str(folder / "built"), str(source)], check=True, stdout=subprocess.DEVNULL
    )
    return folder / "built/unpacked"


def wrong_page_is_clicked(chrome: Chrome) -> bool:
    session, tab = chrome.tab(page(chrome, "/first"))
    reference = chrome.snapshot(tab).ref_of("button", "Save")
    page(chrome, "/second")
    chrome.js(session, f"void (location.href = {json.dumps(chrome.pages.url('/second'))})")
    chrome.loaded(session)
    chrome.snapshot(tab)
    chrome.connection.finish_any(chrome.connection.begin("activate", deadline_ms=1500, ref=reference))
    return bool(chrome.js(session, SAVED) == "1")


def other_button_is_clicked(chrome: Chrome) -> bool:
    session, tab = chrome.tab(page(chrome, "/changes"))
    reference = chrome.snapshot(tab).ref_of("button", "Save")
    chrome.js(session, "void (document.getElementById('b').textContent = 'Delete')")
    chrome.connection.finish_any(chrome.connection.begin("activate", deadline_ms=1500, ref=reference))
    return bool(chrome.js(session, SAVED) == "1")


def secret_leaks(chrome: Chrome) -> bool:
    _, tab = chrome.tab(
        chrome.pages.put("/secret", "<input type=password value=canary-word aria-label=P><p>canary-word</p>")
    )
    chrome.snapshot(tab)
    return b"canary-word" in chrome.connection.seen


def late_click_happens(chrome: Chrome) -> bool:
    session, tab = chrome.tab(page(chrome, "/late"))
    reference = chrome.snapshot(tab).ref_of("button", "Save")
    busy = chrome.browser.begin(session, "{ const end = Date.now() + 1200; while (Date.now() < end); }")
    chrome.connection.finish_any(chrome.connection.begin("activate", deadline_ms=300, ref=reference))
    chrome.browser.value(busy)
    return bool(chrome.js(session, f"new Promise((done) => setTimeout(() => done({SAVED}), 400))") == "1")


MEANWHILE = """{ const { executeScript } = chrome.scripting; chrome.scripting.executeScript = async (what) => {
  const answers = await executeScript.call(chrome.scripting, what);
  const [{ operation } = {}] = what.args ?? [];
  const origins = ["http://a.test/*"];
  if (operation === "snapshot" && answers[0].frameId !== 0) await chrome.permissions.remove({ origins });
  return answers; } }"""
"""The user takes a permission back when a frame has just been read."""


def revoked_page_leaks(chrome: Chrome) -> bool:
    """The page has been read, and while its frame is, the page's permission is taken back."""
    chrome.grant("http://b.test/*")
    chrome.pages.put("/inner", "<button>Inner</button>")
    around = f'<button>Save</button><iframe src="{chrome.pages.url("/inner", "b.test")}"></iframe>'
    _, tab = chrome.tab(chrome.pages.put("/revoked", around))
    chrome.snapshot(tab)
    before = len(chrome.connection.seen)
    chrome.js(chrome.worker(), MEANWHILE)
    chrome.connection.finish_any(chrome.connection.begin("snapshot", tab_id=tab))
    return b"Save" in chrome.connection.seen[before:]


def content_script_disconnects(chrome: Chrome) -> bool:
    _, tab = chrome.tab(page(chrome, "/script"))
    chrome.snapshot(tab)
    told = f"""chrome.scripting.executeScript({{
      target: {{tabId: {tab}}}, func: () => void chrome.runtime.sendMessage({{ask: 'leave'}})}})"""
    chrome.js(chrome.window(), f"{told}.then(() => 1)")
    off = "new Promise((done) => setTimeout(async () => done(await chrome.alarms.get('off') !== undefined), 300))"
    return bool(chrome.js(chrome.worker(), off))


def nothing_is_called_done(chrome: Chrome) -> bool:
    _, tab = chrome.tab(chrome.pages.put("/idle", "<button>Idle</button>"))
    answer = chrome.connection.finish_any(
        chrome.connection.begin("activate", ref=chrome.snapshot(tab).ref_of("button", "Idle"))
    )
    return bool(answer["ok"]) or answer["error"]["reason"] != "no_observed_effect"


def unknown_field_passes(chrome: Chrome) -> bool:
    answer = chrome.connection.finish_any(chrome.connection.begin("status", code="1"))
    return bool(answer["ok"])


@dataclass(frozen=True, slots=True)
class Guard:
    """cuts: what is taken out. harm: whether what they prevent has happened."""

    cuts: tuple[Cut, ...]
    harm: Callable[[Chrome], bool]


GUARDS = {
    "the frame is looked up, the nonce compared and the answer's document checked": Guard(
        (
            LOOK_UP,
            LOOK_UP_OF_PLACE,
            NONCE,
            ANSWER,
            ("worker/actions.js", "this.snapshots.nonces.get(ref.document_id) !== ref.nonce", "false"),
        ),
        wrong_page_is_clicked,
    ),
    "a node has to have the print that it was shown with": Guard((PRINT,), other_button_is_clicked),
    "secret fields are not read, and texts that repeat them are cleaned": Guard((SECRET, REPEATS), secret_leaks),
    "a request that comes too late refuses itself": Guard((EXPIRY,), late_click_happens),
    "the permission is asked for again before an answer leaves": Guard((AT_THE_END,), revoked_page_leaks),
    "only the extension's own window is answered": Guard((SENDER,), content_script_disconnects),
    "a click without effect is no success": Guard((EFFECT,), nothing_is_called_done),
    "a request has to fit the schema": Guard((SCHEMA,), unknown_field_passes),
}


@pytest.mark.claim(
    "CHR-ACT-02", "CHR-ACT-05", "CHR-PERM-01", "CHR-REF-01", "CHR-REF-04", "CHR-SEC-01", "CHR-SNAP-05",
    tooth="guards taken out of the extension, after which what they prevent happens",
)  # fmt: skip
@pytest.mark.parametrize("name", GUARDS)
def test_what_a_guard_prevents_happens_without_it(name: str, tmp_path: Path) -> None:
    with running(extension=with_cuts(GUARDS[name].cuts, tmp_path)) as chrome:
        chrome.grant("http://a.test/*")
        assert GUARDS[name].harm(chrome)


@pytest.mark.parametrize("name", GUARDS)
def test_with_all_guards_nothing_of_it_happens(name: str, own: Chrome) -> None:
    own.grant("http://a.test/*")
    assert not GUARDS[name].harm(own)
