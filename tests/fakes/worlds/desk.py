"""A desktop without a stage: the record is a list, and the keys that were woken another."""

from __future__ import annotations

from typing import Any

from fakes.worlds.desktop import Desktop
from tests.fakes.worlds.recorded import Book


def desk(**settings: Any) -> tuple[Desktop, Book]:
    book = Book()
    return Desktop(book, settings), book
