"""The pytest plugin, in small suites of its own: scenarios as tests, fixtures, tapes in three modes, and the report."""
from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import pytest_plugin
from harness.verify import work as work_module
from tests.teeth import Break, check_tells_apart, replaced

pytestmark = pytest.mark.claim("HAR-PYT-01")
pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = f"--trailcam-claims={ROOT}/scenarios/claims"
SHORT = """\
scenario: Chess is read
subject: computer-use
about: [codex, helper]
world: {approvals: {com.apple.Chess: always}}
steps:
  - {call: get_app_state, as: look, arguments: {app: Chess}, expect: done}
then:
  - claim: [CUA-STA-01]
    says: one answer came
    count: {history: {e: answered}}
    is: 1
plans: none
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    pytester.makeini("[pytest]\naddopts = -p harness.pytest_plugin -p no:cacheprovider --strict-config")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return pytester


def write(suite: pytest.Pytester, text: str = SHORT, name: str = "chess.yaml") -> Path:
    path = suite.path / name
    path.write_text(text)
    return path


def scenarios_are_tests(suite: pytest.Pytester) -> None:
    """One test a profile, back and mode; one that does not hold fails with what, why and the command; others' YAML
    files are left alone."""
    write(suite)
    write(suite, SHORT.replace("is: 1", "is: 2"), "wrong.yaml")
    write(suite, "a: [1, 2]\n", "other.yaml")
    result = suite.runpytest_inprocess("-v", CLAIMS)
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines([
        "*chess.yaml::0.144.2-model-virtual PASSED*", "*chess.yaml::0.171.0-model-virtual PASSED*",
        "*broken: *wrong.yaml*", "*trailcam run *wrong.yaml*",
    ])
    assert "other.yaml" not in result.stdout.str()
    write(suite, SHORT.replace("steps:", "stepz:"), "bad.yaml")
    result = suite.runpytest_inprocess("bad.yaml", CLAIMS)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*bad.yaml:*stepz*"])


def test_scenarios_are_tests(suite: pytest.Pytester) -> None:
    scenarios_are_tests(suite)
    assert not (suite.path / "build").exists()


def test_what_is_missing_is_a_skip_that_names_it(suite: pytest.Pytester) -> None:
    write(suite, SHORT.replace("plans: none", "plans: none\nbacks: [engine]"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.verify.units.locate", lambda row: None)
        result = suite.runpytest_inprocess("-rs", CLAIMS)
    assert result.parseoutcomes()["skipped"] == 2
    result.stdout.fnmatch_lines(["*engine codex*is missing*"])


def check_a_report_is_written(suite: pytest.Pytester, *more: str) -> None:
    write(suite)
    words = ["--trailcam-report", "out", CLAIMS, *more]
    result = suite.runpytest_subprocess(*words) if more else suite.runpytest_inprocess(*words)
    result.assert_outcomes(passed=2)
    assert (suite.path / "out/report.json").exists()
    result.stdout.fnmatch_lines(["trailcam report: unknown: out/index.html"])
    page = json.loads((suite.path / "out/report.json").read_text())
    assert page["runs"] == 2
    rows = {row["id"]: row for _, found in page["groups"] for row in found}
    assert (rows["CUA-STA-01"]["word"], rows["CUA-STA-01"]["strength"]) == ("no teeth", "model")
    assert {path.name for path in (suite.path / "out").iterdir()} >= {"index.html", "report.md", "junit.xml"}


@pytest.mark.parametrize("more", [(), ("-n", "2")], ids=["alone", "parallel"])
def test_a_report_is_written_whoever_ran_the_scenarios(suite: pytest.Pytester, more: tuple[str, ...]) -> None:
    check_a_report_is_written(suite, *more)


FAKES = """
import os, subprocess

def talk(command, env=None, answers=True):
    first = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",' \\
        b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\\n'
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=env, bufsize=0) as program:
        program.stdin.write(first)
        line = program.stdout.readline() if answers else b""
        program.stdin.close()
        return line + program.stdout.read()

def test_fakes(fakes):
    made = fakes("helper", subject="computer-use", settings={"helper": {"version": "7.7"}})
    assert b'"7.7"' in talk([made.command("helper"), "mcp"])
    assert b'"7.7"' in talk(["helper", "mcp"], made.environment(os.environ))
    assert [event for event in made.world() if event["e"] == "effect"] == []

def test_fault(fakes, fault):
    plan = fault("slow_start", {"program": "helper", "moment": "started"}, ms=5)
    made = fakes("helper", subject="computer-use", plan=plan)
    talk([made.command("helper"), "mcp"], answers=False)
    assert [event["fault"] for event in made.world() if event["e"] == "fault"] == ["slow_start"]

