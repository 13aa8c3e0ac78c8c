"""What counts as a secret, as tables and as words of a command line."""
from __future__ import annotations

import pytest

from harness.problem import UsageProblem
from harness.tape.rules import (
    NAMES,
    PROTECTED,
    SHAPES,
    SHORTEST_LITERAL,
    Rules,
    matches,
    protects,
    rules_of,
    secrets_of,
)

HARMLESS = (
    "maxTokens", "progressToken", "nextPageToken", "token", "tokens", "pwd", "id", "method", "cursor", "sessionId",
)
"""Members of real protocols, or too ambiguous, that a glob for secrets would strike."""


def test_no_name_is_a_protocol_field() -> None:
    assert not {name.lower() for name in HARMLESS} & set(NAMES)
    fields = {pointer.removesuffix("/**").rpartition("/")[2].lower() for pointer in PROTECTED}
    assert not fields & set(NAMES)


def test_names_are_written_as_they_are_compared() -> None:
    assert all(name == name.lower() and name == name.strip() for name in NAMES)
    assert len(set(NAMES)) == len(NAMES)


def test_no_shape_is_met_by_its_prefix_alone() -> None:
    assert all(shape.least > 8 and shape.prefix for shape in SHAPES)


@pytest.mark.parametrize(
    ("pattern", "pointer", "meets"),
    [
        ("/a/b", "/a/b", True), ("/a/b", "/a", False), ("/a/b", "/a/b/c", False), ("/a/*", "/a/b", True),
        ("/a/*", "/a/b/c", False), ("/a/*/c", "/a/b/c", True), ("/a/**", "/a/b/c", True), ("/a/**", "/a", True),
        ("/a/**", "/ab/c", False), ("/**", "/x/y", True), ("/*", "", False), ("/a~1b", "/a~1b", True),
    ],
)
def test_patterns_of_pointers(pattern: str, pointer: str, meets: bool) -> None:
    assert matches(pattern, pointer) == meets


@pytest.mark.parametrize("pattern", PROTECTED)
def test_every_protected_field_is_protected(pattern: str) -> None:
    assert protects(pattern.replace("**", "anything/below"))
    assert not protects("/params/arguments" + pattern.replace("**", "x"))
    assert "*" not in pattern.removesuffix("/**")


def test_words_become_rules() -> None:
    rules = rules_of(
        ["key:MyKey", "env:API", "pointer:/params/text", "pattern:x+", "pattern:(?P<secret>y)"], {"API": "secret é"}
    )
    assert "mykey" in rules.names
    assert set(NAMES) <= set(rules.names)
    assert rules.literals == ("secret é".encode(),)
    assert rules.pointers == ("/params/text",)
    assert rules.patterns == ("x+", "(?P<secret>y)")
    assert rules.shapes


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (["secret"], "the redaction rule 'secret'"), (["value:abc"], "the redaction rule 'value:abc'"),
        (["key:"], "the redaction rule 'key:'"), (["env:NONE"], "no value in the environment variable NONE"),
        (["env:EMPTY"], "no value in the environment variable EMPTY"), (["env:SHORT"], "a secret of 3 bytes"),
        (["pointer:params"], "the pointer 'params'"), (["pattern:("], "the pattern '('"),
    ],
)
def test_wrong_words_are_refused(words: list[str], seen: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        rules_of(words, {"SHORT": "abc", "EMPTY": ""})
    assert caught.value.seen.startswith(seen)


def test_no_message_shows_a_secret() -> None:
    with pytest.raises(UsageProblem) as caught:
        Rules(literals=[b"q7z"])
    assert "q7z" not in str(caught.value)
    assert f"at least {SHORTEST_LITERAL}" in str(caught.value)


def test_secrets_of_an_environment() -> None:
    environment = {
        "MODEL_API_KEY": "one-secret", "password": "two-secret", "DB_PASSWORD": "short", "PATH": "/usr/bin",
        "MAX_TOKENS": "1000000", "MONKEY": "not-a-key", "AWS_SECRET_ACCESS_KEY": "three-secret",
    }
    assert secrets_of(environment) == [b"one-secret", b"two-secret", b"three-secret"]
