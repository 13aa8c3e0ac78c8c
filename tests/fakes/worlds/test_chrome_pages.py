"""Documents: loads of pages, with an identity each."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.chrome_pages import Document, Node, page_values, restriction


def document(**page: Any) -> Document:
    return Document("d1", 1, "p", page_values({"url": "https://a.test/", **page}, "p"))


def test_a_snapshot_has_what_can_be_seen_and_no_secret() -> None:
    made = document(nodes=[
        {"id": "a", "role": "textbox", "name": "A", "value": "hunter2", "sensitive": True},
        {"id": "b", "role": "button", "name": "B", "hidden": True},
        {"id": "c", "role": "button", "name": "C"},
    ])  # fmt: skip
    rows = made.snapshot(0, [])
    assert [(id, node.id) for id, node, _ in rows] == [("0:1", "a"), ("0:2", "c")]
    assert (rows[0][2]["value"], rows[0][2]["sensitive"]) == (None, True)
    assert made.generation == 1
    made.snapshot(0, [])
    assert made.generation == 2
    with pytest.raises(ValueError, match="saw node 'x'"):
        made.node("x")


def test_a_fingerprint_is_role_name_use_and_actions() -> None:
    node = Node({"id": "a", "role": "button", "name": "A"}, "here")
    before = node.fingerprint()
    node.states["disabled"] = True
    assert node.fingerprint() != before
    with pytest.raises(SettingsProblem):
        Node({"id": "a"}, "here")


@pytest.mark.parametrize(
    ("url", "content_type", "why"),
    [
        ("https://a.test/", "text/html", None),
        ("http://a.test/", "text/html", None),
        ("chrome://settings/", "text/html", "restricted_page"),
        ("chrome-extension://x/", "text/html", "restricted_page"),
        ("devtools://x/", "text/html", "restricted_page"),
        ("https://chromewebstore.google.com/detail/x", "text/html", "restricted_page"),
        ("https://chrome.google.com/x", "text/html", "restricted_page"),
        ("https://a.test/a.pdf", "application/pdf", "restricted_page"),
        ("file:///etc/passwd", "text/html", "unsupported_scheme"),
        ("data:text/html,x", "text/html", "unsupported_scheme"),
    ],
)
def test_pages_that_are_not_read_whoever_allows_them(url: str, content_type: str, why: str | None) -> None:
    assert restriction(document(url=url, content_type=content_type)) == why
