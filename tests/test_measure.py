"""The floor of coverage: lines and branches judged apart, and no file left out."""
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import measure
from tests.teeth import Break, check_tells_apart, replaced

pytestmark = pytest.mark.claim("HAR-COV-01")


def file(lines: tuple[int, int] = (100, 100), branches: tuple[int, int] = (100, 100)) -> dict[str, Any]:
    """A file of coverage's report, from (covered, all) of each."""
    return {
        "summary": {
            "covered_lines": lines[0], "num_statements": lines[1], "missing_lines": lines[1] - lines[0],
            "covered_branches": branches[0], "num_branches": branches[1], "missing_branches": branches[1] - branches[0],
        }
    }


def judged(**files: dict[str, Any]) -> list[str]:
    """What is wrong where these files of `harness` were measured."""
    document = {"files": {f"harness/{name}.py": file for name, file in files.items()}}
    return measure.judge(document, dict.fromkeys(document["files"], "x = 1"))


def test_at_the_floor_it_passes_and_just_below_it_does_not() -> None:
    assert judged(a=file((95, 100), (95, 100))) == []
    assert judged(a=file((949, 1000))) == ["harness: lines covered 94.90 %, below 95 %"]
    assert judged(a=file((1000, 1000), (949, 1000))) == ["harness: branches covered 94.90 %, below 95 %"]


def test_many_covered_lines_do_not_hide_branches_that_nothing_takes() -> None:
    assert judged(a=file((10000, 10000), (1, 10))) == ["harness: branches covered 10.00 %, below 95 %"]


def test_a_file_that_nothing_imports_counts_with_zero() -> None:
    assert judged(a=file((90, 90), (0, 0)), b=file((0, 10), (0, 0))) == ["harness: lines covered 90.00 %, below 95 %"]


def test_a_file_that_was_not_measured_is_an_error_unless_it_has_no_code() -> None:
    document = {"files": {"harness/a.py": file()}}
    files = {"harness/a.py": "x = 1", "harness/b.py": "x = 1", "harness/c.py": '"""Only words."""'}
    assert measure.judge(document, files) == ["harness/b.py: not measured at all"]


def test_each_package_has_to_reach_the_floor_by_itself() -> None:
    document = {"files": {"harness/a.py": file((1000, 1000)), "fakes/a.py": file((9, 10))}}
    files = dict.fromkeys(document["files"], "x = 1")
    assert measure.judge(document, files) == ["fakes: lines covered 90.00 %, below 95 %"]


def test_a_package_without_files_is_not_judged() -> None:
    assert measure.judge({"files": {}}, {}) == []


def test_a_measurement_of_nothing_never_passes_for_files_that_are_there() -> None:
    assert measure.judge({"files": {}}, {"stack/a.py": "x = 1"}) != []


def test_the_files_that_are_judged_are_those_of_the_tree() -> None:
    files = measure.source_files(measure.ROOT)
    assert {"harness/problem.py", "harness/cli.py"} <= set(files)
    assert {name.partition("/")[0] for name in files} <= set(measure.PACKAGES)


def test_the_weakest_files_come_first() -> None:
    document = {"files": {"a.py": file((99, 100)), "b.py": file((90, 100)), "c.py": file((50, 100))}}
    assert [row.partition(":")[0] for row in measure.weakest(document)] == ["c.py", "b.py"]


@pytest.mark.parametrize(
    ("arguments", "selects"),
    [([], False), (["--no-skips"], False), (["-x", "-q"], False), (["tests/harness"], True), (["-k", "wire"], True)],
)
def test_only_a_whole_run_is_judged(arguments: list[str], selects: bool) -> None:
    assert measure.selects(arguments) is selects


class Runs:
    """Stands in for the commands: their exit codes by first two words."""

    def __init__(self, **status: int) -> None:
        self.status = status
        self.ran: list[str] = []

    def __call__(self, *words: str) -> int:
        self.ran.append(words[1])
        return self.status.get(words[1], 0)


def test_a_failed_test_is_the_exit_code_and_nothing_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(run=1)
    monkeypatch.setattr(measure, "run", runs)
    assert measure.main(["--no-skips"]) == 1
    assert runs.ran == ["erase", "run"]


def test_a_selection_is_said_to_be_unjudged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure, "run", Runs())
    assert measure.main(["-k", "wire"]) == 0
    assert "not judged" in capsys.readouterr().out


def test_a_measurement_that_cannot_be_combined_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "run", Runs(combine=1))
    assert measure.main([]) == 1


