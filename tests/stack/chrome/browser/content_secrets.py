"""Cases of what must not leave a page: which fields are secret and which are not, and texts that repeat them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TOLD = "const { value, sensitive } = one(); return [value, sensitive === true]"
SECRET, OPEN = [None, True], ["canary", False]
WORDS = (
    "current-password", "new-password", "one-time-code", "cc-name", "cc-given-name", "cc-additional-name",
    "cc-family-name", "cc-number", "cc-exp", "cc-exp-month", "cc-exp-year", "cc-csc", "cc-type", "webauthn",
)  # fmt: skip
NAMING = ("name", "id", "aria-label", "placeholder", "title", "data-testid")
DIGITS = '<input maxlength="1" value="1">' * 4
CARD = "5555 5555 5555 4444"
"""A card number of tests, some of whose doubled digits have two."""

SECRETS: Mapping[str, tuple[str, str, Any]] = {
    **{f"autocomplete {word}": (f'<input autocomplete="{word}" value="canary">', TOLD, SECRET) for word in WORDS},
    **{f"named by {name}": (f'<input {name}="pin" value="canary">', TOLD, SECRET) for name in NAMING},
    "named by an autocomplete of its own": ('<input autocomplete="x-api-key" value="canary">', TOLD, SECRET),
    "of an ordinary name": ('<input name="street" value="canary">', TOLD, OPEN),
    "no field": ('<button id="pin">Go</button>', "return one().sensitive === undefined", True),
    "a switch": ('<input type="checkbox" name="secret">', "return one().sensitive === undefined", True),
    "boxes for a digit each": (f"<div>{DIGITS}</div>", "return snap().nodes.map((each) => each.value)", [None] * 4),
    "beside boxes for a digit each": (f'<div><input value="canary">{DIGITS}</div>', TOLD, OPEN),
    "one box alone": ('<input maxlength="1" value="5">', TOLD, ["5", False]),
    "a card number": (f'<input value="{CARD}">', TOLD, SECRET),
    "a card number among letters": (f'<input value="of {CARD}">', TOLD, [f"of {CARD}", False]),
    "too few digits": ('<input value="0-0-0-0-0-0-0">', TOLD, ["0-0-0-0-0-0-0", False]),
    "too many digits": (f'<input value="{"0" * 20}">', TOLD, ["0" * 20, False]),
    "without its check digit": ('<input value="5555 5555 5555 4445">', TOLD, ["5555 5555 5555 4445", False]),
    "a text that repeats it": (
        '<input type="password" value="canary"><p>a canary b</p>',
        "return nodes().at(-1)",
        "text a [redacted] b",
    ),
    "a text that repeats one of a frame": (
        """<p>a canary b</p>""",
        """const frame = made("iframe"); frame.srcdoc = "<input type=password value=canary>";
        document.body.append(frame); await new Promise((done) => frame.onload = done); return nodes()[0]""",
        "text a [redacted] b",
    ),
    "a text that repeats one of a frame in an open root": (
        """<p>a canary b</p><div id=d></div>""",
        """const frame = made("iframe"); frame.srcdoc = "<input type=password value=canary>";
        by("d").attachShadow({ mode: "open" }).append(frame); await new Promise((done) => frame.onload = done);
        return nodes()[0]""",
        "text a [redacted] b",
    ),
    "what another frame holds": (
        "<title>a canary b</title><p>a canary b</p>",
        """const { marks } = cases.marked("canary", 7); const { title } = plain(ask({ operation: "titled", marks }));
        return [title, snap({}, { marks }).nodes[0].name]""",
        ["a [redacted] b", "a [redacted] b"],
    ),
    "what another frame holds, over and over": (
        "<p>canary</p><p>canarycanary x</p><p>aaaaaaaaaa</p>",
        """const { marks, both } = cases.marked("canary", 7);
        return snap({}, { marks: both("aaaa") }).nodes.map((each) => each.name)""",
        ["[redacted]", "[redacted][redacted] x", "[redacted][redacted]aa"],
    ),
    "what this frame tells others": (
        """<input type="password" value="canary"><input value="plain">""",
        """const { rows } = cases.marked("canary", 7).marks;
        return JSON.stringify(plain(ask({ operation: "marks", key: 7 })).marks) === JSON.stringify(rows)""",
        True,
    ),
    "a short one in a text": (
        '<input type="password" value="ab"><p>grab it</p>',
        "return nodes().at(-1)",
        "text grab it",
    ),
    "a lone surrogate": (
        '<input type="password">',
        """document.querySelector("input").value = "canary\\ud800";
        return snap().nodes.length""",
        1,
    ),
    "in what is typed into": ('<div contenteditable id="otp">12</div>', "return nodes()", ["textbox "]),
    "what may be chosen": ('<select autocomplete="cc-type"><option>Visa</select>', "return nodes()", ["combobox "]),
    "in a label": (
        '<label for="c">Of <input type="password" value="abc"> it</label><input type="checkbox" id="c">',
        "return snap().nodes.find((each) => each.role === 'checkbox').name",
        "Of it",
    ),
    "a choice in a label": (
        '<label for="c">Of <select name="pin"><option>Visa</select> it</label><input type="checkbox" id="c">',
        "return snap().nodes.find((each) => each.role === 'checkbox').name",
        "Of it",
    ),
    "a number in a label": (
        '<label for="c">Of <input type="number" name="pin" value="123"> it</label><input type="checkbox" id="c">',
        "return snap().nodes.find((each) => each.role === 'checkbox').name",
        "Of it",
    ),
    "in an address": ('<a href="http://ann:canary@a.test/x">Go</a>', "return one().url", "http://a.test/x"),
    "in an address that is none": ('<a href="http://[canary@">Go</a>', "return one().url", ""),
    "in the title": (
        '<title>a canary b</title><input type="password" value="canary">',
        "return plain(ask({ operation: 'titled' })).title",
        "a [redacted] b",
    ),
    "once a password": (
        '<input type="password" value="canary">',
        """snap();
        document.querySelector("input").type = "text"; await later(); return snap().nodes[0].value""",
        None,
    ),
    "set and not repeated": (
        '<input type="password">',
        """const { value_taken, ...rest } = act("set_value", one().id, "new");
        return [value_taken, "value" in rest]""",
        [True, False],
    ),
}
