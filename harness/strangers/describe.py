"""docs/bring-your-own-stack.md, with the tables that an adapter is read by: `python -m harness.strangers.describe`.

With `--check` nothing is written, and the exit code is 1 where the document is not what its sources say.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.strangers.adapter import ADAPTER, MEANS, TOOL
from harness.subjects import STRANGERS
from harness.written import keep

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "bring-your-own-stack.md"

HEAD = """\
# Bring your own stack

Written by `python -m harness.strangers.describe` from the tables in `harness/strangers`; do not edit.

Any MCP server that starts `osascript`, `safaridriver` or `codex` can be put under the faults and laws of this project.
It stays as it is: a real process that is spoken to on stdin and stdout. The fakes stand where it looks for the
programs, faults strike between it and them, and the laws judge what it said by what really happened. All that has to be
written is one adapter in YAML; those in `scenarios/adapters` have at most 40 lines.

    make engines                                                          # installs the three public ones too
    trailcam verify --stack scenarios/adapters/mcp-selenium.yaml          # its scenarios, and faults from the census
    trailcam run strangers/buy-by-webdriver.yaml --stack scenarios/adapters/mcp-selenium.yaml
    trailcam mutate --stack scenarios/adapters/fastmcp.yaml --fault drop  # every place of one fault, or of all

Runs are process runs on the real clock, one at a time, and a lost reply takes as long as the stack waits for it. Their
sheet says whose stack it was (name, version, hash of the adapter), they are kept in `build/runs-of-strangers`, and they
are no evidence: no claim of this project can stand on one.

## An adapter

    stack: fastmcp-proxy
    version: "4.2.3"
    from: "pypi: fastmcp"
    subject: safaridriver
    scenarios: [strangers/buy-by-mcp.yaml]
    command: ["{root}/build/strangers/fastmcp/bin/fastmcp", run, "{here}/mcp.json", --no-banner]
    finds: {safaridriver: PATH}
    files:
      mcp.json: '{"mcpServers": {"safari": {"command": "safaridriver", "args": ["--mcp"]}}}'
    unsure: ["Connection closed"]
    tools:
      open: {tool: create_tab, arguments: {url: "{url}"}, means: {verb: open, value: "{url}"}}

A scenario says `{call: open, arguments: {url: "http://shop.test/"}}`; the adapter makes a call of the stack's own tool
of it, and says what it means to change. So one scenario serves several stacks. `{url}` is the argument `url` of the
step, as it is where the text is nothing else; `{url:json}` is its JSON text, for scripts. Everything is read strictly:
what is wrong has its file, line and way out.

What the laws see depends on `means`: without a verb a call counts as one that changes nothing, and without a `ref` law
2 has only effects that nobody asked for. References and verbs are those of the world record
([fakes-safari.md](fakes-safari.md), [fakes-codex.md](fakes-codex.md)).

An answer without an error is *done*. An error is *refused*, because a caller reads in it that the thing was not done;
it is *unknown* where it has one of the words in `unsure`. A call without an answer within `call_ms` was never answered.

The stack gets none of your environment: PATH with the fakes, its own folder as HOME, a proxy that leads nowhere, and
what `env` says. Nothing here can keep a program that heeds no proxy from the network; the three below were seen to
connect to loopback alone. At the end its stdin is closed; it has three seconds, and three more after SIGTERM.
"""

FINDINGS = """\
## What was found with three public ones

They are pinned in `tests/harness/strangers`, and `test_public.py` there runs them in CI. All three do their work over
the fakes, and keep every law in their scenarios as they are. What is said here is of these versions, and of runs
against fakes, not against a Mac; none of it is a judgement of the projects, which do not promise what the laws ask for.
"""
FOUND: Sequence[tuple[str, str, str]] = (
    ("macos-automator-mcp 0.4.7 (npm)", "`osascript` for each call", (
        "Where `osascript` dies after the script did its work, the answer is an error like any other; where it ends "
        "with 0 and without a word before that, the answer is a success without text (law 3, both). Its own time limit "
        "is said in words, nothing is done twice, and nothing is left behind."
    )),
    ("mcp-selenium 0.2.3 (npm), on selenium-webdriver 4.46.0", "`safaridriver -p PORT`", (
        "Where the connection is lost after a click or a navigation, and before the answer, the request is sent again: "
        "one call, two clicks (law 1). Where the driver does not answer at its start, there is no answer within 30 s "
        "(law 4), and the driver is left running (law 7). Where the client goes without closing the session, its "
        "window stays (law 7); whether Safari itself would close it is not known."
    )),
    ("FastMCP's proxy 4.2.3 (PyPI)", "`safaridriver --mcp`", (
        "Nothing is done twice, and nothing is left. A death of the program is said as `Connection closed`. Where a "
        "reply is lost or spoilt, the call has no answer as long as the client waits, here 15 s (law 4)."
    )),
)  # fmt: skip
"""(stack, what it starts, what its runs under faults showed), of the versions that are pinned."""
MORE = """\
    trailcam run strangers/buy-by-webdriver.yaml --stack scenarios/adapters/mcp-selenium.yaml \\
      --case 'the connection is lost when the button was pressed, and before that was said'

macos-automator-mcp runs on a Mac only, and asks Node.js where it is; its adapter answers for it.

## What does not fit yet

- A native host is started by the browser and speaks with its own extension; a stranger's would need that extension in
  the fake browser. There is no subject for it yet.
- `osascript` is faked for JavaScript and Safari: a stack that runs AppleScript, or scripts other applications, gets the
  refusal of the fake. `codex` is faked as `codex app-server`: `codex exec` and model turns are not.
- A stack that calls a program by an absolute path can't be given another one, unless a variable, an argument or a file
  of its own says so.
"""


def document() -> str:
    """The whole document."""
    rows = [f"| {' | '.join(row)} |" for row in FOUND]
    return "\n".join((HEAD, *_keys(), FINDINGS, "| stack | starts | under faults |\n|---|---|---|", *rows, "", MORE))


def _keys() -> Iterator[str]:
    yield "Subjects, and the programs that a stack of each may start:\n"
    yield "| subject | programs | profiles |\n|---|---|---|"
    for subject in STRANGERS.values():
        yield f"| `{subject.name}` | {', '.join(subject.uses)} | {', '.join(subject.profiles)} |"
    for title, table in (("Keys", ADAPTER), ("Of a tool", TOOL), ("Of its means", MEANS)):
        yield f"\n{title}:\n"
        yield "| key | required | meaning |\n|---|---|---|"
        for key, (_, required, meaning) in table.items():
            yield f"| `{key}` | {'yes' if required else ''} | {meaning} |"
    yield ""


def main(arguments: Sequence[str], path: Path = DOCUMENT) -> int:
    """As harness.written.keep."""
    return keep(arguments, path, document, "harness.strangers.describe")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
