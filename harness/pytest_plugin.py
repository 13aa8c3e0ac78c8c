"""The pytest plugin: each scenario as a test, and fixtures for fakes, faults and tapes. A composition root.

    pytest scenarios/ --trailcam-report build/report -n auto

- A YAML file that begins with the key `scenario` is collected; each profile, back and mode that it runs in is a test,
  which does what `trailcam verify` does with it. What can't be run here is skipped, with what is missing.
- `fakes(…)` makes fakes as executables in a folder; `fault(…)` is one fault of a plan for them.
- `tape(name, command)` is a command to start in the place of a real one: it replays a tape that lies beside the test.
  `--record none` (the default) starts no real program, `once` records a tape that is not there, `all` each one anew;
  a new tape is kept where the test passed.
- `--trailcam-report FOLDER` writes the report on the scenarios that ran, whichever process of a parallel run ran them.

docs/pytest-plugin.md has examples. Imports are late, because pytest loads a plugin at every start.
"""
from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from harness.scenario.scenario import Scenario
    from harness.verify.units import Unit
    from harness.verify.work import Finding

MODES = ("none", "once", "all")
BEGIN = b"scenario:"
LOOK_SIZE = 4096
"""Bytes at the start of a YAML file in which a scenario's key has to stand."""
RECORDS = "trailcam records"
PASSED = pytest.StashKey[bool]()
REPORT_WRITER = "reports.render:write"
ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("trailcam", "trailcam: scenarios, fakes, faults and tapes")
    group.addoption("--record", choices=MODES, default="none",
                    help="tapes: replay only (none), record those that are not there (once), or all of them anew (all)")
    group.addoption("--trailcam-report", type=Path, metavar="FOLDER", help="write a report on the scenarios that ran")
    group.addoption("--trailcam-claims", type=Path, metavar="FOLDER", default=Path("scenarios/claims"),
                    help="the claims that scenarios name")


# Scenarios as tests


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A scenario's file; any other YAML is none of this plugin's business."""
    if file_path.suffix != ".yaml" or not is_scenario(file_path):
        return None
    return ScenarioFile.from_parent(parent, path=file_path)


def is_scenario(path: Path) -> bool:
    """Whether a line near the beginning has a scenario's first key."""
    with path.open("rb") as file:
        return any(line.startswith(BEGIN) for line in file.read(LOOK_SIZE).split(b"\n"))


class ScenarioFile(pytest.File):
    """One scenario. A file that can't be read as one is an error with its line, not a skipped test."""

    def collect(self) -> Iterator[pytest.Item]:
        from harness.claims import load_claims
        from harness.scenario.scenario import load_scenario
        from harness.verify.units import units_of

        folder = self.config.getoption("trailcam_claims")
        claims = load_claims(folder) if folder.is_dir() else None
        scenario = load_scenario(self.path, claims)
        units, missing = units_of([scenario])
        rows = [(unit, "") for unit in units] + [(each.unit, each.what) for each in missing]
        for unit, lacks in sorted(rows, key=lambda row: (row[0].profile, row[0].back, row[0].mode)):
            name = f"{unit.profile}-{unit.back}-{unit.mode}"
            yield ScenarioItem.from_parent(self, name=name, scenario=scenario, unit=unit, claims=claims, lacks=lacks)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return explained(excinfo) or super().repr_failure(excinfo)


class Broken(Exception):
    """What does not hold of a scenario."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("\n".join(
            line for each in findings for line in (f"{each.verdict}: {each.what}", f"  {each.why}", f"  {each.again}")
        ))  # fmt: skip


class ScenarioItem(pytest.Item):
    """One scenario with one profile on one back in one mode. lacks: what is missing for that."""

    def __init__(self, *, scenario: Scenario, unit: Unit, claims: Any, lacks: str, **how: Any) -> None:
        super().__init__(**how)
        self._scenario = scenario
        self._unit = unit
        self._claims = claims
        self._lacks = lacks

    def runtest(self) -> None:
        from harness.verify.work import work

        if self._lacks:
            pytest.skip(f"{self._lacks} is missing")
        folder = self.config.getoption("trailcam_report")
        result = work(self._scenario, self._unit, self._claims or {}, None if folder is None else folder / "runs")
        self.user_properties.append((RECORDS, result.records))
        if result.findings:
            raise Broken(result.findings)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return explained(excinfo) or super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"{self.path.name}: {self.name}"


def explained(excinfo: Any) -> str | None:
    """A problem in its own words, which have file, line and the way out; None for a defect, which needs its trace."""
    from harness.problem import Problem

    return str(excinfo.value) if isinstance(excinfo.value, Problem | Broken) else None


# Fakes, faults and tapes


@pytest.fixture
def fault() -> Callable[..., dict[str, Any]]:
    """`fault(name, at, **args)`: a plan of one fault, checked. at: the place, as in docs/faults.md."""
    from harness.faults.plan import Plan

    def made(name: str, at: Mapping[str, Any], *, times: int = 1, **args: Any) -> dict[str, Any]:
        entry = {"id": "f1", "fault": name, "at": dict(at), "args": args, "times": times}
        return Plan({"v": 1, "seed": 1, "faults": [entry]}).as_json()

    return made


class Fakes:
    """Fakes as executables. path: their folder, to be put first in PATH; `command(name)`: one of them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def command(self, name: str) -> str:
        return str(self.path / name)

    def environment(self, base: Mapping[str, str]) -> dict[str, str]:
        """An environment in which these programs are found before all others."""
        return {**base, "PATH": f"{self.path}{os.pathsep}{base.get('PATH', '')}"}

    def world(self) -> list[dict[str, Any]]:
        """What really happened in the world of these fakes, so far: what the programs do not tell."""
        from harness.wire.jsontext import loads

        book = self.path / "world.jsonl"
        lines = book.read_text(encoding="ascii").split("\n") if book.exists() else []
        events: list[Any] = [loads(line) for line in lines if line]
        return events