def whole_run(folder: Path, runs: Runs, **files: dict[str, Any]) -> int:
    """The exit code of a whole run, as `make test` gets it, where these files of `harness` were measured."""
    (folder / "build/coverage").mkdir(parents=True)
    (folder / "harness").mkdir()
    for name in files:
        (folder / f"harness/{name}.py").write_text("x = 1")
    document = {"files": {f"harness/{name}.py": file for name, file in files.items() if file}}
    (folder / "build/coverage/coverage.json").write_text(json.dumps(document))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "ROOT", folder)
        patch.setattr(measure, "run", runs)
        return measure.main(["--no-skips"])


def make_test_fails_below_the_floor(folder: Path) -> None:
    """Lines and branches apart, a file that was not measured too; and it runs the suite under coverage."""
    at_floor = file((95, 100), (95, 100))
    for name, files, status in (
        ("floor", {"a": at_floor}, 0),
        ("lines", {"a": file((949, 1000))}, 1),
        ("branches", {"a": file((1000, 1000), (949, 1000))}, 1),
        ("unimported", {"a": file((90, 90), (0, 0)), "b": file((0, 10), (0, 0))}, 1),
        ("unmeasured", {"a": at_floor, "b": {}}, 1),
    ):
        runs = Runs()
        assert whole_run(folder / name, runs, **files) == status, name
        assert runs.ran == ["erase", "run", "combine", "json"]
    makefile = (Path(__file__).resolve().parent.parent / "Makefile").read_text()
    assert "\n\t$(BIN)/python -m tests.measure $(PYTEST_ARGS)\n" in makefile[makefile.index("\ntest:"):]


LENIENT: dict[str, Break] = {
    "a lower floor": replaced(measure, "FLOOR", 94.0),
    "no verdict": replaced(measure, "judge", lambda document, files: []),
    "one number for lines and branches": replaced(measure, "shares", lambda document, package: (97.0, 97.0)),
    "files that were not measured left out": replaced(measure, "has_code", lambda text: False),
    "a whole run taken for a part": replaced(measure, "selects", lambda arguments: True),
    "one package less": replaced(measure, "PACKAGES", ("fakes", "stack", "reports")),
}


@pytest.mark.claim("HAR-COV-01", tooth="a measurement that passes below the floor, or leaves files out")
@pytest.mark.parametrize("broken", LENIENT.values(), ids=LENIENT)
def test_a_lenient_measurement_is_seen(broken: Break, tmp_path: Path) -> None:
    check_tells_apart(make_test_fails_below_the_floor, broken, tmp_path)


def of_a_tree(folder: Path, configuration: str) -> dict[str, Any]:
    """What coverage measures, configured so, of a tree of which one module is imported and one is not."""
    for package in measure.PACKAGES:
        (folder / package).mkdir(parents=True)
    (folder / "pyproject.toml").write_text(configuration)
    (folder / "harness/used.py").write_text("import sys\nif len(sys.argv) > 9:\n    x = 1\nelse:\n    x = 2\n")
    (folder / "harness/unused.py").write_text("x = 1\nif x:\n    y = 2\n")
    for words in (["run", "harness/used.py"], ["combine", "--quiet"], ["json", "--quiet"]):
        subprocess.run([sys.executable, "-m", "coverage", *words], cwd=folder, check=True, capture_output=True)
    document: dict[str, Any] = json.loads((folder / "build/coverage/coverage.json").read_text())
    return document


CONFIGURATION = (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text()
LESS: dict[str, Callable[[str], str]] = {
    "no branches": lambda text: text.replace("branch = true", "branch = false"),
    "what is imported alone": lambda text: text.replace('source = ["harness", "fakes", "stack", "reports"]', ""),
}


def counts_what_nothing_imports(folder: Path, configuration: str) -> None:
    files = of_a_tree(folder, configuration)["files"]
    assert set(files) == {"harness/used.py", "harness/unused.py"}
    unused, used = files["harness/unused.py"]["summary"], files["harness/used.py"]["summary"]
    assert (unused["covered_lines"], unused["num_statements"], unused.get("num_branches")) == (0, 3, 2)
    assert (used["covered_branches"], used["missing_branches"]) == (1, 1)


@pytest.mark.claim("HAR-COV-01", tooth="coverage configured without branches, or without files that nothing imports")
@pytest.mark.parametrize("less", LESS.values(), ids=LESS)
def test_the_configuration_counts_a_file_that_nothing_imports(less: Callable[[str], str], tmp_path: Path) -> None:
    counts_what_nothing_imports(tmp_path / "real", CONFIGURATION)
    assert less(CONFIGURATION) != CONFIGURATION
    with pytest.raises((AssertionError, KeyError)):
        counts_what_nothing_imports(tmp_path / "broken", less(CONFIGURATION))
