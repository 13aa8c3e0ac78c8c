"""docs/fakes-codex.md from the tables of the fakes: `python -m fakes.describe [--check]`.

Separate from the tables, so that no program loads what describes it. The document is a pure function of the tables.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from fakes.fronts import codesign, codex_settings, helper, lsappinfo
from fakes.fronts.codex_elicitation import ROWS
from fakes.fronts.codex_profiles import DIFFERENCES, LEFT_OUT, VERSIONS
from fakes.fronts.codex_states import LEGAL
from fakes.fronts.helper_errors import ERRORS
from fakes.settings import REQUIRED
from fakes.worlds import desktop, desktop_apps
from fakes.worlds.desktop_changes import CHANGES
from harness.wire.jsontext import dumps
from harness.written import keep, markdown_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fakes.settings import Table

PATH = Path(__file__).resolve().parents[1] / "docs" / "fakes-codex.md"
HEAD = """# The fakes of codex and of its desktop
Generated from the tables under fakes/ by `python -m fakes.describe`; a test compares it with them.

Four programs over one desktop: `codex app-server` in two versions, the Computer Use helper that it starts as its MCP
server, `codesign`, and `lsappinfo`. They speak the real protocols, and what really happens is in the world record.
What codex does is measured: the client's half of 153 recorded sessions is played against the model, and the checks
under tests/fakes/conformance run on the model and on the real binaries. What the helper, codesign and lsappinfo do is
taken from public reports and was never compared with the real programs.

"""
REFERENCES = """## What an effect says
`shown.ref` is `KEY` for an app and `KEY/INDEX` for an element. `effect.target` is `{app, window, node}` for verbs that
name an element and `{app}` for those that name an app, with `landed` for where that came down. `effect.value` is what
the verb brings: text, value, key, direction, the four numbers of a drag, null for a plain click. `effect.needs` is the
approval that it requires, `effect.grant` the one that was valid, null where the user (setting `user`) wanted none.

## What codex flags
The real server answers a driver's mistakes silently or leniently. So does the fake, and writes a line `violation` with
`p`, `why` and `frame` into the world record: frames out of order, a second call in flight, an id used again, members
that nobody reads, lines that are no messages, answers to nobody or twice or after the call was over, accept without
content to a form with fields.
"""


def _settings(title: str, table: Table) -> str:
    rows = [(f"`{key}`", kind, _default(default), meaning) for key, (kind, default, meaning) in table.items()]
    return f"### {title}\n{markdown_table(('key', 'kind', 'default', 'meaning'), rows)}"


def _default(default: Any) -> str:
    if default is REQUIRED:
        return "none"
    text = dumps(default)
    return f"`{text}`" if len(text) < 60 else "see fakes/worlds/desktop_apps.py"


def document() -> str:
    """The text of docs/fakes-codex.md."""
    settings = [
        _settings("`world`", desktop.KEYS),
        _settings("`world.apps[]`", desktop_apps.APP_KEYS),
        _settings("`world.apps[].windows[]`", desktop_apps.WINDOW_KEYS),
        _settings("an element", desktop_apps.ELEMENT_KEYS),
        _settings("`programs.codex`", codex_settings.KEYS),
        _settings("`programs.helper`", helper.KEYS),
        _settings("`programs.codesign`", codesign.KEYS),
        _settings("a signature of codesign", codesign.SIGNATURE_KEYS),
        _settings("`programs.lsappinfo`", lsappinfo.KEYS),
    ]
    changes = markdown_table(
        ("key", "value and meaning"), ((f"`{key}`", meaning) for key, (_, meaning) in CHANGES.items())
    )
    states = markdown_table(
        ("state", "event", "state after it"), ((state, event, later) for (state, event), later in LEGAL.items())
    )
    rows = markdown_table(
        ("policy", "sandbox", "kind", "standard input", "who answers"),
        (
            (
                ", ".join(policies),
                ", ".join(boxes),
                ", ".join(kinds),
                " or ".join(str(i).lower() for i in inputs),
                answer,
            )
            for policies, boxes, kinds, inputs, answer in ROWS
        ),
    )
    differences = markdown_table(
        ("what", *VERSIONS),
        ((meaning, f"`{dumps(older)}`", f"`{dumps(newer)}`") for older, newer, meaning in DIFFERENCES.values()),
    )
    errors = markdown_table(
        ("reason", "number", "text", "observed"),
        (
            (f"`{reason}`", "" if number is None else str(number), text, "yes" if observed else "our own words")
            for reason, (number, text, observed) in ERRORS.items()
        ),
    )
    left_out = markdown_table(("what", "how the fake differs"), LEFT_OUT.items())
    parts = [
        HEAD,
        REFERENCES,
        "## Settings of a run sheet\nAn unknown key, or a value of another kind, is refused with its place.\n\n",
        "\n".join(settings),
        f"\n## World faults\nKeys of a change, in a fault plan or by a person at the Mac.\n\n{changes}",
        f"\n## The conversation with codex\nAnything that is not in this table is flagged.\n\n{states}",
        f"\n## Who answers an elicitation\n{rows}",
        f"\n## What differs between the versions\n{differences}",
        f"\n## The helper's errors\n{errors}",
        f"\n## Known differences from the real codex\n{left_out}",
    ]
    return "".join(parts)


def main(arguments: Sequence[str], path: Path = PATH) -> int:
    """As harness.written.keep."""
    return keep(arguments, path, document, "fakes.describe")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
