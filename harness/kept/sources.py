"""Content hashes of what a run was made with, and the hash that names a run.

A run is named by what decides its outcome: its sheet, and the content of stack, harness, fakes and tapes. No date,
path, machine or duration is in it, so the same run has the same name everywhere.
"""
from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from harness.kept.problem import KeptProblem
from harness.wire.jsontext import dumps

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = frozenset({".py", ".js", ".json", ".html"})
"""What decides how a package behaves: code, page programs, and the data beside them."""


@cache
def source_hash(package: str, root: Path = ROOT) -> str:
    """SHA-256 over names and content of a package's source files (`stack.computer_use`). Computed once a process.

    Raises KeptProblem where there is no such package.
    """
    folder = root.joinpath(*package.split("."))
    files = sorted(
        (path.relative_to(folder).as_posix(), path)
        for path in folder.rglob("*")
        if path.suffix in SUFFIXES and path.is_file()
    )
    if not files:
        raise KeptProblem(f"no source file of package {package}", f"files in {folder.name}/", "run in the checkout")
    digest = hashlib.sha256()
    for name, path in files:
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def changed_since(hashes: Mapping[str, str], root: Path = ROOT) -> list[str]:
    """The packages whose files on the disk are not those that these hashes are of, in their order. What this process
    computed before is computed anew."""
    source_hash.cache_clear()
    return [package for package, known in hashes.items() if source_hash(package, root) != known]


def source_hashes(packages: Iterable[str], tapes: Iterable[str] = ()) -> dict[str, str]:
    """Name -> SHA-256, of packages by their dotted name and of tape files by `tape:FILENAME`."""
    hashes = {package: source_hash(package) for package in packages}
    for tape in tapes:
        path = Path(tape)
        hashes[f"tape:{path.name}"] = hashlib.sha256(path.read_bytes()).hexdigest()
    return hashes


def canonical_hash(value: Any) -> str:
    """SHA-256 of canonical JSON: compact, ASCII, keys sorted."""
    return hashlib.sha256(dumps(value, sort=True).encode()).hexdigest()


def run_hash(sheet: Mapping[str, Any], sources: Mapping[str, str]) -> str:
    """The name of a run."""
    return canonical_hash({"sheet": dict(sheet), "sources": dict(sources)})
