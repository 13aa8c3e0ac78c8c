"""Machines that nobody here has: what the doctor and the origins are told of them."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.serve.left import Left


@dataclass
class Told:
    """A machine that is what it is told to be. there, signed: paths; runs: mark -> processes; says: path -> what the
    program says of itself; asked: the programs that were started for that."""

    system: str = "darwin"
    release: str = "macOS 26.1"
    there: frozenset[str] = frozenset()
    signed: frozenset[str] = frozenset()
    runs: dict[str, list[Left]] = field(default_factory=dict)
    says: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def is_there(self, path: str) -> bool:
        return path in self.there

    def is_signed(self, path: str, requirement: str) -> bool:
        return path in self.signed

    def said(self, path: str, words: Sequence[str]) -> str:
        self.asked.append(path)
        return self.says.get(path, "")

    def running(self, mark: str) -> Sequence[Left]:
        return list(self.runs.get(mark, ()))