def test_fault_is_checked(fault):
    import pytest
    from harness.faults.problem import PlanProblem
    with pytest.raises(PlanProblem):
        fault("dorp", {})
"""


def check_fakes_and_faults(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_fakes=FAKES)
    suite.runpytest_inprocess().assert_outcomes(passed=3)


def test_fakes_and_faults_are_fixtures(suite: pytest.Pytester) -> None:
    check_fakes_and_faults(suite)


TAPES = f"""
import subprocess, sys
from pathlib import Path

PROGRAM = 'import sys\\nopen("started", "a").write("x")\\n' \\
    'for line in sys.stdin: print("heard " + line, end="", flush=True)'

def test_talk(tape):
    command = tape("echo", [{sys.executable!r}, "-c", PROGRAM], "--dialect", "lines")
    done = subprocess.run(command, input=b"one\\ntwo\\n", capture_output=True, timeout=60)
    assert done.stdout == b"heard one\\nheard two\\n", done.stderr
    assert Path("fails").exists() is False
"""


def check_tapes_in_three_modes(suite: pytest.Pytester) -> None:
    """none starts nothing; once records what is not there; all records anew; what a failed test recorded is dropped."""
    suite.makepyfile(test_tapes=TAPES)
    tape = suite.path / "tapes/test_tapes/test_talk-echo.jsonl"
    started = suite.path / "started"
    result = suite.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*saw no tape *test_talk-echo.jsonl*--record once*"])
    (suite.path / "fails").touch()
    suite.runpytest_inprocess("--record", "once").assert_outcomes(failed=1)
    assert not list(suite.path.rglob("*.jsonl"))
    (suite.path / "fails").unlink()
    starts = len(started.read_text())
    for mode, more in (("once", 1), ("once", 0), ("none", 0), ("all", 1), ("none", 0)):
        before = tape.read_bytes() if tape.exists() else b""
        suite.runpytest_inprocess("--record", mode).assert_outcomes(passed=1)
        starts += more
        assert len(started.read_text()) == starts, mode
        assert (tape.read_bytes() != before) == bool(more), mode
    assert [path.name for path in tape.parent.iterdir()] == [tape.name]


def test_tapes_have_three_modes(suite: pytest.Pytester) -> None:
    check_tapes_in_three_modes(suite)


def passes(self: pytest_plugin.ScenarioItem) -> None:
    """A scenario that is taken for one that holds."""


def without_lines(self: pytest_plugin.Reporter, report: pytest.TestReport) -> None:
    """A reporter that hears nothing."""


COLLECTING: dict[str, tuple[Callable[[pytest.Pytester], None], Break]] = {
    "a scenario that always passes": (scenarios_are_tests, replaced(pytest_plugin.ScenarioItem, "runtest", passes)),
    "any YAML file": (scenarios_are_tests, replaced(pytest_plugin, "is_scenario", lambda path: True)),
    "no YAML file": (scenarios_are_tests, replaced(pytest_plugin, "is_scenario", lambda path: False)),
    "findings without their command": (
        scenarios_are_tests, replaced(pytest_plugin, "explained", lambda excinfo: "it failed")),
    "checks that are not made": (
        scenarios_are_tests,
        replaced(work_module, "work", lambda scenario, unit, claims, folder: work_module.Result(unit)),
    ),
    "a report that hears of nothing": (
        check_a_report_is_written, replaced(pytest_plugin.Reporter, "pytest_runtest_logreport", without_lines)),
    "no world": (check_fakes_and_faults, replaced(pytest_plugin.Fakes, "world", lambda self: [])),
    "a tape of a test that failed": (check_tapes_in_three_modes, replaced(
        pytest_plugin, "keeps", lambda node: True)),
}  # fmt: skip


@pytest.mark.claim("HAR-PYT-01", tooth="a plugin that passes what fails, collects other files, or keeps bad tapes")
@pytest.mark.parametrize(("check", "broken"), COLLECTING.values(), ids=COLLECTING)
def test_a_plugin_that_hides_something_is_seen(
    check: Callable[[pytest.Pytester], None], broken: Break, suite: pytest.Pytester, tmp_path: Path
) -> None:
    def fresh(folder: Path) -> None:
        for path in [*suite.path.iterdir()]:
            if path.name != "tox.ini":
                path.rename(folder / path.name)
        check(suite)

    check_tells_apart(fresh, broken, tmp_path / "moved")
