"""Text that stands for other text: which tokens there are, and what they match."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.replay import template
from harness.replay.template import Language, fit
from harness.tape import disguise

NAMES = Language(("ROOT", "UUID7", "UUID"))
BOTH = Language(("ROOT",), pseudonyms=True)

TOKENS = [
    (NAMES, "<ROOT>/work", ["<ROOT>"]),
    (NAMES, "a <UUID7-12><UUID-1> b", ["<UUID7-12>", "<UUID-1>"]),
    (NAMES, "<root> <ROOT-> <ROOT-x> <ROOT <OTHER> <> ROOT>", []),
    (NAMES, "<<ROOT>>", ["<ROOT>"]),
    (NAMES, "<ROOT-٣>", []),
    (NAMES, "rdct12345678", []),
    (Language(), "<ROOT> rdct12345678", []),
    (BOTH, "key rdct12345678, <ROOT>", ["rdct12345678", "<ROOT>"]),
    (BOTH, "rdct123 rdct", []),
    (BOTH, "rdct12345678é", ["rdct12345678"]),
]


@pytest.mark.parametrize(("language", "text", "tokens"), TOKENS)
def test_tokens(language: Language, text: str, tokens: list[str]) -> None:
    assert [text[start:stop] for start, stop in language.tokens(text)] == tokens
    assert not tokens or language.may_be_in(text.encode())


FITS = [
    ("<ROOT>/work", "/tmp/x/work", {}, {"<ROOT>": "/tmp/x"}),
    ("<ROOT>/work", "/work", {}, None),
    ("<ROOT>/work", "/tmp/x/works", {}, None),
    ("<ROOT>/work", "/tmp/y/work", {"<ROOT>": "/tmp/x"}, None),
    ("<ROOT>/work", "/tmp/x/work", {"<ROOT>": "/tmp/x"}, {}),
    ("<ROOT>", "anything", {}, {"<ROOT>": "anything"}),
    ("<ROOT>", "", {}, None),
    ("<UUID-1>-<UUID-2>", "a-b-c", {}, {"<UUID-1>": "a", "<UUID-2>": "b-c"}),
    ("<UUID-1>-<UUID-1>", "ab-ab", {}, {"<UUID-1>": "ab"}),
    ("<UUID-1>-<UUID-1>", "ab-cd", {}, None),
    ("<UUID-1><UUID-2>", "xyz", {}, {"<UUID-1>": "x", "<UUID-2>": "yz"}),
    ("<UUID-1>:<UUID-2>", "no colon", {}, None),
    ("x<UUID-1>", "y1", {}, None),
    ("plain", "plain", {}, {}),
    ("plain", "other", {}, None),
]


@pytest.mark.parametrize(("text", "got", "known", "found"), FITS)
def test_fit(text: str, got: str, known: dict[str, str], found: dict[str, str] | None) -> None:
    assert fit(text, NAMES.tokens(text), got, known) == found


@pytest.mark.parametrize(("got", "found"), [
    ("Bearer open-sesam", {"rdct4fT9aa": "open-sesam"}), ("Bearer sesame", None), ("Bearer open-sesame", None),
])  # fmt: skip
def test_a_pseudonym_is_as_long_as_its_secret(got: str, found: dict[str, str] | None) -> None:
    text = "Bearer rdct4fT9aa"
    assert fit(text, BOTH.tokens(text), got, {}) == found


@given(st.lists(st.sampled_from(["<ROOT>", "<UUID-1>", "<UUID-2>", "/", "a", "work", "-"]), max_size=8))
@example(["<ROOT>"])
def test_a_text_fits_itself_and_what_its_tokens_stand_for(parts: list[str]) -> None:
    text = "".join(parts)
    values = {"<ROOT>": "[r]", "<UUID-1>": "[1]", "<UUID-2>": "[2]"}
    got = "".join(values.get(part, part) for part in parts)
    found = fit(text, NAMES.tokens(text), got, values)
    assert found == {}, "with all of them known it is that text"
    assert fit(text, NAMES.tokens(text), text, {token: token for token in values}) == {}


def test_it_knows_pseudonyms_as_redaction_writes_them() -> None:
    assert (template.MARK, template.ROOM) == (disguise.MARK, disguise.ROOM)
    secret = b"correct horse battery"
    made = disguise.Disguise(b"key").text(secret, 0, len(secret), len(secret)).decode()
    assert BOTH.tokens(f"<{made}>") == [(1, 1 + len(secret))]
