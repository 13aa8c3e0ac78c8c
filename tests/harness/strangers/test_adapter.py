"""An adapter is read strictly: what it says otherwise than it may has its file, line and way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.strangers.adapter import Adapter, load_adapter
from harness.strangers.problem import AdapterProblem
from tests.harness.strangers.rig import ADAPTER, adapter_of

ROOT = Path(__file__).resolve().parents[3]
COMMITTED = sorted((ROOT / "scenarios" / "adapters").glob("*.yaml"))
LINES = 40
THREE = 3
GOOD = """\
stack: mine
version: "1"
from: here
subject: osascript
scenarios: [strangers/a.yaml]
command: [node, "{root}/server.js"]
finds: {osascript: PATH}
tools:
  go: {tool: navigate, arguments: {url: "{url}"}, means: {verb: navigate, value: "{url}"}}
"""


@pytest.mark.claim("HAR-BYO-01", tooth="an adapter that is longer")
def test_every_committed_adapter_is_read_and_has_at_most_forty_lines(tmp_path: Path) -> None:
    longer = tmp_path / "longer.yaml"
    longer.write_text(GOOD + "#\n" * LINES)
    assert len(COMMITTED) >= THREE
    assert [path.name for path in (*COMMITTED, longer) if too_long(path)] == ["longer.yaml"]
    adapters = [load_adapter(path) for path in COMMITTED]
    assert len({adapter.stack for adapter in adapters}) == len(adapters)
    for adapter in adapters:
        assert all((ROOT / "scenarios" / name).is_file() for name in adapter.scenarios)


def too_long(path: Path) -> bool:
    return len(path.read_text(encoding="utf-8").splitlines()) > LINES


def read(tmp_path: Path, text: str) -> Adapter:
    path = tmp_path / "adapter.yaml"
    path.write_text(text)
    return load_adapter(path)


def test_a_whole_one_and_its_way_through_a_run_sheet(tmp_path: Path) -> None:
    adapter = read(tmp_path, GOOD)
    assert (adapter.stack, adapter.call_ms, adapter.finds) == ("mine", 30_000, {"osascript": "PATH"})
    assert Adapter.from_json(adapter.as_json()) == adapter
    other = read(tmp_path, GOOD.replace("navigate,", "goto,"))
    assert other.identity["adapter"] != adapter.identity["adapter"]
    (tmp_path / "elsewhere").mkdir()
    again = read(tmp_path / "elsewhere", GOOD)
    assert again.identity["adapter"] == adapter.identity["adapter"]


WRONG = [
    ("stack: mine\n", "", 1, "an adapter without 'stack'"),
    ("subject: osascript", "subject: osascrip", 4, "'osascrip'.*osascript"),
    ("scenarios: [strangers/a.yaml]", "scenarios: []", 5, "an empty 'scenarios'"),
    ("command: [node", "comand: [node", 6, "'comand'.*command"),
    ('"{root}/server.js"', '"{rot}/server.js"', 6, "{rot} in command.*{root}"),
    ("finds: {osascript: PATH}", "finds: {osascript: HOME}", 7, "'HOME' for how it finds osascript"),
    ("finds: {osascript: PATH}", "finds: {safaridriver: PATH}", 7, "'safaridriver' in finds"),
    ("finds: {osascript: PATH}", "finds: {osascript: argument}", 7, "{osascript} is nowhere"),
    ("tools:", "env: {A: 1}\ntools:", 8, "A = 1 in env"),
    ("tools:", "files: {../a: text}\ntools:", 8, "the file '../a'"),
    ("tool: navigate", "tol: navigate", 9, "'tol' in the tool 'go'"),
    ("verb: navigate", "word: navigate", 9, "'word' in the means of 'go'"),
    ("stack: mine\n", "stack: mine\nstack: yours\n", 2, "the key 'stack' twice"),
    ("from: here", "from: &a here", 3, "the anchor &a"),
]


@pytest.mark.parametrize(("old", "new", "line", "seen"), WRONG)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, old: str, new: str, line: int, seen: str) -> None:
    assert old in GOOD
    with pytest.raises(AdapterProblem, match=seen) as raised:
        read(tmp_path, GOOD.replace(old, new))
    assert (raised.value.line, raised.value.exit_code) == (line, 2)
    assert raised.value.file == str(tmp_path / "adapter.yaml")
    assert raised.value.advice in ("see docs/bring-your-own-stack.md", "put it into quotes")


def test_finds_for_a_program_that_the_subject_needs(tmp_path: Path) -> None:
    text = GOOD.replace("subject: osascript", "subject: codex")
    with pytest.raises(AdapterProblem, match="finds without 'codex'"):
        read(tmp_path, text.replace("{osascript: PATH}", "{helper: PATH}"))


WAYS: list[tuple[Any, str]] = [
    ("PATH", "PATH"), ("argument", "argument"), ({"env": "OSASCRIPT"}, "env:OSASCRIPT"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "read_as"), WAYS)
def test_the_ways_in_which_a_stack_finds_a_program(tmp_path: Path, given: Any, read_as: str) -> None:
    command = [*ADAPTER["command"], "{osascript}"] if given == "argument" else ADAPTER["command"]
    assert adapter_of(tmp_path, finds={"osascript": given}, command=command).finds == {"osascript": read_as}
