"""docs/faults.md, written from the catalogue and from the table of a plan's keys: `python -m harness.faults.describe`.

With `--check` nothing is written, and the exit code is 1 where the document is not what its sources say.
"""
from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.faults.argument import Argument
from harness.faults.reading import AT
from harness.faults.registry import FAULTS, LAYERS, Fault
from harness.faults.standard import ELSEWHERE, LIMIT, ROWS, SERVICES, TARGET_MEANINGS, VARIANTS
from harness.wire.jsontext import dumps
from harness.written import keep

if TYPE_CHECKING:
    from harness.wire.jsontext import Json

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "docs" / "faults.md"

LAYER_MEANINGS = {
    "byte": "bytes inside a frame",
    "frame": "where a frame begins and ends, and how large it is",
    "message": "what a frame says",
    "session": "which frames come, and in what order",
    "stream": "stdin, stdout and stderr as pipes",
    "process": "how the process starts and ends",
    "world": "what the program acts on",
}

HEAD = """\
# Faults

Written by `python -m harness.faults.describe` from `harness/faults/catalogue`; do not edit. How to add one:
[adding-a-fault.md](adding-a-fault.md).

A fault is a function from steps to steps. At a frame toward the program (`>>`) it gets the delivery of the frame, at
one from it (`<<`) the writing of its bytes, at a moment nothing; what it gives is carried out instead. Several faults
at one place act in the order of the plan, each on the frames that the one before it left; waits, ends and changes that
another one put there stay. The catalogue has {count} faults; with none of them in the plan, or with `no_op`, every byte
is as it was.

## A plan

```json
{{"v": 1, "seed": 7, "faults": [
  {{"id": "f1", "fault": "drop", "at": {{"program": "codex", "way": "<<", "kind": "reply", "method": "mcpServer/tool/call", "nth": 3}}}},
  {{"id": "f2", "fault": "world", "at": {{"moment": "before_effect", "where": {{"verb": "click"}}}}, "args": {{"locked": true}}, "times": 2}}]}}
```

`seed` decides what a fault draws (with the fault's `id`, so that no fault disturbs another). A fault fires once, or
`times` times in a row of matching places. A fault whose place never came, or that could change nothing there, has not
fired, and a run with such a fault is *inapplicable*: it is counted and shown, and is no evidence.

Keys of `at`; each but `nth` narrows, and any other key narrows by a member of the place or of its `where`:

| key | values | meaning |
|---|---|---|
"""  # noqa: E501


def document() -> str:
    """The whole document."""
    faults = [FAULTS[name] for name in FAULTS]
    parts = [HEAD.format(count=len(faults))]
    for key, (type, allowed, meaning) in AT.items():
        values = " ".join(f"`{value}`" for value in allowed) or {str: "text", int: "number", dict: "object"}[type]
        parts.append(f"| `{key}` | {values} | {_cell(meaning)} |\n")
    parts.append("\n## The catalogue\n\n| layer | about | faults |\n|---|---|---|\n")
    for layer in LAYERS:
        links = ", ".join(f"[{fault.name}](#{fault.name})" for fault in faults if fault.layer == layer)
        parts.append(f"| {layer} | {LAYER_MEANINGS[layer]} | {links} |\n")
    parts.append(_selections())
    parts += [_section(fault) for layer in LAYERS for fault in faults if fault.layer == layer]
    return "".join(parts)


SELECTIONS = """
## Standard plans and campaign

The run without faults counts its places (the census). `make verify` runs every scenario under the standard plans: one
fault each, the first {limit} of these rows for which the census has a place, at the last such place of the first
program that has one. A scenario can name the programs to strike first, and changes of its world to try before its last
effect.

| kind of place | which one |
|---|---|
{targets}
Rows, the most telling first: {rows}.

For every other program of the run: {elsewhere}.

For every service, which is struck by the rows above only where no other program has the place: {services}.

The campaign runs every fault at every class of place that it fits, at the first and at the last of the run; these with
several arguments: {variants}.
"""