@pytest.fixture
def fakes() -> Iterator[Callable[..., Fakes]]:
    """`fakes(*programs, subject=…, profile=…, world=…, settings=…, plan=…)`: each program by itself, over a world of
    its own. Their folder is gone after the test."""
    from harness.serve.dotted import resolve
    from harness.serve.launch import make_folder, remove_folder
    from harness.subjects import subject as subject_of

    made: list[Path] = []

    def make(
        *programs: str, subject: str, profile: str = "", world: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None, plan: Mapping[str, Any] | None = None,
    ) -> Fakes:  # fmt: skip
        system = subject_of(subject)
        of = system.profiles[profile or list(system.profiles)[-1]].programs
        sheet = {
            "v": 1, "seed": 1, "plan": plan, "world": dict(world or {}), "world_factory": system.world,
            "machines": {name: resolve(system.programs)[name] for name in programs},
            "programs": {name: {**of.get(name, {}), **(settings or {}).get(name, {})} for name in programs},
        }  # fmt: skip
        made.append(make_folder(programs, sheet))
        return Fakes(made[-1])

    yield make
    for folder in made:
        remove_folder(folder)


@pytest.fixture
def tape(request: pytest.FixtureRequest) -> Iterator[Callable[..., list[str]]]:
    """`tape(name, command, *options)`: what to start in the command's place. See the module."""
    mode: str = request.config.getoption("record")
    made: list[tuple[Path, Path]] = []

    def command_of(name: str, command: Sequence[str], *options: str) -> list[str]:
        path = request.path.parent / "tapes" / request.path.stem / f"{request.node.name}-{name}.jsonl"
        if mode == "all" or (mode == "once" and not path.exists()):
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_suffix(".new.jsonl")
            new.unlink(missing_ok=True)
            made.append((new, path))
            return [*tool("record"), "--out", str(new), *options, "--", *command]
        if not path.exists():
            pytest.fail(f"saw no tape {path}; expected one to replay; record it with --record once", pytrace=False)
        return [*tool("replay"), str(path), "--", *command[1:]]

    yield command_of
    for new, path in made:
        if keeps(request.node):
            os.replace(new, path)
        else:
            new.unlink(missing_ok=True)


def keeps(node: pytest.Item) -> bool:
    """Whether a test's new tapes are kept: only what passed is worth replaying."""
    return node.stash.get(PASSED, False)


def tool(name: str) -> list[str]:
    """The tap or the player, on the real interpreter without site, as `trailcam record` and `replay` start them."""
    python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    return [python, "-SE", str(ROOT / "harness" / name / "__main__.py")]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report


# The report


def pytest_configure(config: pytest.Config) -> None:
    folder = config.getoption("trailcam_report")
    if folder is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(folder, config.getoption("trailcam_claims")), "trailcam-report")


class Reporter:
    """Gathers records in the process that the user started; they travel with the reports of tests."""

    def __init__(self, folder: Path, claims: Path) -> None:
        self._folder = folder
        self._claims = claims
        self._lines: list[str] = []
        self._word = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            found: list[Any] = report.user_properties
            self._lines += [line for name, lines in found if name == RECORDS for line in lines]

    def pytest_sessionfinish(self) -> None:
        from harness.evidence.ledger import add
        from harness.evidence.record import record_from
        from harness.serve.dotted import resolve

        ledger = self._folder / "ledger.jsonl"
        ledger.unlink(missing_ok=True)
        (self._folder / "runs").mkdir(parents=True, exist_ok=True)
        add((record_from(line, str(ledger), 0) for line in self._lines), ledger)
        page, paths = resolve(REPORT_WRITER)(self._folder / "runs", ledger, self._claims, self._folder)
        self._word = f"{page.word}: {paths[0]}"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.write_line(f"trailcam report: {self._word}")
