"""docs/scenarios.md, written from the tables that a scenario is read by: `python -m harness.scenario.describe`.

With `--check` nothing is written, and the exit code is 1 where the document is not what its sources say.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness.judged.books import BOOKS
from harness.judged.match import OPERATORS
from harness.judged.then import FORMS, LAW
from harness.scenario.broken import KINDS as BROKEN
from harness.scenario.document import DEPTH_LIMIT, NODE_LIMIT, SIZE_LIMIT
from harness.scenario.schema import ACTIONS, CASE, ITEM, SCENARIO, STEP, TOOTH, Table
from harness.subjects import SUBJECTS
from harness.written import keep

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "docs" / "scenarios.md"

HEAD = """\
# Scenarios

Written by `python -m harness.scenario.describe` from the tables in `harness/scenario` and `harness/judged`; do not
edit.

A scenario says what is asked of a stack, in which world, and what must be so afterwards. It is YAML under
`scenarios/<system>/`, named after the behaviour in words, and is compiled to a run sheet (JSON) before anything starts.

    trailcam run computer-use/click-an-element-once.yaml            # once, judged, on the terminal
    trailcam run computer-use/a-model-turn-is-fatal.yaml --case 'a turn ends between two calls'
    trailcam verify --system computer-use                           # all of them, with evidence and report

The smallest one that shows something:

    scenario: list_apps lists the applications
    subject: computer-use
    about: [codex, helper]
    steps:
      - {call: list_apps, as: list, expect: done}
    then:
      - claim: [CUA-RES-01]
        says: the helper's content reaches the caller unchanged
        equal:
          - {frames: {program: helper, way: "<<", method: tools/call}, at: /value/result/content}
          - {history: {e: answered, call: list}, at: /content}
    teeth:
      - {broken: answers, with: {content: []}, turns: [CUA-RES-01]}

**What a claim stands on.** An item of a `then`, or the verdict of a law (`laws`), and nothing else: a claim that is
listed and not asserted would be evidence of nothing. A claim holds in a run where each of its items holds. It counts as
shown only where something has turned it (its teeth): a fault of a case left out, what else is different in a case left
out, or a deliberately broken stack put in the stack's place. `trailcam verify` tries all of them, and says so where one
turns nothing.

**Cases.** A case is the scenario with something different: a fault plan, another world, other settings, other steps. It
has a `then` of its own; what the steps of the scenario expect is not expected in it, but of the next attempts (`again`)
after its faults. **Fault plans** beside the cases come from the census: `trailcam verify` chooses them by table
(docs/faults.md), and the laws judge those runs (docs/laws.md); items say what is so without them.

## The file

Strict YAML: at most {size} bytes, {nodes} values, {depth} levels; no alias, anchor or tag, no key twice. Words such as
`no` and `on` are text; `null`, `true`, `false` and numbers are what they are in JSON. A key that is not listed here is
refused with the nearest one, with file and line.
"""

AFTER_STEPS = """
Answers (`answer`) are taken in their order by whatever question comes next. `means` is what the laws hold the world
against: `ref` is an identifier that the client was shown, `value` what is set or typed. `looks: true` is for a call
that looks before it acts and chooses by what it sees: its ref is what that first look of its own showed. An unnamed
call can't be waited for. A canary that is `planted` as `environment NAME` or `home PATH` is put around the stack in
process runs, as a variable and as a file of a home folder; elsewhere it stands where the scenario has it.
"""

PATTERNS = """
## Patterns

An assertion selects lines of a book by a pattern, `{BOOK: PATTERN}`. Of an object every member of the pattern must
fit, and there may be more; a list has as many places as the pattern, and each fits; all else is equal, and true is not
1. In a pattern of `history` a `call` may be the name of a step. An object with one of these keys alone is an operator:
"""

TEETH = """
## Broken stacks

