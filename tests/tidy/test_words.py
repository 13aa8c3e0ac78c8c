"""Forbidden words, put together here so that this file does not hold them."""
from __future__ import annotations

import pytest

from tests.tidy.words import decision, links, readme, words

SLASH = "/"
AT = "@"
DOT = "."

BAD = (
    f"see {SLASH}work{SLASH}main",
    f"cd {SLASH}root{SLASH}x",
    f"{SLASH}home{SLASH}alice",
    f"{SLASH}Users{SLASH}alice{SLASH}Library",
    f"{SLASH}opt{SLASH}x{SLASH}0.1",
    f"pip install -i https:{SLASH}{SLASH}pypi{DOT}org",
    f"registry.npmjs{DOT}org",
    f"deb.debian{DOT}org",
    f"as {DOT}{DOT}{SLASH}shared says",
    f"see shared{SLASH}facts{SLASH}peers.md",
    f"shared{SLASH}data{SLASH}other",
    f"mail alice{AT}site{DOT}org",
    f"AI{'-'}generated",
    f"this session{chr(39)}s work",
    f"the C{'E'}O",
)
GOOD = (
    "a network of its own",
    f"{SLASH}usr{SLASH}bin{SLASH}osascript",
    f"{SLASH}home{SLASH}user{SLASH}x",
    f"{SLASH}Users{SLASH}someone",
    f"someone{AT}example{DOT}org",
    f"@openai{SLASH}codex{AT}0{DOT}171{DOT}0",
    f"{DOT}{DOT}{SLASH}shared{SLASH}data{SLASH}wpt-accname",
    f"<ROOT>{SLASH}work{SLASH}relative",
    "networks",
    "a shared world",
    "Debian 12",
    "shared by all",
)


@pytest.mark.parametrize("text", BAD)
def test_what_no_file_may_say_is_found_with_its_line(text: str) -> None:
    findings = words("docs/a.md", f"first\n{text}\n")
    assert [finding.partition(" ")[0] for finding in findings] == ["docs/a.md:2"]


@pytest.mark.parametrize("text", GOOD)
def test_look_alikes_pass(text: str) -> None:
    assert words("docs/a.md", text) == []


def test_recordings_may_hold_addresses_of_mail_and_nothing_else() -> None:
    assert words("scenarios/tapes/a.jsonl", f"alice{AT}site{DOT}org") == []
    assert len(words("scenarios/tapes/a.jsonl", f"{SLASH}root{SLASH}x")) == 1


GOOD_DECISION = "# Name\n\n## Context\na\n\n## Decision\nb\n\n## Rejected\nc\n"


@pytest.mark.parametrize(
    "text",
    ["", "words", GOOD_DECISION.replace("## Rejected", "Rejected"), GOOD_DECISION.replace("# Name\n", ""),
     GOOD_DECISION + "\n## Context\n"],
)
def test_records_of_decisions_without_their_parts_are_found(text: str) -> None:
    assert len(decision("docs/decisions/a.md", text)) == 1
    assert decision("docs/decisions/a.md", GOOD_DECISION) == []


def test_links_to_what_is_not_there_are_found() -> None:
    text = "[a](a.md) [b](../b.md#part) [c](https://example.org/x) [d](#part) [e](gone.md)"
    assert links("docs/x.md", text, {"docs/a.md", "docs/../b.md"}.__contains__) == [
        "docs/x.md:1 points to docs/gone.md, which is not there"
    ]


def test_a_readme_without_the_two_commands_is_found() -> None:
    assert readme("run `make verify`, then `make test`") == []
    assert readme("run `make verify`") == ["README.md:1 does not name `make test`"]
    assert len(readme("")) == 2
