"""`make docs`: every generated document, written anew or checked against its source.

A package that generates a document has a module `describe` in it: `python -m <package>.describe` writes the document,
and with `--check` it changes nothing and exits 1 where the document differs. They are found by that name, so a new one
is in `make docs` and in the tests without being listed.
"""
from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("harness", "fakes", "stack", "reports")


def describers(root: Path) -> list[str]:
    """Dotted names of the modules that generate documents."""
    paths = sorted(path for package in PACKAGES for path in (root / package).rglob("describe.py"))
    return [".".join(path.relative_to(root).with_suffix("").parts) for path in paths]


def run(module: str, root: Path, *, check: bool) -> tuple[int, str]:
    """Exit code and output of one describer."""
    words = [sys.executable, "-m", module, *(["--check"] if check else [])]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def stale(root: Path) -> list[str]:
    """What is wrong with the documents; nothing where each equals what its source generates."""
    outcomes = {module: run(module, root, check=True) for module in describers(root)}
    return [f"{module}: {output.strip() or status}" for module, (status, output) in outcomes.items() if status]


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """`--write` or `--check`; exit code 0, 1 where something is stale or could not be written, 2 usage."""
    if list(arguments) == ["--check"]:
        wrong = stale(root)
        print("\n".join(wrong) or "every generated document is as its source says")
        return 1 if wrong else 0
    if list(arguments) == ["--write"]:
        failed = 0
        for module in describers(root):
            status, output = run(module, root, check=False)
            print(f"{module}: {output.strip() or 'written'}")
            failed = failed or status
        return 1 if failed else 0
    print("usage: python -m tests.documents --write | --check", file=sys.stderr)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
