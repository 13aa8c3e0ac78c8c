"""The pages of the checks, as a world's definition. On an engine the same definitions are rendered."""

from __future__ import annotations

from typing import Any

SHOP = "http://shop.test/"
SECOND = "http://shop.test/second"
MOVED = "http://shop.test/moved"
POPUP = "http://shop.test/popup"
ALERTS = "http://shop.test/alerts"
FORM = "http://shop.test/form"
LARGE = "http://shop.test/large"
TALL = "http://shop.test/tall"
FRAMED = "http://shop.test/framed"
SLOW = "http://shop.test/slow"
FILLER = "of many, and every one of them is long enough to fill a line of the page to its very end"
LOCAL = "http://127.0.0.1:8123/"


def button(name: str, text: str, *effects: Any, **members: Any) -> dict[str, Any]:
    return {"id": name, "tag": "button", "text": text, "on": {"click": list(effects)}, **members}


PAGES: dict[str, Any] = {
    SHOP: {
        "title": "Shop",
        "console": [{"level": "warn", "text": "first", "line": 3}, {"level": "error", "text": "second", "line": 9}],
        "requests": [{"url": "/early.json", "body": '{"early": true}'}],
        "body": [
            {"tag": "h1", "text": "Welcome to the shop"},
            {"id": "link", "tag": "a", "attributes": {"href": "/second"}, "text": "Second page"},
            button("buy", "Buy", {"set": {"node": "state", "text": "bought"}}),
            {"id": "state", "tag": "p", "text": "nothing bought"},
            button("ask", "Ask for more", {"fetch": {"url": "/late.json", "method": "POST"}}),
            {"id": "gone", "tag": "button", "text": "Leave", "on": {"click": [{"remove": "gone"}]}},
            button("again", "Draw again", {"rerender": "again"}),
            button("veiled", "Veiled", {"set": {"node": "veiled", "hidden": "display"}}),
            {"id": "hidden", "tag": "p", "hidden": "display", "text": "never rendered"},
            {"id": "closed", "tag": "details", "children": [{"tag": "summary", "text": "More"}, "closed text"]},
        ],
    },
    SECOND: {"title": "Second", "body": [{"tag": "p", "text": "the second page"}]},
    MOVED: {"redirect": "/second"},
    POPUP: {
        "title": "Popup",
        "body": [{"id": "out", "tag": "a", "attributes": {"href": "/second", "target": "_blank"}, "text": "New tab"}],
    },
    ALERTS: {
        "title": "Alerts",
        "body": [
            button("alert", "Alert", {"alert": "Really?"}, {"set": {"node": "after", "text": "went on"}}),
            button(
                "confirm",
                "Confirm",
                {
                    "confirm": "Yes?",
                    "then": [{"set": {"node": "after", "text": "yes"}}],
                    "else": [{"set": {"node": "after", "text": "no"}}],
                },
            ),
            {"id": "after", "tag": "p", "text": "waiting"},
        ],
    },
    FORM: {
        "title": "Form",
        "body": [
            {"id": "name", "tag": "input", "attributes": {"name": "name", "placeholder": "Your name"}, "value": "Ann"},
            {
                "id": "secret",
                "tag": "input",
                "attributes": {"type": "password", "name": "pin"},
                "value": "hunter2hunter2",
            },
            {
                "id": "size",
                "tag": "select",
                "attributes": {"name": "size"},
                "children": [
                    {"tag": "option", "attributes": {"value": "s"}, "text": "Small"},
                    {"tag": "option", "attributes": {"value": "l"}, "text": "Large"},
                ],
            },
            {"id": "plain", "tag": "p", "text": "no field", "on": {"click": [{"title": "clicked"}]}},
        ],
    },
    TALL: {"title": "Tall", "body": [{"tag": "p", "text": "a long way down", "at": [0, 0, 200, 1500]}]},
    LARGE: {"title": "Large", "body": [{"tag": "p", "text": f"paragraph number {n} {FILLER}"} for n in range(400)]},
    FRAMED: {"title": "Framed", "body": [{"id": "frame", "tag": "iframe", "attributes": {"src": "/form"}}]},
    SLOW: {"title": "Slow", "load_ms": 60_000, "body": ["comes late"]},
    LOCAL: {"title": "Local", "body": ["local page"]},
}
WORLD: dict[str, Any] = {"pages": PAGES}
