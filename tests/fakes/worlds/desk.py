"""A desktop without a stage: the record is a list, and the keys that were woken another."""

from __future__ import annotations

from typing import Any

from fakes.worlds.desktop import Desktop


class Book:
    """What a world writes to."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.woken: list[str] = []
        self.time_ms = 0.0

    def record(self, e: str, **fields: Any) -> int:
        self.lines.append({"e": e, **fields})
        return len(self.lines) - 1

    def wake(self, key: str) -> None:
        self.woken.append(key)

    def now_ms(self) -> float:
        return self.time_ms

    def pid_of(self, p: int) -> int:
        return p

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["e"] == kind]


def desk(**settings: Any) -> tuple[Desktop, Book]:
    book = Book()
    return Desktop(book, settings), book
