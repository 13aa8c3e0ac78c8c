"""A step in the words of the scenarios -> a call of the stranger's own tool, and what it means to change. Pure.

An adapter's texts have names in braces: `{url}` is the step's argument `url`, as it is where the text is nothing else,
and as text within a longer one; `{url:json}` is its JSON text, for scripts.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.faults.problem import nearest
from harness.strangers.adapter import NAMED, Adapter
from harness.strangers.problem import AdapterProblem
from harness.wire.jsontext import dumps


def translated(adapter: Adapter, step: Mapping[str, Any]) -> dict[str, Any]:
    """The step with the stranger's tool, arguments and means; a step that does not call is as it was.

    Raises AdapterProblem where the adapter has not the word, or not all that the tool needs.
    """
    if "call" not in step:
        return dict(step)
    word = step["call"]
    if word not in adapter.tools:
        words = list(adapter.tools)
        raise AdapterProblem(f"the word {word!r} of a scenario{nearest(word, words)}", f"one of {', '.join(words)}",
                             "add it to `tools`, or leave the scenario out", file=adapter.file)
    if "means" in step:
        raise AdapterProblem(f"`means` of the step {word!r}", "none: the adapter says what a word means",
                             "take it out of the scenario", file=adapter.file)
    tool = adapter.tools[word]
    given: Mapping[str, Any] = step.get("arguments") or {}
    made = {**step, "call": tool.tool, "arguments": _filled(tool.arguments, given, adapter, word)}
    if tool.means is not None:
        made["means"] = _filled(tool.means, given, adapter, word)
    return made


def _filled(value: Any, given: Mapping[str, Any], adapter: Adapter, word: str) -> Any:
    if isinstance(value, Mapping):
        return {key: _filled(each, given, adapter, word) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(each, given, adapter, word) for each in value]
    return filled(value, given, adapter, word) if isinstance(value, str) else value


def filled(text: str, given: Mapping[str, Any], adapter: Adapter, word: str) -> Any:
    """A text with the names in braces filled in. Raises AdapterProblem for a name that the step does not give."""
    for name, _ in NAMED.findall(text):
        if name not in given:
            raise AdapterProblem(f"{{{name}}} in the tool {word!r}{nearest(name, list(given))}",
                                 f"one of the step's arguments: {', '.join(given) or 'it has none'}",
                                 "correct the adapter, or the scenario", file=adapter.file)
    whole = NAMED.fullmatch(text)
    if whole is not None and not whole[2]:
        return given[whole[1]]
    return NAMED.sub(lambda match: _text(given[match[1]], as_json=bool(match[2])), text)


def _text(value: Any, *, as_json: bool) -> str:
    return value if isinstance(value, str) and not as_json else dumps(value)