def _selections() -> str:
    return SELECTIONS.format(
        limit=LIMIT,
        targets="".join(f"| {name} | {_cell(meaning)} |\n" for name, meaning in TARGET_MEANINGS.items()),
        rows=", ".join(_row(*row) for row in ROWS),
        elsewhere=", ".join(_row(*row) for row in ELSEWHERE),
        services=", ".join(_row(*row) for row in SERVICES),
        variants=", ".join(f"{name} ({len(variants)})" for name, variants in VARIANTS.items()),
    )


def _row(fault: str, target: str, args: Mapping[str, Json]) -> str:
    given = f" {dumps(dict(args))}" if args else ""
    return f"`{fault}{given}` at {target}"


def _section(fault: Fault) -> str:
    rows = [
        ("layer", fault.layer),
        ("places", ", ".join(sorted(_way(way) for way in fault.ways))),
        ("frames", ", ".join(sorted(fault.kinds)) or "any") if fault.ways & {">>", "<<"} else None,
        ("moments", ", ".join(sorted(fault.moments))) if fault.moments else None,
        ("hides the outcome", fault.hides),
        ("the next attempt must succeed", "yes" if fault.recoverable else "no"),
        ("`<<` denies what was done", "yes") if fault.denies else None,
        ("`>>` forges what is asked", "yes") if fault.forges else None,
    ]
    lines = [f"\n### {fault.name}\n\n{paragraph(fault)}\n\n"]
    lines += [f"- {name}: {value}\n" for name, value in filter(None, rows)]
    if fault.arguments:
        lines.append("\n| argument | type | default | meaning |\n|---|---|---|---|\n")
        for name, argument in fault.arguments.items():
            lines.append(
                f"| `{name}` | {_type(argument)} | `{dumps(argument.default)}` | {_cell(argument.meaning)} |\n"
            )
    elif fault.arguments is None:
        lines.append("\nAny arguments, at least one.\n")
    return "".join(lines)


def _way(way: str) -> str:
    return f"`{way}`" if way in (">>", "<<") else "a moment"


def _type(argument: Argument) -> str:
    text = f"{argument.type} ({argument.unit})" if argument.unit else argument.type
    if argument.choices:
        return f"{text}: {', '.join(f'`{_cell(dumps(choice))}`' for choice in argument.choices)}"
    bounds = [f"{word} {bound}" for word, bound in (("from", argument.low), ("to", argument.high)) if bound is not None]
    return " ".join([text, *bounds])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def paragraph(fault: Fault) -> str:
    """The fault's docstring as one paragraph."""
    return " ".join(fault.meaning.split())


def as_data(fault: Fault) -> dict[str, Any]:
    """`{name, layer, places, kinds, moments, hides_outcome, recoverable, denies, forges, meaning, arguments}`;
    arguments: name -> {type, default, unit, meaning, low, high, choices}, or null where any are taken."""
    arguments = None
    if fault.arguments is not None:
        arguments = {
            name: {
                "type": argument.type,
                "default": argument.default,
                "unit": argument.unit,
                "meaning": argument.meaning,
                "low": argument.low,
                "high": argument.high,
                "choices": list(argument.choices),
            }
            for name, argument in fault.arguments.items()
        }
    return {
        "name": fault.name,
        "layer": fault.layer,
        "places": sorted(fault.ways),
        "kinds": sorted(fault.kinds),
        "moments": sorted(fault.moments),
        "hides_outcome": fault.hides,
        "recoverable": fault.recoverable,
        "denies": fault.denies,
        "forges": fault.forges,
        "meaning": paragraph(fault),
        "arguments": arguments,
    }


def by_layer(faults: Iterable[Fault]) -> list[tuple[str, list[Fault]]]:
    """(layer, its faults) in the order of LAYERS; a layer without any is left out."""
    found = list(faults)
    groups = [(layer, [fault for fault in found if fault.layer == layer]) for layer in LAYERS]
    return [(layer, group) for layer, group in groups if group]


def main(arguments: Sequence[str], path: Path = DOCUMENT) -> int:
    """As harness.written.keep."""
    return keep(arguments, path, document, "harness.faults.describe")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