A broken stack is the real one with one thing made worse at its ports. `of` puts it into a case. It must break every
claim that it `turns`, or `trailcam verify` ends with 3.
"""

SERVICES = """\
Some programs of a system are services: the stack connects to them at an address instead of starting them (`services` of
its row in harness/subjects.py). Each connection is one process, with the bytes of the connection as its stdin and
stdout; it has no stderr, and the end of the connection is the end of stdin. A scenario names them like any other
program. At the moment `connecting` faults strike the connection itself.
"""



def document() -> str:
    """The whole text."""
    return "\n".join([*_body()]) + "\n"


def _body() -> Iterator[str]:
    head = HEAD
    for name, limit in (("{size}", SIZE_LIMIT), ("{nodes}", NODE_LIMIT), ("{depth}", DEPTH_LIMIT)):
        head = head.replace(name, str(limit))
    yield head
    yield from _table(SCENARIO)
    yield "\n## Steps\n"
    yield "A step does one thing; the keys beside it belong to it.\n"
    yield "| step | keys beside it | meaning |\n|---|---|---|"
    for action, beside in ACTIONS.items():
        keys = ", ".join(f"`{key}`" for key in beside)
        yield f"| `{action}` | {keys} | {STEP[action][2]} |"
    yield "\n| key | kind | meaning |\n|---|---|---|"
    for key in dict.fromkeys(key for beside in ACTIONS.values() for key in beside):
        yield f"| `{key}` | {_kind(STEP[key][0])} | {STEP[key][2]} |"
    yield AFTER_STEPS
    yield "## Cases\n"
    yield from _table(CASE)
    yield "\n## Items\n"
    yield "An item has one of these assertions:\n"
    yield "| assertion | beside it | holds where |\n|---|---|---|"
    for form, (_, beside, meaning) in FORMS.items():
        keys = ", ".join(f"`{key}`" for key in beside)
        yield f"| `{form}` | {keys} | {meaning} |"
    yield f"| `{LAW}` | | {ITEM[LAW][2]} |"
    yield "\n| key | kind | meaning |\n|---|---|---|"
    for key, (kind, _, meaning) in ITEM.items():
        if key not in FORMS and key != LAW:
            yield f"| `{key}` | {_kind(kind)} | {meaning} |"
    yield "\n| book | its lines |\n|---|---|"
    for book, (_, meaning) in BOOKS.items():
        yield f"| `{book}` | {meaning} |"
    yield PATTERNS
    yield "| operator | fits |\n|---|---|"
    for operator, (_, _, meaning) in OPERATORS.items():
        yield f"| `{operator}` | {meaning} |"
    yield TEETH
    yield from _table(TOOTH)
    yield "\n| kind | it | arguments |\n|---|---|---|"
    for name, broken in BROKEN.items():
        arguments = ", ".join(
            f"`{key}`{'' if required else '?'}: {meaning}" for key, (_, required, meaning) in broken.args.items()
        )
        yield f"| `{name}` | {broken.meaning} | {arguments} |"
    yield "\n## Systems\n"
    yield SERVICES
    yield "| subject | programs | profiles | engines |\n|---|---|---|---|"
    for subject in SUBJECTS.values():
        engines = ", ".join(dict.fromkeys(
            f"{program}: {engine}" for profile in subject.profiles.values() for program, engine in (
                *((program, engine) for program, (engine, _) in profile.engines.items()),
                *((part, profile.needs[0]) for part in (profile.backing.parts if profile.backing else ())),
            )
        ))  # fmt: skip
        yield f"| `{subject.name}` | {', '.join(subject.parts)} | {', '.join(subject.profiles)} | {engines} |"


def _table(table: Table) -> Iterator[str]:
    yield "| key | kind | required | meaning |\n|---|---|---|---|"
    for key, (kind, required, meaning) in table.items():
        yield f"| `{key}` | {_kind(kind)} | {'yes' if required else ''} | {meaning} |"


WORDS: Mapping[str, str] = {
    "texts": "list of texts", "objects": "list of objects", "flag": "true or false", "count": "whole number",
    "means": "object or null", "expect": "outcome, or object", "items": "list of items", "steps": "list of steps",
    "cases": "name -> case", "teeth": "list", "faults": "list", "only": "object", "laws": "number -> list of claims",
    "selection": "`{BOOK: PATTERN}`", "selections": "list of `{BOOK: PATTERN}`", "law": "number",
}  # fmt: skip
"""Kind of a table -> how the document says it."""


def _kind(kind: str) -> str:
    return WORDS.get(kind, kind.replace("|", ", "))


def main(arguments: Sequence[str], path: Path = DOCUMENT) -> int:
    """As harness.written.keep."""
    return keep(arguments, path, document, "harness.scenario.describe")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
