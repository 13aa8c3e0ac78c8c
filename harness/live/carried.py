"""Steps of a live run whose arguments are names that the run itself gives: a tab's handle, a connection's epoch.

In virtual time such names repeat, and a scenario has them as they are there. A real program gives its own: they are
read from the answers, and stand in for the scenario's in all steps that follow. Nothing else of a step is changed.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.wire.jsontext import JsonTextError, loads


def given(history: Sequence[Mapping[str, Any]], names: Iterable[str]) -> dict[str, str]:
    """Name -> the text that the latest answer which has this member gave for it."""
    found: dict[str, str] = {}
    for line in history:
        if line["e"] == "answered":
            for answer in answers(line):
                found.update({name: answer[name] for name in names if isinstance(answer.get(name), str)})
    return found


def answers(line: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """The objects that an answer is: its structure, and its texts that are JSON."""
    if isinstance(line.get("structured"), dict):
        yield line["structured"]
    for block in line.get("content") or ():
        try:
            value = loads(block.get("text") or "")
        except JsonTextError:
            continue  # text for a person, or cut
        if isinstance(value, dict):
            yield value


def carried(step: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """The step with what the run gave in place of the scenario's own values, wherever they stand."""
    arguments: Mapping[str, Any] = (step.get("call") or {}).get("arguments") or {}
    instead = {arguments[name]: value for name, value in known.items() if isinstance(arguments.get(name), str)}
    return {key: replaced(value, instead) for key, value in step.items()}


def replaced(value: Any, instead: Mapping[str, str]) -> Any:
    """A value with other texts in the places of whole texts."""
    if isinstance(value, dict):
        return {key: replaced(each, instead) for key, each in value.items()}
    if isinstance(value, list):
        return [replaced(each, instead) for each in value]
    return instead.get(value, value) if isinstance(value, str) else value
