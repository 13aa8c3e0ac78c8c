"""Parts of the worker that need no browser: tables that have an answer for every input, and the schema's validator."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stack.chrome.browser.bridge import HELLO, PROTOCOL, ROOT
from tests.stack.chrome.browser.chrome import TOOLS


def ask(*questions: list[Any]) -> list[Any]:
    """The worker's own code, run by node."""
    node = shutil.which("node")
    if node is None or not TOOLS.is_dir():
        pytest.skip("the extension can't be built: `make extension` installs what it needs")
    done = subprocess.run(
        [node, str(Path(__file__).with_name("parts.mjs"))],
        input=json.dumps([str(ROOT), questions]),
        text=True,
        capture_output=True,
        check=True,
        timeout=120,
    )
    answers: list[Any] = json.loads(done.stdout)
    return answers


def test_backoff_doubles_from_half_a_second_to_thirty() -> None:
    waits = ask(*[["backoff", failures] for failures in range(1, 12)])
    assert waits == [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000, 30000, 30000]


ADDRESSES = {
    "https://a.test/": None,
    "http://a.test:8080/x?y#z": None,
    "file:///a": "unsupported_scheme",
    "chrome://version": "restricted_page",
    "devtools://devtools/x": "restricted_page",
    "chrome-extension://abc/p.html": "restricted_page",
    "about:blank": "restricted_page",
    "view-source:http://a.test": "restricted_page",
    "https://chromewebstore.google.com/detail": "restricted_page",
    "https://chrome.google.com/anything": "restricted_page",
    "edge://settings": "restricted_page",
    "data:text/html,x": "unsupported_scheme",
    "javascript:1": "unsupported_scheme",
    "blob:http://a.test/1": "unsupported_scheme",
    "ftp://a.test/": "unsupported_scheme",
    "": "unsupported_scheme",
}


def test_every_scheme_has_its_answer() -> None:
    assert ask(*[["refusal", url, False] for url in ADDRESSES]) == list(ADDRESSES.values())
    assert ask(["refusal", "file:///a", True]) == [None]
    assert ask(["pattern", "http://a.test:81/x"], ["pattern", "file:///a/b"]) == ["http://a.test/*", "file:///*"]


MUST_ASK = "Extension manifest must request permission to access"
SAID = {
    "No tab with id: 7.": "tab_not_found",
    "No document with id AB in tab with id 7": "stale_snapshot",
    "Invalid document id xyz": "stale_snapshot",
    "Frame with ID 0 was removed.": "stale_snapshot",
    "No frame with id 4 in tab with id 7": "stale_snapshot",
    "Frame with ID 0 is showing error page": "restricted_page",
    "Cannot access a chrome:// URL": "restricted_page",
    "The extensions gallery cannot be scripted.": "restricted_page",
    "Cannot access a chrome-extension:// URL of different extension": "restricted_page",
    f'Cannot access contents of url "http://b.test/". {MUST_ASK} this host.': "site_permission_required",
    f"Cannot access contents of the page. {MUST_ASK} the respective host.": "frame_not_accessible",
    "something new": "no_result",
}
"""Chromium's own texts: trailcam facts, Chromium 156."""


def test_every_text_of_the_browser_has_its_meaning() -> None:
    assert ask(*[["meant", text] for text in SAID]) == list(SAID.values())


SENDERS = [
    ({"id": "me", "url": "chrome-extension://me/popup.html#tab=3"}, True),
    ({"id": "me", "url": "http://a.test/", "tab": {"id": 1}}, False),
    ({"id": "me", "url": "http://a.test/?chrome-extension://me/popup.html"}, False),
    ({"id": "other", "url": "chrome-extension://me/popup.html"}, False),
    ({"id": "me", "url": "chrome-extension://me/popup.html.evil"}, False),
    ({"id": "me"}, False),
]


def test_only_the_extensions_own_window_is_answered() -> None:
    assert ask(*[["window", sender] for sender, _ in SENDERS]) == [own for _, own in SENDERS]


def test_kinds_of_messages() -> None:
    request = {"v": 1, "type": "request", "id": "r1", "verb": "status", "deadline_ms": 1, "params": {}}
    messages: list[Any] = [
        HELLO,
        request,
        {**request, "verb": "eval"},
        {**request, "more": 1},
        {"v": 1, "type": "ping", "n": 0},
        None,
        [],
        "x",
        {**HELLO, "v": 2},
    ]
    kinds = ask(*[["kind", "to_extension", message] for message in messages])
    assert kinds == ["hello_host", "request", None, None, "ping", None, None, None, None]


def test_a_keyword_that_is_not_checked_is_an_error() -> None:
    assert ask(["plain", {"type": "integer", "multipleOf": 2}, 3]) == [
        "error: the schema has multipleOf, which is not checked"
    ]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 70_000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "r1", "0" * 32, "0:1", "x" * 70]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["v", "type", "id", "ref", "value", "tab_id"]), inner, max_size=3)
    ),
    max_leaves=6,
)
REFERENCE = {
    "instance": "0" * 32,
    "tab_id": 1,
    "frame_id": 0,
    "document_id": "A" * 32,
    "nonce": "0" * 32,
    "generation": 1,
    "node": "0:1",
}
GOOD: dict[str, Any] = {
    "hello_host": HELLO,
    "ref": REFERENCE,
    "request": {"v": 1, "type": "request", "id": "a", "verb": "snapshot", "deadline_ms": 5, "params": {}},
    "set_value_params": {"ref": REFERENCE, "value": "x"},
    "select_params": {"title": "x", "front": True},
    "ping": {"v": 1, "type": "ping", "n": 3},
    "error": {"reason": "timed_out", "message": "m", "detail": {"dispatched": True}},
}


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, Any]:
    """A definition and a value that fits it but for some changes."""
    name = draw(st.sampled_from(sorted(GOOD)))
    value = json.loads(json.dumps(GOOD[name]))
    for _ in range(draw(st.integers(0, 2))):
        key = draw(st.sampled_from([*sorted(value), "more"]))
        if draw(st.booleans()):
            value[key] = draw(JSON)
        else:
            value.pop(key, None)
    return name, value


@given(st.lists(changed(), min_size=40, max_size=60))
@settings(max_examples=4)
def test_the_workers_validator_agrees_with_another_one(cases: list[tuple[str, Any]]) -> None:
    answers = ask(*[["fault", name, value] for name, value in cases])
    for (name, value), answer in zip(cases, answers, strict=True):
        validator = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": PROTOCOL["$defs"]})
        assert (answer is None) == validator.is_valid(value), (name, value, answer)
