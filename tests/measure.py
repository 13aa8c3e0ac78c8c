"""`make test`: the suite under coverage, then lines and branches of each package against the floor.

Coverage's own `fail_under` is one number over lines and branches together, in which many covered lines hide branches
that nothing takes. Here each package has to reach the floor in both (HAR-COV-01), and a file of a package that does not
appear in the measurement at all is an error, not an omission. Where pytest's arguments select tests, the floor is not
judged, and that is said.
"""
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("harness", "fakes", "stack", "reports")
FLOOR = 95.0
EVIDENCE = "build/evidence/tests.jsonl"
"""Where the whole suite says what it shows of the claims; `trailcam report` and `trailcam claims` read it."""
WHOLE_RUN_OPTIONS = frozenset({"--no-skips", "-q", "-v", "-x", "--durations=20"})
"""pytest's arguments that leave the selection of tests as it is."""


def percent(covered: int, of: int) -> float:
    return 100.0 if of == 0 else 100.0 * covered / of


def shares(document: Mapping[str, Any], package: str) -> tuple[float, float]:
    """Percent of lines and of branches covered over all files of a package."""
    totals = [file["summary"] for name, file in document["files"].items() if Path(name).parts[0] == package]
    lines = percent(sum(t["covered_lines"] for t in totals), sum(t["num_statements"] for t in totals))
    branches = percent(sum(t["covered_branches"] for t in totals), sum(t["num_branches"] for t in totals))
    return lines, branches


def has_code(text: str) -> bool:
    """Whether a file has a statement beside its docstring."""
    import ast

    body = ast.parse(text).body
    return any(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in body)


def judge(document: Mapping[str, Any], files: Mapping[str, str]) -> list[str]:
    """What is wrong with a measurement; nothing where each package reaches the floor.

    document: coverage's JSON report, with paths from the checkout's root. files: path -> text of every source file.
    """
    unseen = (name for name in sorted(files) if name not in document["files"] and has_code(files[name]))
    wrong = [f"{name}: not measured at all" for name in unseen]
    for package in PACKAGES:
        if any(Path(name).parts[0] == package for name in files):
            lines, branches = shares(document, package)
            wrong += [
                f"{package}: {kind} covered {share:.2f} %, below {FLOOR:g} %"
                for kind, share in (("lines", lines), ("branches", branches))
                if share < FLOOR
            ]
    return wrong


def weakest(document: Mapping[str, Any], count: int = 15) -> list[str]:
    """The files below the floor, those with the most missing first."""
    rows = []
    for name, file in document["files"].items():
        summary = file["summary"]
        lines = percent(summary["covered_lines"], summary["num_statements"])
        branches = percent(summary["covered_branches"], summary["num_branches"])
        missing = summary["missing_lines"] + summary["missing_branches"]
        if min(lines, branches) < FLOOR:
            rows.append((-missing, f"{name}: lines {lines:.1f} %, branches {branches:.1f} %"))
    return [text for _, text in sorted(rows)[:count]]


def source_files(root: Path) -> dict[str, str]:
    """Path from the root -> text of every Python file in the packages."""
    paths = (path for package in PACKAGES for path in sorted((root / package).rglob("*.py")))
    return {path.relative_to(root).as_posix(): path.read_text() for path in paths}


def selects(arguments: Sequence[str]) -> bool:
    """Whether pytest's arguments may leave tests out."""
    return not set(arguments) <= WHOLE_RUN_OPTIONS


def run(*words: str) -> int:
    return subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str]) -> int:
    """Exit code: pytest's own where it failed, else 0 or 1 by the floor."""
    run("coverage", "erase")
    evidence = [] if selects(arguments) else [f"--evidence={EVIDENCE}"]
    status = run("coverage", "run", "-m", "pytest", "-n", "2", *evidence, *arguments)
    if status:
        return status
    if selects(arguments):
        print("coverage: not judged, because the arguments select tests")
        return 0
    for words in (["combine", "--quiet"], ["json", "--quiet"]):
        status = run("coverage", *words)
        if status:
            return status
    document = json.loads((ROOT / "build/coverage/coverage.json").read_text())
    files = source_files(ROOT)
    for package in PACKAGES:
        lines, branches = shares(document, package)
        print(f"coverage: {package:<8} lines {lines:6.2f} %  branches {branches:6.2f} %")
    wrong = judge(document, files)
    print("\n".join([*(f"coverage: {text}" for text in weakest(document)), *wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
