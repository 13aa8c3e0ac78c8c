"""Values as YAML that the scenario reader takes back as they were: one line each, plain words where they can be plain.

PyYAML's own writer follows YAML 1.1, where `1e3` is a text and `no` is false; the reader of scenarios takes JSON's
scalars. So what is written is written by the reader's own rules, and a property test reads it back.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from harness.scenario.document import NUMBER, WORDS
from harness.wire.jsontext import dumps

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*\Z")
"""Texts that mean themselves in flow style, wherever they stand."""
UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that YAML wants escaped; beyond U+FFFF it knows none of JSON's pairs, so the others stand as they are."""


def flow(value: Any) -> str:
    """A value in one line: `{call: click, arguments: {app: Chess, element_index: "3"}}`."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(key)}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str) and PLAIN.match(value) and value not in WORDS and not NUMBER.match(value):
        return value
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", dumps(value, ascii_only=False))


def block(document: Mapping[str, Any], indent: str = "") -> str:
    """A mapping, one line a member. A list of mappings has a line an item; what holds a list, or mappings, a block."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
            lines.append(f"{indent}{flow(key)}:\n" + "".join(f"{indent}  - {flow(each)}\n" for each in value))
        elif isinstance(value, Mapping) and _is_long(value):
            lines.append(f"{indent}{flow(key)}:\n{block(value, indent + '  ')}")
        else:
            lines.append(f"{indent}{flow(key)}: {flow(value)}\n")
    return "".join(lines)


def _is_long(value: Mapping[str, Any]) -> bool:
    members = value.values()
    return any(isinstance(each, list) for each in members) or (
        bool(members) and all(isinstance(each, Mapping) for each in members)
    )
