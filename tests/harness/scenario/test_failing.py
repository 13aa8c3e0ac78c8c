"""A host that fails where a scenario says so: each method, which call, of which program, and what a run has of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.problem import UsageProblem
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.failing import AFTER, METHODS, NAMED, WAITED, failing, fault_in_host
from harness.scenario.history import History
from harness.scenario.runner import run
from harness.scenario.scenario import load_scenario
from tests.harness.scenario.clerk import call, clerk_sheet, lines, register


class Lease:
    def __init__(self) -> None:
        self.held = True

    def release(self) -> None:
        self.held = False


class Host:
    """Notes what is called."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.lease: Lease | None = Lease()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            self.called.append(name)
            return {"path": "/bin/x", "tree": (1,), "try_lock": self.lease}.get(name)

        return called

    async def start(self, *given: Any, **named: Any) -> str:
        self.called.append("start")
        return "process"

    async def dial(self, address: str) -> str:
        self.called.append("dial")
        return "stream"

    async def listen(self, address: str) -> str:
        self.called.append("listen")
        return "listener"


def made(*entries: dict[str, Any]) -> tuple[Any, Host, History]:
    host, history = Host(), History(dict)
    return failing(host, entries, history), host, history


def use(host: Any, method: str, program: str = "codex") -> Any:
    """Call a method as a stack does."""
    if method == "start":
        return trio.run(lambda: host.start(program, [], env={}, cwd="/"))
    if method in WAITED:
        return trio.run(getattr(host, method), "unix:/s")
    if method == "release":
        return host.try_lock("lock").release()
    return getattr(host, method)(program)


@pytest.mark.parametrize("method", METHODS)
def test_each_method_fails_and_says_so(method: str) -> None:
    host, under, history = made({"fails": method})
    with pytest.raises(LookupError if method == "path" else OSError):
        use(host, method)
    program = "codex" if method in NAMED else ""
    assert [(line["e"], line["what"], line["program"]) for line in history.lines] == [("failed", method, program)]
    assert (method in under.called) == (method in AFTER - {"release"})


@pytest.mark.parametrize(("errno", "error"), [
    ("EIO", OSError), ("ENOENT", FileNotFoundError), ("EACCES", PermissionError),
])  # fmt: skip
def test_a_start_fails_for_its_reason(errno: str, error: type[OSError]) -> None:
    host, _, _ = made({"fails": "start", "errno": errno})
    with pytest.raises(error) as caught:
        use(host, "start")
    assert type(caught.value) is error


@pytest.mark.parametrize("entry", [
    {"fails": "start", "errno": "EPERM"}, {"fails": "path", "errno": "ENOENT"}, {"fails": "start", "errno": 2},
])  # fmt: skip
def test_a_reason_is_one_of_a_start(entry: dict[str, Any]) -> None:
    fault = fault_in_host([entry])
    assert fault is not None
    assert "errno" in fault[0]


def test_what_does_its_work_first_has_done_it() -> None:
    host, under, _ = made({"fails": "release"})
    with pytest.raises(OSError, match="Input/output"):
        use(host, "release")
    assert under.lease is not None
    assert not under.lease.held


def test_a_lock_that_another_has_is_none() -> None:
    host, under, _ = made({"fails": "release"})
    under.lease = None
    assert host.try_lock("lock") is None


@pytest.mark.parametrize("method", METHODS)
def test_one_call_alone_fails_where_it_is_numbered(method: str) -> None:
    host, _, history = made({"fails": method, "nth": 2})
    use(host, method)
    with pytest.raises((LookupError, OSError)):
        use(host, method)
    use(host, method)
    assert len(history.lines) == 1


@pytest.mark.parametrize("method", sorted(NAMED))
def test_other_programs_are_as_they_are(method: str) -> None:
    host, _, history = made({"fails": method, "of": "codesign", "nth": 1})
    use(host, method)
    with pytest.raises((LookupError, OSError)):
        use(host, method, "codesign")
    assert [line["program"] for line in history.lines] == ["codesign"]


def test_without_entries_the_host_is_the_host_itself() -> None:
    host, under, _ = made()
    assert host is under


def test_all_else_is_passed_on() -> None:
    host, under, _ = made({"fails": "tree"})
    host.date()
    assert under.called == ["date"]


@pytest.mark.parametrize(
    ("entry", "seen"),
    [
        ({"fails": "dance"}, "fails = 'dance'"),
        ({}, "fails = None"),
        ({"fails": "tree", "of": "codex"}, "of = 'codex' of tree"),
        ({"fails": "tree", "nth": 0}, "nth = 0"),
        ({"fails": "tree", "nth": True}, "nth = True"),
        ({"fails": "start", "of": 3}, "of = 3"),
        ({"fails": "tree", "when": 1}, "'when'"),
    ],
)
def test_what_is_no_failure_is_refused(entry: dict[str, Any], seen: str) -> None:
    found = fault_in_host([{"fails": "tree"}, entry])
    assert found is not None
    assert seen in found[0]


def test_what_is_one_is_taken() -> None:
    assert fault_in_host([{"fails": "start", "of": "codex", "nth": 3}, {"fails": "release"}]) is None


def test_a_run_has_the_failure_in_its_history(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    history = run(clerk_sheet(call("note", text="x"), call("greet"), host=[{"fails": "append_private"}])).history
    assert [line["what"] for line in lines(history, "failed")] == ["append_private"]
    assert lines(history, "raised")[0]["error"].startswith("OSError")


SCENARIO = """\
scenario: a clerk
subject: clerk
about: [clerk]
steps: [{call: greet}]
then: [{says: x, some: {history: {e: answered}}}]
cases:
  ill:
    host: [{fails: tree}]
    told_ms: 5
    then: [{says: x, some: {history: {e: answered}}}]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "clerk.yaml"
    path.write_text(text)
    return path


def test_a_case_carries_it_to_its_sheet_and_to_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    scenario = load_scenario(written(tmp_path, SCENARIO))
    sheet = compile_sheet(scenario, Choice(case="ill"))
    assert (sheet["host"], sheet["told_ms"]) == ([{"fails": "tree"}], 5)
    assert not {"host", "told_ms"} & compile_sheet(scenario, Choice()).keys()
    assert "host" not in compile_sheet(scenario, Choice(case="ill", without="situation"))


def test_a_file_with_another_failure_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    with pytest.raises(UsageProblem, match="'host' in the case"):
        load_scenario(written(tmp_path, SCENARIO.replace("fails: tree", "fails: dance")))
